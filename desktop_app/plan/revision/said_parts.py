"""What is to become of a part of a sound or a film that is said by two times: "cut seconds 5 to 10 out" keeps the rest,
"make seconds 2 to 5 quieter" keeps all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.arguments.value_tables import Phrases, Word, tables
from desktop_app.plan.language.segmentation import Chunk, read
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.revision.revised_ways import with_ways
from desktop_app.plan.tools.rewiring import ends_at, files, put_in_place, sources, taken_out
from desktop_app.plan.tools.tool_graph import PART, ToolGraph, cuts, main_inputs
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution, Step, ToolSpec, step_id

_REMOVED, _SILENT, _KEPT = "part is removed", "part is silent", "part is kept"
_LOUDNESS, _GAIN, _STEP, _SILENCE = "loudness", "gain", 6, -80
_SURE = 0.9
_FAR = 12
"""So many words on may stand the second word of a pair: "cut ... out"."""


@dataclass(frozen=True)
class _Said:
    """What becomes of what lies between two times: it goes (None), or is so many decibels louder; `is_all` where the
    request says nothing else."""

    start: float
    end: float
    gain: float | None
    is_all: bool


def with_said_parts(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which only the part that the request says goes, or is louder, quieter or silent."""
    types = {one.name: one.type for one in request.resources}
    for type in (one for one in ("audio", "video") if one in types.values()):
        tools = _Tools.of(type, graph)
        first = plan.solutions[0] if plan.solutions else None
        said = _said(request.text, tools, first) if tools is not None else None
        if tools is None or said is None:
            continue
        found = tuple(_done(one, said, tools, types, graph) for one in plan.solutions)
        if found != plan.solutions:
            return with_ways(plan, found, graph)
    return plan


@dataclass(frozen=True)
class _Tools:
    """Those that keep a part of a thing, join such parts, and make a sound louder; of a film also those that take its
    sound off, and put it back."""

    type: str
    cutter: ToolSpec
    joiner: ToolSpec
    volume: ToolSpec
    taker: ToolSpec | None = None
    layer: ToolSpec | None = None

    @staticmethod
    def of(type: str, graph: ToolGraph) -> _Tools | None:
        def one(takes: Sequence[str], makes: str, ports: Sequence[str] = (), many: bool = False) -> ToolSpec | None:
            for tool in graph.tools.values():
                needed, names = main_inputs(tool), {port.name for port in tool.inputs}
                fits = [port.type for port in needed] == [*takes] and [out.type for out in tool.outputs] == [makes]
                if fits and names.issuperset(ports) and all(port.many == many for port in needed):
                    return tool
            return None

        cutter = next((tool for tool in graph.tools.values() if cuts(tool, type)), None)
        joiner, volume = one((type,), type, many=True), one(("audio",), "audio", (_GAIN, *PART))
        taker, layer = one(("video",), "audio"), one(("video", "audio"), "video")
        if cutter is None or joiner is None or volume is None or (type == "video" and None in (taker, layer)):
            return None
        return _Tools(type, cutter, joiner, volume, taker, layer)


def _said(text: str, tools: _Tools, first: Solution | None) -> _Said | None:
    """By the words; what these leave open as the first solution has it."""
    stretches = _stretches(text)
    steps = first.steps if first is not None else ()
    louder = next((step.arguments.get(_GAIN, _STEP) for step in steps if step.tool == tools.volume.id), None)
    cut = next((step.arguments for step in steps if step.tool == tools.cutter.id), {})
    for start, end in stretches:
        clause = Clause(text, ((start, end),))
        ports = [port for port in tools.cutter.inputs if port.name in PART]
        values = fill(tools.cutter, ports, clause).values
        values = values if values.keys() == {*PART} or len(stretches) > 1 else cut
        if not values.keys() >= {*PART} or not 0 <= values["start"] < values["end"] or _has(_KEPT, clause):
            continue
        signs = {hit.sense.sign for hit in clause.hits if hit.sense.quality == _LOUDNESS}
        is_all = len(stretches) == 1
        if _has(_SILENT, clause):
            return _Said(values["start"], values["end"], _SILENCE, is_all)
        if len(signs) == 1 or (not signs and is_all and louder is not None):
            said = [q.value for q in clause.quantities if q.unit == "dB"]
            gain = next(iter(signs)) * (abs(said[0]) if said else _STEP) if signs else louder
            return _Said(values["start"], values["end"], gain, is_all)
        if _has(_REMOVED, clause) and not any(
            term.key in _SOUND for chunk in read(text).chunks for term in chunk.terms
        ):
            return _Said(values["start"], values["end"], None, is_all)
    return None


_SOUND = frozenset(("denoise", "silence", "trim silence"))
"""What can be taken out of a part, which stays."""


def _stretches(text: str) -> list[tuple[int, int]]:
    """The parts of the request that say one thing each; two times belong to one: "between 3 and 4"."""
    found: list[tuple[int, int]] = []
    chunks = [chunk for chunk in read(text).chunks if chunk.tokens]
    for chunk in chunks:
        start, end = chunk.tokens[0].start, chunk.tokens[-1].end
        if found and chunk.joint == "and" and _begins_with_a_time(chunk):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [(0, len(text))] if len(found) == 1 else found  # "把 ... 剪掉"


