"""What a sound file says of itself, title, artist, cover and the like: read, and written without coding the sound anew.

The form of an MP3 is written here byte by byte; FFmpeg copies the packets of the others.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nodes._support import opening
from nodes._support.media import id3

if TYPE_CHECKING:
    import numpy as np

NAMES = ("title", "artist", "album", "year", "track", "genre", "comment")
_KEYS = {"year": "date"}
"""FFmpeg's names, where they are others."""
_FORMS = {"mp3": "mp3", "mov": "m4a", "flac": "flac", "ogg": "ogg"}
"""By the first of FFmpeg's names of what a file is, how its files end."""
_MUXERS = {"m4a": "mp4", "flac": "flac", "ogg": "ogg"}
_OPTIONS = {"m4a": {"movflags": "+faststart", "brand": "M4A "}}
_IN_M4A = frozenset({"aac", "alac"})
_OF_FORMS = frozenset(("metadata_block_picture", "encoder", "handler_name", "vendor_id", "major_brand", "minor_version",
                       "compatible_brands", "language"))  # fmt: skip
"""What FFmpeg tells of a file besides what its owner said."""
_LARGEST_COVER, _COVER_QUALITY = 1000, 90


def form_of(path: Path) -> str:
    """ "mp3", "m4a", "flac" or "ogg" by what is in the file, not by its name; "" for a sound of another form, for a
    film, and for what cannot be read."""
    from av.error import FFmpegError

    try:
        with opening.film(path, metadata_errors="ignore") as container:
            form = _FORMS.get(container.format.name.partition(",")[0], "")
            sounds = container.streams.audio
            plain = len(sounds) == 1 and all(_is_cover(stream) for stream in container.streams.video)
            fits = form != "m4a" or (plain and sounds[0].codec_context.name in _IN_M4A)
            return form if plain and fits else ""
    except (FFmpegError, OSError, ValueError):
        return ""


def read(path: Path) -> dict[str, str]:
    """What the file says, by those of NAMES that it says something of, and "cover", the picture's size, if it has one.
    Empty for what cannot be read."""
    from av.error import FFmpegError

    try:
        with opening.film(path, metadata_errors="ignore") as container:
            said: dict[str, str] = {}
            for told in (container.metadata, *(stream.metadata for stream in container.streams.audio[:1])):
                said |= {key.casefold(): value.strip() for key, value in told.items()}
            found = {name: said[key] for name in NAMES if said.get(key := _KEYS.get(name, name))}
            covers = [stream for stream in container.streams.video if _is_cover(stream)]
            return found | ({"cover": f"{covers[0].width} x {covers[0].height}"} if covers else {})
    except (FFmpegError, OSError, ValueError):
        return {}


def write(
    source: Path, target: Path, form: str, said: Mapping[str, str], cover: np.ndarray | None, before: Path | None
) -> None:
    """A copy of the sound file, of that form, that says `said` by NAMES, and else what the file `before` says, nothing
    for None; `cover` is a picture, uint8 (height, width, 3 or 4). The sound is copied.

    Raises OSError or ValueError for a damaged file."""
    from av.error import FFmpegError

    try:
        _write(source, target, form, said, cover, before)
    except FFmpegError as error:
        raise ValueError(str(error)) from error


def _write(
    source: Path, target: Path, form: str, said: Mapping[str, str], cover: np.ndarray | None, before: Path | None
) -> None:
    picture = _jpeg(cover) if cover is not None else _cover_of(before) if before is not None else None
    if form != "mp3":
        _copy(source, target, form, _merged(_all(before) if before is not None else {}, said), picture)
        return
    data = source.read_bytes()
    own = before is source and id3.read(data) is not None  # what of another tag is not kept as it is
    if not own:
        said = {name: text for name, text in (read(before) if before else {}).items() if name in NAMES} | {**said}
    elif cover is None:
        picture = None
    target.write_bytes(id3.tagged(data, said, picture.data if picture else b"", keep=own))


