"""Hears what must not happen while a random user plays: exceptions that nobody took, warnings of Qt, stand-stills."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from tests.ui.hangs import Hangs

_HARMLESS = (
    "propagateSizeHints", "This plugin does not support", "pipewire", "PulseAudio", "Couldn't load", "Couldn't resolve",
    "Using Qt multimedia", "Unable to detect a launcher",
)  # fmt: skip
"""What Qt says of a machine without a window manager, a desktop, sound, or a graphics card."""


class Watch(QObject):
    """Hears what must not happen: exceptions, warnings of Qt, stand-stills."""

    def __init__(self) -> None:
        super().__init__()
        self.troubles: list[str] = []
        self.hangs = Hangs()
        self._inside = False
        self._free = QTimer(self, interval=150)
        self._free.timeout.connect(self._close_popup)

    def _close_popup(self) -> None:
        """A button with a menu waits for it; the monkey is inside that click and cannot answer."""
        popup = QApplication.activePopupWidget()
        if popup is not None and self._inside:
            popup.close()

    @property
    def doing(self) -> str:
        """What the monkey does, or did last."""
        return self.hangs.doing

    @doing.setter
    def doing(self, name: str) -> None:
        self.hangs.doing = name

    def begin(self) -> None:
        """From now on."""
        self._free.start()
        self.hangs.begin()
        sys.excepthook = self._raised
        qInstallMessageHandler(self._warned)

    def end(self) -> None:
        """No longer."""
        self.hangs.end()
        sys.excepthook = sys.__excepthook__
        qInstallMessageHandler(None)

    def failed(self, loop: asyncio.AbstractEventLoop, context: dict) -> None:
        """The loop's handler of exceptions that nobody took."""
        error = context.get("exception")
        text = "".join(traceback.format_exception(error)) if error else str(context.get("message"))
        self.troubles.append(f"while {self.doing}: {text}")

    def _raised(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.troubles.append(f"while {self.doing}: {''.join(traceback.format_exception(kind, error, trace))}")

    def _warned(self, kind: QtMsgType, context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not any(part in text for part in _HARMLESS):
            self.troubles.append(f"while {self.doing}: Qt said: {text}")

    def timed(self, name: str, act: Callable[[], object]) -> None:
        """Does it, as an event of its own: what it takes is not added to what was before it."""
        self.hangs.beat()
        self.doing = name
        self._inside = True
        try:
            act()
        finally:
            self._inside = False
        self.hangs.beat()
