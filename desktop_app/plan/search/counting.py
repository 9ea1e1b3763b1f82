"""What is counted: kinds of things are detected and never counted as blobs, in whatever language they are named."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.language.segmentation import language_of, stretch
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import ToolSpec

_PLAIN = ("things", "blobs", "dots", "spots", "pieces", "buttons", "beads", "seeds", "pills")
"""Beside the words of the tool that counts blobs: what may be anything."""
_ALIKE = 0.6
"""So like one of these (cosine) is the name of a blob: "Münzen" 0.87, "Zellen" 0.93; "Tassen" 0.49, "Schafe" 0.48."""


def with_kinds(reading: Reading, text: str, graph: ToolGraph) -> Reading:
    """The reading in which kinds of things are detected before they are counted; the same object where there are none.

    Where the detector is not here it is offered, which counting blobs never did: one cup has eight patches.
    """
    if not any(_counts_blobs(graph.tools.get(one.tool)) for one in reading.clauses):
        return reading
    counter = next((tool for tool in graph.tools.values() if _counts_boxes(tool)), None)
    detector = next((tool for tool in graph.tools.values() if _detects_kinds(tool)), None)
    if counter is None or detector is None or not sentence_encoder().is_ready():
        return reading
    clauses = tuple(
        _detected(one, counter.id, detector.id)
        if _counts_blobs(tool := graph.tools.get(one.tool)) and tool and _names_a_kind(text[one.start : one.end], tool)
        else one
        for one in reading.clauses
    )
    return replace(reading, clauses=clauses) if clauses != reading.clauses else reading


def _counts_blobs(tool: ToolSpec | None) -> bool:
    return tool is not None and [port.type for port in tool.outputs] == ["number", "boxes"]


def _counts_boxes(tool: ToolSpec) -> bool:
    needed = [port.type for port in tool.inputs if port.required]
    return needed == ["boxes"] and [port.type for port in tool.outputs] == ["number"]


def _detects_kinds(tool: ToolSpec) -> bool:
    """Looks for many kinds of things in a picture, each as sure as is wanted."""
    return [port.type for port in tool.inputs] == ["image", "number"] and [p.type for p in tool.outputs] == ["boxes"]


def _detected(clause: ToolClause, counter: str, detector: str) -> ToolClause:
    others = tuple(other for other in clause.others if other[0] != counter)
    return replace(clause, tool=counter, others=others, finder=(detector, 1.0))


def _names_a_kind(text: str, blobs: ToolSpec) -> bool:
    """True where what is counted is unlike what the tool for blobs speaks of."""
    counted = _counted(text)
    encoder = sentence_encoder()
    return bool(counted) and float((encoder.encode(counted) @ encoder.encode((*blobs.words, *_PLAIN)).T).max()) < _ALIKE


def _counted(text: str) -> list[str]:
    """The words that may say what there is, as they stand; none in "how many are there?"."""
    chunk = stretch(text, 0, len(text), language_of(tokens_of(text)), 0)
    if chunk is None:
        return []
    own = [term for term in chunk.terms if term.kind in ("word", "thing") and not is_idle(term.key)]
    return [text[chunk.tokens[term.first].start : chunk.tokens[term.last].end] for term in own]
