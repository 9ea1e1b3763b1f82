"""What the words of a message speak of: the steps that are there, other operations, and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.language.file_choice import called
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.types import Term
from desktop_app.plan.modes.conversation import IDEAS, MessageWords
from desktop_app.plan.modes.edits import Present
from desktop_app.plan.modes.follow_up_degrees import port_words
from desktop_app.plan.ranking.joint_selection import JointSelector
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Step, ToolSpec

NAMED, FOREIGN = 0.45, 0.3
"""A word names a step whose tool speaks of it so much; it speaks of another operation where no step does so much."""


@dataclass
class Look:
    said: MessageWords
    terms: list[tuple[Term, int, int]]
    named: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Spans of the words that name a step, by its id."""
    foreign: list[tuple[int, int]] = field(default_factory=list)
    """Spans of the words for operations that no step does."""


def _writes(tool: ToolSpec) -> bool:
    """True for a tool that writes words on a picture or a film."""
    made = {port.type for port in tool.outputs} & {"image", "video"}
    types = {port.type for port in tool.inputs}
    return bool(made & types) and any(p.required and p.type == "text" and p.name == "text" for p in tool.inputs)


class StepWords:
    """Over one tool set; immutable. What reads one kind of edit each rests on it."""

    def __init__(self, graph: ToolGraph, index: Index, joint: Callable[[], JointSelector]) -> None:
        """`joint` is asked only where the networks are on."""
        self._graph, self._index, self._joint = graph, index, joint

    def _look(self, said: MessageWords, present: Present) -> Look:
        terms = [
            (term, chunk.tokens[term.first].start, chunk.tokens[term.last].end)
            for chunk in read(said.text).chunks
            for term in chunk.terms
        ]
        reading = Look(said, terms)
        for term, start, end in terms:
            span = said.at(start, end)
            if span is None or term.kind == "exact":
                continue
            weights = {step.id: self._weight(step.tool, term.key) for step in present.steps}
            best = max(weights.values(), default=0.0)
            if best >= NAMED and term.kind not in ("action", "type"):
                for id, weight in weights.items():
                    if weight >= best - 0.1:
                        reading.named.setdefault(id, []).append(span)
            elif term.kind == "task" and best < FOREIGN:
                reading.foreign.append(span)
        for step in present.steps:  # by its own title: "the black and white"
            for name in (self._graph.tools[step.tool].title, *self._graph.tools[step.tool].words):
                at = said.text.lower().find(name.lower())
                if at >= 0 and len(name) > 3 and (span := said.at(at, at + len(name))):
                    reading.named.setdefault(step.id, []).append(span)
        written = next((step.id for step in reversed(present.steps) if _writes(self._spec(step))), "")
        if written and written not in reading.named and (spans := said.spans("lettering")):
            reading.named[written] = spans
        named = [span for spans in reading.named.values() for span in spans]
        known = (*named, *self._counts(said), *port_words(said, map(self._spec, present.steps)))
        ideas = said.covered((*IDEAS, "up", "down", "slightly", "greatly"), known)
        reading.foreign = [f for f in reading.foreign if not ideas.issuperset(range(f[0], f[1] + 1))]
        small = said.covered(("filler", "slightly", "greatly"))
        for id, spans in list(reading.named.items()):
            reading.named[id] = [f for f in spans if not small.issuperset(range(f[0], f[1] + 1))]
            if not reading.named[id]:
                del reading.named[id]
        return reading

    def _weight(self, tool: str, key: str) -> float:
        profile = self._index.profiles.get(tool)
        return profile.weights.get(key, 0.0) if profile else 0.0

    def _spec(self, step: Step) -> ToolSpec:
        return self._graph.tools[step.tool]

    def _counts(self, said: MessageWords) -> list[tuple[int, int]]:
        return [(q.first, q.last) for q in Clause.of(said.text).quantities]

    def _files(self, said: MessageWords, present: Present) -> tuple[list[str], list[tuple[int, int]]]:
        """The files that the message names, by name or place, and where."""
        names: list[str] = []
        spans = []
        for token in tokens_of(said.text):
            if token.kind == "file" and (span := said.at(token.start, token.end)):
                spans.append(span)
                names += [given.name for given in present.files if given.name.lower() == token.text.lower()]
        pictures = said.spans("picture")
        if not names and (pictures or not present.ways > 1):
            for meaning, place in zip(said.meanings("ordinals"), said.spans("ordinals"), strict=True):
                number = int(meaning)
                if -len(present.files) <= number <= len(present.files):
                    names.append(present.files[number - 1 if number > 0 else number].name)
                    spans.append(place)
        return list(dict.fromkeys(names)), spans


def is_about_another_file(text: str, present: Present) -> bool:
    """ "Make b.wav louder", and "make this louder" with a new file: what is there of a.wav stays as it is."""
    used = {name.lower() for name in present.used()}
    named = {token.text.lower() for token in tokens_of(text) if token.kind == "file"}
    stems = {given.name.lower() for given in present.files if called(given.name, text)}
    return bool({*named, *stems, *map(str.lower, present.brought)} - used)
