"""The dots on the ground of the graph, which tell how far one has moved."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap, QPolygonF

from desktop_app.ui.theme import theme

_GRID = theme.tokens()["layout"]["grid_step"]
_DOT = theme.tokens()["layout"]["dot_radius"]
_CLOSEST = 20


def paint_dots(painter: QPainter, rect: QRectF, zoom: float) -> None:
    """Paints those in `rect`, in the scene's coordinates; `zoom` are pixels for each of the scene's."""
    step = _step(zoom)
    first_x, first_y = int(rect.left() // step), int(rect.top() // step)
    last_x, last_y = int(rect.right() // step) + 1, int(rect.bottom() // step) + 1
    columns = [x * step for x in range(first_x, last_x + 1)]
    dots = QPolygonF([QPointF(x, y * step) for y in range(first_y, last_y + 1) for x in columns])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen())
    painter.drawPoints(dots)


def paint_moving_dots(painter: QPainter, rect: QRectF, density: float) -> None:
    """As `paint_dots`, at a tenth of its cost: one row is painted, and put wherever there is one, on whole pixels of
    the device, of which each of the painter's has `density`.
    """
    place = painter.transform()
    zoom, step = place.m11(), _step(place.m11())
    window = place.mapRect(rect)
    left = math.floor(window.left())
    row = QPixmap(math.ceil((window.width() + 2) * density), math.ceil(6 * density))
    row.setDevicePixelRatio(density)
    row.fill(Qt.GlobalColor.transparent)
    on_row = QPainter(row)
    on_row.setRenderHint(QPainter.RenderHint.Antialiasing)
    on_row.setPen(_pen())
    first, last = int(rect.left() // step), int(rect.right() // step) + 1
    on_row.drawPoints(QPolygonF([QPointF(x * step * zoom + place.dx() - left, 3) for x in range(first, last + 1)]))
    on_row.end()
    painter.save()
    painter.resetTransform()
    for y in range(int(rect.top() // step), int(rect.bottom() // step) + 2):
        down = round((y * step * zoom + place.dy()) * density) / density
        painter.drawPixmap(QPointF(left, down - 3), row)
    painter.restore()


def _step(zoom: float) -> float:
    step = float(_GRID)
    while step * zoom < _CLOSEST:
        step *= 2
    return step


def _pen() -> QPen:
    pen = QPen(theme.current().color("background.grid"), 2 * _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setCosmetic(True)
    return pen
