"""The scrolling column of messages: widgets only for those near what is seen, however long the conversation is.

A conversation of 10,000 messages has MOST widgets, and more only where more are in sight or near it; scrolling to an
end of them makes the next few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.session.session import Message
from desktop_app.ui.chat.message_widget import MessageView
from desktop_app.ui.widgets.basic import px, stack
from desktop_app.ui.widgets.deferred_delete import discard

FEW = 6
"""So many more are made when an end comes near: few enough not to be felt."""
MANY = 6
"""So many are made at once when a conversation opens."""
MOST = 48
_NEAR = 60
_AHEAD, _FAR = 900, 1800
"""Pixels from what is seen: so far there are widgets, and further away they may go. In a high window more than MOST of
them are nearer, and all of them stay: one that goes would be made again at once.
"""


class MessageColumn(QScrollArea):
    """Keeps to the end while new text arrives, unless the user scrolled up. `make` builds a message's widget."""

    def __init__(self, make: Callable[[Message], MessageView]) -> None:
        super().__init__()
        self._make = make
        self._messages: Sequence[Message] = ()
        self._first = 0
        self._views: dict[int, MessageView] = {}
        self._stick = True
        self._filling = QTimer(self, interval=0, singleShot=True)
        self._filling.timeout.connect(self._fill)
        self._inside = QWidget()
        self._column = stack(None, parent=self._inside, gap=14, margins=(16, 16, 16, 16))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Shown only when needed, the bar takes a part of the width: where the messages fit without it and not with it,
        # the scroll area gave them one size and the other by turns until the stack was full.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWidget(self._inside)
        self.setAccessibleName(self.tr("Conversation"))
        bar = self.verticalScrollBar()
        bar.setEnabled(False)
        bar.rangeChanged.connect(self._grew)
        bar.valueChanged.connect(self._scrolled)

    @property
    def views(self) -> tuple[MessageView, ...]:
        """The widgets that there are, oldest message first."""
        return tuple(self._views.values())

    def show_messages(self, messages: Sequence[Message]) -> bool:
        """Shows the messages as they are now; True when widgets came or went."""
        ids = {message.id: index for index, message in enumerate(messages)}
        before, were = list(self._views), self.views
        if any(id not in ids for id in before) or (before and messages[self._first].id != before[0]):
            self._drop(before)
        shown = list(zip(self._views.items(), messages[self._first :], strict=False))
        other = next((at for at, ((_, view), message) in enumerate(shown) if not _shows(view, message)), len(shown))
        self._drop(list(self._views)[other:])
        news = bool(messages) and (not self._messages or messages[-1].id != self._messages[-1].id)
        self._messages = messages
        for index in range(self._first, self._last):
            view = self._views.get(messages[index].id)
            if view is not None and view.message is not messages[index]:
                view.update_message(messages[index])
        if news and (messages[-1].role == "user" or not self._views):
            self._stick = True
        if not self._views:
            self._first = max(0, len(messages) - MANY)
        if not self._views or self._stick:
            self._show_end()
        self._filling.start()
        return self.views != were

    def show_end(self) -> None:
        self._stick = True
        self._show_end()
        for view in self.views:
            view.setVisible(view.wanted)  # as in `_prepend`
        self._settle()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def show_view(self, inside: QWidget) -> None:
        """Scrolls to a widget of one of the messages."""
        self._settle()
        self.ensureWidgetVisible(inside, 0, px(_NEAR))

    @property
    def _last(self) -> int:
        return self._first + len(self._views)

    def _show_end(self) -> None:
        """Widgets up to the last message; when very many came at once, only for the last of them."""
        if len(self._messages) - self._last > MANY:
            self._drop(list(self._views))
            self._first = max(0, len(self._messages) - MANY)
        while self._last < len(self._messages):
            self._append()

    def _append(self) -> None:
        message = self._messages[self._last]
        view = self._make(message)
        self._column.insertWidget(self._column.count() - 1, view)
        self._views[message.id] = view

    def _fill(self) -> None:
        """Makes widgets ahead of where the user looks; once there are enough, drops those far from there."""
        bar = self.verticalScrollBar()
        if self._first > 0 and bar.value() < px(_AHEAD):
            self._prepend(min(FEW, self._first))
        elif self._last < len(self._messages) and bar.maximum() - bar.value() < px(_AHEAD):
            for _ in range(min(FEW, len(self._messages) - self._last)):
                self._append()
        else:
            self._trim()
            return
        self._filling.start()

    def _prepend(self, count: int) -> None:
        """Older messages above those there are; what is seen stays where it is."""
        bar = self.verticalScrollBar()
        seen, value = next(iter(self._views.values()), None), bar.value()
        place = seen.y() if seen is not None else 0
        older: dict[int, MessageView] = {}
        for offset in range(count):
            message = self._messages[self._first - count + offset]
            view = self._make(message)
            self._column.insertWidget(offset, view)
            view.setVisible(view.wanted)  # else it takes no room until the next round of the loop
            older[message.id] = view
        self._views = {**older, **self._views}
        self._first -= count
        stick = self._stick
        self._settle()
        if stick:
            bar.setValue(bar.maximum())
        elif seen is not None:
            bar.setValue(value + seen.y() - place)
        self._stick = stick

    def _trim(self) -> None:
        """Drops what is more than MOST and far from what is seen, which stays where it is."""
        surplus = len(self._views) - MOST
        if surplus <= 0:
            return
        self._settle()
        bar, views = self.verticalScrollBar(), list(self._views.items())
        top, low = bar.value() - px(_FAR), bar.value() + self.viewport().height() + px(_FAR)
        above = [id for id, _ in takewhile(lambda one: _hidden(one[1]) or one[1].geometry().bottom() < top, views)]
        below = [id for id, _ in takewhile(lambda one: _hidden(one[1]) or one[1].y() > low, reversed(views))]
        above = above[:surplus]
        seen = next(view for id, view in views[len(above) :] if not _hidden(view))
        value, place, stick = bar.value(), seen.y(), self._stick
        self._drop([*above, *below[: surplus - len(above)]])
        self._first += len(above)
        self._settle()
        bar.setValue(value + seen.y() - place)
        self._stick = stick

    def _settle(self) -> None:
        """Lays the column out now, so that places can be compared."""
        inside = self._inside
        self._column.activate()
        inside.resize(inside.width(), max(self.viewport().height(), self._column.totalHeightForWidth(inside.width())))
        self._column.setGeometry(inside.rect())

    def _drop(self, ids: Sequence[int]) -> None:
        for id in ids:
            view = self._views.pop(id)
            self._column.removeWidget(view)
            discard(view)
        if not self._views:
            self._first = 0

    def _scrolled(self, value: int) -> None:
        end = self._last >= len(self._messages)
        self._stick = end and value >= self.verticalScrollBar().maximum() - px(_NEAR)
        self._filling.start()

    def _grew(self, _least: int, most: int) -> None:
        self.verticalScrollBar().setEnabled(most > 0)  # then it is not seen
        if self._stick:
            self.verticalScrollBar().setValue(most)


def _shows(view: MessageView, message: Message) -> bool:
    """Whether the view was made for a message like this one; another conversation uses the same ids."""
    return _sort_of(view.message) == _sort_of(message)


def _hidden(view: MessageView) -> bool:
    """Whether it takes no room, and is nowhere."""
    return not view.wanted


def _sort_of(message: Message) -> tuple[str, str, bool, str]:
    """What decides of which class a message's widget is, which parts it has, and in which language its words are; none
    of it changes as it grows.
    """
    return message.role, message.kind, message.kind == "answer" and bool(message.run), message.language
