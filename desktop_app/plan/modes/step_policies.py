"""Who chooses the next step: a language model, or the offline plan taken apart into its steps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatMessage, ChatModel, complete
from desktop_app.llm.json_extraction import json_object, loaded
from desktop_app.llm.prompts import prompt
from desktop_app.llm.token_usage import Counted, Spent, Tally, price_of
from desktop_app.llm.tool_calls import Called, CallsTools
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.llm import prompt_context, shortlist
from desktop_app.plan.modes import stepwise
from desktop_app.plan.modes.step_functions import functions
from desktop_app.plan.modes.stepwise import FINISH, SEARCH, Ask, Decision, Finish, Situation, Use
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Plan, Request, Solution, ToolSpec
from nodes.phrase import Phrase, joined

PlanOffline = Callable[[Request], Awaitable[Plan]]
_MOST_QUOTED = 2000
SHOWN_TOKENS = 2200
"""Tools of about so many tokens are shown at first: with them, a dozen steps stay within the limit of the settings."""
_SEARCHES, _FOUND = 3, 8
"""Searches for further tools before one step; tools that one search gives."""


class StepPolicy(Protocol):
    """One for each request."""

    @property
    def tokens(self) -> int:
        """What it has cost so far."""
        ...

    async def choose(self, situation: Situation) -> Decision:
        """What comes next. Raises BadReply when none can be had."""
        ...


class OfflineStepPolicy:
    """Takes the best offline plan step by step. Where a step was not wanted, goes on with the next best plan that does
    without it; where one failed, ends, and does so when it is asked again.
    """

    tokens = 0

    def __init__(self, plan: PlanOffline) -> None:
        self._make = plan
        self._plan: Plan | None = None
        self._at = 0
        self._offered = 0

    async def choose(self, situation: Situation) -> Decision:
        """Never raises for odd requests."""
        if self._plan is None:
            self._plan = await self._make(situation.request)
        for place, solution in enumerate(self._plan.solutions):
            found = stepwise.next_of(solution.steps, situation)
            if found is None:
                continue
            if place > self._at and place != self._offered and any(done.trouble for done in situation.done):
                self._offered = place
                return Finish(note=_other_way(solution), unfinished=True)
            self._at = place
            step, at = found
            if step is None:
                wanted = [name for id, port in solution.wanted if id in at for name in at[id].names(port)]
                return Finish(tuple(wanted))
            own = tuple(question for question in solution.questions if question.step == step.id)
            return Use(step, own)
        return self._without(self._plan)

    @staticmethod
    def _without(plan: Plan) -> Decision:
        if plan.solutions:
            return Finish(note=Phrase("I know no other way to do this with the tools that are here."))
        if plan.questions:
            return Ask(plan.questions[0])
        return Finish(note=joined(*plan.causes) or Phrase("I found no way to do this with the tools that are here."))


def _other_way(solution: Solution) -> str:
    title, why = Phrase.of(solution.title), Phrase.of(solution.reason)
    return Phrase("Another way is “{title}”: {why} Press “Go on” to take it.", title=title, why=why)


class LanguageStepPolicy:
    """Asks the model for one step: in a loop of function calls, else by JSON schema, else reads JSON out of words.

    `tools` are all that can run. Those that are shown stay the same for the whole request, so that what is sent begins
    with the same words each time; the model searches for others. What a server refuses is not tried again. A choice
    that does not hold gets one round that quotes its faults. `plan` tells which tools the offline plan would use. What
    the model costs goes to `tally` too.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: Sequence[ToolSpec],
        plan: PlanOffline,
        tally: Tally | None = None,
        budget: int = prompt_context.HISTORY_TOKENS,
    ) -> None:
        self._model, self._budget, self._plan = model, budget, plan
        self._tools = {tool.id: tool for tool in tools}
        self._tallies = (Tally(), tally or Tally())
        self._shown: list[ToolSpec] = []
        self._index: Index | None = None
        self._between: dict[int, list[ChatMessage]] = {}
        self._calls = isinstance(model, CallsTools)

    @property
    def tokens(self) -> int:
        """Sent and received, by the server's count where it tells."""
        return self._tallies[0].spent.total

    async def choose(self, situation: Situation) -> Decision:
        """As in StepPolicy."""
        if not self._shown:
            plan = await self._plan(situation.request)
            self._shown = await asyncio.to_thread(self._first, plan, situation.request)
        mend = last = ""
        searches = faults = 0
        while faults < 2:
            reply = await self._reply(situation, mend)
            try:
                chosen = _parsed(reply)
                if chosen.get("tool") == SEARCH and searches < _SEARCHES:
                    searches += 1
                    self._search(reply, chosen, len(situation.done))
                    continue
                return stepwise.read(chosen, situation, self._tools)
            except BadReply as fault:
                faults += 1
                last = fault.message
                quoted = json.dumps(_said(reply)[:_MOST_QUOTED], ensure_ascii=False)
                mend = f"Your last choice was {quoted}. It cannot be used: {last} Choose again."
        raise BadReply(
            Phrase("The language model's choice of a step did not hold: {last}", last=last), "Say it in other words."
        )

    def _first(self, plan: Plan, request: Request) -> list[ToolSpec]:
        tools = tuple(self._tools.values())
        self._index = Index(tools, lexicon())
        return list(shortlist.shown(tools, plan, request, self._index, SHOWN_TOKENS))

    def _search(self, reply: Called | str, chosen: dict[str, Any], place: int) -> None:
        """Adds the tools that are found to those that are shown, and tells the model of them."""
        args = chosen.get("args")
        query = str(args.get("query", ""))[:300] if isinstance(args, dict) else ""
        assert self._index is not None  # made with the first tools
        best = shortlist.nearest(tuple(self._tools.values()), query, self._index, _FOUND)
        self._shown += [tool for tool in best if tool not in self._shown]
        id = f"search_{sum(len(one) for one in self._between.values())}"
        if isinstance(reply, Called):
            told = ChatMessage("tool", prompt_context.toolbox(best), answers=id)
            asked = ChatMessage("assistant", reply.text, call=(id, SEARCH, reply.arguments or "{}"))
            self._between.setdefault(place, []).extend((asked, told))

    async def _reply(self, situation: Situation, mend: str) -> Called | str:
        more = len(self._shown) < len(self._tools)
        if self._calls and isinstance(self._model, CallsTools):
            how = prompt("step_call")
            messages = _with(stepwise.conversation(situation, self._budget, how, self._between), mend)
            called = await self._model.call(messages, functions(self._shown, more))
            if called is not None:
                self._count(called.spent.at(price_of(self._model)))
                return called
            self._calls = False
        how = prompt("step_json", tools=prompt_context.toolbox(self._shown))
        messages = _with(stepwise.messages(situation, self._budget, how), mend)
        one = Tally()
        try:
            return await complete(Counted(self._model, one), messages, stepwise.schema(self._shown))
        finally:
            self._count(one.spent)

    def _count(self, spent: Spent) -> None:
        for tally in self._tallies:
            tally.add(spent)