def _begins_with_a_time(chunk: Chunk) -> bool:
    return any(token.kind == "number" or token.word[:1].isdigit() for token in chunk.tokens[:2])


def _has(name: str, clause: Clause) -> bool:
    """Whether one of the phrases of that name is said, of a pair one word some words behind the other."""
    phrases, pairs = _phrases(name)
    words: Sequence[Word] = [clause.words[place] for place in sorted(clause.places)]
    if any(True for _ in phrases.all(words)):
        return True
    texts = [word.text for word in words]
    return any(
        second in texts[n + 1 : n + 1 + _FAR]
        for first, second in pairs
        for n, text in enumerate(texts)
        if text == first
    )


@cache
def _phrases(name: str) -> tuple[Phrases, tuple[tuple[str, str], ...]]:
    said = sorted(tables().small[name])
    apart = tuple((first, last) for first, dots, last in (phrase.partition(" ... ") for phrase in said) if dots)
    return Phrases((phrase, name) for phrase in said if " ... " not in phrase), apart


def _done(solution: Solution, said: _Said, tools: _Tools, types: Mapping[str, str], graph: ToolGraph) -> Solution:
    own = [step for step in solution.steps if step.id not in solution.kept]
    hit = next((step for step in own if _speaks_of(step, said)), None)
    is_cut = said.is_all and any(step.tool == tools.cutter.id for step in own)
    if hit is not None and not is_cut and _is_heard(hit, said, tools):
        return solution
    source = _source(own, hit if not said.is_all else None, tools.type, types, graph)
    if source is None and said.is_all and not any(map(files, own)):
        source = next((FromResource(name) for name in reversed([*types]) if types[name] == tools.type), None)
    if source is None or (hit is None and not said.is_all):
        return solution
    made = _steps(said, source, tools, () if said.is_all else solution.steps)
    out = FromNode(made[-1].id, graph.tools[made[-1].tool].outputs[0].name)
    if said.is_all or hit is None:
        return Solution("", reason_for(made, (), graph), _SURE, tuple(made), ((out.node, out.port),))
    steps = tuple(put_in_place(solution.steps, hit, made, out))
    louder = (one for one in steps if _is_louder(one, tools) and one not in made and sources(one))
    found = replace(solution, steps=steps, wanted=ends_at(solution.wanted, {hit.id: out}))
    found = taken_out(found, {one.id: sources(one)[0] for one in louder} if said.gain is not None else {})
    return replace(found, reason=reason_for(found.steps, (), graph))


def _speaks_of(step: Step, said: _Said) -> bool:
    numbers = [value for value in step.arguments.values() if isinstance(value, int | float)]
    return said.start in numbers and said.end in numbers


def _is_heard(step: Step, said: _Said, tools: _Tools) -> bool:
    """Whether the step is that for louder or quieter, and of the sound itself."""
    if step.tool != tools.volume.id or said.gain is None or tools.type != "audio":
        return False
    return said.gain > 0 or float(step.arguments.get(_GAIN, 1)) < 0


def _is_louder(step: Step, tools: _Tools) -> bool:
    return step.tool == tools.volume.id and not step.arguments.keys() & {*PART}


def _source(
    steps: Sequence[Step], hit: Step | None, type: str, types: Mapping[str, str], graph: ToolGraph
) -> FromNode | FromResource | None:
    """What the part is of: what the step takes, else the only such thing that the plan, or the conversation, has."""

    def fits(one: Any) -> bool:
        if isinstance(one, FromResource):
            return types.get(one.name) == type
        maker = next((step for step in steps if isinstance(one, FromNode) and step.id == one.node), None)
        return maker is not None and any(
            out.name == one.port and out.type == type for out in graph.tools[maker.tool].outputs
        )

    taken = [one for step in ([hit] if hit is not None else steps) for one in sources(step) if fits(one)]
    given = [one for one in taken if isinstance(one, FromResource)] if hit is None else taken
    return given[0] if len({*given}) == 1 else None


def _steps(said: _Said, source: FromNode | FromResource, tools: _Tools, there: Sequence[Step]) -> list[Step]:
    made: list[Step] = []

    def add(tool: ToolSpec | None, **arguments: Any) -> FromNode:
        assert tool is not None
        takes = main_inputs(tool)
        given = [arguments.pop(f"given_{n}") for n in range(len(takes))]
        id = step_id(tool.id, (*there, *made))
        fed = {port.name: value for port, value in zip(takes, given, strict=True)}
        made.append(Step(id, tool.id, {**fed, **arguments}))
        return FromNode(id, tool.outputs[0].name)

    if said.gain is None:
        before = add(tools.cutter, given_0=source, end=said.start) if said.start else None
        after = add(tools.cutter, given_0=source, start=said.end)
        if before is not None:
            add(tools.joiner, given_0=(before, after))
        return made
    part = {_GAIN: said.gain, "start": said.start, "end": said.end}
    sound = source if tools.type == "audio" else add(tools.taker, given_0=source)
    louder = add(tools.volume, given_0=sound, **part)
    if tools.type != "audio":
        add(tools.layer, given_0=source, given_1=louder)
    return made
