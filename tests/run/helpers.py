"""Short ways to write workflows and to look at what a run told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import psutil

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import Run
from tests.waiting import PATIENCE


def graph(nodes: dict[str, tuple[str, dict[str, Any]]], *links: str, **more: Any) -> Workflow:
    """`nodes` by id as (tool, values); a link is "source.output>target.port"."""
    found = []
    for link in links:
        source, target = link.split(">")
        found.append(Link(*source.rsplit(".", 1), *target.rsplit(".", 1)))
    placed = tuple(Node(id, tool, values) for id, (tool, values) in nodes.items())
    return Workflow(nodes=placed, links=tuple(found), **more)


def chain(length: int, **values: Any) -> Workflow:
    """`n0` to `n(length - 1)`, each adding 1 to what the one before gave."""
    nodes = tuple(Node(f"n{i}", "add", values) for i in range(length))
    return Workflow(nodes=nodes, links=tuple(Link(f"n{i}", "number", f"n{i + 1}", "number") for i in range(length - 1)))


class Heard:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.batches: list[Sequence[Event]] = []

    def __call__(self, batch: Sequence[Event]) -> None:
        self.batches.append(batch)

    @property
    def events(self) -> list[Event]:
        return [event for batch in self.batches for event in batch]

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def nodes(self, kind: type) -> list[str]:
        return [event.node for event in self.of(kind)]

    def reports(self, node: str) -> bool:
        """True when the node has shown progress, so that it really runs."""
        return node in self.nodes(events.NodeProgress)

    def last(self) -> events.RunFinished:
        event = self.events[-1]
        assert isinstance(event, events.RunFinished)
        return event


def states(run: Run) -> dict[str, str]:
    return {id: node.state for id, node in run.nodes.items()}


def runs(pid: int) -> bool:
    """True while any thread of the process has not ended. Leaves its exit code to whoever started it."""
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
    except psutil.NoSuchProcess:
        return False


def ends(pid: int, seconds: float = PATIENCE) -> bool:
    """Waits until the process has ended; false when it has not by then."""
    end = time.monotonic() + seconds
    while runs(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
