"""The canvas with what floats on it: tools, map, the bar that finds, and the word on a join that cannot be made."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from desktop_app.ui.graph.canvas import GraphCanvas
from desktop_app.ui.graph.canvas_toolbar import CanvasToolbar
from desktop_app.ui.graph.connection_hint import ConnectionHint
from desktop_app.ui.graph.find_bar import FindBar
from desktop_app.ui.graph.minimap import Minimap
from desktop_app.ui.widgets.basic import px, stack

_MARGIN = 12


class CanvasContainer(QWidget):
    """Keeps what floats at its place."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        stack(canvas, parent=self)
        self.setMinimumWidth(px(240))
        self.setFocusProxy(canvas)
        self.minimap = Minimap(self)
        self.minimap.hide()
        self.minimap.place_chosen.connect(canvas.centre_on)
        self.buttons = CanvasToolbar(self)
        self.find_bar = FindBar(self)
        self.refusal = ConnectionHint(self)
        self._any = False

    def show_map(self, cards: list[tuple[QRectF, QColor]]) -> None:
        self._any = bool(cards)
        self.minimap.show_cards(cards)
        self._arrange()

    def refuse(self, place: QPoint, reason: str, converter: str) -> None:
        """Says why a join cannot be made, at a place of the canvas's viewport; offers the converter."""
        self.refusal.say(reason, converter)
        room = self.rect().adjusted(px(8), px(8), -px(8), -px(8))
        x = min(max(room.left(), place.x() + px(12)), room.right() - self.refusal.width())
        y = min(max(room.top(), place.y() + px(12)), room.bottom() - self.refusal.height())
        self.refusal.move(x, y)
        self.refusal.show()
        self.refusal.raise_()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        margin = px(_MARGIN)
        self.buttons.adjustSize()
        self.buttons.move(margin, self.height() - self.buttons.height() - margin)
        self.minimap.move(self.width() - self.minimap.width() - margin, self.height() - self.minimap.height() - margin)
        # where it would lie on the tools, or fill the canvas, there is no map
        beside = self.width() > self.buttons.width() + self.minimap.width() + px(4 * _MARGIN)
        high = self.height() > self.minimap.height() * 3
        self.minimap.setVisible(self._any and beside and high)
        self.find_bar.adjustSize()
        wide = min(self.find_bar.sizeHint().width(), self.width() - 2 * margin)
        self.find_bar.resize(wide, self.find_bar.height())
        self.find_bar.move(self.width() - wide - margin, margin)
