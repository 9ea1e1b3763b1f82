"""The kept conversations: as rows on the first screen, and as a list with search over the window."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop_app.session.autosave import ConversationStore, Summary
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, label, make_clearable, px, row, stack
from desktop_app.ui.widgets.glyphs import IconTile
from desktop_app.ui.widgets.incremental_list import IncrementalList, ListRow
from desktop_app.ui.widgets.picture import Picture
from desktop_app.ui.widgets.popup_panel import PopupPanel

_SHOWN = 200


class ConversationRow(ListRow):
    """Picture, title, when and how large; `drop`, when it can be deleted, is a button at its end."""

    def __init__(self, ui: UiContext, kept: Summary, deletable: bool) -> None:
        super().__init__(kept.title or self.tr("Without a title"))
        self.kept = kept
        self.drop = IconButton("trash-2", self.tr("Delete {title}").format(title=self.accessibleName()), 24)
        if not deletable:
            self.drop.hide()  # never shown here: without a parent it would be a window of its own
        text = stack(ElidedLabel(self.accessibleName(), "control"), label(said_of(kept), "caption"), gap=0)
        row(_picture(ui, kept), text, self.drop, gap=10, margins=(6 if deletable else 0, 5, 6, 5), grow=1, parent=self)
        self.setToolTip(_begin(kept.text))


class ConversationList(PopupPanel):
    """`opened(id)` when one is to be shown; `deleted(id)` when one is no longer kept."""

    opened = Signal(str)
    deleted = Signal(str)

    def __init__(self, window: QWidget, ui: UiContext, conversations: ConversationStore) -> None:
        super().__init__(window, formatting.translate("Conversations"), 380)
        self._ui, self._conversations = ui, conversations
        self._kept: tuple[Summary, ...] = ()
        self._restore: Callable[[], None] | None = None
        self.search = QLineEdit(placeholderText=self.tr("Search titles and messages"))
        self.search.setAccessibleName(self.tr("Search conversations"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._fill)
        self._search_row = row(self.search, margins=(12, 10, 12, 6))
        self.column.insertLayout(2, self._search_row)
        body = QWidget()
        self._rows = IncrementalList(QVBoxLayout(body), self.search, self.show_whole)
        self.set_body(body)
        self.said = ElidedLabel("", "secondary")
        self.undo = Button(self.tr("Undo"), "undo-2", small=True)
        self.undo.clicked.connect(self._take_back)
        self._foot = QWidget()
        row(self.said, self.undo, margins=(16, 6, 12, 4), grow=0, parent=self._foot)
        self._foot.hide()
        self.column.addWidget(self._foot)

    def open_below(self, anchor: QWidget) -> None:
        self.search.clear()
        self._say("", None)
        super().open_below(anchor)
        self.reload()

    def dismiss(self) -> None:
        super().dismiss()
        self._rows.shorten()

    def first_focus(self) -> QWidget:
        return self.search

    def extra_height(self) -> int:
        foot = self._foot.sizeHint().height() if self._foot.isVisibleTo(self) else 0
        return self._search_row.sizeHint().height() + foot

    def reload(self) -> None:
        self._ui.loader.run(self._conversations.list, self._came)

    def _came(self, found: object) -> None:
        if isinstance(found, tuple):
            self._kept = found
            self._fill()
        else:
            self._say(str(found), None)

    @property
    def rows(self) -> list[ConversationRow]:
        return cast(list[ConversationRow], self._rows.made)

    def _fill(self, *_: object) -> None:
        found = matching(self._kept, self.search.text())[:_SHOWN]
        empty = self.tr("Nothing is kept yet.") if not self._kept else self.tr("No conversation has these words.")
        self._rows.fill([partial(self._row, kept) for kept in found], empty)
        self.place()

    def _row(self, kept: Summary) -> ConversationRow:
        made = ConversationRow(self._ui, kept, True)
        made.clicked.connect(partial(self._open, kept.id))
        made.drop.clicked.connect(partial(self._delete, kept))
        return made

    def _open(self, id: str) -> None:
        self.dismiss()
        self.opened.emit(id)

    def _delete(self, kept: Summary, _: bool = False) -> None:
        self._ui.loader.run(partial(self._conversations.delete, kept.id), partial(self._gone, kept))

    def _gone(self, kept: Summary, restore: object) -> None:
        if isinstance(restore, Exception):
            self._say(str(restore), None)
            return
        self._kept = tuple(other for other in self._kept if other.id != kept.id)
        self._say(self.tr("Deleted “{title}”").format(title=kept.title), restore)  # type: ignore[arg-type]
        gone = next((made for made in self.rows if made.kept.id == kept.id), None)
        if gone is not None and len(self.rows) > 1:
            self._rows.remove(gone)
        else:
            self._fill()
        self.search.setFocus()
        self.deleted.emit(kept.id)

    def _take_back(self) -> None:
        if self._restore is not None:
            self._ui.loader.run(self._restore, lambda _: self.reload())
            self._say("", None)

    def _say(self, text: str, restore: Callable[[], None] | None) -> None:
        self._restore = restore
        self.said.set_text(text)
        self.undo.setVisible(restore is not None)
        self._foot.setVisible(bool(text))
        self.place()

    def keyPressEvent(self, event) -> None:
        if not self._rows.press(event):
            super().keyPressEvent(event)


def matching(kept: Sequence[Summary], words_sought: str) -> list[Summary]:
    sought = words_sought.lower().split()
    return [one for one in kept if all(word in f"{one.title}\n{one.text}".lower() for word in sought)]


def said_of(kept: Summary) -> str:
    """`Yesterday · 4 nodes`."""
    count = (
        formatting.translate("1 node") if kept.nodes == 1 else formatting.translate("{n} nodes").format(n=kept.nodes)
    )
    return f"{when(kept.changed, time.time())} · {count}"


def when(then: float, now: float) -> str:
    """A moment as people say it: `12 min ago`, `Today 10:42`, `Yesterday`, `Tuesday`, `3 November 2026`."""
    if now - then < 90:
        return formatting.translate("Just now")
    if now - then < 3600:
        return formatting.translate("{n} min ago").format(n=round((now - then) / 60))
    day, today = time.localtime(then), time.localtime(now)
    days = (_midnight(today) - _midnight(day)) / 86400
    if days < 0.5:
        return formatting.translate("Today {time}").format(time=time.strftime("%H:%M", day))
    if days < 1.5:
        return formatting.translate("Yesterday")
    return formatting.weekday(day) if days < 6.5 else formatting.date(day)


def _midnight(day: time.struct_time) -> float:
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))


def _begin(text: str) -> str:
    line = " ".join(text.split())
    return f"{line[:200]}…" if len(line) > 200 else line


def _picture(ui: UiContext, kept: Summary) -> QWidget:
    if kept.picture is None or ui.path(kept.picture) is None:
        tile = IconTile("message-square", None, 30)
        place = QWidget()
        place.setFixedSize(px(44), px(30))  # as wide as a picture: all titles begin at one line
        place.setLayout(row(None, tile, None, margins=(0, 0, 0, 0)))
        return place
    made = Picture(ui, kept.picture, 30, plate=False)
    made.setFixedSize(px(44), px(30))
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return made
