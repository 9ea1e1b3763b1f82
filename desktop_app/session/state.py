"""What a conversation holds, and who hears that it changed. Must not know who works on it, nor how."""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Tally
from desktop_app.plan.types import Plan
from desktop_app.session.consent import Consent
from desktop_app.session.follow_up import free_names
from desktop_app.session.messages import Alternative, Change, Message, MessageLog, brought_last
from desktop_app.storage.resources import Resource
from nodes.api import Point, Tool
from nodes.phrase import Phrase, listed

Held = tuple[str | Collection[str] | None, Collection[str]]
"""What a run was asked for: `upto` and `again` of RunController.start."""
PLANNING, IMPROVING = Phrase("Planning"), Phrase("Improving the plan")
CHOOSING, RUNNING = Phrase("Choosing a step"), Phrase("Running")
"""What a session is busy with. Improving: a draft is shown, and a language model is asked."""
STOPPABLE = (RUNNING, CHOOSING, IMPROVING)


@dataclass(frozen=True)
class StepSettings:
    """`on`: every request goes step by step. A request ends after `steps`, `seconds` of work, or `tokens`. `approve`
    asks before each step.
    """

    on: bool = False
    steps: int = 12
    seconds: float = 300.0
    tokens: int = 20_000
    approve: bool = False


@dataclass(frozen=True)
class GraphState:
    """What one action changes and undo takes back. `points` are the clicks by resource name. `wish` is the request of
    which the alternatives came, `edits` what was said since to change the graph; `saved_as` the name, the ending or
    both under which the results are saved.
    """

    workflow: Workflow = field(default_factory=Workflow)
    chosen: int = 0
    alternatives: tuple[Alternative, ...] = ()
    points: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    wish: str = ""
    saved_as: str = ""
    edits: tuple[str, ...] = ()


@dataclass
class UndoStack:
    """The present state and those before and after it. States are values, so a step costs a reference."""

    state: GraphState = field(default_factory=GraphState)
    undone: tuple[GraphState, ...] = ()
    """The states that `redo` brings back, the next one last."""
    done: tuple[GraphState, ...] = ()
    """The states that `undo` brings back, the latest last."""

    def change(self, state: GraphState) -> bool:
        """Goes on to `state`; False when that is where we are."""
        if state == self.state:
            return False
        self.done, self.undone, self.state = (*self.done, self.state), (), state
        return True

    def undo(self) -> bool:
        """Takes the last change back; False when there is none."""
        if not self.done:
            return False
        self.undone, self.state, self.done = (*self.undone, self.state), self.done[-1], self.done[:-1]
        return True

    def redo(self) -> bool:
        """Makes the change that was taken back; False when there is none."""
        if not self.undone:
            return False
        self.done, self.state, self.undone = (*self.done, self.state), self.undone[-1], self.undone[:-1]
        return True


