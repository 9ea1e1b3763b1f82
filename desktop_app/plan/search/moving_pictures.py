"""An animated GIF counts as a film: here it is called so by its name, and what is made of it is a GIF again.

Where another form is asked for, a step that makes such a file ends the plan, and nothing is added. An animated WebP is
asked for as a GIF is, and is another form of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from desktop_app.core.values import several
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution, Step, ToolSpec, step_id

ANIMATED = _FORM, _WEBP = "gif", "webp"
_FILM = "video"
_THIS = re.compile(
    r"\b(?:the|this|that|my|das|dieses|mein|dem|ce|le|mon|este|el|mi)\s+(?:animated |animierte |animiertes )?gif\b"
    r"|[这那][个张段]?(?:动图|gif)",
    re.I,
)


_OTHER = re.compile(r"(?<![\w.])\.?webps?(?!\w)|(?<=[^\x00-\x7f])\.?webp(?![a-z])", re.I)
_MOVES = re.compile(r"(?<!\w)(?:animat|animier|animé|animad)\w*|动[图态画]|动起来", re.I)


def said_as_gif(request: Request) -> Request:
    """The request with "gif" for "webp" where that is to move: of a film, or said to be animated."""
    is_film = any(one.type == _FILM for one in request.resources) or _MOVES.search(request.text)
    text = _OTHER.sub("GIF", request.text) if is_film else request.text
    return replace(request, text=text) if text != request.text else request


def with_other_form(plan: Plan, graph: ToolGraph) -> Plan:
    """The plan of a request in which GIFs stand for animated WebP files."""

    def changed(step: Step) -> Step:
        form = next((port for port in graph.tools[step.tool].inputs if port.choices == ANIMATED), None)
        return step if form is None else replace(step, arguments={**step.arguments, form.name: _WEBP})

    def told(solution: Solution) -> Solution:
        return replace(solution, steps=tuple(s if s.id in solution.kept else changed(s) for s in solution.steps))

    return replace(plan, solutions=tuple(map(told, plan.solutions)))


def named_by_form(request: Request) -> Request:
    """The request with the name of its only moving GIF for "this gif": the word asks for no form then."""
    names = [one.name for one in request.resources if _is_moving(one.name, one.type)]
    if len(names) != 1 or names[0].lower() in request.text.lower():
        return request
    return replace(request, text=_THIS.sub(lambda _: names[0], request.text, count=1))


def with_form_kept(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan, whose films made of a moving GIF go into such a file."""
    moving = {one.name for one in request.resources if _is_moving(one.name, one.type)}
    maker = next(filter(_makes_them, graph.tools.values()), None) if moving else None
    if maker is None or not plan.solutions:
        return plan
    kept = tuple(_kept(solution, moving, maker, graph) for solution in plan.solutions)
    return replace(plan, solutions=worded(kept, graph) if kept != plan.solutions else kept)


def _is_moving(name: str, type: str) -> bool:
    return type == _FILM and PurePath(name).suffix.lower() == f".{_FORM}"


def _makes_them(tool: ToolSpec) -> bool:
    takes, makes = [port.type for port in main_inputs(tool)], [port.type for port in tool.outputs]
    return (takes, makes) == ([_FILM], ["file"]) and _FORM in plain_words(tool.title)


def _kept(solution: Solution, moving: set[str], maker: ToolSpec, graph: ToolGraph) -> Solution:
    steps, wanted = list(solution.steps), []
    by_id = {step.id: step for step in steps}
    for id, output in solution.wanted:
        step = by_id.get(id)
        if step is None or not _is_made_of(step, output, moving, by_id, graph.tools):
            wanted.append((id, output))
            continue
        new = step_id(maker.id, steps)
        steps.append(Step(new, maker.id, {main_inputs(maker)[0].name: FromNode(id, output)}))
        wanted.append((new, maker.outputs[0].name))
    if len(steps) == len(solution.steps):
        return solution
    return replace(solution, steps=tuple(steps), wanted=tuple(wanted), reason=reason_for(steps, (), graph))


def _is_made_of(
    step: Step, output: str, moving: set[str], steps: Mapping[str, Step], tools: Mapping[str, ToolSpec]
) -> bool:
    """True for a film without sound that rests on moving GIFs only, and has no form of its own."""
    tool = tools[step.tool]
    is_film = any(port.name == output and port.type == _FILM for port in tool.outputs)
    sounds = any(port.type == "audio" and step.arguments.get(port.name) is not None for port in tool.inputs)
    if not is_film or sounds or any(port.name == "format" for port in tool.inputs):
        return False
    sources = [
        one for port in tool.inputs if port.type == _FILM for one in several(step.arguments.get(port.name)) if one
    ]
    return bool(sources) and all(
        one.name in moving
        if isinstance(one, FromResource)
        else isinstance(one, FromNode) and _is_made_of(steps[one.node], one.port, moving, steps, tools)
        for one in sources
    )
