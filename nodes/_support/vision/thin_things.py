"""What is thin in a picture (a pole, a wire, a mast) and was clicked. Must not know tools.

Superpixels are wider than such a thing and merge it with the ground behind. Here the ground is the median of what lies
around each pixel, and thin is what stands out from it.
"""

from __future__ import annotations

import numpy as np

_GROUND_SHARE = 0.1
"""The median is taken over this share of the longer side: what is narrower than half of that is gone from it."""
_STEPS = (8, 10, 12, 15, 18, 22, 26, 32, 40, 50)
"""Colour steps (8-bit Lab) by which a thing stands out; the weakest that gives a thin thing counts."""
_CLEARLY = 3.0
"""It stands out by so many times than two thirds of the picture do: grain of wood does not."""
_MOST_SHARE, _MOST_WIDE = 0.08, 0.25
"""A thin thing covers no more of the picture, and is no wider, or no higher, than this share of it."""
_LEAST_LONG, _LEAST_SLENDER = 0.1, 4.0
"""It is at least so long, as a share of the longer side, and so many times longer than wide on the whole."""
_NEAR = 3
"""Pixels by which a click may miss it."""
_BROAD_SHARE = 0.05
"""Where a thing is broader than this share of the longer side it is another one, on which the thin one stands."""


def under(rgb: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray | None:
    """Bool (height, width): the thin things under all of the pixels; None where one of them lies on no thin thing.

    `rgb` is uint8, at most about 1000 pixels wide (the median is slow on more).
    """
    away = _from_ground(rgb)
    least = _CLEARLY * float(np.percentile(away, 67))
    together = np.zeros(away.shape, bool)
    for row, column in zip(rows, columns, strict=True):
        found = _at(away, least, int(row), int(column))
        if found is None:
            return None
        together |= found
    return together if len(rows) else None


def _from_ground(rgb: np.ndarray) -> np.ndarray:
    """How far each pixel's colour is from the ground around it, float64."""
    import cv2

    colours = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)
    side = int(_GROUND_SHARE * max(rgb.shape[:2])) | 1
    ground = np.dstack([cv2.medianBlur(np.ascontiguousarray(colours[..., k]), side) for k in range(3)])
    return np.linalg.norm(colours.astype(np.int16) - ground, axis=2)


def _at(away: np.ndarray, least: float, row: int, column: int) -> np.ndarray | None:
    """The thin thing at that pixel, whole or else without what is broad."""
    import cv2

    joined = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    broad = max(3, round(_BROAD_SHARE * max(away.shape)))
    for whole in (True, False):
        for step in (step for step in _STEPS if step >= least):
            standing_out = cv2.morphologyEx((away > step).astype(np.uint8), cv2.MORPH_CLOSE, joined)
            if not whole:
                standing_out -= cv2.morphologyEx(standing_out, cv2.MORPH_OPEN, np.ones((broad, broad), np.uint8))
            parts, boxes = cv2.connectedComponentsWithStats(standing_out)[1:3]
            number = _nearest(parts, row, column)
            if number and _is_thin(boxes[number], away.shape):
                return parts == number
    return None


def _nearest(parts: np.ndarray, row: int, column: int) -> int:
    """The number of the part at that pixel or nearest to it, 0 where none is near."""
    top, left = max(0, row - _NEAR), max(0, column - _NEAR)
    around = parts[top : row + _NEAR + 1, left : column + _NEAR + 1]
    y, x = np.nonzero(around)
    if not len(y):
        return 0
    nearest = int(np.argmin((y + top - row) ** 2 + (x + left - column) ** 2))
    return int(around[y[nearest], x[nearest]])


def _is_thin(box: np.ndarray, shape: tuple[int, ...]) -> bool:
    """`box` is what OpenCV tells of a connected part: left, top, width, height, area."""
    _, _, wide, high, area = (int(n) for n in box)
    long = float(np.hypot(wide, high))
    return (
        area <= _MOST_SHARE * shape[0] * shape[1]
        and min(wide / shape[1], high / shape[0]) <= _MOST_WIDE
        and long >= _LEAST_LONG * max(shape)
        and long**2 >= _LEAST_SLENDER * area
    )
