"""What is asked in a conversation, and what becomes of the questions once they are answered."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.models import store
from desktop_app.plan.types import Plan, Question, Request
from desktop_app.services import mask_preview
from desktop_app.session import consent, fetching, limits
from desktop_app.session.answering import answer
from desktop_app.session.follow_up import Pending
from desktop_app.session.inputs import open_ports, wish_files
from desktop_app.session.inputs.open_ports import pictures_of, pointed_at, target_of, wants_the_same
from desktop_app.session.inputs.port_values import with_reply
from desktop_app.session.messages import Message
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.database import History
from nodes.api import HIDES
from nodes.phrase import Phrase, joined

_MOST_FILES = 8
"""So many files are offered for an input; another one can be attached."""


class QuestionController:
    """What is asked in a conversation, and what becomes of the questions once they are answered. `history` tells how
    long tools took.
    """

    def __init__(self, state: SessionState, tracker: RunTracker, history: History) -> None:
        self._state, self._tracker, self._history = state, tracker, history

    @store.one_look()
    def open(self) -> tuple[Question, ...]:
        """What the chosen workflow still needs: its planner's questions and every port that nobody filled."""
        graph = self._state.graph
        way = graph.alternatives[graph.chosen] if graph.chosen < len(graph.alternatives) else None
        return (*self.untold(), *self.about(graph.workflow, way.solution.questions if way is not None else ()))

    def untold(self) -> tuple[Question, ...]:
        """One for each step of which the run has shown that it has to be told which thing of its picture is meant."""
        workflow, tools, pictures = self._state.workflow, self._state.tools, self.pictures()
        found = []
        for node, name in mask_preview.untold(workflow, tools, self._tracker.shown):
            tool = tools[workflow.node(node).tool]
            port = tool.input(name)
            on = pointed_at(workflow, node, mask_preview.picture_port(tool, port), pictures) if port else ""
            if on:
                text = Phrase("It is not clear what is meant in {name}. Click on it.", name=on)
                found.append(Question(text, "point", (), node, name, on))
        return tuple(found)

    def about(self, workflow: Workflow, planned: Sequence[Question] = ()) -> tuple[Question, ...]:
        asked = open_ports.of(workflow, self._state.tools, self.pictures(), planned)
        worded = (self._otherwise(one, workflow) if one.text in self._state.asked_before else one for one in asked)
        return (*(self._with_files(question, workflow) for question in worded), *self.before_run(workflow))

    def _otherwise(self, question: Question, workflow: Workflow) -> Question:
        """The question in other words, with what an answer looks like."""
        target = target_of(question, workflow)
        port = self._state.tools[workflow.node(target[0]).tool].input(target[1]) if target else None
        about = open_ports.explained(port) if port is not None else ""
        again = Phrase("I still need to know: {question}", question=Phrase.of(question.text))
        return replace(question, text=joined(again, about, "Or tell me that you want something else."))

    def _with_files(self, question: Question, workflow: Workflow) -> Question:
        """A question for a file offers those of the user that fit and do not go into that node yet."""
        target = target_of(question, workflow)
        if question.kind != "file" or question.choices or target is None:
            return question
        port = self._state.tools[workflow.node(target[0]).tool].input(target[1])
        taken = {link.source for link in workflow.links_into(target[0])}
        own = (one for one in self._state.resources.values() if not one.made_by and one.name not in taken)
        return replace(question, choices=tuple(one.name for one in own if port and one.fits(port.type))[:_MOST_FILES])

    def before(self, asked: Sequence[Question]) -> tuple[str, ...]:
        """The nodes to run before all that is `asked` is told: what does not wait for it, and is not done yet. None
        where something else is asked than what goes into a port.
        """
        workflow = self._state.workflow
        steps = {question.step for question in asked if target_of(question, workflow) is not None}
        if not steps or not all(question.step in steps and question.port for question in asked):
            return ()
        done = {node for node, _ in self.pictures()}
        rest = set(workflow.ids()) - workflow.downstream(*steps) - workflow.idle() - done
        return tuple(sorted(rest))

    def about_consent(self, workflow: Workflow, upto: str | Collection[str] | None = None) -> tuple[Question, ...]:
        """One for each tool that reaches outside and may not yet; of those that run for `upto`."""
        return consent.questions(workflow, self._state.tools, self._state.agreed, consent.needed(workflow, upto))

    @store.one_look()
    def before_run(
        self, workflow: Workflow, upto: str | Collection[str] | None = None, again: Collection[str] = ()
    ) -> tuple[Question, ...]:
        """What has to be allowed and fetched before what runs for `upto`, with the nodes `again` afresh."""
        nodes = consent.needed(workflow, upto)
        fetch = fetching.question(workflow, self._state.tools, self._state.declined, nodes)
        return (*self.about_consent(workflow, upto), *fetch, *self._about_time(workflow, nodes, again))

    def _about_time(
        self, workflow: Workflow, nodes: Collection[str] | None, again: Collection[str]
    ) -> tuple[Question, ...]:
        state, shown = self._state, workflow is self._state.workflow
        if not settings.now().ask_minutes:
            return ()
        run = self._tracker.shown if shown else self._tracker.records.of(workflow)
        made = {id for id, node in run.nodes.items() if node.state == "done"} - set(again)
        expected = limits.estimate(workflow, state.tools, self._history, nodes, made, state.declined)
        return limits.question(expected, state.agreed.seconds)

    def pictures(self) -> dict[tuple[str, str], str]:
        return pictures_of(self._tracker.shown)

    def pending(self, text: str) -> Pending:
        """What the graph has yet to make, where the text is a wish that goes on from it, and the plan was no guess."""
        state = self._state
        guessed = state.plan is not None and any(one.kind == "confirm" for one in state.plan.questions)
        if guessed or not self.goes_on(text):
            return Pending()
        return Pending.of(state.workflow, state.tools, self._tracker.made, {*state.resources, *state.workflow.ids()})

    def request(
        self, text: str, names: tuple[str, ...], earlier: Sequence[Message], pending: Pending | None = None
    ) -> Request:
        """What the planner is asked. What is `pending` counts as the latest answer."""
        coming = pending or Pending()
        if coming.resources:
            earlier = (*earlier, Message(0, "assistant", "", "answer", tuple(coming.resources)))
        known = (*self._state.resources.values(), *coming.resources.values())
        resources = wish_files.present(known, self._state.workflow, {*names, *wish_files.told(earlier)}, text)
        left = wish_files.passed_over(
            resources,
            self._state.workflow,
            {**self._tracker.made, **coming.places},
            {*names},
            earlier,
            self.goes_on(text),
        )
        resources = [one for one in resources if one.name not in left or wish_files.is_spoken_of(one, text)]
        makers = {node.id: node.tool for node in self._state.workflow.nodes}
        return wish_files.request(text, names, earlier, resources, self._state.graph.points, makers)

    def goes_on(self, text: str) -> bool:
        """Whether the wish is for what the graph that is there makes."""
        return wish_files.goes_on(text, bool(self._state.workflow.doing(HIDES, self._state.tools)))

    def ask(self, missing: tuple[Question, ...]) -> None:
        """Asks, unless that is what was said last. Of what was asked so before, only the words stay."""
        log = self._state.log
        last = log.messages[-1] if log.messages else None
        if last is not None and last.open and last.questions == missing:
            return
        self._leave("text")
        log.say("assistant", joined(*(q.text for q in missing)), questions=missing, open=True)

    def leave_all(self) -> None:
        """Another graph takes the place of the present one: what was asked for that one is no longer open."""
        self._leave("text", "plan")

    def _leave(self, *kinds: str) -> None:
        log = self._state.log
        for message in log.messages:
            asked = message.questions if message.open and message.kind in kinds else ()
            if asked and all(question.port or fetching.told(question) for question in asked):
                log.replace(message, questions=message.answered, open=False, answered=())

    def ask_again(self) -> None:
        """What is open is asked as it is now; a picture to point at may have come."""
        self.close_answered()
        if not any(message.open for message in self._state.log.messages):
            self.ask(self.open())

    def reply(self, question: Question, text: str) -> None:
        """Answers a question that fills a port; anything else is a new request (use `ask`). Raises BadRequest."""
        self.reply_with(question, text, {})

    def reply_with(self, question: Question, text: str, more: Mapping[str, Any]) -> None:
        """As `reply`; `more` are values for other ports of the node, put in where nothing is linked. A text of ""
        leaves the question open.
        """
        state = self._state
        target = target_of(question, state.workflow)
        if target is None:
            raise BadRequest("This question is no longer open.", "Type your request again.")
        self.typed(text)
        workflow = with_reply(state.workflow, state.tools, *target, text, state.resources) if text else state.workflow
        linked = {link.port for link in workflow.links_into(target[0])}
        for name, value in more.items():
            workflow = workflow if name in linked else workflow.with_value(target[0], name, value)
        for other in self._of_the_same_file(question) if text else ():
            workflow = with_reply(workflow, state.tools, *other, text, state.resources)
        node, port = workflow.node(target[0]), target[1]
        for id in self._like(node.id, port) if port in node.values else ():
            workflow = workflow.with_value(id, port, node.values[port])
        state.change(workflow=workflow)
        self.close_answered()

    def _of_the_same_file(self, question: Question) -> list[tuple[str, str]]:
        """The other open inputs, each with its node, of which the plan asks which of the same files is meant."""
        graph, workflow = self._state.graph, self._state.workflow
        if graph.chosen >= len(graph.alternatives):
            return []
        missing = {(gap.node, gap.port.name) for gap in workflow.missing(self._state.tools)}
        planned = graph.alternatives[graph.chosen].solution.questions
        return [place for q in planned if wants_the_same(question, q) and (place := (q.step, q.port)) in missing]

    def _like(self, node: str, port: str) -> list[str]:
        """The other steps of the plan with the same tool of which that is not known either, nor asked apart."""
        graph, workflow = self._state.graph, self._state.workflow
        if graph.chosen >= len(graph.alternatives):
            return []
        solution = graph.alternatives[graph.chosen].solution
        steps = {step.id for step in solution.steps} & set(workflow.ids())
        known = {
            id for id in steps if port in workflow.node(id).values or workflow.node(id).tool != workflow.node(node).tool
        }
        known |= {link.target for link in workflow.links if link.port == port}
        return sorted(steps - known - {node} - {q.step for q in solution.questions if q.port == port})

    def typed(self, text: str) -> None:
        """The user wrote this: the addresses in it may be contacted."""
        self._agree(typed=self._state.agreed.typed | consent.addresses([text]))

    def allow(self, *tools: str) -> None:
        """The user agrees that these tools reach outside in this conversation."""
        self._agree(tools=self._state.agreed.tools | set(tools))
        self.close_answered()

    def agree_to(self, seconds: float) -> None:
        """Runs of that length are wanted in this conversation."""
        self._agree(seconds=max(seconds, self._state.agreed.seconds))
        self.close_answered()

    def allow_all(self) -> None:
        """The user agrees to whatever a run would ask, but for downloads."""
        self.agree_to(math.inf)
        self.allow(*self._state.tools, *consent.CONNECTED)

    def always_allow(self, tools: Iterable[str]) -> None:
        """These may do so in every conversation, but for what came from someone else."""
        self._agree(always=frozenset(tools))

    def distrust(self, source: str) -> None:
        """A file of that name came from someone else: what was agreed to in this conversation counts no more."""
        self._agree(source=source, tools=frozenset(), seconds=0.0)

    def _agree(self, **fields: Any) -> None:
        self._state.agreed = replace(self._state.agreed, **fields)

    def settle(self, question: Question) -> None:
        for message in self._state.log.messages:
            if message.open and question in message.questions:
                left = tuple(one for one in message.questions if one != question)
                self._state.log.replace(message, questions=left or message.questions, open=bool(left))

    def leave_run(self, question: Question) -> None:
        """The question was answered with no, and no run comes: what else would be asked before it is withdrawn."""
        for message in self._state.log.messages:
            others = {one for one in message.questions if fetching.told(one) and one != question}
            if message.open and others:
                left = tuple(one for one in message.questions if one not in others)
                self._state.log.replace(message, questions=left, open=bool(left))
        self.settle(question)

    @store.one_look()
    def close_answered(self) -> None:
        """What was asked and is no longer missing is no longer open."""
        log = self._state.log
        if not any(message.open for message in log.messages):
            return
        asked = self.open()
        for message in log.messages:
            if message.open and not any(question.kind == consent.FILES for question in message.questions):
                log.replace(self._asked_again(message, asked))

    @store.one_look()
    def reopen(self) -> None:
        """What an earlier message asked and is missing again, as after undo and redo, is asked there again."""
        log, asked = self._state.log, self.open()
        waiting = {_about(question) for message in log.messages if message.open for question in message.questions}
        for message in reversed(log.messages):
            held = {_about(question) for question in message.questions} - waiting
            again = tuple(question for question in asked if question.step and _about(question) in held)
            if again and not message.open:
                log.replace(self._asked_again(message, again))
                waiting |= held

    @store.one_look()
    def plan_text(self, plan: Plan, asked: Sequence[Question]) -> str:
        """What is said of the plan while that much is asked."""
        doubt = joined(self._state.unused(), *(one.text for one in plan.questions if one.kind == "confirm"))
        graph, tools = self._state.workflow, self._state.tools
        hindered = fetching.hindrance(graph, tools)
        doubt = joined(doubt, hindered.message, hindered.fix) if hindered is not None else doubt
        return answer.plan_text(graph, tools, plan.notice, len(asked), plan.left_out, doubt)

    def _asked_again(self, message: Message, asked: tuple[Question, ...]) -> Message:
        """An open message with what is still missing; what it said of the plan is said anew."""
        text = message.text
        if message.kind == "plan":
            plan = self._state.plan
            asked = (*(one for one in message.questions if not one.port and one.kind == "text"), *asked)
            text = self.plan_text(plan or Plan(()), asked)
        waiting = {_about(question) for question in asked}
        known = {_about(question): question for question in (*message.answered, *message.questions)}
        known = {about: one for about, one in known.items() if about not in waiting}
        if not asked:
            lapsed = not all(map(self._is_answered, known.values()))
            return replace(message, text=text, questions=(*known.values(),), open=False, lapsed=lapsed, answered=())
        answered = tuple(one for one in known.values() if one.port and self._is_answered(one))
        return replace(message, text=text, questions=asked, open=True, lapsed=False, answered=answered)

    def _is_answered(self, question: Question) -> bool:
        """False where what was asked is no longer wanted: its node went, or never got what it was about."""
        state = self._state
        node = state.workflow.find(question.step)
        if not question.step:
            return True
        if node is None or node.id in state.workflow.idle():
            return False
        if question.kind == consent.KIND:
            tool = state.tools.get(node.tool)
            return tool is not None and state.agreed.has(consent.key_of(tool, node.backend, node.values))
        if question.kind == fetching.KIND:
            return fetching.is_here(question) or set(question.resource.split()) <= set(state.declined)
        if question.kind == limits.KIND:
            return state.agreed.seconds >= float(question.resource)
        return True


def _about(question: Question) -> tuple[str, str, str]:
    """What is asked for, whatever it is called by now."""
    return question.kind, question.step, question.port
