"""Makes the Python types of Qt that threads use, on the GUI thread, before any thread of the window begins.

The rule: no thread is ever the first to use a type of Qt. PySide 6 makes each of its types when it is first asked for
(its module has no entry for it until then), with the types of its enumerations, its bases, arguments and results. Two
threads that ask for one at the same time make it twice, and the process dies. What a job asks for is hard to see (to
read a picture needs QIODevice), so there is no list: every type of the modules in `FOR_THREADS` is made, after the
first paint and a little at a time. Jobs begin through `loader`, which waits for that, and use no other module of Qt.

WORKAROUND: https://bugreports.qt.io/browse/PYSIDE-2404 (lazy types, without a lock where Python has its own); may go
when PySide locks it. PYSIDE6_OPTION_LAZY=0 would do as well, and make the first paint 0.1 s later.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import ModuleType

from PySide6 import QtCore, QtGui
from PySide6.QtCore import QObject, QTimer, Signal

FOR_THREADS: tuple[ModuleType, ...] = (QtCore, QtGui)
"""The modules of Qt that code on a thread may use."""
_SLICE_SECONDS = 0.005  # chosen: so long the window waits at a time


class _Making(QObject):
    """`made` once all types are there."""

    made = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.done = False
        self._begun = False
        self._steps = self._each()

    def begin(self) -> None:
        """Goes on in the event loop from now on."""
        if not self._begun:
            self._begun = True
            QTimer.singleShot(0, self, self._slice)

    def finish(self) -> None:
        """Makes what is left at once; about 50 ms when nothing was made yet."""
        for _ in self._steps:
            pass
        self._end()

    def _slice(self) -> None:
        until = time.monotonic() + _SLICE_SECONDS
        for _ in self._steps:
            if time.monotonic() > until:
                QTimer.singleShot(0, self, self._slice)
                return
        self._end()

    def _end(self) -> None:
        if not self.done:
            self.done = True
            self.made.emit()

    @staticmethod
    def _each() -> Iterator[None]:
        for module in FOR_THREADS:
            for name in dir(module):  # names also those that are not made yet
                getattr(module, name)
                yield


_making: _Making | None = None


def _one() -> _Making:
    global _making
    if _making is None:
        _making = _Making()
    return _making


def when_made(call: Callable[[], None]) -> None:
    """Calls `call` when threads may begin: at once, or on the GUI thread, soon."""
    making = _one()
    if making.done:
        call()
    else:
        making.made.connect(call)
        making.begin()


def make_all() -> None:
    """From here on threads may begin. On the GUI thread."""
    _one().finish()
