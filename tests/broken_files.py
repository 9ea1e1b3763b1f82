"""Small files of every kind that can be attached, and broken ones: named by what is wrong with them."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from functools import cache

import numpy as np
from PIL import Image

_RATE = 8000


@cache
def sound() -> bytes:
    """A tenth of a second as WAV: 16 bits, mono."""
    return _sound("WAV")


@cache
def valid() -> dict[str, bytes]:
    """By file name, the content of a small file of each kind."""
    pictures = {f"a.{suffix}": _picture(kind) for suffix, kind in _PICTURES.items()}
    sounds = {"a.wav": sound(), "a.ogg": _sound("OGG"), "a.flac": _sound("FLAC"), "a.mp3": _sound("MP3")}
    films = {f"a.{suffix}": _film(suffix) for suffix in ("mp4", "mov", "avi", "mkv")}
    texts = {
        "a.txt": b"Mind the gap.\n",
        "b.txt": "caf\xe9".encode("latin-1"),
        "a.md": b"# Title\n\n* one\n",
        "a.html": b"<html><body><p>Hello</p></body></html>",
        "a.csv": b"name,price\ntea,2.5\ncake,\n",
        "a.tsv": b"name\tprice\ntea\t2.5\n",
        "a.json": json.dumps({"a": [1, 2, {"b": None}]}).encode(),
        "a.pdf": _PDF,
        "a.docx": _word(),
    }
    return {**pictures, **sounds, **films, **texts}


def broken() -> dict[str, tuple[str, bytes]]:
    """By what is wrong, the name and content of a file that cannot be read as what its name says."""
    ogg = valid()["a.ogg"]
    found = {
        "half of a sound": ("half.ogg", ogg[: len(ogg) // 2]),
        "the first page of a sound": ("page.ogg", ogg[:60]),
        "a sound of 0 bits": ("bits.wav", _with(sound(), 34, b"\0\0")),
        "a sound of 0 bits and 0 Hz": ("rate.wav", _with(_with(sound(), 34, b"\0\0"), 24, bytes(4))),
        "a sound without channels": ("channels.wav", _with(sound(), 22, b"\0\0")),
        "400 megapixels": ("huge.png", png_of(20_000, 20_000)),
        "4,000,000 megapixels": ("vast.png", png_of(2_000_000, 2_000_000)),
        "a picture without pixels": ("none.png", png_of(0, 0)),
        "a picture whose pixels are missing": ("gone.png", png_of(20, 20)),
        "lines and no table": ("lines.csv", b"\n\r\n\n"),
        "a binary table": ("binary.csv", bytes(range(256))),
        "a binary text": ("binary.txt", bytes(range(256))),
    }
    for name, content in valid().items():
        if name.endswith((".png", ".jpg", ".webp", ".wav", ".flac", ".mp4", ".mkv")):
            found[f"the beginning of {name}"] = (name, content[:24])
    return found


def png_of(width: int, height: int) -> bytes:
    """A PNG that says so many pixels, of one bit each, and has none."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def _with(data: bytes, place: int, piece: bytes) -> bytes:
    return data[:place] + piece + data[place + len(piece) :]


_PICTURES = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP", "gif": "GIF", "bmp": "BMP", "tif": "TIFF"}


def _picture(kind: str) -> bytes:
    stream = io.BytesIO()
    pixels = np.linspace(0, 255, 24 * 18 * 3).astype(np.uint8).reshape(18, 24, 3)
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def _sound(kind: str) -> bytes:
    import soundfile

    stream = io.BytesIO()
    samples = np.sin(np.arange(_RATE // 10) / 9).astype(np.float32)[:, None]
    soundfile.write(stream, samples, _RATE, format=kind)
    return stream.getvalue()


def _film(suffix: str) -> bytes:
    import av

    kind = {"mkv": "matroska"}.get(suffix, suffix)
    stream = io.BytesIO()
    with av.open(stream, "w", format=kind) as film:
        pictures = film.add_stream("mpeg4", rate=5)
        pictures.width, pictures.height, pictures.pix_fmt = 32, 32, "yuv420p"
        for shade in (0, 90, 200):
            frame = av.VideoFrame.from_ndarray(np.full((32, 32, 3), shade, np.uint8), format="rgb24")
            film.mux(pictures.encode(frame))
        film.mux(pictures.encode())
    return stream.getvalue()


def _word() -> bytes:
    from docx import Document

    document = Document()
    document.add_paragraph("Hello")
    stream = io.BytesIO()
    document.save(stream)
    with zipfile.ZipFile(stream) as archive:
        assert archive.testzip() is None
    return stream.getvalue()


_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 35>>stream\nBT /F 12 Tf 9 9 Td (Hello) Tj ET   \nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n"
)
