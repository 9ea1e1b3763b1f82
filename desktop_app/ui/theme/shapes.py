"""The shapes of resource types and the glyphs of node states, as paths and as painting.

Colour is never the only signal: each type has its own outline, each state its own glyph.
"""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from desktop_app.ui.theme import theme

_SQUARE = {"boxes", "table"}
_STROKE = 1.6
_HALF_TURN = 180 * 16


def type_path(resource_type: str, size: float) -> QPainterPath:
    """The outline of a type about (0, 0), `size` high or wide (10 at a port). Do not change the path."""
    return _type_path(theme.base_type(resource_type), float(size))


def paint_type(
    painter: QPainter,
    rect: QRectF,
    resource_type: str,
    filled: bool = True,
    color: QColor | None = None,
    ground: QColor | None = None,
) -> None:
    """Paints a type's shape in the middle of `rect`, whose smaller side is the shape's size.

    Free ports are outlined over `ground` (the card's colour); joined ports are filled.
    """
    name = theme.base_type(resource_type)
    look = theme.current()
    color = color or look.type_color(name)
    ground = ground or look.color("background.card")
    size = min(rect.width(), rect.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    _paint_shape(painter, name, size, filled, color, ground)
    painter.restore()


def _paint_shape(painter: QPainter, name: str, size: float, filled: bool, color: QColor, ground: QColor) -> None:
    unit = size / 10
    pen = QPen(color, _STROKE * unit)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    whole = filled and name not in ("mask", "map", "any")
    painter.setPen(pen if not whole else QPen(color, 0.6 * unit))
    painter.setBrush(color if whole else ground)
    if name == "any":
        pen.setDashPattern([1.3, 1.3])
        painter.setPen(pen)
    inset = 0.3 * unit if whole else _STROKE * unit / 2
    painter.drawPath(_type_path(name, size - 2 * inset))
    if name == "mask":
        _paint_mask(painter, unit, filled, color)
    elif name == "map":
        _paint_map(painter, unit, filled, color)
    elif name == "table":
        painter.setPen(QPen(ground if filled else color, 1.2 * unit))
        half = 4.2 * unit
        painter.drawLine(QPointF(-half, 0), QPointF(half, 0))
        painter.drawLine(QPointF(0, -half), QPointF(0, half))


def _paint_mask(painter: QPainter, unit: float, filled: bool, color: QColor) -> None:
    radius = 4.2 * unit
    circle = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    if filled:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPie(circle, 90 * 16, _HALF_TURN)
    else:
        painter.setPen(QPen(color, 1.3 * unit))
        painter.drawLine(QPointF(0, -radius), QPointF(0, radius))


def _paint_map(painter: QPainter, unit: float, filled: bool, color: QColor) -> None:
    radius = (2.4 if filled else 1.7) * unit
    painter.setPen(Qt.PenStyle.NoPen if filled else QPen(color, 1.2 * unit))
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(0, 0), radius, radius)


@lru_cache(maxsize=500)
def _type_path(name: str, size: float) -> QPainterPath:
    h = size / 2
    path = QPainterPath()
    if name == "segmentation":
        _polygon(
            path, [(h * math.cos(a), h * math.sin(a)) for a in (math.radians(60 * i + 30) for i in range(6))], 1.08
        )
    elif name == "points":
        _polygon(path, [(0, -h), (h, 0), (0, h), (-h, 0)], 1.14)
    elif name in _SQUARE:
        path.addRoundedRect(QRectF(-0.88 * h, -0.88 * h, 1.76 * h, 1.76 * h), 0.24 * h, 0.24 * h)
    elif name == "labels":
        _polygon(
            path, [(-h * 1.1, -0.8 * h), (0.35 * h, -0.8 * h), (1.15 * h, 0), (0.35 * h, 0.8 * h), (-h * 1.1, 0.8 * h)]
        )
    elif name == "text":
        path.addRoundedRect(QRectF(-1.3 * h, -0.6 * h, 2.6 * h, 1.2 * h), 0.6 * h, 0.6 * h)
    elif name == "number":
        _polygon(path, [(0, -h), (1.05 * h, 0.85 * h), (-1.05 * h, 0.85 * h)])
    elif name == "audio":
        path.addRoundedRect(QRectF(-0.62 * h, -1.2 * h, 1.24 * h, 2.4 * h), 0.62 * h, 0.62 * h)
    elif name == "video":
        _polygon(path, [(-0.8 * h, -h), (1.05 * h, 0), (-0.8 * h, h)])
    elif name == "file":
        _polygon(path, [(-0.8 * h, -h), (0.2 * h, -h), (0.8 * h, -0.4 * h), (0.8 * h, h), (-0.8 * h, h)])
    else:  # image, mask, map, any
        path.addEllipse(QPointF(0, 0), h, h)
    return path


def _polygon(path: QPainterPath, points: list[tuple[float, float]], scale: float = 1.0) -> None:
    path.addPolygon(QPolygonF([QPointF(x * scale, y * scale) for x, y in points]))
    path.closeSubpath()


def state_color(state: str) -> QColor:
    return theme.current().color(f"state.{_STATE_COLOR.get(state, state)}")


_STATE_COLOR = {
    "queued": "waiting", "bypassed": "skipped", "cancelled": "skipped", "muted": "skipped", "outdated": "input",
}  # fmt: skip


