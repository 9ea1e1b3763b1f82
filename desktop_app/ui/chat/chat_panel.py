"""The conversation on the left: one widget for each message, and the composer below."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.i18n import catalogue
from desktop_app.session.session import Change, Message
from desktop_app.ui.chat.composer import Composer
from desktop_app.ui.chat.message_list import MessageColumn
from desktop_app.ui.chat.message_widget import AssistantMessage, ErrorMessage, MessageView, RunMessage, UserMessage
from desktop_app.ui.chat.plan_message import PlanMessage
from desktop_app.ui.chat.step_message import StepMessage
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import ElidedLabel, IconButton, divider, label, px, row, stack
from desktop_app.ui.widgets.glyphs import IconTile


class ChatPanel(QFrame):
    """Shows `session.messages`, and takes the next request."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._ui = ui
        self._latest = 0
        self._timer = QTimer(self, singleShot=True, interval=60)
        self._timer.timeout.connect(self._show_messages)
        self.composer = Composer(ui)
        column = stack(self._make_header(), divider(), parent=self, gap=0)
        self.mark = SourceMark(ui)
        column.addWidget(self.mark)
        self._scroll = MessageColumn(lambda message: make_view(ui, message))
        column.addWidget(self._scroll, 1)
        column.addLayout(row(self.composer, margins=(12, 8, 12, 12)))
        ui.listen(self._on_change)
        self._show_messages()

    def _make_header(self) -> QWidget:
        header = QWidget()
        header.setFixedHeight(px(40))
        self.new = IconButton("plus", self.tr("New conversation (Ctrl+N)"))
        self.new.clicked.connect(self._ui.session.new)
        self.history = IconButton("history", self.tr("Earlier conversations (Ctrl+H)"))
        self.history.hide()
        header.setLayout(
            row(label(self.tr("Chat"), "heading"), None, self.history, self.new, gap=4, margins=(16, 0, 8, 0))
        )
        return header

    @property
    def views(self) -> tuple[MessageView, ...]:
        """The message widgets that there are, oldest first: those near what is seen."""
        return self._scroll.views

    def _on_change(self, change: Change) -> None:
        before = self.window().focusWidget()
        held = before is not None and self._scroll.isAncestorOf(before)
        self._show_change(change)
        if held and self.window().focusWidget() is not before:  # it went: a chip, the button of a step
            self.composer.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_change(self, change: Change) -> None:
        if change & Change.MESSAGES:
            self._messages_changed()
        if change & (Change.WORKFLOW | Change.RESOURCES | Change.MESSAGES):
            self.mark.refresh()
        if change & (Change.RUN | Change.BUSY):
            self._show_run()
        if change & (Change.WORKFLOW | Change.PLAN | Change.BUSY | Change.RESOURCES):
            self._refresh()
            self._show_steps()
        if change & (Change.WORKFLOW | Change.PLAN) or (change & Change.BUSY and self._ui.session.busy):
            self.composer.calm()
        if change & (Change.BUSY | Change.RUN | Change.RESOURCES | Change.MESSAGES):
            self.composer.refresh()

    def _messages_changed(self) -> None:
        """New messages are shown at once; a growing one on a timer, so that tokens never block the window."""
        messages = self._ui.session.messages
        growing = bool(messages) and messages[-1].streaming and messages[-1].id == self._latest
        if not growing:
            self._timer.stop()
            self._show_messages()
        elif not self._timer.isActive():
            self._timer.start()

    def _show_messages(self) -> None:
        messages = self._ui.session.messages
        self._latest = messages[-1].id if messages else 0
        if self._scroll.show_messages(messages):
            self._refresh()
        self._show_run()

    def _refresh(self) -> None:
        for view in self.views:
            view.refresh()

    def show_question(self) -> None:
        """Shows what has to be answered first, marked, with the keyboard on its first answer."""
        self._scroll.show_end()
        asking = next((view for view in reversed(self.views) if view.message.open), None)
        if isinstance(asking, AssistantMessage):
            asked = asking.call_for_answer()
            if asked is not None:
                self._scroll.show_view(asked)

    def _show_run(self) -> None:
        """The last list of a run, and the last step, follow the session's run; earlier lists show their own."""
        for view in self.views:
            view.setVisible(view.wanted)
        lists = [view for view in self.views if isinstance(view, RunMessage)]
        for view in lists:
            view.show_run(view is lists[-1])
        self._show_steps()

    def _show_steps(self) -> None:
        steps = [view for view in self.views if isinstance(view, StepMessage)]
        if steps:
            steps[-1].show_run()


class SourceMark(QFrame):
    """One line that says that the conversation's graph came with a file, perhaps from someone else; else hidden."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._said = ElidedLabel("", "caption")
        line = row(IconTile("users", None, 18), self._said, margins=(16, 5, 12, 5))
        stack(line, divider(), parent=self, gap=0)
        tip = self.tr("You are asked before it reaches the network or files outside its folder")
        self.setToolTip(tip)
        self.refresh()

    def refresh(self) -> None:
        source = self._ui.session.agreed.source
        self._said.setText(self.tr("From a file, perhaps of someone else: {name}").format(name=source))
        self.setVisible(bool(source))


def make_view(ui: UiContext, message: Message) -> MessageView:
    """The widget of a message, in the language of the request that it answers."""
    kinds: dict[str, type[MessageView]] = {
        "run": RunMessage, "error": ErrorMessage, "plan": PlanMessage, "step": StepMessage,
    }  # fmt: skip
    with catalogue.speaking(message.language):
        if message.role == "user":
            return UserMessage(ui, message)
        return kinds.get(message.kind, AssistantMessage)(ui, message)
