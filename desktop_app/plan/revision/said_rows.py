"""What a wish says of the rows of a table that was read: "the open ones" is a condition where a cell says open, for
whatever the words alone were taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.marked_text import is_column
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.rewiring import mapped
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import SAID, FromNode, FromResource, Given, Plan, Request, Solution, Step, ToolSpec, step_id
from nodes.api import FILTERS


def with_said_rows(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan with a step that keeps the rows which the wish is for, where no step does; instead of all steps where
    the wish says nothing else and they wait for something, or have not heard it."""
    given = [one for one in request.resources if one.rows is not None]
    given = [one for one in given if not one.earlier] or given
    tool = graph.doing(FILTERS) if len(given) == 1 else None
    if tool is None:
        return plan
    from nodes._support.tables import wished_rows  # here: only a table needs it

    said, is_all = wished_rows.found(given[0].rows, request.text)
    if not said:
        return plan
    first = plan.solutions[0] if plan.solutions else None
    source = _source(first, given[0], graph)
    alone = _alone(tool, source, said, graph)
    if first is None or (is_all and not _is_heard(first, said, graph)):
        others = tuple(one for one in plan.solutions if not one.questions and _is_heard(one, said, graph))
        return replace(plan, solutions=worded((alone, *others), graph), questions=(), causes=())
    cells = {str(cell).casefold() for row in given[0].rows.rows for cell in row if isinstance(cell, str)}
    kept = tuple(_kept(one, tool, source, said, cells, graph) for one in plan.solutions)
    return plan if kept == plan.solutions else replace(plan, solutions=worded(kept, graph))


def _source(solution: Solution | None, given: Given, graph: ToolGraph) -> str:
    """The name of the table that is worked on: of what was made of the one that was read, where the plan takes that."""
    used = [
        item.name
        for step in (solution.steps if solution is not None else ())
        for port in graph.tools[step.tool].inputs
        for item in several(step.arguments.get(port.name))
        if port.type == "table" and isinstance(item, FromResource)
    ]
    return used[0] if len({*used}) == 1 else given.name


def _alone(tool: ToolSpec, given: str, said: str, graph: ToolGraph) -> Solution:
    step = Step(step_id(tool.id, ()), tool.id, {main_inputs(tool)[0].name: FromResource(given), "condition": said})
    return Solution("", reason_for([step], (), graph), SAID, (step,), ((step.id, tool.outputs[0].name),))


def _is_heard(solution: Solution, said: str, graph: ToolGraph) -> bool:
    """Whether a step has a condition, or the words as a question, and nothing is asked."""
    told = (graph.tools[one.tool].does == FILTERS and one.arguments.get("condition") for one in solution.steps)
    asked = (_holds(str(one.arguments.get("question", "")), said) for one in solution.steps)
    return not solution.questions and (any(told) or any(asked))


def _begins(said: str, old: str) -> bool:
    """Whether the old words are among those that are said, but for an article before them."""
    words = old.split()
    return any(_holds(said, " ".join(words[first:])) for first in range(min(2, len(words))))


def _is_part(said: str, old: str, cells: Collection[str]) -> bool:
    """Whether all words and figures of the old condition are said, beside a cell: "amount > 1000" of "Berlin, over
    1000 amount"."""
    words, own = ({*re.findall(r"\w+", text.casefold())} for text in (said, old))
    return words >= own and any(word in cells for word in words - own)


def _holds(text: str, said: str) -> bool:
    return said.casefold() in text.casefold()


def _kept(
    solution: Solution, tool: ToolSpec, given: str, said: str, cells: Collection[str], graph: ToolGraph
) -> Solution:
    keeper = next((step for step in solution.steps if graph.tools[step.tool].does == FILTERS), None)
    if keeper is not None:
        old = keeper.arguments.get("condition")
        if isinstance(old, str) and not ((_begins(said, old) or _is_part(said, old, cells)) and len(old) < len(said)):
            return solution
        changed = replace(keeper, arguments={**keeper.arguments, "condition": said})
        steps = tuple(changed if step is keeper else step for step in solution.steps)
        return replace(solution, steps=steps, questions=_without(solution, keeper.id, ("condition",)))
    texts = [
        value
        for step in solution.steps
        for port in graph.tools[step.tool].inputs
        if isinstance(value := step.arguments.get(port.name), str) and not is_column(port)
    ]
    if any(_holds(text, said) for text in texts):
        return solution
    return _before(solution, tool, given, said, graph)


def _before(solution: Solution, tool: ToolSpec, given: str, said: str, graph: ToolGraph) -> Solution:
    """With the step that keeps rows between the table and all that takes it."""
    id = step_id(tool.id, solution.steps)
    source, made = FromResource(given), FromNode(id, tool.outputs[0].name)
    step = Step(id, tool.id, {main_inputs(tool)[0].name: source, "condition": said})

    def fed(each: Step) -> Step:
        names = {port.name for port in graph.tools[each.tool].inputs if port.type == "table"} & {*each.arguments}
        tables = {name: mapped(each.arguments[name], lambda item: made if item == source else item) for name in names}
        misheard = {p.name for p in graph.tools[each.tool].inputs if is_column(p)}
        misheard &= {name for name, value in each.arguments.items() if isinstance(value, str) and _holds(said, value)}
        kept = {name: value for name, value in each.arguments.items() if name not in misheard}
        return replace(each, arguments={**kept, **tables})

    steps = tuple(map(fed, solution.steps))
    return replace(solution, steps=(step, *steps)) if steps != solution.steps else solution


def _without(solution: Solution, step: str, ports: Collection[str]) -> tuple[Any, ...]:
    return tuple(one for one in solution.questions if one.step != step or one.port not in ports)
