"""What is dropped or pasted: files, folders, pictures. Must not know who takes it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage, QPixmap

from desktop_app.core.paths import home, make_private
from desktop_app.storage.resources import MOST_SINGLE

_ENCODED = (
    "image/png", "image/jpeg", "image/webp", "image/tiff", "image/bmp", "image/gif", "image/avif",
    'application/x-qt-windows-mime;value="PNG"', "application/x-qt-image",
)  # fmt: skip
"""Forms in which others offer a picture as a file, best first. What Qt passes on under its own name is a PNG, too."""
_BEGINNINGS = (
    (b"\xff\xd8", ".jpg"), (b"RIFF", ".webp"), (b"II*\0", ".tif"), (b"MM\0*", ".tif"), (b"BM", ".bmp"),
    (b"GIF8", ".gif"), (b"\0\0\0", ".avif"),
)  # fmt: skip


def copied() -> QMimeData:
    """What was copied, here or in another program; empty where the system has nothing at all."""
    held = QGuiApplication.clipboard().mimeData()
    return QMimeData() if held is None else held


def files_of(source: QMimeData) -> list[Path]:
    """The local files and folders that are dropped or pasted."""
    return [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []


def in_parts(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """What is attached at a time: each folder, each file, and so many files that they may be a batch at once."""
    files = tuple(path for path in paths if not path.is_dir())
    return [(path,) for path in paths if path.is_dir()] + (
        [files] if len(files) > MOST_SINGLE else [(f,) for f in files]
    )


def takes(source: QMimeData) -> bool:
    return source.hasUrls() or holds_picture(source)


def holds_picture(source: QMimeData) -> bool:
    return source.hasImage() or any(kind.startswith("image/") for kind in source.formats())


def picture_of(source: QMimeData) -> bytes | QImage | None:
    """The picture that is dropped or pasted: the bytes of its file, which nothing has decoded, or pixels.

    Pixels are taken only where there are no such bytes, as they are in this program and on Windows and macOS: Qt would
    decode here and now what another program offers. None for a form that is not read.
    """
    offered = source.formats()
    for kind in _ENCODED:
        if kind in offered and (data := bytes(source.data(kind).data())):
            return data
    if any(kind.startswith("image/") for kind in offered):
        return None
    image = source.imageData()
    if isinstance(image, QPixmap):
        image = image.toImage()
    return QImage(image) if isinstance(image, QImage) and not image.isNull() else None


def keep_pasted(picture: bytes | QImage) -> Path:
    """Writes a picture of the clipboard to a file of its own. Raises OSError. May run on a thread."""
    folder = home() / "pasted"
    make_private(folder)
    path = _unused(folder, _ending(picture) if isinstance(picture, bytes) else ".png")
    if isinstance(picture, bytes):
        path.write_bytes(picture)
    elif not picture.save(str(path), "PNG"):  # type: ignore[call-overload]
        path.unlink(missing_ok=True)
        raise OSError(f"{path} cannot be written")
    return path


def _unused(folder: Path, ending: str) -> Path:
    """A new file, empty so far: two pictures that are pasted at once, in two threads or windows, get one each."""
    for number in itertools.count(1):
        path = folder / f"pasted-{number}{ending}"
        if not any(folder.glob(f"pasted-{number}.*")):
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
    raise AssertionError


def _ending(data: bytes) -> str:
    return next((ending for begin, ending in _BEGINNINGS if data.startswith(begin)), ".png")
