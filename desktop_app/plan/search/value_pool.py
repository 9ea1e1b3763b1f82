"""What there is to feed inputs with: files, addresses, quotes, earlier results; and how well each fits a port.

Knows no search; takes only what the request or an earlier step offers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.plan.language.coreference import comes_back, introduction
from desktop_app.plan.language.corrections import BESIDE
from desktop_app.plan.language.file_choice import left_out_by_name
from desktop_app.plan.language.tokenizer import Token, plain_words, stem
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, fits
from desktop_app.plan.tools.tool_index import GUIDES
from desktop_app.plan.types import FromResource, PortSpec, Request, ToolSpec

_ONTO = frozenset(("onto", "over", "on", "of", "into"))
_ATTACHED, _EARLIER = -1, -2
_HALF, _UNTOLD = 0.5, 0.3
"""More probable than not; and how probable it is that a wish takes what another has made, where nothing is told."""


@dataclass
class PoolWeights:
    """What speaks for a value at a port; found by coordinate search on half of the development requests."""

    near: float = 6.0  # the wish itself names or makes it
    referred: float = 6.0  # the wish speaks of it as something that is there
    same_type: float = 0.3
    beside: float = -4.0  # "as a sketch and as a watercolour": both of the same picture
    region: float = -2.0  # a part of a picture, where a picture is wanted
    ground: float = 0.5  # on it something is to be put
    derived: float = -0.9  # a fact about its input is not another form of it
    derived_text: float = -1.0  # even less where "the text" is spoken of
    made: float = 4.0
    older: float = -0.5  # for each wish between
    also: float = -0.2  # "also ..." begins anew
    going_on: float = 1.0  # "it", "then ..."
    fresh_part: float = 1.8  # nothing has taken it yet, and the tool joins things
    stale_part: float = -1.5
    stale: float = -0.3
    given: float = 2.6
    given_older: float = -0.1
    given_later: float = -1.0  # only a later wish names it
    own_name: float = 2.0  # the wish speaks of what the file is called
    introduced: float = 5.0  # ... or in the very words with which it was brought in ("the noisy recording")
    given_used: float = -1.2
    given_earlier: float = -0.3
    guide_given: float = -3.9  # an instruction that the wording does not name
    guide_said: float = -0.5  # "based on ...", "according to ..."
    guide_fresh: float = -3.0
    guide_needless: float = -6.0  # the wording itself says how
    found: float = -2.0  # "find articles and pictures": both on what was there before
    replaced: float = -6.0
    filed: float = 5.0  # ... and that it works on that file
    linked: float = 5.0  # the tagger is sure that the wish takes what that one made
    original: float = 5.0  # "the original picture": the first of its kind


WEIGHTS = PoolWeights()


@dataclass
class Value:
    """Something that can feed inputs: `items` are one or several parallel things of one type.

    `turn` is the number of the intent that brought or made it (-1: attached and not named, -2: from an earlier turn
    of the conversation). `keys` are the meanings of the wish that made it, `made` is true for results, `used` counts
    how often it fed something, `derived` marks facts about something (its mood, its keywords), `ground` a file
    on which something is to be put ("onto flyer.jpg"), `ending` for an address the type that its ending tells,
    `again` the intents that name it once more, `told` the words that brought it in ("a noisy recording a.wav"),
    `replaced` is true once something made of it beforehand goes in its place, `found` for what a search has found,
    `way` for what was made only so that a wish's own tool could work on it (the text of a document).
    """

    items: tuple[Any, ...]
    type: str
    turn: int
    keys: frozenset[str] = frozenset()
    made: bool = False
    used: int = 0
    derived: bool = False
    ground: bool = False
    ending: str = ""
    again: frozenset[int] = frozenset()
    told: frozenset[str] = frozenset()
    replaced: bool = False
    found: bool = False
    way: bool = False

    def is_of(self, turn: int) -> bool:
        """True when this intent brought, made or named it."""
        return turn in (self.turn, *self.again)


class ValuePool:
    """The values of one solution in the making; grows as the request is read and steps are added."""

    def __init__(self, graph: ToolGraph, request: Request, intents: Sequence[Intent], guidance: Guidance) -> None:
        self.graph = graph
        self.given = {given.name: given for given in request.resources}
        self.values: list[Value] = []
        self.searching = False
        self._sources = guidance.sources
        self.files = guidance.files
        self._contents = guidance.either
        self._next = {intent.index for intent in intents if intent.joint == "then"}
        self.heard: dict[int, list[Token]] = {}
        self.left_out = frozenset(left_out_by_name(request.text, request.resources))
        """Names of files that no wish brings; those that all else is surely said without are gone."""
        named = {token.text for intent in intents for token in intent.mentions("file", "url", "output")}
        for given in request.resources:
            if given.name not in named:
                turn = _EARLIER if given.earlier else _ATTACHED
                self.values.append(Value((FromResource(given.name),), given.type, turn))

    def hear(self, intent: Intent, turn: int) -> None:
        """Takes in the files, addresses and quotes that an intent names, as belonging to the intent number `turn`."""
        self.heard.setdefault(turn, []).extend(intent.tokens)
        for place, token in enumerate(intent.tokens):
            if token.kind not in ("file", "url", "quote") or token.text in self.left_out:
                continue
            value = self._named(token.kind, token.text, token.type, turn)
            if value is not None:
                value.ground = place > 0 and intent.tokens[place - 1].word in _ONTO
                value.told = introduction(intent.tokens, place) if token.kind == "file" else frozenset()
                self.values.append(value)

    def hear_between(self, tokens: Sequence[Token], intents: Sequence[Intent]) -> None:
        """Takes in the addresses and quotes that no wish has, as belonging to the nearest one before, or the first."""
        own = {token.start for intent in intents for token in intent.tokens}
        for token in tokens:
            if token.kind not in ("url", "quote") or token.start in own:
                continue
            before = [i.index for i in intents if i.tokens and i.tokens[0].start < token.start]
            value = self._named(token.kind, token.text, token.type, before[-1] if before else _ATTACHED)
            if value is not None:
                self.values.append(value)

    def forget(self, texts: Collection[str]) -> None:
        """Takes out quotes that went to a port of their own."""
        self.values = [value for value in self.values if not (value.type == "text" and value.items[0] in texts)]

    def _named(self, kind: str, text: str, type: str, turn: int) -> Value | None:
        if kind == "quote":
            return Value((text,), "text", turn)
        if kind == "url" and "url" in self.graph.types:
            return Value((text,), "url", turn, ending=type)
        given = self.given.get(text)
        known = next((v for v in self.values if FromResource(text) in v.items), None)
        if known is not None:
            known.again |= {turn}
            return None
        return Value((FromResource(text),), given.type if given else type or "file", turn)

    def stand_in(self, made: Value, sources: Iterable[Value], intent: Intent) -> None:
        """What a wish made that comes before others goes wherever the thing that it was made of was to go. So it is,
        too, where only the next step names the file ("blur the man, then rotate a.jpg").
        """
        later = self._next - {intent.index}
        for source in sources:
            ahead = intent.ahead or (not source.made and source.turn in later)
            if not ahead or made.type != source.type or made.derived:
                continue
            turns = source.again if source.made else {source.turn, *source.again}
            made.again |= {turn for turn in turns if turn >= 0}
            source.turn, source.again = source.turn if source.made else _EARLIER, frozenset()
            source.replaced = True

    def candidates(
        self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]
    ) -> list[tuple[float, Value]]:
        """The values that fit the port and feed no other port of the step (`taken`), the likeliest first."""
        free = [v for v in self.values if fits(v.type, port.type) and not any(v is other for other in taken.values())]
        rated = [(self._affinity(value, port, tool, intent), place, value) for place, value in enumerate(free)]
        # Of equally likely values the newest, but the first of the files and quotes that are named together.
        several = self.joins(port, tool)
        ordered = sorted(rated, key=lambda r: (-r[0], r[1] if (r[2].turn >= 0 and not r[2].made) or several else -r[1]))
        return [(affinity, value) for affinity, _, value in ordered]

    def _affinity(self, value: Value, port: PortSpec, tool: ToolSpec, intent: Intent) -> float:
        """How likely the wording means this value for this port; the numbers were found by trial."""
        referred = bool(value.keys & set(intent.refers))
        spent = self.joins(port, tool) and bool(value.used) and not value.made  # a part was made out of it
        near = (value.turn == intent.index or (intent.index in value.again)) and not spent
        score = WEIGHTS.near * near + WEIGHTS.referred * referred + WEIGHTS.same_type * (value.type == port.type)
        if BESIDE in intent.meanings and value.made and not near and not referred:
            score += WEIGHTS.beside
        score += self._as_result(value, port, tool, intent) if value.made else _as_given(value, intent)
        score += self._as_source(value, port, tool, intent)
        score += WEIGHTS.region * (value.type in REGIONS and port.type not in REGIONS)
        if self.joins(port, tool) and port == next(p for p in tool.inputs if p.type == port.type):  # what is worked on
            score += WEIGHTS.ground * (value.ground or (port.type == "text" and not isinstance(value.items[0], str)))
        if value.derived and not referred:
            score += WEIGHTS.derived + WEIGHTS.derived_text * ("text" in intent.definite)
        if is_instruction(port, tool) and not near and not referred:
            score += 0.0 if intent.pronoun and self.is_newest(value) else _unguided(value, tool, intent)
        if value.told and not value.made and not value.used and not near:
            score += WEIGHTS.introduced * (comes_back(value.told, intent.tokens) > 0)
        score += WEIGHTS.replaced * value.replaced
        if value.found and self.searching and not referred and not intent.pronoun:
            score += WEIGHTS.found
        if intent.original and value is next((v for v in self.values if fits(v.type, port.type)), None):
            score += WEIGHTS.original
        return score

    def _as_result(self, value: Value, port: PortSpec, tool: ToolSpec, intent: Intent) -> float:
        score = WEIGHTS.made + WEIGHTS.older * min(intent.index - max(value.turn, _ATTACHED), 8)
        score += WEIGHTS.also * (intent.joint == "also" and not intent.pronoun)
        score += WEIGHTS.going_on * (intent.pronoun or intent.joint in ("then", "using", "inner", ""))
        if self.joins(port, tool):
            return score + (WEIGHTS.stale_part if value.used else WEIGHTS.fresh_part)
        return score + WEIGHTS.stale * bool(value.used)

    def joins(self, port: PortSpec, tool: ToolSpec) -> bool:
        """True when the tool needs several things of the port's type."""
        return port in (needed := self.needed(tool, port.type)) and len(needed) > 1

    def needed(self, tool: ToolSpec, type: str) -> list[PortSpec]:
        """The inputs that have to be fed with things of that very type; of texts not those that are typed: the language
        of a translation, the question about a text.
        """
        found = [port for port in tool.inputs if port.required and port.type == type and not port.choices]
        if type != "text" or not self._contents:
            return found
        several = [port for port in found if port.many]
        return several or [port for port in found if f"{tool.id}.{port.name}" in self._contents] or found[:1]

    def _as_source(self, value: Value, port: PortSpec, tool: ToolSpec, intent: Intent) -> float:
        """What the tagger says for the value, where it has read which wish takes what another makes."""
        likely = self._sources.get(intent.index)
        shares = self.files.get(intent.index, {})
        known = [shares[one.name] for one in value.items if isinstance(one, FromResource) and one.name in shares]
        if known and not value.made:
            return WEIGHTS.filed * (2 * sum(known) / len(known) - 1)
        typed = not value.made and isinstance(value.items[0], str)
        if not likely or (value.turn == intent.index and not typed):
            return 0.0
        if value.made and not value.way:
            return WEIGHTS.linked * (2 * likely.get(value.turn, _UNTOLD) - 1)
        apart = len([p for p in tool.inputs if p.required and p.type == value.type]) > 1 or joins_many(tool)
        rivals = [likely.get(v.turn, 0.0) for v in self.values if v.made and not v.way and fits(v.type, port.type)]
        return WEIGHTS.linked * (1 - 2 * max(rivals)) if rivals and not apart else 0.0

    def is_handed(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True for an input, otherwise typed, which alone can take what another wish makes for this one."""
        likely = self._sources.get(intent.index, {})
        linked = [v for v in self.values if v.made and likely.get(v.turn, 0.0) > _HALF and fits(v.type, port.type)]
        others = [other for other in tool.inputs if other.required and other is not port]
        return port.required and any(all(not fits(v.type, o.type) for o in others) for v in linked)

    def is_meant(self, value: Value, intent: Intent) -> bool:
        """True for a part of a picture where the tagger finds that this wish takes what another has made, and that has
        made nothing else.
        """
        linked = self._sources.get(intent.index, {}).get(value.turn, 0.0) > _HALF
        whole = any(v.made and v.turn == value.turn and v.type not in REGIONS for v in self.values)
        return value.turn != intent.index and linked and not whole

    def is_newest(self, value: Value) -> bool:
        """True for what was made last, which "it" means."""
        made = [other for other in self.values if other.made]
        return bool(made) and value is made[-1] and not value.used

    def many(self, found: Sequence[tuple[float, Value]], port: PortSpec, intent: Intent) -> Value | None:
        """All values of the best kind for a port that takes any number."""
        if port.type not in REGIONS:  # the mask of a blurred face is no picture for the slideshow
            found = [pair for pair in found if pair[1].type not in REGIONS] or found
        if not found:
            return None
        named = [v for _, v in found if v.turn == intent.index]
        fresh = [v for _, v in found if v.made and not v.used and not v.derived]
        if not named and intent.plural and len(fresh) > 1 and found[0][1].made:
            named = fresh  # "all three in one picture"
        likely = self._sources.get(intent.index, {})
        linked = [v for _, v in found if v.made and not v.way and likely.get(v.turn, 0.0) > _HALF]
        linked = [v for v in linked if v.turn != intent.index]
        if linked:
            named = [*(v for v in named if v not in linked), *linked]
        group = named or ([found[0][1]] if found[0][1].made else [v for _, v in found if not v.made])
        ordered = sorted(group, key=self.values.index)
        for value in ordered[1:]:
            value.used += 1
        return Value(tuple(item for v in ordered for item in v.items), port.type, ordered[0].turn)

    def all_like(self, value: Value, intent: Intent) -> Value:
        """What is given beside the value and is of its kind, as one, where several are meant."""
        group = [v for v in self.values if v.type == value.type and not v.made] if not value.made else []
        if not intent.plural or len(group) < 2:
            return value
        return Value(tuple(item for v in group for item in v.items), value.type, value.turn)

    def gather_parallel(self, tool: ToolSpec, intent: Intent) -> None:
        """Several files that the wording treats alike become one parallel value; "the second picture" stays one."""
        for type in dict.fromkeys(value.type for value in self.values if not value.made):
            ports = [port for port in tool.inputs if port.required and fits(type, port.type) and not port.choices]
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

    def merge_all(self, intent: Intent) -> None:
        """What is given becomes one parallel value for each type: all of it goes into one tool in the end."""
        for type in dict.fromkeys(value.type for value in self.values if not value.made):
            given = [v for v in self.values if v.type == type and not v.made]
            named = [v for v in given if v.turn == intent.index] or given
            if len(named) > 1:
                self._merge(named)

    def split_parallel(self, tool: ToolSpec) -> None:
        """For a tool that takes two things of a type, a parallel value becomes single ones."""
        for port in [p for p in tool.inputs if p.required and self.joins(p, tool) and not p.many]:
            for value in [v for v in self.values if len(v.items) > 1 and fits(v.type, port.type)]:
                place = next(i for i, other in enumerate(self.values) if other is value)
                self.values[place : place + 1] = [replace(value, items=(item,)) for item in reversed(value.items)]

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


def joins_many(tool: ToolSpec) -> bool:
    """True for a tool that takes any number of things."""
    return any(port.many and port.required for port in tool.inputs)


def _as_given(value: Value, intent: Intent) -> float:
    score = WEIGHTS.given + WEIGHTS.given_older * min(intent.index - max(value.turn, _ATTACHED), 8)
    score += WEIGHTS.given_later * (value.turn > intent.index) + WEIGHTS.own_name * _is_called_so(value, intent)
    return score + WEIGHTS.given_used * min(value.used, 2) + WEIGHTS.given_earlier * (value.turn == _EARLIER)


def _is_called_so(value: Value, intent: Intent) -> bool:
    """ "Cut out the dog", with a file dog.jpg."""
    names = {item.name for item in value.items if isinstance(item, FromResource)}
    called = {word for name in names for word in plain_words(name.rpartition(".")[0]) if len(word) > 2}
    return bool(called & {token.word for token in intent.tokens if token.kind == "word"})


def _unguided(value: Value, tool: ToolSpec, intent: Intent) -> float:
    """What speaks against a value as an instruction that the wording does not name."""
    if not value.made:
        return WEIGHTS.guide_given
    if any(token.word in GUIDES for token in intent.tokens):
        return WEIGHTS.guide_said
    if _tells_itself(intent, tool):
        return WEIGHTS.guide_needless
    return WEIGHTS.guide_given if value.used else WEIGHTS.guide_fresh


def _tells_itself(intent: Intent, tool: ToolSpec) -> bool:
    """ "Add *reverb*", "at *half* the speed": the wording says how, beyond the name of the tool."""
    title = {stem(word)[:6] for word in plain_words(tool.title)}
    exact = (t.key for t in intent.terms if t.kind == "exact")
    return bool(intent.mentions("number")) or any(not {*key.split("=")} - {""} <= title for key in exact)


def is_instruction(port: PortSpec, tool: ToolSpec) -> bool:
    """True for a text that tells how, beside the resource that is worked on."""
    return port.type == "text" and any(other.required and other.type not in INLINE for other in tool.inputs)
