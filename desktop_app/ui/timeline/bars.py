"""What a run's timeline shows: a bar for each node that started, on its lane. Must not know widgets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_app.run.events.run_record import Run
from desktop_app.ui.support import formatting, time_left


@dataclass(frozen=True)
class Bar:
    """A node on a lane, in seconds since the run started; `end` may lie ahead.

    `sure` is where what has happened ends and the estimate begins.
    """

    node: str
    lane: str
    start: float
    end: float
    sure: float


def bars_of(run: Run, now: float) -> list[Bar]:
    """The bars of all nodes that started; `now` in seconds since then."""
    bars = []
    for id, node in run.taking_part.items():
        if node.state == "running":
            left = time_left.of_node(node, now)
            bars.append(Bar(id, node.lane, node.start, now + (left or 0.0), now))
        elif node.state in ("done", "failed", "cancelled", "outdated") and (node.lane or node.seconds or node.start):
            end = node.start + (0.0 if node.cached else node.seconds)
            if node.state == "cancelled":  # how long it took nobody tells
                end = max(node.start, run.seconds or now)
            bars.append(Bar(id, node.lane or formatting.translate("Cache"), node.start, end, end))
    return bars


def lanes_of(bars: Iterable[Bar]) -> list[str]:
    """The lanes in the order of their rows: graphics cards first."""
    return sorted({bar.lane for bar in bars}, key=lambda lane: (not lane.startswith("GPU"), lane))
