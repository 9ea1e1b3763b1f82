"""A tick twice a second while a run goes on, for what counts down between two reports of the run."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.session.messages import Change
from desktop_app.session.view import SessionView
from desktop_app.ui.support import time_left

_MILLISECONDS = 500
_SMALL = 200


class RunClock(QObject):
    """`tick` is emitted only while the session's run goes on."""

    tick = Signal()

    def __init__(self, session: SessionView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._told: tuple[float, str, float | None] = (0.0, "", None)
        self._timer = QTimer(self, interval=_MILLISECONDS)
        self._timer.timeout.connect(self.tick)
        session.listen(self._on_change)
        self._on_change(Change.RUN)

    @property
    def now(self) -> float:
        """Seconds since the start of the session's run; 0 when none goes on."""
        run = self._session.run
        return max(0.0, time.time() - run.time) if run.running else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until the session's run ends, as time_left.of_run; of a large one worked out anew for each tick."""
        run = self._session.run
        if not run.running:
            return None
        fresh = time.monotonic() - self._told[0] < _MILLISECONDS / 1000
        if len(run.nodes) <= _SMALL or not fresh or self._told[1] != run.id:
            left = time_left.of_run(run, self._session.workflow, self.now)
            self._told = (time.monotonic(), run.id, left)
        return self._told[2]

    def _on_change(self, change: Change) -> None:
        if change & Change.RUN and self._session.run.running != self._timer.isActive():
            self._timer.start() if self._session.run.running else self._timer.stop()
