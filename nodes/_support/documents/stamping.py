"""Writes a line of text over pages of a PDF, in any letters. Must not know tools. Needs pypdf and pypdfium2.

Places are those of the page as it is shown: turned, and cut to its crop box. Lengths are in points.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nodes._support.documents import paper, pdf_files
from nodes.api import RunContext

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader, PdfWriter

_MARGIN, _LETTERS = 0.02, 0.007
"""Of width and height of the page together: 29 and 10 points on A4."""
_SMALLEST = 6.0
_MOST_ACROSS, _HIGHEST_ACROSS = 0.9, 0.35
"""Of the page, for a line from corner to corner."""
_SIZE, _HIGH = 10.0, 14.0
"""How lines are set before they are placed."""


class Look(NamedTuple):
    """`place` is "across", from corner to corner, "centre", or a side or corner such as "bottom right"; `colour` red,
    green and blue, 0 to 255."""

    place: str
    colour: tuple[int, int, int] = (0, 0, 0)
    opacity: float = 1.0


def stamped(file: Path, lines_of: Callable[[int], Mapping[int, str]], look: Look, context: RunContext) -> Path:
    """A new file of the PDF with lines over its pages: `lines_of` gives for their total the line by number of the page,
    from 1. Raises NodeError."""

    def with_lines(reader: PdfReader) -> PdfWriter:
        from pypdf import PdfReader, PdfWriter

        writer = PdfWriter(clone_from=reader)
        lines = lines_of(len(writer.pages))
        different = [*dict.fromkeys(lines.values())]
        set_lines = context.new_file(".pdf")
        paper.write_lines(different, (*look.colour, round(255 * look.opacity)), set_lines)
        marks = PdfReader(io.BytesIO(set_lines.read_bytes())).pages
        for done, (number, line) in enumerate(lines.items()):
            context.progress(done / len(lines))
            page, mark = writer.pages[number - 1], marks[different.index(line)]
            page.merge_transformed_page(mark, _matrix(page, float(mark.mediabox.width), look.place))
        return writer

    return pdf_files.changed(file, with_lines, context)


def _matrix(page: PageObject, wide: float, place: str) -> Any:
    """Where a line of that width at _SIZE comes to stand, in the coordinates of the page."""
    from pypdf import Transformation

    box = page.cropbox
    size = float(box.width), float(box.height)
    turned = page.rotation % 360
    shown = (size[1], size[0]) if turned in (90, 270) else size
    to_page = {
        90: (0, 1, -1, 0, size[0], 0),
        180: (-1, 0, 0, -1, size[0], size[1]),
        270: (0, -1, 1, 0, 0, size[1]),
    }.get(turned, (1, 0, 0, 1, 0, 0))
    placed = _across(shown, wide) if place == "across" else _at(shown, wide, place)
    return placed.transform(Transformation(to_page)).translate(float(box.left), float(box.bottom))


def _across(shown: tuple[float, float], wide: float) -> Any:
    """From the lower left to the upper right, as large as there is room."""
    from pypdf import Transformation

    angle = math.atan2(shown[1], shown[0])
    taken = (wide * math.cos(angle) + _HIGH * math.sin(angle), wide * math.sin(angle) + _HIGH * math.cos(angle))
    scale = min(*(_MOST_ACROSS * room / need for room, need in zip(shown, taken, strict=True)),
                _HIGHEST_ACROSS * min(shown) / _HIGH)  # fmt: skip
    middle = Transformation().translate(-wide / 2, -_HIGH / 2).scale(scale).rotate(math.degrees(angle))
    return middle.translate(shown[0] / 2, shown[1] / 2)


def _at(shown: tuple[float, float], wide: float, place: str) -> Any:
    """At a side, in a corner or in the middle, in small letters."""
    from pypdf import Transformation

    margin = _MARGIN * sum(shown)
    scale = min(max(_LETTERS * sum(shown), _SMALLEST) / _SIZE, (shown[0] - 2 * margin) / wide)
    room = shown[0] - wide * scale, shown[1] - _HIGH * scale
    x = margin if "left" in place else room[0] - margin if "right" in place else room[0] / 2
    y = margin if "bottom" in place else room[1] - margin if "top" in place else room[1] / 2
    return Transformation().scale(scale).translate(x, y)
