"""Python's collector of cycles, on the thread of the window only.

Where it runs by itself, it runs on whatever thread has just made an object. What it finds may be a widget or a timer,
and Qt lets those be deleted on their own thread only: on another one the program dies.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_MILLISECONDS = 500


class Garbage(QObject):
    """Collects from time to time what is due by Python's own thresholds, until `stop`. To be made on the GUI thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_MILLISECONDS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collects the generations of which enough has come together."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
        if due:
            gc.collect(max(due))

    def stop(self) -> None:
        """Leaves it to Python again."""
        self._timer.stop()
        gc.enable()
