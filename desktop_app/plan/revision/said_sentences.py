"""The number of sentences that a request wants, at the step that writes them."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.arguments.sentence_count import PORT, said_sentences
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Plan, Request, Solution


def with_said_sentences(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan, whose only step for so many sentences is told how many where the request says it: the words may stand
    in a part of it that went to no step.
    """
    count = said_sentences(request.text)
    if count is None:
        return plan
    told = tuple(_told(solution, count, graph) for solution in plan.solutions)
    return plan if told == plan.solutions else replace(plan, solutions=told)


def _told(solution: Solution, count: int, graph: ToolGraph) -> Solution:
    takers = [step for step in solution.steps if any(port.name == PORT for port in graph.tools[step.tool].inputs)]
    if len(takers) != 1 or takers[0].id in solution.kept or PORT in takers[0].arguments:
        return solution
    steps = tuple(
        replace(step, arguments={**step.arguments, PORT: count}) if step is takers[0] else step
        for step in solution.steps
    )
    return replace(solution, steps=steps)
