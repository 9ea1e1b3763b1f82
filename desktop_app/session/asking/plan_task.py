"""One planning, which can be stopped: then what was planned offline until then stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.llm.token_usage import Tally
from desktop_app.plan.types import Plan, Request
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.plan.planner import Planner

STOPPED = Phrase("You stopped the language model; this was planned offline.")


class PlanTask:
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
