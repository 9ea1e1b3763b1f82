"""The frame around pictures of sound: axes with seconds, Hz or decibels, drawn by Pillow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from nodes._support.media.samples import let_go

PAPER, GRID, INK = (24, 25, 30), (46, 49, 59), (180, 185, 198)
ACCENT, ACCENT_SOFT = (53, 203, 180), (30, 104, 98)
_HEAT = ((0.0, (9, 8, 24)), (0.2, (43, 20, 92)), (0.42, (132, 32, 117)), (0.62, (218, 66, 88)),
         (0.82, (251, 155, 61)), (1.0, (254, 247, 196)))  # fmt: skip
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 16, 38


def heat(values: np.ndarray) -> np.ndarray:
    """Colours for values 0..1, from dark violet over orange to pale yellow: uint8 (..., 3)."""
    stops = [at for at, _ in _HEAT]
    channels = [np.interp(values, stops, [colour[c] for _, colour in _HEAT]) for c in range(3)]
    return np.round(np.stack(channels, axis=-1)).astype(np.uint8)


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers from `low` to `high`, at most `most` + 1 of them, in steps of 1, 2 or 5."""
    span = max(high - low, 1e-9)
    raw = span / max(most, 1)
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999999)
    first = math.ceil(low / step - 1e-6)
    return [n * step for n in range(first, math.floor(high / step + 1e-6) + 1)]


def framed(
    plot: np.ndarray,
    seconds: float,
    marks: list[tuple[float, str]],
    unit: str,
    grid: bool = True,
) -> np.ndarray:
    """`plot` (uint8 RGB) with a time axis of `seconds` below and `marks` (fraction from the top, words) at its left.

    Returns uint8 RGB, larger by the margins LEFT, RIGHT, TOP and BOTTOM.
    """
    from PIL import Image, ImageDraw, ImageFont

    height, width = plot.shape[:2]
    picture = Image.new("RGB", (width + LEFT + RIGHT, height + TOP + BOTTOM), PAPER)
    picture.paste(Image.fromarray(plot), (LEFT, TOP))
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(12)
    for fraction, words in marks:
        y = TOP + round(fraction * (height - 1))
        draw.line((LEFT - 5, y, LEFT - 1, y), fill=INK)
        draw.text((LEFT - 9, y), words, fill=INK, font=font, anchor="rm")
    for at in steps(0, seconds, max(width // 90, 1)):
        x = LEFT + round(at / max(seconds, 1e-9) * (width - 1))
        draw.line((x, TOP + height, x, TOP + height + 4), fill=INK)
        draw.text((x, TOP + height + 8), f"{at:g} s", fill=INK, font=font, anchor="mt")
    if grid:
        draw.rectangle((LEFT - 1, TOP - 1, LEFT + width, TOP + height), outline=GRID)
    draw.text((6, TOP + height + 8), unit, fill=INK, font=font, anchor="lt")
    return np.asarray(picture).copy()


def grid_lines(plot: np.ndarray, marks: list[tuple[float, str]]) -> None:
    """Draws a thin line across `plot`, in place, at each of the marks."""
    for fraction, _ in marks:
        plot[min(max(round(fraction * (len(plot) - 1)), 0), len(plot) - 1)] = GRID


def columns(samples: np.ndarray, width: int, measure: Callable[[np.ndarray], float]) -> np.ndarray:
    """`measure` of the samples behind each of `width` columns of a picture."""
    edges = np.linspace(0, len(samples), width + 1)
    pieces = (samples[int(a) : max(math.ceil(b), int(a) + 1)] for a, b in itertools.pairwise(edges))
    measured = []
    for piece in pieces:
        measured.append(measure(piece))
        let_go(samples)
    return np.array(measured)
