"""The planner that the session asks: offline at once, improved by a language model where there is one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadReply
from desktop_app.plan.modes.conversation import Talk, talk_in
from desktop_app.plan.types import Plan, Request, Solution, ToolSpec
from nodes.api import Tool
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.llm.token_usage import Tally
    from desktop_app.models.selection import Facts
    from desktop_app.plan.modes.edits import Edit, Present
    from desktop_app.plan.modes.offline import OfflinePlanner
    from desktop_app.plan.modes.replying.reply_words import Asked, Reply

REPLY_TOKENS = 1000
"""So much of the context is left for what the model writes."""
LARGE_CONTEXT = 32_768
"""Taken for a chat model that does not say how much it can be told."""
HISTORY_TOKENS = 2000
SOLUTIONS, TASK_LIST, PIPELINE = "solutions", "task list", "pipeline"


class Planner:
    """Builds its indexes on first use, in a thread, so that a window opens before it is ready.

    `mode` is SOLUTIONS (a language model writes the graph in one call), TASK_LIST (that, and it chooses the models) or
    PIPELINE (Thoughts-on-Graph from subtasks to scored solutions). Any other mode is not planned at once: then `plan`
    gives the solutions, from which whoever drives that mode may start. `facts` tells what this machine has, for the
    choice of models in the mode TASK_LIST. `history_tokens` is how much of the conversation a language model is told.
    """

    def __init__(
        self,
        tools: Callable[[], Mapping[str, Tool]],
        strategy: str,
        chat: ChatModel | None = None,
        mode: str = SOLUTIONS,
        facts: Callable[[], Facts] | None = None,
        history_tokens: int = HISTORY_TOKENS,
    ) -> None:
        self._tools = tools
        self._strategy = strategy
        self._chat = chat
        self._mode = mode
        self._facts = facts
        self._budget = history_tokens
        self._specs: tuple[ToolSpec, ...] = ()
        self._offline: OfflinePlanner | None = None
        self._here: frozenset[str] = frozenset()
        self._building = threading.Lock()

    def warm(self) -> None:
        """Begins to read the networks, the tools and the words, which else the first request does: it waits for what is
        not read yet. Returns at once.
        """
        from desktop_app.plan.language import sentence_encoder as encoder
        from desktop_app.plan.language.tagger import start

        if encoder.ENABLED:
            start()
            encoder.sentence_encoder().start()
        threading.Thread(target=self._rehearse, name="planner", daemon=True).start()

    def _rehearse(self) -> None:
        """Plans an example of a tool: whatever a plan reads is read then."""
        with self._building:
            planner = self._built()
            planner.plan(Request(next((tool.examples[0] for tool in self._specs if tool.examples), "")))

    async def plan(
        self, request: Request, draft: Callable[[Plan], None] | None = None, tally: Tally | None = None
    ) -> Plan:
        """Solutions best first, questions, or causes. Never raises for odd requests, nor for a model that misbehaves.

        Where a language model is to be asked, `draft` is called with the offline plan before. What the model costs goes
        to `tally`. Cancelling the call ends the model's reply.
        """
        found = await self.offline(request)
        chat = self._chat
        if chat is not None and tally is not None:
            from desktop_app.llm.token_usage import Counted

            chat = Counted(chat, tally)
        if chat is not None and request.text.strip():
            if draft is not None:
                draft(found)
            found = self._sized(await self._improved(found, request, chat), request)
        return await self._with_models(found, request, chat) if self._mode == TASK_LIST else found

    async def offline(self, request: Request) -> Plan:
        """As `plan`, without the language model."""
        return await asyncio.to_thread(self._draft, request)

    async def follow_up(self, text: str, present: Present) -> Edit | Talk | None:
        """What the message means for the graph that is there, or is said to the program itself; None for a wish."""
        return await asyncio.to_thread(self._meant, text, present)

    def _meant(self, text: str, present: Present) -> Edit | Talk | None:
        talk = talk_in(text)
        lasting = not present.steps and any(file.type in ("audio", "video") for file in present.files)
        if talk == Talk("long") and lasting:
            return None  # "combien de temps dure-t-elle ?": the film, where there is nothing to wait for
        if talk is not None or not (present.steps or present.earlier):
            return talk
        return self._ready().edit(text, present)

    async def reply(self, text: str, asked: Asked) -> Reply:
        """What a reply to a question is: a value, a wish of its own, a complaint, or no answer."""
        return await asyncio.to_thread(lambda: self._ready().reply(text, asked))

    async def named(self, text: str, present: Present) -> frozenset[str]:
        """The steps that a text names."""
        return await asyncio.to_thread(lambda: self._ready().follow_ups.named(text, present))

    async def unserved(self, text: str, present: Present) -> tuple[str, ...]:
        """The words of a request for what no step does."""
        return await asyncio.to_thread(lambda: self._ready().unserved(text, present))

    async def speaking_of(self, text: str, most: int) -> list[ToolSpec]:
        """The tools that do what a text speaks of, the nearest first."""
        return await asyncio.to_thread(lambda: self._ready().speaking_of(text, most))

    async def nearest(self, text: str, types: Collection[str], most: int) -> list[ToolSpec]:
        """The tools for files of these types that do something like a text, the likest first; [] where none does."""
        return await asyncio.to_thread(lambda: self._ready().nearest(text, types, most))

    async def _improved(self, draft: Plan, request: Request, chat: ChatModel) -> Plan:
        from desktop_app.plan.llm import shortlist
        from desktop_app.plan.modes import one_call, thoughts_on_graph

        offline = self._offline
        assert offline is not None  # it made the draft
        context = await self._context()
        budget = min(self._budget, context // 8)
        room = context - budget - REPLY_TOKENS - shortlist.RULES
        full = self._mode != PIPELINE
        shown = await asyncio.to_thread(shortlist.shown, self._specs, draft, request, offline.index, room, full)
        try:
            if self._mode == PIPELINE:
                found = await thoughts_on_graph.improve(
                    draft, request, shown, chat, offline.graph, offline.index, self._strategy, budget
                )
            else:
                mode = TASK_LIST if self._mode == TASK_LIST else "llm"
                found = await one_call.improve(draft, request, shown, chat, offline.graph, self._strategy, budget, mode)
            return replace(found, notice=joined(found.notice, self._cut(len(shown), context)))
        except BadReply as error:
            return replace(draft, notice=joined(error.message, error.fix, "Planned offline instead."))

    async def _context(self) -> int:
        """The tokens that the model can be told and write, as far as is known."""
        known = getattr(self._chat, "context", None)
        return (await known() if known is not None else 0) or LARGE_CONTEXT

    def _cut(self, shown: int, context: int) -> str:
        if shown == len(self._specs):
            return ""
        return Phrase(
            "The language model has room for {context} tokens and was told of {shown} of {all} tools.",
            context=f"{context:,}",
            shown=shown,
            all=len(self._specs),
        )

    def _sized(self, plan: Plan, request: Request) -> Plan:
        """The plan of a language model, kept to the size of a file that was asked for, as offline plans are."""
        from desktop_app.plan.ranking import file_size

        assert self._offline is not None
        sized = [file_size.kept_to(one, request.text, self._offline.graph) for one in plan.solutions]
        kept = tuple(one for one in sized if one is not None)
        causes = plan.causes if kept or not sized else (file_size.refusal(request.text),)
        return replace(plan, solutions=kept, causes=causes)

    async def _with_models(self, plan: Plan, request: Request, chat: ChatModel | None) -> Plan:
        """The plan with the models for the best solution; the other solutions get theirs by rule."""
        if self._facts is None:
            return plan
        from desktop_app.plan.llm import model_selection

        tools, facts = self._tools(), await asyncio.to_thread(self._facts)

        async def chosen(solution: Solution, first: bool) -> Solution:
            model = chat if first and plan.mode == TASK_LIST else None
            return await model_selection.with_models(solution, request, tools, facts, model, self._budget)

        found = [await chosen(solution, place == 0) for place, solution in enumerate(plan.solutions)]
        return replace(plan, solutions=tuple(found))

    def _draft(self, request: Request) -> Plan:
        from desktop_app.plan.search.moving_pictures import named_by_form, with_form_kept
        from desktop_app.plan.search.unopened import with_opened_files

        planner = self._ready()
        found = with_opened_files(planner.plan(named_by_form(request)), request, planner.graph)
        return replace(with_form_kept(found, request, planner.graph), mode="offline")

    def _ready(self) -> OfflinePlanner:
        with self._building:
            return self._built()

    def _built(self) -> OfflinePlanner:
        tools = self._tools()
        here = self._models_here(tools)
        if self._offline is None or here != self._here:
            from desktop_app.plan.tools.tool_specs import from_tools

            self._here = here
            self._specs = from_tools(tools, lambda backend: backend.kind == "built-in" or backend.model in here)
            self._offline = _offline(self._specs, self._strategy)
        return self._offline

    def _models_here(self, tools: Mapping[str, Tool]) -> frozenset[str]:
        """The models that can run at once: with others, tools are worth something else."""
        from desktop_app.models.selection import works_now

        if self._facts is None:
            return frozenset()
        works = works_now(self._facts())
        return frozenset(b.model for tool in tools.values() for b in tool.backends if b.model and works(b))


@lru_cache(maxsize=2)
def _offline(tools: tuple[ToolSpec, ...], strategy: str) -> OfflinePlanner:
    """Kept for the next planner: there is one after every change of the settings, and the tools stay the same."""
    from desktop_app.plan.modes.offline import OfflinePlanner

    return OfflinePlanner(tools, strategy)