def paint_state(painter: QPainter, rect: QRectF, state: str, fraction: float = 0.0) -> None:
    """Paints the glyph of a state into `rect` (14 x 14 on a card).

    States: waiting, queued, running (a ring filled by `fraction`, 0..1), done, cached, input, failed, skipped,
    cancelled, bypassed, muted, missing, outdated.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    unit = min(rect.width(), rect.height()) / 14
    painter.scale(unit, unit)
    color = state_color(state)
    if state in ("waiting", "queued"):
        _dashed_ring(painter, color)
    elif state == "running":
        _progress_ring(painter, color, fraction)
    elif state == "outdated":
        _turning(painter, color)
    elif state in ("done", "input", "failed"):
        _solid(painter, state, color)
    else:
        _ring_with_mark(painter, state, color)
    painter.restore()


def _pen(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _dashed_ring(painter: QPainter, color: QColor) -> None:
    pen = QPen(color, 1.5)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.55, 1.2])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(0, 0), 6, 6)


def _progress_ring(painter: QPainter, color: QColor, fraction: float) -> None:
    ring = QRectF(-5.75, -5.75, 11.5, 11.5)
    faint = theme.faded(color, 0.28)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(faint, 2.2))
    painter.drawEllipse(ring)
    painter.setPen(_pen(color, 2.2))
    painter.drawArc(ring, 90 * 16, -round(360 * 16 * max(0.04, min(1.0, fraction))))


def _turning(painter: QPainter, color: QColor) -> None:
    """An arrow that goes round: to be done again."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(color, 1.7))
    painter.drawArc(QRectF(-5.6, -5.6, 11.2, 11.2), 60 * 16, 290 * 16)
    tip = QPointF(5.6 * math.cos(math.radians(60)), -5.6 * math.sin(math.radians(60)))
    painter.setPen(_pen(color, 0.8))
    painter.setBrush(color)
    painter.drawPolygon([tip + QPointF(2.9, 1.4), tip + QPointF(-1.6, 2.6), tip + QPointF(-0.9, -2.9)])


def _solid(painter: QPainter, state: str, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    mark = theme.current().color("background.card")
    if state == "done":
        painter.drawEllipse(QPointF(0, 0), 7, 7)
        painter.setPen(_pen(mark, 1.7))
        painter.drawPolyline([QPointF(-3.0, 0.2), QPointF(-0.9, 2.3), QPointF(3.1, -2.2)])
        return
    if state == "input":
        painter.drawPath(_rounded_diamond())
        painter.setPen(_pen(mark, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        question = QPainterPath(QPointF(-1.7, -1.5))
        question.cubicTo(-1.7, -4.0, 1.9, -3.9, 1.8, -1.5)
        question.cubicTo(1.75, -0.3, 0.0, -0.2, 0.0, 1.1)
        painter.drawPath(question)
    else:
        painter.drawPolygon([QPointF(7.2 * math.cos(a), 7.2 * math.sin(a)) for a in _OCTAGON])
        painter.setPen(_pen(mark, 1.7))
        painter.drawLine(QPointF(0, -3.4), QPointF(0, 0.6))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark)
    painter.drawEllipse(QPointF(0, 3.3), 0.95, 0.95)


_OCTAGON = tuple(math.radians(45 * i + 22.5) for i in range(8))


@lru_cache(maxsize=1)
def _rounded_diamond() -> QPainterPath:
    path = QPainterPath()
    path.moveTo(-1.2, -6.8)
    path.quadTo(0, -8.0, 1.2, -6.8)
    path.lineTo(6.8, -1.2)
    path.quadTo(8.0, 0, 6.8, 1.2)
    path.lineTo(1.2, 6.8)
    path.quadTo(0, 8.0, -1.2, 6.8)
    path.lineTo(-6.8, 1.2)
    path.quadTo(-8.0, 0, -6.8, -1.2)
    path.closeSubpath()
    return path


def _ring_with_mark(painter: QPainter, state: str, color: QColor) -> None:
    painter.setPen(_pen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(0, 0), 6.2, 6.2)
    painter.setPen(_pen(color, 1.4))
    if state == "cached":
        painter.setBrush(color)
        painter.setPen(_pen(color, 0.6))
        bolt = [(0.7, -3.7), (-2.4, 0.7), (-0.2, 0.7), (-0.7, 3.7), (2.4, -0.7), (0.2, -0.7)]
        painter.drawPolygon([QPointF(x, y) for x, y in bolt])
    elif state == "bypassed":
        painter.drawLine(QPointF(-2.8, 0), QPointF(2.8, 0))
        painter.drawPolyline([QPointF(0.7, -2.2), QPointF(2.8, 0), QPointF(0.7, 2.2)])
    elif state == "muted":
        painter.drawLine(QPointF(-2.8, 0), QPointF(2.8, 0))
    elif state == "missing":
        painter.drawLine(QPointF(-2.1, -2.1), QPointF(2.1, 2.1))
        painter.drawLine(QPointF(-2.1, 2.1), QPointF(2.1, -2.1))
    elif state == "cancelled":
        painter.setBrush(color)
        painter.drawRect(QRectF(-1.9, -1.9, 3.8, 3.8))
    else:  # skipped
        painter.drawLine(QPointF(-4.3, -4.3), QPointF(4.3, 4.3))


def paint_board(painter: QPainter, rect: QRect, side: int) -> None:
    """Grey squares, as a sign of transparency. May run on a thread."""
    now = theme.current()
    light = QColor(Qt.GlobalColor.white) if now.name == "light" else now.color("background.hover")
    painter.fillRect(rect, light)
    other = now.color("background.border_strong")
    for top in range(0, rect.height(), side):
        for left in range((top // side % 2) * side, rect.width(), 2 * side):
            square = QRect(rect.left() + left, rect.top() + top, side, side) & rect
            painter.fillRect(square, other)
