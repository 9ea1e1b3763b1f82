"""What a session holds: messages, resources, the plan in its states, questions, undo; and who hears of changes.

The session is built up in files that each add a group of verbs: core, marks, runs, plans, session.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import home
from desktop_app.core.values import NUMBERED_FILE, several, unused_name
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.plan.types import Plan, Question, Solution
from desktop_app.run.events.run_record import Run
from desktop_app.run.maintenance import Upkeep
from desktop_app.session import answer, consent, questions
from desktop_app.session.follow_up import free_names
from desktop_app.session.messages import Alternative, Change, Message, Talk
from desktop_app.session.plan_task import Planning
from desktop_app.session.run_tracker import Running
from desktop_app.session.stepwise.loop import Stepping
from desktop_app.session.stepwise.turn import StepSettings
from desktop_app.session.undo import Edits, State
from desktop_app.storage.resources import Resource, Store, attach
from nodes.api import Point, Tool
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.planner import Planner
    from desktop_app.run.engine import Engine
    from desktop_app.services.mask_preview import MaskFinder
    from desktop_app.storage.database import History


class Core:
    """The fields, the questions and the steps of undo. `Session` is the whole."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        planner: Planner,
        engine: Engine,
        store: Store,
        history: History,
        chat: ChatModel | None = None,
        masks: MaskFinder | None = None,
        upkeep: Upkeep | None = None,
    ) -> None:
        self.tools = tools
        self.upkeep = upkeep or Upkeep(engine)
        self._planner = planner
        self._planning = Planning()
        self._running = Running(engine, tools, self._known, self._check_consent)
        self.agreed = consent.Consent()
        self._store = store
        self._history = history
        self._chat = chat
        self._masks = masks
        self._listeners: list[Callable[[Change], None]] = []
        self.steps = StepSettings()
        self._talk, self._edits = Talk(lambda: None), Edits()
        self._stepping = self._make_stepping()
        self._clear()

    def _clear(self) -> None:
        self._stepping.leave()
        self._planning.stop()
        self._planning = Planning()
        self.id = uuid.uuid4().hex
        self.resources: dict[str, Resource] = {}
        self.plan: Plan | None = None
        self.busy = ""
        self.title = ""
        self._edits = Edits()
        self.agreed = consent.Consent(always=self.agreed.always)
        self._held: tuple[Any, ...] | None = None
        self._failed_ways: frozenset[int] = frozenset()
        self._aside: int | None = None
        self._ids: set[str] = set()
        """Every id that a node of this conversation has had: none is given to another node."""
        self._talk = Talk(lambda: self._tell(Change.MESSAGES))
        self._running.forget()
        self._stepping = self._make_stepping()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages, in order."""
        return self._talk.messages

    @property
    def workflow(self) -> Workflow:
        """The graph that is shown and would run."""
        return self._edits.state.workflow

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The ways that the planner found, best first."""
        return self._edits.state.alternatives

    @property
    def chosen(self) -> int:
        """The index of the alternative that is shown."""
        return self._edits.state.chosen

    @property
    def points(self) -> Mapping[str, tuple[Point, ...]]:
        """The clicks by resource name."""
        return self._edits.state.points

    @property
    def run(self) -> Run:
        """The record of the latest run, as it stands to the graph: what would come to something else now is out of
        date. What came of a run at its time is told by `ran`.
        """
        return self._running.seen(self.workflow)

    def ran(self, id: str) -> Run | None:
        """The run of that id as it went, whatever became of the graph; None when it is no longer known."""
        return self._running.ran(id)

    @property
    def going(self) -> Run:
        """The run that goes on, be it of another alternative than the one shown; else the latest."""
        aside = self._running.aside_run
        return aside if aside.running else self.run

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Calls the listener with what changed, from now on."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Calls none of them any more: their window is gone."""
        self._listeners.clear()

    def use(self, planner: Planner, chat: ChatModel | None) -> None:
        """Plans with that planner, and words answers with that language model, from the next request on."""
        self._planner, self._chat = planner, chat

    def use_steps(self, steps: StepSettings) -> None:
        """Goes step by step as these settings say, from the next request on."""
        self.steps = steps

    def path_of(self, resource: Resource) -> Path:
        """The file of a resource. Raises StorageError when it is gone."""
        return self._store.path_of(resource)

    @property
    def store(self) -> Store:
        """Where the files of resources are."""
        return self._store

    @property
    def recording(self) -> Path | None:
        """The file in which the latest run is recorded, or None when nothing ran; it may be gone."""
        return home() / "runs" / f"{self.run.id}.jsonl" if self.run.id else None

    def value_of(self, resource: Resource) -> object:
        """The decoded value of a resource, as nodes.api describes it. Raises StorageError or NodeError."""
        return self._store.value(resource)

    def find(self, name: str) -> Resource | None:
        """The resource of that name: attached, in the workflow, or made by the run."""
        return self.resources.get(name) or self.workflow.resource(name)

    @property
    def spent(self) -> Spent:
        """The tokens that planning and answering have cost in this conversation."""
        return self._planning.tally.spent

    @property
    def language_model(self) -> str:
        """The name of the language model that plans and answers, "" when there is none or it has no name."""
        return self._chat.name if self._chat is not None else ""

    def attach(self, path: Path) -> Resource:
        """A file as a resource of the conversation. Raises BadRequest or StorageError. Waits for the disk."""
        return self._hold(attach(path, self._store))

    async def bring(self, path: Path) -> Resource:
        """As `attach`, with the work on the file done on a thread."""
        mine = self.id
        resource = await asyncio.to_thread(attach, path, self._store)
        if mine != self.id:
            raise BadRequest(
                Phrase("{path} was not attached: another conversation is open.", path=path.name), "Attach it again."
            )
        return self._hold(resource)

    def _hold(self, resource: Resource) -> Resource:
        same = self.resources.get(resource.name)
        if same is not None and same.digest == resource.digest:
            return same
        taken = {*self.resources, *self._ids}
        resource = replace(resource, name=unused_name(resource.name, taken.__contains__, NUMBERED_FILE))
        self.resources = {**self.resources, resource.name: resource}
        self._tell(Change.RESOURCES)
        return resource

    def questions(self) -> tuple[Question, ...]:
        """What the chosen workflow still needs: its planner's questions and every port that nobody filled."""
        planned = ()
        if self.alternatives and self.chosen < len(self.alternatives):
            planned = self.alternatives[self.chosen].solution.questions
        asked = questions.of(self.workflow, self.tools, self._pictures(), planned)
        return (*asked, *consent.questions(self.workflow, self.tools, self.agreed))

    def _check_consent(self, workflow: Workflow, upto: str | Collection[str] | None) -> None:
        """Raises BadRequest when a tool would reach outside to which the user has not agreed."""
        asked = consent.questions(workflow, self.tools, self.agreed, consent.needed(workflow, upto))
        if asked:
            raise BadRequest(joined(*(question.text for question in asked)), "Run it, and answer the question.")

    def allow(self, *tools: str) -> None:
        """The user agrees that these tools reach outside in this conversation."""
        self.agreed = replace(self.agreed, tools=self.agreed.tools | set(tools))
        self._close_questions()

    def always_allow(self, tools: Iterable[str]) -> None:
        """These may do so in every conversation, but for what came from someone else."""
        self.agreed = replace(self.agreed, always=frozenset(tools))

    def typed(self, text: str) -> None:
        """The user wrote this: the addresses in it may be contacted."""
        self.agreed = replace(self.agreed, typed=self.agreed.typed | consent.addresses([text]))

    def reply(self, question: Question, text: str) -> None:
        """Answers a question that fills a port; anything else is a new request (use `ask`). Raises BadRequest."""
        target = questions.target_of(question, self.workflow)
        if target is None:
            raise BadRequest("This question is no longer open.", "Type your request again.")
        node, port = target
        self.typed(text)
        self._change(workflow=questions.with_reply(self.workflow, self.tools, node, port, text, self.resources))
        self._close_questions()

    def _close_questions(self) -> None:
        asked = self.questions()
        if not any(message.open for message in self.messages):
            return
        for message in self.messages:
            if message.open and not any(question.kind == consent.FILES for question in message.questions):
                self._talk.replace(self._asked_again(message, asked))

    def _asked_again(self, message: Message, asked: tuple[Question, ...]) -> Message:
        """An open message with what is still missing; what it said of the plan is said anew."""
        text = message.text
        if message.kind == "plan":
            text = answer.plan_text(self.workflow, self.tools, self.plan.notice if self.plan else "", len(asked))
        return replace(message, text=text, questions=asked or message.questions, open=bool(asked))

    def _pictures(self) -> dict[tuple[str, str], str]:
        """Resource name by (node, output), for what is there and not out of date."""
        return {
            (id, output): one.name
            for id, node in self.run.nodes.items()
            if node.state == "done"
            for output, value in node.outputs.items()
            for one in several(value)
        }

    def choose(self, index: int) -> None:
        """Shows another alternative: one undo step. What both share is not computed again."""
        if not 0 <= index < len(self.alternatives):
            count = len(self.alternatives)
            raise BadRequest(
                Phrase("There is no alternative {index}.", index=index + 1),
                Phrase("There are {count}; count from 1.", count=count),
            )
        if index != self.chosen or self.workflow != self.alternatives[index].workflow:
            self._show_results_of(self.alternatives[index].workflow)
            self._change(workflow=self.alternatives[index].workflow, chosen=index)
            self._close_questions()

    def edit(self, workflow: Workflow) -> None:
        """Takes the user's edit: one undo step."""
        if workflow != self.workflow:
            self._change(workflow=self._admitted(workflow))
            self._close_questions()

    def _admitted(self, workflow: Workflow) -> Workflow:
        """A workflow with what came in from outside, such as what was pasted: its files are of the conversation now,
        under names of their own.
        """
        before = frozenset(self.workflow.resources)
        if all(resource in before for resource in workflow.resources):
            return workflow
        workflow = workflow.with_names(free_names(workflow, self._known(), self._ids | set(workflow.ids())))
        self.resources = {**self.resources, **{r.name: r for r in workflow.resources if r not in before}}
        self._tell(Change.RESOURCES)
        return workflow

    def _known(self) -> Mapping[str, Resource]:
        """What each name of a resource stands for."""
        return {**{r.name: r for r in self.workflow.resources}, **self.resources}

    def amend(self, workflow: Workflow) -> None:
        """Takes a further part of the user's latest edit: the same undo step."""
        if workflow != self.workflow:
            self._edits.amend(workflow=self._admitted(workflow))
            self._note_ids(self._edits.state)
            self._tell(Change.WORKFLOW)

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None:
        """Moves cards (nodes by id, resources by name): one undo step."""
        nodes = tuple(replace(n, position=positions.get(n.id, n.position)) for n in self.workflow.nodes)
        places = {**self.workflow.positions, **{k: v for k, v in positions.items() if self.workflow.resource(k)}}
        self.edit(replace(self.workflow, nodes=nodes, positions=places))

    def _change(self, **fields: Any) -> None:
        """Goes on to the present state with these fields of State changed: one undo step."""
        before = self._edits.state
        if self._edits.change(replace(before, **fields)):
            self._note_ids(self._edits.state)
            self._tell(Change.WORKFLOW if before.alternatives is self.alternatives else Change.WORKFLOW | Change.PLAN)

    def _note_ids(self, *states: State) -> None:
        for state in states:
            for workflow in (state.workflow, *(way.workflow for way in state.alternatives)):
                self._ids.update(workflow.ids())

    def undo(self) -> None:
        """Takes the last change back; does nothing when there is none. Ends steps that are still going on."""
        if self._stepping.working:
            self.stop()
        self._stepped(self._edits.state, self._edits.undo())

    def redo(self) -> None:
        """Makes the change that was taken back; does nothing when there is none."""
        self._stepped(self._edits.state, self._edits.redo())

    def _stepped(self, before: State, moved: bool) -> None:
        if moved:
            if _way(before) != _way(self._edits.state):
                self._show_results_of(self.workflow)
            self._tell(Change.WORKFLOW | Change.PLAN | Change.RESOURCES)
            self._close_questions()

    @property
    def can_undo(self) -> bool:
        """True when `undo` would do something."""
        return bool(self._edits.done)

    @property
    def can_redo(self) -> bool:
        """True when `redo` would do something."""
        return bool(self._edits.undone)

    def _show_results_of(self, workflow: Workflow) -> None:
        """Another graph takes the place of the one shown: with it, what came of that one."""
        self._running.show(workflow, self.resources)
        self._gather()

    def _gather(self) -> None:
        """What the run made is a resource of the conversation; what takes the place of another comes last."""
        for resource, news in self._running.results():
            if news:
                self.resources.pop(resource.name, None)
            self.resources[resource.name] = resource

    def stop(self) -> None:
        """Stops the run, the language model's planning, and what goes on step by step; finished results stay."""
        self._planning.stop()
        self._running.engine.cancel()
        self._stepping.stop()

    def _set_busy(self, busy: str) -> None:
        self.busy = busy
        self._tell(Change.BUSY)

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)

    def _make_stepping(self) -> Stepping:
        """What goes step by step with this session; it needs what is added later."""
        raise NotImplementedError


def _way(state: State) -> tuple[int, tuple[Solution, ...]]:
    """Which of which solutions is shown, whatever was filled in."""
    return state.chosen, tuple(way.solution for way in state.alternatives)
