"""How long a running node, and a whole run, will still take, in seconds and in words. Must not know widgets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.run.scheduling.durations import TELLING_FRACTION, TELLING_SECONDS
from desktop_app.ui.support import formatting

_LONG_SECONDS = 10.0
_OPEN = frozenset({"waiting", "queued", "running"})


def of_node(node: NodeRun, now: float) -> float | None:
    """Seconds until a running node ends; None while nothing tells. `now` in seconds since the start of the run.

    Counts down between two reports: when the last one came follows from what it said. A node that takes longer than
    it does as a rule, and does not report, has no end that one could tell.
    """
    if node.state != "running":
        return None
    elapsed, fraction, told = now - node.start, node.fraction, node.seconds_left
    if fraction >= TELLING_FRACTION:
        if told is None:
            return elapsed * (1 - fraction) / fraction if elapsed >= TELLING_SECONDS else None
        told_at = min(elapsed, told * fraction / (1 - fraction)) if fraction < 1 else elapsed
        return max(0.0, told - (elapsed - told_at))
    usual = node.usual if node.usual is not None else told if not fraction else None
    return usual - elapsed if usual is not None and usual > elapsed else None


def of_run(run: Run, workflow: Workflow, now: float, places: int | None = None) -> float | None:
    """Seconds until the run ends, None when it does not go on or something in it never ran here.

    The longer of its longest way through the graph, and of all its work shared by so many `places` (by default the
    cores of this computer). What waits and turns out to be known already makes it shorter.
    """
    if not run.running:
        return None
    left: dict[str, float] = {}
    for id, node in run.nodes.items():
        if node.state in _OPEN:
            seconds = of_node(node, now) if node.state == "running" else node.usual
            if seconds is None:
                return None
            left[id] = seconds
    return max(_longest(left, workflow), sum(left.values()) / max(1, places or os.cpu_count() or 1))


def _longest(left: Mapping[str, float], workflow: Workflow) -> float:
    """The longest way through what has not ended; `left` is in an order in which the nodes may run."""
    ends: dict[str, float] = {}
    for id, seconds in left.items():
        ends[id] = seconds + max((ends.get(link.source, 0.0) for link in workflow.links_into(id)), default=0.0)
    return max(ends.values(), default=0.0)


def said(seconds: float | None) -> str:
    """`12 s left`, "" for None."""
    return formatting.translate("{time} left").format(time=rough(seconds)) if seconds is not None else ""


def about(seconds: float | None) -> str:
    """`about 12 s left`, "" for None."""
    return formatting.translate("about {time} left").format(time=rough(seconds)) if seconds is not None else ""


def rough(seconds: float) -> str:
    """A duration that is only guessed: no tenths."""
    return f"{max(1, round(seconds))} s" if seconds < 99.5 else formatting.duration(seconds)


def percent(fraction: float) -> str:
    """`58 %`, "" for 0."""
    return f"{fraction * 100:.0f} %" if fraction > 0 else ""


def running_words(node: NodeRun, now: float) -> str:
    """A running node in a few words: `6 s left`, from ten seconds on `58 % · 12 s left`, else how far it is.

    One that tells nothing says for how long it has been at it, once that is ten seconds.
    """
    left, elapsed = of_node(node, now), now - node.start
    long = elapsed + (left or 0.0) >= _LONG_SECONDS
    if left is not None:
        return _joined((percent(node.fraction) if long else "", said(left)))
    going = (
        formatting.translate("{time} so far").format(time=formatting.duration(elapsed))
        if elapsed >= _LONG_SECONDS
        else ""
    )
    return _joined((percent(node.fraction), going)) or formatting.translate("running")


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)
