"""Does slow work on a pool of threads and hands the outcome back on the GUI thread.

Must not know what the work is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Qt, QThreadPool, Signal


class Loader(QObject):
    """`run(work, done)`: `work()` on a thread, then `done(value)` here; `done` gets the exception when it failed.

    Nothing is called when the object that `done` belongs to is gone by then.
    """

    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """`work` must touch no widget."""
        self._pool.start(lambda: self._work(work, done))

    def wait(self, milliseconds: int = 2000) -> bool:
        """Waits until no work goes on; false when it still does after that time."""
        self._pool.clear()
        return self._pool.waitForDone(milliseconds)

    def _work(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        try:
            outcome = work()
        except Exception as error:  # an edge: the thread has no one else to tell
            outcome = error
        if shiboken6.isValid(self):
            self._ended.emit(done, outcome)

    def _deliver(self, done: Callable[[Any], None], outcome: Any) -> None:
        owner = getattr(getattr(done, "func", done), "__self__", None)  # looks into a partial
        if not isinstance(owner, QObject) or shiboken6.isValid(owner):
            done(outcome)