class SessionState:
    """One conversation, and after `clear` another one, with another `id`: who goes on with work for the one before
    sees by that that it was left. Its `log`, `history` and `tally` are new ones then.

    `busy` is "" or what goes on ("Planning"). `tally` adds up what language models cost. `used_ids` are all that a
    node of the conversation ever had: none is given to another one. `failed_ways` are the alternatives whose runs
    failed, `begun` says that the user did something in it, be it still on its way, `declined` the ids of models that
    the user does not want to fetch, `aside` is the alternative that runs without being shown; `held` is the run that
    waits for a word of the user. `plans` has by message what each plan of this session made, `asked_before` the
    questions that are asked a second time and therefore in other words.
    """

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self.steps = StepSettings()
        self.agreed = Consent()
        self._listeners: list[Callable[[Change], None]] = []
        self.clear()

    def clear(self) -> None:
        """Begins an empty conversation. What the settings say stays; nobody is told."""
        self.id = uuid.uuid4().hex
        self.title = self.busy = ""
        self.begun = False
        self.resources: dict[str, Resource] = {}
        self.plan: Plan | None = None
        self.history = UndoStack()
        self.plans: dict[int, GraphState] = {}
        self.asked_before: frozenset[str] = frozenset()
        self.tally = Tally()
        self.agreed = Consent(always=self.agreed.always)
        self.used_ids: set[str] = set()
        self.declined: frozenset[str] = frozenset()
        self.failed_ways: frozenset[int] = frozenset()
        self.aside: int | None = None
        self.held: Held | None = None
        self.fill_log(())

    def fill_log(self, messages: tuple[Message, ...]) -> None:
        """Another log takes the place of this one, with these messages; nobody is told."""
        self.log = MessageLog(lambda: self.emit(Change.MESSAGES), messages)

    # Who hears of it

    def listen(self, listener: Callable[[Change], None]) -> None:
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Calls none of them any more: their window is gone."""
        self._listeners.clear()

    def emit(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)

    def set_busy(self, busy: str) -> None:
        self.busy = busy
        self.emit(Change.BUSY)

    @contextlib.contextmanager
    def work(self, busy: str, change: Change = Change(0)) -> Iterator[None]:
        """Says what goes on, and when it ends that `change` came of it. An AppError is told in the chat. Nothing is
        told once another conversation is shown.
        """
        mine = self.id
        self.set_busy(busy)
        try:
            yield
        except AppError as error:
            if mine == self.id:
                self.log.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            if mine == self.id:
                self.set_busy("")
                if change:
                    self.emit(change)

    # What is shown

    @property
    def graph(self) -> GraphState:
        """The present state of what undo takes back."""
        return self.history.state

    @property
    def workflow(self) -> Workflow:
        return self.graph.workflow

    def change(self, **fields: Any) -> None:
        """Goes on to the present state with these fields of GraphState changed: one undo step."""
        before = self.graph
        if self.history.change(replace(before, **fields)):
            self.note_ids(self.graph)
            same = before.alternatives is self.graph.alternatives
            self.emit(Change.WORKFLOW if same else Change.WORKFLOW | Change.PLAN)

    def amend(self, workflow: Workflow) -> None:
        """Another workflow without an undo step of its own."""
        self.history.state = replace(self.graph, workflow=workflow)
        self.note_ids(self.graph)
        self.emit(Change.WORKFLOW)

    def revalue(self, ways: tuple[Alternative, ...]) -> None:
        """The same alternatives at other costs: no undo step. The caller tells that the plan changed."""
        self.history.state = replace(self.graph, alternatives=ways)

    def note_ids(self, *states: GraphState) -> None:
        """The ids of these graphs are used from now on."""
        for state in states:
            for workflow in (state.workflow, *(way.workflow for way in state.alternatives)):
                self.used_ids.update(workflow.ids())

    # Files and results

    def find(self, name: str) -> Resource | None:
        """The resource of that name: attached, in the workflow, or made by the run."""
        return self.resources.get(name) or self.workflow.resource(name)

    def known(self) -> Mapping[str, Resource]:
        """What each name of a resource stands for."""
        return {**{r.name: r for r in self.workflow.resources}, **self.resources}

    def unused(self) -> str:
        """Says which of the files that came with the wish no step takes; "" where all are taken, the wish names those
        that it is for, or it is asked which one is meant.
        """
        graph, files, wish = self.graph, brought_last(self.log.messages), self.log.last_request()
        taken = {link.source for link in graph.workflow.links}
        left = [name for name in files if name not in taken]
        ways = graph.alternatives[graph.chosen : graph.chosen + 1]
        asked = any(question.kind == "file" for way in ways for question in way.solution.questions)
        if not ways or not left or asked or any(_is_named(name, wish) for name in files):
            return ""
        return Phrase("The plan does not use {files}.", files=listed(left))

    def hold(self, resource: Resource) -> Resource:
        """Adds the resource, under a name of its own; the one that is there where that is the same."""
        same = self.resources.get(resource.name)
        if same is not None and same.contents == resource.contents:
            return same
        taken = {*self.resources, *self.used_ids}
        resource = replace(resource, name=unused_name(resource.name, taken.__contains__, NUMBERED_FILE))
        self.resources = {**self.resources, resource.name: resource}
        self.emit(Change.RESOURCES)
        return resource

    def admit(self, workflow: Workflow) -> Workflow:
        """A workflow with what came in from outside, such as what was pasted: its files are of the conversation now,
        under names of their own.
        """
        before = frozenset(self.workflow.resources)
        if all(resource in before for resource in workflow.resources):
            return workflow
        workflow = workflow.with_names(free_names(workflow, self.known(), self.used_ids | set(workflow.ids())))
        self.resources = {**self.resources, **{r.name: r for r in workflow.resources if r not in before}}
        self.emit(Change.RESOURCES)
        return workflow


def _is_named(file: str, text: str) -> bool:
    """Whether the text speaks of the file by its name, with or without the ending."""
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(file.rpartition('.')[0] or file)}(?![a-z0-9])", text, re.I))
