"""A question for one number of a table, its total or its mean, is the question tool's, which answers with the number:
groups need a word for what they are put together by."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.arguments.quoted_text import is_grouping
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.tool_graph import ToolGraph, answers_from_tables, main_inputs
from desktop_app.plan.types import SAID, FromResource, Plan, Request, Solution, Step, step_id
from nodes.api import SUMS_UP

_STOPS = (".", "!", "?", ",", ";", ":", "…", "。", "！", "？", "，", "；", "：")


def with_one_number(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan that asks the table itself, where the request does nothing but ask for one number and the plan made
    another table of it, was unsure, or there is none."""
    first = plan.solutions[0] if plan.solutions else None
    source = _source(first, graph) if first is not None else _only_table(request)
    is_left = source is None and (first is None or _waits_for_a_table(first, graph))
    source = _newest(request, graph) if is_left else source
    tool = next((one for one in graph.tools.values() if answers_from_tables(one)), None)
    if source is None or tool is None:
        return plan
    if sum(request.text.count(mark) for mark in "?？") > 1:
        return plan  # several questions are several wishes
    from nodes._support.tables import table_answers  # here: only a table needs it

    waits = first is not None and _lacks_groups(first, graph)
    if not table_answers.asks_one_number(request.text, waits):
        return plan
    goes_on = table_answers.goes_on(request.text)
    if first is not None and not goes_on and _asks_a_part(first, request.text, graph):
        return plan
    text, source = request.text.strip(), _of_data(source, request, graph)
    before = next((one.text for one in reversed(request.history) if one.role == "user"), "")
    if is_left and request.history and not goes_on:
        return plan
    if goes_on and table_answers.asks_one_number(before):
        text = f"{before.strip()}\n{text}"  # "and the lowest?" is of the column that was asked about
    rows = next((one.rows for one in request.resources if one.rows is not None and one.name == source.name), None)
    if rows is not None and not goes_on and table_answers.answer(rows, text) is None:
        return plan
    table, question = (next(port.name for port in main_inputs(tool) if port.type == type) for type in ("table", "text"))
    step = Step(step_id(tool.id, ()), tool.id, {table: source, question: text})
    reason = reason_for([step], (), graph)
    found = Solution("", reason, SAID, (step,), ((step.id, tool.outputs[0].name),))
    others = tuple(one for one in plan.solutions if [each.tool for each in one.steps] != [tool.id])
    return replace(plan, solutions=worded((found, *others), graph), questions=(), causes=())


def _only_table(request: Request) -> FromResource | None:
    """The table, where nothing else is there of which a question could be."""
    only = request.resources if len(request.resources) == 1 else ()
    return next((FromResource(one.name) for one in only if one.type == "table" and not one.earlier), None)


def _newest(request: Request, graph: ToolGraph) -> FromResource | None:
    """The table of earlier messages that was worked on last."""
    tables = [one for one in request.resources if one.type == "table" and one.earlier]
    return _of_data(FromResource(tables[-1].name), request, graph) if tables else None


def _waits_for_a_table(solution: Solution, graph: ToolGraph) -> bool:
    """Whether its one step makes another table of one that is not said."""
    if len(solution.steps) != 1 or solution.kept:
        return False
    (step,) = solution.steps
    mains = [port.name for port in main_inputs(graph.tools[step.tool]) if port.type == "table"]
    return len(mains) == 1 and mains[0] not in step.arguments


def _of_data(source: FromResource, request: Request, graph: ToolGraph) -> FromResource:
    """The table that numbers of a table were made of, instead of these: what is new is asked of the data."""
    made = {one.name: graph.tools[one.by] for one in request.resources if one.by in graph.tools}
    if source.name not in made or made[source.name].does != SUMS_UP:
        return source
    tables = (one.name for one in reversed(request.resources) if one.type == "table")
    return next((FromResource(one) for one in tables if one not in made or made[one].does != SUMS_UP), source)


def _source(solution: Solution, graph: ToolGraph) -> FromResource | None:
    """The table that the one step of a plan takes, where it answers from it or makes another table of it."""
    if len(solution.steps) != 1 or solution.kept:
        return None
    (step,) = solution.steps
    tool = graph.tools[step.tool]
    mains = [port for port in main_inputs(tool) if port.type == "table"]
    if len(mains) != 1 or not (answers_from_tables(tool) or [out.type for out in tool.outputs] == ["table"]):
        return None
    source = step.arguments.get(mains[0].name)
    return source if isinstance(source, FromResource) else None


def _asks_a_part(solution: Solution, text: str, graph: ToolGraph) -> bool:
    """Whether its one step answers from the table, and has been told which sentence of the request is the question."""
    (step,) = solution.steps if len(solution.steps) == 1 else (None,)
    if step is None or not answers_from_tables(graph.tools[step.tool]):
        return False
    question = step.arguments.get("question")
    return isinstance(question, str) and text.partition(question or text)[0].rstrip().endswith(_STOPS)


def _lacks_groups(solution: Solution, graph: ToolGraph) -> bool:
    """Whether rows are to be put together, and it was not said by what."""
    (step,) = solution.steps
    return any(is_grouping(port) and port.name not in step.arguments for port in graph.tools[step.tool].inputs)
