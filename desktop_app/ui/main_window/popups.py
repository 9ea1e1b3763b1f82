"""What opens over the window: the settings, the kept conversations, the log, the guide, the models.

Each is made when it is first opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.paths import home
from desktop_app.session.autosave import ConversationStore, open_kept
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.uncaught import PROGRAM_LOG

if TYPE_CHECKING:
    from desktop_app.ui.help.guide_panel import GuidePanel
    from desktop_app.ui.history.conversation_list import ConversationList
    from desktop_app.ui.log.log_panel import LogPanel
    from desktop_app.ui.models.models_panel import ModelsPanel
    from desktop_app.ui.settings.settings_panel import SettingsPanel

RECENT = 4


class PopupController(QObject):
    """Belongs to a window. `anchor(name)` is the button that "settings", "log", "history" or another hangs on.

    Without `conversations` none are offered. `changed` brings the settings after the user changed them, `recent` the
    latest conversations.
    """

    changed = Signal(object)
    theme_wanted = Signal(str)
    recent = Signal(object)

    def __init__(
        self,
        window: QWidget,
        ui: UiContext,
        anchor: Callable[[str], QWidget],
        conversations: ConversationStore | None,
    ) -> None:
        super().__init__(window)
        self._window, self._ui, self._anchor = window, ui, anchor
        self.conversations = conversations
        """The kept ones, to be opened again; None when none are offered."""
        signals = ui.signals
        signals.change_settings.connect(self._change_settings)
        signals.show_settings.connect(self.show_settings)
        signals.show_log.connect(self.show_log)
        signals.show_guide.connect(self.show_guide)
        signals.show_models.connect(self.show_models)
        signals.open_conversation.connect(self.open)

    # The settings

    @cached_property
    def settings(self) -> SettingsPanel:
        from desktop_app.ui.settings.settings_panel import SettingsPanel

        made = SettingsPanel(self._window, self._ui.loader, self._ui.session.upkeep)
        made.theme_wanted.connect(self.theme_wanted)
        made.changed.connect(self.changed)
        return made

    def show_settings(self) -> None:
        self.settings.toggle(self._anchor("settings"))

    def refresh_settings(self) -> None:
        if "settings" in self.__dict__:
            self.settings.refresh()

    @property
    def settings_open(self) -> bool:
        return "settings" in self.__dict__ and self.settings.isVisible()

    def _change_settings(self, values: Mapping[str, Any]) -> None:
        settings = self._ui.calls.now(settings_file.change, **values)
        if settings is not None:
            self.refresh_settings()
            self.changed.emit(settings)

    # The log, the guide, the models

    @cached_property
    def log(self) -> LogPanel:
        from desktop_app.ui.log.log_panel import LogPanel

        return LogPanel(self._window, self._ui)

    def show_log(self) -> None:
        self.log.toggle(self._anchor("log"))

    def show_program_log(self) -> None:
        if not self.log.isVisible():
            self.show_log()
        self.log.show_source(home() / "logs" / PROGRAM_LOG)

    @cached_property
    def guide(self) -> GuidePanel:
        from desktop_app.ui.help.guide_panel import GuidePanel

        return GuidePanel(self._window)

    def show_guide(self) -> None:
        self.guide.toggle(self._anchor("guide"))

    @cached_property
    def models(self) -> ModelsPanel:
        from desktop_app.ui.models.models_panel import ModelsPanel

        return ModelsPanel(self._window, self._ui)

    def show_models(self, id: str = "") -> None:
        if not id or not self.models.isVisible():
            self.models.toggle(self._anchor("models"))
        if id:
            self.models.show_model(id)

    # Earlier conversations

    @cached_property
    def list(self) -> ConversationList | None:
        """Made when it is first asked for; None when none are offered."""
        if self.conversations is None:
            return None
        from desktop_app.ui.history.conversation_list import ConversationList

        made = ConversationList(self._window, self._ui, self.conversations)
        made.opened.connect(self.open)
        made.deleted.connect(self._deleted)
        made.closed.connect(self.show_recent)
        return made

    def show_list(self, anchor: QWidget | None = None) -> None:
        """Opens the list of conversations, or closes it; by default below what is seen of it."""
        if self.list is not None:
            self.list.toggle(anchor or self._anchor("history"))

    def show_recent(self) -> None:
        """Tells of the latest conversations; they are read on a thread."""
        if self.conversations is not None:
            self._ui.loader.run(partial(self.conversations.list, RECENT), self.recent.emit)

    def open(self, id: str) -> None:
        if self.conversations is not None and id != self._ui.session.id:
            self._ui.calls.later(open_kept(self._ui.session, self.conversations, id))

    def _deleted(self, id: str) -> None:
        if id == self._ui.session.id:
            self._ui.session.new()
