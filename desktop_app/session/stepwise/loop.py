"""Step by step: the loop that has a step chosen, puts it into the graph, runs it, and tells what came of it.

Must not know who chooses, nor the window.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.modes.step_policies import StepPolicy
from desktop_app.plan.modes.stepwise import Ask, Decision, Finish, Situation, Use
from desktop_app.plan.types import Question, Step
from desktop_app.run.backends import availability
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.consent import CONNECTED
from desktop_app.session.messages import Change, Message
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import CHOOSING, RUNNING, SessionState
from desktop_app.session.stepwise import graph, observations
from desktop_app.session.stepwise.request import StepwiseRequest, resumed
from desktop_app.storage.resources import Resource
from nodes.phrase import Phrase, joined, listed

_NO_TOOL = "*No tool was used for this.*"


async def sees_nothing() -> bool:
    return False


class StepwiseController:
    """All verbs are called on the loop's thread. Faults end as messages. `answer` words the reply from a run; `sees`
    says whether the language model sees pictures.
    """

    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        questions: QuestionController,
        answer: Callable[[Workflow, Run], Awaitable[object]],
        value_of: Callable[[Resource], Any],
    ) -> None:
        self._state, self._tracker, self._questions = state, tracker, questions
        self._answer, self._value_of = answer, value_of
        self._request: StepwiseRequest | None = None
        self.sees = sees_nothing

    # What it shows

    @property
    def working(self) -> bool:
        return self._request is not None and self._request.working

    @property
    def proposed(self) -> str:
        """The node that waits for the user's word or input, "" when none does."""
        request = self._request
        return request.waiting if request and request.waiting in self._workflow.ids() else ""

    @property
    def asks(self) -> bool:
        """True when the policy has asked something, and what the user says next answers that."""
        return self._request is not None and bool(self._request.asks)

    def answered(self, text: str) -> str:
        """The request that was asked about, with the question and the user's answer."""
        request = self._request
        return f"{request.text}\n{request.asks}\n{text}" if request and request.asks else text

    @property
    def can_go_on(self) -> bool:
        """True when the last request was not brought to its end, or a step of it was taken back."""
        request = self._request
        if request is None or request.working or self.proposed or request.asks:
            return False
        return not request.ended or bool(self._taken_back(request))

    def _taken_back(self, request: StepwiseRequest) -> list[str]:
        """The nodes of steps that came to something, and are no longer in the graph."""
        ids = self._workflow.ids()
        return [node for node, came in request.came.items() if node not in ids and not came.trouble]

    @property
    def _workflow(self) -> Workflow:
        return self._state.workflow

    # What the user asks for

    async def begin(self, text: str, names: tuple[str, ...], earlier: Sequence[Message], policy: StepPolicy) -> None:
        """Works on a request, until it is answered, a limit is reached, or the user has to say something."""
        self.end()
        self._request = StepwiseRequest(text, names, tuple(earlier), policy)
        await self._work(self._request)

    def take_up(self, policy: StepPolicy) -> None:
        """Makes the last request of a conversation that was kept one that can be gone on with."""
        log = self._state.log
        for message in log.messages:
            if message.kind == "step" and message.state in ("chosen", "running"):
                log.replace(message, state="stopped")  # the program ended while it ran
        self._request = resumed(log.messages, self._workflow.ids(), policy)

    async def approve(self) -> None:
        """Runs the proposed step, if what it needs is there, and goes on."""
        request, node = self._request, self.proposed
        if request is None or not node or request.working or self._open(node):
            return
        await self._work(request, node)

    async def decline(self) -> None:
        """Takes the proposed step back and has another way chosen."""
        request, node = self._request, self.proposed
        if request is not None and node and not request.working:
            request.declined.append(self._step(node))
            self._withdraw(request)
            await self._work(request)

    async def go_on(self) -> None:
        """Goes on with the last request: after a stop, a limit, or a step that was taken back. Limits begin anew."""
        request = self._request
        if request is not None and self.can_go_on:
            request.declined += [request.came.pop(node).step for node in self._taken_back(request)]
            request.steps, request.worked, request.spared, request.ended = 0, 0.0, request.policy.tokens, False
            await self._work(request)

    def stop(self) -> None:
        """Ends the choosing or running of a step; a proposed one is taken back. Finished results stay."""
        request = self._request
        if request is None:
            return
        if request.working:
            request.stopped = True
            if request.task is not None:
                request.task.cancel()
            self._tracker.engine.cancel()
        elif self.proposed:
            self._withdraw(request)

    def interrupt(self) -> None:
        """As `stop`, but what is proposed stays."""
        if self.working:
            self.stop()

    def end(self) -> None:
        """Another request takes over: what is proposed is withdrawn, nothing can be gone on with."""
        if self._request is not None and self.proposed:
            self._withdraw(self._request)
        self._request = None

    async def over(self) -> None:
        """Stops what goes on, and returns when it has ended."""
        while self._request is not None and self._request.working:  # another may have begun before this one woke up
            self.stop()
            await self._request.idle.wait()

    def leave(self) -> None:
        """The conversation is left: whatever still goes on is no longer told."""
        if self._request is not None:
            self._request.left = True
            self.interrupt()
            self._request = None

    # The loop

    async def _work(self, request: StepwiseRequest, node: str = "") -> None:
        """Runs the proposed `node`, if any, then chooses and runs until something ends it."""
        request.begin()
        self._state.set_busy(CHOOSING)
        try:
            await self._recall(request)
            if node and not request.stopped and not request.left:
                request.waiting = ""
                await self._run(request, node)
            while not request.stopped and not request.left:
                limit = self._limit(request)
                if limit:
                    self._say_end(request, Phrase("The limit of {limit} is reached.", limit=limit))
                    return
                if not await self._step_on(request):
                    return
            if not request.left:
                self._say_end(request, Phrase("Stopped."))
        except AppError as error:
            if not request.left:
                self._state.log.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            request.pause()
            if not request.left:
                self._state.set_busy("")
                self._state.emit(Change.RUN | Change.PLAN)

    async def _recall(self, request: StepwiseRequest) -> None:
        """Learns from the record of the run what steps came to that ran before the conversation was kept."""
        workflow, run = self._workflow, self._tracker.run
        for node in request.nodes:
            record = run.nodes.get(node, NodeRun())
            known = node in request.came or node == request.waiting or node not in workflow.ids()
            if not known and record.state in ("done", "failed"):
                step = graph.step_of(workflow, node, run)
                request.came[node] = await asyncio.to_thread(graph.done, step, record, self._value_of)

    async def _step_on(self, request: StepwiseRequest) -> bool:
        """One decision and what follows from it; False when that is the end, for now."""
        decision = await self._choose(request)
        if decision is None or request.stopped or request.left:
            return not request.left  # the loop says why
        if isinstance(decision, Ask):
            asked = decision.question
            request.asks = asked.text
            self._state.log.say("assistant", asked.text, questions=(asked,), open=True)
            return False
        if isinstance(decision, Finish):
            await self._finish(request, decision)
            return False
        node = self._put(request, decision)
        if self._state.steps.approve or self._open(node):
            self._propose(request, node)
            return False
        await self._run(request, node)
        return True

    async def _choose(self, request: StepwiseRequest) -> Decision | None:
        """None when it was stopped, or took too long."""
        self._state.set_busy(CHOOSING)
        situation = self._situation(request)
        task = request.task = asyncio.ensure_future(request.policy.choose(situation))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._seconds_left(request))
            if not done:
                request.late = True
                task.cancel()
                await asyncio.wait({task})
                return None
            request.stopped |= task.cancelled()
            return None if request.stopped else task.result()
        finally:
            task.cancel()
            request.task = None

    def _limit(self, request: StepwiseRequest) -> str:
        """The limit that is reached, in words, or ""."""
        limits = self._state.steps
        if request.late or request.seconds >= limits.seconds:
            return Phrase("{n} seconds", n=f"{limits.seconds:g}")
        if request.steps >= limits.steps:
            return Phrase("1 step") if limits.steps == 1 else Phrase("{n} steps", n=limits.steps)
        if request.policy.tokens - request.spared >= limits.tokens:
            return Phrase("{n} tokens", n=f"{limits.tokens:,}")
        return ""

    def _seconds_left(self, request: StepwiseRequest) -> float:
        return max(0.05, self._state.steps.seconds - request.seconds)

    def _situation(self, request: StepwiseRequest) -> Situation:
        """What the policy is told. Steps that are no longer in the graph count as not wanted."""
        gone = self._taken_back(request)
        here = self._here()
        asked = self._questions.request(request.text, request.names, request.earlier)
        asked = replace(asked, resources=tuple(given for given in asked.resources if given.name in here))
        done = [request.came[node] for node in request.nodes if node in request.came]
        facts = {name: observations.facts(resource) for name, resource in here.items()}
        facts |= {result.name: dict(result.about) for one in done for result in one.results}
        return Situation(
            asked,
            facts,
            tuple(one for one in done if one.step.id not in gone),
            (*request.declined, *(request.came[node].step for node in gone)),
            self._state.steps.steps - request.steps,
        )

    def _here(self) -> dict[str, Resource]:
        """What was brought, and what nodes that are still in the graph have made."""
        made, ids = self._tracker.made, self._workflow.ids()
        return {
            name: resource
            for name, resource in self._state.resources.items()
            if not resource.made_by or name not in made or made[name][0] in ids
        }

    # One step

    def _put(self, request: StepwiseRequest, use: Use) -> str:
        """Puts the step into the graph, in place of one that failed: one undo step. Returns the node."""
        failed = [one.step.id for one in request.came.values() if one.trouble]
        base = self._workflow.without(*failed)
        run, made, taken = self._tracker.run, self._tracker.made, self._state.used_ids.union(self._state.resources)
        grown, node = graph.grown(base, use.step, self._here(), run, made, taken)
        grown.check(self._state.tools)
        request.nodes.append(node)
        request.steps += 1
        wanted = graph.leaves(grown, request.nodes, self._state.tools)
        self._state.change(workflow=replace(grown, wanted=wanted), chosen=0, alternatives=())
        self._state.emit(Change.PLAN)
        log = self._state.log
        with log.speaking():
            words = graph.in_words(use.step, self._state.tools)
        request.message = log.say("assistant", words, kind="step", node=node, state="chosen", why=use.why)
        return node

    def _open(self, node: str) -> tuple[Question, ...]:
        return tuple(question for question in self._questions.open() if question.step == node)

    def _propose(self, request: StepwiseRequest, node: str) -> None:
        request.waiting = node
        asked, message = self._open(node), request.message
        if message is not None:
            request.message = self._state.log.replace(message, state="proposed", questions=asked, open=bool(asked))

    def _withdraw(self, request: StepwiseRequest) -> None:
        """Takes the proposed step out of the graph again, without a trace in what undo brings back."""
        node, request.waiting = self.proposed, ""
        history = self._state.history
        if node in request.nodes:
            request.nodes.remove(node)
        if history.done and node not in history.done[-1].workflow.ids():
            history.undo()
            history.undone = ()
            self._state.emit(Change.WORKFLOW | Change.PLAN)
        else:
            self._state.change(workflow=self._workflow.without(node))
        self._note(request, "declined")

    def _note(self, request: StepwiseRequest, state: str, **fields: Any) -> None:
        message = request.message
        if message is not None:
            now = next((m for m in self._state.log.messages if m.id == message.id), message)
            request.message = self._state.log.replace(now, state=state, **fields)

    def _step(self, node: str) -> Step:
        return graph.step_of(self._workflow, node, self._tracker.run)

    async def _run(self, request: StepwiseRequest, node: str) -> None:
        """Runs the node and keeps what it came to. Raises AppError when the run cannot begin."""
        tracker, workflow = self._tracker, self._workflow
        with self._state.log.speaking():
            words = graph.in_words(self._step(node), self._state.tools)
        self._note(request, "running", text=words, open=False, questions=())
        self._state.set_busy(RUNNING)
        before = replace(tracker.run, nodes={k: v for k, v in tracker.run.nodes.items() if k in workflow.ids()})
        timer = asyncio.get_running_loop().call_later(self._seconds_left(request), self._overrun, request)
        try:
            await tracker.go(workflow, node, tracker.went_on, before=before)
        finally:
            timer.cancel()
        if request.left:
            return
        record = tracker.run.nodes.get(node, NodeRun())
        if record.state == "cancelled" or node not in self._workflow.ids():
            request.stopped |= not request.late
            self._note(request, "stopped")
            return
        step = graph.step_of(workflow, node, tracker.run)
        shows = await self._may_show()
        came = request.came[node] = await asyncio.to_thread(graph.done, step, record, self._value_of, shows)
        made = tuple(result.name for result in came.results)
        if not request.left:
            self._note(request, "failed" if came.trouble else "done", resources=made, fix=came.trouble)

    async def _may_show(self) -> bool:
        """True when small pictures of results may go to the language model: it sees, and runs on this computer or the
        user has agreed.
        """
        model = availability.connected()
        if model is None or (model.place and not self._state.agreed.has(CONNECTED[1])):
            return False
        try:
            return await self.sees()
        except AppError:
            return False  # the next choice of a step says what is wrong with the server

    def _overrun(self, request: StepwiseRequest) -> None:
        request.late = True
        self._tracker.engine.cancel()

    # The end

    async def _finish(self, request: StepwiseRequest, finish: Finish) -> None:
        ids = set(self._workflow.ids())
        nodes = [node for node in request.nodes if node in request.came and node in ids]
        request.ended = not finish.unfinished
        if not nodes:
            note = finish.note or Phrase("Nothing is left to do.")
            said = listed((finish.text, Phrase(_NO_TOOL)), "\n\n") if finish.text else note
            self._state.log.say("assistant", said)
            return
        made = self._tracker.made
        wanted = tuple(dict.fromkeys(made[name] for name in finish.results if made.get(name, ("",))[0] in ids))
        if wanted and wanted != self._workflow.wanted:
            self._state.amend(replace(self._workflow, wanted=wanted))
        about = {*nodes, *(node for node, _ in wanted)}
        await self._reply(request, self._workflow, graph.told_of(self._tracker.run, self._workflow, about))
        if finish.note and not request.left:
            self._state.log.say("assistant", finish.note)

    async def _reply(self, request: StepwiseRequest, workflow: Workflow, run: Run) -> None:
        """Has the answer worded; `stop` ends that too."""
        task = request.task = asyncio.ensure_future(self._answer(workflow, run))
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            task.cancel()
            request.task = None

    def _say_end(self, request: StepwiseRequest, why: str) -> None:
        ids = self._workflow.ids()
        done = [request.came[node] for node in request.nodes if node in request.came and node in ids]
        with self._state.log.speaking():
            came = graph.listed(done, self._state.tools)
        said = Phrase("Done so far:\n\n{list}", list=came) if came else Phrase("Nothing was done yet.")
        self._state.log.say("assistant", joined(why, said))
