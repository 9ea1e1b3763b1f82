"""A message on its way from what was typed to the plan that is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_app.plan.modes.conversation import Talk
from desktop_app.plan.modes.edits import Edit, Present
from desktop_app.plan.types import Question
from desktop_app.session.asking.replies import Awaited, Origin
from desktop_app.session.follow_up import Pending
from desktop_app.session.messages import Message, MessageLog
from desktop_app.session.state import GraphState


@dataclass
class Wish:
    """The `text` and its `files`, in the conversation of that id, after the messages `earlier`.

    Of what waited when it was said: `answering` is the question that it was typed for, `awaited` the one that it may
    answer, `waits` the one that can be gone on with once this is done, `asked_before` the words of all. `offered` is
    true where the program has offered the wish itself, which it then does not doubt.
    """

    text: str
    files: tuple[str, ...]
    conversation: str
    earlier: Sequence[Message]
    answering: Question | None = None
    awaited: Awaited | None = None
    waits: Awaited | None = None
    asked_before: tuple[str, ...] = ()
    offered: bool = False
    origin: Origin = field(default_factory=Origin)

    present: Present = field(default_factory=lambda: Present(()))
    """What it may speak of."""
    meant: Edit | Talk | None = None
    """What it is for the graph that is there; None for a further wish."""
    same: bool = False
    """Whether it asks for the same as before."""
    complains: bool = False

    planned: str = ""
    """The request as the planner was asked."""
    pending: Pending = field(default_factory=Pending)
    """What the graph of before has yet to make, where the wish goes on from that."""
    goes_on: bool = False
    """Whether the wish is for what that graph makes."""
    taken: GraphState | None = None
    """The state that its plan made."""
    take_back: Callable[[], None] = lambda: None
    """Makes the conversation what it was before `taken`, but for what was said."""
    _message: Message | None = None

    def becomes(self, origin: Origin) -> None:
        """It stands for another wish: that one is planned, as if it were said in this one's place."""
        self.meant, self.earlier, self.origin = None, self.earlier[: origin.before], origin
        self.text, self.files = origin.wish, origin.files

    def say(self, log: MessageLog, text: str, **more: Any) -> Message:
        """Tells of the plan, in the place of what was told of an earlier one."""
        before = self._message
        told = log.say("assistant", text, **more) if before is None else log.replace(before, text=text, **more)
        self._message = told
        return told
