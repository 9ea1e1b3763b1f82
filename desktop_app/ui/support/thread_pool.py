"""Does slow work on a pool of threads and hands the outcome back on the GUI thread.

All code of the window that runs on threads begins here, once it may (`qt_types`). Must not know what the work is.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

from desktop_app.ui.support import qt_types

_Made = TypeVar("_Made")


class _Reply(NamedTuple):
    done: Callable[[Any], None]
    context: contextvars.Context


class BackgroundReader(QObject):
    """`run(work, done)`: `work()` on a thread, then `done(value)` here; `done` gets the exception when it failed.

    Nothing is called when the object that `done` belongs to is gone by then. What `done` says is said in the language
    in which it was asked for.
    """

    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self, maxThreadCount=threads)
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._early: list[tuple[Callable[[], Any], _Reply]] = []

    def run(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """`work` must touch no widget, nor what else is not in the modules of qt_types.FOR_THREADS."""
        self._early.append((work, _Reply(done, contextvars.copy_context())))
        if len(self._early) == 1:
            qt_types.when_made(self._begin)

    def _begin(self) -> None:
        early, self._early = self._early, []
        for work, reply in early:
            self._pool.start(lambda work=work, reply=reply: self._work(work, reply))

    def wait(self, milliseconds: int = 2000) -> bool:
        """Waits until no work goes on; what has not begun never will. False when some still goes on after that time."""
        self._early.clear()
        self._pool.clear()
        return self._pool.waitForDone(milliseconds)

    def _work(self, work: Callable[[], Any], reply: _Reply) -> None:
        try:
            outcome = work()
        except Exception as error:  # an edge: the thread has no one else to tell
            outcome = error
        if shiboken6.isValid(self):
            self._ended.emit(reply, outcome)

    def _deliver(self, reply: _Reply, outcome: Any) -> None:
        done = reply.done
        owner = getattr(getattr(done, "func", done), "__self__", None)  # looks into a partial
        if not isinstance(owner, QObject) or shiboken6.isValid(owner):
            reply.context.run(done, outcome)


async def in_thread(work: Callable[..., _Made], *arguments: Any) -> _Made:
    """What `work(*arguments)` returns; on a thread, under the same rule as the work of a Loader."""
    qt_types.make_all()
    return await asyncio.to_thread(work, *arguments)
