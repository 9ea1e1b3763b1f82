"""Session: one conversation - messages, resources, alternatives, the chosen workflow, its run, undo.

The window and the command line read it and call its verbs; it must not know either.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app import answer, comparing, drawn, export, mask_finder, questions, step_graph, wording
from desktop_app.conversation import Alternative, Change, Message, Reference, priced
from desktop_app.conversation_file import Snapshot
from desktop_app.edits import Edits, State
from desktop_app.errors import AppError, BadRequest
from desktop_app.follow_up import grown, part
from desktop_app.llm.tokens import Spent
from desktop_app.paths import home
from desktop_app.plan import stepwise
from desktop_app.plan.asking import Planning, counted
from desktop_app.plan.build import to_workflow
from desktop_app.plan.request import Plan, Question, Request
from desktop_app.resource import Resource, Store, attach, unused_name
from desktop_app.run.record import Run
from desktop_app.run.upkeep import Upkeep
from desktop_app.running import Running
from desktop_app.script_text import write_script
from desktop_app.step_turn import Ground, StepSettings, chooser_for
from desktop_app.stepping import Stepping
from desktop_app.talk import Talk
from desktop_app.tool_words import original
from desktop_app.workflow import Workflow
from nodes.api import Point, Tool

if TYPE_CHECKING:
    from desktop_app.history import History
    from desktop_app.llm.chat import ChatModel
    from desktop_app.mask_finder import MaskFinder
    from desktop_app.plan.planner import Planner
    from desktop_app.run.engine import Engine

__all__ = ["Alternative", "Change", "Message", "Reference", "Session"]

IMPROVING = "Improving the plan"
"""What the session is busy with while a draft is shown and a language model is asked. It can be stopped."""
CHANGED_MEANWHILE = "The language model has planned too. Your changes stay; ask again to see its plan."
EVERYTHING = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY


class _Draft:
    """What a request has led to so far: the message that tells of it, and the state that it made."""

    def __init__(self) -> None:
        self.taken: State | None = None
        self._message: Message | None = None

    def say(self, talk: Talk, text: str, **more: Any) -> None:
        """Tells of the plan, in the place of what was told of an earlier one."""
        if self._message is None:
            self._message = talk.say("assistant", text, **more)
        else:
            self._message = talk.replace(self._message, text=text, **more)


class Session:
    """Read the fields, call the verbs; never assign the fields from outside.

    `points` are the clicks by resource name. `busy` is "" or what goes on ("Planning"). `id` is another one in each
    conversation. Listeners are called on the loop's thread, at most about 30 times a second while a run goes on.
    `upkeep` tells which models are in memory, and gives that back.
    """

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
        self._running = Running(engine, tools)
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
        self._failed_ways: frozenset[int] = frozenset()
        self._aside: int | None = None
        self._talk = Talk(lambda: self._tell(Change.MESSAGES))
        self._running.forget()
        self._stepping = self._make_stepping()

    # What it holds

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
        """The record of the latest run."""
        return self._running.run

    @property
    def going(self) -> Run:
        """The run that goes on, be it of another alternative than the one shown; else the latest."""
        aside = self._running.aside_run
        return aside if aside.running else self._running.run

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

    # What the user brings

    def attach(self, path: Path) -> Resource:
        """A file as a resource of the conversation. Raises BadRequest or StorageError. Waits for the disk."""
        return self._hold(attach(path, self._store))

    async def bring(self, path: Path) -> Resource:
        """As `attach`, with the work on the file done on a thread."""
        mine = self.id
        resource = await asyncio.to_thread(attach, path, self._store)
        if mine != self.id:
            raise BadRequest(f"{path.name} was not attached: another conversation is open.", "Attach it again.")
        return self._hold(resource)

    def _hold(self, resource: Resource) -> Resource:
        same = self.resources.get(resource.name)
        if same is not None and same.digest == resource.digest:
            return same
        resource = replace(resource, name=unused_name(resource.name, frozenset(self.resources)))
        self.resources = {**self.resources, resource.name: resource}
        self._tell(Change.RESOURCES)
        return resource

    def point(self, name: str, points: Sequence[Point]) -> None:
        """Keeps the clicks on a resource and fills every port that waits for them: one undo step.

        Raises BadRequest when a point lies outside the picture or there is no such resource.
        """
        questions.check_points(self.find(name), name, points, self.resources)
        pictures = self._pictures()

        def filled(workflow: Workflow) -> Workflow:
            return questions.with_points(workflow, self.tools, pictures, name, tuple(points))

        self._change(
            workflow=filled(self.workflow),
            alternatives=tuple(replace(way, workflow=filled(way.workflow)) for way in self.alternatives),
            points={**self.points, name: tuple(points)},
        )
        self._close_questions()
        self._tell(Change.RESOURCES | Change.PLAN)

    async def use_drawn(self, name: str, what: drawn.Drawn, node: str = "", port: str = "") -> None:
        """Puts what was drawn on the resource `name` into a port, or wherever clicks on it are wanted: one undo step.

        A mask of it becomes a resource. Raises BadRequest as `point` does, or StorageError.
        """
        questions.check_points(self.find(name), name, what.said, self.resources)
        mine = self.id
        mask = await asyncio.to_thread(drawn.keep, self._store, name, what) if what.mask is not None else None
        if mine != self.id:
            return
        mask = self._hold(mask) if mask is not None else None
        pictures = self._pictures()

        def filled(workflow: Workflow) -> Workflow:
            targets = [(node, port)] if node in workflow.ids() else []
            targets = targets if node else questions.pointed(workflow, self.tools, pictures, name)
            return drawn.with_drawn(workflow, self.tools, targets, what, mask)

        self._change(
            workflow=filled(self.workflow),
            alternatives=tuple(replace(way, workflow=filled(way.workflow)) for way in self.alternatives),
            points={**self.points, name: what.said},
        )
        self._close_questions()
        self._tell(Change.RESOURCES | Change.PLAN)

    async def preview_mask(
        self, name: str, marks: Sequence[Sequence[Any]], node: str = "", reading: str = ""
    ) -> Any:
        """The mask that clicks (or boxes) on the resource `name` would give: uint8 (height, width), 255 = selected.

        It is that of `node`, or of what waits for clicks on the resource, or else of a tool of our choice. `reading`
        says how much of what was clicked is meant, where the tool can be told. None when
        a newer request came meanwhile, or nothing here makes masks of clicks. Raises AppError that says why not.
        """
        resource = self.find(name)
        workflow = self.workflow
        id = node or self.waiting_for(name)
        if not mask_finder.shows(workflow, self.tools, id) and resource is not None:
            workflow = mask_finder.anyone(resource, self.tools)
            id = next(iter(workflow.ids()), "")
        if self._masks is None or not id or not marks:
            return None
        one, output = mask_finder.alone(workflow, self.tools, workflow.node(id), marks, self.run, reading)
        return await self._masks.find(one, id, output)

    @property
    def shows_masks(self) -> bool:
        """True when `preview_mask` can find any."""
        return self._masks is not None

    def warm_masks(self) -> None:
        """Starts what finds masks ahead of the first request. To be called while a loop runs."""
        if self._masks is not None:
            self._masks.warm()

    def waiting_for(self, name: str) -> str:
        """The id of the first node that takes clicks on the resource `name`, "" when there is none."""
        return questions.waiting_for(self.workflow, self.tools, self._pictures(), name)

    async def ask(self, text: str, names: Sequence[str] = ()) -> None:
        """Plans the request. The best solution becomes the workflow; what is missing becomes questions.

        Nothing runs yet. Faults end as messages of kind "error", not as exceptions.
        """
        earlier, mine = tuple(self.messages), self.id
        self._talk.say("user", text, resources=tuple(names))
        if not self.title:
            self.title = text.strip().splitlines()[0][:60] if text.strip() else ""
        if self.steps.on or (self._chat is not None and (stepwise.wanted_in(text) or self._stepping.asks)):
            await self._ask_in_steps(stepwise.without_phrase(text), tuple(names), earlier)
            return
        self._stepping.end()
        self._set_busy("Planning")
        draft = _Draft()
        try:
            plan = await self._planning.plan(
                self._planner,
                questions.request(text, tuple(names), earlier, self.resources.values(), self.points),
                lambda found: self._show_draft(found, draft) if mine == self.id else None,
            )
            if mine == self.id:
                self._improve(plan, draft)
        except AppError as error:
            if mine == self.id:
                self._talk.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            if mine == self.id:
                self._set_busy("")

    async def _ask_in_steps(self, text: str, names: tuple[str, ...], earlier: Sequence[Message]) -> None:
        """Chooses and runs one step after the other; "undo that" takes the last one back."""
        if stepwise.takes_back(text) and self.can_undo:
            before = self.workflow
            self.undo()
            self._talk.say("assistant", step_graph.taken_back(before, self.workflow, self.tools, self.run))
            return
        chooser = chooser_for(self._chat, original(self.tools), self._planner.offline, self._planning.tally)
        asked = self._stepping.answered(text) if self._chat is not None else text
        await self._stepping.begin(asked, names, earlier, chooser)

    def _make_stepping(self) -> Stepping:
        def request(text: str, names: tuple[str, ...], earlier: Sequence[Message]) -> Request:
            return questions.request(text, names, earlier, self.resources.values(), self.points)

        return Stepping(Ground(
            self.tools, self._talk, self._edits, self._running, lambda: self.steps, lambda: self.resources, request,
            self._change, self.questions, self._ran, self._answer, self.value_of, self._tell, self._set_busy,
        ))  # fmt: skip

    @property
    def proposed(self) -> str:
        """The node of the step that waits for the user's word or input, "" when none does."""
        return self._stepping.proposed

    @property
    def can_go_on(self) -> bool:
        """True when `go_on` would do something."""
        return self._stepping.can_go_on

    async def approve(self) -> None:
        """Runs the proposed step and goes on."""
        await self._stepping.approve()

    async def decline(self) -> None:
        """Has another step chosen in place of the proposed one."""
        await self._stepping.decline()

    async def go_on(self) -> None:
        """Goes on step by step with the last request, after a stop, a limit, or a step that was taken back."""
        await self._stepping.go_on()

    def _show_draft(self, plan: Plan, draft: _Draft) -> None:
        """Shows what was planned offline while a language model is asked."""
        self._set_busy(IMPROVING)
        if plan.solutions:
            self._take(plan, draft)

    def _improve(self, plan: Plan, draft: _Draft) -> None:
        """Puts the plan in the place of the draft, within the same undo step; what the user has changed stays."""
        if draft.taken is not None and self._edits.state is draft.taken:
            self._edits.undo()
        elif draft.taken is not None:
            self._talk.say("assistant", wording.say(CHANGED_MEANWHILE))
            return
        self._take(plan, draft)

    def _take(self, plan: Plan, draft: _Draft) -> None:
        self.plan = plan
        made = dict(self._running.made)
        found = [
            self._as_drawn(grown(self.workflow, to_workflow(solution, self.resources, self.tools, self.points), made))
            for solution in plan.solutions
        ]
        if not found:
            text = " ".join(plan.causes) or "I found no way to do this with the tools that are here."
            text = wording.shown(text)
            if plan.questions:
                text = " ".join(q.text for q in plan.questions)
            text = f"{wording.shown(plan.notice)} {text}".strip()
            draft.say(self._talk, text, kind="text", questions=plan.questions, open=bool(plan.questions))
            return
        ways = tuple(
            priced(solution, workflow, self.tools, self._history.seconds)
            for solution, workflow in zip(plan.solutions, found, strict=True)
        )
        self._failed_ways = frozenset()
        self._change(workflow=found[0], chosen=0, alternatives=ways)
        asked = self.questions()
        text = answer.plan_text(self.workflow, self.tools, plan.notice, len(asked))
        draft.say(self._talk, text, kind="plan", questions=asked, open=bool(asked))
        draft.taken = self._edits.state
        self._tell(Change.PLAN)

    def _as_drawn(self, workflow: Workflow) -> Workflow:
        """With what was drawn on a picture before there was a plan for it."""
        for name, (what, mask) in drawn.latest(self.resources.values(), self.points).items():
            targets = questions.pointed(workflow, self.tools, self._pictures(), name)
            targets = drawn.open_targets(workflow, targets, what)
            workflow = drawn.with_drawn(workflow, self.tools, targets, what, mask)
        return workflow

    # Questions

    def questions(self) -> tuple[Question, ...]:
        """What the chosen workflow still needs: its planner's questions and every port that nobody filled."""
        planned = ()
        if self.alternatives and self.chosen < len(self.alternatives):
            planned = self.alternatives[self.chosen].solution.questions
        return questions.of(self.workflow, self.tools, self._pictures(), planned)

    def reply(self, question: Question, text: str) -> None:
        """Answers a question that fills a port; anything else is a new request (use `ask`). Raises BadRequest."""
        target = questions.target_of(question, self.workflow)
        if target is None:
            raise BadRequest("This question is no longer open.", "Type your request again.")
        node, port = target
        self._change(workflow=questions.with_reply(self.workflow, self.tools, node, port, text, self.resources))
        self._close_questions()

    def _close_questions(self) -> None:
        asked = self.questions()
        if not any(message.open for message in self.messages):
            return
        for message in self.messages:
            if message.open:
                self._talk.replace(self._asked_again(message, asked))

    def _asked_again(self, message: Message, asked: tuple[Question, ...]) -> Message:
        """An open message with what is still missing; what it said of the plan is said anew."""
        text = message.text
        if message.kind == "plan":
            text = answer.plan_text(self.workflow, self.tools, self.plan.notice if self.plan else "", len(asked))
        return replace(message, text=text, questions=asked or message.questions, open=bool(asked))

    def _pictures(self) -> dict[tuple[str, str], str]:
        """Resource name by (node, output), for what the run has made."""
        return {place: name for name, place in self._running.made.items()}

    # The workflow

    def choose(self, index: int) -> None:
        """Shows another alternative: one undo step. What both share is not computed again."""
        if not 0 <= index < len(self.alternatives):
            count = len(self.alternatives)
            raise BadRequest(f"There is no alternative {index + 1}.", f"There are {count}; count from 1.")
        if index != self.chosen or self.workflow != self.alternatives[index].workflow:
            self._running.show(self.alternatives[index].workflow, self.resources)
            self._gather()
            self._change(workflow=self.alternatives[index].workflow, chosen=index)
            self._close_questions()

    def edit(self, workflow: Workflow) -> None:
        """Takes the user's edit: one undo step."""
        if workflow != self.workflow:
            self._change(workflow=workflow)
            self._close_questions()

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None:
        """Moves cards (nodes by id, resources by name): one undo step."""
        nodes = tuple(replace(n, position=positions.get(n.id, n.position)) for n in self.workflow.nodes)
        places = {**self.workflow.positions, **{k: v for k, v in positions.items() if self.workflow.resource(k)}}
        self.edit(replace(self.workflow, nodes=nodes, positions=places))

    def _change(self, **fields: Any) -> None:
        """Goes on to the present state with these fields of State changed: one undo step."""
        before = self._edits.state
        if self._edits.change(replace(before, **fields)):
            self._tell(Change.WORKFLOW if before.alternatives is self.alternatives else Change.WORKFLOW | Change.PLAN)

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
            if before.chosen != self.chosen and before.alternatives == self.alternatives:
                self._running.show(self.workflow, self.resources)
                self._gather()
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

    # The run

    async def start(self, upto: str | Collection[str] | None = None, again: Collection[str] = ()) -> None:
        """Runs the workflow, or only the nodes `upto` with what they need, then answers in the chat. What is known is
        not computed, but for the nodes `again`.

        Input that is missing opens its question again instead. Does nothing while something else goes on.
        """
        if self.run.running or self.busy or not self.workflow.nodes:
            return
        if upto is None and self.proposed and not self.questions():
            await self.approve()
            return
        asked = self.questions() if upto is None else ()
        if asked:
            self._talk.say("assistant", " ".join(q.text for q in asked), questions=asked, open=True)
            return
        mine = self.id
        self._talk.say("assistant", "", kind="run")
        self._set_busy("Running")
        try:
            await self._running.go(self.workflow, upto, self._ran, again)
            if mine == self.id and upto is None:
                await self._answer()
        except AppError as error:
            if mine == self.id:
                self._talk.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            if mine == self.id:
                self._set_busy("")
                self._tell(Change.RUN)

    def _ran(self) -> None:
        """The run went on: its results are resources of the conversation."""
        self._gather()
        self._tell(Change.RUN)

    def _gather(self) -> None:
        self.resources.update({resource.name: resource for resource in self._running.results()})

    # Other alternatives than the one shown

    @property
    def running_way(self) -> int | None:
        """The alternative whose run goes on, None when none does."""
        return self.chosen if self.run.running else self._aside if self.going.running else None

    def workflow_of(self, index: int) -> Workflow:
        """The workflow of an alternative, with the user's edits where it is the one shown."""
        return self.workflow if index == self.chosen else self.alternatives[index].workflow

    def results_of(self, workflow: Workflow) -> Run:
        """What came of a workflow when it ran last here, as far as it ran; without id when it never did as a whole."""
        return self.run if workflow is self.workflow and self.run.running else self._running.records.of(workflow)

    def seconds_of(self, workflow: Workflow) -> dict[str, float]:
        """By node, how long it took when it was computed last here, or as a rule; without what never ran."""
        known = self._running.records.seconds(workflow)
        backends = {id: node.backend for id, node in self.results_of(workflow).nodes.items()}
        for node in workflow.nodes:
            usual = self._history.seconds(node.tool, node.backend or backends.get(node.id, ""))
            if node.id not in known and usual is not None:
                known[node.id] = usual
        return known

    async def run_ways(self, *indexes: int) -> None:
        """Runs alternatives one after the other, the shown one as `start` does; what they share is computed once.

        Does nothing while something else goes on. Raises BadRequest when one still needs input.
        """
        if self.going.running or self.busy:
            return
        for index in indexes:
            self._check_ready(index)
        for index in sorted(indexes, key=lambda index: index != self.chosen):
            if index == self.chosen:
                await self.start()
                if self.run.outcome == "cancelled":
                    return
            elif not await self._run_aside(index):
                return

    def _check_ready(self, index: int) -> None:
        way = self.alternatives[index]
        asked = questions.of(self.workflow_of(index), self.tools, self._pictures(), way.solution.questions)
        if asked:
            text = " ".join(question.text for question in asked)
            raise BadRequest(f"“{way.solution.title}” still needs something: {text}", "Show it, and answer there.")

    async def _run_aside(self, index: int) -> bool:
        """Runs an alternative that is not shown, and says so; False when it was stopped."""
        mine, way, self._aside = self.id, self.alternatives[index], index
        self._set_busy("Running")
        try:
            run = await self._running.aside(way.workflow, lambda: self._tell(Change.RUN))
        except AppError as error:
            if mine == self.id:
                self._talk.say("assistant", error.message, kind="error", fix=error.fix)
            return False
        finally:
            if mine == self.id:
                self._set_busy("")
                self._tell(Change.RUN)
        if mine == self.id and run.outcome in ("ok", "failed"):
            self._failed_ways |= {index} if run.outcome == "failed" else frozenset()
            self._talk.say("assistant", comparing.told(wording.shown(way.solution.title), run, way.workflow, self.tools))
        return run.outcome != "cancelled" and mine == self.id

    async def start_from(self, node: str) -> None:
        """Computes the node and everything after it afresh, with what they need. Raises BadWorkflow for no such node.
        """
        after = self.workflow.after(self.workflow.node(node).id)
        idle = self.workflow.idle()
        await self.start(tuple(id for id in self.workflow.ids() if id in after and id not in idle), after)

    async def _answer(self, run: Run | None = None) -> None:
        """Says what came of the run; of the latest one, unless another is given."""
        mine, run = self.id, run or self.run
        message = self._talk.say("assistant", "", kind="answer", streaming=True)
        made = answer.results(self.workflow, run, self.tools)
        chat = counted(self._chat, self._planning)
        try:
            async for text, references in answer.stream(
                self._talk.last_request(), self.workflow, run, self.tools, self.value_of, chat
            ):
                if mine != self.id:
                    return
                message = self._talk.replace(message, text=text, references=references, resources=made)
        except asyncio.CancelledError:
            self._talk.replace(message, resources=made, streaming=False)
            raise
        if self.run.outcome == "failed":
            self._failed_ways |= {self.chosen}
        self._talk.replace(message, text=message.text + self._another_way(), streaming=False)

    @property
    def next_way(self) -> int | None:
        """After a run that failed, the index of the best alternative that has not failed yet, None when all have."""
        if self.run.outcome != "failed":
            return None
        return next((i for i in range(len(self.alternatives)) if i != self.chosen and i not in self._failed_ways), None)

    def usual_seconds(self, tool: str, backend: str) -> float | None:
        """How long a tool takes with a back end as a rule, None when it never ran here."""
        return self._history.seconds(tool, backend)

    def _another_way(self) -> str:
        """After a failure, the next alternative in words; "" when there is none or nothing failed."""
        index = self.next_way
        if index is None:
            return ""
        solution = self.alternatives[index].solution
        title, why = wording.shown(solution.title), wording.shown(solution.reason)
        said = wording.say("Another way is alternative {n}, “{title}”: {why}", n=index + 1, title=title, why=why)
        return f"\n\n{said}"

    def stop(self) -> None:
        """Stops the run, the language model's planning, and what goes on step by step; finished results stay."""
        self._planning.stop()
        self._running.engine.cancel()
        self._stepping.stop()

    # Files

    def new(self) -> None:
        """An empty conversation."""
        self._clear()
        self._tell(EVERYTHING)

    def snapshot(self) -> Snapshot:
        """All that the conversation holds now, to be kept."""
        return Snapshot(
            self.id, self.title, self.messages, tuple(self.resources.values()), self._edits.state, self._edits.done,
            self._edits.undone, dict(self._running.made), self.run, self.plan, self._running.records.runs,
        )  # fmt: skip

    def restore(self, kept: Snapshot) -> None:
        """Shows a conversation that was kept, in place of the present one."""
        self._clear()
        self.id, self.title, self.plan = kept.id, kept.title, kept.plan
        self.resources = {resource.name: resource for resource in kept.resources}
        self._talk = Talk(lambda: self._tell(Change.MESSAGES), kept.messages)
        self._edits = Edits(kept.state, kept.redo, kept.undo)
        self._running.keep(kept.run, dict(kept.made))
        self._running.records.restore(kept.runs)
        self._stepping = self._make_stepping()
        self._tell(EVERYTHING)

    def save(self, path: Path) -> None:
        """Writes the workflow as JSON. Raises StorageError."""
        export.save_workflow(self.workflow, path)

    def save_script(self, path: Path) -> None:
        """Writes a Python script that runs the same workflow, its files beside it. Raises StorageError."""
        write_script(self.workflow, self.tools, self._store, path)

    def origin(self, resource: Resource) -> Workflow | None:
        """The part of the workflow that made a result; None when nothing here did."""
        node, output = self._running.made.get(resource.name, ("", ""))
        return part(self.workflow, node, output) if node in self.workflow.ids() else None

    def open(self, path: Path) -> None:
        """Takes a saved workflow, or that inside a result: one undo step. Raises BadWorkflow or BadRequest; then nothing has changed."""
        self._show_file(export.open_workflow(path, self._store))

    async def load(self, path: Path) -> None:
        """As `open`, with the work on the files done on a thread."""
        mine = self.id
        workflow = await asyncio.to_thread(export.open_workflow, path, self._store)
        if mine == self.id:
            self._show_file(workflow)

    def _show_file(self, workflow: Workflow) -> None:
        self.resources = {**self.resources, **{r.name: r for r in workflow.resources}}
        self._change(workflow=workflow, chosen=0, alternatives=())
        self._tell(Change.PLAN | Change.RESOURCES)

    async def close(self) -> None:
        """Ends the lanes."""
        await self._running.engine.close()
        if self._masks is not None:
            await self._masks.close()
        close_chat = getattr(self._chat, "close", None)  # one on this computer has a lane; a server has nothing to end
        if close_chat is not None:
            await close_chat()

    def _set_busy(self, busy: str) -> None:
        self.busy = busy
        self._tell(Change.BUSY)

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)
