"""The conversation on the left: one widget for each message, and the composer below."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_app.session import Change, Message
from desktop_app.ui.composer import Composer
from desktop_app.ui.desk import Desk
from desktop_app.ui.message_view import AssistantMessage, ErrorMessage, MessageView, RunMessage, UserMessage
from desktop_app.ui.plan_message import PlanMessage
from desktop_app.ui.widgets import IconButton, divider, label, px, row

_NEAR = 60


class ChatPanel(QFrame):
    """Shows `session.messages`; keeps to the end while new text arrives, unless the user scrolled up."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._desk = desk
        self._views: dict[int, MessageView] = {}
        self._stick = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(60)
        self._timer.timeout.connect(self._show_messages)
        self.composer = Composer(desk)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_header())
        column.addWidget(divider())
        column.addWidget(self._make_scroll(), 1)
        column.addLayout(row(self.composer, margins=(12, 8, 12, 12)))
        desk.session.listen(self._on_change)
        self._show_messages()

    def _make_header(self) -> QWidget:
        header = QWidget()
        header.setFixedHeight(px(40))
        self.new = IconButton("plus", self.tr("New conversation (Ctrl+N)"))
        self.new.clicked.connect(self._desk.session.new)
        self.history = IconButton("history", self.tr("Earlier conversations (Ctrl+H)"))
        self.history.hide()
        header.setLayout(
            row(label(self.tr("Chat"), "heading"), None, self.history, self.new, gap=4, margins=(16, 0, 8, 0))
        )
        return header

    def _make_scroll(self) -> QScrollArea:
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(px(16), px(16), px(16), px(16))
        self._column.setSpacing(px(14))
        self._column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(inside)
        self._scroll.setAccessibleName(self.tr("Conversation"))
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(self._grew)
        bar.valueChanged.connect(self._scrolled)
        return self._scroll

    @property
    def views(self) -> tuple[MessageView, ...]:
        """The message widgets, oldest first."""
        return tuple(self._views.values())

    def _on_change(self, change: Change) -> None:
        if change & Change.MESSAGES:
            self._messages_changed()
        if change & (Change.RUN | Change.BUSY):
            self._show_run()
        if change & (Change.WORKFLOW | Change.PLAN | Change.BUSY | Change.RESOURCES):
            for view in self._views.values():
                view.refresh()
        if change & (Change.BUSY | Change.RUN | Change.RESOURCES | Change.MESSAGES):
            self.composer.refresh()

    def _messages_changed(self) -> None:
        """New messages are shown at once; a growing one on a timer, so that tokens never block the window."""
        known = [message.id for message in self._desk.session.messages]
        if known != list(self._views) or not any(m.streaming for m in self._desk.session.messages):
            self._timer.stop()
            self._show_messages()
        elif not self._timer.isActive():
            self._timer.start()

    def _show_messages(self) -> None:
        messages = self._desk.session.messages
        ids = [message.id for message in messages]
        if ids[: len(self._views)] != list(self._views):
            self._drop_all()
        for message in messages:
            view = self._views.get(message.id)
            if view is None:
                self._add(message)
            elif view.message is not message:
                view.update_message(message)
        self._show_run()

    def _add(self, message: Message) -> None:
        view = make_view(self._desk, message)
        self._views[message.id] = view
        self._column.insertWidget(self._column.count() - 1, view)
        if message.role == "user":
            self._stick = True
        for older in self._views.values():
            older.refresh()

    def _drop_all(self) -> None:
        for view in self._views.values():
            view.hide()
            view.deleteLater()
        self._views = {}

    def _show_run(self) -> None:
        """The last list of a run follows the session's run."""
        lists = [view for view in self._views.values() if isinstance(view, RunMessage)]
        if lists:
            lists[-1].list.show_run(self._desk.session.run)

    def _scrolled(self, value: int) -> None:
        self._stick = value >= self._scroll.verticalScrollBar().maximum() - px(_NEAR)

    def _grew(self, _least: int, most: int) -> None:
        if self._stick:
            self._scroll.verticalScrollBar().setValue(most)


def make_view(desk: Desk, message: Message) -> MessageView:
    """The widget for a message."""
    if message.role == "user":
        return UserMessage(desk, message)
    kinds: dict[str, type[MessageView]] = {"run": RunMessage, "error": ErrorMessage, "plan": PlanMessage}
    return kinds.get(message.kind, AssistantMessage)(desk, message)
