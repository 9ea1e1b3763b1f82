"""Puts pictures on pictures: over each other, side by side, in a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nodes._support.imaging.pixels import bands, fit_inside, mix, with_alpha

CORNERS = ("top left", "top right", "bottom left", "bottom right")
PLACES = (*CORNERS, "top", "bottom", "left", "right", "centre")


def place_of(name: str, inner: tuple[int, int], outer: tuple[int, int], margin: int = 0) -> tuple[int, int]:
    """Top left corner (x, y) at which something of size `inner` (width, height) lies at a named place of `outer`."""
    across = "left" if "left" in name else "right" if "right" in name else "centre"
    down = "top" if "top" in name else "bottom" if "bottom" in name else "centre"
    room = outer[0] - inner[0], outer[1] - inner[1]
    x = {"left": margin, "centre": room[0] // 2, "right": room[0] - margin}[across]
    y = {"top": margin, "centre": room[1] // 2, "bottom": room[1] - margin}[down]
    return x, y


def over(image: np.ndarray, top: np.ndarray, x: int, y: int, opacity: float = 1.0) -> np.ndarray:
    """The picture with `top` (RGB or RGBA) over it, its corner at (x, y); what sticks out is left away. New array."""
    result = image.copy()
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(image.shape[1], x + top.shape[1]), min(image.shape[0], y + top.shape[0])
    if x0 >= x1 or y0 >= y1:
        return result
    part = with_alpha(top[y0 - y : y1 - y, x0 - x : x1 - x])
    weight = part[:, :, 3] if opacity >= 1 else np.rint(part[:, :, 3] * opacity).astype(np.uint8)
    below = result[y0:y1, x0:x1]
    if image.shape[2] == 3:
        below[:] = mix(below, part[:, :, :3], weight)
    else:
        _over_transparent(below, part[:, :, :3], weight)
    return result


def _over_transparent(below: np.ndarray, colours: np.ndarray, weight: np.ndarray) -> None:
    """Porter and Duff's "over" with straight alpha, in place."""
    for band in bands(below.shape):
        share = weight[band].astype(np.float32)[:, :, None] / 255
        rest = below[band, :, 3:].astype(np.float32) / 255 * (1 - share)
        both = share + rest
        colour = (colours[band] * share + below[band, :, :3] * rest) / np.maximum(both, 1e-6)
        touched = weight[band] > 0
        below[band][touched] = np.rint(np.dstack((colour, both * 255)))[touched].astype(np.uint8)


def gap_of(pixels: int, percent: float | None, side: int) -> int:
    """The pixels between pictures: `percent` of `side` where that is given."""
    return pixels if percent is None else round(percent / 100 * side)


def canvas(width: int, height: int, colour: tuple[int, int, int]) -> np.ndarray:
    """A plain RGB picture."""
    plain = np.empty((height, width, 3), np.uint8)
    plain[:] = colour
    return plain


def grid(
    images: Sequence[np.ndarray], columns: int, cell: tuple[int, int], gap: int, colour: tuple[int, int, int]
) -> np.ndarray:
    """Each picture whole in the middle of its cell (width, height), row by row, `gap` pixels around; RGB."""
    rows = -(-len(images) // columns)
    width, height = cell
    result = canvas(columns * (width + gap) + gap, rows * (height + gap) + gap, colour)
    for number, image in enumerate(images):
        row, column = divmod(number, columns)
        fitted = fit_inside(image, width, height)
        x, y = place_of("centre", (fitted.shape[1], fitted.shape[0]), cell)
        x, y = x + gap + column * (width + gap), y + gap + row * (height + gap)
        place = result[y : y + fitted.shape[0], x : x + fitted.shape[1]]
        place[:] = over(place, fitted, 0, 0)
    return result
