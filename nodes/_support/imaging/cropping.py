"""Which part of a picture or film is kept: a rectangle, with round corners where wanted. Must not know tools."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import with_alpha
from nodes.api import NodeError, Phrase

SHAPES = {"square": (1, 1), "4:3": (4, 3), "3:2": (3, 2), "16:9": (16, 9), "3:4": (3, 4), "9:16": (9, 16)}
"""Width and height of each shape."""


def kept(
    whole: tuple[int, int],
    corner: tuple[int | None, int | None],
    size: tuple[int | None, int | None],
    shape: str,
    names: tuple[str, str] = ("x", "y"),
) -> tuple[slice, slice]:
    """Rows and columns of the rectangle in pixels, cut to what lies in `whole`; all pairs go across, then down.

    Without corner it lies in the middle. Sides that are not given follow from the shape, one of SHAPES or "free", as
    large as it goes, or reach to the edge. `names` are the ports of the corner, which a NodeError names when it is
    outside; `width` when nothing says how much to keep.
    """
    width, height = size
    across, down = SHAPES.get(shape, (0, 0))
    if (*corner, *size) == (None,) * 4 and not across:
        raise NodeError(
            "Nothing says how much of the picture to keep.", "width", "Give a width and height, or a shape."
        )
    if across and width is None and height is None:
        free = [side - (start or 0) for side, start in zip(whole, corner, strict=True)]
        width, height = max(1, min(free[0], free[1] * across // down)), max(1, min(free[1], free[0] * down // across))
    elif across and (width is None or height is None):
        width, height = width or max(1, (height or 1) * across // down), height or max(1, (width or 1) * down // across)
    columns = _span(whole, 0, corner[0], width, names[0])
    return _span(whole, 1, corner[1], height, names[1]), columns


def _span(whole: tuple[int, int], axis: int, start: int | None, length: int | None, port: str) -> slice:
    """Where to cut along one side."""
    side = whole[axis]
    if start is None:
        start = 0 if length is None else max(0, (side - length) // 2)
    if not 0 <= start < side:
        raise NodeError(
            Phrase(
                "{port} = {start} lies outside the picture, which is {size} pixels.",
                port=Phrase(port, "ports"),
                start=start,
                size=f"{whole[0]} × {whole[1]}",
            ),
            port,
            Phrase("Choose {port} from 0 to {side}.", port=Phrase(port, "ports"), side=side - 1),
        )
    return slice(start, side if length is None else min(side, start + length))


def rounded(image: np.ndarray, across: float, down: float) -> np.ndarray:
    """The picture as RGBA (a new array), transparent outside of corners that are quarters of an ellipse of these half
    axes in pixels, at most half of the sides; the edges are smooth.
    """
    result = with_alpha(image).copy()
    alpha = result[:, :, 3].copy()
    x = np.maximum(across - np.arange(math.ceil(across)) - 0.5, 0) / across
    y = np.maximum(down - np.arange(math.ceil(down)) - 0.5, 0) / down
    inside = np.clip((1 - np.hypot(*np.meshgrid(x, y))) * min(across, down) + 0.5, 0, 1)
    high, wide = inside.shape
    for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        corner = result[::rows, ::columns, 3][:high, :wide]
        corner[:] = np.minimum(corner, np.rint(alpha[::rows, ::columns][:high, :wide] * inside))
    return result
