"""Which other solutions do what was asked, by what the trained judgement says of the request. Knows no wording."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.ranking.joint_selection import Reading
from desktop_app.plan.ranking.tool_judge import texts_of
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Solution

_AS_PROBABLE = 0.05
"""A tool so probable, beside the one in whose place it stands, may be what was meant."""
_IMPROBABLE = 0.002
"""Below that it is not. Between the two the texts of the tools tell: measured on 200 requests of our own."""
_ASKED = 0.6
"""What a clause asks for with so much probability is not left out."""
_UNDOES = ("de", "un")


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
