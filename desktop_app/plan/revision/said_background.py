"""What is done to the background leaves what is in front as it is: "the background in black and white"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromNode, FromResource, Plan, PortSpec, Request, Solution, Step, ToolSpec, step_id
from nodes.api import FINDS_FRONT, INVERTS

_GROUND = "the background"


def with_said_background(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which the only step that could be told a part of the picture, and is told none, is told all but what
    is in front, where the request speaks of the background."""
    if not any(True for _ in _words().all(read_words(request.text))):
        return plan
    finder, turner = graph.doing(FINDS_FRONT), graph.doing(INVERTS)
    if finder is None or turner is None:
        return plan
    found = tuple(_told(one, finder, turner, graph) for one in plan.solutions)
    return with_ways(plan, found, graph)


@cache
def _words() -> Phrases:
    return Phrases((phrase, _GROUND) for phrase in tables().small[_GROUND])


def _told(solution: Solution, finder: ToolSpec, turner: ToolSpec, graph: ToolGraph) -> Solution:
    if len(solution.steps) != 1 or solution.kept:
        return solution
    (step,) = solution.steps
    tool = graph.tools[step.tool]
    part = next((port for port in tool.inputs if _is_part(port)), None)
    picture = next((step.arguments.get(port.name) for port in main_inputs(tool) if port.type == "image"), None)
    if part is None or part.name in step.arguments or not isinstance(picture, FromResource):
        return solution
    if [out.type for out in tool.outputs] != ["image"]:
        return solution
    front = Step(step_id(finder.id, (step,)), finder.id, {main_inputs(finder)[0].name: picture})
    mask = FromNode(front.id, finder.outputs[0].name)
    behind = Step(step_id(turner.id, (step, front)), turner.id, {main_inputs(turner)[0].name: mask})
    told = replace(step, arguments={**step.arguments, part.name: FromNode(behind.id, turner.outputs[0].name)})
    steps = (front, behind, told)
    return replace(solution, steps=steps, reason=reason_for(steps, (), graph))


def _is_part(port: PortSpec) -> bool:
    """Whether it takes the only part of a picture that is changed, and not the thing that a tool keeps."""
    return port.type == "mask" and not port.required and "only" in plain_words(port.description)
