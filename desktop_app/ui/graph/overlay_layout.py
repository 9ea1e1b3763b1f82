"""The canvas with what floats on it: tools, map, and the word on a join that cannot be made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from desktop_app.ui.graph.canvas import GraphCanvas
from desktop_app.ui.graph.minimap import Minimap
from desktop_app.ui.support.actions import Action
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons
from desktop_app.ui.widgets.basic import Button, IconButton, ToolButton, label, px, row, stack
from desktop_app.ui.widgets.glyphs import state_glyph

_MARGIN = 12
_ZOOMS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
_WIDTH, _TIGHT = 272, 280
SIDES = ("outline", "palette")
_On = TypeVar("_On")


class CanvasContainer(QWidget):
    """Keeps what floats at its place."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__()
        stack(canvas, parent=self)
        self.setMinimumWidth(px(160))
        self.setFocusProxy(canvas)
        self.minimap = Minimap(self)
        self.minimap.hide()
        self.minimap.place_chosen.connect(canvas.centre_on)
        self.buttons = CanvasToolbar(self)
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
        margin = px(_MARGIN if self.width() > px(_TIGHT) else 4)
        self.buttons.fit(self.width() - 2 * margin)
        self.buttons.move(margin, self.height() - self.buttons.height() - margin)
        self.minimap.move(self.width() - self.minimap.width() - margin, self.height() - self.minimap.height() - margin)
        # where it would lie on the tools, or fill the canvas, there is no map
        beside = self.width() > self.buttons.width() + self.minimap.width() + px(4 * _MARGIN)
        high = self.height() > self.minimap.height() * 3
        self.minimap.setVisible(self._any and beside and high)


class CanvasToolbar(QFrame):
    """Buttons of the actions that `offer` names, and the zoom."""

    zoom_wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "overlay")
        self._buttons = row(gap=0)
        row(self._buttons, gap=0, margins=(2, 2, 2, 2), parent=self)
        self.sides: dict[str, ToolButton] = {}
        self._zoom = ToolButton()
        self._zoom.setToolTip(translate("Zoom"))
        self._zoom.setAccessibleName(translate("Zoom"))
        self._zoom.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._zoom.setMenu(self._zooms())
        self._zoom.setMinimumWidth(px(52))
        self._buttons.addWidget(self._zoom)
        self.show_zoom(1.0)

    def offer(self, actions: Iterable[Action[_On]], on: _On) -> None:
        """A button for each, before the zoom; those of panels beside the canvas show whether one is open."""
        for place, action in enumerate(actions):
            button = self._button(action.icon, action.tip)
            button.clicked.connect(lambda _=False, action=action: action.run(on))
            if action.id in SIDES:
                button.setCheckable(True)
                self.sides[action.id] = button
            self._buttons.insertWidget(place, button)

    def fit(self, room: int) -> None:
        """As wide as its buttons, without the last ones where there is no room for them: keys and menus do the same."""
        parts = [*self.findChildren(ToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)]
        for count in range(len(parts), 0, -1):
            for place, part in enumerate(parts):
                part.setVisible(place < count)
            self.adjustSize()
            if self.width() <= room:
                return

    def show_zoom(self, zoom: float) -> None:
        text = f"{zoom * 100:.0f} %"
        if text != self._zoom.text():
            self._zoom.setText(text)

    def show_side(self, name: str) -> None:
        """Marks the button of the panel that is open beside the canvas, "" for none."""
        for side, button in self.sides.items():
            button.setChecked(side == name)

    def _button(self, icon: str, tip: str) -> ToolButton:
        button = ToolButton()
        button.setIcon(icons.icon(icon))
        button.setIconSize(QSize(px(16), px(16)))
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _zooms(self) -> QMenu:
        menu = QMenu(self)
        for zoom in _ZOOMS:
            action = QAction(f"{zoom * 100:.0f} %", menu)
            action.triggered.connect(lambda checked=False, zoom=zoom: self.zoom_wanted.emit(zoom))
            menu.addAction(action)
        return menu


class ConnectionHint(QFrame):
    """`add_wanted` asks for the converter. It goes away with Esc, its cross, or the next action on the canvas."""

    add_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._home = parent
        self.setProperty("surface", "overlay")
        self.setAccessibleName(translate("Why this join cannot be made"))
        self._words = label("", "", True)
        self.add = Button(translate("Add a converter"), "plus", "primary", small=True)
        self.add.clicked.connect(self._take)
        close = IconButton("x", translate("Close (Esc)"), 24)
        close.clicked.connect(self._leave)
        head = row(state_glyph("input", side=16), self._words, close, gap=8, grow=1)
        head.setAlignment(close, Qt.AlignmentFlag.AlignTop)
        column = stack(head, parent=self, margins=(12, 8, 8, 10))
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFixedWidth(px(_WIDTH))
        self.hide()

    def say(self, reason: str, converter: str) -> None:
        """`converter` is the title of a tool, "" when none helps."""
        self._words.setText(translate("{reason}.").format(reason=reason[:1].upper() + reason[1:]))
        self.setAccessibleDescription(reason)
        self.add.set_words(translate("Add {title}").format(title=converter) if converter else "")
        self.add.setVisible(bool(converter))
        height = self._words.heightForWidth(px(_WIDTH - 84))
        self._words.setMinimumHeight(height)
        self.adjustSize()

    @property
    def words(self) -> str:
        return self._words.text()

    def _take(self) -> None:
        self._leave()
        self.add_wanted.emit()

    def _leave(self) -> None:
        """The keyboard goes back to the canvas, not on to what happens to come next."""
        held = self.focusWidget()
        if held is not None and held.hasFocus():
            self._home.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)
