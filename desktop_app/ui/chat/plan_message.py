"""A plan in the chat: its words, what it would cost, and the button that runs it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop_app.session.session import Alternative, Message
from desktop_app.ui.chat.message_widget import AssistantMessage
from desktop_app.ui.support import costs, formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, label, px, row


class PlanMessage(AssistantMessage):
    """Follows the chosen alternative while it is the last plan; an earlier one keeps what it showed."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        self._card = PlanCard()
        super().__init__(ui, message)
        self._column.addWidget(self._card)
        self._card.run.clicked.connect(ui.signals.run)
        self.refresh()

    def refresh(self) -> None:
        super().refresh()
        session = self.ui.session
        later = [m for m in session.messages if m.id > self.message.id]
        last = not any(m.role == "user" or m.kind == "plan" for m in later)
        ran = any(m.kind == "run" for m in later)
        if last and session.chosen < len(session.alternatives):
            self._card.show_alternative(session.alternatives[session.chosen])
        self._card.set_runnable(last and not self.message.open and not session.busy and not (ran and session.run.id))


class PlanCard(QFrame):
    """Title, number of steps and costs of a solution."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._title = ElidedLabel(role="heading")
        self._costs = label("", "caption", True)
        self.run = Button(self.tr("Run"), "play-solid", small=True, tip=self.tr("Run the plan (Ctrl+Enter)"))
        text = QVBoxLayout()
        text.setSpacing(px(2))
        text.addWidget(self._title)
        text.addWidget(self._costs)
        layout = row(text, self.run, gap=10, margins=(12, 9, 10, 9))
        layout.setStretch(0, 1)
        self.setLayout(layout)
        self.hide()

    def show_alternative(self, alternative: Alternative) -> None:
        """Shows what it would cost to run it."""
        self._title.set_text(formatting.said(alternative.solution.title))
        self._costs.setText(costs.of_alternative(alternative))
        self.show()

    def set_runnable(self, runnable: bool) -> None:
        """Shows the button when there is nothing left to ask."""
        self.run.setVisible(runnable)
