"""When a run wants a word of the user first, by what it costs. Must not know how that is asked, nor what runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil

from desktop_app.core import settings
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Question
from desktop_app.session.messages import costs_by_node
from desktop_app.storage.database import History
from nodes.api import Tool
from nodes.phrase import Phrase

KIND = "time"
"""The kind of its question, which is about the run, for the node `step` that takes longest; `resource` has seconds."""
RUN, LEAVE = "Run it", "Do not run it"


@dataclass(frozen=True)
class Estimate:
    """`seconds` by node, of those of which something is known; `rough` where some of it is guessed by a model's size,
    `whole` when nothing is unknown.
    """

    seconds: Mapping[str, float]
    rough: bool = False
    whole: bool = True

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


def above(amount: float, limit: float, agreed: float = 0.0) -> bool:
    """True when it is more than the limit, of which 0 says that there is none, and than the user has agreed to."""
    return 0 < limit < amount and amount > agreed


def is_large(size_bytes: int) -> bool:
    """True for so large a download that the user is to be asked."""
    return above(size_bytes, settings.now().ask_gb * 1e9)


def estimate(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    history: History,
    nodes: Collection[str] | None = None,
    made: Collection[str] = (),
    declined: Collection[str] = (),
) -> Estimate:
    """How long the nodes would take, all or these, one after the other; those `made` take no time, nor those that lack
    a model that was `declined`. `history` tells how long tools took.
    """
    left_out, found = {*workflow.idle(), *made}, dict[str, float]()
    rough, whole = False, True
    for id, cost in costs_by_node(workflow, tools, history).items():
        unwanted = bool(cost.offer) and set(cost.offer.ids) <= set(declined)
        if id in left_out or unwanted or (nodes is not None and id not in nodes):
            continue
        whole = whole and cost.seconds is not None
        if cost.seconds is not None:
            found[id] = cost.seconds
            rough = rough or cost.rough
    return Estimate(found, rough, whole)


def question(estimated: Estimate, agreed: float = 0.0) -> tuple[Question, ...]:
    """At most one: whether a run of that length is wanted, where it is longer than the limit of the settings and than
    the `agreed` seconds.
    """
    limit, total = settings.now().ask_minutes * 60, estimated.total
    if not above(total, limit, agreed):
        return ()
    said = "at least {time}" if not estimated.whole else "roughly {time}" if estimated.rough else "about {time}"
    text = Phrase("This would run for {time}; you want to be asked above {limit}. Run it?",
                  time=Phrase(said, time=_time(total)), limit=_time(limit))  # fmt: skip
    longest = max(estimated.seconds, key=lambda id: estimated.seconds[id])
    return (Question(text, KIND, (RUN, LEAVE), longest, resource=str(ceil(total))),)


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return Phrase("{n} seconds", n=round(seconds))
    return Phrase("{n} minutes", n=minutes) if minutes < 100 else Phrase("{n} hours", n=f"{seconds / 3600:.1f}")
