"""A window on a recorded run: the panels of the main window, read only, with the bar of the replay above them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QVBoxLayout

from desktop_app.session.replay import Replay
from desktop_app.session.view import read_only
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.replay.replay_bar import ReplayBar
from desktop_app.ui.support import formatting
from desktop_app.ui.support.tasks import Spawn
from desktop_app.ui.widgets.basic import divider


class ReplayWindow(MainWindow):
    """Begins to play when it is first shown. What it shows can be selected and looked at, and nothing changed.

    `gone` is emitted when it was closed. It keeps nothing of how it was used.
    """

    gone = Signal()
    replaying = True

    def __init__(self, replay: Replay, spawn: Spawn | None = None) -> None:
        replay.title = formatting.translate("Recorded run")
        super().__init__(read_only(replay), spawn=spawn)
        self.replay = replay
        self.bar = ReplayBar(replay)
        self.bar.closed.connect(self.close)
        self.ui.calls.failed.connect(self.bar.say)
        centre = self.centralWidget()
        assert centre is not None
        column = centre.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(2, self.bar)
        column.insertWidget(3, divider())
        self._begun = False

    def _make_workspace(self) -> None:
        super()._make_workspace()
        self._make_read_only()

    def _make_read_only(self) -> None:
        for widget in (
            self.chat.composer, self.chat.new, self.tool_bar.run_button, self.tool_bar.search, self.inspector.run_to,
            self.alternatives,
        ):  # fmt: skip
            widget.setDisabled(True)
            widget.hide()
        for widget in (self.inspector.values, self.inspector.backends):
            widget.setDisabled(True)
        self.inspector.failure.acts = False

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not self._begun:
            self._begun = True
            self.bar.start()
            self.bar.play.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.bar.pause()
        self.give_up()
        self.ui.loader.wait()
        event.accept()
        self.gone.emit()
