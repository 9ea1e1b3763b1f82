"""What going step by step stands on: its settings, the parts of the session, and one request with what it has cost.

Must not know the loop (stepping.py).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Tally
from desktop_app.plan.modes.step_choosers import Chooser, LanguageChooser, OfflineChooser, PlanOffline
from desktop_app.plan.modes.stepwise import Decision, Done, Situation, without_phrase
from desktop_app.plan.types import Question, Request, Step
from desktop_app.run.backends.selection import Backends, Choice
from desktop_app.run.events.run_record import Run
from desktop_app.session.messages import Change, Message, Talk
from desktop_app.session.run_tracker import Running
from desktop_app.session.undo import Edits
from desktop_app.storage.resources import Resource
from nodes.api import Tool
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel

CHOOSING, RUNNING = Phrase("Choosing a step"), "Running"
"""What the session is busy with."""
STOPPABLE = (RUNNING, CHOOSING, "Improving the plan")


@dataclass(frozen=True)
class StepSettings:
    """`on`: every request goes step by step. A request ends after `steps`, `seconds` of work, or `tokens`. `approve`
    asks before each step.
    """

    on: bool = False
    steps: int = 12
    seconds: float = 300.0
    tokens: int = 20_000
    approve: bool = False


@dataclass(frozen=True)
class Ground:
    """What the loop stands on: the parts of its session. `change` makes one undo step; `taken` are the ids that no new
    node may have; `missing` are all open questions; `answer` words the reply from a run; `told` hears what changed,
    `busy` what goes on.
    """

    tools: Mapping[str, Tool]
    talk: Talk
    edits: Edits
    running: Running
    settings: Callable[[], StepSettings]
    resources: Callable[[], Mapping[str, Resource]]
    request: Callable[[str, tuple[str, ...], Sequence[Message]], Request]
    change: Callable[..., None]
    taken: Callable[[], Collection[str]]
    missing: Callable[[], tuple[Question, ...]]
    ran: Callable[[], None]
    answer: Callable[[Workflow, Run], Awaitable[None]]
    value_of: Callable[[Resource], Any]
    told: Callable[[Change], None]
    busy: Callable[[str], None]


@dataclass
class Turn:
    """One request: who chooses, what was placed and done, what it has cost. `came` is what each node came to."""

    text: str
    names: tuple[str, ...]
    earlier: tuple[Message, ...]
    chooser: Chooser
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

    @property
    def seconds(self) -> float:
        """How long it was worked on, without the time in which the user was asked."""
        return self.worked + (time.monotonic() - self.began if self.began is not None else 0.0)


def resumed(messages: Sequence[Message], ids: Collection[str], chooser: Chooser) -> Turn | None:
    """The last request of a conversation that was kept, as its messages tell it; None when it had no steps.

    `ids` are the nodes in the graph. Whatever was at work then has stopped; what the nodes came to is not known yet.
    """
    at = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
    steps = [message for message in messages[at + 1 :] if message.kind == "step"]
    if at < 0 or not steps:
        return None
    asked, last = messages[at], steps[-1]
    nodes = [step.node for step in steps if step.state != "declined"]
    turn = Turn(without_phrase(asked.text), asked.resources, tuple(messages[:at]), chooser, nodes, message=last)
    turn.waiting = last.node if last.state == "proposed" and last.node in ids else ""
    turn.ended = messages[-1].kind == "answer"
    turn.steps = len(nodes)
    return turn


class LaterChooser:
    """The chooser that `make` gives, made when a step is to be chosen: that looks at every tool."""

    def __init__(self, make: Callable[[], Chooser]) -> None:
        self._make = make
        self._made: Chooser | None = None

    @property
    def tokens(self) -> int:
        """As in Chooser."""
        return self._made.tokens if self._made is not None else 0

    async def choose(self, situation: Situation) -> Decision:
        """As in Chooser."""
        self._made = self._made or self._make()
        return await self._made.choose(situation)


def chooser_for(
    chat: ChatModel | None, tools: Mapping[str, Tool], plan: PlanOffline, tally: Tally | None = None
) -> Chooser:
    """The language model where there is one, with the tools that can run here as things are; else the offline plan.

    What the model costs goes to `tally` too.
    """
    from desktop_app.plan.tools.tool_specs import from_tools

    if chat is None:
        return OfflineChooser(plan)
    backends = Backends()
    ready = {id: tool for id, tool in tools.items() if isinstance(backends.choose(tool, None), Choice)}
    return LanguageChooser(chat, from_tools(ready), plan, tally)
