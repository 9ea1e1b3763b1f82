"""A picture *every* so many seconds: many of them, and not the one at that time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.arguments.quantity_evidence import unit_of
from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import taken
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import Plan, Request, Solution, Step, ToolSpec

_EVERY = "every"


def with_said_intervals(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan, in which a result at one time is those at every such time, where the request says so and a tool makes
    them."""
    seconds = _said(request.text)
    if not seconds:
        return plan
    found = tuple(_repeated(solution, seconds, graph) for solution in plan.solutions)
    return with_ways(plan, found, graph)


def _said(text: str) -> set[float]:
    """The times that stand behind "every"."""
    ends = {last + 1 for _, _, last in _words().all(read_words(text))}
    return {quantity.value for quantity in quantities(text) if quantity.unit == "s" and quantity.first in ends}


@cache
def _words() -> Phrases:
    return Phrases((phrase, _EVERY) for phrase in tables().names[_EVERY])


def _repeated(solution: Solution, seconds: set[float], graph: ToolGraph) -> Solution:
    steps, wanted = list(solution.steps), list(solution.wanted)
    for place, step in enumerate(solution.steps):
        tool = graph.tools[step.tool]
        at = {
            port.name: port for port in tool.inputs if unit_of(port) == "s" and step.arguments.get(port.name) in seconds
        }
        other = _many_of(tool, graph) if at and _EVERY not in at else None
        if other is None or step.id in taken(solution.steps) | solution.kept:
            continue
        mains = {port.name: step.arguments[port.name] for port in main_inputs(other) if port.name in step.arguments}
        value = next(step.arguments[name] for name in at)
        steps[place] = Step(step.id, other.id, {**mains, _EVERY: value})
        wanted = [(id, other.outputs[0].name if id == step.id else port) for id, port in wanted]
    if steps == list(solution.steps):
        return solution
    return replace(solution, steps=tuple(steps), wanted=tuple(wanted), reason=reason_for(steps, (), graph))


def _many_of(tool: ToolSpec, graph: ToolGraph) -> ToolSpec | None:
    """The tool that makes many of what this one makes one of, out of the same, every so often."""
    takes, makes = [port.name for port in main_inputs(tool) if port.type != "number"], tool.outputs[0]
    for other in graph.tools.values():
        ports = {port.name for port in other.inputs}
        alike = [port.name for port in main_inputs(other)] == takes and other.outputs[0].type == makes.type
        if alike and _EVERY in ports and other.outputs[0].many and not makes.many:
            return other
    return None
