"""From a request to the workflow that is shown: planned as a whole, or step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, BadRequest, BadWorkflow
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n.tools import original
from desktop_app.llm.token_usage import Tally
from desktop_app.models import store
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.modes import stepwise
from desktop_app.plan.modes.conversation import MessageWords, Talk
from desktop_app.plan.modes.edits import (
    Another,
    AskValue,
    Edit,
    Insert,
    Present,
    Redo,
    Rephrase,
    SaveAs,
    SetValues,
    Undo,
    UseTool,
    UseWay,
)
from desktop_app.plan.modes.replying.reply_words import COMPLAINT, REFUSAL, VALUE, Reply, by_words
from desktop_app.plan.ranking.explanations import doubt_of, is_guess
from desktop_app.plan.revision.opened_sheets import SHEETS
from desktop_app.plan.search.to_workflow import to_workflow
from desktop_app.plan.types import Given, Placed, Plan, Question, Request
from desktop_app.run.backends import availability
from desktop_app.session import batches, conversation, fetching
from desktop_app.session.answering.findings import TOLD
from desktop_app.session.answering.request_words import reply_language
from desktop_app.session.asking import further_conditions, table_columns, vague_wishes
from desktop_app.session.asking.replies import Awaited, Origin, ReplyController
from desktop_app.session.asking.table_columns import Header
from desktop_app.session.batches import Batches
from desktop_app.session.conversation import Conversationalist
from desktop_app.session.follow_up import Pending, beside, grown, onto, placed, set_apart, settled, with_ids
from desktop_app.session.follow_ups import FollowUpController
from desktop_app.session.inputs import open_ports
from desktop_app.session.kept_forms import in_kept_forms
from desktop_app.session.messages import Alternative, Change, Message, MessageLog, Offer, priced, waiting
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import IMPROVING, PLANNING, GraphState, SessionState
from desktop_app.session.stepwise import graph
from desktop_app.session.stepwise.loop import StepwiseController
from desktop_app.session.stepwise.request import LazyStepPolicy, step_policy
from desktop_app.session.undo import UndoController
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from nodes.api import NodeError, ResourceType
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.modes.step_policies import StepPolicy
    from desktop_app.plan.planner import Planner

SURE = 0.7
"""A doubt about a plan at least so probable is not told: of 39 plans from here to 0.8 on fresh requests 30 were right,
of 14 from 0.6 to it 8.
"""
NO_WAY = Phrase("I found no way to do this with the tools that are here.")
CHANGED_MEANWHILE = "The language model has planned too. Your changes stay; ask again to see its plan."
LEFT = Phrase("All right, I leave that. Say what you would like instead.")
STOPPED = Phrase("You stopped the language model; this was planned offline.")


class _PlanTask:
    """One planning, which can be stopped."""

    def __init__(self, planner: Planner, request: Request, draft: Callable[[Plan], None], tally: Tally) -> None:
        """`draft` hears of the offline plan while a language model is asked."""
        self._drafts: list[Plan] = []
        self._told = draft
        self._stopped = False
        self._task = asyncio.ensure_future(planner.plan(request, self._drafted, tally))

    def _drafted(self, plan: Plan) -> None:
        self._drafts.append(plan)
        self._told(plan)

    async def plan(self) -> Plan:
        """The plan. After `stop` the draft is, with a notice, or a plan of nothing where there was none yet."""
        try:
            return await self._task
        except asyncio.CancelledError:
            if not self._stopped:
                self._task.cancel()
                raise  # the caller itself is being ended
            if not self._drafts:
                return Plan((), causes=("You stopped the planning.",))
            return replace(self._drafts[-1], notice=STOPPED)

    def stop(self) -> None:
        if not self._task.done():
            self._stopped = True
            self._task.cancel()


class _Draft:
    """What a request has led to so far: the message that tells of it, and the state that it made."""

    def __init__(self) -> None:
        self.taken: GraphState | None = None
        self.take_back: Callable[[], None] = lambda: None
        """Makes the conversation what it was before `taken`, but for what was said."""
        self.wish = ""
        """The request that is planned, as the planner was asked."""
        self.files: Sequence[str] = ()
        """The names of those that came with it."""
        self.pending = Pending()
        """What the graph of before has yet to make, where the wish goes on from that."""
        self.goes_on = False
        """Whether the wish is for what that graph makes."""
        self.offered = False
        """Whether the program has offered the wish itself, which it then does not doubt."""
        self.origin = Origin()
        self.asked_before: tuple[str, ...] = ()
        """The questions that waited when this was said."""
        self.waits: Awaited | None = None
        """What waited for an answer when something else was wished."""
        self._message: Message | None = None

    def say(self, log: MessageLog, text: str, **more: Any) -> Message:
        """Tells of the plan, in the place of what was told of an earlier one."""
        before = self._message
        told = log.say("assistant", text, **more) if before is None else log.replace(before, text=text, **more)
        self._message = told
        return told


class PlanningController:
    """Asking. `changes` takes the last change back; `as_drawn` puts what was drawn before into a graph; `timings`
    tell how long tools took with back ends. `follow_ups` carries out what is said of the
    present graph, `talk` answers what is said to the program itself.
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
        self._changes, self._as_drawn, self._timings = changes, as_drawn, timings
        self._replies = ReplyController(state, questions, changes)
        self._task: _PlanTask | None = None
        self._headers: dict[str, Header] = {}
        self._left: dict[tuple[str, str], tuple[str, ...]] = {}
        """The files of wishes that wait for an answer while another one is planned, by conversation and wish."""
        self.value_of: Callable[[Resource], Any] | None = None
        """Reads the user's tables for what their columns are called; None asks for no column."""

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
        state = self._state
        self._questions.typed(text)
        log, earlier, mine = state.log, state.log.messages, state.id
        offered = _offered_for(text, earlier) or self._left.pop((state.id, text), ())
        names = names or offered
        waits = self._replies.awaited(answering)
        awaited = waits if not names else None
        before = waiting(log.messages)
        log.say("user", text, resources=tuple(names))
        if not state.title:
            state.title = text.strip().splitlines()[0][:60] if text.strip() else ""
        if state.steps.on or (self.chat is not None and (stepwise.wanted_in(text) or self._stepwise.asks)):
            with state.work(PLANNING):
                language = await asyncio.to_thread(reply_language, text, log.language)
            if mine != state.id:
                return
            log.answer_in(language)
            await self._ask_in_steps(stepwise.without_phrase(text), tuple(names), earlier)
            return
        self._stepwise.end()
        draft = _Draft()
        draft.offered = bool(offered)
        draft.origin = Origin(text, tuple(names), before=len(earlier))
        draft.asked_before = tuple(one.text for one in before.questions) if before is not None else ()
        with state.work(PLANNING):
            present = self._follow_ups.present(names)
            present = replace(present, files=self._with_rows(present.files))
            meant = await self.planner.follow_up(text, present)
            if isinstance(meant, SetValues) and table_columns.refuses(
                state.workflow, state.tools, self._headers, meant.values
            ):
                meant = None
            elif isinstance(meant, SetValues):
                own = state.workflow, state.tools, self._headers
                meant = SetValues(await asyncio.to_thread(further_conditions.joined, *own, meant.values, text))
            language = await asyncio.to_thread(reply_language, text, log.language)
            if mine != state.id:
                return
            log.answer_in(language)
            if awaited is not None and (file := self._replies.file_meant(awaited, text)):
                await self._replied(awaited, Reply(VALUE, file))
                return
            brought = self._replies.brought(waits, text, names) if waits is not None and names else None
            if brought is not None:
                meant, earlier, draft.origin = None, earlier[: brought.before], brought
                text, names = brought.wish, brought.files
            same, complains, plainly = False, False, by_words(text)
            refuses = plainly is not None and plainly.kind == REFUSAL
            if awaited is not None and (refuses or not isinstance(meant, Talk | Undo | Redo | UseWay)):
                reply = await self.planner.reply(text, self._replies.asked(awaited, answering is not None))
                if mine != state.id or await self._replied(awaited, reply):
                    return
                same, complains = reply.same, reply.kind == COMPLAINT
                others = MessageWords(text).has("instead", "rather", "no")
                waits = None if same or complains or reply.denies or others else waits
                if self._is_anew(awaited, reply, meant):
                    meant, earlier = None, earlier[: awaited.origin.before]
                    draft.origin = self._replies.anew(awaited, reply)
                    text, names = draft.origin.wish, draft.origin.files
            elif awaited is None and meant is None and plainly is not None and self._complained(plainly):
                return
            if await self._followed(meant, text, present):
                return
            if meant is None and (awaited is None or not awaited.tool) and await self._asked_what(text, names):
                return

            def show(plan: Plan) -> None:
                if mine == state.id:
                    self._show_draft(self._batches().plan(plan), draft)

            if self.chat is None:  # a model is told the graph itself
                draft.pending, draft.goes_on = self._questions.pending(text), self._goes_on(text)
            request = self._questions.request(text, tuple(names), earlier, draft.pending)
            request = replace(request, avoided=draft.origin.avoided)
            if isinstance(meant, Rephrase):
                own = {given.name for given in present.files}
                given = tuple(one for one in request.resources if batches.whole_name(one.name) in own)
                request = replace(request, text=meant.text, resources=given, history=())
            draft.wish, draft.files, draft.waits = request.text, names, waits
            await self._read_columns()
            request = replace(request, resources=self._with_rows(request.resources))
            if self.chat is not None:
                request = self._with_graph(request)
            plan = await self._planned(request, show)
            if awaited is not None and plan.solutions and not same and awaited.asks(plan.solutions[0]):
                avoided = (*request.avoided, awaited.tool)
                other = await self._planned(replace(request, avoided=avoided), show)
                if other.solutions:  # else it is asked again, in other words
                    plan, draft.origin = other, replace(draft.origin, avoided=avoided)
            if mine != state.id:
                return
            if complains and draft.taken is None and _asks_for_words(plan):  # no second guess that knows no better
                await self._offer_instead(draft.wish, request.avoided)
                return
            await self._improve(plan, draft)

    async def _asked_what(self, text: str, names: Sequence[str]) -> bool:
        """Asks what shall be done with the file, where the wish does not say it; False where it does, where nothing is
        there, and where a language model may know.
        """
        state, files = self._state, [*names] or [*self._state.resources]
        if self.chat is not None or not files or not vague_wishes.is_vague(text):
            return False
        kind = str(state.resources[files[-1]].type)
        with state.log.speaking():
            wishes = vague_wishes.usual(kind, files[-1], original(state.tools))
        offered = [wish for wish, tool in wishes.items() if await self._works(wish, tool)][: vague_wishes.MOST]
        question = Question(Phrase("What shall be done with it?"), "text", tuple(offered))
        state.log.say("assistant", question.text, questions=(question,), open=True)
        return True

    async def _followed(self, meant: Edit | Talk | None, text: str, present: Present) -> bool:
        """Talks, or changes the graph that is there; False for a wish that is to be planned."""
        if isinstance(meant, Talk):
            steps = await self.planner.named(meant.rest, present) if meant.topic == "why" else ()
            with self._state.log.speaking():
                said, offers = (
                    self._told_of_kind(meant.rest)
                    if meant.topic == "with"
                    else await self._talk.reply(meant, self.planner, steps)
                )
            self._state.log.say("assistant", said, offers=offers)
            return True
        if isinstance(meant, AskValue):
            meant = self._follow_ups.known(meant)
        if isinstance(meant, SaveAs) and not self._follow_ups.can_save(meant):
            return False  # "make it an mp3", with a picture of the sound as the last: a wish for what there is
        if meant is None or isinstance(meant, Rephrase):
            return False
        if isinstance(meant, AskValue):
            if meant.also:
                self._follow_ups.carry_out(SetValues(meant.also), text)
            self._ask_value(meant)
        else:
            self._change(meant, text)
        return True

    def _told_of_kind(self, kind: str) -> conversation.Said:
        """What can be done with things of that type, or of that of the last file."""
        files = self._state.resources
        name = "" if kind or not files else [*files][-1]
        kind = kind or (str(files[name].type) if name else "image")
        return self._talk.with_kind(kind, vague_wishes.wanted(kind, name))

    async def _planned(self, request: Request, show: Callable[[Plan], None]) -> Plan:
        self._task = _PlanTask(self.planner, request, show, self._state.tally)
        return self._batches().plan(await self._task.plan())

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
        self._changes.choose((graph.chosen + 1) % len(graph.alternatives))
        title = self._state.graph.alternatives[self._state.graph.chosen].solution.title
        self._tell_change(Phrase("This is “{title}” now.", title=title), self._replies.other_ways())
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
        await self._offer_instead(awaited.origin.wish, (awaited.tool,))

    async def _offer_instead(self, wish: str, avoided: Collection[str]) -> None:
        """Says that a wish is left, and what would work with the files that are here; without the tools `avoided`."""
        types = {str(resource.type) for resource in self._state.resources.values()}
        near = [tool for tool in await self.planner.nearest(wish, types, 3) if tool.id not in avoided]
        model = "?" if self.chat is not None else ""
        with self._state.log.speaking():
            said, offers = await conversation.refusal(LEFT, near, (), (), types, model, self._works)
        self._state.log.say("assistant", said, offers=offers)

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

    def _with_graph(self, request: Request) -> Request:
        """With the graph that is shown and the ways to do the same, for a model to change."""
        ways = tuple(way.solution.title for way in self._state.graph.alternatives)
        shown = placed(self._state.workflow, self._tracker.shown, self._state.tools)
        return replace(request, graph=tuple(map(self._told, shown)), ways=ways) if shown else request

    def _told(self, placed: Placed) -> Placed:
        files = self._state.resources
        arguments = {port: batches.told_as(each, files) for port, each in placed.step.arguments.items()}
        return replace(placed, step=replace(placed.step, arguments=arguments))

    async def _read_columns(self) -> None:
        """What the columns of the user's own tables are called, each read once."""
        value_of = self.value_of
        if value_of is None:
            return
        for one in tuple(self._state.resources.values()):
            is_table = one.type is ResourceType.TABLE or one.name.lower().endswith(SHEETS)
            if is_table and not one.made_by and not one.files and one.digest not in self._headers:
                try:
                    self._headers[one.digest] = await asyncio.to_thread(lambda one=one: Header.of(value_of(one)))
                except (AppError, NodeError, AttributeError, ValueError):
                    self._headers[one.digest] = Header()  # the run says what is wrong with it

    def _with_rows(self, files: Iterable[Given]) -> tuple[Given, ...]:
        """With the beginnings of the tables that were read."""
        headers = ((one, self._header(self._state.resources.get(one.name))) for one in files)
        return tuple(
            replace(one, rows=header.first) if header is not None and header.names else one for one, header in headers
        )

    def _header(self, one: Resource | None) -> Header | None:
        if one is None or not one.made_by:
            return None if one is None else self._headers.get(one.digest)
        is_table = one.type is ResourceType.TABLE
        own = self._state.workflow, self._state.tools, self._headers
        return table_columns.header_of_result(*own, one.made_by) if is_table else None

    def _batches(self) -> Batches:
        return Batches.of(self._state.resources.values())

    async def unserved(self, wish: str) -> tuple[str, ...]:
        """The words of the request for what no step of the graph does."""
        return await self.planner.unserved(wish, self._follow_ups.present())

    def stop(self) -> None:
        if self._task is not None:
            self._task.stop()

    async def _ask_in_steps(self, text: str, names: tuple[str, ...], earlier: Sequence[Message]) -> None:
        """Chooses and runs one step after the other; "undo that" takes the last one back."""
        state = self._state
        if stepwise.takes_back(text) and state.history.done:
            before = state.workflow
            self._changes.undo()
            state.log.say("assistant", self._taken_back(before))
            return
        asked = self._stepwise.answered(text) if self.chat is not None else text
        await self._stepwise.begin(asked, names, earlier, self._step_policy())

    def take_up(self) -> None:
        """Makes it possible to go on with what an earlier program did step by step."""
        self._stepwise.take_up(LazyStepPolicy(self._step_policy))

    def _step_policy(self) -> StepPolicy:
        return step_policy(self.chat, original(self._state.tools), self.planner.offline, self._state.tally)

    def _show_draft(self, plan: Plan, draft: _Draft) -> None:
        """Shows what was planned offline while a language model is asked."""
        self._state.set_busy(IMPROVING)
        if plan.solutions:
            self._take(plan, draft)

    async def _improve(self, plan: Plan, draft: _Draft) -> None:
        """Puts the plan in the place of the draft, within the same undo step; what the user has changed stays."""
        if draft.taken is not None and self._state.graph is draft.taken:
            draft.take_back()
        elif draft.taken is not None:
            self._state.log.say("assistant", Phrase(CHANGED_MEANWHILE))
            return
        if plan.command:
            self._obey(plan.command, draft)
            return
        mine = self._state.id
        said = self._take(plan, draft)
        if draft.taken not in (None, self._state.graph):
            self._state.emit(Change.WORKFLOW | Change.PLAN)  # the draft was withdrawn, and nothing took its place
        if not said and not plan.questions and mine == self._state.id:
            await self._refuse(plan, draft)

    def _obey(self, command: str, draft: _Draft) -> None:
        """Takes the last change back ("undo"), or shows another of the ways ("way 2")."""
        state, before = self._state, self._state.workflow
        if command == "undo":
            self._changes.undo()
            said = self._taken_back(before)
        else:
            self._changes.choose(int(command.removeprefix("way")) - 1)
            said = Phrase("This is “{title}” now.", title=state.graph.alternatives[state.graph.chosen].solution.title)
        draft.say(state.log, said, kind="text", questions=(), open=False)
        state.emit(Change.PLAN)

    def _taken_back(self, before: Workflow) -> str:
        state = self._state
        with state.log.speaking():
            return graph.taken_back(before, state.workflow, state.tools, self._tracker.shown)

    async def _refuse(self, plan: Plan, draft: _Draft) -> None:
        """Says what was understood, why it cannot be done, and offers what would work."""
        resources = self._state.resources
        types = {str(resource.type) for resource in resources.values()}
        near = await self.planner.nearest(draft.wish, types, 3)
        pieces = (conversation.as_said(task.description, draft.wish) for task in plan.subtasks)
        understood = [said for said in filter(None, pieces) if await self._works(said)]
        files = [name for name in resources if name in draft.files or name in draft.wish]
        cause = joined(*plan.causes) or NO_WAY
        model = self.chat.name or "?" if self.chat is not None else ""
        from desktop_app.plan.ranking.refusal import is_outside  # here: the first window does without

        with self._state.log.speaking():
            instead = self._talk.examples(conversation.MOST_TRIED) if is_outside(cause) else None
            said, offers = await conversation.refusal(
                cause, near, understood, files, types, model, self._works, instead
            )
        draft.say(self._state.log, joined(plan.notice, said), kind="text", offers=offers)

    async def _works(self, text: str, tool: str = "") -> bool:
        """True when it is planned as no guess for the files that came last, and nothing has to be asked. A wish of that
        tool is no guess where it is planned with that.
        """
        names = _brought(self._state.log.messages)
        plan = await self.planner.offline(self._questions.request(text, names, ()))
        first = plan.solutions[0] if plan.solutions else None
        if first is None or first.questions:
            return False
        return first.steps[-1].tool == tool if tool else first.score >= SURE

    @store.one_look()
    def _take(self, plan: Plan, draft: _Draft) -> bool:
        """Shows the plan; False when it has no way that holds together, which is said."""
        ways, fault = self._ways(plan, self._state.used_ids, draft)
        plan = self._state.plan = self._doubted(plan, ways, draft.offered)
        if not ways:
            why = fault or joined(*plan.causes) or NO_WAY
            left_out = Phrase("Left out: {what}", what=plan.left_out) if plan.left_out and plan.questions else ""
            text = joined(plan.notice, *((q.text for q in plan.questions) if plan.questions else (why,)), left_out)
            told = draft.say(self._state.log, text, kind="text", questions=plan.questions, open=bool(plan.questions))
            self._replies.remember(told, draft.origin)
            return bool(fault)
        self._state.failed_ways = frozenset()
        draft.take_back = self._taking_back()
        self._tracker.show(ways[0].workflow)
        self._state.change(
            workflow=ways[0].workflow,
            chosen=0,
            alternatives=ways,
            saved_as=self._kept_form(ways[0].workflow) if draft.goes_on else "",
            edits=(),
            wish=draft.wish or self._state.log.last_request(),
        )
        self._questions.leave_all()
        again = self._replies.asked_again(draft.asked_before)
        asked = (*(one for one in plan.questions if one.kind != "confirm"), *self._questions.open())
        text = self._questions.plan_text(plan, asked)
        lacks = availability.connected() is None and fetching.asks_model(self._state.workflow, self._state.tools)
        others = self._replies.other_ways() if again else self._other_readings(plan)
        offers = (*others, *self._left_waiting(draft), *((conversation.CONNECT,) if lacks else ()))
        told = draft.say(self._state.log, text, kind="plan", questions=asked, open=bool(asked), offers=offers)
        draft.taken = self._state.plans[told.id] = self._state.graph
        self._replies.remember(told, draft.origin)
        self._state.emit(Change.PLAN)
        return True

    def _doubted(self, plan: Plan, ways: Sequence[Alternative], is_offered: bool) -> Plan:
        """With its doubt as it can be told of the ways that hold together; without it where it is probable enough."""
        if not ways or is_offered or ways[0].solution.score >= SURE:
            return replace(plan, questions=tuple(one for one in plan.questions if not (ways and is_guess(one))))
        used, tools = ways[0].workflow, original(self._state.tools)
        titles = [tools[used.node(id).tool].title for id in used.order() if used.node(id).tool in tools]
        others = {str(way.solution.title) for way in ways[1:]}

        def told(one: Question) -> Question:
            return doubt_of(one, titles, any(str(title) in others for title in one.choices)) if is_guess(one) else one

        return replace(plan, questions=tuple(map(told, plan.questions)))

    def _left_waiting(self, draft: _Draft) -> tuple[Offer, ...]:
        """To go on with what waited for an answer, where this is another wish."""
        waits, workflow = draft.waits, self._state.workflow
        here = {node.tool for node in workflow.nodes}
        if waits is None or not waits.needed or waits.tool in ("", *here) or not waits.origin.wish:
            return ()
        wish = waits.origin.wish
        self._left[self._state.id, wish] = waits.origin.files
        return (Offer(Phrase("Go on with “{wish}”", wish=wish), "ask", wish),)

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

    def _ways(self, plan: Plan, ids: Collection[str], draft: _Draft) -> tuple[tuple[Alternative, ...], str]:
        """The alternatives whose graphs hold together, and what is wrong with the first that does not, else "".

        Their nodes have ids of their own, none of `ids`; only what two alternatives share has one id in both.
        """
        found: list[Alternative] = []
        fault, taken, shared = "", {*ids, *self._state.resources}, dict[str, str]()
        known = {**batches.known(self._state.resources), **draft.pending.resources}
        for solution in plan.solutions:
            new = to_workflow(solution, known, self._state.tools, self._state.graph.points)
            try:
                new = onto(self._state.workflow, new, solution.kept)
                apart = set_apart(new, solution.kept)
                grown_on = apart if solution.kept else self._grown(apart, draft)
                workflow, names = settled(grown_on, self._state.tools, taken, shared)
                workflow = self._as_drawn(workflow)
                workflow.check(self._state.tools)
            except BadWorkflow as error:
                fault = fault or str(error)
                continue
            own = with_ids(solution, names)
            encoder = sentence_encoder()
            vectors = encoder.encode if encoder.is_ready(0) else None
            wish = draft.wish or self._state.log.last_request()
            workflow, asked = table_columns.asked(workflow, self._state.tools, self._headers, wish, vectors)
            own = replace(own, questions=(*own.questions, *asked)) if asked else own
            found.append(priced(own, workflow, self._state.tools, self._timings))
        return tuple(found), fault

    def _kept_form(self, new: Workflow) -> str:
        """The ending that the results were to be saved with, where the new ones are of the same types."""
        state = self._state
        ending = Path(f"x{state.graph.saved_as}").suffix
        types = ({one.type_of(*end, state.tools) for end in one.results(state.tools)} for one in (state.workflow, new))
        return ending if ending and len({*map(frozenset, types)}) == 1 else ""

    def _goes_on(self, text: str) -> bool:
        """Whether the wish is for what the graph makes, and not for a file that it names."""
        said = text.lower()
        return self._questions.goes_on(text) and not any(name.lower() in said for name in self._state.resources)

    def _grown(self, new: Workflow, draft: _Draft) -> Workflow:
        """With the nodes of the present graph that made what it takes; that stays a file where they do not fit it. A
        question about a file leaves what is made of it; a wish that goes on leaves the form of the last file.
        """
        old, tools, pending = self._state.workflow, self._state.tools, draft.pending
        workflow = grown(old, new, {**self._tracker.made, **pending.places})
        workflow = in_kept_forms(old, workflow, tools) if draft.goes_on else workflow
        workflow = beside(old, workflow, tools, TOLD)
        try:
            workflow.check(tools)
        except BadWorkflow:
            if any(resource.name in pending.places for resource in new.resources):
                raise
            return new
        return workflow


def _brought(messages: Sequence[Message]) -> tuple[str, ...]:
    """The files that came with the latest request."""
    return next((message.resources for message in reversed(messages) if message.role == "user"), ())


def _offered_for(text: str, messages: Sequence[Message]) -> tuple[str, ...]:
    """The files of the request to which the last message has offered this one instead; () where it has not."""
    last = messages[-1] if messages else None
    if last is None or last.role == "user" or last.kind != "text":
        return ()
    offered = {offer.value for offer in last.offers if offer.action == "ask"}
    offered |= {choice for question in last.questions if not question.port for choice in question.choices}
    return _brought(messages) if text in offered else ()


def _asks_for_words(plan: Plan) -> bool:
    """True where the best way needs words or a file first, and where there is none."""
    return not plan.solutions or any(one.kind in ("text", "file") for one in plan.solutions[0].questions)
