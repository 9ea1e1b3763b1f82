"""Words set on a card or a poster: its ground with an ornament, and the lines of the text. Must not know tools."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nodes._support.imaging import bidi, typeset
from nodes.api import NodeError, Phrase

COLOURS = {  # top and bottom of the background, text, accent
    "indigo": ((70, 76, 196), (44, 38, 120), (255, 255, 255), (178, 184, 255)),
    "night": ((30, 32, 40), (16, 17, 22), (240, 241, 246), (144, 151, 255)),
    "paper": ((252, 250, 245), (243, 239, 229), (38, 36, 32), (178, 90, 42)),
    "sunset": ((204, 72, 72), (128, 40, 96), (255, 255, 255), (255, 214, 170)),
    "forest": ((38, 104, 80), (18, 58, 52), (255, 255, 255), (170, 226, 190)),
}
STYLES = ("quote", "title", "note")
_WEIGHTS = {"quote": "medium", "title": "bold", "note": "regular"}
_LEAST_SIZE = 12


class Line(NamedTuple):
    """A line of the text; `x` is its left, `y` its middle, in pixels from the top left, and so is the size."""

    x: float
    y: float
    text: str
    size: int
    weight: str
    ink: tuple[int, ...]


def ground(text: str, style: str, colour: str, width: int, height: int) -> np.ndarray:
    """The card for a text without its words, uint8 (height, width, 3): its mark is where the text begins."""
    from PIL import Image, ImageDraw

    top, bottom, _, accent = COLOURS[colour]
    picture = Image.fromarray(_background(width, height, top, bottom))
    _draw_ornament(ImageDraw.Draw(picture), style, *_margins(width, height), accent, bidi.is_from_right(text) * width)
    return np.asarray(picture).copy()


def lines(text: str, source: str, style: str, colour: str, width: int, height: int) -> list[Line]:
    """The text in the largest size that fits, at least 12 px, and the source below.

    Raises NodeError naming `text` when it does not fit even then, or no font at hand has its letters.
    """
    text = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
    _drawable(text + source)
    _, _, ink, accent = COLOURS[colour]
    margin, unit = _margins(width, height)
    above = unit * {"quote": 12, "note": 6}.get(style, 0)
    below = margin + (unit * 9 if source.strip() else 0)
    found = _set(text, (margin, margin + above, width - margin, height - below), style, ink)
    if source.strip():
        size = max(_LEAST_SIZE, unit * 4)
        line = typeset.shortened(("— " if style == "quote" else "") + source, width - 2 * margin, size)
        x = _left(line, text, style, (margin, width - margin), size, "medium")
        found.append(Line(x, height - margin - unit * 2, line, size, "medium", accent))
    return found


def _margins(width: int, height: int) -> tuple[int, int]:
    """The free edge, and the unit that sizes follow."""
    return round(min(width, height) * 0.1), max(1, round(min(width, height) / 100))


def _drawable(text: str) -> None:
    lacking = typeset.missing(text)
    letters = [c for c in lacking if c.isalnum()]
    if letters:
        shown = "".join(letters[:8])
        raise NodeError(
            Phrase("No font on this computer has the letters {shown}.", shown=shown),
            "text",
            "Install a Noto font for them.",
        )


def _background(width: int, height: int, top: tuple[int, ...], bottom: tuple[int, ...]) -> np.ndarray:
    """A soft slanted gradient; the half step of noise hides its bands."""
    slope = np.linspace(0, 0.85, height)[:, None] + np.linspace(0, 0.15, width)[None, :]
    shades = np.array(top)[None, None] * (1 - slope[..., None]) + np.array(bottom)[None, None] * slope[..., None]
    noise = np.random.default_rng(0).uniform(-0.5, 0.5, (height, width, 1))
    return np.clip(np.round(shades + noise), 0, 255).astype(np.uint8)


def _draw_ornament(canvas: Any, style: str, margin: int, unit: int, accent: tuple[int, ...], right: int) -> None:
    """The mark in the top left corner, or in the right one of a card that is so wide."""
    if style == "quote":
        x, side = (right - margin + unit, "right") if right else (margin - unit, "left")
        typeset.draw_line(canvas, (x, margin + unit * 8.5), "“", unit * 24, accent, "bold", side)
    elif style == "note":
        left = right - margin - unit * 14 if right else margin
        canvas.rounded_rectangle((left, margin, left + unit * 14, margin + unit * 1.6), unit * 0.8, fill=accent)


def _set(text: str, box: tuple[int, int, int, int], style: str, ink: tuple[int, ...]) -> list[Line]:
    weight = _WEIGHTS[style]
    width, height = box[2] - box[0], box[3] - box[1]
    size = _largest(text, width, height, weight, most=round(height * (0.24 if style == "note" else 0.34)))
    if not size:
        raise NodeError("The text is too long for a card.", "text", "Shorten or summarise it, or make the card larger.")
    rows = typeset.wrapped(text, width, size, weight)
    step = typeset.line_height(size, weight)
    free = height - step * len(rows)
    y = box[1] + (0 if style == "note" else free / 2) + step / 2
    return [
        Line(_left(row, text, style, (box[0], box[2]), size, weight), y + number * step, row, size, weight, ink)
        for number, row in enumerate(rows)
    ]


def _left(row: str, text: str, style: str, sides: tuple[int, int], size: int, weight: str) -> float:
    """Where a row of the text begins between the sides: titles in the middle, others where the text is read from."""
    if style != "title" and not bidi.is_from_right(text):
        return sides[0]
    free = sides[1] - sides[0] - typeset.width_of(row, size, weight)
    return sides[0] + free / (2 if style == "title" else 1)


def _largest(text: str, width: int, height: int, weight: str, most: int) -> int:
    """The largest size at which the text fits without cutting a word; 0 when it does not at the least size."""

    def fits(size: int, whole_words: bool) -> bool:
        if whole_words and any(typeset.width_of(word, size, weight) > width for word in longest):
            return False
        return typeset.line_height(size, weight) * len(typeset.wrapped(text, width, size, weight)) <= height

    longest = sorted((word for word in text.split() if max(word) < "\u2e80"), key=len)[-3:]
    if len(text) > width * height / 60:
        return 0
    low, high = _LEAST_SIZE, max(_LEAST_SIZE, most)
    if not fits(low, False):
        return 0
    whole = fits(low, True)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle, whole) else (low, middle - 1)
    return low
