"""A file that may not be larger than is said ("a jpg smaller than 200 kB"): kept to by a step, or refused.

Every plan keeps to a size that was asked for: where no tool that was chosen is told it, one that can be told it comes
last, and where there is none the request is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from desktop_app.core.values import unused_name
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.quantities import Quantity, quantities
from desktop_app.plan.arguments.quantity_evidence import size_of_unit, unit_of
from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.types import FromNode, PortSpec, Solution, Step, ToolSpec
from nodes.phrase import Phrase

UNIT = "kB"
_FORM = "format"
_BEFORE, _BEHIND = 5, 3
"""So many words from the size its limit may be said: "smaller than a mere 200 kB", "200 kB at most"."""


@lru_cache(maxsize=256)
def limit(text: str) -> Quantity | None:
    """The size, in kB, that a file may have at most; None where a size is only told ("my 5 MB photo")."""
    words, limits = read_words(text), tables().limits
    for quantity in quantities(text):
        near = limits.all(words[max(0, quantity.first - _BEFORE) : quantity.last + 1 + _BEHIND])
        first = quantity.first - (limits.at(words, quantity.first - 1) == ("about", 1))
        aimed_at = limits.before(words, first)
        if quantity.unit == UNIT and (aimed_at or any(meaning == "most" for meaning, _, _ in near)):
            return quantity
    return None


def is_form(tool: ToolSpec, text: str) -> bool:
    """Whether a form is said that something shall be turned into ("to mp3"), and the tool can be told it."""
    forms = tuple(choice for port in tool.inputs if port.name == _FORM for choice in port.choices)
    return bool(forms) and _says_one(forms, text)


@lru_cache(maxsize=256)
def _says_one(forms: tuple[str, ...], text: str) -> bool:
    """Many tools make files of the same forms."""
    words, limits = read_words(text), tables().limits
    return any(limits.before(words, first) for _, first, _ in Phrases((one, one) for one in forms).all(words))


def kept_to(solution: Solution, text: str, graph: ToolGraph) -> Solution | None:
    """The solution, with a step that makes a file of the size that was asked for; None when no tool can."""
    size = limit(text)
    if size is None or any(_sized(step, graph.tools) for step in solution.steps):
        return solution
    told = _told(solution, size, graph.tools)
    if told is not None:
        return told
    for tool in graph.tools.values():
        port = size_port(tool)
        last = _last(solution, tool, graph) if port is not None else None
        if port is None or last is None:
            continue
        into = next(port for port in main_inputs(tool) if port.required)
        said = fill(tool, [port for port in tool.inputs if not port.required], Clause.of(text)).values
        id = unused_name(tool.id, {step.id for step in solution.steps}.__contains__)
        step = Step(id, tool.id, {into.name: FromNode(*last), **said, port.name: _value(port, size)})
        wanted = tuple((id, tool.outputs[0].name) if pair == last else pair for pair in solution.wanted)
        steps = (*solution.steps, step)
        return replace(solution, steps=steps, wanted=wanted, reason=reason_for(steps, (), graph))
    return None


def refusal(text: str) -> str:
    """Why there is no plan, where a size was asked for that no tool keeps to."""
    size = limit(text)
    assert size is not None
    words = f"{size.value / 1000:g} MB" if size.value >= 1000 else f"{size.value:g} kB"
    return Phrase("No tool here makes a file of at most {size} of that.", size=words)


def size_port(tool: ToolSpec) -> PortSpec | None:
    """By which a tool is told the size of the file that it makes."""
    return next((port for port in tool.inputs if port.type == "number" and unit_of(port) == UNIT), None)


def _told(solution: Solution, size: Quantity, tools: Mapping[str, ToolSpec]) -> Solution | None:
    """The solution with the size at the step that makes a wanted file and can be told it; None without such a step."""
    wanted = {id for id, _ in solution.wanted}
    for step in solution.steps:
        port = size_port(tools[step.tool])
        if port is not None and step.id in wanted:
            told = replace(step, arguments={**step.arguments, port.name: _value(port, size)})
            return replace(solution, steps=tuple(told if one is step else one for one in solution.steps))
    return None


def _value(port: PortSpec, size: Quantity) -> float:
    """The size in the unit of the port, a whole number where it is one."""
    value = size.value / size_of_unit(port)
    return int(value) if value.is_integer() else value


def _sized(step: Step, tools: Mapping[str, ToolSpec]) -> bool:
    port = size_port(tools[step.tool])
    return port is not None and step.arguments.get(port.name) is not None


def _last(solution: Solution, tool: ToolSpec, graph: ToolGraph) -> tuple[str, str] | None:
    """The wanted result that the tool takes; the only one, else it is not known which is meant."""
    types = {(s.id, port.name): port.type for s in solution.steps for port in graph.tools[s.tool].outputs}
    needed = [port.type for port in main_inputs(tool) if port.required]
    able = [pair for pair in solution.wanted if len(needed) == 1 and fits(types.get(pair, ""), needed[0])]
    return able[0] if len(able) == 1 else None
