"""The pop-up that finds a tool to add, a port to join, or a card. With a filter, a chip says why only these are there.

Must not know workflows: it is given entries and says which one was chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.ui.search.entries import SearchEntry, find
from desktop_app.ui.search.search_delegate import type_icon
from desktop_app.ui.search.search_popup import SearchPopup
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import PushButton

_WIDTH, _HEIGHT = 400, 420


class NodeSearch(SearchPopup):
    """Lists the entries it is given, grouped until something is typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._entries: Sequence[SearchEntry] = ()
        self._refused: Sequence[SearchEntry] = ()
        self._everything: Sequence[SearchEntry] = ()
        super().__init__(parent, translate("↑ ↓  choose     ⏎  add"))
        self._chip = PushButton()
        self._chip.setProperty("chip", True)
        self._chip.setToolTip(translate("Remove this filter"))
        self._chip.setAccessibleName(translate("Remove this filter"))
        self._chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._chip.clicked.connect(self._drop_filter)
        self._top.addWidget(self._chip)
        self.why_button = QPushButton()
        self.why_button.setProperty("link", True)
        self.why_button.setCheckable(True)
        self.why_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.why_button.toggled.connect(self._fill)
        self._foot.addWidget(self.why_button)

    def ask(
        self,
        entries: Sequence[SearchEntry],
        place: QPoint,
        *,
        refused: Sequence[SearchEntry] = (),
        filter_words: str = "",
        filter_type: str = "",
        prompt: str = "",
        keys: str = "",
    ) -> None:
        """Opens at a place of the screen. With `filter_words`, a chip says why only these entries are offered, and
        the chosen one will be joined; removing the chip offers the `refused` ones as well. `keys` says in the foot what
        the keys do where nothing is added.
        """
        self._entries, self._refused = entries, refused
        adds = translate("↑ ↓  choose     ⏎  add and join") if filter_words else translate("↑ ↓  choose     ⏎  add")
        self._keys.setText(keys or adds)
        self._everything = [*entries, *refused]
        self._chip.setVisible(bool(filter_words))
        self._chip.setText(f"{filter_words}  ×")
        self._chip.setIcon(type_icon(filter_type))
        side = theme.current().px(16)
        self._chip.setIconSize(QSize(side, side))
        self._chip.setAccessibleName(translate("Filter: {words}").format(words=filter_words))
        self.field.setPlaceholderText(prompt or translate("Add a node: type what it should do"))
        self.why_button.blockSignals(True)
        self.why_button.setChecked(False)
        self.why_button.blockSignals(False)
        self._open(place, _WIDTH, _HEIGHT)

    def _drop_filter(self) -> None:
        self._entries, self._refused = self._everything, ()
        self._chip.hide()
        self._fill()

    def _fill(self) -> None:
        query = self.field.text()
        self._list.clear()
        hits = find(self._entries, query)
        if query.strip() or not any(entry.group for entry in self._entries):
            self._fill_best(hits, query)
        else:
            for group in dict.fromkeys(entry.group for entry in self._entries):
                members = [entry for entry, _ in hits if entry.group == group]
                self._list.add_heading(group, _count(members))
                for entry in members:
                    self._list.add_entry(entry)
        if self.why_button.isChecked():
            misfits = find(self._refused, query)
            self._list.add_heading(translate("Do not fit"), _count(misfits))
            for entry, also in misfits:
                self._list.add_entry(entry, also)
        self.why_button.setVisible(bool(self._refused))
        self.why_button.setText(translate("{n} do not fit: why?").format(n=len(self._refused)))
        if not hits:
            self._list.add_heading(translate("Nothing found. Try another word."))
        self._fit_height(_HEIGHT)
        self._step(0)

    def _fill_best(self, hits: Sequence[tuple[SearchEntry, str]], query: str) -> None:
        note = _count(hits)
        if query.strip() and hits and not self._chip.isHidden():
            note = translate("{n} of {total} that fit").format(n=len(hits), total=len(self._entries))
        self._list.add_heading(translate("Best match") if query.strip() else translate("All"), note)
        for entry, also in hits:
            self._list.add_entry(entry, also)


def _count(found: Sequence[object]) -> str:
    return str(len(found)) if found else ""
