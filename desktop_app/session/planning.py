"""From a request to the workflow that is shown: planned as a whole, or step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n.tools import original
from desktop_app.plan.modes import stepwise
from desktop_app.plan.modes.conversation import MessageWords, Talk
from desktop_app.plan.modes.edits import (
    Another,
    AskValue,
    Edit,
    Insert,
    Redo,
    Rephrase,
    SaveAs,
    SetValues,
    Undo,
    UseTool,
    UseWay,
)
from desktop_app.plan.modes.replying.reply_words import COMPLAINT, REFUSAL, VALUE, Reply, by_words
from desktop_app.plan.ranking.explanations import cannot_do
from desktop_app.plan.types import Given, Placed, Plan, Question, Request, Solution
from desktop_app.session import batches
from desktop_app.session.answering.request_words import reply_language
from desktop_app.session.asking import table_columns
from desktop_app.session.asking.graph_ways import GraphWays
from desktop_app.session.asking.plan_display import PlanDisplay
from desktop_app.session.asking.plan_task import PlanTask
from desktop_app.session.asking.read_tables import ReadTables
from desktop_app.session.asking.replies import Awaited, Origin, ReplyController
from desktop_app.session.asking.suggestions import LEFT, SuggestionController
from desktop_app.session.asking.wish import Wish
from desktop_app.session.batches import Batches
from desktop_app.session.conversation import Conversationalist
from desktop_app.session.follow_up import placed
from desktop_app.session.follow_ups import FollowUpController
from desktop_app.session.inputs import open_ports
from desktop_app.session.messages import Change, Offer, waiting
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import PLANNING, SessionState
from desktop_app.session.stepwise.loop import StepwiseController
from desktop_app.session.stepwise.request import LazyStepPolicy, step_policy
from desktop_app.session.undo import UndoController
from desktop_app.storage.database import History
from desktop_app.storage.examples import example_requests
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.modes.step_policies import StepPolicy
    from desktop_app.plan.planner import Planner

_MEANT = 0.15
"""A plan for a file that is not here is more probable than that: of twelve such wishes the least was 0.3."""
_NO_WISH = (Talk, Undo, Redo, UseWay)
"""Said to the program, or of what was done: no answer to a question."""


class PlanningController:
    """Asking. `changes` takes the last change back; `as_drawn` puts what was drawn before into a graph; `timings`
    tell how long tools took with back ends. `follow_ups` carries out what is said of the present graph, `talk` answers
    what is said to the program itself. `tables` are those that wishes speak of.
    """

    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        questions: QuestionController,
        stepwise: StepwiseController,
        planner: Planner,
        chat: ChatModel | None,
        changes: UndoController,
        as_drawn: Callable[[Workflow], Workflow],
        timings: History,
        follow_ups: FollowUpController,
        talk: Conversationalist,
    ) -> None:
        self._follow_ups, self._talk = follow_ups, talk
        self._state, self._tracker, self._questions, self._stepwise = state, tracker, questions, stepwise
        self.planner, self.chat = planner, chat
        self.tables = ReadTables(state)
        self._replies = ReplyController(state, questions, changes)
        ways = GraphWays(state, tracker, self.tables, as_drawn, timings)
        self._display = PlanDisplay(state, tracker, questions, self._replies, changes, ways)
        self._suggestions = SuggestionController(state, questions, talk, self)
        self._task: PlanTask | None = None

    async def ask(self, text: str, names: Sequence[str] = ()) -> None:
        """Plans the request. The best solution becomes the workflow; what is missing becomes questions. Where a
        question waits, and the text is its answer, that is put in.

        Nothing runs yet. Faults end as messages of kind "error", not as exceptions. What still goes on step by step is
        stopped first.
        """
        await self._said(text, names)

    async def respond(self, question: Question, text: str) -> None:
        """Takes what was typed as the answer to a question; what is a wish of its own, or no answer, is no value, and
        is said in the chat (as by `ask`). Raises BadRequest for a value that does not fit.
        """
        awaited, state = self._replies.awaited(question), self._state
        if awaited is None or state.busy or not self._replies.is_typed(question):
            self._questions.reply(question, text)
            return
        reply = await self.planner.reply(text, self._replies.asked(awaited, direct=True))
        if reply.kind == VALUE:
            self._questions.reply_with(question, reply.text, reply.more)
        else:
            await self._said(text, (), question)

    async def _said(self, text: str, names: Sequence[str], answering: Question | None = None) -> None:
        await self._stepwise.over()
        log, tally = self._state.log, self._state.tally
        tally.begin()
        await self._ask(text, names, answering)
        if log is self._state.log and tally.request.total and log.messages[-1].role == "assistant":
            log.replace(log.messages[-1], spent=tally.request)

    async def _ask(self, text: str, names: Sequence[str], answering: Question | None = None) -> None:
        wish = self._heard(text, names, answering)
        if self._state.steps.on or (self.chat is not None and (stepwise.wanted_in(text) or self._stepwise.asks)):
            goes_on = False
            with self._state.work(PLANNING):
                goes_on = await self._answers_in_language(wish)
            if goes_on:
                await self._ask_in_steps(stepwise.without_phrase(text), wish)
            return
        self._stepwise.end()
        with self._state.work(PLANNING):
            if not await self._needs_no_plan(wish):
                await self._plan(wish)

    def _heard(self, text: str, names: Sequence[str], answering: Question | None) -> Wish:
        """Writes down what was said, and what waited for an answer then."""
        state, log = self._state, self._state.log
        self._questions.typed(text)
        earlier, before = log.messages, waiting(log.messages)
        offered = self._display.offered_files(text)
        files = tuple(names) or offered
        waits = self._replies.awaited(answering)
        log.say("user", text, resources=files)
        if not state.title:
            state.title = text.strip().splitlines()[0][:60] if text.strip() else ""
        return Wish(
            text, files, state.id, earlier, answering, waits if not files else None, waits,
            asked_before=tuple(one.text for one in before.questions) if before is not None else (),
            offered=bool(offered) or text in example_requests(), origin=Origin(text, files, before=len(earlier)),
        )  # fmt: skip

    async def _answers_in_language(self, wish: Wish) -> bool:
        """Goes on in the language of the message; False where another conversation is shown by now."""
        log = self._state.log
        language = await asyncio.to_thread(reply_language, wish.text, log.language)
        if not self._is_shown(wish):
            return False
        log.answer_in(language)
        return True

    def _is_shown(self, wish: Wish) -> bool:
        return wish.conversation == self._state.id

    # What nothing is planned for

    async def _needs_no_plan(self, wish: Wish) -> bool:
        """Answers a question that waits, changes the graph, or talks; False for a wish that is to be planned."""
        present = self._follow_ups.present(wish.files)
        wish.present = replace(present, files=self.tables.with_rows(present.files))
        wish.meant = await self._meant(wish)
        if not await self._answers_in_language(wish):
            return True
        awaited = wish.awaited
        if awaited is not None and (file := self._replies.file_meant(awaited, wish.text)):
            return await self._replied(awaited, Reply(VALUE, file))
        if wish.waits is not None and wish.files:
            brought = self._replies.brought(wish.waits, wish.text, wish.files)
            if brought is not None:
                wish.becomes(brought)
        named = None if awaited is None or isinstance(wish.meant, _NO_WISH) else await self._named(wish, awaited)
        if named is not None:
            self._change(named, wish.text)
            return True
        if await self._answered(wish) or await self._followed(wish):
            return True
        is_unclear = wish.meant is None and (awaited is None or not awaited.tool)
        return is_unclear and await self._suggestions.ask_what(wish)

    async def _meant(self, wish: Wish) -> Edit | Talk | None:
        """What the message is for the graph that is there; None for a wish, and where no column of it is."""
        meant = await self.planner.follow_up(wish.text, wish.present)
        if isinstance(meant, SetValues | AskValue) and self._brings_more(wish):
            return None
        own = self._state.workflow, self._state.tools, self.tables.headers
        return None if isinstance(meant, SetValues) and table_columns.refuses(*own, meant.values) else meant

    async def _named(self, wish: Wish, awaited: Awaited) -> UseTool | None:
        """Where the reply names the thing on which one should click: what finds it by its name in the place of that."""
        asked, tools = awaited.question, self._state.tools
        file = self._state.find(asked.resource)
        if asked.kind != "point" or not awaited.needed or file is None:
            return None
        plan = await self.planner.offline(Request(wish.text, (Given(file.name, str(file.type)),)))
        first = plan.solutions[0] if plan.solutions else None
        if first is None or len(first.steps) != 1 or first.questions:
            return None
        step = first.steps[0]
        told = {port: value for port, value in step.arguments.items() if isinstance(value, str)}
        finds = tools[step.tool].outputs[0].type is tools[awaited.tool].outputs[0].type
        return UseTool(asked.step, step.tool, told) if told and finds else None

    def _brings_more(self, wish: Wish) -> bool:
        """Whether a file comes with the message that the graph does not take: then it is that which is worked on."""
        taken = {link.source for link in self._state.workflow.links}
        return not taken.issuperset(wish.files)

    async def _answered(self, wish: Wish) -> bool:
        """Takes the message as the reply to the question that waits, or as a complaint; False for a wish of its own."""
        awaited, plainly = wish.awaited, by_words(wish.text)
        if awaited is None:
            return wish.meant is None and plainly is not None and self._complained(plainly)
        refuses = plainly is not None and plainly.kind == REFUSAL
        if isinstance(wish.meant, _NO_WISH) and not refuses:
            return False
        reply = await self.planner.reply(wish.text, self._replies.asked(awaited, wish.answering is not None))
        if not self._is_shown(wish):
            return True
        if isinstance(wish.meant, SetValues) and wish.answering is None and not self._replies.fits(awaited, reply):
            return False  # a change of something else: what was asked waits on
        if await self._replied(awaited, reply):
            return True
        wish.same, wish.complains = reply.same, reply.kind == COMPLAINT
        if wish.same or wish.complains or reply.denies or MessageWords(wish.text).has("instead", "rather", "no"):
            wish.waits = None
        if self._is_anew(awaited, reply, wish.meant):
            wish.becomes(self._replies.anew(awaited, reply))
        return False

    async def _followed(self, wish: Wish) -> bool:
        """Talks, or changes the graph that is there; False for a wish that is to be planned."""
        meant = wish.meant
        if isinstance(meant, Talk):
            await self._talked(meant, wish)
            return True
        if isinstance(meant, AskValue):
            meant = self._follow_ups.known(meant)
        if isinstance(meant, SaveAs) and not (self._follow_ups.can_save(meant) or self._follow_ups.answers):
            return False  # "make it an mp3", with a picture of the sound as the last: a wish for what there is
        if meant is None or isinstance(meant, Rephrase):
            return False
        if isinstance(meant, AskValue):
            if meant.also:
                self._follow_ups.carry_out(SetValues(meant.also), wish.text)
            self._ask_value(meant)
        else:
            self._change(meant, wish.text)
        return True

    async def _talked(self, meant: Talk, wish: Wish) -> None:
        steps = await self.planner.named(meant.rest, wish.present) if meant.topic == "why" else ()
        with self._state.log.speaking():
            if meant.topic == "with":
                said, offers = self._suggestions.of_kind(meant.rest)
            else:
                said, offers = await self._talk.reply(meant, self.planner, steps)
        self._state.log.say("assistant", said, offers=offers)

    async def _replied(self, awaited: Awaited, reply: Reply) -> bool:
        """Puts a value in, or says why it cannot be; leaves what nobody wants to answer; False for a wish."""
        if reply.kind == VALUE:
            try:
                self._questions.reply_with(awaited.question, reply.text, reply.more)
            except BadRequest as error:
                self._replies.close(awaited)
                self._tell_change(joined(error.message, error.fix))
                return True
            port = awaited.question.port if reply.text else next(iter(reply.more))
            self._tell_change(self._follow_ups.told((awaited.question.step, port)))
            return True
        if reply.kind == REFUSAL or (reply.kind == COMPLAINT and not awaited.tool):
            await self._leave(awaited)
            return True
        return False

    def _complained(self, said: Reply) -> bool:
        """ "That is not what I asked", where nothing waits for an answer: shows another way, if there is one. "Never
        mind" changes nothing.
        """
        graph = self._state.graph
        if said.kind == REFUSAL:
            self._state.log.say("assistant", LEFT)
            return True
        if said.kind != COMPLAINT or len(graph.alternatives) < 2:
            return False
        told = self._display.choose((graph.chosen + 1) % len(graph.alternatives))
        self._tell_change(told, self._replies.other_ways())
        return True

    def _is_anew(self, awaited: Awaited, reply: Reply, meant: Edit | Talk | None) -> bool:
        """Whether a wish takes the place of the one about which something was asked, and does not go on from it."""
        if isinstance(meant, Rephrase) or reply.kind == COMPLAINT or reply.denies:
            return not isinstance(meant, Rephrase)
        asked = awaited.question
        if reply.further or not awaited.needed or asked.kind in ("point", "box"):
            return False
        if asked.kind == "file" and asked.choices:  # "the second one"
            return False
        own = isinstance(meant, SetValues) and {step for step, _ in meant.values} <= {awaited.question.step}
        return own or meant is None or isinstance(meant, AskValue | Another | Insert | UseTool)

    async def _leave(self, awaited: Awaited) -> None:
        """Nobody answers: what was asked about is withdrawn, and what would work is offered."""
        self._replies.withdraw(awaited)
        await self._suggestions.leave(awaited.origin.wish, (awaited.tool,))

    def _change(self, meant: Edit, text: str) -> None:
        state, log = self._state, self._state.log
        said, changed = self._follow_ups.carry_out(meant, text)
        if not changed or not state.workflow.nodes:
            log.say("assistant", said)
            return
        self._tell_change(said)

    def _tell_change(self, said: str, offers: Sequence[Offer] = ()) -> None:
        state, log = self._state, self._state.log
        self._questions.close_answered()
        asked = self._questions.open()
        self._questions.leave_all()
        ready = () if asked else (Phrase("Ready to run."),)
        more = {"questions": asked, "open": bool(asked), "offers": tuple(offers)}
        log.say("assistant", joined(said, *ready), kind="plan", why=said, **more)
        state.emit(Change.PLAN)

    def _ask_value(self, meant: AskValue) -> None:
        """Nothing says how much: asks."""
        tool = self._state.tools[self._state.workflow.node(meant.step).tool]
        text = open_ports.question_about(tool, meant.port)
        question = Question(text, "text", step=meant.step, port=meant.port)
        self._state.log.say("assistant", text, questions=(question,), open=True)

    # What is planned

    async def _plan(self, wish: Wish) -> None:
        """Plans the wish, and shows what came of it."""
        request, awaited = await self._request(wish), wish.awaited
        plan = await self._planned(request, wish)
        brought = wish.waits if wish.files and not plan.solutions else None
        if brought is not None and (handed := self._replies.handed(brought, wish.files)):
            wish.becomes(handed)
            request = await self._request(wish)
            plan = await self._planned(request, wish)
        if awaited is not None and plan.solutions and not wish.same and awaited.asks(plan.solutions[0]):
            avoided = (*request.avoided, awaited.tool)
            other = await self._planned(replace(request, avoided=avoided), wish)
            if other.solutions:  # else it is asked again, in other words
                plan, wish.origin = other, replace(wish.origin, avoided=avoided)
        if not self._is_shown(wish):
            return
        chosen = wish.waits
        if chosen is not None and not chosen.tool and wish.text in chosen.question.choices:
            plan = replace(plan, solutions=tuple(_asking(one, chosen.origin.wish) for one in plan.solutions))
        if _means_nothing(plan):
            plan = replace(plan, solutions=(), questions=(), causes=(cannot_do(wish.planned),))
        if wish.complains and wish.taken is None and _asks_for_words(plan):  # no second guess that knows no better
            await self._suggestions.leave(wish.planned, request.avoided)
        elif not self._display.improve(plan, wish):
            await self._suggestions.refuse(plan, wish)

    async def _request(self, wish: Wish) -> Request:
        """What the planner is asked."""
        if self.chat is None:  # a model is told the graph itself
            wish.pending, wish.goes_on = self._questions.pending(wish.text), self._goes_on(wish.text)
        request = self._questions.request(wish.text, wish.files, wish.earlier, wish.pending)
        request = replace(request, avoided=wish.origin.avoided)
        if isinstance(wish.meant, Rephrase):
            own = {given.name for given in wish.present.files}
            given = tuple(one for one in request.resources if batches.whole_name(one.name) in own)
            request = replace(request, text=wish.meant.text, resources=given, history=())
        wish.planned = request.text
        await self.tables.read()
        request = replace(request, resources=self.tables.with_rows(request.resources))
        return request if self.chat is None else self._with_graph(request)

    async def _planned(self, request: Request, wish: Wish) -> Plan:
        """What is planned offline is shown while a language model is asked."""

        def show(plan: Plan) -> None:
            if self._is_shown(wish):
                self._display.draft(self._batches().plan(plan), wish)

        self._task = PlanTask(self.planner, request, show, self._state.tally)
        return self._batches().plan(await self._task.plan())

    def _with_graph(self, request: Request) -> Request:
        """With the graph that is shown and the ways to do the same, for a model to change."""
        ways = tuple(way.solution.title for way in self._state.graph.alternatives)
        shown = placed(self._state.workflow, self._tracker.shown, self._state.tools)
        return replace(request, graph=tuple(map(self._told, shown)), ways=ways) if shown else request

    def _told(self, placed: Placed) -> Placed:
        files = self._state.resources
        arguments = {port: batches.told_as(each, files) for port, each in placed.step.arguments.items()}
        return replace(placed, step=replace(placed.step, arguments=arguments))

    def _goes_on(self, text: str) -> bool:
        """Whether the wish is for what the graph makes, and not for a file that it names."""
        said = text.lower()
        return self._questions.goes_on(text) and not any(name.lower() in said for name in self._state.resources)

    def _batches(self) -> Batches:
        return Batches.of(self._state.resources.values())

    async def unserved(self, wish: str) -> tuple[str, ...]:
        """The words of the request for what no step of the graph does."""
        return await self.planner.unserved(wish, self._follow_ups.present())

    def stop(self) -> None:
        if self._task is not None:
            self._task.stop()

    # Step by step

    async def _ask_in_steps(self, text: str, wish: Wish) -> None:
        """Chooses and runs one step after the other; "undo that" takes the last one back."""
        if stepwise.takes_back(text) and self._state.history.done:
            self._state.log.say("assistant", self._display.undo())
            return
        asked = self._stepwise.answered(text) if self.chat is not None else text
        await self._stepwise.begin(asked, wish.files, wish.earlier, self._step_policy())

    def take_up(self) -> None:
        """Makes it possible to go on with what an earlier program did step by step."""
        self._stepwise.take_up(LazyStepPolicy(self._step_policy))

    def _step_policy(self) -> StepPolicy:
        return step_policy(self.chat, original(self._state.tools), self.planner.offline, self._state.tally)


def _means_nothing(plan: Plan) -> bool:
    """True where the best way is hardly meant, and wants a file of which nothing was said: "asdf qwer" locked a PDF."""
    first = plan.solutions[0] if plan.solutions else None
    return first is not None and first.score < _MEANT and any(one.kind == "file" for one in first.questions)


def _asking(way: Solution, words: str) -> Solution:
    """A way that somebody chose for these words, with them as the question that it wants to know."""
    steps = {one.step for one in way.questions if one.port == "question"}
    asked = tuple(one for one in way.questions if one.port != "question")
    told = (replace(s, arguments={**s.arguments, "question": words}) if s.id in steps else s for s in way.steps)
    return replace(way, steps=tuple(told), questions=asked) if words else way


def _asks_for_words(plan: Plan) -> bool:
    """True where the best way needs words or a file first, and where there is none."""
    return not plan.solutions or any(one.kind in ("text", "file") for one in plan.solutions[0].questions)
