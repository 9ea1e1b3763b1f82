"""What waits for the first paint keeps the start short, and what is imported in turns with events keeps it smooth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

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


def import_in_turns(owner: QObject, modules: Iterable[str], then: Callable[[], object]) -> None:
    """Imports one of the modules in each turn of the event loop, then calls `then`; no further once `owner` is gone."""
    left = iter(modules)

    def step() -> None:
        name = next(left, None)
        if name is None:
            then()
        else:
            import_module(name)
            QTimer.singleShot(0, owner, step)

    step()
