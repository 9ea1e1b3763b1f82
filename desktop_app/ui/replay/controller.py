"""The windows of replays that a window has opened: recordings are read on a thread, each is shown in its own window."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QSize

from desktop_app.core.errors import AppError
from desktop_app.session import replay as replaying
from desktop_app.session.replay import Replay, Tape
from desktop_app.ui.main_window.main_window import TITLE_BAR, MainWindow
from desktop_app.ui.replay.replay_window import ReplayWindow
from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import px
from desktop_app.ui.widgets.deferred_delete import discard


class Replays(QObject):
    """Belongs to a window, beside which the replays open; they close with it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.windows: list[ReplayWindow] = []
        window.closed.connect(self.close)

    def open(self, path: Path) -> None:
        """Shows the recording, in its window if it has one already; says why when it cannot be shown."""
        self._window.ui.loader.run(partial(replaying.read, path), self._came)

    def close(self) -> None:
        """Closes all of them."""
        for window in list(self.windows):
            window.close()

    def _came(self, tape: object) -> None:
        if isinstance(tape, AppError):
            self._window.ui.calls.failed.emit(formatting.said(tape.message), formatting.said(tape.fix))
        elif isinstance(tape, Exception):
            raise tape
        elif isinstance(tape, Tape):
            self._show(tape)

    def _show(self, tape: Tape) -> None:
        there = next((window for window in self.windows if window.replay.tape == tape), None)
        if there is not None:
            there.raise_()
            there.activateWindow()
            return
        session = self._window.session
        replay = self._window.ui.calls.now(Replay, tape, session.tools, session.store)
        if replay is None:
            return
        shown = ReplayWindow(replay)
        shown.gone.connect(partial(self._gone, shown))
        self.windows.append(shown)
        room = self._window.screen().availableGeometry()
        shown.resize(self._window.size().boundedTo(room.size() - QSize(0, px(TITLE_BAR))))
        place = self._window.pos() + QPoint(px(28), px(28))
        last = room.bottomRight() - QPoint(shown.width() - 1, shown.height() + px(TITLE_BAR) - 1)
        shown.move(max(room.left(), min(place.x(), last.x())), max(room.top(), min(place.y(), last.y())))
        shown.ui.signals.show_recording.connect(self.open)
        shown.prepared.connect(shown.show)
        shown.prepare()

    def _gone(self, window: ReplayWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)
            discard(window)
