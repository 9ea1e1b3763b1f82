"""Writes text on the pages of a PDF. Must not know tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from nodes._support import pdf_files, typeset

_SIZE, _MARGIN, _WIDE, _HIGH = 22, 150, 1240, 1754


def write(text: str, target: Path) -> None:
    """A PDF with the lines of the text on A4 pages."""
    from PIL import Image, ImageDraw

    step = typeset.line_height(_SIZE)
    lines = typeset.wrapped(text, _WIDE - 2 * _MARGIN, _SIZE)
    each = (_HIGH - 2 * _MARGIN) // step

    def page(number: int) -> Any:
        sheet = Image.new("RGB", (_WIDE, _HIGH), "white")
        canvas = ImageDraw.Draw(sheet)
        for at, line in enumerate(lines[number : number + each]):
            typeset.draw_line(canvas, (_MARGIN, _MARGIN + step * at), line, _SIZE, (0, 0, 0))
        return np.asarray(sheet)

    pdf_files.write(map(page, range(0, len(lines), each)), None, 0, target)
