"""From a request to the workflow that is shown: planned as a whole, or step by step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, BadWorkflow
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n.tools import original
from desktop_app.plan.modes import stepwise
from desktop_app.plan.search.to_workflow import to_workflow
from desktop_app.plan.types import Plan, Request
from desktop_app.session import answer, questions
from desktop_app.session.follow_up import grown, set_apart, settled, with_ids
from desktop_app.session.messages import Alternative, Change, Message, Talk, priced
from desktop_app.session.stepwise import graph
from desktop_app.session.stepwise.loop import Stepping
from desktop_app.session.stepwise.turn import Ground, chooser_for
from desktop_app.session.undo import State

if TYPE_CHECKING:
    from desktop_app.plan.modes.step_choosers import Chooser
from desktop_app.session.runs import Runs
from nodes.phrase import Phrase, joined

IMPROVING = "Improving the plan"
"""What the session is busy with while a draft is shown and a language model is asked. It can be stopped."""
NO_WAY = Phrase("I found no way to do this with the tools that are here.")
CHANGED_MEANWHILE = "The language model has planned too. Your changes stay; ask again to see its plan."


class _Draft:
    """What a request has led to so far: the message that tells of it, and the state that it made."""

    def __init__(self) -> None:
        self.taken: State | None = None
        self.before: frozenset[str] = frozenset()
        """The ids that were used before it."""
        self._message: Message | None = None

    def say(self, talk: Talk, text: str, **more: Any) -> None:
        """Tells of the plan, in the place of what was told of an earlier one."""
        if self._message is None:
            self._message = talk.say("assistant", text, **more)
        else:
            self._message = talk.replace(self._message, text=text, **more)


class Plans(Runs):
    """Asking."""

    async def ask(self, text: str, names: Sequence[str] = ()) -> None:
        """Plans the request. The best solution becomes the workflow; what is missing becomes questions.

        Nothing runs yet. Faults end as messages of kind "error", not as exceptions. What still goes on step by step is
        stopped first.
        """
        await self._stepping.over()
        self.typed(text)
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
            self._talk.say("assistant", graph.taken_back(before, self.workflow, self.tools, self.run))
            return
        asked = self._stepping.answered(text) if self._chat is not None else text
        await self._stepping.begin(asked, names, earlier, self._chooser())

    def _chooser(self) -> Chooser:
        return chooser_for(self._chat, original(self.tools), self._planner.offline, self._planning.tally)

    def _make_stepping(self) -> Stepping:
        def request(text: str, names: tuple[str, ...], earlier: Sequence[Message]) -> Request:
            return questions.request(text, names, earlier, self.resources.values(), self.points)

        return Stepping(Ground(
            self.tools, self._talk, self._edits, self._running, lambda: self.steps, lambda: self.resources, request,
            self._change, lambda: self._ids.union(self.resources), self.questions, self._ran, self._answer,
            self.value_of, self._tell, self._set_busy,
        ))  # fmt: skip

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
            self._talk.say("assistant", Phrase(CHANGED_MEANWHILE))
            return
        self._take(plan, draft)

    def _take(self, plan: Plan, draft: _Draft) -> None:
        self.plan = plan
        ids = self._ids if draft.taken is None else draft.before
        ways, fault = self._ways(plan, ids)
        if not ways:
            why = fault or joined(*plan.causes) or NO_WAY
            text = joined(plan.notice, *((q.text for q in plan.questions) if plan.questions else (why,)))
            draft.say(self._talk, text, kind="text", questions=plan.questions, open=bool(plan.questions))
            return
        self._failed_ways = frozenset()
        draft.before = frozenset(ids)
        self._ids = set(ids)  # nothing ran of a draft, and from here on nothing brings it back
        self._show_results_of(ways[0].workflow)
        self._change(workflow=ways[0].workflow, chosen=0, alternatives=ways)
        asked = self.questions()
        text = answer.plan_text(self.workflow, self.tools, plan.notice, len(asked))
        draft.say(self._talk, text, kind="plan", questions=asked, open=bool(asked))
        draft.taken = self._edits.state
        self._tell(Change.PLAN)

    def _ways(self, plan: Plan, ids: Collection[str]) -> tuple[tuple[Alternative, ...], str]:
        """The alternatives whose graphs hold together, and what is wrong with the first that does not, else "".

        Their nodes have ids of their own, none of `ids`; only what two alternatives share has one id in both.
        """
        found: list[Alternative] = []
        fault, taken, shared = "", {*ids, *self.resources}, dict[str, str]()
        for solution in plan.solutions:
            new = to_workflow(solution, self.resources, self.tools, self.points)
            try:
                workflow, names = settled(self._grown(set_apart(new)), self.tools, taken, shared)
                workflow = self._as_drawn(workflow)
                workflow.check(self.tools)
            except BadWorkflow as error:
                fault = fault or str(error)
                continue
            found.append(priced(with_ids(solution, names), workflow, self.tools, self._history.seconds))
        return tuple(found), fault

    def _grown(self, new: Workflow) -> Workflow:
        """With the nodes of the present graph that made what it takes; that stays a file where they do not fit it."""
        workflow = grown(self.workflow, new, dict(self._running.made))
        try:
            workflow.check(self.tools)
        except BadWorkflow:
            return new
        return workflow
