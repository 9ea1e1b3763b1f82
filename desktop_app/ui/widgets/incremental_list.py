"""The rows of a list over the window: the first are there at once, the others come in slices of time after them.

A row costs a millisecond or two; two hundred at once would let the window stand still. Must not know what they say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.widgets.basic import ClickableFrame, clear, label, mark, px, row
from desktop_app.ui.widgets.deferred_delete import discard

_AT_ONCE = 10  # chosen: a list opens with so many rows, the others follow
_SLICE = 0.01
"""Seconds that later rows may take at a time."""

STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class IncrementalList(QObject):
    """Fills `column`. `above` has the keyboard before the first row; `shown(row)` is called when one gets it."""

    def __init__(self, column: QVBoxLayout, above: QWidget, shown: Callable[[ListRow], None]) -> None:
        super().__init__(above)
        self.made: list[ListRow] = []
        """Those that are there so far, in order."""
        self._column, self._above, self._shown = column, above, shown
        self._left: Iterator[Callable[[], ListRow]] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._slice)
        column.setContentsMargins(px(8), 0, px(8), 0)
        column.setSpacing(px(2))
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)  # else later rows squeeze those before

    def fill(self, makers: Iterable[Callable[[], ListRow]], empty: str) -> None:
        """Shows what the `makers` make, in place of what was there; the text `empty` when there are none."""
        clear(self._column)
        self.made = []
        self._column.addStretch(1)
        self._left = iter(makers)
        while len(self.made) < _AT_ONCE and self._next():
            pass
        self._timer.start()
        if not self.made:
            self._column.insertLayout(0, row(label(empty, "secondary", True), margins=(8, 8, 8, 8)))

    def shorten(self) -> None:
        """Keeps those that are there at once; for a list that is put away, whose rows may have to be shown at once."""
        self._left = iter(())
        for gone in self.made[_AT_ONCE:]:
            self.remove(gone)

    def remove(self, gone: ListRow) -> None:
        self.made.remove(gone)
        self._column.removeWidget(gone)
        discard(gone)

    def step(self, by: int) -> None:
        """Hands the keyboard to the row so many below the one that has it; above the first, back to what is above."""
        at = next((i for i, made in enumerate(self.made) if made.hasFocus()), -1)
        target = max(-1, min(len(self.made) - 1, at + by))
        (self._above if target < 0 else self.made[target]).setFocus()
        if target >= 0:
            self._shown(self.made[target])

    def press(self, event: QKeyEvent) -> bool:
        """The keys above the rows: Return opens the first, arrows step. True when it was for them."""
        step = STEPS.get(Qt.Key(event.key()), 0)
        first = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._above.hasFocus() and bool(self.made)
        if first:
            self.made[0].clicked.emit()
        elif step:
            self.step(step)
        return first or bool(step)

    def _next(self) -> bool:
        make = next(self._left, None)
        if make is None:
            self._timer.stop()
            return False
        made = make()
        made.stepped.connect(self.step)
        self._column.insertWidget(len(self.made), made)
        made.show()  # else its height counts only after the next turn of the loop
        self.made.append(made)
        return True

    def _slice(self) -> None:
        end = time.perf_counter() + _SLICE
        while self._next() and time.perf_counter() < end:
            pass


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
