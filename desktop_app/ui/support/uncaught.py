"""The last to hear of errors: what nothing else caught, in slots, tasks and threads, is logged and told once.

Must not know the window. Nothing here may raise, or it would be asked again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

PROGRAM_LOG = "program.log"
"""The name of the log in the folder of logs."""
MOST_TOLD = 8
"""Of so many different errors the user is told; a program that fails everywhere must not talk without end."""
_LARGEST = 1 << 20
"""A log of more bytes is begun anew, the one before is kept beside it."""


class Uncaught(QObject):
    """While it is installed every uncaught error is written into `log`; `told` hears of each kind once, on the thread
    of the window: what failed, as one line. Two errors are of a kind when they are raised at the same place.
    """

    told = Signal(str)

    def __init__(self, log: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log = log
        self._known: dict[tuple[str, str, int], int] = {}
        self._lock = threading.RLock()
        self._before: tuple[Any, Any, Any] | None = None

    def install(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Hears from now on: of slots and the main thread, of other threads, of destructors, of the loop's tasks."""
        if self._before is None:
            self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
            sys.excepthook = self._raised
            threading.excepthook = self._raised_in_thread
            sys.unraisablehook = self._unraisable
        if loop is not None:
            loop.set_exception_handler(self._raised_in_loop)

    def remove(self) -> None:
        if self._before is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
            self._before = None

    def hear(self, error: BaseException, where: str = "") -> None:
        """An error that nobody caught; from any thread."""
        with suppress(Exception), self._lock:
            kind = _kind(error)
            count = self._known[kind] = self._known.get(kind, 0) + 1
            if count & (count - 1) == 0:  # the 1st, 2nd, 4th, 8th ...: a loop of errors fills no disk
                self._write(error, where, count)
            if count == 1 and len(self._known) <= MOST_TOLD:
                self.told.emit(summary(error))

    def _raised(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(error, Exception):  # Ctrl+C in the terminal, or the end of the program
            sys.__excepthook__(kind, error, trace)
            return
        self.hear(error)

    def _raised_in_thread(self, about: Any) -> None:
        if about.exc_value is not None and not issubclass(about.exc_type, SystemExit):
            self.hear(about.exc_value, f"thread {about.thread.name}" if about.thread else "")

    def _unraisable(self, about: Any) -> None:
        if about.exc_value is not None:
            self.hear(about.exc_value, about.err_msg or "")

    def _raised_in_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.hear(error if error is not None else RuntimeError(context.get("message", "")), context.get("message", ""))

    def _write(self, error: BaseException, where: str, count: int) -> None:
        times = f" ({count} times so far)" if count > 1 else ""
        head = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {where}".rstrip() + times
        text = f"{head}\n{''.join(traceback.format_exception(error))}\n"
        with suppress(Exception):
            sys.stderr.write(text)
        with suppress(OSError):
            self.log.parent.mkdir(parents=True, exist_ok=True)
            if self.log.exists() and self.log.stat().st_size > _LARGEST:
                os.replace(self.log, self.log.with_suffix(".before.log"))
            with self.log.open("a", encoding="utf-8", errors="replace") as file:
                file.write(text)


def summary(error: BaseException) -> str:
    """What failed, as one line of at most 200 characters."""
    said = " ".join(_words(error).split())
    name = type(error).__name__
    return (f"{name}: {said}" if said else name)[:200]


def _kind(error: BaseException) -> tuple[str, str, int]:
    frames = traceback.extract_tb(error.__traceback__, -1)
    last = frames[-1] if frames else None
    return (type(error).__name__, last.filename, last.lineno or 0) if last else (type(error).__name__, _words(error), 0)


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # whoever wrote that error made a second one
        return ""
