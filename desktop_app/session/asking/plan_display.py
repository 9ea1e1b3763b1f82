"""A plan as it is shown: its best way becomes the graph, and a message tells of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_app.i18n.tools import original
from desktop_app.models import store
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.ranking.explanations import CANNOT, GUESS, doubt_of, is_guess
from desktop_app.plan.types import Plan, Question
from desktop_app.run.backends import availability
from desktop_app.session import conversation, fetching
from desktop_app.session.asking.graph_ways import GraphWays
from desktop_app.session.asking.replies import ReplyController
from desktop_app.session.asking.suggestions import NO_WAY, SURE
from desktop_app.session.asking.wish import Wish
from desktop_app.session.messages import Alternative, Change, Message, Offer, brought_last
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import IMPROVING, SessionState
from desktop_app.session.stepwise import graph
from desktop_app.session.undo import UndoController
from nodes.phrase import Phrase, joined

_HARDLY = 0.25
"""A plan less probable than that is doubted, though the planner says nothing of it."""
CHANGED_MEANWHILE = "The language model has planned too. Your changes stay; ask again to see its plan."


class PlanDisplay:
    """Shows plans in one session. `changes` takes the last change back."""

    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        questions: QuestionController,
        replies: ReplyController,
        changes: UndoController,
        ways: GraphWays,
    ) -> None:
        self._state, self._tracker, self._questions = state, tracker, questions
        self._replies, self._changes, self._ways = replies, changes, ways
        self._left: dict[tuple[str, str], tuple[str, ...]] = {}
        """The files of wishes that wait for an answer while another one is planned, by conversation and wish."""

    def draft(self, plan: Plan, wish: Wish) -> None:
        """Shows what was planned offline while a language model is asked."""
        self._state.set_busy(IMPROVING)
        if plan.solutions:
            self._take(plan, wish)

    def improve(self, plan: Plan, wish: Wish) -> bool:
        """Puts the plan in the place of the draft, within the same undo step; what the user has changed stays. False
        where there is nothing to show, and nothing was said.
        """
        if wish.taken is not None and self._state.graph is wish.taken:
            wish.take_back()
        elif wish.taken is not None:
            self._state.log.say("assistant", Phrase(CHANGED_MEANWHILE))
            return True
        if plan.command:
            self._obey(plan.command, wish)
            return True
        said = self._take(plan, wish)
        if wish.taken not in (None, self._state.graph):
            self._state.emit(Change.WORKFLOW | Change.PLAN)  # the draft was withdrawn, and nothing took its place
        return said or bool(plan.questions)

    def _obey(self, command: str, wish: Wish) -> None:
        """Takes the last change back ("undo"), or shows another of the ways ("way 2")."""
        said = self.undo() if command == "undo" else self.choose(int(command.removeprefix("way")) - 1)
        wish.say(self._state.log, said, kind="text", questions=(), open=False)
        self._state.emit(Change.PLAN)

    def choose(self, way: int) -> str:
        """Shows another of the ways, and says which."""
        self._changes.choose(way)
        shown = self._state.graph
        return Phrase("This is “{title}” now.", title=shown.alternatives[shown.chosen].solution.title)

    def undo(self) -> str:
        """Takes the last change back, and says what that was."""
        state, before = self._state, self._state.workflow
        self._changes.undo()
        with state.log.speaking():
            return graph.taken_back(before, state.workflow, state.tools, self._tracker.shown)

    @store.one_look()
    def _take(self, plan: Plan, wish: Wish) -> bool:
        """Shows the plan; False when it has no way that holds together, which is said."""
        ways, fault = self._ways.of(plan, self._state.used_ids, wish)
        plan = self._state.plan = self._doubted(plan, ways, wish.offered)
        if not ways:
            self._tell_why_not(plan, fault, wish)
            return bool(fault)
        self._state.failed_ways = frozenset()
        wish.take_back = self._taking_back()
        self._tracker.show(ways[0].workflow)
        self._state.change(
            workflow=ways[0].workflow,
            chosen=0,
            alternatives=ways,
            saved_as=self._ways.kept_form(ways[0].workflow) if wish.goes_on else "",
            edits=(),
            wish=wish.planned or self._state.log.last_request(),
        )
        self._tell(plan, wish)
        return True

    def _tell(self, plan: Plan, wish: Wish) -> None:
        """Says what the plan does and asks what it lacks."""
        self._questions.leave_all()
        again = self._replies.asked_again(wish.asked_before)
        asked = (*(one for one in plan.questions if one.kind != "confirm"), *self._questions.open())
        text = self._questions.plan_text(plan, asked)
        lacks = availability.connected() is None and fetching.asks_model(self._state.workflow, self._state.tools)
        others = self._replies.other_ways() if again else self._other_readings(plan)
        offers = (*others, *self._left_waiting(wish), *((conversation.CONNECT,) if lacks else ()))
        told = wish.say(self._state.log, text, kind="plan", questions=asked, open=bool(asked), offers=offers)
        wish.taken = self._state.plans[told.id] = self._state.graph
        self._replies.remember(told, wish.origin)
        self._state.emit(Change.PLAN)

    def _tell_why_not(self, plan: Plan, fault: str, wish: Wish) -> None:
        why = fault or joined(*plan.causes) or NO_WAY
        left_out = Phrase("Left out: {what}", what=plan.left_out) if plan.left_out and plan.questions else ""
        text = joined(plan.notice, *((q.text for q in plan.questions) if plan.questions else (why,)), left_out)
        told = wish.say(self._state.log, text, kind="text", questions=plan.questions, open=bool(plan.questions))
        self._replies.remember(told, wish.origin)

    def _doubted(self, plan: Plan, ways: Sequence[Alternative], is_offered: bool) -> Plan:
        """With its doubt as it can be told of the ways that hold together; without it where it is probable enough, and
        without the words that say nothing, which no tool can do.
        """
        plan = replace(plan, questions=tuple(one for one in plan.questions if not _says_nothing(one)))
        if not ways or is_offered or ways[0].solution.score >= SURE:
            return replace(plan, questions=tuple(one for one in plan.questions if not (ways and is_guess(one))))
        if ways[0].solution.score < _HARDLY and not any(one.kind == "confirm" for one in plan.questions):
            return replace(plan, questions=(*plan.questions, GUESS))
        used, tools = ways[0].workflow, original(self._state.tools)
        titles = [tools[used.node(id).tool].title for id in used.order() if used.node(id).tool in tools]
        others = {str(way.solution.title) for way in ways[1:]}

        def told(one: Question) -> Question:
            return doubt_of(one, titles, any(str(title) in others for title in one.choices)) if is_guess(one) else one

        return replace(plan, questions=tuple(map(told, plan.questions)))

    def offered_files(self, text: str) -> tuple[str, ...]:
        """The files for which the program has offered a wish in these words: those of the request to which the last
        message has offered this one instead, or those of the wish that was left waiting; () for neither.
        """
        messages = self._state.log.messages
        last = messages[-1] if messages else None
        is_offered = last is not None and last.role != "user" and last.kind == "text" and text in _offered(last)
        return (brought_last(messages) if is_offered else ()) or self._left.pop((self._state.id, text), ())

    def _left_waiting(self, wish: Wish) -> tuple[Offer, ...]:
        """To go on with what waited for an answer, where this is another wish."""
        waits, workflow = wish.waits, self._state.workflow
        here = {node.tool for node in workflow.nodes}
        if waits is None or not waits.needed or waits.tool in ("", *here) or not waits.origin.wish:
            return ()
        left = waits.origin.wish
        self._left[self._state.id, left] = waits.origin.files
        return (Offer(Phrase("Go on with “{wish}”", wish=left), "ask", left),)

    def _other_readings(self, plan: Plan) -> tuple[Offer, ...]:
        """The ways that a plan which is a guess asks about, the shown one left out."""
        asked = {title for question in plan.questions if question.kind == "confirm" for title in question.choices}
        titles = [way.solution.title for way in self._state.graph.alternatives]
        return tuple(Offer(title, "show", str(n)) for n, title in enumerate(titles) if n and title in asked)

    def _taking_back(self) -> Callable[[], None]:
        """What withdraws the plan that is taken next, as long as nothing of it ran: its ids are free again, nothing
        brings it back, and the results it had taken over are of the nodes that made them.
        """
        state, results = self._state, self._tracker.taking_back()
        history, ids, plans = replace(state.history), frozenset(state.used_ids), dict(state.plans)

        def take_back() -> None:
            state.history, state.used_ids, state.plans = replace(history), set(ids), dict(plans)
            results()

        return take_back


def _says_nothing(question: Question) -> bool:
    """True for what is said not to be done, where that is "please" or "and"."""
    told = Phrase.of(question.text)
    return told.template == CANNOT and not MessageWords(str(dict(told.values)["what"])).left(("filler", "thanks"))


def _offered(message: Message) -> set[str]:
    """What a click on the message asks for."""
    offered = {offer.value for offer in message.offers if offer.action == "ask"}
    return offered | {choice for question in message.questions if not question.port for choice in question.choices}
