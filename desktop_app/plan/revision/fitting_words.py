"""Conditions and questions that cannot be of the table to which they are put, in the words of the wish instead: "less
than 50 points in maths" is of the column of maths, and no table has one of points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import FromResource, Plan, Request, Solution, Step
from nodes.api import NodeError, Table

_CONDITION, _QUESTION = "condition", "question"
_WORD = re.compile(r"[^\W_]+|[\u3400-\u9fff]")
_NUMBER = re.compile(r"\d+")
_MARKS = " ?!.,;¿？！。，；"
_MOST_WORDS = 30


def with_fitting_words(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan with the longest end of the wish that can be of the table that is known, for what cannot."""
    tables = {one.name: one.rows for one in request.resources if one.rows is not None}
    if not tables or not plan.solutions:
        return plan
    return with_ways(plan, [_fitted(one, request.text, tables) for one in plan.solutions], graph)


def _fitted(solution: Solution, wish: str, tables: dict[str, Table]) -> Solution:
    steps = tuple(_with_fitting(step, wish, tables) for step in solution.steps)
    return replace(solution, steps=steps) if steps != solution.steps else solution


def _with_fitting(step: Step, wish: str, tables: dict[str, Table]) -> Step:
    taken = [one.name for one in step.arguments.values() if isinstance(one, FromResource) and one.name in tables]
    for port in (_CONDITION, _QUESTION) if len(taken) == 1 else ():
        said, table = step.arguments.get(port), tables[taken[0]]
        if not isinstance(said, str) or not said or _is_of(table, port, said):
            continue
        meant = next((piece for piece in _pieces(wish, port, said) if _is_of(table, port, piece)), None)
        step = replace(step, arguments={**step.arguments, port: meant}) if meant is not None else step
    return step


def _pieces(wish: str, port: str, said: str) -> Iterator[str]:
    """The whole wish; for a condition also each end of it with all numbers of what was said."""
    numbers = {*_NUMBER.findall(said)}
    if port == _QUESTION:
        yield wish.strip()
    elif numbers:
        for start in [word.start() for word in _WORD.finditer(wish)][:_MOST_WORDS]:
            if numbers <= {*_NUMBER.findall(wish[start:])}:
                yield wish[start:].strip(_MARKS)


def _is_of(table: Table, port: str, said: str) -> bool:
    from nodes._support.tables import conditions, rows_asked  # here: only a table needs them

    try:
        if port == _QUESTION:
            return rows_asked.by_words(table, said) is not None
        conditions.fitting(table, said)
    except NodeError:
        return False
    return True
