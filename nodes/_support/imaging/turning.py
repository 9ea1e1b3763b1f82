"""Turns pictures about their middle: uint8 (height, width, 3 or 4), never modified. Must not know tools."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import with_alpha


def turned(
    image: np.ndarray, degrees: float, expand: bool = False, colour: tuple[int, int, int] | None = (255, 255, 255)
) -> np.ndarray:
    """Turned counter-clockwise (bicubic), of the same size or grown so that no corner is cut off. Empty corners get
    `colour`, or are transparent when it is None or the picture has alpha; transparent colours do not bleed.
    """
    from PIL import Image as Pictures

    bicubic = Pictures.Resampling.BICUBIC
    if colour is not None and image.shape[2] == 3:
        return np.array(Pictures.fromarray(image).rotate(degrees, bicubic, expand, fillcolor=colour))
    clear = with_alpha(image)
    share = clear[:, :, 3:].astype(np.uint16)
    weighted = np.dstack(((clear[:, :, :3] * share + 127) // 255, share)).astype(np.uint8)
    return np.array(Pictures.fromarray(weighted, "RGBa").rotate(degrees, bicubic, expand).convert("RGBA"))


def without_corners(image: np.ndarray, degrees: float) -> np.ndarray:
    """Turned counter-clockwise and cut to the largest upright rectangle of it that has no empty corner."""
    quarters = round(degrees / 90)
    image, rest = np.rot90(image, quarters), degrees - 90 * quarters
    if abs(rest) < 1e-6:
        return np.ascontiguousarray(image)
    height, width = image.shape[:2]
    inner = largest_inside(width, height, rest)
    across, down = (max(1, min(side, math.floor(part))) for side, part in zip((width, height), inner, strict=True))
    whole = turned(np.ascontiguousarray(image), rest)
    left, top = (width - across) // 2, (height - down) // 2
    return np.ascontiguousarray(whole[top : top + down, left : left + across])


def largest_inside(width: float, height: float, degrees: float) -> tuple[float, float]:
    """Width and height of the largest upright rectangle in one of `width` x `height` that is turned by `degrees`
    (at most 90 either way).
    """
    sine, cosine = abs(math.sin(math.radians(degrees))), abs(math.cos(math.radians(degrees)))
    longer, shorter = max(width, height), min(width, height)
    if shorter <= 2 * sine * cosine * longer or abs(sine - cosine) < 1e-10:  # two corners touch the longer side
        half = shorter / 2
        return (half / sine, half / cosine) if width >= height else (half / cosine, half / sine)
    double = cosine * cosine - sine * sine
    return (width * cosine - height * sine) / double, (height * cosine - width * sine) / double
