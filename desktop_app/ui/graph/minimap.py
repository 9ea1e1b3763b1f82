"""The small map of the whole graph in the corner of the canvas; press or drag on it to look elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import Painted

_MAP = theme.tokens()["minimap"]
_INSET = 6.0
_MANY = 150


class Minimap(Painted, QWidget):
    """`place_chosen(x, y)` asks to look at a place of the scene."""

    place_chosen = Signal(QPointF)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: Sequence[tuple[QRectF, QColor]] = ()
        self._seen = QRectF()
        self._whole = QRectF()
        self._picture: tuple[object, QPixmap] | None = None
        self.setFixedSize(self.sizeHint())
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(translate("Map of the graph"))
        self.setToolTip(translate("Map of the graph: click to look there"))

    def sizeHint(self) -> QSize:
        width, height = _MAP["size"]
        return QSize(theme.current().px(width), theme.current().px(height))

    def show_cards(self, cards: Sequence[tuple[QRectF, QColor]]) -> None:
        self._cards, self._picture = cards, None
        self._whole = QRectF()
        for rect, _ in cards:
            self._whole = self._whole.united(rect)
        self.update()

    def show_seen(self, seen: QRectF) -> None:
        self._seen = seen
        self.update()

    def _scale(self) -> tuple[float, QPointF]:
        inset = theme.current().px(_INSET)
        room = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        whole = self._whole.united(self._seen.intersected(self._whole.adjusted(-400, -400, 400, 400)))
        scale = min(room.width() / max(1.0, whole.width()), room.height() / max(1.0, whole.height()))
        return scale, room.center() - whole.center() * scale

    def paint(self, painter: QPainter) -> None:
        current = theme.current()
        painter.setPen(QPen(current.color("background.border_strong"), 1))
        painter.setBrush(current.color("background.overlay"))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        px = current.px
        painter.drawRoundedRect(frame, px(_MAP["radius"]), px(_MAP["radius"]))
        scale, origin = self._scale()
        painter.drawPixmap(0, 0, self._cards_at(scale, origin))
        seen = QRectF(self._seen.topLeft() * scale + origin, self._seen.size() * scale)
        seen = seen.intersected(frame.adjusted(*((edge := px(2.5)), edge, -edge, -edge)))
        painter.setPen(QPen(current.color("accent.line"), px(3) / 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(seen, px(5), px(5))

    def _cards_at(self, scale: float, origin: QPointF) -> QPixmap:
        """The cards alone; painted again only when they, or their places on the map, are others."""
        ratio = self.devicePixelRatioF()
        wanted = (scale, origin.x(), origin.y(), ratio, self.width(), theme.current().name)
        if self._picture is not None and self._picture[0] == wanted:
            return self._picture[1]
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        corner = theme.current().px(2)
        for color, rects in self._by_color(scale, origin).items():
            tint = QColor.fromRgba(color)
            tint.setAlphaF(_MAP["node_alpha"])
            painter.setBrush(tint)
            if len(self._cards) > _MANY:  # too small for corners, and a tenth of the time
                painter.drawRects(rects)
                continue
            for rect in rects:
                painter.drawRoundedRect(rect, corner, corner)
        painter.end()
        self._picture = (wanted, pixmap)
        return pixmap

    def _by_color(self, scale: float, origin: QPointF) -> dict[int, list[QRectF]]:
        found: dict[int, list[QRectF]] = defaultdict(list)
        for rect, color in self._cards:
            found[color.rgba()].append(QRectF(rect.topLeft() * scale + origin, rect.size() * scale))
        return found

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._look(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        scale, origin = self._scale()
        self.place_chosen.emit((event.position() - origin) / scale)
        event.accept()
