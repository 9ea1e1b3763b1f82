"""Reads results for showing: pictures, frames of films, the outline of a sound, values. Runs on threads.

Everything here is free of widgets; QImage may be made on any thread. What decoders are needed for is decoded in
another process (desktop_app.storage.decoding), also texts and tables, of which only the beginning comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from desktop_app.core.errors import StorageError
from desktop_app.storage import decoding
from nodes._support.files import codecs
from nodes.api import ResourceType
from nodes.phrase import Phrase

PICTURES = codecs.IMAGE_TYPES
_FORMATS = {1: QImage.Format.Format_Grayscale8, 3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBA8888}


@dataclass(frozen=True)
class Sound:
    """The outline of a sound: `peaks` 0..1 for equal stretches of it, and its duration in seconds."""

    peaks: tuple[float, ...]
    seconds: float


def picture(path: Path, type: ResourceType, longest: int | None = None) -> QImage:
    """The picture upright (EXIF obeyed), scaled down so that its longer side is at most `longest`.

    Raises StorageError when the file cannot be read as a picture, or has more pixels than are shown.
    """
    try:
        return _image(decoding.picture(path, type, longest))
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("This picture cannot be shown: {error}.", error=error)) from error


def frame(path: Path, longest: int | None = None) -> QImage:
    """The first picture of a film. Raises StorageError."""
    try:
        return _image(decoding.frame(path, longest))
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("This video cannot be shown: {error}.", error=error)) from error


def outline(path: Path, bars: int = 400) -> Sound:
    """The outline of a sound in `bars` stretches. Raises StorageError when it cannot be read."""
    try:
        return Sound(*decoding.outline(path, bars))
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("It cannot be read: {error}.", error=error)) from error


def page(path: Path) -> str:
    """The HTML of a page, made harmless and short. Raises StorageError when it cannot be read."""
    try:
        return decoding.page(path)
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("This page cannot be shown: {error}.", error=error)) from error


def beginning(path: Path, type: ResourceType) -> decoding.Beginning:
    """A text, table, list or number, as far as it is shown. Raises StorageError when it cannot be read."""
    try:
        return decoding.value(path, type)
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("This result cannot be shown: {error}.", error=error)) from error


def value(path: Path, type: ResourceType) -> Any:
    """As `beginning`, without whether there is more."""
    return beginning(path, type).value


def from_array(array: Any) -> QImage:
    """A QImage of its own memory from uint8 (height, width), (height, width, 3) RGB or (height, width, 4) RGBA."""
    import numpy as np

    array = np.ascontiguousarray(array)
    height, width = array.shape[:2]
    kind = _FORMATS[1 if array.ndim == 2 else array.shape[2]]
    return QImage(array.data, width, height, array.strides[0], kind).copy()


def _image(pixels: decoding.Pixels) -> QImage:
    kind = _FORMATS[pixels.channels]
    return QImage(pixels.data, pixels.width, pixels.height, pixels.width * pixels.channels, kind).copy()
