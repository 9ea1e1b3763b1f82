"""What is often joined to what: counted from the user's own graphs, after them from the bundled examples.

Read on a thread and kept in memory, so that the search opens at once. Must not know the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject

from desktop_app.session.messages import Change
from desktop_app.session.view import SessionView
from desktop_app.storage.examples import load_results
from desktop_app.storage.usage_statistics import RESOURCE, Join
from desktop_app.ui.support.thread_pool import BackgroundReader
from nodes.api import ResourceType

_Counts = tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]


def of_type(type: ResourceType | str) -> str:
    """What stands for a resource of that type where else the id of a tool stands."""
    return f"{RESOURCE}{type}"


class Habits(QObject):
    """Reads anew when a run has ended. Until the first reading has come nothing is known."""

    def __init__(self, session: SessionView, loader: BackgroundReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._loader = session, loader
        self._own: Counter[tuple[str, str]] = Counter()
        self._bundled: Counter[tuple[str, str]] = Counter()
        self._read = ""
        session.listen(self._on_change)
        self.look()

    def look(self) -> None:
        """Reads the joins on a thread."""
        joins = self._session.joins
        self._loader.run(lambda: _count(joins), self._came)

    def after(self, what: str) -> tuple[str, ...]:
        """The ids of the tools that often take what that tool (or `of_type`) gives, the most frequent first."""
        return self._ranked((target, pair) for pair in self._pairs() for source, target in [pair] if source == what)

    def before(self, what: str) -> tuple[str, ...]:
        """The ids of the tools whose results that tool often takes, the most frequent first."""
        return self._ranked((source, pair) for pair in self._pairs() for source, target in [pair] if target == what)

    def _pairs(self) -> Iterable[tuple[str, str]]:
        return self._own.keys() | self._bundled.keys()

    def _ranked(self, found: Iterable[tuple[str, tuple[str, str]]]) -> tuple[str, ...]:
        kept = [(id, pair) for id, pair in found if not id.startswith(RESOURCE)]
        kept.sort(key=lambda one: (-self._own[one[1]], -self._bundled[one[1]], one[0]))
        return tuple(id for id, _ in kept)

    def _came(self, counts: object) -> None:
        if isinstance(counts, tuple):  # else it could not be read, and what was known stays
            self._own, self._bundled = counts

    def _on_change(self, change: Change) -> None:
        run = self._session.run
        if change & Change.RUN and run.id and not run.running and run.id != self._read:
            self._read = run.id
            self.look()


def _count(joins: Callable[[], Iterable[Join]]) -> _Counts:
    own = Counter({(join.source, join.target): join.count for join in joins()})
    bundled = Counter(pair for result in load_results().values() for pair in result.joins)
    return own, bundled
