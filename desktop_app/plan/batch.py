"""One line of the `plan --requests` contract: a row in, a row out, both plain JSON data."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.language.stand_ins import put_in, stand_ins, without_folders
from desktop_app.plan.language.tokenizer import file_type, tokens_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_graph import supertypes
from desktop_app.plan.types import FromNode, FromResource, Given, HistoryMessage, Plan, Question, Request, Solution


def plan_row(planner: OfflinePlanner, row: Mapping[str, Any]) -> dict[str, Any]:
    """Plans `row["request"]`. Files named in the request count as there. Raises KeyError without "request"."""
    started = time.perf_counter()
    return row_of(planner.plan(request_of(row, planner.graph.types)), row.get("id"), started)


def row_of(plan: Plan, id: Any, started: float) -> dict[str, Any]:
    """The row of a plan that was begun at `started` by time.perf_counter."""
    result: dict[str, Any] = {
        "id": id,
        "solutions": [_solution(solution) for solution in plan.solutions],
        "questions": [
            _question(q) for q in (*plan.questions, *(plan.solutions[0].questions if plan.solutions else ()))
        ],
        "seconds": round(time.perf_counter() - started, 6),
    }
    if plan.causes:
        result["reasons"] = list(plan.causes)
    if plan.notice:
        result["notice"] = plan.notice
    return result


def request_of(row: Mapping[str, Any], types: Collection[str] = ()) -> Request:
    """The request of a row, with the files that its text names beside those it lists. A listed file of none of the
    `types`, where these are known, has that of its name's ending: a "pdf" or "photo" is a file or an image.
    """
    listed = [Given(str(r["name"]), _known(str(r["type"]), str(r["name"]), types)) for r in row.get("resources") or ()]
    own = [given.name for given in listed]
    text = without_folders(str(row["request"]), own)
    history = tuple(
        HistoryMessage(str(t["role"]), without_folders(str(t["text"]), own)) for t in row.get("history") or ()
    )
    plain = stand_ins(listed)
    names = {plain.get(given.name, given.name) for given in listed}
    before = [given for turn in history for given in _named(put_in(turn.text, plain), names, earlier=True)]
    return Request(text, (*before, *listed, *_named(put_in(text, plain), names, earlier=False)), history)


def _known(type: str, name: str, types: Collection[str]) -> str:
    by_name = file_type(name) if types and not {*types} & {*supertypes(type)} else ""
    return by_name if by_name in types else type


def _named(text: str, known: set[str], earlier: bool) -> list[Given]:
    """The files and addresses in a text that are not in `known`, which grows by them."""
    found = []
    for token in tokens_of(text):
        if token.kind in ("file", "url") and token.text not in known:
            known.add(token.text)
            found.append(Given(token.text, token.type or token.kind, earlier=earlier))
    return found


def _solution(solution: Solution) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = []
    links = []
    for step in solution.steps:
        nodes.append({"id": step.id, "tool": step.tool, "args": {p: _plain(a) for p, a in step.arguments.items()}})
        if step.id in solution.backends:
            nodes[-1] |= {"backend": solution.backends[step.id], "reason": solution.reasons.get(step.id, "")}
        for port, argument in step.arguments.items():
            for item in several(argument):
                if isinstance(item, FromNode):
                    links.append({"source": item.node, "target": step.id, "port": port})
    return {"score": round(solution.score, 4), "title": solution.title, "nodes": nodes, "links": links}


def _plain(argument: Any) -> Any:
    if isinstance(argument, FromNode):
        return {"node": argument.node, "port": argument.port}
    if isinstance(argument, FromResource):
        return argument.name
    if isinstance(argument, tuple):
        return [_plain(item) for item in argument]
    return argument


def _question(question: Question) -> dict[str, Any]:
    return {key: value for key, value in vars(question).items() if value}
