"""How well the ports of a tool suit what there is: what kinds, how many, and whether something is pointed at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from desktop_app.plan.language.corrections import draws_box
from desktop_app.plan.language.discourse import KINDS_OF_PICTURES
from desktop_app.plan.language.type_roles import crops_to_thing
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.file_size import is_form, limit, size_port
from desktop_app.plan.ranking.tool_scores import Rated
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, SETTINGS, ToolGraph, fits, main_inputs, supertypes
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import READY, Request, ToolSpec

SPEAKS = 0.6
"""A tool speaks of what its title, its words or its first sentence name."""


@dataclass
class PortFitWeights:
    """What each counts; found by trial."""

    absent_near: float = -3.0  # ... which one tool could make
    absent: float = -6.0  # it works on something of which there is nothing, and which nobody speaks of
    groundless: float = -2.0  # something is to be made, there is nothing to make it from, and it needs that
    bridged: float = -0.7  # what it works on has to be made out of something else first
    bridged_named: float = -0.6  # the same, where the wording names it ("drop the sound" of a film)
    exact: float = 1.2  # it is made for just this kind of resource (a mask, boxes)
    blind: float = -1.5  # something is pointed at, and it knows no parts
    shapeless: float = -1.0  # the background is meant, and it has to be shown a part
    parts: float = 0.8  # something is pointed at, and it works on parts
    takes_it: float = 2.0  # it takes the very thing that was just made
    pair: float = 1.5  # it takes two parts, and two are named
    few: float = -2.0  # it takes two things, and there are more
    waiting: float = -0.2  # it cannot work now
    covers: float = 1.0  # files of several kinds are named, and it takes them all
    leaves_out: float = -1.2  # ... and it has no use for one of them
    speechless: float = -1.0  # words are quoted, and it takes none
    roundabout: float = -4.0  # it works on something else than what is named, and another tool on just that
    unshown: float = -0.8  # it has to be shown a place, and nobody offers to
    blemish: float = -1.5  # grain or the like is to be taken away, and it knows none
    part_named: float = 0.4  # something is to be taken away, and it takes away parts
    cut_to: float = 2.0  # a thing is named to be cropped to, and it crops to a part
    opposite: float = -4.0  # something is to be had, and it takes just that away
    another: float = 1.0  # it takes two things, and "another" is spoken of
    alone: float = -1.5  # it takes two things, and there is but one
    source_only: float = -3.0  # it makes what is only to be used
    conditioned: float = 2.0  # it makes a picture out of that
    circular: float = -2.0  # it needs a part to find a part, and none is there
    sized: float = 2.5  # a size is said that its file may have at most, and it can be told that
    unsized: float = -6.0  # ... but what is there would have to be made into something else first
    formed: float = 2.5  # a form of a file is said ("to mp3"), and it can be told that
    tells_not: float = -1.5  # something is asked, and it makes a picture, a sound or a film


WEIGHTS = PortFitWeights()


@dataclass(frozen=True)
class _Said:
    """What an intent says, whatever the tool: kinds of files that it names, whether it holds a quote, names a part of a
    picture, says that something is to be had, asks a question; and the blemishes that are to be removed.
    """

    kinds: frozenset[str]
    quotes: bool
    part: bool
    blemishes: Sequence[str]
    taken: bool
    asks: bool


class PortFitScorer:
    """Scores how well a tool's ports suit what a wish has: more is better. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self._sources = _sources_of(graph)
        self._cropping = frozenset(
            key for p in index.profiles.values() if p.weights.get("crop", 0.0) >= 0.6 for key in p.weights
        )
        self._titled = frozenset(key for profile in index.profiles.values() for key in profile.title)

    def suited(
        self,
        rated: Sequence[Rated],
        intent: Intent,
        at_hand: Collection[str],
        request: Request,
        last: Collection[str] = (),
    ) -> list[Rated]:
        """The ratings with what the ports say for or against each tool, best first. `last` are the types of the
        result before.
        """
        there = {t for t in at_hand if t not in INLINE}
        more = [self._more(self.graph.tools[r.tool], intent, at_hand, there, request) for r in rated]
        said = self._said(intent)
        more = [
            plus + self._answers(self.graph.tools[r.tool], intent, said) for r, plus in zip(rated, more, strict=True)
        ]
        if not last:
            more = [
                plus + _alone(self.graph.tools[r.tool], intent, request) for r, plus in zip(rated, more, strict=True)
            ]
        if intent.pronoun and not intent.plural:
            more = [plus + self._takes_it(self.graph.tools[r.tool], last) for r, plus in zip(rated, more, strict=True)]
        more = [plus + self._roundabout(r, rated, intent) for r, plus in zip(rated, more, strict=True)]
        changed = [Rated(r.tool, r.evidence + plus, r.words, r.alike) for r, plus in zip(rated, more, strict=True)]
        return sorted(changed, key=lambda r: (-r.evidence, r.tool))

    def _more(
        self, tool: ToolSpec, intent: Intent, at_hand: Collection[str], there: Collection[str], request: Request
    ) -> float:
        total = WEIGHTS.waiting * (tool.quality < READY)
        if there or request.resources:
            total += self._reach(tool, intent, at_hand)
            needed = {port.type for port in main_inputs(tool)}
            named = {*at_hand, *intent.takes}
            total += WEIGHTS.bridged * (needed in ({"text"}, {"number"}) and not needed & named and not intent.pronoun)
        elif "make" in intent.meanings and MEDIA & {*intent.gives}:
            total += WEIGHTS.groundless * any(p.type not in INLINE | SETTINGS for p in main_inputs(tool))
        total += WEIGHTS.exact * any(
            port.type == type and len(supertypes(type)) + (type in REGIONS) > 1
            for type in intent.takes
            if type in there
            for port in tool.inputs
        )
        elsewhere = (
            "background" in intent.meanings and self.index.profiles[tool.id].weights.get("background", 0.0) < 0.6
        )
        if "point_at" not in intent.meanings and elsewhere:
            total += WEIGHTS.shapeless * any(port.type in REGIONS for port in main_inputs(tool))
        if "point_at" in intent.meanings:
            shown = {"boxes"} if draws_box(intent) else set()
            parts = any(port.type in REGIONS - {"boxes"} | shown for port in tool.inputs)
            total += WEIGHTS.parts if parts else WEIGHTS.blind
        if limit(intent.text) is not None and size_port(tool) is not None:
            takes_it = any(fits(have, port.type) for have in at_hand for port in main_inputs(tool))
            total += WEIGHTS.sized if takes_it else WEIGHTS.unsized
        if is_form(tool, intent.text):
            total += WEIGHTS.formed * any(fits(have, port.type) for have in at_hand for port in main_inputs(tool))
        return total + self._number(tool, intent, request)

    def _roundabout(self, rated: Rated, rivals: Sequence[Rated], intent: Intent) -> float:
        """Against the sound's tool where a film is named, and a film's tool does the same."""
        named = {token.type for token in intent.mentions("file")} & MEDIA
        takes = {port.type for port in main_inputs(self.graph.tools[rated.tool])}
        if len(named) != 1 or named & {*takes, *intent.gives} or not takes <= {"text", "audio"} - {*intent.takes}:
            return 0.0
        keep = (r for r in rivals if r.words >= 0.4 * rated.words and self._works_on(r.tool, *named))
        return WEIGHTS.roundabout * any(self._gives(r.tool, *named) for r in keep)

    def _works_on(self, tool: str, type: str) -> bool:
        return any(fits(type, port.type) for port in main_inputs(self.graph.tools[tool]))

    def _gives(self, tool: str, type: str) -> bool:
        return any(fits(port.type, type) for port in self.graph.tools[tool].outputs)

    def _said(self, intent: Intent) -> _Said:
        roles = self.index.lexicon.roles
        parts = any(roles.get(key) == "parts" for key in intent.meanings)
        blemishes = [key for key in intent.meanings if roles.get(key) == "blemish"]
        return _Said(
            kinds=frozenset(token.type for token in intent.mentions("file")) - {"", "file"},
            quotes=bool(intent.mentions("quote")),
            part=parts and "background" not in intent.meanings and any(t.kind == "word" for t in intent.terms),
            blemishes=[key for key in blemishes if key in self._titled] if "remove" in intent.meanings else [],
            taken=any(t.kind == "action" and t.key == "take" for t in intent.terms) and "remove" not in intent.meanings,
            asks=asks(intent),
        )

    def _answers(self, tool: ToolSpec, intent: Intent, said: _Said) -> float:
        """For and against what the tool does with the files and quotes that the wording names, and with a question."""
        total = 0.0
        if len(said.kinds) > 1:
            left = sum(not any(fits(kind, port.type) for port in tool.inputs) for kind in said.kinds)
            total += WEIGHTS.leaves_out * left if left else WEIGHTS.covers
        if said.quotes and not any(port.type == "text" and not port.choices for port in tool.inputs):
            total += WEIGHTS.speechless
        if "point_at" not in intent.meanings and any(port.picked_on for port in tool.required):
            total += WEIGHTS.unshown
        if said.part:
            total += WEIGHTS.part_named * any(port.type in REGIONS for port in tool.required)
        total += WEIGHTS.cut_to * (self._cuts_parts(tool) and crops_to_thing(intent, self._cropping))
        total += WEIGHTS.opposite * (said.taken and self._is_opposite(tool, intent))
        total += WEIGHTS.blemish * self._overlooks(tool, said)
        makes = {port.type for port in tool.outputs}
        total += self._conditioned(tool, makes, intent)
        total += WEIGHTS.circular * self._is_circular(tool, makes, intent)
        changed = bool(makes) and not makes & INLINE and makes <= {port.type for port in main_inputs(tool)}
        pictures = all(type in MEDIA or fits(type, "image") for type in makes - REGIONS) and not makes & REGIONS
        shown = changed or pictures
        return total + WEIGHTS.tells_not * (shown and said.asks)

    def _cuts_parts(self, tool: ToolSpec) -> bool:
        parts = any(port.required and port.type in REGIONS for port in tool.inputs)
        return parts and self.index.profiles[tool.id].weights.get("crop", 0.0) >= SPEAKS

    def _overlooks(self, tool: ToolSpec, said: _Said) -> bool:
        """ "Get rid of the grain" is not for a tool that only takes things out of a picture."""
        title = self.index.profiles[tool.id].title
        return any(key not in title for key in said.blemishes)

    def _is_opposite(self, tool: ToolSpec, intent: Intent) -> bool:
        """ "Extract the vocals" is not for a tool called "Remove vocals"."""
        profile = self.index.profiles[tool.id]
        away = "remove" in profile.title and profile.weights.get("take", 0.0) < SPEAKS
        return away and bool(profile.title & {t.key for t in intent.terms if t.kind in ("task", "thing", "word")})

    @staticmethod
    def _conditioned(tool: ToolSpec, makes: Collection[str], intent: Intent) -> float:
        """ "A new picture with the depth of a.png": for the tool that takes it, against those that only make such."""
        kinds = {*intent.takes} & KINDS_OF_PICTURES
        if not kinds or "image" not in intent.gives or not makes:
            return 0.0
        if set(makes) <= KINDS_OF_PICTURES:
            return WEIGHTS.source_only
        return WEIGHTS.conditioned * any(port.type in kinds for port in main_inputs(tool))

    @staticmethod
    def _is_circular(tool: ToolSpec, makes: Collection[str], intent: Intent) -> bool:
        """True for a tool that makes masks of masks where a mask is wanted and none is spoken of as there."""
        wanted = {*makes} & REGIONS & {*intent.gives} - {*intent.takes}
        return any(port.type in wanted for port in main_inputs(tool))

    @staticmethod
    def _takes_it(tool: ToolSpec, last: Collection[str]) -> float:
        """For a tool that takes "it", such as the table that was just made, as it is. Pictures fit nearly anywhere."""
        kinds = {type for type in last if type not in {*MEDIA, *INLINE}}
        if not kinds:
            return 0.0
        return WEIGHTS.takes_it * any(fits(kind, port.type) for kind in kinds for port in main_inputs(tool))

    def _reach(self, tool: ToolSpec, intent: Intent, at_hand: Collection[str]) -> float:
        """Against a tool that works on what is not there."""
        needed = [p.type for p in main_inputs(tool) if p.type not in INLINE | REGIONS | SETTINGS]
        missing = [type for type in needed if not any(fits(have, type) for have in at_hand)]
        if not missing:
            return 0.0
        named = {*intent.takes, *intent.gives}
        if all(self._converted(type, at_hand) for type in missing):
            return WEIGHTS.bridged_named if any(type in named for type in missing) else WEIGHTS.bridged
        near = all(self.graph.reachable(at_hand).get(type, 9) == 1 for type in missing)
        return 0.0 if any(type in named for type in missing) else WEIGHTS.absent_near if near else WEIGHTS.absent

    def _converted(self, wanted: str, at_hand: Collection[str]) -> bool:
        """True when one tool that needs nothing else makes the type from what is there."""
        return any(fits(have, source) for source in self._sources.get(wanted, ()) for have in at_hand)

    def _number(self, tool: ToolSpec, intent: Intent, request: Request) -> float:
        """Three sounds do not go into a tool for two."""
        for type in dict.fromkeys(port.type for port in main_inputs(tool) if port.type not in INLINE):
            ports = [port for port in main_inputs(tool) if port.type == type]
            if len(ports) != 2 or any(port.many for port in ports):
                continue
            named = [token for token in intent.mentions("file") if fits(token.type, type)]
            if type in REGIONS and len(named) == 2:
                return WEIGHTS.pair
            attached = [given for given in request.resources if fits(given.type, type) and not given.earlier]
            if len(named or (attached if intent.plural else ())) > 2:
                return WEIGHTS.few
        return 0.0


