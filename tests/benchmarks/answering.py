"""What a run costs beside the engine: `python -m tests.benchmarks.answering [--long] [--profile NAME]`.

Where every result is known, so that an engine gives it at once: what the session, the answer, the export and the
report make of it, as `graphwright ask --json --out DIR` does; and the longest time that the loop waits meanwhile, which
in the window is the time for which it stands still. A figure named "growth" is that of a workflow of twice the size.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import cProfile
import io
import os
import pstats
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.cli import report
from desktop_app.cli.ask import finish
from desktop_app.core.paths import home
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.plan.planner import Planner
from desktop_app.run.engine import Engine
from desktop_app.run.events import events
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource, Store, facets_of
from nodes.api import ResourceType, Table, Tool
from tests.benchmarks.figures import figure
from tests.run.toys import TOOLS

_BATCH = 64
Made = Callable[[str, str], tuple[Any, ResourceType]]
"""The value of a node, by its id and its tool."""


class Finished(Engine):
    """An engine that knows every result: `values` by tool, kept once."""

    def __init__(self, store: Store, history: History, tools: dict[str, Tool], values: dict[str, Any]) -> None:
        super().__init__(store, history, tools)
        self.seconds = 0.0
        self._kept = {}
        for tool, value in values.items():
            type = tools[tool].outputs[0].type
            digest, suffix = store.put_value(value, type)
            facets = {} if type not in (ResourceType.IMAGE,) else facets_of(store.path(digest, suffix), type)
            self._kept[tool] = (digest, suffix, type, facets)

    async def run(self, workflow: Workflow, listener: Any, upto: Any = None, again: Any = ()) -> Run:
        start = time.perf_counter()
        tools = {node.id: self._tools[node.tool] for node in workflow.nodes}
        order = workflow.order()
        told: list[events.Event] = [events.RunStarted("bench", order, 0.0)]
        for id in order:
            digest, suffix, type, facets = self._kept[tools[id].id]
            made = Resource(f"{id}{suffix}", type, digest, suffix, facets, id)
            told.append(events.NodeFinished(id, {tools[id].outputs[0].name: made}, 0.0, True, 0.0, "builtin"))
        told.append(events.RunFinished("bench", "ok", 0.0))
        self.seconds = time.perf_counter() - start
        run = Run()
        for at in range(0, len(told), _BATCH):
            run = fold_all(run, told[at : at + _BATCH])
            listener(told[at : at + _BATCH])
            await asyncio.sleep(0)
        return run


def pictures_on(session: Session, count: int, per: int) -> Workflow:
    """`per` nodes on each of `count` pictures, the last of them numbers, of which a last node makes the sum."""
    nodes, links, files = [], [], []
    digest, suffix = session.store.put_value(np.zeros((8, 8, 3), np.uint8), ResourceType.IMAGE)
    for p in range(count):
        files.append(Resource(f"{p}.png", ResourceType.IMAGE, digest, suffix, {"width": 8, "height": 8}))
        before = (files[-1].name, "value")
        for n in range(per):
            tool, output, port = ("mean", "number", "image") if n == per - 1 else ("spoil", "image", "image")
            nodes.append(Node(f"p{p}n{n}", tool))
            links.append(Link(*before, nodes[-1].id, port))
            before = (nodes[-1].id, output)
        links.append(Link(*before, "sum", "numbers"))
    return Workflow(tuple(files), (*nodes, Node("sum", "total")), tuple(links))


def chain_of(session: Session, length: int) -> Workflow:
    """Nodes one after the other, each with a number that the answer may tell."""
    nodes = tuple(Node(f"n{i}", "add", {}) for i in range(length))
    return Workflow(nodes=nodes, links=tuple(Link(f"n{i}", "number", f"n{i + 1}", "number") for i in range(length - 1)))


def side_by_side(session: Session, count: int) -> Workflow:
    """Nodes that have nothing to do with each other: each result was asked for."""
    return Workflow(nodes=tuple(Node(f"n{i}", "square", {}) for i in range(count)))


def wide_table(session: Session, columns: int) -> Workflow:
    """One table."""
    return Workflow(nodes=(Node("t", "sheet", {}),))


def tools_with(columns: int) -> tuple[dict[str, Tool], dict[str, Any]]:
    """The toys and one that gives a table, with what each of them gives."""
    sheet = _table_tool()
    table = Table(tuple(f"column {c}" for c in range(columns)), tuple(tuple(range(columns)) for _ in range(60)))
    picture = np.zeros((8, 8, 3), np.uint8)
    values = {"add": 1.0, "mean": 2.0, "total": 3.0, "spoil": picture, "square": picture, "sheet": table}
    return {**TOOLS, "sheet": sheet}, values


def _table_tool() -> Tool:
    from nodes.api import Backend, Port

    out = (Port("table", ResourceType.TABLE, "it"),)
    return Tool("sheet", "Make a sheet", "text", "Makes a sheet.", (), out, (Backend("b", "B", lambda: None),))


def session_with(columns: int = 10) -> Session:
    """A session on the home, with an engine that knows every result."""
    tools, values = tools_with(columns)
    store, history = Store(home() / "store"), History(home() / "history.sqlite")
    engine = Finished(store, history, tools, values)
    return Session(tools, Planner(lambda: tools, "greedy"), engine, store, history)


async def beside(make: Callable[[Session], Workflow], columns: int = 10) -> tuple[float, float]:
    """Seconds beside the engine, and the longest that the loop waited."""
    session = session_with(columns)
    session.edit(make(session))
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as said:
        report.Progress(session)
        begin = time.perf_counter()
        session.questions()
        longest = await _longest_wait(session.start())
        finish(session, home() / "out", as_json=True)
        seconds = time.perf_counter() - begin - session.tracker.engine.seconds  # type: ignore[attr-defined]
    assert said.getvalue().startswith('{"answer"'), said.getvalue()[:200]
    await session.close()
    return seconds, longest


async def _longest_wait(work: Any) -> float:
    task, longest = asyncio.ensure_future(work), 0.0
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(0)
        longest = max(longest, time.perf_counter() - before)
    await task
    return longest


WORLDS: dict[str, tuple[Sequence[int], Callable[[Session, int], Workflow]]] = {
    "chain": ((1000, 2000, 4000), chain_of),
    "nodes on pictures, four each": ((250, 500, 1000), lambda session, count: pictures_on(session, count, 4)),
    "nodes side by side": ((1000, 2000, 4000), side_by_side),
    "columns of a table": ((500, 1000, 2000), wide_table),
}


def measure(name: str, long: bool) -> None:
    """One kind of workflow at its sizes."""
    sizes, make = WORLDS[name]
    before = 0.0
    for size in sizes if long else sizes[:2]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            os.environ["GRAPHWRIGHT_HOME"] = str(Path(folder) / "home")
            seconds, longest = asyncio.run(beside(lambda session, size=size: make(session, size), size))
        figure(f"beside the engine, {size} {name}", seconds, "s", 2.0)
        figure(f"longest wait of the loop, {size} {name}", longest, "s", 0.05)
        if before:
            figure(f"growth, {size} {name}", seconds / before, "times", 2.5)
        before = seconds


def main() -> None:
    """Measures in homes of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="the largest sizes too")
    parser.add_argument("--profile", metavar="NAME", help="where the time goes, of one kind of workflow")
    options = parser.parse_args()
    for name in WORLDS if not options.profile else [options.profile]:
        profile = cProfile.Profile() if options.profile else contextlib.nullcontext()
        with profile:
            measure(name, options.long)
        if isinstance(profile, cProfile.Profile):
            pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


if __name__ == "__main__":
    main()
