"""Runs of the shown workflow and of other alternatives, and what came of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Plan, Question
from desktop_app.run.backends.selection import Backends
from desktop_app.run.events.run_record import Run
from desktop_app.run.scheduling.durations import Estimates, seconds_with
from desktop_app.session import consent, fetching, limits
from desktop_app.session.answering.answer_writer import AnswerWriter
from desktop_app.session.comparison import outcomes
from desktop_app.session.conversation import CONNECT
from desktop_app.session.messages import Change, Message
from desktop_app.session.model_downloads import FetchController
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import RUNNING, Held, SessionState
from desktop_app.session.stepwise.loop import StepwiseController
from desktop_app.session.undo import UndoController
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.storage.database import History


class RunController:
    """Start, stop, and what came of it. `history` knows how long tools take."""

    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        questions: QuestionController,
        stepwise: StepwiseController,
        answers: AnswerWriter,
        history: History,
        fetch: FetchController,
        changes: UndoController,
    ) -> None:
        self.fetching, self._changes = fetch, changes
        self._tried_again: Plan | None = None
        """The plan of which the next alternative was tried without being asked for."""
        self._state, self._tracker, self._questions = state, tracker, questions
        self._stepwise, self._answers, self._history = stepwise, answers, history

    async def start(self, upto: str | Collection[str] | None = None, again: Collection[str] = ()) -> None:
        """Runs the workflow, or only the nodes `upto` with what they need, then answers in the chat. What is known is
        not computed, but for the nodes `again`.

        Input that is missing is asked for instead; where it is to be shown in a picture that is not made yet, after
        the run of what makes it, and where a step finds that it has to be told what is meant in its picture, then. A
        result that is not as asked lets the next alternative run, once for a plan, where the user allows that. Does
        nothing while something else goes on.
        """
        state, tracker = self._state, self._tracker
        if tracker.shown.running or state.busy or not state.workflow.nodes:
            return
        if upto is None and self._stepwise.proposed and not self._questions.open():
            await self._stepwise.approve()
            return
        asked = self._questions.open() if upto is None else self._questions.before_run(state.workflow, upto, again)
        first = self._questions.before(asked) if upto is None else ()
        asked = self._questions.before_run(state.workflow, first) if first else asked
        state.held = (upto, again) if asked else None
        if asked:
            self._questions.ask(asked)
            return
        mine, workflow, log, other = state.id, state.workflow, state.log, None
        left = self._left_out(workflow, first or upto)
        with state.work(RUNNING, Change.RUN):
            message = log.say("assistant", "", kind="run")

            def told() -> None:
                nonlocal message
                if not message.run and tracker.run.id:
                    message = log.replace(message, run=tracker.run.id)
                tracker.went_on()

            goal = _without(left, workflow, first or upto) if left else first or upto
            await tracker.go(workflow, goal, told, again, asks=True)
            waits = mine == state.id and not tracker.run.failures() and self._waits(first)
            if mine == state.id and upto is None and not waits:
                other = await self._answers.write(workflow, tracker.run, left)
        if other is not None and settings.now().try_next_way and self._tried_again is not state.plan:
            self._tried_again = state.plan
            self._changes.choose(other)
            await self.start()
        if waits:
            self._questions.ask_again()

    def _waits(self, first: Collection[str]) -> bool:
        """True after a run, of the nodes `first` or of all, that came to where something has to be pointed at."""
        return bool(first and self._tracker.run.outcome == "ok") or bool(self._questions.untold())

    def _left_out(self, workflow: Workflow, upto: str | Collection[str] | None) -> frozenset[str]:
        """The nodes that do not run, because the user goes on without what they lack."""
        state, made = self._state, {id for id, node in self._tracker.shown.nodes.items() if node.state == "done"}
        nodes = consent.needed(workflow, upto)
        return fetching.left_out(workflow, state.tools, state.declined, nodes, made) if state.declined else frozenset()

    async def start_or_tell(self, upto: str | None = None) -> None:
        """As `start`; where nothing that is wanted could be made here, says what it needs, and nothing runs."""
        state = self._state
        free = not (self._tracker.shown.running or state.busy)
        made = {id for id, node in self._tracker.shown.nodes.items() if node.state == "done"}
        nodes = consent.needed(state.workflow, upto)
        fault = fetching.standstill(state.workflow, state.tools, nodes, made) if free else None
        asked = self._questions.open() if upto is None else self._questions.before_run(state.workflow, upto)
        if fault is None or asked:
            await self.start(upto)
            return
        text = joined(fault.message, fault.fix)
        if not state.log.messages or state.log.messages[-1].text != text:
            offers = (CONNECT,) if fetching.asks_model(state.workflow, state.tools) else ()
            state.log.say("assistant", text, offers=offers)

    async def answer_consent(self, question: Question, choice: str) -> None:
        """Takes what the user says to a question whether a tool may reach outside, and goes on with what it held up.

        Raises StorageError when "always" cannot be kept.
        """
        state, asked = self._state, self._questions
        tool, held = consent.tool_of(question, state.workflow), state.held
        step = self._stepwise.proposed == question.step
        if choice == consent.REFUSE or not tool:
            state.held = None
            asked.leave_run(question)
            if step and tool:
                await self._stepwise.decline()
            elif tool:
                title = Phrase(state.tools[tool].title, "tools")
                state.log.say("assistant", Phrase("{title} was not allowed, so nothing ran.", title=title))
            return
        key = consent.agreed_key(question, state.workflow, state.tools)
        if choice == consent.ALWAYS:
            kept = settings.saved().outside_allowed
            asked.always_allow(settings.change(outside_allowed=tuple(dict.fromkeys((*kept, key)))).outside_allowed)
        asked.allow(key)
        await self._go_on(step, held)

    async def _go_on(self, step: bool, held: Held | None) -> None:
        """What a question held up, now that it is answered; `step` when that was the step that is proposed."""
        if step and not self._state.steps.approve and not self._questions.open():
            await self._stepwise.approve()
        elif held is not None and (held[0] is not None or not self._questions.open()):
            await self.start(*held)

    async def answer_fetch(self, question: Question, choice: str) -> None:
        """Fetches what a run needs, or goes on without it, and then does what the question held up."""
        state, mine, step = self._state, self._state.id, self._stepwise.proposed == question.step
        if choice == fetching.LEAVE:
            await self._leave(question, Phrase("It was not fetched, so nothing ran."))
            return
        if choice != fetching.GET:
            self.fetching.decline(question)
            state.held = state.held or (None, ())  # going on is running, whether Run was pressed or not
        elif not await self.fetching.fetch(question) or mine != state.id:
            return
        held = state.held
        self._questions.settle(question)
        await self._go_on(step, held)

    async def answer_time(self, question: Question, choice: str) -> None:
        """Takes what the user says to a run that takes long: runs it, or leaves it."""
        state, step = self._state, self._stepwise.proposed == question.step
        if choice != limits.RUN:
            await self._leave(question, Phrase("It was not run."))
            return
        state.held = held = state.held or (None, ())
        self._questions.settle(question)
        self._questions.agree_to(float(question.resource))
        await self._go_on(step, held)

    async def _leave(self, question: Question, said: str) -> None:
        """Drops what the question held up; the step that is proposed is taken back."""
        self._state.held = None
        self._questions.leave_run(question)
        if self._stepwise.proposed == question.step:
            await self._stepwise.decline()
        else:
            self._state.log.say("assistant", said)

    def to_decide(self, node: str) -> Question | None:
        """What a limit of the settings wants decided before the node gets what it lacks, or runs; None when nothing."""
        state = self._state
        nodes = consent.needed(state.workflow, node)
        large = limits.is_large(fetching.offered(state.workflow, state.tools, nodes)[0].size_bytes)
        asked = {one.kind: one for one in self._questions.before_run(state.workflow, node)}
        fetch = asked.get(fetching.KIND)
        if fetch is None:
            return asked.get(limits.KIND)
        return fetch if large and not self.fetching.goes(fetch) else None

    async def get_for(self, node: str) -> None:
        """Fetches what the node lacks, or pauses that, and then runs it with all that it needs."""
        asked = [q for q in self._questions.before_run(self._state.workflow, node) if q.kind == fetching.KIND]
        for question in asked:
            if self.fetching.paused(question):
                return
            self._state.declined -= frozenset(question.resource.split())
            await self.start(node)
            await self.answer_fetch(question, fetching.GET)

    async def start_from(self, node: str) -> None:
        """Computes the node and everything after it afresh. Raises BadWorkflow for no such node."""
        await self.start(self._from(node), self._state.workflow.downstream(node))

    async def try_again(self, node: str) -> None:
        """Computes what failed of the node, and what depends on it. Raises BadWorkflow for no such node."""
        await self.start(self._from(node))

    def _from(self, node: str) -> tuple[str, ...]:
        """The node and everything after it that is not switched off."""
        workflow = self._state.workflow
        after, idle = workflow.downstream(workflow.node(node).id), workflow.idle()
        return tuple(id for id in workflow.ids() if id in after and id not in idle)

    def stop_item(self, node: str, item: int) -> None:
        """Stops one of the items, counted from 0, of a node that runs once for each of several; the others go on."""
        self._tracker.engine.cancel(node, item)

    @property
    def running_way(self) -> int | None:
        """The alternative whose run goes on, None when none does."""
        if self._tracker.shown.running:
            return self._state.graph.chosen
        return self._state.aside if self._tracker.going.running else None

    def workflow_of(self, index: int) -> Workflow:
        """The workflow of an alternative, with the user's edits where it is the one shown."""
        graph = self._state.graph
        return graph.workflow if index == graph.chosen else graph.alternatives[index].workflow

    def results_of(self, workflow: Workflow) -> Run:
        """What came of a workflow when it ran last here, as far as it ran; without id when it never did as a whole."""
        shown = self._tracker.shown
        return shown if workflow is self._state.workflow and shown.running else self._tracker.records.of(workflow)

    def holds(self, message: Message) -> bool:
        """False for an answer to the latest request that tells of something else than the graph would give now."""
        state = self._state
        run = self._tracker.ran(message.run) if message.run else None
        if run is None or any(later.role == "user" for later in state.log.messages if later.id > message.id):
            return True
        made_by = {state.resources[name].made_by for name in message.resources if name in state.resources}
        told = {reference.node for reference in message.references} | made_by
        now = set(self._tracker.traces(state.workflow).values())
        return all(run.nodes[id].trace in now for id in told if id in run.nodes and run.nodes[id].trace)

    def seconds_of(self, workflow: Workflow) -> dict[str, float]:
        """By node, how long it took when it was computed last here, or as a rule; without what never ran."""
        usual = Estimates(self._state.tools, Backends(), self._history).known(workflow)
        return usual | self._tracker.records.seconds(workflow)

    async def run_ways(self, *indexes: int) -> None:
        """Runs alternatives one after the other, the shown one as `start` does; what they share is computed once.

        Does nothing while something else goes on. Raises BadRequest when one still needs input.
        """
        state, tracker = self._state, self._tracker
        if tracker.going.running or state.busy:
            return
        for index in indexes:
            self._check_ready(index)
        planned = state.plan
        for index in sorted(indexes, key=lambda index: index != state.graph.chosen):
            if state.plan is not planned or tracker.going.running or state.busy:
                return  # the user asked for something else meanwhile
            if index == state.graph.chosen:
                await self.start()
                if tracker.shown.outcome == "cancelled":
                    return
            elif not await self._run_aside(index):
                return

    def _check_ready(self, index: int) -> None:
        solution = self._state.graph.alternatives[index].solution
        asked = self._questions.about(self.workflow_of(index), solution.questions)
        if asked:
            text = joined(*(question.text for question in asked))
            raise BadRequest(
                Phrase("“{title}” still needs something: {text}", title=Phrase.of(solution.title), text=text),
                "Show it, and answer there.",
            )

    async def _run_aside(self, index: int) -> bool:
        """Runs an alternative that is not shown, and says so; False when it was stopped."""
        state = self._state
        mine, way, run = state.id, state.graph.alternatives[index], None
        state.aside = index
        with state.work(RUNNING, Change.RUN):
            run = await self._tracker.aside(way.workflow, lambda: state.emit(Change.RUN))
        if run is None or mine != state.id:
            return False
        if run.outcome in ("ok", "failed"):
            state.failed_ways |= {index} if run.outcome == "failed" else frozenset()
            title = Phrase.of(way.solution.title)
            state.log.say("assistant", outcomes.told(title, run, way.workflow, state.tools))
        return run.outcome != "cancelled"

    def usual_seconds(self, tool: str, backend: str, node: str = "") -> float | None:
        """How long a tool takes with a back end as a rule, for what that `node` of the graph has to work on; None when
        it never ran here."""
        state = self._state
        found = state.tools[tool].backend(backend) if tool in state.tools else None
        if found is None:
            return None
        sizes = Estimates(state.tools, Backends(), self._history).sizes(state.workflow) if node else {}
        return seconds_with(self._history, tool, found, sizes.get(node, 0.0))


def _without(left: Collection[str], workflow: Workflow, upto: str | Collection[str] | None) -> tuple[str, ...]:
    """What would run for `upto`, without the nodes `left`."""
    nodes, idle = consent.needed(workflow, upto), workflow.idle()
    return tuple(id for id in workflow.ids() if (nodes is None or id in nodes) and id not in idle and id not in left)
