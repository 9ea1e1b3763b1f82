"""Results in the other forms in which people keep them: files read, and written anew. Must not know tools."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from nodes._support.files import codecs, facts
from nodes._support.imaging import picture_files
from nodes.api import ResourceType, Table

_SOUNDS = {".wav": ("WAV", "PCM_16"), ".flac": ("FLAC", "PCM_16"), ".ogg": ("OGG", None)}
"""By ending, libsndfile's names of the form and of its samples; None for the usual ones."""
_MARKS = {
    ResourceType.LABELS: ("label", "score"),
    ResourceType.BOXES: ("x0", "y0", "x1", "y1", "label", "score"),
    ResourceType.POINTS: ("x", "y", "include"),
}
"""Lists that are tables with these columns."""
USUAL = {
    **dict.fromkeys((ResourceType.TABLE, *_MARKS), ".xlsx"),
    **dict.fromkeys((ResourceType.TEXT, ResourceType.NUMBER, ResourceType.FLAG, ResourceType.URL), ".txt"),
}
"""The form in which people keep what is in no form yet."""
_FRAMES = 1 << 16
"""Samples of each channel that are written at a time: libsndfile's Vorbis runs out of stack with all of a long one."""


def converted(path: Path, type: ResourceType, ending: str) -> bytes:
    """The file in the form of the ending. Sounds get the 16 bits that all programs read, piece by piece.

    Raises what decoders raise, and ValueError where the form has no place for it.
    """
    if type is ResourceType.AUDIO:
        return _sound(path, ending)
    value: Any = codecs.decode(path, type)
    if type in codecs.IMAGE_TYPES:
        if type is ResourceType.SEGMENTATION and picture_files.FORMS[ending] in picture_files.LOSSY:
            value = codecs.adapt(value, type, ResourceType.IMAGE)  # its numbers would be lost anyway
        return picture_files.encode(value, ending)
    if type in _MARKS:
        value = Table(_MARKS[type], tuple(map(tuple, value)))
    if isinstance(value, Table):
        from nodes._support.tables import workbooks  # takes a tenth of a second, and the window begins without

        return codecs.encode(value, ResourceType.TABLE)[0] if ending == ".json" else workbooks.content(value, ending)
    return str(value).encode("utf-8")


def _sound(path: Path, ending: str) -> bytes:
    import soundfile

    if ending == ".mp3":
        return _mp3(path)
    form, samples = _SOUNDS[ending]
    stream, file = io.BytesIO(), None
    try:
        for rate, piece in facts.sound_pieces(path):
            if file is None:
                file = soundfile.SoundFile(stream, "w", rate, piece.shape[1], samples, format=form)
            for begin in range(0, len(piece), _FRAMES):
                file.write(piece[begin : begin + _FRAMES].clip(-1, 1))
        if file is None:
            raise ValueError("there is no sound in it")
    finally:
        if file is not None:
            file.close()
    return stream.getvalue()


def _mp3(path: Path) -> bytes:
    """Of any rate and number of channels, of which an MP3 has two at most; in pieces, for here no file may be made."""
    from nodes._support.media import sound_files  # needs numpy, and the window begins without

    return sound_files.mp3_of(lambda: facts.sound_pieces(path))
