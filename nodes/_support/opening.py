"""The one place where pictures, sounds and films are opened for reading. Must not know tools.

What a file is named says nothing about what is in it. Pillow runs Ghostscript for PostScript, and FFmpeg opens the
files and addresses that a playlist names: so only formats that hold their content themselves are tried.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, BinaryIO

from nodes.phrase import Phrase

MAXIMUM_PIXELS = 200_000_000
PICTURES = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "DIB", "TIFF", "AVIF", "PPM", "ICO", "TGA")
"""Pillow's names."""
DEMUXERS = (
    "mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,wav,w64,aiff,au,caf,mp3,aac,ac3,eac3,flac,amr,ape,wv,tta,"
    "gif,apng,ivf,h264,hevc,m4v,obu,dv,mxf,nut,rm"
)
"""FFmpeg's names: none that reads other files (hls, concat, dash, image2, imf, sdp, rtsp, webm_dash_manifest)."""
_TOLD = re.compile(
    rb"""(?:<meta\b[^>]{0,200}?\bcharset\s*=|<\?xml\b[^>]{0,100}?\bencoding\s*=)\s*["']?([\w.:-]+)""", re.IGNORECASE
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "iso_8859_1": "cp1252", "latin1": "cp1252",
          "latin_1": "cp1252", "us_ascii": "cp1252", "euc_kr": "cp949"}  # fmt: skip
"""What pages that name the first are really in: it has every letter of it, and more."""
_CHARSETS = frozenset(
    """ascii us-ascii utf-8 utf8 utf-16 utf-16le utf-16be latin1 latin-1 iso8859-1 macintosh mac-roman big5 big5-hkscs
    gbk gb2312 gb18030 euc-jp euc-kr iso-2022-jp shift-jis shift-jisx0213 sjis x-sjis cp932 cp936 cp949 cp950 tis-620
    koi8-r koi8-u""".split()  # noqa: SIM905
)


def picture(path: Path | BinaryIO) -> Any:
    """Pillow's picture of a file, not yet decoded. Raises OSError, ValueError or SyntaxError; more than 200 million
    pixels are refused."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the bound is ours, below: Pillow's own warns from 89 million on
    try:
        opened = Image.open(path, formats=PICTURES)
    except UnidentifiedImageError:
        if not _reads_heif():
            if isinstance(path, Path) and _is_heic(path):
                raise ValueError(Phrase("it is HEIC, which is not read here: save it as JPEG or PNG")) from None
            raise _no_picture() from None
        if not isinstance(path, Path):
            path.seek(0)
        try:
            opened = Image.open(path, formats=("HEIF",))
        except UnidentifiedImageError:
            raise _no_picture() from None
    if opened.width * opened.height > MAXIMUM_PIXELS:
        opened.close()
        raise ValueError(f"it has {opened.width} × {opened.height} pixels, more than {MAXIMUM_PIXELS:,}")
    return opened


def _no_picture() -> ValueError:
    return ValueError(
        Phrase(
            "it is no JPEG, PNG, WebP, GIF, BMP, TIFF, AVIF or HEIC: save it as one of these in the program it is from"
        )
    )


def _is_heic(path: Path) -> bool:
    with open(path, "rb") as file:
        start = file.read(16)
    return start[4:8] == b"ftyp" and start[8:12] in (b"heic", b"heix", b"heim", b"hevc", b"mif1", b"msf1")


@functools.cache
def _reads_heif() -> bool:
    """Makes Pillow read the pictures of telephones (HEIC); False where what reads them is not installed."""
    try:
        import pi_heif
    except ImportError:
        return False
    pi_heif.register_heif_opener()
    return True


def film(path: Path, **options: Any) -> Any:
    """PyAV's container of a film or sound. Opens that file and nothing else. Raises FFmpegError or OSError."""
    import av

    only = {"format_whitelist": DEMUXERS, "protocol_whitelist": "file"}
    return av.open(f"file:{Path(path).absolute()}", options=only, **options)


def decoded(data: bytes, *charsets: str | None) -> str:
    """Text in the first of the charsets that is known and fits, else in UTF-8, else in Windows-1252 or Latin-1.

    Known are those of pages. Python has others, and some (punycode) take minutes for a megabyte.
    """
    for name in (*charsets, "utf-8", "cp1252"):
        try:
            if name and is_charset(name):
                return data.decode("utf-8-sig" if name.lower() in ("utf-8", "utf8") else name)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def told_charset(data: bytes) -> str:
    """The charset that the beginning of a page or of an XML file names, "" where it names none that is known."""
    found = _TOLD.search(data[:2048])
    name = found[1].decode("ascii").lower() if found else ""
    name = _WIDER.get(name.replace("-", "_"), name)
    return name if is_charset(name) else ""


def is_charset(name: str) -> bool:
    """True for the charsets that pages are written in."""
    plain = name.lower().replace("_", "-")
    return plain in _CHARSETS or bool(re.fullmatch(r"iso-8859-\d{1,2}|(windows-|cp)125\d|(windows-)?874|cp874", plain))
