"""What works on this computer: looked up on a thread, shown on the first screen and in the status bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core import settings as settings_file
from desktop_app.ui.support import formatting
from desktop_app.ui.support.thread_pool import BackgroundReader

if TYPE_CHECKING:
    from desktop_app.session.diagnostics import Diagnosis


class SystemFacts(QObject):
    """`examine` tells what works; it is called on a thread. `found` brings a tuple of Diagnosis."""

    found = Signal(tuple)

    def __init__(self, loader: BackgroundReader, examine: Callable[[], Iterable[Diagnosis]], parent: QObject) -> None:
        super().__init__(parent)
        self._loader, self._examine = loader, examine
        self._looks = 0

    def look(self, *_: object) -> None:
        """Looks anew, and tells what was found when it is there."""
        examine = self._examine
        self._looks += 1
        self._loader.run(lambda: tuple(examine()), partial(self._looked, self._looks))

    def _looked(self, look: int, facts: object) -> None:
        if isinstance(facts, Exception):
            raise facts
        if look != self._looks:
            return  # another look has begun since, and may have ended before this one
        self.found.emit(facts)


def planner_words() -> str:
    settings = settings_file.load()
    if not settings.llm_url:
        return formatting.translate("Offline planner")
    model = settings.llm_model or formatting.translate("language model")
    return formatting.translate("Offline planner, then {model}").format(model=model)
