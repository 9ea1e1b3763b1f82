"""A question of the planner in a message: choices to click, a picture to point at, a file to attach, a line to type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from desktop_app.graph.workflow import DOTS
from desktop_app.i18n import catalogue
from desktop_app.plan.types import Question
from desktop_app.session import consent, fetching, limits
from desktop_app.session.view import SessionView
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedButton, PushButton, label, mark, px, row, stack
from desktop_app.ui.widgets.download_view import DownloadsView
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import state_glyph
from desktop_app.ui.widgets.picture import Picture
from nodes.api import SECRET, Point, Port, ResourceType

_SHORT_UNIT = 2
"""Characters of a unit that stands on a chip: "1.5 x", "6 dB"."""


def point_for(question: Question, ui: UiContext) -> None:
    """Opens the picture: for a box, for every step that waits for clicks on it, or for the one that wants a mask."""
    node = ui.session.workflow.find(question.step)
    tool = ui.session.tools.get(node.tool) if node is not None else None
    port = tool.input(question.port) if tool is not None else None
    if question.kind == "box" or (port is not None and not port.picked_on):
        ui.signals.pick_port.emit(question.step, question.port)
    else:
        ui.signals.point_at.emit(question.resource)


class QuestionView(QFrame):
    """Reads from the workflow which choice is taken, so that an answered question shows and can change it."""

    def __init__(
        self, ui: UiContext, question: Question, open: bool, words: str, lapsed: bool = False, main: bool = True
    ) -> None:
        """`words` is its text as it is shown; where it `lapsed` no answer came, and none is taken any more. What
        answers the `main` one is the default action.
        """
        super().__init__()
        self._ui, self._question, self._words = ui, question, words
        self.language = catalogue.language()
        self._kind = "primary" if main else ""
        self.choices: list[PushButton] = []
        self.answer: QWidget | None = None
        """What takes the first answer, None when none is wanted."""
        column = self._column = stack(parent=self, margins=(0, 2, 0, 2))
        self._hint = label("", "caption", True)
        self._hint.hide()
        column.addWidget(self._hint)
        points = ui.session.points.get(question.resource, ())
        if lapsed:
            column.addWidget(label(words, "secondary", True))
            return
        pointed = question.kind == "point" and bool(points)
        waits = open and not pointed
        heading = label(words, "heading" if waits else "secondary", True)
        column.addLayout(row(state_glyph("input" if waits else "done", side=16), heading, grow=1))
        if pointed:
            column.addWidget(PointCard(ui, question.resource, points, lambda: point_for(question, ui)))
            return
        self._add_answers(column, open)
        if not open and not self.choices and (said := self._answer_said()):
            column.addWidget(label(said, "", True))

    def call_for_answer(self) -> None:
        """Says that nothing runs before this is answered, in a frame that is seen until it is."""
        self._hint.setText(self.tr("First answer this: the plan cannot run before."))
        self._hint.show()
        self._column.setContentsMargins(px(10), px(8), px(10), px(10))
        mark(self, "surface", "accent")

    def _add_answers(self, column: QVBoxLayout, open: bool) -> None:
        question = self._question
        changeable = open or taken_by(self._ui.session, question) is not None
        if question.choices and changeable:
            column.addLayout(self._make_choices(open))
        if question.kind == fetching.KIND:
            coming = DownloadsView(self._ui.session.downloads, question.resource.split(), self._get)
            coming.begun.connect(self._hide_choices)
            column.addWidget(coming)
            if coming.rows:
                self._hide_choices()
        if not open:
            return
        if question.kind in ("point", "box"):
            column.addLayout(row(self._point_button(), None))
        elif question.kind == "file":
            self.attach = Button(self.tr("Attach a file"), "paperclip", "" if self.choices else self._kind)
            self.attach.clicked.connect(lambda: self._ui.signals.pick_files.emit(self._attached))
            self.answer = self.choices[0] if self.choices else self.attach
            typed = [self._make_line()] if self._takes_text() else []
            column.addLayout(row(self.attach, *typed, None))
        elif question.kind == "text" and (not question.choices or self._offered()):
            column.addLayout(self._make_line())
            self.answer = self.choices[0] if self.choices else self.line
        elif self.choices:
            self.answer = self.choices[-1 if question.kind in (consent.KIND, consent.FILES, limits.KIND) else 0]

    def _point_button(self) -> Button:
        question, signals = self._question, self._ui.signals
        if question.kind == "box":
            self.point = Button(self.tr("Draw a box"), "crosshair", self._kind)
            self.point.clicked.connect(lambda: point_for(question, self._ui))
        elif question.resource:
            self._ui.session.warm_masks()  # by the time it is pressed: what finds masks takes a second to start
            self.point = Button(self.tr("Point at it"), "crosshair", self._kind)
            self.point.clicked.connect(lambda: point_for(question, self._ui))
        else:
            self.point = Button(self.tr("Make the picture, then point"), "play-solid", self._kind)
            self.point.clicked.connect(signals.run)
        self.answer = self.point
        return self.point

    def _answer_said(self) -> str:
        """What was answered, "" where that is not a value, or a file, of the port."""
        workflow, question = self._ui.session.workflow, self._question
        linked = [link.source for link in workflow.links_into(question.step) if link.port == question.port]
        if linked:
            return ", ".join(name for name in linked if workflow.resource(name) is not None)
        taken = taken_by(self._ui.session, question)
        return str(taken) if isinstance(taken, str | int | float) and not isinstance(taken, bool) else ""

    def _takes_text(self) -> bool:
        """True where what a file is asked for can be typed as well."""
        session, question = self._ui.session, self._question
        node = session.workflow.find(question.step)
        port = session.tools[node.tool].input(question.port) if node and node.tool in session.tools else None
        return port is not None and port.type is ResourceType.TEXT and not question.choices

    def _offered(self) -> Port | None:
        """The number of which the choices are only some; None where one of them has to be taken."""
        session, question = self._ui.session, self._question
        node = session.workflow.find(question.step)
        port = session.tools[node.tool].input(question.port) if node and node.tool in session.tools else None
        return port if port is not None and port.type is ResourceType.NUMBER else None

    def _make_choices(self, open: bool) -> FlowLayout:
        flow = FlowLayout(px(8))
        number = self._offered()
        taken = taken_by(self._ui.session, self._question) if not (number and open) else None
        known = f"{taken:g}" if number and isinstance(taken, int | float) else str(taken)
        for choice in self._question.choices:
            chip = ElidedButton(self._with_unit(choice, number) if number else catalogue.choice(choice), kind="")
            chip.setProperty("value", choice)
            chip.setProperty("choice", True)
            chip.setCheckable(True)
            chip.setChecked(known == choice)
            chip.clicked.connect(lambda _, text=choice: self._reply(text))
            self.choices.append(chip)
            flow.addWidget(chip)
        return flow

    def _with_unit(self, choice: str, number: Port) -> str:
        """A number as it stands on a chip; where few know the unit, with what it means."""
        meaning = {
            "-12 dB": self.tr("much quieter"), "-6 dB": self.tr("quieter"), "6 dB": self.tr("louder"),
            "12 dB": self.tr("much louder"), "-23 LUFS": self.tr("as loud as radio"),
            "-16 LUFS": self.tr("as loud as podcasts"), "-14 LUFS": self.tr("as loud as music online"),
        }.get(f"{choice} {number.unit}", "")  # fmt: skip
        unit = f" {number.unit}" if meaning or 0 < len(number.unit) <= _SHORT_UNIT else ""
        return f"{meaning} ({choice}{unit})" if meaning else f"{choice}{unit}"

    def _make_line(self) -> Any:
        self.line = QLineEdit(placeholderText=self.tr("Your answer"))
        self.line.setAccessibleName(self._words)
        if self._question.port == SECRET:
            self.line.setEchoMode(QLineEdit.EchoMode.Password)
        send = Button(self.tr("Answer"), "corner-down-left", self._kind)
        for signal in (self.line.returnPressed, send.clicked):
            signal.connect(self._answer_typed)
        return row(self.line, send, grow=0)

    def _reply(self, text: str) -> None:
        for chip in self.choices:
            chip.setChecked(chip.property("value") == text)
        calls, session, question = self._ui.calls, self._ui.session, self._question
        answers = {
            consent.KIND: session.answer_consent, fetching.KIND: session.answer_fetch, limits.KIND: session.answer_time,
            consent.FILES: session.answer_files,
        }  # fmt: skip
        if question.kind in answers:
            calls.later(answers[question.kind](question, text))
        elif question.port:
            calls.now(session.reply, question, text)
        else:
            calls.later(session.ask(text))

    def _hide_choices(self) -> None:
        """Whether it is wanted is not asked while it comes."""
        for chip in self.choices:
            chip.hide()

    def _answer_typed(self) -> None:
        text, question = self.line.text().strip(), self._question
        if text and question.port:
            self._ui.calls.later(self._ui.session.respond(question, text))
        elif text:
            self._reply(text)

    def _get(self, _: str) -> None:
        """Goes on with what was paused, or tries again what failed; whoever waits for it goes on by itself."""
        self._ui.calls.later(self._ui.session.answer_fetch(self._question, fetching.GET))

    @catalogue.spoken
    def _attached(self, paths: Sequence[Path]) -> None:
        words = self.attach.text().strip()
        self.attach.setEnabled(False)
        self.attach.set_words(self.tr("Attaching…"))
        self._ui.calls.later(self._bring(paths, words))

    async def _bring(self, paths: Sequence[Path], words: str) -> None:
        ui, question = self._ui, self._question
        for resource in await ui.bring(paths):
            if question.port:
                ui.calls.now(ui.session.reply, question, resource.name)
            else:
                await ui.session.ask(resource.name, (resource.name,))
        if shiboken6.isValid(self.attach):
            self.attach.setEnabled(True)
            self.attach.set_words(words)


class LapsedQuestions(QWidget):
    """Questions that are no longer asked: one line, until it is unfolded."""

    def __init__(self, views: Sequence[QuestionView]) -> None:
        super().__init__()
        self.fold = Button(self.tr("This is no longer asked."), "chevron-right", "quiet", small=True)
        self.fold.clicked.connect(self._toggle)
        self.views = tuple(views)
        for view in self.views:
            view.hide()
        stack(row(self.fold, None), *self.views, parent=self, gap=4)

    def _toggle(self) -> None:
        folded = not self.views[0].isHidden()
        for view in self.views:
            view.setVisible(not folded)
        self.fold.set_icon("chevron-right" if folded else "chevron-down")


def taken_by(session: SessionView, question: Question) -> Any:
    """What the port that the question is about holds now, as it may be shown, or its default; None when nothing or
    unknown."""
    node = session.workflow.find(question.step)
    tool = session.tools.get(node.tool) if node else None
    port = tool.input(question.port) if tool else None
    if node is None or port is None:
        return None
    held = node.values.get(port.name, None if port.required else port.default)
    return DOTS if port.secret and held else held


class PointCard(QFrame):
    """The clicks on a picture, with a button to `change` them."""

    def __init__(self, ui: UiContext, name: str, points: tuple[Point, ...], change: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        included = sum(p.include for p in points)
        one = self.tr("1 point") if len(points) == 1 else self.tr("{n} points").format(n=len(points))
        both = self.tr("{n} in, {m} out").format(n=included, m=len(points) - included)
        text = stack(label(one, "heading"), label(both, "caption"), gap=0)
        self.edit = Button(self.tr("Edit"), small=True, tip=self.tr("Change the points on {name}").format(name=name))
        self.edit.clicked.connect(change)
        picture = _picture(ui, name, points)
        before = (picture,) if picture is not None else ()
        row(*before, text, self.edit, gap=10, margins=(8, 8, 10, 8), grow=len(before), parent=self)


def _picture(ui: UiContext, name: str, points: tuple[Point, ...]) -> QWidget | None:
    resource = ui.find(name)
    if resource is None or not ui.thumbnails.has_picture(resource):
        return None
    made = Picture(ui, resource, 54, plate=False)
    made.setFixedSize(px(80), px(54))
    made.set_points(points)
    made.setToolTip(formatting.caption_of(resource))
    made.opened.connect(ui.signals.open_large)
    return made
