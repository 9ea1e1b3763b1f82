"""Files packed into a ZIP archive, and taken out of one that a stranger made. Must not know tools.

Nothing is written outside of the folder that is given, whatever names the archive holds; what would fill the disk is
refused before it is written, and while it is, as an archive may lie about its sizes.
"""

from __future__ import annotations

import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from nodes._support.files import codecs
from nodes.api import Phrase

MOST_FILES = 1000
MOST_BYTES = 2_000_000_000
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # the first of ZIP files: the same files are the same bytes
_PIECE = 1 << 20
_LONGEST_NAME = 100
_PACKED = frozenset(
    """.jpg .jpeg .png .webp .gif .avif .heic .mp3 .m4a .aac .ogg .opus .flac .mp4 .m4v .mov .mkv .webm .zip .7z .gz .xz
    .docx .xlsx .pptx .odt .ods .odp .epub""".split()  # noqa: SIM905
)
"""Endings of what is packed already: packing it again takes time and gains nothing."""
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\ud800-\udfff\u202a-\u202e\u2066-\u2069]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_LEFT_BY_SYSTEMS = frozenset((".ds_store", "thumbs.db", "desktop.ini"))
_IN_UNICODE, _LOCKED = 0x800, 0x1
Progress = Callable[[float], None]


class NeedsPasswordError(ValueError):
    """What is in the archive cannot be taken out without its password."""


def pack(target: Path, files: Iterable[tuple[Path, str]], progress: Progress) -> None:
    """Writes an archive of files, each with its name, which is cleaned, and numbered where it was there before."""
    given = list(files)
    total, done = sum(file.stat().st_size for file, _ in given) or 1, 0
    with zipfile.ZipFile(target, "w") as archive:
        for (file, _), name in zip(given, unlike(name for _, name in given), strict=True):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_STORED if file.suffix.lower() in _PACKED else zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            with open(file, "rb") as source, archive.open(entry, "w", force_zip64=True) as out:
                while piece := source.read(_PIECE):
                    out.write(piece)
                    done += len(piece)
                    progress(done / total)


def unpack(path: Path, folder: Path, progress: Progress) -> list[Path]:
    """The files in an archive, in its order, in `folder`, without the folders that they were in; archives in it stay
    archives, and links and what systems leave behind are left out.

    Raises ValueError, in words, for what is too much or cannot be unpacked, NeedsPasswordError, zipfile.BadZipFile and
    OSError.
    """
    with zipfile.ZipFile(path) as archive:
        entries = [entry for entry in archive.infolist() if _is_wanted(entry)]
        if len(entries) > MOST_FILES:
            raise ValueError(Phrase("it has {count} files, more than {most}", count=len(entries), most=MOST_FILES))
        left = MOST_BYTES
        if sum(entry.file_size for entry in entries) > left:
            raise ValueError(_too_much())
        made = []
        for number, (entry, name) in enumerate(zip(entries, unlike(map(_name, entries)), strict=True)):
            progress(number / len(entries))
            made.append(folder / name)
            left = _take_out(archive, entry, made[-1], left)
    return made


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    name = PurePosixPath(entry.filename.replace("\\", "/"))
    is_link = stat.S_ISLNK(entry.external_attr >> 16)
    by_system = "__MACOSX" in name.parts or name.name.lower() in _LEFT_BY_SYSTEMS
    return not (entry.is_dir() or is_link or by_system)


def _take_out(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Writes a file of at most `left` bytes and returns how many are left of them."""
    if entry.flag_bits & _LOCKED:
        raise NeedsPasswordError
    try:
        with archive.open(entry) as source, open(target, "xb") as out:
            while piece := source.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise ValueError(_too_much())
                out.write(piece)
    except (NotImplementedError, zlib.error, EOFError) as error:
        if isinstance(error, NotImplementedError):
            said = "{name} in it is packed in a way that is not known here"
        else:
            said = "{name} in it is damaged"
        raise ValueError(Phrase(said, name=target.name)) from error
    return left


def _too_much() -> Phrase:
    return Phrase("it unpacks to more than {most} GB", most=MOST_BYTES // 1_000_000_000)


def _name(entry: zipfile.ZipInfo) -> str:
    """The name of a file without its folders. Names that are not told to be Unicode are in whatever the computer had
    on which they were packed."""
    name = entry.filename
    if not entry.flag_bits & _IN_UNICODE and not name.isascii():
        name = codecs.text_of(name.encode("cp437", "replace"))
    return PurePosixPath(name.replace("\\", "/")).name


def unlike(names: Iterable[str]) -> Iterator[str]:
    """The names, cleaned so that every system takes them, and numbered where one is like another: a.txt, a-2.txt."""
    taken = set[str]()
    for name in map(_cleaned, names):
        stem, ending = _split(name)
        tried = (name, *(f"{stem}-{number}{ending}" for number in range(2, MOST_FILES + 2)))
        free = next(one for one in tried if one.casefold() not in taken)
        taken.add(free.casefold())
        yield free


def _cleaned(name: str) -> str:
    plain = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name)).strip().rstrip(". ")
    plain = f"_{plain}" if not plain or _RESERVED.fullmatch(plain) else plain
    stem, ending = _split(plain)
    return stem[: _LONGEST_NAME - len(ending)] + ending


def _split(name: str) -> tuple[str, str]:
    """Stem and ending, the latter "" where it is none."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if stem and len(ending) <= 10 else (name, "")
