"""Says in the chat what came of a run, and which other way there is when it failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.core.markdown import literal
from desktop_app.export.files import file_name, named_form
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import original
from desktop_app.llm.token_usage import Counted
from desktop_app.plan.ranking.explanations import CANNOT, GUESS, doubt_again, is_guess
from desktop_app.plan.types import Question
from desktop_app.run.events.run_record import Run
from desktop_app.session.answering import answer
from desktop_app.session.answering.finding_budget import AnswerLimits
from desktop_app.session.messages import MessageLog, Offer, ResultCheck, inserted
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.resources import Resource, Store
from nodes.api import NodeError
from nodes.phrase import Phrase, listed, parts

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel


_ENDS = " .?!。？！"


class AnswerWriter:
    """`chat` words the answers, where there is one, from what it may be told within the `limits`."""

    def __init__(self, state: SessionState, tracker: RunTracker, store: Store, chat: ChatModel | None) -> None:
        self._state, self._tracker, self._store = state, tracker, store
        self.chat = chat
        self.limits = AnswerLimits()
        self.unserved: Callable[[str], Awaitable[tuple[str, ...]]] | None = None
        """Tells what of a request no step of the graph does."""
        self._writing: asyncio.Task[int | None] | None = None

    def write(self, workflow: Workflow, run: Run, left: Collection[str] = ()) -> Coroutine[Any, Any, int | None]:
        """As `_write`, until `stop`: then what is written so far stays. The answer belongs to the conversation that is
        shown now, not to one that is by the time the task begins.
        """
        return self._until_stopped(partial(self._write, workflow, run, left, self._state.id, self._state.log))

    async def _until_stopped(self, write: Callable[[], Coroutine[Any, Any, int | None]]) -> int | None:
        task = self._writing = asyncio.ensure_future(write())
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise
        return None if task.cancelled() else task.result()

    def stop(self) -> None:
        """Ends the answer that is being written; does nothing when none is."""
        if self._writing is not None:
            self._writing.cancel()

    async def _write(
        self, workflow: Workflow, run: Run, left: Collection[str], mine: str, log: MessageLog
    ) -> int | None:
        """Says in the `log` what came of the run of the workflow, of which the nodes `left` were left out; which
        alternative it offers, where that is not as asked.

        Nothing more is said once another conversation than `mine` is shown.
        """
        state = self._state
        if mine != state.id:
            return None
        message = log.say("assistant", "", kind="answer", streaming=True, run=run.id)
        named = partial(self._named, state.graph.saved_as if workflow == state.graph.workflow else "")
        request = log.last_request()
        made = answer.results(workflow, run, state.tools)
        spoken: tuple[str, ...] = ()
        chat = Counted(self.chat, state.tally) if self.chat is not None else None
        said, plain = (request, state.graph.wish), original(state.tools)
        try:
            spoken = await asyncio.to_thread(answer.told_results, said, workflow, run, plain, self._store.value)
            async for text, references in answer.stream(
                request, workflow, run, state.tools, self._store.value, chat, self.limits, state.graph.wish,
                named, message.language,
            ):  # fmt: skip
                if mine != state.id:
                    return None
                message = log.replace(message, text=text, references=references, resources=made)
        except asyncio.CancelledError:
            log.replace(message, resources=made, told=spoken, streaming=False)
            raise
        if mine == state.id and self._tracker.shown.outcome == "failed":
            state.failed_ways |= {state.graph.chosen}
        saved = await self._saved(workflow, run)
        checks, offers, other = () if left else await self._checked(workflow, run), (), None
        if mine != state.id:
            return None
        from desktop_app.session.answering import checks as checking  # here: the first window does without

        with catalogue.speaking(message.language):
            files = "".join(f"\n\n{catalogue.say('Here is the file: {name}.', name=f'**{one}**')}" for one in saved)
            told = checking.sentence(checks)
            assured = bool(told) and all(check.ok and check.checked for check in checks)
            undone = self._not_done(workflow, assured or run.outcome == "failed") + self._left_out(workflow, left)
            more = files + self._another_way() + undone
            if told:
                more = f"{more}\n\n{literal(catalogue.translated(told))}"
        if checking.is_wrong(checks):
            state.failed_ways |= {state.graph.chosen}
            other = next((index for index in self._untried if self._kinds(index) == self._kinds()), None)
        if other is not None:
            title = Phrase.of(state.graph.alternatives[other].solution.title)
            offers = (Offer(Phrase("Try alternative {n}: {title}", n=other + 1, title=title), "way", str(other)),)
        log.replace(
            inserted(message, more), resources=tuple(dict.fromkeys((*saved, *made))), told=() if saved else spoken,
            streaming=False, checks=checks, offers=offers, spent=state.tally.request,
        )  # fmt: skip
        return other

    def _named(self, saved_as: str, made: Resource) -> str:
        """What a result will be called as a file. Reads the beginning of its own."""
        origin = self._tracker.part_of(made)
        form = named_form(made, saved_as, origin.resources if origin is not None else (), self._store.path_of(made))
        return file_name(made, form) if form else made.name

    async def _saved(self, workflow: Workflow, run: Run) -> tuple[str, ...]:
        """The names of files that hold the results in the form which was promised for them; they are there from now on.
        None where the tools made that form, or where it cannot be written.
        """
        state = self._state
        if run.outcome != "ok" or not state.graph.saved_as or workflow != state.graph.workflow:
            return ()
        from desktop_app.session.answering import promised_forms  # here: the first window does without

        mine, tools = state.id, original(state.tools)
        try:
            found = await asyncio.to_thread(
                promised_forms.in_form, workflow, run, tools, state.graph.saved_as, self._store
            )
        except (AppError, NodeError, OSError):
            return ()  # it can still be saved by hand
        return tuple(state.hold(one).name for one in found) if mine == state.id else ()

    async def _checked(self, workflow: Workflow, run: Run) -> tuple[ResultCheck, ...]:
        """What was made, compared with what was asked for; nothing of a run that was stopped or failed, or of a graph
        that no request made.
        """
        graph = self._state.graph
        if run.outcome != "ok" or not graph.wish or workflow != graph.workflow:
            return ()
        from desktop_app.session.answering import checks as checking

        said = (graph.wish, *graph.edits)
        store, tools = self._store, original(self._state.tools)
        lacking = await self._unserved(workflow)
        made = checking.RunOutcome(workflow, run, tools, said, graph.saved_as, store.path_of, store.value, lacking)
        try:
            return await checking.of(made, self._tracker.look)
        except (AppError, NodeError, OSError):
            return ()  # the answer stands without it

    async def _unserved(self, workflow: Workflow) -> tuple[str, ...]:
        """What of the request no step does; () for a graph that was changed since it was planned."""
        graph = self._state.graph
        if self.unserved is None or not any(way.workflow == workflow for way in graph.alternatives):
            return ()
        told = self._not_done(workflow)
        return tuple(words for words in await self.unserved(graph.wish) if words not in told)

    @property
    def next_way(self) -> int | None:
        """After a run that failed, the index of the best alternative that has not failed yet, None when all have."""
        return next(iter(self._untried), None) if self._tracker.shown.outcome == "failed" else None

    @property
    def _untried(self) -> list[int]:
        """The alternatives that have not failed yet, the best first."""
        tried = {self._state.graph.chosen, *self._state.failed_ways}
        return [index for index in range(len(self._state.graph.alternatives)) if index not in tried]

    def _kinds(self, way: int | None = None) -> list[str]:
        """The types of what an alternative makes, by default of what is shown: another kind is no second try."""
        graph, tools = self._state.graph, self._state.tools
        workflow = graph.workflow if way is None else graph.alternatives[way].workflow
        return sorted(str(workflow.type_of(*end, tools)) for end in workflow.results(tools))

    def _not_done(self, workflow: Workflow, assured: bool = False) -> str:
        """What of the request no tool does, and what the plan was not sure of in its best way, said again with what was
        made, unless that was compared with the request and is right; "" for another graph.
        """
        state, plan, graph = self._state, self._state.plan, self._state.graph
        ways = [way.workflow for way in graph.alternatives]
        doubts = [q for q in plan.questions if q.kind == "confirm"] if plan is not None and workflow in ways else []
        unused = state.unused() if workflow == state.workflow else ""
        said = [*filter(None, (unused,)), *(q.text for q in doubts if Phrase.of(q.text).template == CANNOT)]
        if not assured:
            said += [self._doubt(q, graph.wish) for q in doubts if is_guess(q) and workflow == ways[0]]
        return "".join(f"\n\n{literal(catalogue.translated(one))}" for one in said)

    def _doubt(self, question: Question, wish: str) -> str:
        """The doubt, with the words in doubt where they are only a part of the wish."""
        words = str(dict(Phrase.of(next(iter(parts(question.text)))).values).get("words", ""))
        is_all = words.strip(_ENDS).casefold() == wish.strip(_ENDS).casefold()
        return doubt_again(GUESS if is_all else question)

    def _left_out(self, workflow: Workflow, left: Collection[str]) -> str:
        """The steps that the user wanted to do without, in words."""
        tools = self._state.tools
        found = [tools[node.tool].title for node in workflow.nodes if node.id in left and node.tool in tools]
        titles = [Phrase(title, "tools") for title in dict.fromkeys(found)]
        said = catalogue.say("Left out as you wished: {titles}.", titles=catalogue.translated(listed(titles)))
        return f"\n\n{literal(said)}" if titles else ""

    def _another_way(self) -> str:
        """After a failure, the next alternative in words; "" when there is none or nothing failed."""
        index = self.next_way
        if index is None:
            return ""
        solution = self._state.graph.alternatives[index].solution
        title, why = catalogue.translated(solution.title), catalogue.translated(solution.reason)
        said = catalogue.say("Another way is alternative {n}, “{title}”: {why}", n=index + 1, title=title, why=why)
        if catalogue.language() not in catalogue.LANGUAGES:  # why is said with what tools declare, in no other language
            said = catalogue.say("Another way is alternative {n}, “{title}”.", n=index + 1, title=title)
        return f"\n\n{said}"
