"""What happens during a run, as values. Folding them gives a Run (record.py); they also are the recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop_app.core.values import several
from desktop_app.storage.resources import Resource

Items = tuple[tuple[int, str], ...]
"""Of a node that runs once for each of several items: (index, name) of some of them."""


@dataclass(frozen=True)
class RunStarted:
    """`nodes` in the order in which they may run; `time` in seconds since the epoch.

    `usual` is how many seconds those that ran here before take as a rule, by node.
    """

    run: str
    nodes: tuple[str, ...]
    time: float
    usual: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NodeQueued:
    """Its inputs are there; it waits for a lane."""

    node: str


@dataclass(frozen=True)
class NodeStarted:
    """`lane` names where it runs ("CPU 1", "GPU 0"); `time` in seconds since the run started.

    `seconds_left` is how long it takes as a rule, None when it never ran here. Of a node that runs once for each of
    several items, the start of the first. `backend` is the id of the one that runs it.
    """

    node: str
    lane: str
    time: float
    seconds_left: float | None = None
    backend: str = ""


@dataclass(frozen=True)
class NodeProgress:
    """`fraction` is 0..1; `preview` is a PNG file to show meanwhile, or "". The newest wins.

    `seconds_left` is an estimate at this moment, None when nothing is known. `going` are the items that are worked on,
    of a node that has several.
    """

    node: str
    fraction: float
    note: str = ""
    preview: str = ""
    seconds_left: float | None = None
    going: Items = ()


@dataclass(frozen=True)
class NodeFinished:
    """`outputs` by output port; a tuple for a `many` port. `cached`: nothing was computed. `time` as in NodeStarted.

    A node that ran once for each of several items has `items` of them, and tuples as outputs without those that failed;
    `failed` are these as (name of the item, message). `notice` is what the user should know: "2 of 5 failed: ...", or
    that another back end than the preferred one was used.
    """

    node: str
    outputs: Mapping[str, Resource | tuple[Resource, ...]]
    seconds: float
    cached: bool
    time: float
    backend: str = ""
    items: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    notice: str = ""


@dataclass(frozen=True)
class NodeFailed:
    """`message` what happened, `cause` the port or the traceback behind it, `fix` what the user can do.

    `other` is the id of a back end of the same tool that works here, or "". `model` is the catalogue id of the model
    whose download would let the node run, or "". `failed` as in NodeFinished, when all items failed.
    """

    node: str
    message: str
    port: str = ""
    fix: str = ""
    cause: str = ""
    seconds: float = 0.0
    time: float = 0.0
    other: str = ""
    model: str = ""
    failed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class NodeSkipped:
    """Not run, because the node `because` failed, was cancelled, or is missing.

    `cause` is "muted" when the user muted that node (which may be this one), "bypassed" when that node is bypassed and
    has nothing of the type to pass on, else "".
    """

    node: str
    because: str
    cause: str = ""


@dataclass(frozen=True)
class NodeCancelled:
    """Stopped by the user. An outcome, not an error."""

    node: str


@dataclass(frozen=True)
class RunFinished:
    """`outcome` is "ok", "failed", "cancelled" or "lost" (the program died; written on the next start).

    `counts` of nodes: done, cached (of those done), failed, skipped, cancelled. `notice` is what the user should
    know though no node failed by it: that results could not be remembered.
    """

    run: str
    outcome: str
    seconds: float
    counts: Mapping[str, int] = field(default_factory=dict)
    notice: str = ""


Event = (
    RunStarted
    | NodeQueued
    | NodeStarted
    | NodeProgress
    | NodeFinished
    | NodeFailed
    | NodeSkipped
    | NodeCancelled
    | RunFinished
)


def resources(event: NodeFinished) -> tuple[Resource, ...]:
    """Every single value that the node made."""
    return tuple(r for value in event.outputs.values() for r in several(value))
