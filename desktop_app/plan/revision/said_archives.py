"""Files and results that are given as one archive: "make both black and white and give me all of them as one zip"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_app.plan.arguments.said_pieces import HIDDEN, Phrases, masked, pieces_of, without
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.rewiring import Source
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import SAID, FromNode, FromResource, Given, Plan, Request, Solution, Step, ToolSpec, step_id

_WORDS = Phrases("archives")
_NEAR = 25
"""So many letters beside names before "into a zip" may say that something is put there."""


def with_archive(request: Request, planned: Callable[[Request], Plan], graph: ToolGraph) -> Plan | None:
    """The plan of what is asked for besides, as `planned`, with all that comes of it packed; of nothing else, with the
    files packed; None for a request that speaks of no archive, or of what is in one.
    """
    packer = next((tool for tool in graph.tools.values() if _takes_any(tool)), None)
    split = _split(request) if packer is not None else None
    if packer is None or split is None:
        return None
    said, rest = split
    if all(chunk.stating for chunk in read(rest.text).chunks):
        files = [FromResource(name) for name in _files(request.resources, said)]
        return Plan(worded((_packed(Solution("", "", SAID, ()), files, packer, graph),), graph)) if files else None
    plan = planned(rest)
    made = [one for one in plan.solutions if one.steps and one.wanted]
    packed = tuple(_packed(one, [FromNode(*end) for end in one.wanted], packer, graph) for one in made)
    return replace(plan, solutions=worded(packed, graph)) if packed else None


def _takes_any(tool: ToolSpec) -> bool:
    needed = main_inputs(tool)
    return len(needed) == 1 and needed[0].many and needed[0].any_kind


def _split(request: Request) -> tuple[str, Request] | None:
    """What is said of the archive, and the request without that; None where nothing is."""
    text = masked(request)
    if not _WORDS.found("nouns", text) or any(one.name.lower().endswith(".zip") for one in request.resources):
        return None
    form = rf"(?:{_WORDS.any('into')})\s*(?:\w+\s+){{0,2}}?(?:{_WORDS.any('nouns')})"
    pieces = pieces_of(
        text, form, lambda cut: not _WORDS.found("packing", text[: cut.start()].replace(HIDDEN, "")[-_NEAR:])
    )
    own = [(a, b) for a, b in pieces if _WORDS.found("nouns", text[a:b]) and not _WORDS.found("opening", text[a:b])]
    own = [(a, b) for a, b in own if _WORDS.found("packing into", text[a:b]) and not _WORDS.found("codes", text[a:b])]
    said = " ".join(request.text[a:b] for a, b in own)
    return (said, replace(request, text=without(request.text, pieces, own))) if own else None


def _files(resources: Sequence[Given], said: str) -> list[str]:
    """The files named, else those of this turn, else what was made in an earlier one, else all."""
    named = [one.name for one in resources if one.name in said]
    new = [one.name for one in resources if not one.earlier]
    return named or new or [one.name for one in resources if one.by] or [one.name for one in resources]


def _packed(solution: Solution, files: Sequence[Source], packer: ToolSpec, graph: ToolGraph) -> Solution:
    id, port = step_id(packer.id, solution.steps), main_inputs(packer)[0].name
    steps = (*solution.steps, Step(id, packer.id, {port: tuple(files)}))
    return replace(solution, steps=steps, wanted=((id, packer.outputs[0].name),), reason=reason_for(steps, (), graph))
