"""Each of several pictures gets a word of its own before anything else is done to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.language.own_words import OwnWords
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.rewiring import rewired, taken
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromNode, FromResource, Plan, Solution, Step, ToolSpec, step_id

_SURE = 0.9
_WORDS, _PLACE = "text", "position"


def labeller_of(graph: ToolGraph) -> ToolSpec | None:
    """The tool that writes on a picture; None where there is none."""
    return next((tool for tool in graph.tools.values() if _writes(tool)), None)


def with_own_words(plan: Plan | None, own: OwnWords, text: str, tool: ToolSpec, graph: ToolGraph) -> Plan:
    """The plan of the rest of a request (None where nothing is left of it), which works on the pictures with the words;
    `text` is the whole request."""
    solutions = plan.solutions if plan is not None else (Solution("", "", _SURE, ()),)
    clause = Clause(text, (own.said,))
    more = fill(tool, [port for port in tool.inputs if port.name not in (_WORDS, "image")], clause).values
    found = tuple(_labelled(one, own, more, tool, graph) for one in solutions)
    return replace(plan or Plan(()), solutions=worded(found, graph))


def _labelled(solution: Solution, own: OwnWords, more: dict[str, Any], tool: ToolSpec, graph: ToolGraph) -> Solution:
    picture, out, made = main_inputs(tool)[0].name, tool.outputs[0].name, list[Step]()
    for name, word in own.words:
        id = step_id(tool.id, (*solution.steps, *made))
        made.append(Step(id, tool.id, {picture: FromResource(name), _WORDS: word, **more}))
    by_name = {name: FromNode(step.id, out) for (name, _), step in zip(own.words, made, strict=True)}

    def labelled(item: Any) -> Any:
        return by_name.get(item.name, item) if isinstance(item, FromResource) else item

    steps = (*made, *(rewired(step, labelled) for step in solution.steps))
    wanted = tuple((id, out) for id in (step.id for step in made) if id not in taken(steps))
    return replace(solution, steps=steps, wanted=(*wanted, *solution.wanted), reason=reason_for(steps, (), graph))


def _writes(tool: ToolSpec) -> bool:
    takes = [(port.name, port.type) for port in main_inputs(tool)]
    makes = [(out.type, out.many) for out in tool.outputs]
    is_of_one = makes == [("image", False)] and takes == [("image", "image"), (_WORDS, "text")]
    return is_of_one and any(port.name == _PLACE for port in tool.inputs)
