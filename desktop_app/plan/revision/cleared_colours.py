"""A colour that is to become see-through, itself: no other background, and no thing of that colour."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.arguments.quoted_text import cleared_colour, clears_a_colour
from desktop_app.plan.ranking.explanations import worded
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Plan, Request, Solution


def with_cleared_colour(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan, whose first way makes that colour see-through where one of its ways can: "make the white transparent"
    is told from "make the background white" by that alone.
    """
    colour = cleared_colour(request.text)
    ways = [_cleared(solution, colour, graph) for solution in plan.solutions] if colour else []
    place = next((n for n, way in enumerate(ways) if way is not None), -1)
    if place < 0:
        return plan
    found, others = ways[place] or plan.solutions[place], [*plan.solutions[:place], *plan.solutions[place + 1 :]]
    if found == plan.solutions[0]:
        return plan
    first = replace(found, score=max(one.score for one in plan.solutions))
    return replace(plan, solutions=worded((first, *others), graph))


def _cleared(solution: Solution, colour: str, graph: ToolGraph) -> Solution | None:
    """The solution with the colour at the input for it; None where no tool of it has one."""
    for place, step in enumerate(solution.steps):
        port = next((port for port in graph.tools[step.tool].inputs if clears_a_colour(port)), None)
        if port is not None and step.id not in solution.kept:
            said = replace(step, arguments={port.name: colour, **step.arguments})
            return replace(solution, steps=(*solution.steps[:place], said, *solution.steps[place + 1 :]))
    return None
