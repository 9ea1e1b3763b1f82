"""An operation that another step does by inputs of its own: "put the song under the film *and fade it out*"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import takers
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromNode, Plan, PortSpec, Solution, Step, ToolSpec
from nodes.phrase import joined, parts


def with_own_settings(plan: Plan, graph: ToolGraph) -> Plan:
    """The plan, without steps whose whole work on a file is an input of another step that takes the same file, or what
    they make of it: that one gets their values, else its result would go without, or lose what they did.

    A tool's work is an input of another where all that can be set of it bears its name there too: `fade_in`, `fade_out`
    of the tool `fade`.
    """
    return with_ways(plan, [_taken_over(solution, graph) for solution in plan.solutions], graph)


def _taken_over(solution: Solution, graph: ToolGraph) -> Solution:
    steps, tools = list(solution.steps), graph.tools
    for step in solution.steps:
        settings, source = _settings(tools[step.tool]), _source(step, tools[step.tool])
        if not settings or source is None or step.id in solution.kept:
            continue
        step = next(one for one in steps if one.id == step.id)
        others = [one for one in steps if one.id not in (step.id, *solution.kept)]
        taker = next((one for one in others if _port_of(one, step, settings, source, tools)), None)
        if taker is None or any(one is not taker for one in takers(step.id, others)):
            continue
        port = _port_of(taker, step, settings, source, tools)
        values = _values(step, settings, taker, tools[taker.tool])
        steps[steps.index(taker)] = replace(taker, arguments={**taker.arguments, port: source, **values})
        steps.remove(step)
    if len(steps) == len(solution.steps):
        return solution
    there = {step.id for step in steps}
    wanted = tuple(pair for pair in solution.wanted if pair[0] in there)
    questions = tuple(question for question in solution.questions if not question.step or question.step in there)
    reason = joined(reason_for(steps, (), graph), *parts(solution.reason)[1:])
    return replace(solution, steps=tuple(steps), wanted=wanted, questions=questions, reason=reason)


def _settings(tool: ToolSpec) -> list[PortSpec]:
    """What can be set of the tool, where all of it bears the tool's name."""
    settings = [port for port in tool.inputs if not port.required]
    return settings if all(port.name.startswith(f"{tool.id}_") for port in settings) else []


def _source(step: Step, tool: ToolSpec) -> Any:
    """What the step works on, and makes another of; None where that is not one thing."""
    mains = main_inputs(tool)
    if len(mains) != 1 or [port.type for port in tool.outputs] != [mains[0].type]:
        return None
    source = step.arguments.get(mains[0].name)
    return source if source is not None and len(several(source)) == 1 else None


def _port_of(taker: Step, step: Step, settings: Sequence[PortSpec], source: Any, tools: Mapping[str, ToolSpec]) -> str:
    """The input at which another step takes the same thing, or what is made of it, and does what can be set; "" where
    there is none."""
    inputs = tools[taker.tool].inputs
    own = {(port.name, port.type) for port in inputs}
    if not all((port.name, port.type) in own for port in settings):
        return ""
    made = FromNode(step.id, tools[step.tool].outputs[0].name)
    taken = (port.name for port in inputs if not port.many and taker.arguments.get(port.name) in (source, made))
    return next(taken, "")


def _values(step: Step, settings: Sequence[PortSpec], taker: Step, tool: ToolSpec) -> dict[str, Any]:
    """What was said for the step; where nothing was, all that it does by itself."""
    said = {port.name: step.arguments[port.name] for port in settings if port.name in step.arguments}
    usual = {port.name: port.usual for port in settings}
    there = {port.name: port.usual for port in tool.inputs}
    if not said and not any(port.name in taker.arguments for port in settings):
        said = usual
    as_there = {name: taker.arguments.get(name, there[name]) for name in said}
    return {name: as_there[name] if value == usual[name] else value for name, value in said.items()}
