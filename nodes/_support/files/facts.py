"""What a file is: sizes and lengths, found by decoding it, and the outline of a sound. Must not know tools.

Everything raises what decoders raise: OSError, ValueError, SyntaxError, RuntimeError (FFmpegError) or NodeError.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodes._support import opening
from nodes._support.files import codecs
from nodes.api import NodeError, ResourceType

if TYPE_CHECKING:
    import numpy as np

_T = ResourceType
_BLOCK = 64
"""Samples of which one loudness is kept."""


def facts_of(path: Path, type: ResourceType) -> dict[str, Any]:
    """The facets of a file as a resource of that type, which also proves that it is one."""
    if type in codecs.IMAGE_TYPES:
        return _picture(path)
    if type is _T.AUDIO:
        return _sound(path)
    if type is _T.VIDEO:
        return _film(path)
    if type is _T.TEXT:
        return {"characters": len(codecs.decode(path, type))}
    if type is _T.TABLE and path.suffix.lower() in (".csv", ".tsv"):
        rows, columns = codecs.table_size(path)
        return {"rows": rows, "columns": columns}
    if type is _T.TABLE:
        table = codecs.decode(path, type)
        return {"rows": len(table.rows), "columns": len(table.columns)}
    return {"bytes": path.stat().st_size}


def outline(path: Path, bars: int) -> tuple[tuple[float, ...], float]:
    """Loudness 0..1 of at most `bars` equal stretches of a sound, and its seconds. Reads it piece by piece."""
    import numpy as np

    found, count, short, blocks, rest = 1, 0, [], [], np.zeros(0, np.float32)
    for rate, samples in sound_pieces(path):
        found = rate
        loud = np.abs(samples).max(axis=1)
        if count < _BLOCK * bars:
            short.append(loud)
        count += len(loud)
        rest = np.concatenate((rest, loud))
        whole = len(rest) - len(rest) % _BLOCK
        blocks.append(rest[:whole].reshape(-1, _BLOCK).max(axis=1))
        rest = rest[whole:]
    if not count:
        return (0.0,), 0.0
    loud = np.nan_to_num(np.concatenate(blocks if count >= _BLOCK * bars else short))
    edges = np.linspace(0, len(loud), min(bars, len(loud)) + 1).astype(int)[:-1]
    peaks = np.maximum.reduceat(loud, edges)
    return tuple(float(peak) for peak in peaks / (peaks.max() or 1.0)), count / found


def sound_pieces(path: Path) -> Iterator[tuple[int, np.ndarray]]:
    """Rate and samples, float32 (count, channels), of a sound, piece by piece."""
    import soundfile

    try:
        with soundfile.SoundFile(str(path)) as file:
            for block in file.blocks(1 << 18, dtype="float32", always_2d=True):
                yield file.samplerate, block
    except soundfile.LibsndfileError:
        yield from codecs.sound_pieces(path)


def _picture(path: Path) -> dict[str, Any]:
    with opening.picture(path) as picture:
        turned = picture.getexif().get(0x0112, 1) in (5, 6, 7, 8)
        width, height = picture.size[::-1] if turned else picture.size
        frames = getattr(picture, "n_frames", 1)
        picture.load()
    return {"width": width, "height": height} | ({"frames": frames} if frames > 1 else {})


_TAKEN = {
    None: (0x010F, 0x0110, 0x0132, 0x013B, 0x8298),
    0x8769: (0x829A, 0x829D, 0x8827, *range(0x9003, 0x9013), 0x9204, 0x9207, 0x9209, 0x920A, *range(0x9290, 0x9293),
             0xA405, *range(0xA432, 0xA435)),
}  # fmt: skip
"""By part of the Exif data: make, model, date, artist, copyright; exposure, aperture, dates, lens."""


def taken(path: Path) -> bytes:
    """Exif data of when, with which camera and by whom a photo was taken; b"" for none. Not where, nor how it is to be
    turned, nor a small picture of it: these tell what may not be in a picture made of it.
    """
    from PIL import Image

    with opening.picture(path) as picture:
        found = picture.getexif()
        said = {part: found.get_ifd(part) if part else found for part in _TAKEN}
        made = Image.Exif()
        for part, tags in _TAKEN.items():
            kept = {tag: said[part][tag] for tag in tags if tag in said[part]}
            (made.get_ifd(part) if part else made).update(kept)
        return made.tobytes() if len(made) or made.get_ifd(0x8769) else b""


def _sound(path: Path) -> dict[str, Any]:
    import soundfile

    try:
        about = soundfile.info(str(path))
        return {"seconds": about.duration, "rate": about.samplerate, "channels": about.channels}
    except soundfile.LibsndfileError:
        audio = [(rate, *samples.shape) for rate, samples in codecs.sound_pieces(path)]
        rate, _, channels = audio[0]
        return {"seconds": sum(count for _, count, _ in audio) / rate, "rate": rate, "channels": channels}


_NEAR = 0.02
"""Share by which the average rate of a film of a second is off."""


def _film(path: Path) -> dict[str, Any]:
    with opening.film(path) as container:
        if not container.streams.video:
            raise ValueError("there is no picture in it")
        stream = container.streams.video[0]
        width, height = _upright(path, stream.width, stream.height)
        return {
            "width": width,
            "height": height,
            "fps": round(_rate(stream), 3),
            "seconds": (container.duration or 0) / 1_000_000,
            "sound": bool(container.streams.audio),
        }


def _upright(path: Path, width: int, height: int) -> tuple[int, int]:
    """The size of a film as it is shown, by its first picture; as it is stored where that cannot be decoded."""
    from nodes._support.media import movies

    try:
        shape = next(movies.pictures(path)).pixels.shape
    except NodeError:
        return width, height
    return shape[1], shape[0]


def _rate(stream: Any) -> float:
    """Pictures a second, 0.0 for unknown. The average of a short film is a little off: its last one is cut short."""
    average, guessed = float(stream.average_rate or 0), float(stream.guessed_rate or 0)
    return guessed if abs(guessed - average) < _NEAR * average else average