class Cover(NamedTuple):
    """A picture as a JPEG or PNG file, and its width and height."""

    data: bytes
    width: int
    height: int

    @property
    def is_png(self) -> bool:
        return self.data.startswith(b"\x89PNG")


def _copy(source: Path, target: Path, form: str, said: Mapping[str, str], cover: Cover | None) -> None:
    import av

    options = {"fflags": "+bitexact", **_OPTIONS.get(form, {})}
    with (
        opening.film(source, metadata_errors="ignore") as given,
        av.open(str(target), "w", _MUXERS[form], options=options) as out,
    ):
        sound = given.streams.audio[0]
        track: Any = out.add_stream_from_template(sound)
        told = track.metadata if form == "ogg" else out.metadata
        told.update(said)
        shown = None
        if cover is not None and form == "ogg":
            told["METADATA_BLOCK_PICTURE"] = base64.b64encode(_block(cover)).decode()
        elif cover is not None:
            shown = _cover_stream(out, cover)
        for number, packet in enumerate(given.demux(sound)):
            if not packet.size:
                continue
            packet.stream = track
            out.mux(packet)
            if number == 0 and shown is not None and cover is not None:
                _mux_cover(out, shown, cover)


def _all(path: Path) -> dict[str, str]:
    """All that the file says of its sound, by FFmpeg's names."""
    with opening.film(path, metadata_errors="ignore") as container:
        told = (container.metadata, *(stream.metadata for stream in container.streams.audio[:1]))
        return {key: value for each in told for key, value in each.items()}


def _merged(before: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """By FFmpeg's names, what is said now in place of what was said by the same name, however that was written."""
    now = {_KEYS.get(name, name): text for name, text in said.items()}
    idle = {*now, *_OF_FORMS}
    return {key: value for key, value in before.items() if key.casefold() not in idle} | now


def _cover_of(path: Path) -> Cover | None:
    with opening.film(path, metadata_errors="ignore") as container:
        stream = next((stream for stream in container.streams.video if _is_cover(stream)), None)
        if stream is None:
            return None
        data = next((bytes(packet) for packet in container.demux(stream) if packet.size), b"")
        return Cover(data, stream.width, stream.height) if data else None


def _cover_stream(out: Any, cover: Cover) -> Any:
    from av.stream import Disposition

    stream = out.add_mux_stream("png" if cover.is_png else "mjpeg", width=cover.width, height=cover.height)
    stream.disposition = Disposition.attached_pic
    return stream


def _mux_cover(out: Any, stream: Any, cover: Cover) -> None:
    from av.packet import Packet

    packet = Packet(cover.data)
    packet.pts = packet.dts = 0
    packet.time_base, packet.stream = Fraction(1, 90_000), stream
    out.mux(packet)


def _is_cover(stream: Any) -> bool:
    from av.stream import Disposition

    return bool(stream.disposition & Disposition.attached_pic)


def _jpeg(picture: np.ndarray) -> Cover:
    """The picture on white, at most 1000 pixels wide and high."""
    from PIL import Image

    shown = Image.fromarray(picture)
    if shown.mode == "RGBA":
        shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown).convert("RGB")
    shown.thumbnail((_LARGEST_COVER, _LARGEST_COVER), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    shown.save(file, "JPEG", quality=_COVER_QUALITY)
    return Cover(file.getvalue(), *shown.size)


def _block(cover: Cover) -> bytes:
    """A picture as FLAC and Vorbis comments hold it (RFC 9639, section 8.8): the front cover."""
    kind = b"image/png" if cover.is_png else b"image/jpeg"
    numbers = (3, len(kind), 0, cover.width, cover.height, 24, 0, len(cover.data))
    told = [number.to_bytes(4, "big") for number in numbers]
    return told[0] + told[1] + kind + b"".join(told[2:]) + cover.data
