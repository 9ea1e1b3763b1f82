"""Two changes of one kind that are said of one thing: "brighter and more colourful" is one picture, and both of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from desktop_app.plan.arguments.choices import choice
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import ends_at, is_fed, put_in_place, taken
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import FromNode, Plan, PortSpec, Request, Solution, Step, ToolSpec, step_id

_MEDIA = ("image", "audio", "video")
_MOST = 3
_BETWEEN = 3
"""At most so many words and commas stand between two of them ("and a bit more"): further apart they are no list."""
_WORDS = re.compile(r"[a-z ]+")


def with_said_changes(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which a tool that makes one of the changes stands once for each, one after the other; not where
    versions are asked for.
    """
    if not plan.solutions or any(True for _ in _versions().all(read_words(request.text))):
        return plan
    found = tuple(_changed(solution, request.text, graph) for solution in plan.solutions)
    return with_ways(plan, found, graph)


@cache
def _versions() -> Phrases:
    return Phrases((phrase, phrase) for phrase in tables().small["versions"])


def _changed(solution: Solution, text: str, graph: ToolGraph) -> Solution:
    own = [step for step in solution.steps if step.id not in solution.kept]
    for step in own:
        port = _kind_of_change(graph.tools[step.tool])
        twins = [one for one in own if one.tool == step.tool]
        if port is None or len({step.arguments.get(_main(graph.tools[step.tool])) for step in twins}) > 1:
            continue
        said = [*_said(port, graph.tools[step.tool], text)]
        if len(said) > 1 and (len(twins) == 1 or _stand_apart(twins, solution)):
            return _in_a_row(solution, twins, port, said, graph)
    return solution


def _main(tool: ToolSpec) -> str:
    return main_inputs(tool)[0].name


def _kind_of_change(tool: ToolSpec) -> PortSpec | None:
    """The input that says in words what becomes of a sound, picture or film; None where several do, or none."""
    mains, chosen = main_inputs(tool), [port for port in tool.inputs if port.choices]
    same = [port.type for port in mains] == [port.type for port in tool.outputs] and mains[0].type in _MEDIA
    is_one = same and not mains[0].many and len(chosen) == 1 and all(map(_WORDS.fullmatch, chosen[0].choices))
    return chosen[0] if is_one else None


def _said(port: PortSpec, tool: ToolSpec, text: str) -> Iterator[Any]:
    """What the words choose in one enumeration, in their order; each of these once."""
    clause, taken, found = Clause.of(text), frozenset[int](), dict[Any, Collection[int]]()
    while len(found) < _MOST and (one := choice(port, tool, clause, taken)) is not None:
        found.setdefault(one.value, one.places)
        taken |= one.places
    ordered = sorted(found, key=lambda value: min(found[value]))
    if all(min(found[after]) - max(found[before]) <= _BETWEEN + 1 for before, after in pairwise(ordered)):
        yield from ordered


def _stand_apart(twins: Sequence[Step], solution: Solution) -> bool:
    return not {step.id for step in twins} & taken(solution.steps)


def _is_told(step: Step) -> bool:
    return not all(map(is_fed, step.arguments.values()))


def _in_a_row(
    solution: Solution, twins: Sequence[Step], port: PortSpec, said: Sequence[Any], graph: ToolGraph
) -> Solution:
    """With the steps that are there, as far as they say what they change, and one more for each other change."""
    tool, first = graph.tools[twins[0].tool], twins[0]
    out, bare = tool.outputs[0].name, {name: held for name, held in first.arguments.items() if is_fed(held)}
    own = [step if _is_told(step) else replace(step, arguments={**step.arguments, port.name: value})
           for step, value in zip(twins, said, strict=False)]  # fmt: skip
    there_is = {step.arguments.get(port.name, value) for step, value in zip(own, said, strict=False)}
    for value in said:
        if value not in there_is:
            own.append(Step(step_id(tool.id, (*solution.steps, *own)), tool.id, {**bare, port.name: value}))
    if all(port.name in step.arguments for step in own):
        own.sort(key=lambda step: said.index(step.arguments[port.name]) if step.arguments[port.name] in said else -1)
    main = _main(tool)
    picture = {main: first.arguments[main]} if main in first.arguments else {}  # none where it is asked for
    made = [replace(own[0], arguments={**own[0].arguments, **picture})]
    for step in own[1:]:
        made.append(replace(step, arguments={**step.arguments, main: FromNode(made[-1].id, out)}))
    gone, last = {step.id for step in twins if step is not first}, FromNode(made[-1].id, out)
    steps = put_in_place([step for step in solution.steps if step.id not in gone], first, made, last)
    wanted = ends_at((pair for pair in solution.wanted if pair[0] not in gone), {first.id: last})
    fed = {(step.id, main) for step in made[1:]}
    asked = (replace(one, step=made[0].id) if (one.step, one.port) == (first.id, main) else one
             for one in solution.questions)  # fmt: skip
    questions = tuple(one for one in asked if (one.step, one.port) not in fed)
    return replace(
        solution, steps=tuple(steps), wanted=wanted, questions=questions, reason=reason_for(steps, (), graph)
    )
