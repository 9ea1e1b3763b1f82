"""One message of the conversation: what the user sent, a plan, a run, an answer with its results, an error."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from desktop_app.i18n import catalogue
from desktop_app.services import mask_preview
from desktop_app.session.messages import Message, Offer, main_length, waiting
from desktop_app.storage.resources import Resource
from desktop_app.ui.chat.question_widget import LapsedQuestions, QuestionView, taken_by
from desktop_app.ui.chat.result_card import ResultCard, ToldResult
from desktop_app.ui.chat.run_progress import RunList
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.support import costs, formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import (
    Button,
    ElidedButton,
    ElidedLabel,
    IconButton,
    clear,
    label,
    px,
    row,
    stack,
    surface,
)
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import IconTile, StateLine, state_glyph
from desktop_app.ui.widgets.markdown_view import MarkdownText, NodeChip
from desktop_app.ui.widgets.picture import Picture
from nodes.api import ResourceType


class QuietButton(IconButton):
    """Seen only while its message is hovered, or it has the focus itself."""

    def __init__(self, icon: str, tip: str) -> None:
        super().__init__(icon, tip, 24)
        self._lit = False

    def set_lit(self, lit: bool) -> None:
        """True while the message is hovered."""
        self._lit = lit
        self.update()

    def paintEvent(self, event) -> None:
        if self._lit or self.hasFocus():
            super().paintEvent(event)


class MessageView(QWidget):
    """Built once for its message; `update_message` changes what changed."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__()
        self.ui, self.message = ui, message
        self._tools: list[QuietButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)  # as high as its width asks for

    @property
    def language(self) -> str:
        """That of the request that it answers: all of it is said in that one."""
        return self.message.language

    def update_message(self, message: Message) -> None:
        self.message = message

    def refresh(self) -> None:
        """Shows anew what depends on the workflow or the points."""

    @property
    def wanted(self) -> bool:
        """False while a later message shows what it would: a plan becomes its run, and that its result."""
        return True

    def worded(self, text: str) -> str:
        """A text of the program in the language of the request that it answers."""
        with catalogue.speaking(self.language):
            return formatting.said(text)

    def _tool(self, icon: str, tip: str, act) -> QuietButton:
        button = QuietButton(icon, tip)
        button.clicked.connect(act)
        self._tools.append(button)
        return button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.message.text)

    def enterEvent(self, event) -> None:
        for tool in self._tools:
            tool.set_lit(True)

    def leaveEvent(self, event) -> None:
        for tool in self._tools:
            tool.set_lit(False)


MOST_CARDS = 24
"""So many files or results of a message are shown, of the others how many there are."""
_MOST_LARGE, _ACROSS = 4, 3
"""More pictures than so many are small, so many side by side; more results that are told have no line of their own."""
_PICTURES = frozenset((ResourceType.IMAGE, ResourceType.MASK))


