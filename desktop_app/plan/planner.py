"""The planner that the session asks: offline at once, improved by a language model where there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.plan.request import Plan, Request, ToolSpec
from desktop_app.plan.toolset import from_tools
from nodes.api import Tool

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.offline import OfflinePlanner

TOOLS_SHOWN = 60


class Planner:
    """Builds its indexes on first use, in a thread, so that a window opens before it is ready."""

    def __init__(self, tools: Callable[[], Mapping[str, Tool]], strategy: str, chat: ChatModel | None = None) -> None:
        self._tools = tools
        self._strategy = strategy
        self._chat = chat
        self._specs: tuple[ToolSpec, ...] = ()
        self._offline: OfflinePlanner | None = None

    async def plan(self, request: Request) -> Plan:
        """Solutions best first, questions, or causes. Never raises for odd requests."""
        draft = await asyncio.to_thread(self._draft, request)
        if self._chat is None or not request.text.strip():
            return draft
        from desktop_app.plan import language

        return await language.improve(draft, request, self._shown(draft, request), self._chat)

    def _draft(self, request: Request) -> Plan:
        if self._offline is None:
            from desktop_app.plan.offline import OfflinePlanner

            self._specs = from_tools(self._tools())
            self._offline = OfflinePlanner(self._specs, self._strategy)
        return replace(self._offline.plan(request), mode="offline")

    def _shown(self, draft: Plan, request: Request) -> tuple[ToolSpec, ...]:
        """The tools that a model is shown: those of the draft, then those whose words are nearest to the request."""
        if len(self._specs) <= TOOLS_SHOWN:
            return self._specs
        from rapidfuzz import fuzz

        drafted = {step.tool for solution in draft.solutions for step in solution.steps}
        text = request.text.lower()

        def nearness(tool: ToolSpec) -> float:
            said = [tool.title, *tool.words, *tool.examples]
            return (tool.id in drafted) * 1000 + max(fuzz.token_set_ratio(text, words.lower()) for words in said)

        return tuple(sorted(self._specs, key=nearness, reverse=True)[:TOOLS_SHOWN])
