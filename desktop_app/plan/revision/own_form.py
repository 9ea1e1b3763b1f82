"""A file that has a form already is not made into it: pages of it "as their own pdf" are what is asked for, where the
request names pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.page_list import pages
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import ends_at, is_source, taken_out
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import SAID, WEAK, FromNode, FromResource, Plan, Request, Solution, Step, ToolSpec
from nodes.api import TAKES_PAGES

_FORMAT, _PAGES = "format", "pages"


def with_own_form(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan without steps that make a file into the form that it has, in which pages that the request names are
    kept where nothing else was heard of them."""
    said = _pages_said(request, graph)
    found = tuple(_without_own_form(_with_pages(one, said, graph), said, graph) for one in plan.solutions)
    if found == plan.solutions:
        return plan
    is_other = found[0] is not plan.solutions[0]
    questions = tuple(one for one in plan.questions if not (is_other and one.kind == "confirm"))
    return replace(with_ways(plan, found, graph), questions=questions)


def _pages_said(request: Request, graph: ToolGraph) -> str:
    """The pages that the request names, "" for none."""
    keeper = graph.doing(TAKES_PAGES)
    port = next((port for port in keeper.inputs if port.name == _PAGES), None) if keeper is not None else None
    said = pages(port, Clause.of(request.text)) if port is not None else None
    return said.value if said is not None and isinstance(said.value, str) else ""


def _with_pages(solution: Solution, said: str, graph: ToolGraph) -> Solution:
    """With the pages in a step that waits for some."""
    keeper = graph.doing(TAKES_PAGES)
    waiting = [one for one in solution.steps if keeper and one.tool == keeper.id and _PAGES not in one.arguments]
    if not said or not waiting:
        return solution
    steps = tuple(
        replace(one, arguments={**one.arguments, _PAGES: said}) if one in waiting else one for one in solution.steps
    )
    ids = {one.id for one in waiting}
    questions = tuple(one for one in solution.questions if one.step not in ids or one.port != _PAGES)
    return replace(solution, steps=steps, questions=questions)


def _without_own_form(solution: Solution, said: str, graph: ToolGraph) -> Solution:
    found = solution
    for step in solution.steps:
        source = _own_form(step, found, graph)
        if source is None or step.id in solution.kept:
            continue
        keeper = graph.doing(TAKES_PAGES) if isinstance(source, FromResource) and said else None
        if keeper is not None and all(one.tool != keeper.id for one in found.steps):
            found = _instead(found, step, Step(step.id, keeper.id, {"file": source, _PAGES: said}), keeper)
        elif isinstance(source, FromNode):
            found = _left_out(found, step, source)
    if found is solution:
        return solution
    return replace(found, score=max(found.score, WEAK), reason=reason_for(found.steps, (), graph))


def _own_form(step: Step, solution: Solution, graph: ToolGraph) -> FromNode | FromResource | None:
    """What a step converts, where it has that form already; else None."""
    tool = graph.tools[step.tool]
    source = _source(step, tool)
    port = next((port for port in tool.inputs if port.name == _FORMAT and port.choices), None)
    if source is None or port is None or {*step.arguments} - {_FORMAT, *(one.name for one in main_inputs(tool))}:
        return None
    return source if step.arguments.get(_FORMAT, port.default) == _form(source, solution, graph) else None


def _source(step: Step, tool: ToolSpec) -> FromNode | FromResource | None:
    """The one file that a step makes another file of."""
    mains = main_inputs(tool)
    if [port.type for port in mains if port.type == "file"] != ["file"] or [o.type for o in tool.outputs] != ["file"]:
        return None
    fed = several(step.arguments.get(next(port.name for port in mains if port.type == "file")))
    return fed[0] if len(fed) == 1 and is_source(fed[0]) else None


def _form(source: Any, solution: Solution, graph: ToolGraph) -> str:
    """The form of a file, which tools that have none to choose leave as it is; "" where it is not known."""
    if isinstance(source, FromResource):
        return PurePath(source.name).suffix.lower().removeprefix(".")
    step = next(one for one in solution.steps if one.id == source.node)
    tool = graph.tools[step.tool]
    port = next((port for port in tool.inputs if port.name == _FORMAT), None)
    if port is not None:
        return str(step.arguments.get(_FORMAT, port.default))
    before = _source(step, tool)
    return _form(before, solution, graph) if before is not None else ""


def _left_out(solution: Solution, step: Step, source: FromNode) -> Solution:
    return replace(taken_out(solution, {step.id: source}), questions=_without_doubt(solution, step))


def _instead(solution: Solution, step: Step, new: Step, keeper: ToolSpec) -> Solution:
    steps = tuple(new if one.id == step.id else one for one in solution.steps)
    wanted = ends_at(solution.wanted, {step.id: FromNode(step.id, keeper.outputs[0].name)})
    solution = replace(solution, score=max(solution.score, SAID if len(steps) == 1 else WEAK))
    return replace(solution, steps=steps, wanted=wanted, questions=_without_doubt(solution, step))


def _without_doubt(solution: Solution, step: Step) -> tuple[Any, ...]:
    """The questions but for those of the step, and doubts about what was made of the words."""
    return tuple(one for one in solution.questions if one.kind != "confirm" and one.step != step.id)
