"""Strokes and boxes as pixels: which are selected by hand, which are not, and which are left to the tool.

May run on any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from desktop_app.ui.pointing.marks import Mark, Stroke, paints
from nodes.api import Box, Point

SELECTED, LEFT, TAKEN = 255, 128, 0


def fitted(mask: Any, width: int, height: int) -> Any:
    """The mask as (height, width), each pixel the nearest; itself where it is so already."""
    import numpy as np

    high, wide = mask.shape
    if (high, wide) == (height, width):
        return mask
    return mask[np.arange(height) * high // height][:, np.arange(width) * wide // width]


def painted(marks: Sequence[Mark], width: int, height: int, step: int = 1) -> Any:
    """uint8 (height, width): 255 selected, 0 not, 128 left to the tool; None when all is. That is of a picture `step`
    times as large, in whose pixels the marks are.

    Later strokes go over earlier ones. Outside of boxes nothing is selected but what is painted there.
    """
    import numpy as np

    if not paints(marks):
        return None
    boxes = [mark for mark in marks if isinstance(mark, Box)]
    image = QImage(width, height, QImage.Format.Format_Grayscale8)
    image.fill(TAKEN if boxes else LEFT)
    painter = QPainter(image)
    painter.scale(1 / step, 1 / step)
    for box in boxes:
        area = QRect(int(box.x0), int(box.y0), int(box.x1 - box.x0), int(box.y1 - box.y0))
        painter.fillRect(area, QColor(LEFT, LEFT, LEFT))
    for mark in marks:
        if isinstance(mark, Stroke) and mark.kind != "scribble":
            _paint(painter, mark)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    return rows[:, :width].copy()


def _paint(painter: QPainter, stroke: Stroke) -> None:
    value = SELECTED if stroke.include and stroke.kind != "eraser" else TAKEN
    tone = QColor(value, value, value)
    places = [QPointF(x + 0.5, y + 0.5) for x, y in stroke.path]
    if stroke.kind == "lasso":
        painter.setPen(QPen(tone, 1))
        painter.setBrush(tone)
        painter.drawPolygon(QPolygonF(places))
        return
    if stroke.size <= 1:
        painter.setPen(QPen(tone, 1))
    else:
        painter.setPen(
            QPen(tone, stroke.size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
    if len(places) == 1:
        painter.drawPoint(places[0])
    else:
        painter.drawPolyline(QPolygonF(places))


def over(found: Any, by_hand: Any, width: int, height: int) -> Any:
    """The mask uint8 (height, width), 255 or soft: what the tool found with what was painted over it.

    `found` and `by_hand` are arrays of that size, or None.
    """
    import numpy as np

    if by_hand is None:
        return found if found is not None else np.zeros((height, width), np.uint8)
    rest = found if found is not None else np.uint8(0)
    return np.where(by_hand == LEFT, rest, by_hand).astype(np.uint8)


def inner_place(by_hand: Any) -> Point | None:
    """A selected pixel near the middle of what was painted; None when nothing is selected."""
    import numpy as np

    rows, columns = np.nonzero(by_hand == SELECTED)
    if not len(rows):
        return None
    nearest = int(np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2))
    return Point(float(columns[nearest]), float(rows[nearest]))
