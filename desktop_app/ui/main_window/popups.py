"""What opens over the window: the settings, the kept conversations, the log and the recordings of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.paths import home
from desktop_app.core.settings import Settings
from desktop_app.session.autosave import Conversations, open_kept
from desktop_app.ui.help.guide_panel import GuidePanel
from desktop_app.ui.history.conversation_list import ConversationList
from desktop_app.ui.history.recording_list import RecordingList
from desktop_app.ui.log.log_panel import LogPanel
from desktop_app.ui.settings.settings_panel import SettingsPanel
from desktop_app.ui.support.uncaught import PROGRAM_LOG

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow

RECENT = 4


class Overlays(QObject):
    """Belongs to a window. Without `conversations` none are offered."""

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsPanel,
        conversations: Conversations | None,
        changed: Callable[[Settings], None] | None,
    ) -> None:
        super().__init__(window)
        self._window, self._conversations = window, conversations
        self.settings = settings
        self.settings.theme_wanted.connect(window.set_theme)
        if changed is not None:
            self.settings.changed.connect(changed)
        self.settings.changed.connect(window.desk.wishes.settings_changed)
        window.desk.wishes.change_settings.connect(self._change_settings)
        bar = window.tool_bar
        bar.settings_asked.connect(self.show_settings)
        window.desk.wishes.show_settings.connect(self.show_settings)
        self.log = LogPanel(window, window.desk)
        window.desk.wishes.show_log.connect(self.show_log)
        window.desk.wishes.show_guide.connect(self.show_guide)
        self.recordings = RecordingList(window, window.desk)
        self.recordings.file_wanted.connect(window.files.open_recording)
        bar.recordings_asked.connect(self.show_recordings)
        self._guide: GuidePanel | None = None
        self.list: ConversationList | None = None
        if conversations is not None:
            self._offer(conversations)

    @property
    def conversations(self) -> Conversations | None:
        """The kept ones, to be opened again; None when none are offered."""
        return self._conversations

    def _offer(self, conversations: Conversations) -> None:
        window = self._window
        self.list = ConversationList(window, window.desk, conversations)
        self.list.opened.connect(self.open)
        self.list.deleted.connect(self._deleted)
        self.list.closed.connect(self.show_recent)
        window.chat.history.show()
        window.chat.history.clicked.connect(partial(self._show_list, window.chat.history))
        window.first.all_recent.clicked.connect(partial(self._show_list, window.first.all_recent))
        window.tool_bar.history_asked.connect(self.show_list)
        window.desk.wishes.open_conversation.connect(self.open)

    def show_settings(self) -> None:
        """Opens the settings, or closes them."""
        self.settings.toggle(self._window.tool_bar.settings)

    def show_log(self) -> None:
        """Opens the log of the run, or closes it."""
        timeline = self._window.timeline
        self.log.toggle(timeline.log if timeline.log.isVisible() else self._window.tool_bar.menu_button)

    def show_program_log(self) -> None:
        """Opens the log at what went wrong in the program itself."""
        if not self.log.isVisible():
            self.show_log()
        self.log.show_source(home() / "logs" / PROGRAM_LOG)

    @property
    def guide(self) -> GuidePanel:
        """The user guide; made when it is first asked for."""
        if self._guide is None:
            self._guide = GuidePanel(self._window)
        return self._guide

    def show_guide(self) -> None:
        """Opens the user guide, or closes it."""
        self.guide.toggle(self._window.tool_bar.menu_button)

    def show_recordings(self) -> None:
        """Opens the list of recorded runs, or closes it."""
        self.recordings.toggle(self._window.tool_bar.menu_button)

    def _change_settings(self, values: Mapping[str, Any]) -> None:
        """A panel changes some of the settings."""
        settings = self._window.desk.calls.now(settings_file.change, **values)
        if settings is not None:
            self.settings.refresh()
            self.settings.changed.emit(settings)

    def show_list(self) -> None:
        """Opens the list of conversations below what is seen of it."""
        chat = self._window.chat
        self._show_list(chat.history if chat.history.isVisible() else self._window.tool_bar.menu_button)

    def _show_list(self, anchor: QWidget, _: bool = False) -> None:
        if self.list is not None:
            self.list.toggle(anchor)

    def show_recent(self) -> None:
        """Puts the latest conversations on the first screen; read on a thread."""
        if self._conversations is not None:
            self._window.desk.loader.run(partial(self._conversations.list, RECENT), self._window.first.show_recent)

    def open(self, id: str) -> None:
        """Shows a kept conversation."""
        if self._conversations is not None and id != self._window.session.id:
            self._window.desk.calls.later(open_kept(self._window.session, self._conversations, id))

    def _deleted(self, id: str) -> None:
        if id == self._window.session.id:
            self._window.session.new()
