"""A question for one number of a table, its total or its mean, is the question tool's, which answers with the number:
groups need a word for what they are put together by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop_app.plan.arguments.quoted_text import is_grouping
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromResource, Plan, Request, Solution, Step, ToolSpec, step_id

_SURE = 0.85


def with_one_number(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan that asks the table itself, where the request does nothing but ask for one number and the plan made
    another table of it, was unsure, or there is none."""
    first = plan.solutions[0] if plan.solutions else None
    given = [one for one in request.resources if one.type == "table" and not one.earlier]
    source = _source(first, graph) if first is not None else FromResource(given[0].name) if len(given) == 1 else None
    tool = next((one for one in graph.tools.values() if _answers(one)), None)
    if source is None or tool is None or (first is None and len(request.resources) > 1):
        return plan
    if sum(request.text.count(mark) for mark in "?？") > 1:
        return plan  # several questions are several wishes
    from nodes._support.tables import table_answers  # here: only a table needs it

    waits = first is not None and _lacks_groups(first, graph)
    if not table_answers.asks_one_number(request.text, waits):
        return plan
    rows = next((one.rows for one in request.resources if one.rows is not None and one.name == _name(source)), None)
    if rows is not None and table_answers.answer(rows, request.text) is None:
        return plan
    table, question = (next(port.name for port in main_inputs(tool) if port.type == type) for type in ("table", "text"))
    step = Step(step_id(tool.id, ()), tool.id, {table: source, question: request.text.strip()})
    reason = reason_for([step], (), graph)
    found = Solution("", reason, _SURE, (step,), ((step.id, tool.outputs[0].name),))
    others = tuple(one for one in plan.solutions if [each.tool for each in one.steps] != [tool.id])
    return replace(plan, solutions=worded((found, *others), graph), questions=(), causes=())


def _answers(tool: ToolSpec) -> bool:
    """Whether it answers a question about a table."""
    needed = sorted(port.type for port in tool.inputs if port.required)
    return needed == ["table", "text"] and [out.type for out in tool.outputs] == ["text"]


def _source(solution: Solution, graph: ToolGraph) -> Any:
    """The table that the one step of a plan takes, where it answers from it or makes another table of it."""
    if len(solution.steps) != 1 or solution.kept:
        return None
    (step,) = solution.steps
    tool = graph.tools[step.tool]
    mains = [port for port in main_inputs(tool) if port.type == "table"]
    if len(mains) != 1 or not (_answers(tool) or [out.type for out in tool.outputs] == ["table"]):
        return None
    source = step.arguments.get(mains[0].name)
    return source if isinstance(source, FromResource) else None


def _lacks_groups(solution: Solution, graph: ToolGraph) -> bool:
    """Whether rows are to be put together, and it was not said by what."""
    (step,) = solution.steps
    return any(is_grouping(port) and port.name not in step.arguments for port in graph.tools[step.tool].inputs)


def _name(source: Any) -> str:
    return source.name if isinstance(source, FromResource) else ""