class FallbackStepPolicy:
    """As the first, until that has no step to give; from then on the second, and it says so once."""

    def __init__(self, first: StepPolicy, second: StepPolicy) -> None:
        self._first, self._second = first, second
        self._why = ""

    @property
    def tokens(self) -> int:
        """What both have cost."""
        return self._first.tokens + self._second.tokens

    async def choose(self, situation: Situation) -> Decision:
        """As in StepPolicy."""
        if not self._why:
            try:
                return await self._first.choose(situation)
            except BadReply as fault:
                self._why = joined(fault.message, "From here on it is planned offline.")
                return _because(await self._second.choose(situation), self._why)
        return await self._second.choose(situation)


def _because(decision: Decision, why: str) -> Decision:
    if isinstance(decision, Use):
        return replace(decision, why=why)
    if isinstance(decision, Finish):
        return replace(decision, note=joined(why, decision.note))
    return replace(decision, question=replace(decision.question, text=joined(why, decision.question.text)))


def _with(messages: Sequence[ChatMessage], mend: str) -> list[ChatMessage]:
    return [*messages, ChatMessage("user", mend)] if mend else list(messages)


def _said(reply: Called | str) -> str:
    text = reply if isinstance(reply, str) else f"{reply.name} {reply.arguments}" if reply.name else reply.text
    return text.strip() or "nothing"


def _parsed(reply: Called | str) -> dict[str, Any]:
    """The reply as a choice. Raises BadReply when it is none at all."""
    if isinstance(reply, str):
        return json_object(reply)
    if reply.name:
        try:
            args = loaded(reply.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise BadReply("The arguments are no JSON, or nest without end.", "") from error
        return {"tool": reply.name, "args": args, "why": reply.text}
    if not reply.text:
        raise BadReply("No function was called.", "")
    return _written(reply.text)


def _written(text: str) -> dict[str, Any]:
    """Some models write the call as text; any other text is what they have to say."""
    try:
        found = json_object(text)
    except BadReply:
        found = {}
    if isinstance(found.get("tool"), str):
        return found
    if isinstance(found.get("name"), str) and isinstance(found.get("arguments"), dict):
        return {"tool": found["name"], "args": found["arguments"]}
    return {"tool": FINISH, "args": {"text": text}}
