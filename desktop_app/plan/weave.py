"""Joins chosen tools into one graph: decides what feeds each input, and lets the search fill the gaps.

This is the resource expert: it takes only what is there (files, quotes, earlier results) and never invents anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from desktop_app.plan.arguments import literal, literal_text
from desktop_app.plan.decompose import Intent
from desktop_app.plan.request import FromNode, FromResource, Given, PortSpec, Question, Request, Step, ToolSpec
from desktop_app.plan.retrieval import KIND_WEIGHT, Index
from desktop_app.plan.score import grade
from desktop_app.plan.search import Have, Limits, Made, search
from desktop_app.plan.toolgraph import INLINE, ToolGraph, fits, supertypes

_LIMITS = Limits(examined=400)
REGIONS = frozenset(("mask", "boxes", "points", "segmentation", "bbox", "point"))


@dataclass
class Value:
    """Something that can feed inputs: `items` are one or several parallel things of one type.

    `turn` is the number of the intent that brought or made it (-1: attached, not named). `keys` are the meanings of
    the wish that made it, `made` is true for results, `used` counts how often it fed something.
    """

    items: tuple[Any, ...]
    type: str
    turn: int
    keys: frozenset[str] = frozenset()
    made: bool = False
    used: int = 0
    tool: str = ""
    port: str = ""


@dataclass
class Draft:
    """A solution in the making. `bridges` counts tools that the search put in, `width` the widest parallel part."""

    steps: list[Step] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    wanted: list[tuple[str, str]] = field(default_factory=list)
    bridges: int = 0


class Weaver:
    """Builds one solution; make a new one for each."""

    def __init__(
        self,
        graph: ToolGraph,
        index: Index,
        request: Request,
        intents: Sequence[Intent],
        strategy: str,
        detour: int = -1,
    ) -> None:
        """`detour` is the number of the gap that is filled in the second-best way; -1: none."""
        self.detour = detour
        self._gaps = 0
        self.graph = graph
        self.index = index
        self.request = request
        self.intents = intents
        self.strategy = strategy
        self.draft = Draft()
        self.values: list[Value] = []
        self._given = {given.name: given for given in request.resources}
        self.serving: dict[int, set[str]] = defaultdict(set)
        self._names: dict[str, int] = {}
        self._bring_attached()

    def _bring_attached(self) -> None:
        named = {token.text for intent in self.intents for token in intent.mentions("file", "url")}
        for given in self.request.resources:
            if given.name not in named:
                turn = -2 if given.earlier else -1
                self.values.append(Value((FromResource(given.name),), given.type, turn))

    def hear(self, intent: Intent, turn: int) -> None:
        """Takes in the files, addresses and quotes that an intent names, as belonging to the intent number `turn`."""
        for token in intent.mentions("file", "url", "quote"):
            value = self._named(token.kind, token.text, token.type, turn)
            if value is not None:
                self.values.append(value)

    def _named(self, kind: str, text: str, type: str, turn: int) -> Value | None:
        if kind == "quote":
            return Value((text,), "text", turn)
        if kind == "url" and "url" in self.graph.types:
            return Value((text,), "url", turn)
        given = self._given.get(text)
        if any(item == FromResource(text) for value in self.values for item in value.items):
            return None
        return Value((FromResource(text),), given.type if given else type or "file", turn)

    def at_hand(self) -> frozenset[str]:
        """The types there are so far."""
        return frozenset(value.type for value in self.values)

    def apply(self, intent: Intent, tool: ToolSpec) -> Value:
        """Adds the tool for the intent, with what it needs before it. Returns its first result."""
        self._gather_parallel(tool, intent)
        sources: dict[str, Value] = {}
        for port in self._ports(tool, intent):
            value = self._source(port, tool, intent, sources)
            if value is not None:
                sources[port.name] = value
        return self._place(tool, intent, sources)

    def _ports(self, tool: ToolSpec, intent: Intent) -> list[PortSpec]:
        """Required inputs first, then optional ones that take a resource and not a setting."""
        required = [port for port in tool.inputs if port.required]
        optional = [p for p in tool.inputs if not p.required and p.type not in ("number", "flag") and not p.choices]
        return [*required, *optional]

    # What feeds a port ------------------------------------------------------------------------------------------

    def _source(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        if port.type in ("number", "flag") or port.choices:
            found = self._candidates(port, tool, intent, taken) if port.type == "number" and port.required else []
            return found[0][1] if found and found[0][1].made else None
        if port.type in REGIONS:
            return self._region(port, tool, intent, taken)
        found = self._candidates(port, tool, intent, taken)
        if port.many:
            return self._many(found, port, intent)
        if not port.required:
            return self._optional(found, port, tool, intent, taken)
        if found and found[0][0] > 0:
            return found[0][1]
        if port.type in INLINE and (_is_instruction(port, tool) or not self._means_content(intent)):
            return None
        return self._bridge(port, tool, intent, taken)

    def _candidates(
        self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]
    ) -> list[tuple[float, Value]]:
        free = [v for v in self.values if fits(v.type, port.type) and not any(v is other for other in taken.values())]
        rated = [(self._affinity(value, port, tool, intent), place, value) for place, value in enumerate(free)]
        return [(a, value) for a, _, value in sorted(rated, key=lambda r: (-r[0], -r[1]))]

    def _affinity(self, value: Value, port: PortSpec, tool: ToolSpec, intent: Intent) -> float:
        """How likely the wording means this value for this port."""
        score = 0.0
        distance = intent.index - max(value.turn, -1)
        if value.turn == intent.index:
            score += 6.0
        if value.keys & set(intent.refers):
            score += 6.0
        if value.made:
            score += 4.0 - 0.3 * min(distance, 8)
            if intent.joint in ("then", "using", "inner", "") or intent.pronoun:
                score += 0.5
        else:
            score += 2.6 - 0.1 * min(distance, 8) - 1.2 * min(value.used, 2) - 0.3 * (value.turn == -2)
        if value.type == port.type:
            score += 0.3
        if value.made and _joins(port, tool):
            score += 0.8 if not value.used else -1.5
        if _is_instruction(port, tool) and value.turn != intent.index and not (value.keys & set(intent.refers)):
            score -= 0.5 if _guided(intent) and value.made else 3.9
        return score

    def _optional(
        self, found: Sequence[tuple[float, Value]], port: PortSpec, tool: ToolSpec, intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:  # fmt: skip
        """For an input with a default: what the intent itself names or refers to, or asks to be made for it."""
        if found and found[0][0] >= 6.0:
            return found[0][1]
        if port.type in INLINE:
            return None
        return self._asked_for(port.type, tool, intent, taken)

    def _gather_parallel(self, tool: ToolSpec, intent: Intent) -> None:
        """Several files that the wording treats alike become one parallel value; "the second picture" stays one."""
        for type in dict.fromkeys(value.type for value in self.values if not value.made):
            ports = [port for port in tool.inputs if port.required and fits(type, port.type)]
            if len(ports) > 1 or any(port.many for port in ports):
                continue
            named = [v for v in self.values if v.type == type and not v.made and v.turn == intent.index]
            loose = [v for v in self.values if v.type == type and not v.made and v.turn in (-1, -2)]
            attached = [v for v in loose if v.turn == -1] or loose
            if intent.ordinal and len(attached) > 1:
                self._move_forward(attached, intent)
            elif len(named) > 1:
                self._merge(named)
            elif intent.plural and len(attached) > 1 and not named:
                self._merge(attached)

    def _move_forward(self, values: Sequence[Value], intent: Intent) -> None:
        place = intent.ordinal - 1 if intent.ordinal > 0 else intent.ordinal
        if -len(values) <= place < len(values):
            values[place].turn = intent.index

    def _merge(self, values: Sequence[Value]) -> None:
        items = tuple(item for value in values for item in value.items)
        place = next(i for i, value in enumerate(self.values) if value is values[0])
        merged = Value(items, values[0].type, values[0].turn)
        kept = [v for v in self.values if not any(v is other for other in values)]
        self.values = [*kept[:place], merged, *kept[place:]]

    def _asked_for(self, type: str, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """Made by tools that explain words which the tool itself does not: "blur *the faces*"."""
        matches = self.index.match(self._residual(tool, intent))
        ways = self._ways(type, intent, matches, tool, taken)
        apt = [way for way in ways if any(matches.get(id, 0.0) >= 1.0 for id in way.tools())]
        return self._build(self._pick(apt), intent) if apt else None

    def _pick(self, ways: Sequence[Made]) -> Made:
        gap, self._gaps = self._gaps, self._gaps + 1
        return ways[1] if gap == self.detour and len(ways) > 1 else ways[0]

    def _many(self, found: Sequence[tuple[float, Value]], port: PortSpec, intent: Intent) -> Value | None:
        """All values of the best kind for a port that takes any number."""
        if not found:
            return None
        named = [v for _, v in found if v.turn == intent.index]
        group = named or ([found[0][1]] if found[0][1].made else [v for _, v in found if not v.made])
        ordered = sorted(group, key=self.values.index)
        for value in ordered[1:]:
            value.used += 1
        return Value(tuple(item for v in ordered for item in v.items), port.type, ordered[0].turn)

    def _region(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """A part of the picture: an earlier result, or found by what the wording says beyond the tool itself."""
        if port.picked_on:
            return None
        found = self._candidates(port, tool, intent, taken)
        if found and found[0][1].made and (found[0][1].turn == intent.index or port.required):
            return found[0][1]
        if not port.required:
            return self._asked_for(port.type, tool, intent, taken)
        ways = self._ways(port.type, intent, self.index.match(self._residual(tool, intent)), tool, taken)
        return self._build(self._pick(ways), intent) if ways else None

    def _residual(self, tool: ToolSpec, intent: Intent) -> dict[str, float]:
        """The meanings of the intent that the tool's own title and words do not explain."""
        profile = self.index.profiles[tool.id]
        return {key: w for key, w in intent.meanings.items() if profile.weights.get(key, 0.0) < 0.6}

    def _means_content(self, intent: Intent) -> bool:
        """True when "the text" of something is meant and not words of the request."""
        if intent.mentions("quote"):
            return False
        return bool(intent.definite) or intent.pronoun or bool(intent.mentions("file")) or bool(intent.refers)

    def _bridge(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """Makes a value of the port's type out of what there is, with as few tools as can be."""
        matches = self.index.match({k: w for k, w in intent.meanings.items() if w != KIND_WEIGHT["type"]})
        ways = self._ways(port.type, intent, matches, tool, taken)
        if not ways:
            return None
        return self._build(self._pick(ways), intent)

    def _ways(
        self, type: str, intent: Intent, matches: Mapping[str, float], tool: ToolSpec, taken: Mapping[str, Value]
    ) -> list[Made]:
        named = self._names_object(intent)
        prefer = {id(value) for value in taken.values()}
        have = []
        for place, value in enumerate(self.values):
            cost = 0.0 if id(value) in prefer else 0.1 * (intent.index - value.turn)
            backwards = type in INLINE and any(fits(value.type, port.type) for port in tool.outputs)
            if not backwards or fits(value.type, type):
                have.append(Have(str(place), value.type, max(0.0, cost)))
        if type != "text" and not any(value.type == "text" for value in self.values):
            have.append(Have("", "text", 0.4))
        if not any(value.type == "points" for value in self.values) and "points" in self.graph.types:
            have.append(Have("", "points", 3.0 if named else 0.4))

        def assess(id: str) -> float:
            if id == tool.id:
                return 1.0
            spec = self.graph.tools[id]
            return max(1.0, min(5.0, grade(matches.get(id, 0.0)) + 0.5 + spec.quality + self._leaning(spec, named)))

        found: list[Made] = []
        if not self._leads_there(type, matches):
            return found
        for way in islice(search(self.graph, have, type, assess, self.strategy, _LIMITS), 24):
            if not isinstance(way, Made) or tool.id in way.tools() or not self._grounded(way, matches):
                continue
            if not any(set(other.tools()) <= set(way.tools()) for other in found):
                found.append(way)
            if len(found) >= 2:
                break
        return found

    def _names_object(self, intent: Intent) -> bool:
        """True when the wording has words that no tool speaks of: the thing itself, such as a dog."""
        return any(t.kind == "word" and not self.index.rarity(t.key) for t in intent.terms)

    def _leaning(self, tool: ToolSpec, named: bool) -> float:
        """Clicks that were made ask for a tool that takes them; a thing that is named may be looked for by name."""
        if any(port.picked_on for port in tool.inputs):
            return 1.5 * any(given.points for given in self.request.resources)
        return 0.8 * (named and any(port.required and _is_instruction(port, tool) for port in tool.inputs))

    def _leads_there(self, type: str, matches: Mapping[str, float]) -> bool:
        """True when some value may become the type, or the wording asks for a tool that makes it from words."""
        near = self.graph.distances(type)
        if any(t in near for value in self.values for t in supertypes(value.type)):
            return True
        return any(matches.get(id, 0.0) >= 1.0 for id in self.graph.giving(type))

    def _grounded(self, way: Made, matches: Mapping[str, float]) -> bool:
        """False for results made out of nothing but the words of the request, unless these ask for just that."""
        return way.rests_on_something() or all(matches.get(id, 0.0) >= 1.0 for id in way.tools())

    def _build(self, way: Made, intent: Intent) -> Value:
        """Adds the steps of a way that the search found; gives the value that it makes."""
        self.draft.bridges += 1
        spec = self.graph.tools[way.tool]
        sources: dict[str, Value] = {}
        for name, source in way.inputs:
            if isinstance(source, Made):
                sources[name] = self._build(source, intent)
            elif source.name:
                sources[name] = self.values[int(source.name)]
        return self._place(spec, intent, sources)

    # Steps ------------------------------------------------------------------------------------------------------

    def _place(self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value]) -> Value:
        """Adds the tool once for each parallel item and records its results. Returns the first result."""
        self.serving[intent.index].add(tool.id)
        singles = {n: v for n, v in sources.items() if not _port(tool, n).many}
        width = max((len(value.items) for value in singles.values()), default=1)
        for value in sources.values():
            value.used += 1
        literals = self._literals(tool, intent, sources)
        ids = []
        for turn in range(width):
            arguments: dict[str, Any] = {}
            for port in tool.inputs:
                if port.name in singles:
                    items = singles[port.name].items
                    arguments[port.name] = items[turn % len(items)]
                elif port.name in sources:
                    arguments[port.name] = sources[port.name].items
                elif port.name in literals:
                    arguments[port.name] = literals[port.name]
            ids.append(self._step(tool, arguments))
        return self._record(tool, intent, ids)

    def gather(self, tool: ToolSpec, intent: Intent, port: PortSpec, value: Value) -> Value:
        """Adds a tool that takes all parallel items of a value into one."""
        return self._place(tool, intent, {port.name: value})

    def _step(self, tool: ToolSpec, arguments: dict[str, Any]) -> str:
        points = self._points(tool, arguments)
        arguments |= points
        for step in self.draft.steps:  # equal steps on equal inputs are one node
            if step.tool == tool.id and step.arguments == arguments:
                return step.id
        stem = re.sub(r"\W+", "_", tool.id.lower()).strip("_") or "step"
        number = self._names[stem] = self._names.get(stem, 0) + 1
        id = stem if number == 1 else f"{stem}_{number}"
        self.draft.steps.append(Step(id, tool.id, arguments))
        self._ask(tool, id, arguments)
        return id

    def _record(self, tool: ToolSpec, intent: Intent, ids: Sequence[str]) -> Value:
        keys = frozenset(self.index.profiles[tool.id].title | self.index.profiles[tool.id].first) | frozenset(
            key for key in intent.meanings
        )
        made = [
            Value(tuple(FromNode(id, port.name) for id in ids), port.type, intent.index, keys, True, 0, tool.id)
            for port in tool.outputs
        ]
        self.values += made[::-1]
        return made[0] if made else Value((), "", intent.index)

    def _literals(self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for port in tool.inputs:
            if port.name in sources or port.picked_on:
                continue
            if port.type == "text" and not port.choices:
                value = literal_text(port, tool, intent, self._residual(tool, intent)) if port.required else None
            else:
                value = literal(port, tool, intent)
            if value is not None:
                found[port.name] = value
        return found

    def _points(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
        found = {}
        for port in tool.inputs:
            on = arguments.get(port.picked_on) if port.picked_on else None
            given = self._given.get(on.name) if isinstance(on, FromResource) else None
            if given is not None and given.points and port.name not in arguments:
                found[port.name] = [list(point) for point in given.points]
        return found

    def _ask(self, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> None:
        for name, argument in arguments.items():
            for item in argument if isinstance(argument, tuple) else (argument,):
                if isinstance(item, FromResource) and item.name not in self._given:
                    text = f"Please attach {item.name}."
                    self.draft.questions.append(Question(text, "file", (), step, name, item.name))
        for port in tool.inputs:
            if port.required and port.name not in arguments:
                self.draft.questions.append(_question(port, tool, step, arguments))


def _port(tool: ToolSpec, name: str) -> PortSpec:
    return next(port for port in tool.inputs if port.name == name)


_GUIDES = frozenset("based according using instruction instructions script".split())


def _guided(intent: Intent) -> bool:
    """True when the wording says that something else tells how."""
    return any(token.word in _GUIDES for token in intent.tokens)


def _joins(port: PortSpec, tool: ToolSpec) -> bool:
    return sum(other.required and other.type == port.type for other in tool.inputs) > 1


def _is_instruction(port: PortSpec, tool: ToolSpec) -> bool:
    """True for a text that tells how, beside the resource that is worked on."""
    return port.type == "text" and any(other.required and other.type not in INLINE for other in tool.inputs)


def _question(port: PortSpec, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> Question:
    if port.picked_on:
        on = arguments.get(port.picked_on)
        resource = on.name if isinstance(on, FromResource) else ""
        where = f" in {resource}" if resource else ""
        return Question(f"Click on what you mean{where}.", "point", (), step, port.name, resource)
    if port.type in INLINE:
        return Question(f"{tool.title}: {port.description or port.name}?", "text", port.choices, step, port.name)
    name = port.type.replace("_", " ").rpartition(".")[2]
    article = "an" if name[0] in "aeiou" else "a"
    return Question(f"Please attach {article} {name} for {tool.title.lower()}.", "file", (), step, port.name)
