"""Spreadsheets are planned as the tables that they hold, and opened in the plan: people speak of both in the same
words, and "who has not paid?" means the rows of an .xlsx as it means those of a .csv.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from desktop_app.core.values import unused_name
from desktop_app.plan.tools.rewiring import mapped
from desktop_app.plan.tools.tool_graph import fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Solution, Step, ToolSpec

SHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
"""How files are named that hold tables."""


def opener_of(tools: Iterable[ToolSpec], index: Index) -> ToolSpec | None:
    """The tool that gives the table in a file, the one whose texts speak most of one; None where there is none."""
    found = [tool for tool in tools if _may_open(tool)]
    return max(found, key=lambda tool: index.profiles[tool.id].weights.get("table", 0.0), default=None)


def _may_open(tool: ToolSpec) -> bool:
    return [port.type for port in main_inputs(tool)] == ["file"] and [p.type for p in tool.outputs] == ["table"]


def as_table(given: Given) -> Given:
    """A spreadsheet as a table; anything else as it is."""
    return replace(given, type="table") if given.type == "file" and given.name.lower().endswith(SHEETS) else given


def opened(plan: Plan, sheets: Collection[str], opener: ToolSpec, tools: Mapping[str, ToolSpec]) -> Plan:
    """The plan with these files opened by a step of their own, wherever a tool takes what is no file."""
    return replace(plan, solutions=tuple(_opened(one, sheets, opener, tools) for one in plan.solutions))


def _opened(solution: Solution, sheets: Collection[str], opener: ToolSpec, tools: Mapping[str, ToolSpec]) -> Solution:
    ids = {step.id for step in solution.steps}
    made: dict[str, Step] = {}

    def table_of(name: str) -> FromNode:
        if name not in made:
            id = unused_name(opener.id, lambda id: id in ids)
            ids.add(id)
            made[name] = Step(id, opener.id, {main_inputs(opener)[0].name: FromResource(name)})
        return FromNode(made[name].id, opener.outputs[0].name)

    def there(type: str, value: Any) -> Any:
        is_sheet = isinstance(value, FromResource) and value.name in sheets and not fits("file", type)
        return table_of(value.name) if is_sheet else value

    steps: list[Step] = []
    for step in solution.steps:
        types = {port.name: port.type for port in tools[step.tool].inputs}
        arguments: dict[str, Any] = {
            name: mapped(value, partial(there, types[name])) for name, value in step.arguments.items()
        }
        steps.append(replace(step, arguments=arguments))
    return replace(solution, steps=(*made.values(), *steps)) if made else solution
