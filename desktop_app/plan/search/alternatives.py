"""Which other solutions are worth showing: sound ones that differ in kind, and do what was asked by what the trained
judgement says of the request. Knows no wording.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.ranking.joint_selection import Reading
from desktop_app.plan.ranking.tool_judge import texts_of
from desktop_app.plan.tools.rewiring import files
from desktop_app.plan.tools.tool_graph import SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import READY, Solution

_AS_PROBABLE = 0.05
"""A tool so probable, beside the one in whose place it stands, may be what was meant."""
_IMPROBABLE = 0.002
"""Below that it is not. Between the two the texts of the tools tell: measured on 200 requests of our own."""
_ASKED = 0.6
"""What a clause asks for with so much probability is not left out."""
_UNDOES = ("de", "un")

_LONGER = 2
"""So many steps more than the first solution may an alternative have."""

_OF_ONE_KIND = 2
"""Solutions of one kind that are shown; a third "other filter" helps nobody."""


def fulfilling(found: Sequence[Solution], reading: Reading, text: str, graph: ToolGraph) -> tuple[Solution, ...]:
    """The first solution, and those of the others whose tools stand for what the `text` asks for."""
    return tuple(one for one in found if one is found[0] or _fulfils(one, found[0], reading, text, graph))


def _fulfils(solution: Solution, first: Solution, reading: Reading, text: str, graph: ToolGraph) -> bool:
    tools, before = ({step.tool for step in one.steps} for one in (solution, first))
    new, gone = tools - before, before - tools
    if not new:
        return not any(clause.tool in gone and clause.probability >= _ASKED for clause in reading.clauses)
    if not gone:
        return True
    if any(_undoes(one, other) for one in new for other in gone):
        return False
    share = min(map(reading.support, new)) / max(1e-9, *map(reading.support, gone))
    return share >= _AS_PROBABLE or (share >= _IMPROBABLE and _nearest(text, new, graph) >= _nearest(text, gone, graph))


def _undoes(one: str, other: str) -> bool:
    return any(one == f"{prefix}{other}" or other == f"{prefix}{one}" for prefix in _UNDOES)


def _nearest(text: str, tools: Collection[str], graph: ToolGraph) -> float:
    """How like the text (cosine) the nearest text of these tools is; 0 without the encoder."""
    encoder = sentence_encoder()
    if not encoder.is_ready():
        return 0.0
    vector = encoder.encode([text])[0]
    return max(float((encoder.encode(texts_of(graph.tools[tool])) @ vector).max()) for tool in tools)


def is_sound(solution: Solution, first: Solution, graph: ToolGraph) -> bool:
    """False for a variant that leaves out a file, asks for more, goes a long way round, or ends in something else."""
    if len(solution.steps) > len(first.steps) + _LONGER or not _named(first) <= _named(solution):
        return False
    if _asked(solution) > _asked(first):
        return False
    ends, wanted = list(_ends(solution, graph)), list(_ends(first, graph))
    return not wanted or any(fits(end, want) or fits(want, end) for end in ends for want in wanted)


def of_several_kinds(found: Sequence[Solution], graph: ToolGraph) -> list[Solution]:
    """The first solution, and of the others, best first, no two with the same tools and few of one kind."""
    kept = [found[0]]
    for solution in sorted(found[1:], key=lambda s: -s.score):
        kinds = [_kind(other, graph) for other in kept]
        same = any({step.tool for step in other.steps} == {step.tool for step in solution.steps} for other in kept)
        if not same and kinds.count(_kind(solution, graph)) < _OF_ONE_KIND:
            kept.append(solution)
    return kept


def _kind(solution: Solution, graph: ToolGraph) -> tuple[object, ...]:
    """What goes in and comes out at each step, whether the user has to show or draw something, and whether a tool
    runs only with a model that is not here.
    """
    tools = [graph.tools[step.tool] for step in solution.steps]
    shapes = {
        (
            tuple(sorted(port.type for port in main_inputs(tool) if port.type not in SETTINGS)),
            tuple(sorted(port.type for port in tool.outputs)),
        )
        for tool in tools
    }
    shown = frozenset(question.kind for question in solution.questions)
    return frozenset(shapes), shown, any(tool.quality < READY for tool in tools)


def _named(solution: Solution) -> set[str]:
    return {item.name for step in solution.steps for item in files(step)}


def _asked(solution: Solution) -> int:
    """How often the user has to write or attach something; to point at something is little trouble."""
    return sum(question.kind in ("text", "file") for question in solution.questions)


def _ends(solution: Solution, graph: ToolGraph) -> Iterable[str]:
    tools = {step.id: graph.tools[step.tool] for step in solution.steps}
    return (port.type for id, name in solution.wanted for port in tools[id].outputs if port.name == name)