class UserMessage(MessageView):
    """A bubble on the right, the attachments above the words."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__(ui, message)
        self.setAccessibleName(self.tr("You: {text}").format(text=message.text))
        bubble = surface("hover")
        column = stack(parent=bubble, margins=(12, 10, 12, 10))
        for name in message.resources[:MOST_CARDS]:
            resource = ui.find(name)
            if resource is not None:
                column.addWidget(attachment(ui, resource))
        left = len(message.resources) - MOST_CARDS
        if left > 0:
            column.addWidget(label(self.tr("… and {n} more files").format(n=f"{left:,}"), "caption"))
        self._text = MarkdownText(plain=True)
        self._text.set_text(message.text)
        if message.text:
            column.addWidget(self._text)
        else:
            self._text.hide()
        copy = self._tool("copy", self.tr("Copy the text"), self._copy)
        edit = self._tool("pencil", self.tr("Edit and send again"), self._edit)
        layout = row(stack(None, copy, edit, gap=0), bubble, gap=4, grow=1)
        if not message.resources and len(message.text) < 24:
            bubble.setMaximumWidth(self._text.fontMetrics().horizontalAdvance(message.text) + px(40))
            layout.setStretch(1, 0)
            layout.insertStretch(1, 1)
        self.setLayout(layout)

    def _edit(self) -> None:
        self.ui.signals.compose.emit(self.message.text, self.message.resources)


def attachment(ui: UiContext, resource) -> QWidget:
    if ui.thumbnails.has_picture(resource) and resource.type is not ResourceType.VIDEO:
        made = Picture(ui, resource, 200, cut=False)
        made.opened.connect(ui.signals.open_large)
        return made
    if resource.type in (ResourceType.AUDIO, ResourceType.VIDEO):
        view = ResultView(ui, resource, 150)
        view.setAccessibleName(formatting.caption_of(resource))
        return view
    chip = surface("field")
    layout = row(IconTile("file-text", resource.type, 24), ElidedLabel(resource.name), margins=(8, 6, 8, 6))
    layout.addWidget(label(formatting.facts_of(resource), "caption"))
    layout.setStretch(1, 1)
    chip.setLayout(layout)
    return chip


class AssistantMessage(MessageView):
    """Words, then results, then questions; an answer has what lay on the way, and its run, folded below that."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__(ui, message)
        self.setAccessibleName(self.tr("Answer"))
        self._column = stack(parent=self, gap=10)
        self._outdated = StateLine("outdated", self.tr("Out of date: the graph was changed since. Run it again."))
        self._outdated.hide()
        self._column.addWidget(self._outdated)
        self._text = MarkdownText()
        self._text.node_selected.connect(ui.signals.select_node)
        self._column.addWidget(self._text)
        self._results = stack()
        self._column.addLayout(self._results)
        self._shown: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.aside = Aside(ui)
        self._column.addWidget(self.aside)
        self._helps = FlowLayout(px(8))
        self._column.addLayout(self._helps)
        self._questions = stack(gap=10)
        self._column.addLayout(self._questions)
        self._asked: object = None
        self.other: ElidedButton | None = None
        self.point: Button | None = None
        self._others = stack(gap=4)
        self._column.addLayout(self._others)
        self._offered: object = None
        self.run: RunList | None = None
        self._offers: tuple[Offer, ...] = ()
        self.offered: list[ElidedButton] = []
        if message.kind == "answer":
            if message.run:
                self.run = RunList(ui, folded=True)
                self._column.insertWidget(self._column.indexOf(self.aside) + 1, self.run)
            copy = self._tool("copy", self.tr("Copy the answer"), self._copy)
            again = self._tool("refresh-cw", self.tr("Run and answer again"), ui.signals.run.emit)
            self._back = self._tool("undo-2", self.tr("Show this plan again"), self._come_back)
            self._column.addLayout(row(copy, again, self._back, None, gap=0))
        self._spent = label("", "caption")
        self._column.addWidget(self._spent)
        self.update_message(message)

    @catalogue.spoken
    def update_message(self, message: Message) -> None:
        self.message = message
        asked = " ".join(question.text for question in message.questions)
        text = message.text if message.kind == "answer" else self.worded(message.text)
        self._text.setVisible(bool(text) and message.text != asked)  # the questions say it themselves
        main = main_length(message) if message.kind == "answer" else len(text)
        self._text.set_text(text[:main], self._chips(0, main), message.streaming)
        rest = text[main:].lstrip("\n")
        self.aside.show_text(rest, self._chips(len(text) - len(rest), len(text)))
        if (message.told, message.resources) != self._shown:
            self._shown = message.told, message.resources
            self._show_results(message.told, message.resources)
        spent = message.spent
        self._spent.setVisible(bool(spent.total))
        if spent.total:
            self._spent.setText(self.tr("Language model: {spent}").format(spent=costs.of_model(spent)))
            self._spent.setToolTip(self.tr("This request: {spent}").format(spent=costs.split_of_model(spent)))
        self.refresh()

    @catalogue.spoken
    def refresh(self) -> None:
        session = self.ui.session
        self._offer_other()
        if self.run is not None:
            run = session.ran(self.message.run)
            self.run.show_run(run) if run is not None else self.run.show_unknown()
        self._offer()
        if self.message.kind == "answer":
            self._outdated.setVisible(not session.holds(self.message))
            self._back.setVisible(session.knows_plan(self._plan))
        answered, asked = self.message.answered, self.message.questions
        held = tuple(session.points.get(q.resource, ()) for q in (*answered, *asked) if q.kind == "point")
        taken = repr([taken_by(session, question) for question in (*answered, *asked)])
        waits = waiting(session.messages)
        later = waits is None or waits.id != self.message.id  # something else is the default action
        first = None if later else next(iter(asked), None)
        state = (answered, asked, self.message.open, self.message.lapsed, held, taken, first)
        if state == self._asked:
            return
        self._asked = state
        clear(self._questions)
        views, lapsed = [], self.message.lapsed
        for question in (*answered, *asked):
            is_open = self.message.open and question not in answered
            words = self.worded(question.text)
            views.append(QuestionView(self.ui, question, is_open, words, lapsed, question is first))
        for view in (LapsedQuestions(views),) if lapsed and views else views:
            self._questions.addWidget(view)

    @catalogue.spoken
    def call_for_answer(self) -> QuestionView | None:
        """Marks the first of what is asked, and gives the keyboard to its first answer; None when nothing is asked."""
        for view in self.findChildren(QuestionView):
            if not view.isHidden() and view.answer is not None:
                view.call_for_answer()
                view.answer.setFocus(Qt.FocusReason.OtherFocusReason)
                return view
        return None

    def _offer(self) -> None:
        """What would help, as buttons; an example of other words is sent as it stands."""
        if self.message.offers != self._offers:
            self._offers = self.message.offers
            clear(self._helps)
            self.offered = [self._offer_button(offer) for offer in self._offers]
            for button in self.offered:
                self._helps.addWidget(button)
        shown = str(self.ui.session.chosen) if self.ui.session.messages[-1:] == (self.message,) else ""
        for button, offer in zip(self.offered, self._offers, strict=True):
            button.setChecked(offer.action == "show" and offer.value == shown)

    def _offer_button(self, offer: Offer) -> ElidedButton:
        button = ElidedButton(self.worded(offer.text), kind="")
        button.setProperty("choice", True)
        button.setCheckable(offer.action == "show")  # the way that is shown is marked
        button.clicked.connect(lambda: self._take(offer))
        return button

    def _take(self, offer: Offer) -> None:
        session, calls = self.ui.session, self.ui.calls
        if offer.action == "ask":
            calls.later(session.ask(offer.value))
        elif offer.action in ("show", "way") and not session.busy and int(offer.value) < len(session.alternatives):
            calls.now(session.choose, int(offer.value))
            if offer.action == "way":
                self.ui.signals.run.emit()
        elif offer.action == "models":
            self.ui.signals.show_models.emit("")
        elif offer.action == "connect":
            self.ui.signals.show_settings.emit()

    def _offer_other(self) -> None:
        """After a failure, the next alternative as a button of the latest answer."""
        session = self.ui.session
        latest = session.messages and session.messages[-1].id == self.message.id
        index = session.next_way if self.message.kind == "answer" and latest and not self.message.streaming else None
        free = not session.busy and not session.run.running
        way = session.alternatives[index] if free and index is not None else None
        told = self.message.kind == "answer" and latest and not self.message.streaming and free
        unclear = mask_preview.unclear(session.workflow, session.tools, session.run) if told else None
        if (way, index, unclear) == self._offered:
            return
        self._offered = (way, index, unclear)
        clear(self._others)
        self.other = self.point = None
        if unclear is not None:
            self.point = Button(self.tr("Point at it"), "crosshair", "primary")
            self.point.clicked.connect(lambda: self.ui.signals.pick_port.emit(*unclear))
            self._others.addLayout(row(self.point, None))
        if way is not None and index is not None:
            title = self.tr("Try alternative {n}: {title}").format(
                n=index + 1, title=formatting.said(way.solution.title)
            )
            cost, kind = costs.of_alternative(way), "primary" if unclear is None else ""  # one default action
            self.other = ElidedButton(
                title, "corner-down-right", f"{formatting.said(way.solution.reason)} {cost}", kind
            )
            self.other.clicked.connect(self._try_other)
            self._others.addWidget(self.other)
            self._others.addWidget(label(cost, "caption", True))

    @property
    def _plan(self) -> int:
        """The id of the message of the plan that this is about, 0 for none."""
        before = [m for m in self.ui.session.messages if m.kind == "plan" and m.id <= self.message.id]
        return before[-1].id if before else 0

    def _come_back(self) -> None:
        self.ui.calls.now(self.ui.session.come_back, self._plan)

    def _try_other(self) -> None:
        """Shows the alternative, which is one undo step, and runs it."""
        session = self.ui.session
        index = session.next_way
        if index is not None and not session.busy:
            self.ui.calls.now(session.choose, index)
            self.ui.signals.run.emit()

    def _chips(self, start: int, end: int) -> list[NodeChip]:
        """Those of the characters from `start` to `end` of the text."""
        session = self.ui.session
        chips = []
        for reference in self.message.references:
            node = session.workflow.find(reference.node) if start < reference.end <= end else None
            if node is not None:
                tool = session.tools.get(node.tool)
                first = tool.outputs[0].type if tool and tool.outputs else None
                title = session.workflow.title_of(node.id, session.tools)
                chips.append(NodeChip(reference.end - start, node.id, title, first))
        return chips

    def _show_results(self, told: tuple[str, ...], names: tuple[str, ...]) -> None:
        """Those that the text tells can be kept as files, the others are seen."""
        clear(self._results)
        for one in map(self.ui.find, told if len(told) <= _MOST_LARGE else ()):
            if one is not None:
                self._results.addWidget(ToldResult(self.ui, one))
        found = [one for one in map(self.ui.find, names[:MOST_CARDS]) if one is not None]
        small = [one for one in found if one.type in _PICTURES]
        small = small if len(small) > _MOST_LARGE else []
        if small:
            self._results.addLayout(_sheet(self.ui, small))
        for one in found:
            if one not in small:
                self._results.addWidget(ResultCard(self.ui, one))
        if max(len(told), len(names)) > _MOST_LARGE:
            every = (*told, *names)
            save = Button(self.tr("Save all {n}…").format(n=f"{len(every):,}"), "download", small=True)
            save.clicked.connect(lambda: self.ui.signals.save_all.emit(every))
            self._results.addLayout(row(save, None))
        if len(names) > MOST_CARDS:
            left = self.tr("… and {n} more results, in the graph").format(n=f"{len(names) - MOST_CARDS:,}")
            self._results.addWidget(label(left, "caption", True))


