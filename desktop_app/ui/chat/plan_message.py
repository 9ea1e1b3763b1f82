"""A plan in the chat: its words, what it would cost, and the button that runs it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from desktop_app.graph.user_edits import is_own
from desktop_app.i18n import catalogue
from desktop_app.session.session import Message
from desktop_app.ui.chat.message_widget import AssistantMessage
from desktop_app.ui.support import costs, formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, label, row, stack
from nodes.phrase import Phrase


class PlanMessage(AssistantMessage):
    """Follows the chosen alternative while it is the last plan; an earlier one keeps what it showed."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        self._card = PlanCard()
        super().__init__(ui, message)
        self._column.addWidget(self._card)
        self._column.addWidget(self._spent)
        self._card.run.clicked.connect(ui.signals.run)
        self._card.back.clicked.connect(self._come_back)
        self.refresh()

    @catalogue.spoken
    def refresh(self) -> None:
        super().refresh()
        session, later = self.ui.session, self._later()
        last = len(later) == len([m for m in session.messages if m.id > self.message.id])
        left = session.knows_plan(self.message.id)  # another plan is shown now
        if last and not left and session.chosen < len(session.alternatives):
            way = session.alternatives[session.chosen]
            if is_own(way.workflow, session.workflow):
                title = formatting.title_of_graph(session.workflow, session.tools)
                self._card.show_plan(title, costs.steps_of(session.workflow))
            else:
                self._card.show_plan(self.worded(way.solution.title), costs.of_alternative(way))
            self._tell()
        ran = session.run.id and any(m.kind == "run" for m in later)
        self._card.back.setVisible(left)
        self._card.run.setVisible(last and not left and not self.message.open and not session.busy and not ran)

    def _words(self) -> str:
        """What the card itself does not say: what was changed, else a notice, what is left out, and whether the plan is
        a guess.
        """
        if self.message.why:
            return self.worded(self.message.why)
        plan = self.ui.session.plan
        if plan is None:
            return ""
        left_out = Phrase("Left out: {what}", what=plan.left_out) if plan.left_out else ""
        doubts = (question.text for question in plan.questions if question.kind == "confirm")
        said = (plan.notice, left_out, self.ui.session.unused(), *doubts)
        return " ".join(self.worded(text) for text in said if text)

    @catalogue.spoken
    def update_message(self, message: Message) -> None:
        super().update_message(message)
        self._text.hide()  # the card and its questions say it
        if message.why:
            self._tell()

    def _tell(self) -> None:
        words = self._words()
        self._text.set_text(words)
        self._text.setVisible(bool(words))

    def _later(self) -> list[Message]:
        """What was said about this plan since, before the next request."""
        found: list[Message] = []
        for message in self.ui.session.messages:
            if message.id > self.message.id:
                if message.role == "user" or message.kind == "plan":
                    break
                found.append(message)
        return found

    @property
    def wanted(self) -> bool:
        return self.message.open or not any(m.kind == "run" for m in self._later())


class PlanCard(QFrame):
    """Title, number of steps and costs of a solution."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._title = label("", "heading", True)
        self._costs = label("", "caption", True)
        self.run = Button(self.tr("Run"), "play-solid", small=True, tip=self.tr("Run the plan (Ctrl+Enter)"))
        text = stack(self._title, self._costs, gap=2)
        self.back = Button(self.tr("Show"), "undo-2", small=True, tip=self.tr("Show this plan again"))
        self.back.hide()
        row(text, self.back, self.run, gap=10, margins=(12, 9, 10, 9), grow=0, parent=self)
        self.hide()

    def show_plan(self, title: str, cost: str) -> None:
        self._title.setText(title)
        self._costs.setText(cost)
        self.show()
