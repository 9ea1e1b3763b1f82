"""The planning of one conversation: a request at a time, a draft first, stopped when the user says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.llm.token_usage import Counted, Tally
from desktop_app.plan.types import Plan, Request
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.planner import Planner

STOPPED = Phrase("You stopped the language model; this was planned offline.")


class Planning:
    """`tally` adds up what language models cost in the conversation. All verbs are called on the loop's thread."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._task: asyncio.Task[Plan] | None = None
        self._stopped = False

    async def plan(self, planner: Planner, request: Request, draft: Callable[[Plan], None]) -> Plan:
        """The plan; `draft` hears of the offline one while a language model is asked. After `stop` the draft is the
        plan, with a notice, or a plan of nothing where there was none yet.
        """
        drafts: list[Plan] = []

        def drafted(plan: Plan) -> None:
            drafts.append(plan)
            draft(plan)

        self._stopped = False
        task = self._task = asyncio.ensure_future(planner.plan(request, drafted, self.tally))
        try:
            return await task
        except asyncio.CancelledError:
            if not self._stopped:
                task.cancel()
                raise  # the caller itself is being ended
            return replace(drafts[-1], notice=STOPPED) if drafts else Plan((), causes=("You stopped the planning.",))
        finally:
            if self._task is task:
                self._task = None

    def stop(self) -> None:
        """Ends the planning that goes on; does nothing when none does."""
        if self._task is not None and not self._task.done():
            self._stopped = True
            self._task.cancel()


def counted(chat: ChatModel | None, planning: Planning) -> ChatModel | None:
    """The chat model, with what it costs counted in the conversation."""
    return Counted(chat, planning.tally) if chat is not None else None
