"""Fills gaps: when nothing feeds an input, the search makes it out of what there is, if that is sensible."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

from desktop_app.plan.arguments.fill import describes, literal_text
from desktop_app.plan.language.corrections import draws_box, unexplained
from desktop_app.plan.language.type_roles import names_part
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.port_fit import MEDIA, makes_up, only_tells
from desktop_app.plan.search.regions import selectors
from desktop_app.plan.search.search import Have, Limits, Made, search
from desktop_app.plan.search.value_pool import Value, ValuePool, is_instruction
from desktop_app.plan.tools.tool_graph import (
    DOCUMENTS,
    INLINE,
    REGIONS,
    SETTINGS,
    ToolGraph,
    fits,
    main_inputs,
    supertypes,
)
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import READY, Request, ToolSpec
from nodes.api import ResourceType

_OURS = frozenset(ResourceType.__members__.values())
_LIMITS = Limits(examined=400)
_NEAR = Limits(examined=400, depth=2)
_NAMED_SO = 0.5
"""Of two tools that would do, the one whose name speaks of the very thing that is wanted ("Read text")."""
_UNNAMED = 0.8
"""What it costs to take another thing than the one of its kind that the wording names ("the translated text")."""
_SILENT = -1.5
"""What a tool is worth that cannot work now and of which nobody speaks."""
_APT = 1.0
"""A tool that matches the wording at least so well was asked for."""
_ASKED = 1.5
"""So well must a tool match that only tells a fact, before the fact is used for something else."""


class GapFiller:
    """Finds ways to make a type, for one solution in the making."""

    def __init__(self, graph: ToolGraph, index: Index, request: Request, pool: ValuePool, strategy: str) -> None:
        self.graph = graph
        self.index = index
        self.pool = pool
        self.strategy = strategy
        self._clicked = any(given.points for given in request.resources)
        self._finder = _has_finder(graph)

    def ways(
        self,
        type: str,
        intent: Intent,
        matches: Mapping[str, float],
        tool: ToolSpec,
        taken: Mapping[str, Value],
        asked_for: bool = False,
        only: Sequence[Value] = (),
    ) -> list[Made]:
        """Up to two ways to make `type` for an input of `tool`, the best first; none is part of another.

        `matches` is how well each tool fits the wording. With `asked_for`, only ways with a tool that fits it
        well; with `only`, ways out of these values.
        """
        if not self._leads_there(type, matches):
            return []
        named = self._names_object(intent, tool)
        pointing = "point_at" in intent.meanings
        own = unexplained(intent, self.index.profiles[tool.id].weights)
        boxed = draws_box(intent) and type in REGIONS
        shown = names_part(intent, self.index.profiles[tool.id].weights, self.index.lexicon.roles)

        def assess(id: str) -> float:
            spec = self.graph.tools[id]
            match = matches.get(id, 0.0)
            if spec.quality < READY:  # there may be a way that works now, however little it is spoken of
                told = match >= _APT or "compose_text" in intent.meanings  # a story about a picture: what it shows
                return 1.0 if type in REGIONS or told else _SILENT
            named_so = _NAMED_SO * (type in self.index.profiles[id].title or type in spec.title.lower().split())
            leaning = named_so + self._leaning(spec, named, match >= _APT, pointing) - self._unsaid(spec, own)
            return _soft(max(1.0, 1.5 + 1.6 * match + spec.quality) + leaning)

        found: list[Made] = []
        findable = (named and self._finder) or self._is_findable(type, own, matches)
        have = self._have(type, intent, taken, tool, findable)
        if only:
            have = [item for item in have if item.name and any(self._is(item, value) for value in only)]
        found_ways = search(
            self.graph, have, type, assess, self.strategy, _LIMITS if type in REGIONS else _NEAR,
            allowed=lambda id: id != tool.id and self._plain(id, type) and self._sensible(id, matches, intent),
            prefer=heapq.nlargest(_LIMITS.wide, matches, key=lambda id: matches[id]),
        )  # fmt: skip
        for way in islice(found_ways, 24):
            if not isinstance(way, Made) or not self._serves(way, tool, matches, intent):
                continue
            if not self._stays(way, type, taken) or self._is_of_itself(way, type, intent, taken):
                continue
            if asked_for and not boxed and not self._is_asked_for(way, matches, shown):
                continue
            if not any(set(other.tools()) <= set(way.tools()) for other in found):
                found.append(way)
            if len(found) >= 2:
                break
        return found

    def _have(
        self, type: str, intent: Intent, taken: Mapping[str, Value], tool: ToolSpec, findable: bool
    ) -> list[Have]:
        """The pool as the search sees it; a name is a place in the pool, or empty for the user's words and clicks.

        Nobody need click on what is `findable`, unless the wording says so.
        """
        prefer = {id(value) for value in taken.values()}
        wording = set(intent.takes) - INLINE
        named = {value.type for value in self.pool.values if value.keys & set(intent.refers)}
        pointing = "point_at" in intent.meanings
        have = []
        for place, value in enumerate(self.pool.values):
            cost = 0.0 if id(value) in prefer else 0.1 * (intent.index - value.turn)
            cost += _UNNAMED * (
                value.type in named and not value.is_of(intent.index) and not value.keys & set(intent.refers)
            )
            cost += 0.6 * (bool(wording) and value.type not in intent.takes)
            backwards = type in INLINE - SETTINGS and any(fits(value.type, port.type) for port in tool.outputs)
            if not backwards or fits(value.type, type):
                have.append(Have(str(place), value.type, max(0.0, cost)))
        types = {value.type for value in self.pool.values}
        if type != "text" and "text" not in types:
            have.append(Have("", "text", 0.4))
        if draws_box(intent) and "boxes" not in types and "boxes" in self.graph.types:
            have.append(Have("", "boxes", 0.0))
        elif "points" not in types and "points" in self.graph.types:
            have.append(Have("", "points", 3.0 if findable and not pointing else 0.4))
        return have

    def _serves(self, way: Made, tool: ToolSpec, matches: Mapping[str, float], intent: Intent) -> bool:
        """False for a way through the tool itself, or out of nothing but words when nothing is to be made up."""
        if tool.id in way.tools():
            return False
        if self._is_looked_up(way):
            return True
        made_up = set(intent.gives) & {port.type for port in self.graph.tools[way.tool].outputs}
        return way.rests_on_something() or (bool(made_up) and all(matches.get(id, 0.0) >= _APT for id in way.tools()))

    def _is_looked_up(self, way: Made) -> bool:
        """True for a thing of a kind that only this tool set has, found by its name: the place that is called so."""
        made = [port.type for port in self.graph.tools[way.tool].outputs]
        told = all(isinstance(source, Have) and source.type == "text" for _, source in way.inputs)
        return told and any(self._may_be_named(type) for type in made)

    def _may_be_named(self, type: str) -> bool:
        """True for a kind that only this tool set has, where nothing is there but words."""
        return type not in _OURS and all(value.type in INLINE for value in self.pool.values)

    def _is_asked_for(self, way: Made, matches: Mapping[str, float], shown: bool) -> bool:
        """True when the wording speaks of a tool of the way; or, where the user points, of one that would find it, or
        of a thing that only the user can show.
        """
        if any(matches.get(id, 0.0) >= _APT for id in way.tools()):
            return True
        points = any(port.picked_on for id in way.tools() for port in self.graph.tools[id].inputs)
        waiting = (self.graph.tools[id] for id in self.graph.giving("boxes") if matches.get(id, 0.0) >= _APT)
        return points and (shown or any(tool.quality < READY and finds(tool) for tool in waiting))

    def _is_findable(self, type: str, own: Intent, matches: Mapping[str, float]) -> bool:
        """True when the wording gives a colour to look for, or asks for a tool that finds such things."""
        if type not in REGIONS:
            return False
        found = (self.graph.tools[id] for region in ("mask", "boxes") for id in self.graph.giving(region)[:100])
        return any(
            tool.quality >= READY
            and (self._unsaid(tool, own) < 0 or (finds(tool) and matches.get(tool.id, 0) >= _ASKED))
            for tool in found
        )

    def _plain(self, tool: str, wanted: str) -> bool:
        """False for a tool whose masks would pass for the picture that is wanted."""
        gives = [port.type for port in self.graph.tools[tool].outputs if fits(port.type, wanted)]
        return wanted in REGIONS or not gives or any(type not in REGIONS for type in gives)

    def _stays(self, way: Made, type: str, taken: Mapping[str, Value]) -> bool:
        """False for a way that sets a thing beside itself, or looks for a part in another picture."""
        ports = {port.name: port.type for port in self.graph.tools[way.tool].inputs}
        roots = [_roots(source) for name, source in way.inputs if ports[name] not in REGIONS]
        if any(one & other for place, one in enumerate(roots) for other in roots[:place]):
            return False
        for name, source in way.inputs:
            wanted = next(p.type for p in self.graph.tools[way.tool].inputs if p.name == name)
            here = [v for v in taken.values() if fits(v.type, wanted)] if wanted not in REGIONS else []
            if type in REGIONS and here and not (_held(source) and any(self._is(source, v) for v in here)):
                return False
            if isinstance(source, Made) and not self._stays(source, type, taken):
                return False
        return True

    def _is_of_itself(self, way: Made, type: str, intent: Intent, taken: Mapping[str, Value]) -> bool:
        """ "Lay the logo over the film": the picture that is missing is none out of the film itself."""
        if type not in MEDIA or type in (*intent.takes, *intent.gives):
            return False
        given = [v for v in taken.values() if not v.made and v.type in MEDIA]
        roots = _roots(way)
        return any(name and any(self.pool.values[int(name)] is v for v in given) for name in roots)

    def _is(self, source: Have | Made, value: Value) -> bool:
        return isinstance(source, Have) and bool(source.name) and self.pool.values[int(source.name)] is value

    def _names_object(self, intent: Intent, tool: ToolSpec) -> bool:
        """True when the wording has words that the tool does not speak of: the thing itself, such as a dog."""
        weights = self.index.profiles[tool.id].weights
        return any(t.kind == "word" and weights.get(t.key, 0.0) < 0.3 for t in intent.terms)

    def _leaning(self, tool: ToolSpec, named: bool, apt: bool, pointing: bool) -> float:
        """Clicks that were made ask for a tool that takes them; a thing that is named may be looked for by name."""
        if any(port.picked_on for port in tool.inputs):
            return 1.5 * (self._clicked or pointing)
        if named and any(p.required and is_instruction(p, tool) and describes(p) for p in tool.inputs):
            return 0.8
        return -4.0 if finds(tool) and (pointing or not apt) else 0.0

    def _unsaid(self, tool: ToolSpec, intent: Intent) -> float:
        """Against a tool that needs a text of its own kind, such as a colour, where the wording gives none; for it
        where it does.
        """
        own = [p for p in tool.inputs if p.required and p.type == "text" and is_instruction(p, tool)]
        given = [literal_text(port, tool, intent, {}) is not None for port in own if not describes(port)]
        return 0.0 if not given else -1.5 if all(given) else 5.0

    def _leads_there(self, type: str, matches: Mapping[str, float]) -> bool:
        """True when some value may become the type, or the wording asks for a tool that makes it from words."""
        near = self.graph.distances(type)
        if any(t in near for value in self.pool.values for t in supertypes(value.type)):
            return True
        return self._may_be_named(type) or any(matches.get(id, 0.0) >= _APT for id in self.graph.giving(type))

    def _sensible(self, tool: str, matches: Mapping[str, float], intent: Intent) -> bool:
        """False for a step that the wording does not speak of and that keeps the type, or makes up a picture, a
        sound or a film from words, a sound or a picture, or an address from a text that has none.
        """
        spec = self.graph.tools[tool]
        gives = {port.type for port in spec.outputs}
        takes = set(self.graph.needs[tool]) - SETTINGS
        if gives <= takes:
            return False
        if takes and takes <= DOCUMENTS and not any(value.type in (*takes, "url") for value in self.pool.values):
            return False  # a page or file into which a picture was put holds no words
        if intent.plural and takes <= {"image"} and any(port.many for port in main_inputs(spec)):
            return True  # several pictures make a film
        if set(intent.gives) & gives:
            return True
        if only_tells(takes, gives):
            return matches.get(tool, 0.0) >= _ASKED
        if matches.get(tool, 0.0) >= _APT:
            return True
        if not self.graph.needs[tool] or (spec.outside and takes <= {"text"}):
            return False  # nobody asked for anything out of nothing, nor to look for anything
        if takes == {"text"} and "url" in gives:
            return holds_address(self.pool.values)
        return not makes_up(takes, gives)


def _roots(source: Have | Made) -> frozenset[str]:
    """The values of the pool that go into it."""
    if isinstance(source, Have):
        return frozenset((source.name,)) if source.name else frozenset()
    return frozenset().union(*(_roots(inner) for _, inner in source.inputs))


def _soft(score: float) -> float:
    """A score that comes near 5 and never reaches it, so that of two good tools the better one wins."""
    return score if score <= 4.5 else 5.0 - 1.0 / (score - 2.5)


def finds(tool: ToolSpec) -> bool:
    """True for a tool that finds parts of a picture without being shown them."""
    return any(p.type in REGIONS for p in tool.outputs) and not any(p.type in REGIONS for p in tool.inputs)


@lru_cache(maxsize=8)
def _has_finder(graph: ToolGraph) -> bool:
    """True when a thing can be found by its name: looked for, or taken out of all that is found."""
    able = [tool for tool in graph.tools.values() if tool.quality >= READY]
    named = {
        type for type in REGIONS for t in selectors(graph, type) for p in t.inputs if p.type == "text" and describes(p)
    }
    return any(_looks_for(t) or (_finds_all(t) and named & {p.type for p in t.outputs}) for t in able)


def _finds_all(tool: ToolSpec) -> bool:
    return finds(tool) and not any(p.required and (p.type == "text" or p.picked_on) for p in tool.inputs)


def _looks_for(tool: ToolSpec) -> bool:
    """True for a tool that finds a part of a picture by a description in words."""
    return finds(tool) and any(p.required and is_instruction(p, tool) and describes(p) for p in tool.inputs)


def _held(source: Have | Made) -> bool:
    return isinstance(source, Have) and bool(source.name)


def holds_address(values: Sequence[Value]) -> bool:
    texts = [item for value in values for item in value.items if isinstance(item, str)]
    return any("://" in text or "www." in text for text in texts)
