"""Where two pictures differ, and by how much. Free of widgets: runs on threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

_SEEN = 8
"""A channel that differs by less than this, of 255, is not seen as different."""
_STRONGEST = 64.0
"""A difference of this much is painted in the full colour."""
_FAINT = 0.3
_HEAT = ((106.0, 23.0, 110.0), (229.0, 92.0, 48.0), (252.0, 240.0, 164.0))
"""Little, more and much difference: lighter as well as another colour."""


@dataclass(frozen=True)
class Difference:
    """Where two pictures differ: as a picture, as the share of the pixels that differ, and the mean of 255."""

    image: QImage
    share: float
    mean: float


def difference(a: QImage, b: QImage, longest: int = 1600) -> Difference:
    """Of the pixels of A, over which B is stretched when it has another size."""
    import numpy as np

    size = a.size()
    if max(size.width(), size.height()) > longest:
        size.scale(longest, longest, Qt.AspectRatioMode.KeepAspectRatio)
    one, two = _pixels(a, size), _pixels(b, size)
    apart = np.abs(one.astype(np.int16) - two).max(axis=2).astype(np.float32)
    strength = np.clip(apart / _STRONGEST, 0, 1)[..., None]
    grey = one.mean(axis=2, keepdims=True) * _FAINT
    low, middle, high = (np.array(stop, np.float32) for stop in _HEAT)
    heat = np.where(strength < 0.5, low + (middle - low) * strength * 2, middle + (high - middle) * (strength * 2 - 1))
    out = grey * (1 - strength) + heat * strength
    out = np.ascontiguousarray(np.clip(out, 0, 255).astype(np.uint8))
    height, width = out.shape[:2]
    image = QImage(out.data, width, height, width * 3, QImage.Format.Format_RGB888).copy()
    return Difference(image, float((apart > _SEEN).mean()), float(apart.mean()))


def _pixels(image: QImage, size: QSize) -> Any:
    """uint8 (height, width, 3), RGB, of a picture stretched to `size`."""
    import numpy as np

    plain = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    plain = plain.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()
