"""Writes text as a picture: a font that has the letters, lines broken to a width, a mask to paint through."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from nodes.api import NodeError, Phrase

_FONTS = (
    "DejaVuSans.ttf", "NotoSans-Regular.ttf", "NotoSansCJK-Regular.ttc", "DroidSansFallback.ttf", "wqy-microhei.ttc",
    "Arial Unicode.ttf", "PingFang.ttc", "Hiragino Sans GB.ttc", "AppleSDGothicNeo.ttc", "GeezaPro.ttc",
    "segoeui.ttf", "msyh.ttc", "YuGothM.ttc", "malgun.ttf", "Nirmala.ttf", "seguisym.ttf",
)  # fmt: skip
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
    while True:
        font = _font(max(_SMALLEST, round(size)), text, port)
        stroke = round(size * outline)
        lines = "\n".join(_broken(line, font, width - 2 * stroke) for line in text.strip().splitlines())
        box = _measured(lines, font, align, stroke)
        if (box[2] - box[0] <= width and box[3] - box[1] <= height) or size <= _SMALLEST:
            break
        size *= 0.9
    letters, edge = (_drawn(lines, font, align, box, stroke, shade) for shade in (0, 255))
    return letters[:height, :width], edge[:height, :width]


@cache
def _font(size: int, text: str, port: str) -> Any:
    """The font that comes with Pillow when it has all letters of `text`, else the first of this computer that has."""
    from PIL import ImageFont

    fonts = [ImageFont.load_default(size)]
    if not _has(fonts[0], text):
        for name in _FONTS:
            try:
                fonts.append(ImageFont.truetype(name, size))
            except OSError:
                continue
    best = next((font for font in fonts if _has(font, text)), None)
    if best is None:
        missing = "".join(sorted({c for c in text if not any(_has(font, c) for font in fonts)})) or text
        raise NodeError(
            Phrase("No font on this computer has all of these letters: {missing}", missing=missing),
            port,
            "Use other letters.",
        )
    return best


def _has(font: Any, text: str) -> bool:
    unknown = bytes(font.getmask("\U0010fffe"))
    return all(bytes(font.getmask(letter)) != unknown for letter in set(text) if letter.isprintable() and letter != " ")


def _broken(line: str, font: Any, width: int) -> str:
    """The line broken between words to fit `width`; where there are no spaces (Chinese), between letters."""
    if font.getlength(line) <= width:
        return line
    joint = " " if " " in line.strip() else ""
    lines, current = [], ""
    for word in line.split() if joint else line:
        longer = current + joint + word if current else word
        if current and font.getlength(longer) > width:
            lines.append(current)
            longer = word
        current = longer
    return "\n".join([*lines, current])


def _measured(lines: str, font: Any, align: str, stroke: int) -> tuple[int, int, int, int]:
    from PIL import Image, ImageDraw

    draw = ImageDraw.Draw(Image.new("L", (1, 1)))
    box = draw.multiline_textbbox((0, 0), lines, font=font, align=align, stroke_width=stroke)
    return int(np.floor(box[0])), int(np.floor(box[1])), int(np.ceil(box[2])), int(np.ceil(box[3]))


def _drawn(lines: str, font: Any, align: str, box: tuple[int, int, int, int], stroke: int, shade: int) -> np.ndarray:
    """The lines in white with an outline of `shade`; a stroke of the same width keeps both masks in line."""
    from PIL import Image, ImageDraw

    picture = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
    place = (-box[0], -box[1])
    draw = ImageDraw.Draw(picture)
    draw.multiline_text(place, lines, 255, font, align=align, stroke_width=stroke, stroke_fill=shade)
    return np.asarray(picture)
