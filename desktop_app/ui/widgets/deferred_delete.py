"""Deletes what is shown no longer, some widgets at a time: all those of a window at once would let others stand still.

Must not know what it deletes.
"""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktop_app.ui.theme import theme

_AT_ONCE = 200
"""So many widgets, with those in them, go in one turn of the loop; what is whole goes whole."""
_MILLISECONDS = 10


def discard(*widgets: QWidget) -> None:
    """Hides them, and deletes them one after the other. Nothing may call them any more."""
    app = theme.application()
    going = app.findChild(_Going) or _Going(app)
    going.add(widgets)


class _Going(QObject):
    """The widgets that are still to be deleted, in order."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: deque[QWidget] = deque()
        self._timer = QTimer(self, interval=_MILLISECONDS)
        self._timer.timeout.connect(self._some)

    def add(self, widgets: tuple[QWidget, ...]) -> None:
        for widget in widgets:
            widget.hide()
        self._left.extend(widgets)
        if not self._timer.isActive():  # begun anew it would wait as long as others come
            self._timer.start()

    def _some(self) -> None:
        room = _AT_ONCE
        while self._left and room > 0:
            widget = self._left.popleft()
            if isValid(widget):  # it may have gone with its parent
                room -= 1 + len(widget.findChildren(QWidget))
                widget.deleteLater()
        if not self._left:
            self._timer.stop()
