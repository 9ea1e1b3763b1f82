"""Set a text as a picture: a quote, title or note card."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import typeset
from nodes._support.language.words import given
from nodes.api import Image, Integer, NodeError, Phrase, Port, ResourceType, Text, tool

_COLOURS = {  # top and bottom of the background, text, accent
    "indigo": ((70, 76, 196), (44, 38, 120), (255, 255, 255), (178, 184, 255)),
    "night": ((30, 32, 40), (16, 17, 22), (240, 241, 246), (144, 151, 255)),
    "paper": ((252, 250, 245), (243, 239, 229), (38, 36, 32), (178, 90, 42)),
    "sunset": ((204, 72, 72), (128, 40, 96), (255, 255, 255), (255, 214, 170)),
    "forest": ((38, 104, 80), (18, 58, 52), (255, 255, 255), (170, 226, 190)),
}
_LEAST_SIZE = 12


@tool(
    id="text_card",
    title="Text card",
    domain="text",
    description="Sets a text as a typographic card, such as a quote card, a title slide or a note.",
    inputs=(
        Port("text", ResourceType.TEXT, "the words on the card", question="What should the card say?"),
        Port("source", ResourceType.TEXT, "a line below: author, place, date", default=""),
        Port("style", ResourceType.TEXT, "the layout", default="quote", choices=("quote", "title", "note")),
        Port("colour", ResourceType.TEXT, "the colours", default="indigo", choices=tuple(_COLOURS)),
        Port("width", ResourceType.NUMBER, "width", default=1200, minimum=64, maximum=6000, integer=True, unit="px"),
        Port("height", ResourceType.NUMBER, "height", default=675, minimum=64, maximum=6000, integer=True, unit="px"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the card"),),
    backend="pillow",
    backend_title="Pillow",
    quality=0.7,
    examples=(
        'Make a quote card with the text "Stay hungry, stay foolish"',
        'Make a title slide that says "Holiday 2024"',
        "Set this text on a card",
    ),
    words=("quote picture", "title card", "title slide", "text on a card", "typographic picture"),
    icon="letter-text",
)
def text_card(
    text: Text, source: Text = "", style: Text = "quote", colour: Text = "indigo", width: Integer = 1200,
    height: Integer = 675,
) -> Image:  # fmt: skip
    """uint8 (height, width, 3). The text gets the largest size that fits, at least 12 px.

    Raises NodeError when it does not fit even then, or no font at hand has its letters.
    """
    from PIL import Image as Pictures
    from PIL import ImageDraw

    text = "\n".join(" ".join(line.split()) for line in given(text).strip().splitlines())
    _drawable(text + source)
    top, bottom, ink, accent = _COLOURS[colour]
    picture = Pictures.fromarray(_background(width, height, top, bottom))
    canvas = ImageDraw.Draw(picture)
    margin = round(min(width, height) * 0.1)
    unit = max(1, round(min(width, height) / 100))
    above = _ornament(canvas, style, margin, unit, accent)
    below = margin + (unit * 9 if source.strip() else 0)
    box = (margin, margin + above, width - margin, height - below)
    _set(canvas, text, box, style, ink)
    if source.strip():
        size = max(_LEAST_SIZE, unit * 4)
        line = typeset.shortened(("— " if style == "quote" else "") + source, width - 2 * margin, size)
        place = (width / 2, "center") if style == "title" else (margin, "left")
        typeset.draw_line(canvas, (place[0], height - margin - unit * 2), line, size, accent, "medium", place[1])
    return np.asarray(picture).copy()


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


def _ornament(canvas: object, style: str, margin: int, unit: int, accent: tuple[int, ...]) -> int:
    """The mark in the top left corner; returns the height it takes."""
    from PIL import ImageDraw

    assert isinstance(canvas, ImageDraw.ImageDraw)
    if style == "quote":
        typeset.draw_line(canvas, (margin - unit, margin + unit * 8.5), "“", unit * 24, accent, "bold")
        return unit * 12
    if style == "note":
        canvas.rounded_rectangle((margin, margin, margin + unit * 14, margin + unit * 1.6), unit * 0.8, fill=accent)
        return unit * 6
    return 0


def _set(canvas: object, text: str, box: tuple[int, int, int, int], style: str, ink: tuple[int, ...]) -> None:
    weight = {"quote": "medium", "title": "bold", "note": "regular"}[style]
    width, height = box[2] - box[0], box[3] - box[1]
    size = _largest(text, width, height, weight, most=round(height * (0.24 if style == "note" else 0.34)))
    if not size:
        raise NodeError("The text is too long for a card.", "text", "Shorten or summarise it, or make the card larger.")
    lines = typeset.wrapped(text, width, size, weight)
    step = typeset.line_height(size, weight)
    free = height - step * len(lines)
    y = box[1] + (0 if style == "note" else free / 2) + step / 2
    for line in lines:
        x, align = ((box[0] + box[2]) / 2, "center") if style == "title" else (box[0], "left")
        typeset.draw_line(canvas, (x, y), line, size, ink, weight, align)
        y += step


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
