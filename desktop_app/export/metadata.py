"""Workflows inside result files, where the format has a place for a stranger's data, and out of them again.

PNG: an iTXt chunk before the end. JPEG: comment segments (ITU-T T.81, B.2.4.5). GIF: a comment extension. WAV and
AVI: a RIFF chunk. MP4 and MOV: a top-level `uuid` box (ISO/IEC 14496-12, 11.1). HTML: a comment. Nothing is coded
anew, so what people see and hear stays as it is to the bit; programs that do not know our part skip it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_app.core import checked_json as checked
from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Workflow
from nodes.phrase import Phrase

KEYWORD = "graphwright-workflow"
MOST_BYTES = 16 << 20
"""A larger workflow in a file is not read: no file of ours has one."""
_BOX = bytes.fromhex("6772617068777269676874776f726b66")
_CHUNK = b"gwrt"
_PNG = b"\x89PNG\r\n\x1a\n"
_SEGMENT = 65_000


def embed(workflow: Workflow, path: Path) -> bool:
    """Puts the workflow, without passwords, into the file; False when its format has no place for one. Raises OSError.

    The file is replaced as a whole, so that a full disk leaves it as it was.
    """
    put = _WRITERS.get(path.suffix.lower())
    if put is None:
        return False
    text = json.dumps(workflow.to_json(), separators=(",", ":"))
    try:
        data = put(path.read_bytes(), zlib.compress(text.encode(), 9))
    except (ValueError, IndexError, struct.error):  # damaged, or named like something that it is not
        return False
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".embedding-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


def embedded(path: Path) -> Workflow | None:
    """The workflow in a file, or None. Raises BadWorkflow when there is one and it is damaged."""
    read = _READERS.get(path.suffix.lower())
    if read is None or not path.is_file():
        return None
    try:
        found = next(iter(read(path)), None)
    except (OSError, ValueError, IndexError, struct.error):
        return None
    if found is None:
        return None
    try:
        text = _unpacked(found)
    except (ValueError, zlib.error) as error:
        raise BadWorkflow(
            Phrase("The workflow in {path} is damaged: {error}.", path=path.name, error=error), "Open another file."
        ) from error
    try:
        data = checked.parsed(text)
    except ValueError as error:
        raise BadWorkflow(
            Phrase("The workflow in {path} is damaged: {error}.", path=path.name, error=error), "Open another file."
        ) from error
    return Workflow.from_json(data)


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, MOST_BYTES)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("it is cut off or too large")
    return text


def _into_png(file: bytes, data: bytes) -> bytes:
    if not file.startswith(_PNG):
        raise ValueError("no PNG")
    end = file.rindex(b"IEND") - 4
    body = KEYWORD.encode() + b"\0\0\0\0\0" + base64.b64encode(data)
    chunk = b"iTXt" + body
    return file[:end] + struct.pack(">I", len(body)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + file[end:]


def _from_png(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        if file.read(8) != _PNG:
            return
        while len(head := file.read(8)) == 8:
            size, kind = struct.unpack(">I4s", head)
            if kind == b"iTXt" and size <= MOST_BYTES:
                body = file.read(size)
                if body.startswith(KEYWORD.encode() + b"\0"):
                    yield base64.b64decode(body[len(KEYWORD) + 5 :])
                file.seek(4, os.SEEK_CUR)
            else:
                file.seek(size + 4, os.SEEK_CUR)


def _into_jpeg(file: bytes, data: bytes) -> bytes:
    if not file.startswith(b"\xff\xd8"):
        raise ValueError("no JPEG")
    parts = b""
    for start in range(0, len(data), _SEGMENT):
        body = KEYWORD.encode() + b"\0" + data[start : start + _SEGMENT]
        parts += b"\xff\xfe" + struct.pack(">H", len(body) + 2) + body
    place = 2
    while file[place : place + 1] == b"\xff" and 0xE0 <= file[place + 1] <= 0xEF:  # ours come after JFIF and Exif
        place += 2 + struct.unpack(">H", file[place + 2 : place + 4])[0]
    return file[:place] + parts + file[place:]


def with_exif(file: bytes | bytearray, exif: bytes) -> bytes:
    """A JPEG file with this Exif data behind its own first segment; as it is where that does not fit."""
    if not exif or len(exif) > _SEGMENT or file[2:4] != b"\xff\xe0":
        return bytes(file)
    place = 4 + struct.unpack(">H", file[4:6])[0]
    return bytes(file[:place] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + file[place:])


def _from_jpeg(path: Path) -> Iterator[bytes]:
    found = b""
    with path.open("rb") as file:
        if file.read(2) != b"\xff\xd8":
            return
        while len(head := file.read(4)) == 4 and head[0] == 0xFF and head[1] != 0xDA:
            body = file.read(struct.unpack(">H", head[2:])[0] - 2)
            if head[1] == 0xFE and body.startswith(KEYWORD.encode() + b"\0"):
                found += body[len(KEYWORD) + 1 :]
    if found:
        yield found


def _into_gif(file: bytes, data: bytes) -> bytes:
    if not file.startswith(b"GIF8") or not file.endswith(b";"):
        raise ValueError("no GIF")
    body = KEYWORD.encode() + b"\0" + base64.b64encode(data)
    blocks = b"".join(
        bytes([len(body[start : start + 255])]) + body[start : start + 255] for start in range(0, len(body), 255)
    )
    return file[:-1] + b"\x21\xfe" + blocks + b"\0;"


def _from_gif(path: Path) -> Iterator[bytes]:
    data = path.read_bytes()
    first = KEYWORD.encode()[:8]
    place = data.rfind(b"\x21\xfe")
    while place >= 0:
        if data[place + 3 : place + 11] == first:
            body, at = b"", place + 2
            while at < len(data) and data[at]:
                body += data[at + 1 : at + 1 + data[at]]
                at += 1 + data[at]
            yield base64.b64decode(body[len(KEYWORD) + 1 :])
            return
        place = data.rfind(b"\x21\xfe", 0, place)


def _into_riff(file: bytes, data: bytes) -> bytes:
    if file[:4] != b"RIFF" or struct.unpack("<I", file[4:8])[0] + 8 > len(file) + 1:
        raise ValueError("no RIFF")
    file += b"\0" * (len(file) % 2)
    whole = file + _CHUNK + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return whole[:4] + struct.pack("<I", len(whole) - 8) + whole[8:]


def _from_riff(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        if file.read(4) != b"RIFF":
            return
        file.seek(12)
        while len(head := file.read(8)) == 8:
            kind, size = struct.unpack("<4sI", head)
            if kind == _CHUNK and size <= MOST_BYTES:
                yield file.read(size)
                return
            file.seek(size + size % 2, os.SEEK_CUR)


def _into_boxes(file: bytes, data: bytes) -> bytes:
    if file[4:8] != b"ftyp":
        raise ValueError("no MP4")
    return file + struct.pack(">I", len(data) + 24) + b"uuid" + _BOX + data


def _from_boxes(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while len(head := file.read(8)) == 8:
            start = file.tell() - 8
            size, kind = struct.unpack(">I4s", head)
            if size == 1:
                size = struct.unpack(">Q", file.read(8))[0]
            if kind == b"uuid" and 24 <= size <= MOST_BYTES and file.read(16) == _BOX:
                yield file.read(size - 24)
                return
            if size < 8:
                return
            file.seek(start + size)


def _into_html(file: bytes, data: bytes) -> bytes:
    return file.rstrip() + f"\n<!-- {KEYWORD} {base64.b64encode(data).decode()} -->\n".encode()


def _from_html(path: Path) -> Iterator[bytes]:
    pattern = rf"<!-- {KEYWORD} ([A-Za-z0-9+/=]+) -->".encode()
    for match in re.finditer(pattern, path.read_bytes()):
        yield base64.b64decode(match[1])


_Writer = Callable[[bytes, bytes], bytes]
_Reader = Callable[[Path], Iterator[bytes]]
_WRITERS: dict[str, _Writer] = {
    ".png": _into_png, ".jpg": _into_jpeg, ".jpeg": _into_jpeg, ".gif": _into_gif, ".wav": _into_riff,
    ".mp4": _into_boxes, ".m4v": _into_boxes, ".mov": _into_boxes, ".html": _into_html, ".htm": _into_html,
}  # fmt: skip
_READERS: dict[str, _Reader] = {
    ".png": _from_png, ".jpg": _from_jpeg, ".jpeg": _from_jpeg, ".gif": _from_gif, ".wav": _from_riff,
    ".mp4": _from_boxes, ".m4v": _from_boxes, ".mov": _from_boxes, ".html": _from_html, ".htm": _from_html,
}  # fmt: skip
CARRIERS = frozenset(_READERS)
"""The suffixes of the files that may have a workflow inside."""
