"""Text as masks to paint through: set by `typeset`, broken to a width, shrunk until it fits."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import typeset
from nodes.api import NodeError, Phrase

_SMALLEST = 4


def lettered(
    text: str, size: float, width: int, height: int, align: str = "center", outline: float = 0.0, port: str = "text"
) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the letters and of their outline (which includes the letters), uint8, at most `width` x `height`.

    `size` is the height of the letters in pixels; it shrinks until the text fits. `outline` is its width against
    `size`. Raises NodeError naming `port` for empty text, or letters for which this computer has no font.
    """
    if not text.strip():
        raise NodeError("There is no text to write.", port, "Give some words.")
    if missing := typeset.missing(text):
        raise NodeError(
            Phrase("No font on this computer has the letters {shown}.", shown=missing[:8]),
            port,
            "Install a Noto font for them.",
        )
    while True:
        letter = max(_SMALLEST, round(size))
        stroke = round(letter * outline)
        lines = typeset.wrapped(text.strip(), max(1, width - 2 * stroke), letter)
        masks = _drawn(lines, letter, align, stroke)
        fits = masks[1].shape[0] <= height and masks[1].shape[1] <= width
        if fits or letter <= _SMALLEST:
            break
        size *= 0.9
    letters, edge = (mask[:height, :width] for mask in masks)
    return letters, edge


def _drawn(lines: list[str], size: int, align: str, stroke: int) -> tuple[np.ndarray, np.ndarray]:
    """The letters, and letters with outline, cut to where there is ink."""
    from PIL import Image, ImageDraw

    step, free = typeset.line_height(size, "semibold"), size + stroke
    wide = max(typeset.width_of(line, size) for line in lines)
    x = {"left": 0.0, "center": wide / 2, "right": wide}[align] + free
    masks = []
    for thick in (0, stroke):
        picture = Image.new("L", (int(wide) + 2 * free + 1, step * len(lines) + 2 * free))
        draw = ImageDraw.Draw(picture)
        for number, line in enumerate(lines):
            place = x, free + step * (number + 0.5)
            typeset.draw_line(draw, place, line, size, 255, align=align, stroke=thick)
        masks.append(np.asarray(picture))
    rows, columns = np.flatnonzero(masks[1].any(axis=1)), np.flatnonzero(masks[1].any(axis=0))
    inner = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if len(rows) else np.s_[:1, :1]
    return masks[0][inner], masks[1][inner]
