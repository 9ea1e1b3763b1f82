"""Session: one conversation - messages, resources, alternatives, the chosen workflow, its run, undo.

The window and the command line read it and call its verbs; it must not know either.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app import answer, export, mask_finder, questions
from desktop_app.conversation import Alternative, Change, Message, Reference, priced
from desktop_app.conversation_file import Snapshot
from desktop_app.edits import Edits
from desktop_app.errors import AppError, BadRequest
from desktop_app.follow_up import grown, part
from desktop_app.plan.build import to_workflow
from desktop_app.plan.request import Plan, Question
from desktop_app.resource import Resource, Store, attach, unused_name
from desktop_app.run.record import Run
from desktop_app.running import Running
from desktop_app.script_text import write_script
from desktop_app.talk import Talk
from desktop_app.workflow import Workflow
from nodes.api import Point, Tool

if TYPE_CHECKING:
    from desktop_app.history import History
    from desktop_app.llm.chat import ChatModel
    from desktop_app.mask_finder import MaskFinder
    from desktop_app.plan.planner import Planner
    from desktop_app.run.engine import Engine

__all__ = ["Alternative", "Change", "Message", "Reference", "Session"]

EVERYTHING = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY


class Session:
    """Read the fields, call the verbs; never assign the fields from outside.

    `points` are the clicks by resource name. `busy` is "" or what goes on ("Planning"). `id` is another one in each
    conversation. Listeners are called on the loop's thread, at most about 30 times a second while a run goes on.
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
    ) -> None:
        self.tools = tools
        self._planner = planner
        self._running = Running(engine)
        self._store = store
        self._history = history
        self._chat = chat
        self._masks = masks
        self._listeners: list[Callable[[Change], None]] = []
        self._clear()

    def _clear(self) -> None:
        self.id = uuid.uuid4().hex
        self.resources: dict[str, Resource] = {}
        self.plan: Plan | None = None
        self.busy = ""
        self.title = ""
        self._edits = Edits()
        self._talk = Talk(lambda: self._tell(Change.MESSAGES))
        self._running.forget()

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

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Calls the listener with what changed, from now on."""
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """Calls none of them any more: their window is gone."""
        self._listeners.clear()

    def use(self, planner: Planner, chat: ChatModel | None) -> None:
        """Plans with that planner, and words answers with that language model, from the next request on."""
        self._planner, self._chat = planner, chat

    def path_of(self, resource: Resource) -> Path:
        """The file of a resource. Raises StorageError when it is gone."""
        return self._store.path_of(resource)

    def value_of(self, resource: Resource) -> object:
        """The decoded value of a resource, as nodes.api describes it. Raises StorageError or NodeError."""
        return self._store.value(resource)

    def find(self, name: str) -> Resource | None:
        """The resource of that name: attached, in the workflow, or made by the run."""
        return self.resources.get(name) or self.workflow.resource(name)

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

    async def preview_mask(self, name: str, marks: Sequence[Sequence[Any]], node: str = "") -> Any:
        """The mask that clicks (or boxes) on the resource `name` would give: uint8 (height, width), 255 = selected.

        It is that of `node`, or of what waits for clicks on the resource, or else of a tool of our choice. None when
        a newer request came meanwhile, or nothing here makes masks of clicks. Raises AppError that says why not.
        """
        resource = self.find(name)
        workflow = self.workflow
        id = node or self.waiting_for(name)
        if not id and resource is not None:
            workflow = mask_finder.anyone(resource, self.tools)
            id = next(iter(workflow.ids()), "")
        if self._masks is None or not id or not marks:
            return None
        one, output = mask_finder.alone(workflow, self.tools, workflow.node(id), marks, self.run)
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
        self._set_busy("Planning")
        try:
            plan = await self._planner.plan(
                questions.request(text, tuple(names), earlier, self.resources.values(), self.points)
            )
            if mine == self.id:
                self.plan = plan
                self._take(plan)
        except AppError as error:
            if mine == self.id:
                self._talk.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            if mine == self.id:
                self._set_busy("")

    def _take(self, plan: Plan) -> None:
        made = dict(self._running.made)
        found = [
            grown(self.workflow, to_workflow(solution, self.resources, self.tools, self.points), made)
            for solution in plan.solutions
        ]
        if not found:
            text = " ".join(plan.causes) or "I found no way to do this with the tools that are here."
            if plan.questions:
                text = " ".join(q.text for q in plan.questions)
            self._talk.say("assistant", text, kind="text", questions=plan.questions, open=bool(plan.questions))
            return
        ways = tuple(
            priced(solution, workflow, self.tools, self._history.seconds)
            for solution, workflow in zip(plan.solutions, found, strict=True)
        )
        self._change(workflow=found[0], chosen=0, alternatives=ways)
        asked = self.questions()
        text = answer.plan_text(self.workflow, self.tools, plan.notice, len(asked))
        self._talk.say("assistant", text, kind="plan", questions=asked, open=bool(asked))
        self._tell(Change.PLAN)

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
        """Takes the last change back; does nothing when there is none."""
        self._stepped(self._edits.undo())

    def redo(self) -> None:
        """Makes the change that was taken back; does nothing when there is none."""
        self._stepped(self._edits.redo())

    def _stepped(self, moved: bool) -> None:
        if moved:
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

    async def start(self, upto: str | None = None) -> None:
        """Runs the workflow, or only the node `upto` with what it needs, then answers in the chat.

        Input that is missing opens its question again instead. Does nothing while something else goes on.
        """
        if self.run.running or self.busy or not self.workflow.nodes:
            return
        asked = self.questions() if upto is None else ()
        if asked:
            self._talk.say("assistant", " ".join(q.text for q in asked), questions=asked, open=True)
            return
        mine = self.id
        self._talk.say("assistant", "", kind="run")
        self._set_busy("Running")
        try:
            await self._running.go(self.workflow, upto, self._ran)
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
        self.resources.update({resource.name: resource for resource in self._running.results()})
        self._tell(Change.RUN)

    async def _answer(self) -> None:
        mine = self.id
        message = self._talk.say("assistant", "", kind="answer", streaming=True)
        made = answer.results(self.workflow, self.run, self.tools)
        async for text, references in answer.stream(
            self._talk.last_request(), self.workflow, self.run, self.tools, self.value_of, self._chat
        ):
            if mine != self.id:
                return
            message = self._talk.replace(message, text=text, references=references, resources=made)
        self._talk.replace(message, text=message.text + self._another_way(), streaming=False)

    def _another_way(self) -> str:
        """After a failure, the next alternative in words; "" when there is none or nothing failed."""
        others = [i for i in range(len(self.alternatives)) if i != self.chosen]
        if self.run.outcome != "failed" or not others:
            return ""
        solution = self.alternatives[others[0]].solution
        return f"\n\nAnother way is alternative {others[0] + 1}, “{solution.title}”: {solution.reason}"

    def stop(self) -> None:
        """Stops the run; finished results stay."""
        self._running.engine.cancel()

    # Files

    def new(self) -> None:
        """An empty conversation."""
        self._clear()
        self._tell(EVERYTHING)

    def snapshot(self) -> Snapshot:
        """All that the conversation holds now, to be kept."""
        return Snapshot(
            self.id, self.title, self.messages, tuple(self.resources.values()), self._edits.state, self._edits.done,
            self._edits.undone, dict(self._running.made), self.run, self.plan,
        )  # fmt: skip

    def restore(self, kept: Snapshot) -> None:
        """Shows a conversation that was kept, in place of the present one."""
        self._clear()
        self.id, self.title, self.plan = kept.id, kept.title, kept.plan
        self.resources = {resource.name: resource for resource in kept.resources}
        self._talk = Talk(lambda: self._tell(Change.MESSAGES), kept.messages)
        self._edits = Edits(kept.state, kept.redo, kept.undo)
        self._running.keep(kept.run, dict(kept.made))
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

    def _set_busy(self, busy: str) -> None:
        self.busy = busy
        self._tell(Change.BUSY)

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)
