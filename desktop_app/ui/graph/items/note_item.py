"""Notes, frames and the dots of links in the scene. Painted; they know their values, not workflows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop_app.graph.decorations import Decoration, Frame
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.glyphs import paint_lines

TITLE = 32.0
GRIP = 24.0
_EDGE = 8.0
_RADIUS = 12.0
_READABLE = 7.0
_FRAME_Z, _NOTE_Z, _DOT_Z = -3.0, 0.5, 0.8
_DOT = 5.0
_DOT_TARGET = 12.0
_TOKENS = {"grey": "any", "blue": "image", "green": "table", "amber": "labels", "rose": "points", "violet": "video"}


def color_of(name: str) -> QColor:
    return theme.current().type_color(_TOKENS.get(name, "any"))


class DecorationItem(QGraphicsItem):
    """A note or a frame; its position is its place. Dragging and resizing is the canvas's work."""

    def __init__(self, decoration: Decoration) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setAcceptHoverEvents(True)
        self._hovered = False
        self.take(decoration)

    @property
    def id(self) -> str:
        return self.decoration.id

    @property
    def is_frame(self) -> bool:
        return isinstance(self.decoration, Frame)

    @property
    def body(self) -> QRectF:
        return QRectF(self.pos(), self._rect.size())

    def take(self, decoration: Decoration) -> None:
        """Shows another value of the same decoration."""
        self.decoration = decoration
        self.setZValue(_FRAME_Z if isinstance(decoration, Frame) else _NOTE_Z)
        self.setPos(*decoration.place)
        self.set_size(*decoration.size)
        self.setToolTip(translate("Drag to move, double-click to write, drag the corner to resize"))

    def set_size(self, width: float, height: float) -> None:
        """Shows it that large, until `take`."""
        self.prepareGeometryChange()
        self._rect = QRectF(0, 0, width, height)
        self.update()

    def on_grip(self, place: QPointF) -> bool:
        """True when a place of the scene is on the corner that resizes."""
        corner = self.body.bottomRight()
        return QRectF(corner - QPointF(GRIP, GRIP), corner).contains(place)

    @property
    def text_area(self) -> QRectF:
        rect = self.body
        if self.is_frame:
            return QRectF(rect.left() + 8, rect.top() + 2, rect.width() - 16, TITLE - 4)
        return rect.adjusted(4, 4, -4, -4)

    # Qt

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-8, -8, 8, 8)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        if not self.is_frame:
            path.addRect(self._rect)
            return path
        path.setFillRule(Qt.FillRule.WindingFill)  # the inside of a frame belongs to the canvas
        rect = self._rect
        path.addRect(QRectF(0, 0, rect.width(), TITLE))
        path.addRect(QRectF(0, TITLE, _EDGE, rect.height() - TITLE))
        path.addRect(QRectF(rect.width() - _EDGE, TITLE, _EDGE, rect.height() - TITLE))
        path.addRect(QRectF(0, rect.height() - _EDGE, rect.width(), _EDGE))
        path.addRect(QRectF(rect.width() - GRIP, rect.height() - GRIP, GRIP, GRIP))
        return path

    def hoverEnterEvent(self, event) -> None:
        self._hovered = True
        self.update()

    def hoverMoveEvent(self, event) -> None:
        grip = self.on_grip(event.scenePos())
        self.setCursor(Qt.CursorShape.SizeFDiagCursor if grip else Qt.CursorShape.ArrowCursor)

    def hoverLeaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        zoom = painter.worldTransform().m11()
        if self.isSelected():
            painter.setPen(QPen(theme.current().color("accent.line"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self._rect.adjusted(-4, -4, 4, 4), _RADIUS + 4, _RADIUS + 4)
        if self.is_frame:
            self._paint_frame(painter, zoom)
        else:
            self._paint_note(painter, zoom)
        if self._hovered or self.isSelected():
            self._paint_grip(painter)

    def _paint_frame(self, painter: QPainter, zoom: float) -> None:
        color = color_of(self.decoration.color)
        painter.setPen(QPen(theme.faded(color, 0.5), 1.2))
        painter.setBrush(theme.faded(color, 0.07))
        painter.drawRoundedRect(self._rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        head = QPainterPath()
        head.addRoundedRect(self._rect.adjusted(1, 1, -1, -1), _RADIUS - 1, _RADIUS - 1)
        clip = QPainterPath()
        clip.addRect(QRectF(0, 0, self._rect.width(), TITLE))
        painter.fillPath(head.intersected(clip), theme.faded(color, 0.16))
        font = _grown(theme.current().font("node_title"), zoom, 10)
        painter.setFont(font)
        painter.setPen(theme.current().color("text.primary" if self.decoration.text else "text.tertiary"))
        area = QRectF(12, 0, self._rect.width() - 24, TITLE)
        text = QFontMetricsF(font).elidedText(self.decoration.text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)

    def _paint_note(self, painter: QPainter, zoom: float) -> None:
        current, color = theme.current(), color_of(self.decoration.color)
        painter.setPen(QPen(theme.faded(color, 0.6), 1.2))
        painter.setBrush(current.color("background.card"))
        whole = self._rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(whole, 8, 8)
        painter.setBrush(theme.faded(color, 0.14))
        painter.drawRoundedRect(whole, 8, 8)
        font = _grown(current.font("node_label"), zoom, 9)
        if font.pointSizeF() * 96 / 72 * zoom < _READABLE:
            return
        painter.setFont(font)
        painter.setPen(current.color("text.primary" if self.decoration.text else "text.tertiary"))
        area = self._rect.adjusted(12, 10, -12, -10)
        paint_lines(painter, area, self.decoration.text or translate("Double-click to write."))

    def _paint_grip(self, painter: QPainter) -> None:
        painter.setPen(QPen(color_of(self.decoration.color), 1.6, c=Qt.PenCapStyle.RoundCap))
        corner = self._rect.bottomRight() - QPointF(6, 6)
        for reach in (4.0, 9.0):
            painter.drawLine(corner - QPointF(reach, 0), corner - QPointF(0, reach))


def _grown(font: QFont, zoom: float, least: float) -> QFont:
    """The font so large that it has as many pixels on screen, at most 2.6 times as large as it was."""
    pixels = font.pointSizeF() * 96 / 72 * zoom
    font.setPointSizeF(font.pointSizeF() * min(2.6, max(1.0, least / pixels)))
    return font


class DotItem(QGraphicsItem):
    """A dot through which a link is drawn; `moved(index, place)` hears where it is dragged."""

    def __init__(
        self, link: object, index: int, place: QPointF, type: str, moved: Callable[[int, QPointF], None]
    ) -> None:
        super().__init__()
        self.link, self.index = link, index
        self._type, self._moved = type, moved
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)
        self.setPos(place)
        self.setZValue(_DOT_Z)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setToolTip(translate("Drag to lead the link; double-click to take the dot away"))

    @property
    def body(self) -> QRectF:
        return QRectF(self.pos() - QPointF(_DOT, _DOT), self.pos() + QPointF(_DOT, _DOT))

    def itemChange(self, change, value):
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged:
            self._moved(self.index, self.pos())
        return super().itemChange(change, value)

    def boundingRect(self) -> QRectF:
        return QRectF(-_DOT_TARGET, -_DOT_TARGET, 2 * _DOT_TARGET, 2 * _DOT_TARGET)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addEllipse(QPointF(0, 0), _DOT_TARGET, _DOT_TARGET)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        current = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isSelected():
            painter.setPen(QPen(current.color("accent.line"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(0, 0), _DOT + 4, _DOT + 4)
        painter.setPen(QPen(current.color("background.canvas"), 2))
        painter.setBrush(current.type_color(self._type))
        painter.drawEllipse(QPointF(0, 0), _DOT, _DOT)


def note_words(decoration: Decoration) -> str:
    """A note or frame in a line: "Note: the spoon stays"."""
    frame = isinstance(decoration, Frame)
    text = " ".join(decoration.text.split()) or translate("empty")
    return (translate("Frame: {text}") if frame else translate("Note: {text}")).format(text=text)
