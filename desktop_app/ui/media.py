"""Reads results for showing: pictures, frames of films, the outline of a sound, values. Runs on threads.

Everything here is free of widgets; QImage may be made on any thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from desktop_app.errors import StorageError
from nodes._support import codecs
from nodes.api import ResourceType

PICTURES = codecs.IMAGE_TYPES
_TEXT_LIMIT = 400_000


@dataclass(frozen=True)
class Sound:
    """The outline of a sound: `peaks` 0..1 for equal stretches of it, and its duration in seconds."""

    peaks: tuple[float, ...]
    seconds: float


def picture(path: Path, type: ResourceType, longest: int | None = None) -> QImage:
    """The picture upright (EXIF obeyed), scaled down so that its longer side is at most `longest`.

    Raises StorageError when the file cannot be read as a picture.
    """
    if type is not ResourceType.SEGMENTATION:
        reader = QImageReader(str(path))
        reader.setAutoTransform(True)
        size = reader.size()
        if longest and size.isValid() and max(size.width(), size.height()) > longest:
            reader.setScaledSize(size.scaled(QSize(longest, longest), Qt.AspectRatioMode.KeepAspectRatio))
        image = reader.read()
        if not image.isNull():
            return image
    return _shrunk(_through_arrays(path, type), longest)


def frame(path: Path, longest: int | None = None) -> QImage:
    """The first picture of a film. Raises StorageError."""
    import av

    try:
        with av.open(str(path)) as container:
            for decoded in container.decode(video=0):
                return _shrunk(from_array(decoded.to_ndarray(format="rgb24")), longest)
    except Exception as error:  # an edge: decoders of strangers' files raise whatever they stumble over
        raise StorageError(f"{path.name} cannot be shown: {codecs.why(error)}") from error
    raise StorageError(f"{path.name} has no picture in it.")


def outline(path: Path, bars: int = 400) -> Sound:
    """The outline of a sound in `bars` stretches. Raises NodeError when it cannot be read."""
    import numpy as np

    audio = codecs.decode(path, ResourceType.AUDIO)
    loud = np.abs(audio.samples).max(axis=1) if len(audio.samples) else np.zeros(1, np.float32)
    edges = np.linspace(0, len(loud), min(bars, len(loud)) + 1).astype(int)[:-1]
    peaks = np.maximum.reduceat(loud, edges)
    top = float(peaks.max()) or 1.0
    return Sound(tuple(float(p) / top for p in peaks), audio.seconds)


def value(path: Path, type: ResourceType) -> Any:
    """The decoded value; texts are cut at 400,000 characters. Raises NodeError."""
    decoded = codecs.decode(path, type)
    return decoded[:_TEXT_LIMIT] if isinstance(decoded, str) else decoded


def from_array(array: Any) -> QImage:
    """A QImage of its own memory from uint8 (height, width), (height, width, 3) RGB or (height, width, 4) RGBA."""
    import numpy as np

    array = np.ascontiguousarray(array)
    height, width = array.shape[:2]
    kind = {2: QImage.Format.Format_Grayscale8, 3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBA8888}[
        2 if array.ndim == 2 else array.shape[2]
    ]
    return QImage(array.data, width, height, array.strides[0], kind).copy()


def _through_arrays(path: Path, type: ResourceType) -> QImage:
    """For what Qt cannot read itself (AVIF, 16 bit label maps), in the same way as tools read it."""
    array = codecs.decode(path, type)
    if type is ResourceType.SEGMENTATION:
        array = codecs.adapt(array, type, ResourceType.IMAGE)
    return from_array(array)


def _shrunk(image: QImage, longest: int | None) -> QImage:
    if not longest or max(image.width(), image.height()) <= longest:
        return image
    return image.scaled(
        longest, longest, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
