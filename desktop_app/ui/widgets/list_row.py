"""A row of a list over the window: lit under the mouse and with the focus; the arrow keys step to its neighbours."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from desktop_app.ui.widgets.basic import ClickableFrame, mark

STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class ListRow(ClickableFrame):
    """`stepped(1 or -1)` asks for the row below or above; `name` is what it is called aloud."""

    stepped = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setProperty("surface", "bare")

    def keyPressEvent(self, event) -> None:
        step = STEPS.get(Qt.Key(event.key()), 0)
        self.stepped.emit(step) if step else super().keyPressEvent(event)

    def enterEvent(self, event) -> None:
        mark(self, "surface", "hover")

    def leaveEvent(self, event) -> None:
        mark(self, "surface", "accent" if self.hasFocus() else "bare")

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        mark(self, "surface", "accent")

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        mark(self, "surface", "bare")
