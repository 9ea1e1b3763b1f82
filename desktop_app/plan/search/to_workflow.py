"""A solution as a workflow, laid out from left to right. Knows nothing of how it was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from desktop_app.core.values import several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.tools.rewiring import results
from desktop_app.plan.types import FromNode, FromResource, Solution, Step
from desktop_app.storage.resources import Resource
from nodes.api import Tool

CARD_WIDTH, CARD_HEIGHT, GAP = 192.0, 240.0, 48.0


def to_workflow(
    solution: Solution,
    resources: Mapping[str, Resource],
    tools: Mapping[str, Tool],
    points: Mapping[str, Sequence[tuple[float, float, bool]]] | None = None,
) -> Workflow:
    """The solution's steps as nodes, with the resources that they use. `points` are clicks by resource name.

    A resource that is not in `resources` leaves its port open, so that `Workflow.missing` names it. Steps of tools
    that are not in `tools` become nodes all the same.
    """
    columns = _columns(solution.steps)
    links: list[Link] = []
    nodes: list[Node] = []
    used: dict[str, Resource] = {}
    rows: dict[int, int] = {}
    for step in solution.steps:
        values: dict[str, Any] = {}
        for port, argument in step.arguments.items():
            for item in several(argument):
                if isinstance(item, FromNode):
                    links.append(Link(item.node, item.port, step.id, port))
                elif isinstance(item, FromResource):
                    if item.name in resources:
                        used[item.name] = resources[item.name]
                        links.append(Link(item.name, RESOURCE_OUTPUT, step.id, port))
                else:
                    values[port] = _literal(argument)
        values |= _clicked(step, tools, points or {}, values)
        column = columns[step.id]
        row = rows[column] = rows.get(column, -1) + 1
        origins = {port: origin for (id, port), origin in solution.origins.items() if id == step.id and port in values}
        place = _place(column, row)
        nodes.append(Node(step.id, step.tool, values, solution.backends.get(step.id), place, origins=origins))
    positions = {name: _place(0, row) for row, name in enumerate(used)}
    return Workflow(tuple(used.values()), tuple(nodes), tuple(links), solution.wanted, positions)


def _literal(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return [_literal(item) for item in argument if not isinstance(item, FromNode | FromResource)]
    return argument


def _clicked(
    step: Step, tools: Mapping[str, Tool], points: Mapping[str, Sequence[Any]], values: Mapping[str, Any]
) -> dict[str, Any]:
    if step.tool not in tools:
        return {}
    found = {}
    for port in tools[step.tool].inputs:
        on = step.arguments.get(port.picked_on) if port.picked_on else None
        if isinstance(on, FromResource) and points.get(on.name) and port.name not in values:
            found[port.name] = [list(point) for point in points[on.name]]
    return found


def _columns(steps: Iterable[Step]) -> dict[str, int]:
    """The column of each step: one more than the furthest of its sources; resources are in column 0."""
    columns: dict[str, int] = {}
    for step in steps:
        columns[step.id] = 1 + max((columns.get(item.node, 0) for item in results(step)), default=0)
    return columns


def _place(column: int, row: int) -> tuple[float, float]:
    return column * (CARD_WIDTH + GAP), row * (CARD_HEIGHT + GAP)
