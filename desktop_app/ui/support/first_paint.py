"""Tells when a widget has been painted for the first time: what waits for that keeps the start short."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class _Watch(QObject):
    def __init__(self, widget: QWidget, call: Callable[[], None]) -> None:
        super().__init__(widget)
        self._call = call
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._call)
        return False


def after_first_paint(widget: QWidget, call: Callable[[], None]) -> None:
    """Calls `call` once, on the GUI thread, when the widget has been painted."""
    _Watch(widget, call)
