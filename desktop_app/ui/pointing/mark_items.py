"""What is drawn on the picture in which the user points: markers, boxes, strokes, the brush, the keyboard's cross.

Must not know sessions.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsItem, QGraphicsPathItem, QGraphicsRectItem

from desktop_app.ui.pointing.marks import Mark, Place, Stroke, handle
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.glyphs import paint_point
from nodes.api import Box

_RADIUS = 9.0  # at 100 %; markers grow with the scale of the window


class Marker(QGraphicsItem):
    """A numbered plus or minus that keeps its size at every zoom. Sits on the centre of its pixel."""

    def __init__(self, number: int, mark: Mark, selected: bool) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(10 + selected)
        self._include = True if isinstance(mark, Box) else mark.include
        self._number, self._chosen = number, selected
        x, y = handle(mark)
        self.setPos(x + 0.5, y + 0.5)

    def boundingRect(self) -> QRectF:
        grown = theme.current().scale
        return QRectF(-16 * grown, -20 * grown, 54 * grown, 38 * grown)

    def paint(self, painter: QPainter, option, widget=None) -> None:
        now = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(now.scale, now.scale)
        if self._chosen:
            painter.setPen(QPen(now.color("accent.line"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(0, 0), _RADIUS + 4, _RADIUS + 4)
        paint_point(painter, QPointF(0, 0), _RADIUS, self._include)
        _paint_plate(painter, QPointF(12, -15), str(self._number))


class BoxOutline(QGraphicsRectItem):
    """The outline of a box, of the same width at every zoom."""

    def __init__(self, box: Box, selected: bool) -> None:
        super().__init__(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
        self.setZValue(8 + selected)
        self.setPen(_cosmetic(theme.current().color("accent.line" if selected else "mask_overlay.edge"), 2))
        self.setBrush(theme.current().tint("mask_overlay.fill", 0.16))


class StrokeLine(QGraphicsPathItem):
    """A stroke: while it is drawn as wide as it paints, afterwards a thin line along it."""

    def __init__(self, stroke: Stroke, selected: bool, draft: bool = False) -> None:
        super().__init__(_path(stroke))
        self.setZValue(7 + selected)
        token = "marker.include" if stroke.include and stroke.kind != "eraser" else "marker.exclude"
        if stroke.kind in ("brush", "eraser") and draft:
            ink = theme.current().tint("mask_overlay.fill" if token == "marker.include" else token, 0.55)
            pen = QPen(ink, stroke.size)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            self.setPen(pen)
            return
        wide = 4 if stroke.kind == "scribble" else 2
        self.setPen(_cosmetic(theme.current().color("accent.line" if selected else token), wide))
        if stroke.kind == "lasso" and draft:
            self.setBrush(theme.current().tint("mask_overlay.fill", 0.25))


class Ring(QGraphicsEllipseItem):
    """The size of the brush under the pointer: a light ring on a dark one, seen on every ground."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(20)
        self.setPen(_cosmetic(QColor(0, 0, 0, 200), 3))
        self._inner = QGraphicsEllipseItem(self)
        self._inner.setPen(_cosmetic(QColor(255, 255, 255), 1))
        self.hide()

    def show_at(self, pixel: Place, size: int) -> None:
        """Around the middle of a pixel, `size` pixels of the picture wide."""
        area = QRectF(pixel[0] + 0.5 - size / 2, pixel[1] + 0.5 - size / 2, size, size)
        self.setRect(area)
        self._inner.setRect(area)
        self.show()


class Cross(QGraphicsItem):
    """The keyboard's pointer: a cross with its pixel in words. Keeps its size at every zoom."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(30)
        self._words = ""
        self.pixel: Place = (0, 0)
        self.hide()

    def move_to(self, pixel: Place) -> None:
        self.prepareGeometryChange()
        self.pixel = pixel
        self._words = f"{pixel[0]}, {pixel[1]}"
        self.setPos(pixel[0] + 0.5, pixel[1] + 0.5)
        self.update()

    def boundingRect(self) -> QRectF:
        grown = theme.current().scale
        return QRectF(-16 * grown, -16 * grown, 130 * grown, 60 * grown)

    def paint(self, painter: QPainter, option, widget=None) -> None:
        now = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(now.scale, now.scale)
        for color, width in ((QColor(0, 0, 0, 220), 4), (QColor(255, 255, 255), 2)):
            painter.setPen(QPen(color, width, c=Qt.PenCapStyle.FlatCap))
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(QPointF(4 * x, 4 * y), QPointF(13 * x, 13 * y))
        _paint_plate(painter, QPointF(12, 12), self._words)


def _paint_plate(painter: QPainter, corner: QPointF, words: str) -> None:
    """Words on the dark plate that makes them readable on every picture."""
    now = theme.current()
    font = QFont(now.font("key"))
    font.setPixelSize(10)
    font.setWeight(QFont.Weight.DemiBold)
    box = QRectF(corner.x(), corner.y(), QFontMetricsF(font).horizontalAdvance(words) + 10, 15)
    path = QPainterPath()
    path.addRoundedRect(box, 7.5, 7.5)
    plate = theme.faded(now.color("marker.label_background"), 0.85)
    painter.fillPath(path, plate)
    painter.setFont(font)
    painter.setPen(now.color("marker.label_text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _cosmetic(color: QColor, width: float) -> QPen:
    """A pen of the same width at every zoom."""
    pen = QPen(color, width * theme.current().scale)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _path(stroke: Stroke) -> QPainterPath:
    path = QPainterPath()
    places = [QPointF(x + 0.5, y + 0.5) for x, y in stroke.path]
    if stroke.kind == "lasso":
        path.addPolygon(QPolygonF(places))
        path.closeSubpath()
        return path
    path.moveTo(places[0])
    for place in places[1:] or (places[0] + QPointF(0.01, 0),):  # a line without length is not painted
        path.lineTo(place)
    return path
