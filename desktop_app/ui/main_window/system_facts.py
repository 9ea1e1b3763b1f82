"""What works on this computer: looked up on a thread, shown on the first screen and in the status bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core import settings as settings_file
from desktop_app.ui.main_window.status_bar import Status
from desktop_app.ui.start.start_page import Fact
from desktop_app.ui.support import formatting

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow


class Facts(QObject):
    """Belongs to a window. `examine` tells what works; it is called on a thread."""

    def __init__(self, window: MainWindow, examine: Callable[[], Iterable[Fact]]) -> None:
        super().__init__(window)
        self._window, self._examine = window, examine
        self._looks = 0

    def look(self, *_: object) -> None:
        """Looks anew, and shows what was found when it is there."""
        examine = self._examine
        self._looks += 1
        self._window.desk.loader.run(lambda: tuple(examine()), partial(self._looked, self._looks))

    def _looked(self, look: int, facts: object) -> None:
        if isinstance(facts, Exception):
            raise facts
        if look != self._looks:
            return  # another look has begun since, and may have ended before this one
        assert isinstance(facts, tuple)
        self._window.first.show_facts(facts)
        device = next((fact for fact in facts if fact.name == "Device"), None)
        if device is not None:
            self._window.status.set_status(
                Status(formatting.said(device.text), device.ok is not False, planner_words())
            )


def planner_words() -> str:
    """Who plans, by the settings."""
    settings = settings_file.load()
    if not settings.llm_url:
        return formatting.translate("Offline planner")
    model = settings.llm_model or formatting.translate("language model")
    return formatting.translate("Offline planner, then {model}").format(model=model)