def asks(intent: Intent) -> bool:
    """ "How fast is ...?", "is it sharp ...?": something is to be told, and nothing to be made."""
    words = [token.word for token in intent.tokens]
    if words[:1] and words[0] in _PREPOSITIONS:
        words = words[1:]
    return words[:1] != [] and words[0] in _QUESTIONING and not intent.joint and not intent.gives


def _alone(tool: ToolSpec, intent: Intent, request: Request) -> float:
    """Against a tool for two things of a kind where there is one, and no other is spoken of."""
    words = {token.word for token in intent.tokens}
    if words & _ANOTHER:
        pairs = any(sum(p.type == q.type for q in main_inputs(tool)) > 1 for p in main_inputs(tool) if p.type in MEDIA)
        return WEIGHTS.another * (pairs and bool(words & {"another", "second"}))
    names = {given.name for given in request.resources} | {t.text for t in intent.mentions("file")}
    types = {given.name: given.type for given in request.resources}
    types |= {token.text: token.type for token in intent.mentions("file") if token.text not in types}
    for type in dict.fromkeys(port.type for port in main_inputs(tool) if port.type in MEDIA):
        needs = sum(port.type == type for port in main_inputs(tool))
        if needs > 1 and sum(fits(types[name], type) for name in names) == 1:
            return WEIGHTS.alone
    return 0.0


