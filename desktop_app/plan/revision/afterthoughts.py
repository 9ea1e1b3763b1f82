"""What is said of a result behind the form it is to have: "as a GIF, played backwards" is one file, and not two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.segmentation import Chunk, read
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import is_source, sources, takers
from desktop_app.plan.tools.tool_graph import PART, ToolGraph, cuts, main_inputs
from desktop_app.plan.types import FromNode, Plan, Request, Solution, Step, ToolSpec, step_id


def with_afterthoughts(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which what is said behind a form is done before a file of that form is made."""
    if not plan.solutions or not _has_afterthought(request.text):
        return plan
    return with_ways(plan, [_chained(solution, graph) for solution in plan.solutions], graph)


def _has_afterthought(text: str) -> bool:
    """Whether the last words go on about what was asked for: they name nothing that is made, and add nothing to it."""
    chunks = [chunk for chunk in read(text).chunks if chunk.tokens]
    begins = max((n for n, chunk in enumerate(chunks) if n and chunk.joint in (",", "and", "then")), default=0)
    begins = max((n for n, chunk in enumerate(chunks[: begins + 1]) if n and chunk.joint == ","), default=begins)
    return bool(begins) and not any(map(_is_of_its_own, chunks[begins:]))


def _is_of_its_own(chunk: Chunk) -> bool:
    names = any(term.kind == "type" for term in chunk.terms) or any(token.kind == "file" for token in chunk.tokens)
    return names or chunk.joint == "also" or chunk.tokens[0].word in tables().small["article"]


def _chained(solution: Solution, graph: ToolGraph) -> Solution:
    changed: Solution | None = solution
    while changed is not None:
        solution, changed = changed, _once(changed, graph)
    return solution


def _once(solution: Solution, graph: ToolGraph) -> Solution | None:
    """With one more step before the only one that makes a file of a form; None where none is beside it."""
    steps, tools = [step for step in solution.steps if step.id not in solution.kept], graph.tools
    forms = [step for step in steps if not takers(step.id, steps) and _is_form(tools[step.tool])]
    if len(forms) != 1:
        return None
    (form,) = forms
    port, made_of = _sources(form, tools)
    behind = _upstream(made_of, steps)
    for last in steps:
        beside = last is not form and not takers(last.id, steps)
        among = FromNode(last.id, tools[last.tool].outputs[0].name) in made_of  # beside what it is made of
        chain = _chain(last, steps, tools, behind if beside else made_of) if beside or among else []
        if chain and _type(last, tools) == next(p.type for p in tools[form.tool].inputs if p.name == port):
            return _before(solution, form, chain, graph)
    return None


def _chain(last: Step, steps: Sequence[Step], tools: Mapping[str, ToolSpec], behind: Sequence[Any]) -> list[Step]:
    """The steps that change a thing of one type, one after the other, up to this one, from the first that takes what
    the form is made of; [] where this one changes something else."""
    chain, step = list[Step](), last
    while True:
        _, fed = _sources(step, tools)
        if len(fed) != 1 or _type(step, tools) != _type(last, tools):
            return []
        chain.insert(0, step)
        if fed[0] in behind:
            return chain
        before = next((one for one in steps if isinstance(fed[0], FromNode) and one.id == fed[0].node), None)
        if before is None:
            return []
        step = before


def _before(solution: Solution, form: Step, chain: Sequence[Step], graph: ToolGraph) -> Solution:
    """With the chain between the form and each thing that it takes, of which a part is taken first where only one is
    wanted."""
    tools, (port, fed) = graph.tools, _sources(form, graph.tools)
    own = {FromNode(step.id, tools[step.tool].outputs[0].name) for step in chain}
    part = {name: form.arguments[name] for name in PART if name in form.arguments}
    cutter = next((tool for tool in tools.values() if cuts(tool, _type(chain[0], tools))), None) if part else None
    moved, made = list[Step](), list[FromNode]()
    for source in (one for one in fed if one not in own):
        if cutter is not None:
            id = step_id(cutter.id, (*solution.steps, *moved))
            moved.append(Step(id, cutter.id, {main_inputs(cutter)[0].name: source, **part}))
            source = FromNode(id, cutter.outputs[0].name)
        for step in chain:
            id = step.id if not made else step_id(step.tool, (*solution.steps, *moved))
            moved.append(Step(id, step.tool, {**step.arguments, _sources(step, tools)[0]: source}))
            source = FromNode(id, tools[step.tool].outputs[0].name)
        made.append(source)
    kept = {name: value for name, value in form.arguments.items() if cutter is None or name not in part}
    value = tuple(made) if isinstance(form.arguments[port], tuple) else made[0]
    moved.append(replace(form, arguments={**kept, port: value}))
    ids = {step.id for step in moved}
    steps = (*(step for step in solution.steps if step.id not in ids), *moved)
    wanted = tuple(pair for pair in solution.wanted if pair[0] != chain[-1].id)
    return replace(solution, steps=steps, wanted=wanted, reason=reason_for(steps, (), graph))


def _is_form(tool: ToolSpec) -> bool:
    """Whether it makes a file of something that is no file."""
    return [out.type for out in tool.outputs] == ["file"] and all(port.type != "file" for port in tool.inputs)


def _type(step: Step, tools: Mapping[str, ToolSpec]) -> str:
    return tools[step.tool].outputs[0].type


def _sources(step: Step, tools: Mapping[str, ToolSpec]) -> tuple[str, list[Any]]:
    """The only input that is fed, and what goes in; "" and [] where there are others, and where another type is made of
    it."""
    tool = tools[step.tool]
    fed = {name: found for name, value in step.arguments.items() if (found := [*filter(is_source, several(value))])}
    port = next((port for port in tool.inputs if port.name in fed), None)
    if port is None or len(fed) != 1 or (not _is_form(tool) and [port.type] != [out.type for out in tool.outputs]):
        return "", []
    return port.name, fed[port.name]


def _upstream(ends: Sequence[Any], steps: Sequence[Step]) -> list[Any]:
    """These sources, and all that they are made of."""
    found = [*ends]
    for one in found:
        maker = next((step for step in steps if isinstance(one, FromNode) and step.id == one.node), None)
        found += [] if maker is None else sources(maker)
    return found
