"""Calls verbs of the Session from the window, and turns what they raise into a message the window shows.

Must not know which verbs there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import AppError
from desktop_app.ui.support import formatting

_P = ParamSpec("_P")
_R = TypeVar("_R")

Spawn = Callable[[Coroutine[Any, Any, Any]], Any]


class TaskRunner(QObject):
    """`failed(message, fix)` is emitted for every AppError; anything else is a bug and keeps its traceback."""

    failed = Signal(str, str)

    def __init__(self, spawn: Spawn | None = None, parent: QObject | None = None) -> None:
        """`spawn` starts a coroutine; by default as a task of the running asyncio loop."""
        super().__init__(parent)
        self._spawn = spawn or self._as_task
        self._tasks: set[Any] = set()

    def now(self, verb: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R | None:
        """Calls the verb. Returns None when it failed."""
        try:
            return verb(*args, **kwargs)
        except AppError as error:
            self.failed.emit(formatting.said(error.message), formatting.said(error.fix))
            return None

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        self._spawn(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except AppError as error:
            self.failed.emit(formatting.said(error.message), formatting.said(error.fix))

    def _as_task(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)  # the loop keeps only weak references
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Tells the loop of a bug at once: by itself it would when the collector finds the task, or never."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            about = {"message": "A task of the window failed.", "exception": error, "task": task}
            task.get_loop().call_exception_handler(about)
