"""Measures the memory every few seconds, on a thread, for whoever is shown it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.run.backends.memory_usage import Usage, measure
from desktop_app.session.view import SessionView
from desktop_app.ui.support.thread_pool import BackgroundReader

_BUSY_MILLISECONDS = 1500
_IDLE_MILLISECONDS = 5000


class MemoryMonitor(QObject):
    """`measured` is emitted after each measurement; `latest` is that one, None before the first.

    It measures from `start` on, more often while a run goes on, and never twice at once.
    """

    measured = Signal(object)

    def __init__(self, session: SessionView, loader: BackgroundReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._loader = session, loader
        self._waiting = False
        self.latest: Usage | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.measure)

    def start(self) -> None:
        if not self._timer.isActive():
            self.measure()

    def measure(self) -> None:
        self._timer.start(_BUSY_MILLISECONDS if self._session.run.running else _IDLE_MILLISECONDS)
        if not self._waiting:
            self._waiting = True
            self._loader.run(measure, self._came)

    def _came(self, usage: object) -> None:
        self._waiting = False
        if isinstance(usage, Usage):
            self.latest = usage
            self.measured.emit(usage)
