"""The tag of an MP3 file (ID3v2.3 and 2.4), written before sound that stays byte by byte what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_FRAMES = {"title": b"TIT2", "artist": b"TPE1", "album": b"TALB", "track": b"TRCK", "genre": b"TCON",
           "comment": b"COMM"}  # fmt: skip
_YEARS = {3: b"TYER", 4: b"TDRC"}
_OTHER_YEARS = frozenset({b"TYER", b"TDRC", b"TDAT", b"TDRL", b"TYE"})
_HEAD, _FRAME_HEAD = 10, 10
_UNSYNCHRONISED, _EXTENDED = 0x80, 0x40
_UTF16, _FRONT_COVER = b"\x01", b"\x03"
_OLD_TAG = 128
"""Bytes of an ID3v1 tag, at the end of a file."""
_ROOM = 1024
"""Zeros behind the frames, in which other programs can write more without moving the sound."""


class Tag(NamedTuple):
    """Version (3 or 4) and frames, as names and contents with their flags, of what stands before the sound; where
    the sound begins, in bytes."""

    version: int
    frames: tuple[tuple[bytes, bytes, bytes], ...]
    size: int


def read(data: bytes) -> Tag | None:
    """The tag at the beginning of a file; None where there is none of a version whose frames could be kept as they
    are. What cannot be kept FFmpeg may still read."""
    version, flags, size = _head(data)
    if version not in _YEARS or flags & (_UNSYNCHRONISED | _EXTENDED):
        return None
    return Tag(version, tuple(_frames(data[_HEAD:size], version)), size)


def sound_begins(data: bytes) -> int:
    """How many bytes of tags of any version stand before the sound."""
    at = 0
    while data[at : at + 3] == b"ID3" and len(data) >= at + _HEAD:
        at += _head(data[at : at + _HEAD])[2]
    return at


def sound_ends(data: bytes) -> int:
    """Where the sound ends, before a tag of the first version."""
    return len(data) - _OLD_TAG if data[-_OLD_TAG:][:3] == b"TAG" else len(data)


def tagged(data: bytes, said: Mapping[str, str], cover: bytes = b"", keep: bool = True) -> bytes:
    """The file with a new tag that says `said`, by "title", "artist", "album", "year", "track", "genre", "comment", and
    has the JPEG `cover`. Other frames of a tag that was there stay where it is to `keep` them."""
    old = read(data) if keep else None
    version = old.version if old is not None else 3
    replaced = {_FRAMES[name] for name in said if name in _FRAMES}
    replaced |= _OTHER_YEARS if "year" in said else set()
    replaced |= {b"APIC"} if cover else set()
    kept = [frame for frame in (old.frames if old else ()) if frame[0] not in replaced]
    frames = b"".join(_frame(name, flags, body, version) for name, flags, body in kept)
    for name, text in said.items():
        frame = _YEARS[version] if name == "year" else _FRAMES[name]
        body = _UTF16 + b"XXX" + _text("") + b"\0\0" + _text(text) if frame == b"COMM" else _UTF16 + _text(text)
        frames += _frame(frame, b"\0\0", body, version)
    if cover:
        frames += _frame(b"APIC", b"\0\0", b"\0image/jpeg\0" + _FRONT_COVER + b"\0" + cover, version)
    frames += bytes(_ROOM)
    head = b"ID3" + bytes((version, 0, 0)) + _syncsafe(len(frames))
    return head + frames + data[sound_begins(data) : sound_ends(data)]


def _head(data: bytes) -> tuple[int, int, int]:
    """Version, flags, and bytes with the head, of the tag that the data begins with; zeros for none."""
    if data[:3] != b"ID3" or len(data) < _HEAD:
        return 0, 0, 0
    foot = _HEAD if data[3] == 4 and data[5] & 0x10 else 0
    return data[3], data[5], _HEAD + _number(data[6:10]) + foot


def _frames(data: bytes, version: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    at = 0
    while re.fullmatch(rb"[A-Z][A-Z0-9]{3}", data[at : at + 4]):
        told = data[at + 4 : at + 8]
        size = _number(told) if version == 4 else int.from_bytes(told, "big")
        body = data[at + _FRAME_HEAD : at + _FRAME_HEAD + size]
        if len(body) < size:
            return
        yield data[at : at + 4], data[at + 8 : at + 10], body
        at += _FRAME_HEAD + size


def _frame(name: bytes, flags: bytes, body: bytes, version: int) -> bytes:
    size = _syncsafe(len(body)) if version == 4 else len(body).to_bytes(4, "big")
    return name + size + flags + body


def _text(text: str) -> bytes:
    return b"\xff\xfe" + text.encode("utf-16-le")


def _number(data: bytes) -> int:
    """Of four bytes with seven bits each."""
    value = 0
    for byte in data:
        value = value << 7 | byte & 0x7F
    return value


def _syncsafe(value: int) -> bytes:
    return bytes(value >> shift & 0x7F for shift in (21, 14, 7, 0))
