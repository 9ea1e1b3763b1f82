"""Runs of the shown workflow and of other alternatives, steps that wait for a word, and the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from desktop_app.core import settings
from desktop_app.core.errors import AppError, BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.plan.types import Question
from desktop_app.run.events.run_record import Run
from desktop_app.session import answer, consent, questions
from desktop_app.session.annotations import Marks
from desktop_app.session.comparison import outcomes
from desktop_app.session.messages import Change, Message
from desktop_app.session.plan_task import counted
from desktop_app.storage import usage_statistics
from nodes.phrase import Phrase, joined


class Runs(Marks):
    """Start, stop, and what came of it."""

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

    async def start(self, upto: str | Collection[str] | None = None, again: Collection[str] = ()) -> None:
        """Runs the workflow, or only the nodes `upto` with what they need, then answers in the chat. What is known is
        not computed, but for the nodes `again`.

        Input that is missing is asked for instead. Does nothing while something else goes on.
        """
        if self.run.running or self.busy or not self.workflow.nodes:
            return
        if upto is None and self.proposed and not self.questions():
            await self.approve()
            return
        wanted = consent.needed(self.workflow, upto)
        asked = self.questions() if upto is None else consent.questions(self.workflow, self.tools, self.agreed, wanted)
        if asked:
            self._held = (upto, again)
            self._ask_for(asked)
            return
        self._held = None
        mine, workflow = self.id, self.workflow
        self._set_busy("Running")
        message = self._talk.say("assistant", "", kind="run")

        def told() -> None:
            nonlocal message
            if not message.run and self._running.run.id:
                message = self._talk.replace(message, run=self._running.run.id)
            self._ran()

        try:
            await self._running.go(workflow, upto, told, again)
            if mine == self.id and upto is None:
                await self._answer(workflow)
        except AppError as error:
            if mine == self.id:
                self._talk.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            if mine == self.id:
                self._set_busy("")
                self._tell(Change.RUN)

    async def answer_consent(self, question: Question, choice: str) -> None:
        """Takes what the user says to a question whether a tool may reach outside, and goes on with what it held up.

        Raises StorageError when "always" cannot be kept.
        """
        tool, held, step = consent.tool_of(question, self.workflow), self._held, self.proposed == question.step
        if choice == consent.REFUSE or not tool:
            self._held = None
            self._settle(question)
            if step and tool:
                await self.decline()
            elif tool:
                title = Phrase(self.tools[tool].title, "tools")
                self._talk.say("assistant", Phrase("{title} was not allowed, so nothing ran.", title=title))
            return
        if choice == consent.ALWAYS:
            kept = settings.saved().outside_allowed
            self.always_allow(settings.change(outside_allowed=tuple(dict.fromkeys((*kept, tool)))).outside_allowed)
        self.allow(tool)
        if step and not self.steps.approve and not self.questions():
            await self.approve()
        elif held is not None and not (self.questions() if held[0] is None else ()):
            await self.start(*held)

    def _settle(self, question: Question) -> None:
        """The question is answered: it is no longer open."""
        for message in self.messages:
            if message.open and question in message.questions:
                left = tuple(one for one in message.questions if one != question)
                self._talk.replace(message, questions=left or message.questions, open=bool(left))

    def _ask_for(self, missing: tuple[Question, ...]) -> None:
        """Asks, unless that is what was said last. Of what was asked so before, only the words stay."""
        last = self.messages[-1] if self.messages else None
        if last is not None and last.open and last.questions == missing:
            return
        for message in self.messages:
            if (
                message.open
                and message.kind == "text"
                and all(question.port or question.kind == consent.KIND for question in message.questions)
            ):
                self._talk.replace(message, questions=(), open=False)
        self._talk.say("assistant", " ".join(q.text for q in missing), questions=missing, open=True)

    def _ran(self) -> None:
        """The run went on: its results are resources of the conversation."""
        self._gather()
        self._tell(Change.RUN)

    async def start_from(self, node: str) -> None:
        """Computes the node and everything after it afresh. Raises BadWorkflow for no such node."""
        await self.start(self._from(node), self.workflow.downstream(node))

    async def try_again(self, node: str) -> None:
        """Computes what failed of the node, and what depends on it. Raises BadWorkflow for no such node."""
        await self.start(self._from(node))

    def _from(self, node: str) -> tuple[str, ...]:
        """The node and everything after it that is not switched off."""
        after, idle = self.workflow.downstream(self.workflow.node(node).id), self.workflow.idle()
        return tuple(id for id in self.workflow.ids() if id in after and id not in idle)

    def stop_item(self, node: str, item: int) -> None:
        """Stops one of the items, counted from 0, of a node that runs once for each of several; the others go on."""
        self._running.engine.cancel(node, item)

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

    def holds(self, message: Message) -> bool:
        """False for an answer to the latest request that tells of something else than the graph would give now."""
        run = self._running.ran(message.run) if message.run else None
        if run is None or any(later.role == "user" for later in self.messages if later.id > message.id):
            return True
        made_by = {self.resources[name].made_by for name in message.resources if name in self.resources}
        told = {reference.node for reference in message.references} | made_by
        now = set(self._running.traces(self.workflow).values())
        return all(run.nodes[id].trace in now for id in told if id in run.nodes and run.nodes[id].trace)

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
        planned = self.plan
        for index in sorted(indexes, key=lambda index: index != self.chosen):
            if self.plan is not planned or self.going.running or self.busy:
                return  # the user asked for something else meanwhile
            if index == self.chosen:
                await self.start()
                if self.run.outcome == "cancelled":
                    return
            elif not await self._run_aside(index):
                return

    def _check_ready(self, index: int) -> None:
        way = self.alternatives[index]
        flow = self.workflow_of(index)
        asked = questions.of(flow, self.tools, self._pictures(), way.solution.questions)
        asked = (*asked, *consent.questions(flow, self.tools, self.agreed))
        if asked:
            text = joined(*(question.text for question in asked))
            raise BadRequest(
                Phrase("“{title}” still needs something: {text}", title=Phrase.of(way.solution.title), text=text),
                "Show it, and answer there.",
            )

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
            self._talk.say("assistant", outcomes.told(Phrase.of(way.solution.title), run, way.workflow, self.tools))
        return run.outcome != "cancelled" and mine == self.id

    async def _answer(self, workflow: Workflow, run: Run | None = None) -> None:
        """Says what came of the run of the workflow; of the latest one, unless another is given."""
        mine, run = self.id, run or self._running.run
        message = self._talk.say("assistant", "", kind="answer", streaming=True, run=run.id)
        made = answer.results(workflow, run, self.tools)
        chat = counted(self._chat, self._planning)
        try:
            async for text, references in answer.stream(
                self._talk.last_request(), workflow, run, self.tools, self.value_of, chat
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

    def joins(self) -> tuple[usage_statistics.Join, ...]:
        """What this user joins to what; reads the disk, on any thread."""
        return usage_statistics.joins(self._history.path)

    def done(self) -> tuple[usage_statistics.Done, ...]:
        """What ran as a whole here, and how long it took; reads the disk, on any thread."""
        return usage_statistics.done(self._history.path)

    def _another_way(self) -> str:
        """After a failure, the next alternative in words; "" when there is none or nothing failed."""
        index = self.next_way
        if index is None:
            return ""
        solution = self.alternatives[index].solution
        title, why = Phrase.of(solution.title), Phrase.of(solution.reason)
        said = catalogue.say("Another way is alternative {n}, “{title}”: {why}", n=index + 1, title=title, why=why)
        return f"\n\n{said}"
