"""`graphwright plan`: alternatives without running, for one request or a file of them."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.cli import exit_codes
from desktop_app.cli.report import cost_words, costs_of, spent_words
from desktop_app.core.errors import BadRequest, StorageError
from desktop_app.core.paths import home
from desktop_app.core.settings import load
from desktop_app.graph.workflow import Node, Workflow, veiled
from desktop_app.llm.token_usage import Tally
from desktop_app.models import selection
from desktop_app.plan.batch import plan_row, request_of, row_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_file, from_tools
from desktop_app.plan.types import Solution
from desktop_app.run.backends.selection import machine
from desktop_app.session.messages import priced
from desktop_app.storage.database import History
from desktop_app.storage.resources import type_of_file
from nodes import load_tools
from nodes.api import SECRET, ResourceType

PlanRow = Callable[[Mapping[str, Any]], dict[str, Any]]
"""A row of the contract in, one out."""


def run(options: argparse.Namespace) -> int:
    """The exit code. Raises AppError for a bad argument."""
    if options.mode and options.toolbox:
        raise BadRequest("Other tools cannot be planned over with --mode.", "Leave out --toolbox or --mode.")
    with _with_model(options.mode) if options.mode else _offline(options.toolbox) as planned:
        if options.requests:
            return _many(planned, options.requests, options.output)
        if not (options.request or "").strip():
            raise BadRequest("The request is empty.", 'Say what you want: graphwright plan "Blur this picture"')
        resources = [{"name": path.name, "type": str(type_of_file(path))} for path in _files(options.attach)]
        row = planned({"id": "1", "request": options.request, "resources": resources})
    if not options.toolbox:
        _add_costs(row)
    print(json.dumps(row, ensure_ascii=False) if options.json else _readable(_veiled(row)))
    if row["solutions"]:
        return exit_codes.OK
    return exit_codes.MISSING if row["questions"] else exit_codes.BAD


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files, and of folders those in them that are not hidden."""
    inside = (sorted(path.glob("[!.]*")) if path.is_dir() else [path] for path in paths)
    return [path for found in inside for path in found]


@contextmanager
def _offline(toolbox: Path | None) -> Iterator[PlanRow]:
    tools = from_file(toolbox) if toolbox else from_tools(load_tools().tools, selection.works_now(machine()))
    planner = OfflinePlanner(tools, load().strategy)
    yield lambda row: plan_row(planner, row)


@contextmanager
def _with_model(mode: str) -> Iterator[PlanRow]:
    """Plans with the language model of the settings, in that mode; offline where there is none."""
    from desktop_app.app import new_planner

    tally = Tally()
    with asyncio.Runner() as runner:
        planner, close = new_planner(replace(load(), plan_mode=mode))

        def planned(row: Mapping[str, Any]) -> dict[str, Any]:
            started = time.perf_counter()
            request = request_of(row, [*map(str, ResourceType)])
            return row_of(runner.run(planner.plan(request, tally=tally)), row.get("id"), started)

        try:
            yield planned
        finally:
            runner.run(close())
            if words := spent_words(tally.spent):
                print(words, file=sys.stderr)


def _add_costs(row: dict[str, Any]) -> None:
    """What each solution would load, the memory it takes and how long, as `ask` states it."""
    tools, history = load_tools().tools, History(home() / "history.sqlite")
    for solution in row["solutions"]:
        nodes = tuple(Node(n["id"], n["tool"], {}, n.get("backend")) for n in solution["nodes"])
        made = Solution(solution["title"], "", solution["score"], ())
        solution["costs"] = costs_of(priced(made, Workflow(nodes=nodes), tools, history))


def _many(planned: PlanRow, source: Path, target: Path | None) -> int:
    try:
        lines = source.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"The requests in {source} cannot be read: {error}.", "Check the name.") from error
    rows = [json.dumps(_planned(planned, line, i, source), ensure_ascii=False) for i, line in _numbered(lines)]
    text = "".join(f"{row}\n" for row in rows)
    if target is None:
        sys.stdout.write(text)
        return exit_codes.OK
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    except OSError as error:
        raise StorageError(f"The plans could not be written to {target}: {error.strerror}.", "") from error
    return exit_codes.OK


def _numbered(lines: list[str]) -> list[tuple[int, str]]:
    return [(i, line) for i, line in enumerate(lines, 1) if line.strip()]


def _planned(planned: PlanRow, line: str, number: int, source: Path) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BadRequest(f"Line {number} of {source.name} is not JSON: {error}.", "") from error
    if not isinstance(row, dict) or not isinstance(row.get("request"), str):
        raise BadRequest(f"Line {number} of {source.name} has no 'request'.", 'Write {"id": ..., "request": ...}.')
    return planned(row)


def _veiled(row: dict[str, Any]) -> dict[str, Any]:
    """The row without what is secret in its solutions, to be read by people: rows of the contract say what was said."""
    nodes = (node for solution in row["solutions"] for node in solution["nodes"])
    secrets = {said for node in nodes if isinstance(said := node["args"].get(SECRET), str) and said}
    return {**row, "solutions": veiled(row["solutions"], secrets)}


def _readable(row: dict[str, Any]) -> str:
    lines = []
    for i, solution in enumerate(row["solutions"], 1):
        lines.append(f"{i}. {solution.get('title', '')}  (score {solution['score']:.2f}) {solution.get('reason', '')}")
        lines += [f"     {cost_words(solution['costs'])}"] if "costs" in solution else []
        for node in solution["nodes"]:
            values = ", ".join(f"{port}={_shown(value)}" for port, value in node["args"].items())
            lines.append(f"     {node['id']}: {node['tool']}({values})")
            lines += [f"       with {node['backend']}: {node['reason']}"] if "backend" in node else []
    lines += [str(q.get("text", q)) if isinstance(q, dict) else str(q) for q in row["questions"]]
    lines += row.get("reasons", []) if not row["solutions"] else []
    lines += [row["notice"]] if "notice" in row else []
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if isinstance(value, dict) and "node" in value:
        return f"{value['node']}.{value['port']}"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) and " " in value else str(value)