def _sources_of(graph: ToolGraph) -> dict[str, frozenset[str]]:
    """For every type those out of which a tool makes it that needs nothing else; a picture out of words or figures
    is not converted.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for tool in graph.tools.values():
        inputs = main_inputs(tool)
        if len(inputs) == 1 and not makes_up({inputs[0].type}, {port.type for port in tool.outputs}):
            for type in {type for port in tool.outputs for type in supertypes(port.type)}:
                found[type].add(inputs[0].type)
    return {type: frozenset(sources) for type, sources in found.items()}


MEDIA = frozenset(("image", "audio", "video"))
_ANOTHER = frozenset(("another", "other", "second", "original", "result", "before"))
_QUESTIONING = frozenset(("how", "what", "what's", "which", "who", "when", "is", "are", "does", "do", "did", "why"))
_PREPOSITIONS = frozenset(("at", "in", "to", "from", "on", "for"))
_WRAPPED = frozenset(("html", "file"))
FACTS = frozenset(("table", "number", "labels"))


def makes_up(takes: Collection[str], gives: Collection[str]) -> bool:
    """True for a picture, sound or film out of something that holds none, or a page or file out of anything: nobody
    gets that without asking.
    """
    return (
        bool(takes)
        and set(takes) <= {"text", "audio", "image", *FACTS}
        and bool(set(gives) & MEDIA and not set(takes) & set(gives))
    )


def only_tells(takes: Collection[str], gives: Collection[str]) -> bool:
    """True for a tool that tells facts about a picture, a sound, a film or a text."""
    return bool(gives) and set(gives) <= FACTS and bool(set(takes) & {*MEDIA, "text"})
