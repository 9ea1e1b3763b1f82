"""Filled signs for starting and stopping, which the outlined icon set does not have."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPixmap

from desktop_app.ui.theme import theme


def solid_icon(name: str, color: QColor | None = None) -> QIcon:
    """`name` is "play-solid" or "stop-solid"; without `color` it takes the theme's text."""
    return QIcon(_Engine(name, QColor(color) if color is not None else None))


class _Engine(QIconEngine):
    def __init__(self, name: str, color: QColor | None) -> None:
        super().__init__()
        self._name, self._color = name, color

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._color)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, pixmap.rect(), mode, state)
        painter.end()
        pixmap.setDevicePixelRatio(scale)
        return pixmap

    def paint(self, painter: QPainter, rect, mode: QIcon.Mode, state: QIcon.State) -> None:  # type: ignore[override]
        look = theme.current()
        color = self._color or look.color("text.primary")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.color("text.disabled") if mode == QIcon.Mode.Disabled else color)
        side = min(rect.width(), rect.height())
        box = QRectF(0, 0, side, side)
        box.moveCenter(QRectF(rect).center())
        path = QPainterPath()
        if self._name == "play-solid":
            path.moveTo(box.left() + side * 0.24, box.top() + side * 0.16)
            path.lineTo(QPointF(box.left() + side * 0.84, box.center().y()))
            path.lineTo(box.left() + side * 0.24, box.bottom() - side * 0.16)
            path.closeSubpath()
        else:
            inset = side * 0.22
            path.addRoundedRect(box.adjusted(inset, inset, -inset, -inset), side * 0.1, side * 0.1)
        painter.drawPath(path)
