"""One step in the chat: what was chosen and why, how far it is, what it made; and the buttons that decide on it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import NodeRun
from desktop_app.session.session import Message
from desktop_app.ui.chat.message_widget import MessageView
from desktop_app.ui.chat.question_widget import QuestionView
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.widgets.basic import (
    Button,
    Caption,
    ClickableFrame,
    ElidedLabel,
    clear,
    label,
    px,
    row,
    stack,
    surface,
)
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import ProgressLine, state_glyph

_GLYPHS = {"chosen": "waiting", "proposed": "input", "stopped": "skipped", "declined": "skipped", "gone": "skipped"}
_TALLEST = 110


class StepMessage(MessageView):
    """Reads from the session how its node goes; a step that was taken back says so, and comes back by redo."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__(ui, message)
        self._shown: object = None
        self._asked: object = None
        frame = surface("raised")
        self._column = stack(self._make_head(), parent=frame, gap=4, margins=(6, 6, 6, 8))
        self._inputs, self._why = label("", "caption", True), label("", "secondary", True)
        self._trouble = label("", "error", True)
        self._progress = ProgressLine()
        for widget in (self._inputs, self._why, self._trouble, self._progress):
            self._column.addLayout(row(widget, margins=(6, 0, 6, 0)))
        self._questions, self._results = QVBoxLayout(), QVBoxLayout()
        for inner in (self._questions, self._results):
            inner.setContentsMargins(px(6), px(2), px(6), 0)
            inner.setSpacing(px(4))
            self._column.addLayout(inner)
        self._make_buttons()
        self.setLayout(row(frame))
        self.update_message(message)

    def _make_head(self) -> ClickableFrame:
        self.head = ClickableFrame("")
        self.head.setToolTip(self.tr("Show this step in the graph"))
        self.head.clicked.connect(lambda: self.ui.signals.select_node.emit(self.message.node))
        self.glyph = state_glyph("waiting", side=15)
        self._number, self._title, self.said = Caption(), ElidedLabel(role="heading"), Caption()
        row(self.glyph, self._number, self._title, self.said, gap=8, margins=(6, 0, 6, 0), grow=2, parent=self.head)
        self.head.setMinimumHeight(px(26))
        return self.head

    def _make_buttons(self) -> None:
        calls, session = self.ui.calls, self.ui.session
        self.run = Button(self.tr("Run this step"), "play-solid", "primary", True, self.tr("Run it (Ctrl+Enter)"))
        self.other = Button(self.tr("Another way"), small=True, tip=self.tr("Have another step chosen instead"))
        self.end = Button(self.tr("Stop"), small=True, tip=self.tr("Take this step out and stop here"))
        self.on = Button(self.tr("Go on"), "play-solid", small=True, tip=self.tr("Go on with this request from here"))
        self.run.clicked.connect(lambda: calls.later(session.approve()))
        self.other.clicked.connect(lambda: calls.later(session.decline()))
        self.end.clicked.connect(session.stop)
        self.on.clicked.connect(lambda: calls.later(session.go_on()))
        self._buttons = QWidget()
        flow = FlowLayout(px(6), self._buttons)
        for button in (self.run, self.other, self.end, self.on):
            flow.addWidget(button)
        self._column.addLayout(row(self._buttons, margins=(6, 4, 6, 0)))

    # What it shows

    @property
    def state(self) -> str:
        """That of the message, or "gone" when the step was taken back."""
        here = self.message.node in self.ui.session.workflow.ids()
        return "gone" if self.message.state in ("done", "stopped") and not here else self.message.state

    @catalogue.spoken
    def update_message(self, message: Message) -> None:
        self.message = message
        title, _, inputs = message.text.partition(": ")
        self._title.set_text(title)
        self._inputs.setText(", ".join(map(self._as_saved, inputs.split(", "))))
        self._why.setText(self.worded(message.why))
        self._trouble.setText(self.worded(message.fix))
        for widget in (self._inputs, self._why, self._trouble):
            widget.setVisible(bool(widget.text()))
        self.refresh()

    def _as_saved(self, part: str) -> str:
        """What goes in by the name that it is shown with."""
        resource = self.ui.find(part)
        return as_saved(self.ui, resource).name if resource is not None else part

    @catalogue.spoken
    def refresh(self) -> None:
        number = self._place()
        self._number.setText(str(number))
        self._show_questions()
        self._show_results()
        self._show_buttons()
        self.show_run()

    @catalogue.spoken
    def show_run(self) -> None:
        node = self.ui.session.run.nodes.get(self.message.node, NodeRun())
        state = self.state
        if node.state == "outdated" and state in ("done", "failed"):
            state = "outdated"
        live = state == "running"
        self.glyph.set_state(_GLYPHS.get(state, state), node.fraction if live else 0.0)
        self._progress.setVisible(live)
        self._progress.set_fraction(node.fraction)
        said = self._state_words(state, node)
        if said != self.said.text():
            self.said.setText(said)
        self.said.set_tone("state.failed" if state == "failed" else "")
        number, text = self._number.text(), self._title.accessibleName()
        self.head.setAccessibleName(self.tr("Step {n}, {title}: {state}").format(n=number, title=text, state=said))

    def _state_words(self, state: str, node: NodeRun) -> str:
        if state == "done" and node.state == "done" and not node.cached:
            return formatting.duration(node.seconds)
        if state == "running" and node.state == "running":
            return formatting.shorter(formatting.state_words(node), 18)
        return {
            "chosen": self.tr("next"),
            "proposed": self.tr("waits for you"),
            "running": self.tr("starting"),
            "done": self.tr("done"),
            "failed": self.tr("failed"),
            "stopped": self.tr("stopped"),
            "declined": self.tr("not run"),
            "gone": self.tr("taken back"),
            "outdated": formatting.translate("out of date"),
        }.get(state, "")

    def _place(self) -> int:
        number = 0
        for message in self.ui.session.messages:
            if message.id > self.message.id:
                break
            number = 0 if message.role == "user" else number + (message.kind == "step")
        return number

    def _show_questions(self) -> None:
        asked = self.message.questions if self.message.state == "proposed" else ()
        session = self.ui.session
        held = tuple(session.points.get(q.resource, ()) for q in asked if q.kind == "point")
        node = session.workflow.find(self.message.node)
        state = (asked, self.message.open, held, repr(node.values) if node and asked else "")
        if state == self._asked:
            return
        self._asked = state
        clear(self._questions)
        for question in asked:
            self._questions.addWidget(QuestionView(self.ui, question, self.message.open, self.worded(question.text)))

    def _show_results(self) -> None:
        names = [] if self.state == "gone" else [n for n in self.message.resources if n not in self._answered()]
        found = tuple(resource for name in names[:3] if (resource := self.ui.find(name)) is not None)
        if found == self._shown:
            return
        self._shown = found
        clear(self._results)
        for resource in found:
            self._results.addWidget(ResultView(self.ui, resource, _TALLEST, plate=False))
            self._results.addWidget(ElidedLabel(formatting.caption_of(as_saved(self.ui, resource)), "caption"))
        if len(names) > 3:
            self._results.addWidget(label(self.tr("and {n} more").format(n=len(names) - 3), "caption"))

    def _answered(self) -> set[str]:
        """What the answer to the same request shows already."""
        found: set[str] = set()
        for message in self.ui.session.messages:
            if message.id > self.message.id:
                if message.role == "user":
                    break
                found.update(message.resources if message.kind == "answer" else ())
        return found

    def _show_buttons(self) -> None:
        session = self.ui.session
        waits = self.message.state == "proposed" and session.proposed == self.message.node and not session.busy
        for button in (self.run, self.other, self.end):
            button.setVisible(waits)
        self.run.setEnabled(not self.message.open)
        later = [m for m in session.messages if m.id > self.message.id]
        newest = not any(m.kind == "step" or m.role == "user" for m in later)
        goes_on = newest and not session.busy and session.can_go_on
        self.on.setVisible(goes_on)
        self._buttons.setVisible(waits or goes_on)
