"""What draws boxes, told to draw them round where the request spoke of circles."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Plan, Solution, Step

_SHAPE, _ROUND = "shape", "circle"
_LABEL, _NONE = "label", "none"


def with_circles(plan: Plan, graph: ToolGraph) -> Plan:
    """The plan of a request in which boxes stand for circles (`plan/language/circled_things.py`); nothing is written on
    them unless that is said.
    """

    def told(step: Step) -> Step:
        inputs = graph.tools[step.tool].inputs
        choices = {port.name: port.choices for port in inputs}
        if not any(port.type == "boxes" for port in inputs) or _ROUND not in choices.get(_SHAPE, ()):
            return step
        bare = {_LABEL: _NONE} if _NONE in choices.get(_LABEL, ()) else {}
        return replace(step, arguments={**bare, **step.arguments, _SHAPE: _ROUND})

    def rounded(solution: Solution) -> Solution:
        return replace(solution, steps=tuple(one if one.id in solution.kept else told(one) for one in solution.steps))

    return replace(plan, solutions=tuple(map(rounded, plan.solutions)))
