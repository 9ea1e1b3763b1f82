"""What is asked for beside a question about a table is of the columns that the question is about: "which town sold
most? also a bar chart of the sums"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.plan.arguments.marked_text import names_columns
from desktop_app.plan.arguments.quoted_text import is_grouping
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import FromNode, FromResource, Plan, PortSpec, Request, Solution, Step, ToolSpec, step_id
from nodes.api import GROUPS

if TYPE_CHECKING:
    from nodes._support.tables.table_answers import Meant

_QUESTION, _MEASURE = "question", "sum"
_ASKED = re.compile(r"[^.!?。！？]*[?？]")


def with_asked_columns(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which what names no columns of the table that was read, or none that it has, takes those of the
    question beside it, or of the one before; and a file or a page beside a question is of the groups that it asks for.
    """
    tables = {one.name: one.rows for one in request.resources if one.rows is not None}
    if not tables or not plan.solutions:
        return plan
    found = tuple(_told(solution, tables, request, graph) for solution in plan.solutions)
    return with_ways(plan, found, graph)


def _told(solution: Solution, tables: dict[str, Any], request: Request, graph: ToolGraph) -> Solution:
    from nodes._support.tables import table_answers  # here: only a table needs it

    asking = [step for step in solution.steps if _asked(step, graph)]
    name = next((name for step in asking or solution.steps if (name := _table(step, tables, graph))), "")
    if not name or any(step.id in solution.kept for step in solution.steps):
        return solution
    question = _asked(asking[0], graph) if asking else _question(request)
    meant = table_answers.columns_meant(tables[name], question) if question else table_answers.Meant()
    if not meant.by:
        return solution
    others = [step for step in solution.steps if step not in asking and _table(step, tables, graph) == name]
    columns = {str(column).casefold() for column in tables[name].columns}
    steps, places = list(solution.steps), set[tuple[str, str]]()
    for step in others:
        values = _values(step, meant, columns, graph.tools[step.tool])
        steps[steps.index(step)] = replace(step, arguments={**step.arguments, **values})
        places |= {(step.id, port) for port in values}
        if not values and asking and _is_form(graph.tools[step.tool]):
            steps = _grouped(steps, step, meant, graph)
    if steps == list(solution.steps):
        return solution
    questions = tuple(one for one in solution.questions if (one.step, one.port) not in places)
    return replace(solution, steps=tuple(steps), questions=questions, reason=reason_for(steps, (), graph))


def _question(request: Request) -> str:
    """What the request asks, else what was asked before it."""
    own = _ASKED.findall(request.text)
    before = next((one.text for one in reversed(request.history) if one.role == "user"), "")
    return own[0].strip() if own else before if before.rstrip().endswith(("?", "？")) else ""


def _asked(step: Step, graph: ToolGraph) -> str:
    """The question that the step answers out of a table; "" for none."""
    is_of_tables = any(port.type == "table" for port in graph.tools[step.tool].inputs)
    said = step.arguments.get(_QUESTION) if is_of_tables else None
    return said if isinstance(said, str) else ""


def _table(step: Step, tables: dict[str, Any], graph: ToolGraph) -> str:
    """The table that was read and that the step takes; "" for none."""
    fed = (step.arguments.get(port.name) for port in graph.tools[step.tool].inputs if port.type == "table")
    return next((one.name for one in fed if isinstance(one, FromResource) and one.name in tables), "")


def _values(step: Step, meant: Meant, columns: set[str], tool: ToolSpec) -> dict[str, Any]:
    """What the question says for the step, where the step has not heard it."""
    by, column, measure = _ports(tool)
    if by is None:
        return {}

    def is_open(port: PortSpec) -> bool:
        said = step.arguments.get(port.name)
        return not said or (isinstance(said, str) and said.casefold() not in columns)

    found: dict[str, Any] = {}
    if is_open(by):
        found[by.name] = meant.by
    if column is not None and meant.column and is_open(column):
        found[column.name] = meant.column
    if measure is not None and meant.measure not in ("", measure.default) and measure.name not in step.arguments:
        found[measure.name] = meant.measure
    return found


def _ports(tool: ToolSpec) -> tuple[PortSpec | None, PortSpec | None, PortSpec | None]:
    """The inputs for what rows are put together by, for the numbers, and for what is told of them."""
    texts = [port for port in tool.inputs if port.type == "text"]
    by = next((port for port in texts if is_grouping(port)), None)
    column = next((port for port in texts if port is not by and not port.choices and names_columns(port)), None)
    return by, column, next((port for port in texts if _MEASURE in port.choices), None)


def _is_form(tool: ToolSpec) -> bool:
    """Whether it makes a file or a page of a table, as it is."""
    return tool.outputs[0].type in ("file", "html") and tool.inputs[0].type == "table"


def _grouped(steps: list[Step], form: Step, meant: Meant, graph: ToolGraph) -> list[Step]:
    """With the step between that gives a row for each group."""
    tool = graph.doing(GROUPS)
    if tool is None:
        return steps
    by, column, measure = _ports(tool)
    assert by is not None
    table = next(port.name for port in tool.inputs if port.type == "table")
    id, source = step_id(tool.id, steps), next(v for v in form.arguments.values() if isinstance(v, FromResource))
    values: dict[str, Any] = {table: source, by.name: meant.by}
    values |= {column.name: meant.column} if column is not None and meant.column else {}
    values |= {measure.name: meant.measure} if measure is not None and meant.measure else {}
    fed = {name: FromNode(id, tool.outputs[0].name) if value == source else value
           for name, value in form.arguments.items()}  # fmt: skip
    at = steps.index(form)
    return [*steps[:at], Step(id, tool.id, values), replace(form, arguments=fed), *steps[at + 1 :]]
