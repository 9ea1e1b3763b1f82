"""What was asked last, what led to it, and what becomes of it when the answer is none: a wish of its own, a complaint,
a refusal. Plans nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.replying.reply_words import COMPLAINT, VALUE, Asked, Reply
from desktop_app.plan.types import Given, PortSpec, Question, Solution
from desktop_app.session.inputs import wish_files
from desktop_app.session.inputs.open_ports import target_of
from desktop_app.session.messages import Message, Offer, waiting
from desktop_app.session.questions import QuestionController
from desktop_app.session.state import SessionState
from desktop_app.session.undo import UndoController
from nodes.api import ResourceType

_HANDING = ("handed", "filler", "picture", "address", "all", "instead", "mean", "greeting", "thanks")
_QUESTION = re.compile("[?？]")
_BRIEF = 6
"""Words of a reply that says no more than which file."""


@dataclass(frozen=True)
class Origin:
    """What a question came of: the `wish` and its files, the tools that it was planned without, and the number of
    messages before it was first spoken of.
    """

    wish: str = ""
    files: tuple[str, ...] = ()
    avoided: tuple[str, ...] = ()
    before: int = 0


@dataclass(frozen=True)
class Awaited:
    """A question that waits for words, with the tool and the input that it is about ("" for neither), and whether the
    graph cannot run without the answer.
    """

    question: Question
    tool: str
    needed: bool
    origin: Origin

    def asks(self, solution: Solution) -> bool:
        """Whether a way would ask for the same again."""
        tools = {step.id: step.tool for step in solution.steps}
        own, typed = (self.tool, self.question.port), self.question.kind in ("text", "file")
        return bool(self.tool) and typed and any((tools.get(q.step, ""), q.port) == own for q in solution.questions)


class ReplyController:
    """Over one session. `changes` takes back what a plan has made."""

    def __init__(self, state: SessionState, questions: QuestionController, changes: UndoController) -> None:
        self._state, self._questions, self._changes = state, questions, changes
        self._origins: dict[tuple[str, int], Origin] = {}

    def remember(self, message: Message, origin: Origin) -> None:
        """The questions of the message came of that."""
        self._origins[self._state.id, message.id] = origin

    def awaited(self, question: Question | None = None) -> Awaited | None:
        """The question that waits: this one, or the first of the latest message with some; None where none does."""
        log = self._state.log
        message = waiting(log.messages)
        if question is not None:
            message = next((one for one in reversed(log.messages) if one.open and question in one.questions), message)
        if message is None or message.kind == "step":
            return None
        spoken = [one for one in message.questions if one.kind == "text" or target_of(one, self._state.workflow)]
        if question is None and not spoken:
            return None
        asked = question or next(filter(self.is_typed, spoken), spoken[0])
        target = target_of(asked, self._state.workflow)
        tool = self._state.workflow.node(target[0]).tool if target else ""
        missing = {(gap.node, gap.port.name) for gap in self._state.workflow.missing(self._state.tools)}
        return Awaited(asked, tool, target in missing, self._origin(message))

    def is_typed(self, question: Question) -> bool:
        """Whether it can be answered in words."""
        target = target_of(question, self._state.workflow)
        if target is None or question.kind != "file":
            return question.kind == "text" and target is not None
        tool = self._state.tools[self._state.workflow.node(target[0]).tool]
        port = tool.input(target[1])
        return port is not None and port.type is ResourceType.TEXT and not question.choices

    def file_meant(self, awaited: Awaited, text: str) -> str:
        """Which of the files that are offered a short reply names, by its name or its place; "" for none."""
        from desktop_app.plan.language.file_choice import files_meant  # here: the first window does without

        question, resources = awaited.question, self._state.resources
        offered = [Given(name, str(resources[name].type)) for name in question.choices if name in resources]
        if question.kind != "file" or not target_of(question, self._state.workflow) or len(text.split()) > _BRIEF:
            return ""
        found = files_meant(text, offered)
        return found[0] if len(found) == 1 else ""

    def asked(self, awaited: Awaited, direct: bool = False) -> Asked:
        """What the planner is told of the question, with the files of the user; `direct` as Asked has it."""
        from desktop_app.plan.arguments.marked_text import names_columns  # here: the first window does without

        own = (one for one in self._state.resources.values() if not one.made_by)
        files = tuple(Given(one.name, str(one.type)) for one in own)
        if not self.is_typed(awaited.question):
            return Asked(files=files, direct=direct)
        tool = self._state.tools.get(awaited.tool)
        port = tool.input(awaited.question.port) if tool else None
        closed = port is not None and names_columns(PortSpec(port.name, str(port.type), port.doc))
        return Asked(awaited.tool, awaited.question.port, files, direct, awaited.question.choices if closed else ())

    def fits(self, awaited: Awaited, reply: Reply) -> bool:
        """False for a value which is none of the choices that are offered."""
        port = self._state.tools[awaited.tool].input(awaited.question.port) if awaited.tool else None
        text = reply.text.strip().lower()
        return reply.kind != VALUE or port is None or not port.choices or text in map(str.lower, port.choices)

    def brought(self, awaited: Awaited, text: str, files: Sequence[str]) -> Origin | None:
        """What is to be planned where files come with a reply: the wish again for these, where a file was asked for and
        nothing else is said; a question by itself, where it speaks of nothing that was there before. None for the rest:
        it may go on from what was asked about.
        """
        asked, target = awaited.question, target_of(awaited.question, self._state.workflow)
        if asked.kind == "file" and target is not None and not MessageWords(text).left(_HANDING):
            self.withdraw(awaited)
            return replace(awaited.origin, files=(*awaited.origin.files, *files))
        if awaited.needed and _QUESTION.search(text) and not wish_files.speaks_of_it(text):
            self.withdraw(awaited)
            return replace(awaited.origin, wish=text, files=tuple(files), avoided=())
        return None

    def handed(self, awaited: Awaited, files: Sequence[str]) -> Origin | None:
        """The wish again for the files that come with words of no wish, where these are what it lacks."""
        target, resources = target_of(awaited.question, self._state.workflow), self._state.resources
        port = self._state.tools[awaited.tool].input(target[1]) if target is not None else None
        if port is None or port.choices or not awaited.needed or not all(resources[f].fits(port.type) for f in files):
            return None
        self.withdraw(awaited)
        return replace(awaited.origin, files=(*awaited.origin.files, *files))

    def _origin(self, message: Message) -> Origin:
        """Of a question of an earlier start of the program: the words and files of the request before it."""
        known = self._origins.get((self._state.id, message.id))
        if known is not None:
            return known
        before = [place for place, one in enumerate(self._state.log.messages) if one.role == "user"]
        place = next((place for place in reversed(before) if self._state.log.messages[place].id < message.id), 0)
        spoken = self._state.log.messages[place]
        return Origin(self._state.graph.wish or spoken.text, spoken.resources, before=place)

    def anew(self, awaited: Awaited, reply: Reply) -> Origin:
        """Withdraws what was asked about; what is to be planned instead: the wish that the reply is, or after a
        complaint the first one again, without the tool that was the wrong one.
        """
        self.withdraw(awaited)
        origin, complains = awaited.origin, reply.kind == COMPLAINT
        wrong = (awaited.tool,) if awaited.tool and complains else ()
        return replace(origin, wish=origin.wish if complains else reply.text, avoided=(*origin.avoided, *wrong))

    def close(self, awaited: Awaited) -> None:
        """No answer is taken any more where the question stands; what was told of that plan there stays as it is."""
        log = self._state.log
        for message in log.messages:
            if message.open and awaited.question in message.questions:
                log.replace(message, open=False, lapsed=True)

    def withdraw(self, awaited: Awaited) -> None:
        """Nobody answers: the plan that cannot run without is taken back, and the question is closed."""
        step = awaited.question.step
        if awaited.needed:
            self.close(awaited)
        while awaited.needed and step in self._state.workflow.ids() and self._state.history.done:
            self._changes.undo()
        self._questions.leave_all()

    def other_ways(self) -> tuple[Offer, ...]:
        """The other ways of the plan that is shown."""
        graph = self._state.graph
        titles = [way.solution.title for way in graph.alternatives]
        return tuple(Offer(title, "show", str(n)) for n, title in enumerate(titles) if n != graph.chosen)

    def asked_again(self, before: Sequence[str]) -> bool:
        """Notes which of the questions that are open now were asked just `before`, word for word: these are put in
        other words from now on. Returns whether there are any.
        """
        now = {q.text for q in self._questions.open() if q.kind in ("text", "file")}
        self._state.asked_before = frozenset(now & {*before})
        return bool(self._state.asked_before)
