"""Python's collector of cycles, on the thread of the window only.

Where it runs by itself, it runs on whatever thread has just made an object. What it finds may be a widget or a timer,
and Qt lets those be deleted on their own thread only: on another one the program dies.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer

_MILLISECONDS = 500
_OVERDUE = 4
"""Up to so many times its threshold the oldest generation waits for a calm moment: to look through it takes 0.1 s."""

_MANY = 30
"""So many new modules are worth it: with them what a window holds at the moment stays too."""


class GcTimer(QObject):
    """Collects from time to time what is due by Python's own thresholds, until `stop`. To be made on the GUI thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._modules = len(sys.modules)
        self._timer = QTimer(self, interval=_MILLISECONDS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collects the generations of which enough has come together; the oldest when nothing goes on."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [counts[generation] > thresholds[generation] for generation in range(3)]
        if due[2] and (not due[0] or counts[2] > _OVERDUE * thresholds[2]):
            gc.collect(2)
            self._keep_modules()
        elif due[0] or due[1]:
            gc.collect(1 if due[1] else 0)

    def _keep_modules(self) -> None:
        """What came with many new modules (their functions, the planner's index) stays for good: the oldest generation
        is not looked through for it again. To be called when no garbage is left, which would stay too.
        """
        count = len(sys.modules)
        if count > self._modules + _MANY:
            self._modules = count
            gc.freeze()

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()
