"""What is counted: kinds of things are detected and never counted as blobs, in whatever language they are named."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.language.segmentation import language_of, stretch
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.ranking.joint_selection import Clause, Reading
from desktop_app.plan.tools.tool_graph import ToolGraph

_BLOBS, _BOXES, _DETECTOR = "count_blobs", "count_boxes", "detect_objects"
_PLAIN = ("things", "blobs", "dots", "spots", "pieces")
"""Beside the words of the tool that counts blobs: what may be anything."""
_ALIKE = 0.6
"""So like one of these (cosine) is the name of a blob: "Münzen" 0.87, "Zellen" 0.93; "Tassen" 0.49, "Schafe" 0.48."""


def with_kinds(reading: Reading, text: str, graph: ToolGraph) -> Reading:
    """The reading in which kinds of things are detected before they are counted; the same object where there are none.

    Where the detector is not here it is offered, which counting blobs never did: one cup has eight patches.
    """
    if not all(tool in graph.tools for tool in (_BLOBS, _BOXES, _DETECTOR)) or not sentence_encoder().is_ready():
        return reading
    clauses = tuple(_detected(one, text, graph) for one in reading.clauses)
    return replace(reading, clauses=clauses) if clauses != reading.clauses else reading


def _detected(clause: Clause, text: str, graph: ToolGraph) -> Clause:
    if clause.tool != _BLOBS:
        return clause
    counted = _counted(text[clause.start : clause.end])
    encoder = sentence_encoder()
    plain = encoder.encode((*graph.tools[_BLOBS].words, *_PLAIN))
    if not counted or float((encoder.encode(counted) @ plain.T).max()) >= _ALIKE:
        return clause
    others = tuple(other for other in clause.others if other[0] != _BOXES)
    return replace(clause, tool=_BOXES, others=others, finder=(_DETECTOR, 1.0))


def _counted(text: str) -> list[str]:
    """The words that may say what there is, as they stand; none in "how many are there?"."""
    chunk = stretch(text, 0, len(text), language_of(tokens_of(text)), 0)
    if chunk is None:
        return []
    own = [term for term in chunk.terms if term.kind in ("word", "thing") and not is_idle(term.key)]
    return [text[chunk.tokens[term.first].start : chunk.tokens[term.last].end] for term in own]
