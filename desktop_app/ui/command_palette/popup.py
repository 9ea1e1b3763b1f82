"""The search for everything: commands, cards, results, tools and earlier conversations in one pop-up.

What there is and what choosing it does comes from `providers`; what answers a query from `search.entries`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop_app.session.autosave import Summary
from desktop_app.ui.command_palette.providers import everything
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.entries import Group, SearchItem, rank
from desktop_app.ui.search.search_popup import SearchPopup
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme

_WIDTH, _HEIGHT = 520, 470
_KEPT = 100
_USEFUL, _LATEST = 7, 3
_FIRST = (
    "window:stop", "window:run", "graph:add", "window:open", "window:history", "window:new", "window:attach",
    "graph:lay_out", "window:compare", "window:undo", "window:settings", "window:theme",
)  # fmt: skip
"""The commands that are offered before anything is typed, as far as they can be done now."""


class PalettePopup(SearchPopup):
    """Groups what answers under headings."""

    def __init__(self, parent: QWidget) -> None:
        self._things: Mapping[str, SearchItem] = {}
        super().__init__(parent, translate("↑ ↓  choose     ⏎  do it     Esc  close"))
        self.field.setPlaceholderText(translate("Search everything"))
        self.field.setAccessibleName(translate("Search everything"))

    def ask(self, things: Iterable[SearchItem], place: QPoint) -> None:
        """Opens with the middle of its upper edge at a place of the screen."""
        self._things = {thing.entry.id: thing for thing in things}
        half = theme.current().px(_WIDTH) // 2
        self._open(place - QPoint(half, 0), _WIDTH, _HEIGHT)

    def renew(self, things: Iterable[SearchItem]) -> None:
        """More has been found while it is open; what was stepped to stays chosen, else the best is."""
        held = self._stepped_to()
        self._things = {thing.entry.id: thing for thing in things}
        self._fill()
        for row, entry in enumerate(self._list.entries):
            if entry is not None and entry.id == held:
                self._list.setCurrentRow(row)

    def _fill(self) -> None:
        query = self.field.text()
        self._list.clear()
        groups = rank(self._things.values(), query) if query.strip() else self._unasked()
        for group in groups:
            many = group.total > len(group.hits)
            note = translate("{n} of {total}").format(n=len(group.hits), total=group.total) if many else ""
            self._list.add_heading(group.title, note or (str(group.total) if query.strip() else ""))
            for entry, also in group.hits:
                self._list.add_entry(entry, also)
        if not groups:
            self._list.add_heading(translate("Nothing found. Try another word."))
        self._fit_height(_HEIGHT)
        self._step(0)

    def _stepped_to(self) -> str:
        """The id of the entry that is chosen, "" when that is the first, which nobody had to choose."""
        entries, now = self._list.entries, self._list.currentRow()
        first = next((row for row, entry in enumerate(entries) if entry is not None), -1)
        return entry.id if now > first and (entry := entries[now]) is not None else ""

    def _unasked(self) -> list[Group]:
        """Before anything is typed: what is useful now, the latest conversations."""
        useful = [id for id in _FIRST if id in self._things and not self._things[id].entry.refused][:_USEFUL]
        latest = [id for id in self._things if id.startswith("kept:")][:_LATEST]
        return [
            Group(title, tuple((self._things[id].entry, "") for id in ids), len(ids))
            for title, ids in (
                (translate("Useful now"), useful),
                (translate("Earlier conversations"), latest),
            )
            if ids
        ]

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            keys = event.keyCombination()
            if keys == Qt.Modifier.CTRL | Qt.Key.Key_K:
                self.close()
                return True
        return super().eventFilter(watched, event)


class CommandPalette(QObject):
    """Belongs to a window; opens below the button in its tool bar, and does what is chosen."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._things: dict[str, SearchItem] = {}
        self._kept: tuple[Summary, ...] = ()
        self.popup = PalettePopup(window)
        self.popup.chosen.connect(lambda id: self._things[id].act())

    def toggle(self) -> None:
        """Opens the search, or closes it; not where the button is taken away."""
        if self.popup.isVisible():
            self.popup.close()
        elif self._window.tool_bar.search.isEnabled():
            self.open()

    def open(self) -> None:
        """Opens the search; earlier conversations are read on a thread and come when they are there."""
        button = self._window.tool_bar.search
        self._look()
        middle = button.mapToGlobal(QPoint(button.width() // 2, button.height() + theme.current().px(6)))
        self.popup.ask(self._things.values(), middle)
        conversations = self._window.overlays.conversations
        if conversations is not None:
            self._window.ui.loader.run(lambda: conversations.list(_KEPT), self._came)

    def _look(self) -> None:
        self._things = {thing.entry.id: thing for thing in everything(self._window, self._kept)}

    def _came(self, kept: object) -> None:
        if isinstance(kept, tuple) and self.popup.isVisible() and kept != self._kept:
            self._kept = kept
            self._look()
            self.popup.renew(self._things.values())
