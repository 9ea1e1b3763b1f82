"""Step by step: the loop that has a step chosen, puts it into the graph, runs it, and tells what came of it.

One Stepping belongs to one conversation, one Turn to one request. Must not know who chooses, nor the window.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.modes.step_choosers import Chooser
from desktop_app.plan.modes.stepwise import Ask, Decision, Finish, Situation, Use
from desktop_app.plan.types import Question, Step
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.messages import Change, Message
from desktop_app.session.stepwise import graph, observations
from desktop_app.session.stepwise.turn import CHOOSING, RUNNING, Ground, Turn, resumed
from desktop_app.storage.resources import Resource
from nodes.phrase import Phrase, joined, listed

_NO_TOOL = "*No tool was used for this.*"


class Stepping:
    """All verbs are called on the loop's thread. Faults end as messages."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._turn: Turn | None = None
        self._working = False
        self._stopped = self._late = self._left = False
        self._task: asyncio.Task[Any] | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    # What it shows

    @property
    def working(self) -> bool:
        """True while a step is chosen or run."""
        return self._working

    @property
    def proposed(self) -> str:
        """The node that waits for the user's word or input, "" when none does."""
        turn = self._turn
        return turn.waiting if turn and turn.waiting in self._workflow.ids() else ""

    @property
    def asks(self) -> bool:
        """True when the chooser has asked something, and what the user says next answers that."""
        return self._turn is not None and bool(self._turn.asks)

    def answered(self, text: str) -> str:
        """The request that was asked about, with the question and the user's answer."""
        turn = self._turn
        return f"{turn.text}\n{turn.asks}\n{text}" if turn and turn.asks else text

    @property
    def can_go_on(self) -> bool:
        """True when the last request was not brought to its end, or a step of it was taken back."""
        turn = self._turn
        if turn is None or self._working or self.proposed or turn.asks:
            return False
        return not turn.ended or bool(self._taken_back(turn))

    def _taken_back(self, turn: Turn) -> list[str]:
        """The nodes of steps that came to something, and are no longer in the graph."""
        ids = self._workflow.ids()
        return [node for node, came in turn.came.items() if node not in ids and not came.trouble]

    @property
    def _workflow(self) -> Workflow:
        return self._ground.edits.state.workflow

    # What the user asks for

    async def begin(self, text: str, names: tuple[str, ...], earlier: Sequence[Message], chooser: Chooser) -> None:
        """Works on a request, until it is answered, a limit is reached, or the user has to say something."""
        self.end()
        self._turn = Turn(text, names, tuple(earlier), chooser)
        await self._work(self._turn)

    def take_up(self, chooser: Chooser) -> None:
        """Makes the last request of a conversation that was kept one that can be gone on with."""
        talk = self._ground.talk
        for message in talk.messages:
            if message.kind == "step" and message.state in ("chosen", "running"):
                talk.replace(message, state="stopped")  # the program ended while it ran
        self._turn = resumed(talk.messages, self._workflow.ids(), chooser)

    async def approve(self) -> None:
        """Runs the proposed step, if what it needs is there, and goes on."""
        turn, node = self._turn, self.proposed
        if turn is None or not node or self._working or self._open(node):
            return
        await self._work(turn, node)

    async def decline(self) -> None:
        """Takes the proposed step back and has another way chosen."""
        turn, node = self._turn, self.proposed
        if turn is not None and node and not self._working:
            turn.declined.append(self._step(node))
            self._withdraw(turn, "declined")
            await self._work(turn)

    async def go_on(self) -> None:
        """Goes on with the last request: after a stop, a limit, or a step that was taken back. Limits begin anew."""
        turn = self._turn
        if turn is not None and self.can_go_on:
            turn.declined += [turn.came.pop(node).step for node in self._taken_back(turn)]
            turn.steps, turn.worked, turn.spared, turn.ended = 0, 0.0, turn.chooser.tokens, False
            await self._work(turn)

    def stop(self) -> None:
        """Ends the choosing or running of a step; a proposed one is taken back. Finished results stay."""
        if self._working:
            self._stopped = True
            if self._task is not None:
                self._task.cancel()
            self._ground.running.engine.cancel()
        elif self._turn is not None and self.proposed:
            self._withdraw(self._turn, "declined")

    def end(self) -> None:
        """Another request takes over: what is proposed is withdrawn, nothing can be gone on with."""
        if self._turn is not None and self.proposed:
            self._withdraw(self._turn, "declined")
        self._turn = None

    async def over(self) -> None:
        """Stops what goes on, and returns when it has ended."""
        while self._working:  # another may have begun before this one had its turn
            self.stop()
            await self._idle.wait()

    def leave(self) -> None:
        """The conversation is left: whatever still goes on is no longer told."""
        self._left = True
        self.stop() if self._working else None

    # The loop

    async def _work(self, turn: Turn, node: str = "") -> None:
        """Runs the proposed `node`, if any, then chooses and runs until something ends it."""
        ground, turn.began = self._ground, time.monotonic()
        self._working, self._stopped, self._late = True, False, False
        self._idle.clear()
        ground.busy(CHOOSING)
        try:
            await self._recall(turn)
            if node and not self._stopped and not self._left:
                turn.waiting = ""
                await self._run(turn, node)
            while not self._stopped and not self._left:
                limit = self._limit(turn)
                if limit:
                    self._say_end(turn, Phrase("The limit of {limit} is reached.", limit=limit))
                    return
                if not await self._step_on(turn):
                    return
            if not self._left:
                self._say_end(turn, Phrase("Stopped."))
        except AppError as error:
            if not self._left:
                ground.talk.say("assistant", error.message, kind="error", fix=error.fix)
        finally:
            turn.worked, turn.began = turn.seconds, None
            self._working = False
            self._idle.set()
            if not self._left:
                ground.busy("")
                ground.told(Change.RUN | Change.PLAN)

    async def _recall(self, turn: Turn) -> None:
        """Learns from the record of the run what steps came to that ran before the conversation was kept."""
        workflow, run = self._workflow, self._ground.running.run
        for node in turn.nodes:
            record = run.nodes.get(node, NodeRun())
            known = node in turn.came or node == turn.waiting or node not in workflow.ids()
            if not known and record.state in ("done", "failed"):
                step = graph.step_of(workflow, node, run)
                turn.came[node] = await asyncio.to_thread(graph.done, step, record, self._ground.value_of)

    async def _step_on(self, turn: Turn) -> bool:
        """One decision and what follows from it; False when that is the end, for now."""
        decision = await self._choose(turn)
        if decision is None or self._stopped or self._left:
            return not self._left  # the loop says why
        if isinstance(decision, Ask):
            asked = decision.question
            turn.asks = asked.text
            self._ground.talk.say("assistant", asked.text, questions=(asked,), open=True)
            return False
        if isinstance(decision, Finish):
            await self._finish(turn, decision)
            return False
        node = self._put(turn, decision)
        if self._ground.settings().approve or self._open(node):
            self._propose(turn, node)
            return False
        await self._run(turn, node)
        return True

    async def _choose(self, turn: Turn) -> Decision | None:
        """None when it was stopped, or took too long."""
        self._ground.busy(CHOOSING)
        situation = self._situation(turn)
        task = self._task = asyncio.ensure_future(turn.chooser.choose(situation))
        try:
            done, _ = await asyncio.wait({task}, timeout=self._seconds_left(turn))
            if not done:
                self._late = True
                task.cancel()
                await asyncio.wait({task})
                return None
            self._stopped |= task.cancelled()
            return None if self._stopped else task.result()
        finally:
            task.cancel()
            self._task = None

    def _limit(self, turn: Turn) -> str:
        """The limit that is reached, in words, or ""."""
        limits = self._ground.settings()
        if self._late or turn.seconds >= limits.seconds:
            return Phrase("{n} seconds", n=f"{limits.seconds:g}")
        if turn.steps >= limits.steps:
            return Phrase("1 step") if limits.steps == 1 else Phrase("{n} steps", n=limits.steps)
        if turn.chooser.tokens - turn.spared >= limits.tokens:
            return Phrase("{n} tokens", n=f"{limits.tokens:,}")
        return ""

    def _seconds_left(self, turn: Turn) -> float:
        return max(0.05, self._ground.settings().seconds - turn.seconds)

    def _situation(self, turn: Turn) -> Situation:
        """What the chooser is told. Steps that are no longer in the graph count as not wanted."""
        gone = self._taken_back(turn)
        here = self._here()
        asked = self._ground.request(turn.text, turn.names, turn.earlier)
        request = replace(asked, resources=tuple(given for given in asked.resources if given.name in here))
        done = [turn.came[node] for node in turn.nodes if node in turn.came]
        facts = {name: observations.facts(resource) for name, resource in here.items()}
        facts |= {result.name: dict(result.about) for one in done for result in one.results}
        return Situation(
            request,
            facts,
            tuple(one for one in done if one.step.id not in gone),
            (*turn.declined, *(turn.came[node].step for node in gone)),
            self._ground.settings().steps - turn.steps,
        )

    def _here(self) -> dict[str, Resource]:
        """What was brought, and what nodes that are still in the graph have made."""
        made, ids = self._ground.running.made, self._workflow.ids()
        return {
            name: resource
            for name, resource in self._ground.resources().items()
            if not resource.made_by or name not in made or made[name][0] in ids
        }

    # One step

    def _put(self, turn: Turn, use: Use) -> str:
        """Puts the step into the graph, in place of one that failed: one undo step. Returns the node."""
        ground = self._ground
        failed = [one.step.id for one in turn.came.values() if one.trouble]
        base = self._workflow.without(*failed)
        run, made = ground.running.run, ground.running.made
        grown, node = graph.grown(base, use.step, self._here(), run, made, ground.taken())
        grown.check(ground.tools)
        turn.nodes.append(node)
        turn.steps += 1
        wanted = graph.leaves(grown, turn.nodes, ground.tools)
        ground.change(workflow=replace(grown, wanted=wanted), chosen=0, alternatives=())
        ground.told(Change.PLAN)
        words = graph.in_words(use.step, ground.tools)
        turn.message = ground.talk.say("assistant", words, kind="step", node=node, state="chosen", why=use.why)
        return node

    def _open(self, node: str) -> tuple[Question, ...]:
        """What the node still needs from the user."""
        return tuple(question for question in self._ground.missing() if question.step == node)

    def _propose(self, turn: Turn, node: str) -> None:
        turn.waiting = node
        asked = self._open(node)
        if turn.message is not None:
            turn.message = self._ground.talk.replace(turn.message, state="proposed", questions=asked, open=bool(asked))

    def _withdraw(self, turn: Turn, state: str) -> None:
        """Takes the proposed step out of the graph again, without a trace in what undo brings back."""
        node, turn.waiting = self.proposed, ""
        edits = self._ground.edits
        if node in turn.nodes:
            turn.nodes.remove(node)
        if edits.done and node not in edits.done[-1].workflow.ids():
            edits.undo()
            edits.undone = ()
            self._ground.told(Change.WORKFLOW | Change.PLAN)
        else:
            self._ground.change(workflow=self._workflow.without(node))
        self._note(turn, state)

    def _note(self, turn: Turn, state: str, **fields: Any) -> None:
        """The state of the newest step in its message."""
        message = turn.message
        if message is not None:
            now = next((m for m in self._ground.talk.messages if m.id == message.id), message)
            turn.message = self._ground.talk.replace(now, state=state, **fields)

    def _step(self, node: str) -> Step:
        return graph.step_of(self._workflow, node, self._ground.running.run)

    async def _run(self, turn: Turn, node: str) -> None:
        """Runs the node and keeps what it came to. Raises AppError when the run cannot begin."""
        ground, running, workflow = self._ground, self._ground.running, self._workflow
        words = graph.in_words(self._step(node), ground.tools)
        self._note(turn, "running", text=words, open=False, questions=())
        ground.busy(RUNNING)
        before = replace(running.run, nodes={k: v for k, v in running.run.nodes.items() if k in workflow.ids()})
        timer = asyncio.get_running_loop().call_later(self._seconds_left(turn), self._overrun)
        try:
            await running.go(workflow, node, ground.ran, before=before)
        finally:
            timer.cancel()
        if self._left:
            return
        record = running.run.nodes.get(node, NodeRun())
        if record.state == "cancelled" or node not in self._workflow.ids():
            self._stopped |= not self._late
            self._note(turn, "stopped")
            return
        step = graph.step_of(workflow, node, running.run)
        came = turn.came[node] = await asyncio.to_thread(graph.done, step, record, ground.value_of)
        made = tuple(result.name for result in came.results)
        if not self._left:
            self._note(turn, "failed" if came.trouble else "done", resources=made, fix=came.trouble)

    def _overrun(self) -> None:
        self._late = True
        self._ground.running.engine.cancel()

    # The end

    async def _finish(self, turn: Turn, finish: Finish) -> None:
        ground = self._ground
        ids = set(self._workflow.ids())
        nodes = [node for node in turn.nodes if node in turn.came and node in ids]
        turn.ended = not finish.unfinished
        if not nodes:
            note = finish.note or Phrase("Nothing is left to do.")
            said = listed((finish.text, Phrase(_NO_TOOL)), "\n\n") if finish.text else note
            ground.talk.say("assistant", said)
            return
        made = ground.running.made
        wanted = tuple(dict.fromkeys(made[name] for name in finish.results if made.get(name, ("",))[0] in ids))
        if wanted and wanted != self._workflow.wanted:
            ground.edits.amend(workflow=replace(self._workflow, wanted=wanted))
            ground.told(Change.WORKFLOW)
        about = {*nodes, *(node for node, _ in wanted)}
        await self._answer(self._workflow, graph.told_of(ground.running.run, self._workflow, about))
        if finish.note and not self._left:
            ground.talk.say("assistant", finish.note)

    async def _answer(self, workflow: Workflow, run: Run) -> None:
        """Has the answer worded; `stop` ends that too."""
        task = self._task = asyncio.ensure_future(self._ground.answer(workflow, run))
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            task.cancel()
            self._task = None

    def _say_end(self, turn: Turn, why: str) -> None:
        ids = self._workflow.ids()
        done = [turn.came[node] for node in turn.nodes if node in turn.came and node in ids]
        came = graph.listed(done, self._ground.tools)
        said = Phrase("Done so far:\n\n{list}", list=came) if came else Phrase("Nothing was done yet.")
        self._ground.talk.say("assistant", joined(why, said))