class Aside(QWidget):
    """What lay on the way to an answer: one line, until it is unfolded. Hidden where there is nothing."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.fold = Button(self.tr("On the way"), "chevron-right", "quiet", small=True)
        self.fold.clicked.connect(self._toggle)
        self.text = MarkdownText()
        self.text.node_selected.connect(ui.signals.select_node)
        self.text.hide()
        stack(row(self.fold, None), self.text, parent=self, gap=4)
        self.hide()

    def show_text(self, text: str, chips: Sequence[NodeChip]) -> None:
        self.text.set_text(text, chips)
        self.setVisible(bool(text))

    def _toggle(self) -> None:
        self.text.setVisible(self.text.isHidden())
        self.fold.set_icon("chevron-right" if self.text.isHidden() else "chevron-down")


def _sheet(ui: UiContext, pictures: Sequence[Resource]) -> QGridLayout:
    """Small pictures side by side; a click opens one."""
    grid = QGridLayout()
    grid.setSpacing(px(6))
    for place, resource in enumerate(pictures):
        picture = Picture(ui, resource, 110, plate=False)
        picture.opened.connect(ui.signals.open_large)
        grid.addWidget(picture, place // _ACROSS, place % _ACROSS, Qt.AlignmentFlag.AlignTop)
    for column in range(_ACROSS):
        grid.setColumnStretch(column, 1)
    return grid


class RunMessage(MessageView):
    """The list of a run: live while it goes on, until there is an answer, which has it at its foot."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__(ui, message)
        self.list = RunList(ui)
        self.setLayout(row(self.list))

    @property
    def wanted(self) -> bool:
        for later in (m for m in self.ui.session.messages if m.id > self.message.id):
            if later.role == "user":
                break
            if later.kind == "run" or (later.kind == "answer" and later.run):
                return False
        return True

    @catalogue.spoken
    def show_run(self, latest: bool) -> None:
        """Shows how the run goes, or went. The `latest` of a conversation may not have begun yet."""
        session = self.ui.session
        run = session.ran(self.message.run)
        if run is not None and (run.running or self.list.shown is not run):
            self.list.show_run(run)
        elif run is None and not (latest and session.busy):
            self.list.show_unknown()


class ErrorMessage(MessageView):
    """What failed and what to do, with one button that tries again."""

    def __init__(self, ui: UiContext, message: Message) -> None:
        super().__init__(ui, message)
        frame = QFrame()
        frame.setAccessibleName(self.tr("Error: {text}").format(text=self.worded(message.text)))
        frame.setProperty("surface", "error")
        heading = label(self.worded(message.text), "heading", True)
        top = row(state_glyph("failed", side=16), heading, grow=1)
        column = stack(top, parent=frame, margins=(12, 10, 12, 12))
        if message.fix:
            column.addWidget(label(self.worded(message.fix), "secondary", True))
        self.again = Button(self.tr("Try again"), "refresh-cw", small=True)
        self.again.clicked.connect(self._try_again)
        column.addLayout(row(self.again, None))
        self.setLayout(row(frame))

    def _try_again(self) -> None:
        session = self.ui.session
        earlier = [m for m in session.messages if m.role == "user" and m.id < self.message.id]
        if earlier:
            self.ui.calls.later(session.ask(earlier[-1].text, earlier[-1].resources))
