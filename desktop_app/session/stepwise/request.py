"""One request that is worked on step by step, with what it has cost, and who chooses its steps.

Must not know the loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_app.llm.token_usage import Tally
from desktop_app.plan.modes.step_policies import (
    FallbackStepPolicy,
    LanguageStepPolicy,
    OfflineStepPolicy,
    PlanOffline,
    StepPolicy,
)
from desktop_app.plan.modes.stepwise import Decision, Done, Situation, without_phrase
from desktop_app.plan.types import Step
from desktop_app.run.backends.selection import Backends, SelectedBackend
from desktop_app.session.messages import Message
from nodes.api import Tool

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel


@dataclass
class StepwiseRequest:
    """Who chooses, what was placed and done, what it has cost. `came` is what each node came to.

    While it is `working`, `task` is the choosing or answering that goes on. It may be `stopped` by the user, be `late`,
    or `left`: another conversation is shown, and nothing of it is told any more. `idle` is set while it is not working.
    """

    text: str
    names: tuple[str, ...]
    earlier: tuple[Message, ...]
    policy: StepPolicy
    nodes: list[str] = field(default_factory=list)
    came: dict[str, Done] = field(default_factory=dict)
    declined: list[Step] = field(default_factory=list)
    message: Message | None = None
    waiting: str = ""
    asks: str = ""
    ended: bool = False
    steps: int = 0
    spared: int = 0
    """Tokens that an earlier stretch has cost, before the user said to go on."""
    worked: float = 0.0
    began: float | None = None
    working: bool = False
    stopped: bool = False
    late: bool = False
    left: bool = False
    task: asyncio.Task[Any] | None = None
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self) -> None:
        self.began = time.monotonic()
        self.working, self.stopped, self.late = True, False, False
        self.idle.clear()

    def pause(self) -> None:
        self.worked, self.began, self.working = self.seconds, None, False
        self.idle.set()

    @property
    def seconds(self) -> float:
        """How long it was worked on, without the time in which the user was asked."""
        return self.worked + (time.monotonic() - self.began if self.began is not None else 0.0)


def resumed(messages: Sequence[Message], ids: Collection[str], policy: StepPolicy) -> StepwiseRequest | None:
    """The last request of a conversation that was kept, as its messages tell it; None when it had no steps.

    `ids` are the nodes in the graph. Whatever was at work then has stopped; what the nodes came to is not known yet.
    """
    at = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
    steps = [message for message in messages[at + 1 :] if message.kind == "step"]
    if at < 0 or not steps:
        return None
    asked, last = messages[at], steps[-1]
    nodes = [step.node for step in steps if step.state != "declined"]
    request = StepwiseRequest(
        without_phrase(asked.text), asked.resources, tuple(messages[:at]), policy, nodes, message=last
    )
    request.waiting = last.node if last.state == "proposed" and last.node in ids else ""
    request.ended = messages[-1].kind == "answer"
    request.steps = len(nodes)
    return request


class LazyStepPolicy:
    """The policy that `make` gives, made when a step is to be chosen: that looks at every tool."""

    def __init__(self, make: Callable[[], StepPolicy]) -> None:
        self._make = make
        self._made: StepPolicy | None = None

    @property
    def tokens(self) -> int:
        return self._made.tokens if self._made is not None else 0

    async def choose(self, situation: Situation) -> Decision:
        self._made = self._made or self._make()
        return await self._made.choose(situation)


def step_policy(
    chat: ChatModel | None, tools: Mapping[str, Tool], plan: PlanOffline, tally: Tally | None = None
) -> StepPolicy:
    """The language model where there is one, with the tools that can run here as things are; else the offline plan.

    What the model costs goes to `tally` too.
    """
    from desktop_app.plan.tools.tool_specs import from_tools

    if chat is None:
        return OfflineStepPolicy(plan)
    backends = Backends()
    ready = {id: tool for id, tool in tools.items() if isinstance(backends.choose(tool, None), SelectedBackend)}
    policy = LanguageStepPolicy(chat, from_tools(ready), plan, tally)
    return FallbackStepPolicy(policy, OfflineStepPolicy(plan))
