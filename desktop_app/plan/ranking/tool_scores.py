"""How well a tool serves a wish (1 to 5), and how good a whole solution is (0 to 1), without a language model."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.language.types import KIND_WEIGHT, Intent, Term
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Solution, ToolSpec


@dataclass
class ScoreWeights:
    """What each kind of evidence counts; found by coordinate search on half of the development requests."""

    threshold: float = 1.0  # evidence below this does not make a wish of a piece of text
    title: float = 1.1
    gives: float = 0.6
    gives_not: float = -0.7
    takes: float = 0.5
    takes_not: float = -0.6
    converts: float = 0.5
    missing: float = -0.5  # an input has to be made by another tool first
    far: float = -0.8  # by several tools, or there is no way
    alone: float = -0.4  # a tool for texts where another thing is named and no text is there
    lead: float = 0.5  # the tool speaks of the first verb
    shape: float = -1.6  # the tool neither speaks of the first verb nor makes what that makes
    region: float = -3.0  # it only finds a part of the picture, and the first verb says something else
    file_not: float = -0.8  # a file is named, and the tool takes no such file
    takes_near: float = -0.2  # ... but what is named holds what it takes
    file_near: float = -0.3
    example: float = 3.0  # it is asked in nearly the words of one of its examples
    towards: float = 1.5  # it makes what the next words hand over
    coherent: float = 0.8  # words that it leaves over name a tool that feeds it
    continues: float = 0.3
    least_words: float = 0.3  # types alone say little: so much must come from special words
    stated: float = 3.2  # so much for what is only stated, halved as it is
    stated_quote: float = 1.8  # and beside a quote ("I have a question: ...")
    second: float = 2.4  # so much wording must be left over for a second tool in one piece of text


WEIGHTS = ScoreWeights()

ALIKE = 0.5
"""Words that have so much in common with an example of a tool ask for the tool."""


_HELD = frozenset(
    (
        ("video", "audio"),
        ("file", "text"),
        ("file", "table"),
        ("image", "text"),
        ("html", "text"),
        ("labels", "text"),
        ("number", "text"),
    )
)
"""What something of the one type holds of the other, or is easily put into."""

_WORDED = frozenset(("labels", "number"))

_OBTAINING = ("makes", "takes")


def _converts(intent: Intent) -> bool:
    """ "an image from the video": the wording itself names another type to come out than goes in."""
    return bool(intent.gives) and bool(intent.takes) and not set(intent.gives) & set(intent.takes)


@dataclass(frozen=True)
class Rated:
    """A tool with the evidence that it serves an intent; `words` is the part that comes from wording,
    `alike` is true when it is asked in nearly the words of one of its examples."""

    tool: str
    evidence: float
    words: float
    alike: bool = False


class Assessor:
    """Rates tools for intents by wording (through the index), title and types."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self._one_step = _conversions(graph)

    def rate(self, intent: Intent, at_hand: Collection[str] = (), last: Collection[str] = ()) -> list[Rated]:
        """Tools for the intent, best first.

        `at_hand` are the types that files, quotes and earlier results offer, `last` those of the result before.
        """
        found = self.index.match(intent.meanings)
        general = {k: w * self.index.rarity(k) for k, w in intent.meanings.items() if w <= KIND_WEIGHT["type"]}
        like = self.index.resembling(_said(intent), ALIKE)
        verb = self._verb(intent)
        rated = [
            self._rated(
                tool, words, words - self._match(tool, general), intent, verb, at_hand, last, like.get(tool, 0.0)
            )
            for tool, words in [*_best(found.items()), *((id, 0.0) for id in like if id not in found)]
        ]
        return sorted(rated, key=lambda r: (-r.evidence, r.tool))

    def _match(self, tool: str, worth: Mapping[str, float]) -> float:
        weights = self.index.profiles[tool].weights
        return sum(value * weights.get(key, 0.0) for key, value in worth.items())

    def _rated(
        self,
        tool: str,
        words: float,
        special: float,
        intent: Intent,
        verb: Term | None,
        at_hand: Collection[str],
        last: Collection[str],
        likeness: float,
    ) -> Rated:
        """`special` is the part of `words` that comes from more than general verbs."""
        if special < WEIGHTS.least_words and not likeness and not self._does(tool, intent):
            return Rated(tool, 0.0, words)
        evidence = words + WEIGHTS.title * self.index.titled(tool, intent.meanings)
        fit = self._types(tool, intent, at_hand) + self._continues(tool, intent, last)
        evidence += fit + self._leads(tool, intent, verb)
        evidence += WEIGHTS.example * likeness
        if intent.stating:
            evidence *= 0.5
        return Rated(tool, evidence, words, bool(likeness))

    def _continues(self, tool: str, intent: Intent, last: Collection[str]) -> float:
        """A little for a tool that goes on with the result before, where the wording does not say with what."""
        if set(intent.takes) - {"text"} or not last:
            return 0.0
        takes = [port.type for port in self.graph.tools[tool].inputs]
        return WEIGHTS.continues * any(fits(given, own) for given in last for own in takes)

    def _does(self, tool: str, intent: Intent) -> bool:
        """With general verbs only: the tool does that ("generates"), to or towards the types that are named."""
        spec = self.graph.tools[tool]
        gives = any(fits(port.type, want) for port in spec.outputs for want in intent.gives)
        takes = any(fits(have, port.type) for port in spec.inputs for have in intent.takes)
        if _converts(intent) and gives and takes:
            return True
        weights = self.index.profiles[tool].weights
        actions = [k for k, w in intent.meanings.items() if w == KIND_WEIGHT["action"]]
        if any(weights.get(k, 0.0) >= 0.5 for k in actions):
            return gives or (takes and not intent.gives)
        roles = self.index.lexicon.roles
        obtains = any(roles.get(k) in _OBTAINING for k in actions)
        return obtains and gives and any(roles.get(k) in _OBTAINING and w >= 0.5 for k, w in weights.items())

    def _types(self, tool: str, intent: Intent, at_hand: Collection[str]) -> float:
        spec = self.graph.tools[tool]
        takes = {port.type for port in spec.inputs}
        gives = [port.type for port in spec.outputs]
        named = {token.type for token in intent.mentions("file")} - INLINE - {""}
        total = 0.0
        if intent.gives:
            fit = any(fits(own, want) for own in gives for want in intent.gives)
            total += WEIGHTS.gives if fit else WEIGHTS.gives_not
        if intent.takes and not ("load" in intent.meanings and "url" in takes):
            fit = any(fits(have, own) for own in takes for have in intent.takes)
            near = not fit and self._leads_into({*named, *(_WORDED & {*intent.takes})}, takes)
            total += WEIGHTS.takes if fit else WEIGHTS.takes_near if near else WEIGHTS.takes_not
        if _converts(intent) and any(fits(own, want) for own in gives for want in intent.gives):
            total += WEIGHTS.converts * any(fits(have, own) for own in takes for have in intent.takes)
        if named and not any(fits(have, own) for own in takes for have in named) and "load" not in intent.meanings:
            total += WEIGHTS.file_near if self._leads_into(named, takes) else WEIGHTS.file_not
        return total + self._feasible(spec, intent, at_hand)

    def _leads_into(self, named: Collection[str], takes: Collection[str]) -> bool:
        """True when one tool makes what is taken out of a named file: the sound of a film, the text of a document."""
        return any((have, own) in self._one_step for have in named for own in takes)

    def _feasible(self, tool: ToolSpec, intent: Intent, at_hand: Collection[str]) -> float:
        """Less for a tool whose inputs are not there and have to be made."""
        if not at_hand:
            return 0.0
        types = {port.type for port in main_inputs(tool)}
        reach = self.graph.reachable(at_hand)
        other = set(intent.takes) - INLINE
        far = max((reach.get(type, 9) for type in (types if other else types - INLINE) - SETTINGS), default=0)
        total = 0.0 if far == 0 else WEIGHTS.missing if far == 1 else WEIGHTS.far * (1 + (far == 9))
        if types == {"text"} and "text" not in at_hand:
            total += WEIGHTS.alone * (len(main_inputs(tool)) > 1 or bool(other))
        return total

    def _is_verb(self, term: Term) -> bool:
        """True for a word that says what to do; "faces" says on what."""
        return term.kind == "action" or (term.kind == "task" and term.key in self.index.lexicon.signatures)

    def _finds_named(self, tool: str, intent: Intent) -> bool:
        """ "Which objects are in a.png": to find them is what is asked."""
        if any(port.picked_on for port in self.graph.tools[tool].inputs):
            return False
        tasks = (key for key, weight in intent.meanings.items() if weight >= KIND_WEIGHT["task"])
        return any(self.index.profiles[tool].weights.get(key, 0.0) >= 0.6 for key in tasks)

    def _known_verb(self, verb: Term, intent: Intent) -> Term | None:
        """ "The total number of": of an operation that no tool knows the next one that gives the same."""
        own = self.index.lexicon.signatures.get(verb.key)
        for term in intent.terms if own is not None and "number" in own.gives else ():
            other = self.index.lexicon.signatures.get(term.key)
            if term.kind == "task" and other and "number" in other.gives and self.index.rarity(term.key):
                return term
        return None

    def _verb(self, intent: Intent) -> Term | None:
        """The first verb of the wish."""
        verb = next((t for t in intent.terms if t.key in intent.meanings and self._is_verb(t)), None)
        if verb is not None and not self.index.rarity(verb.key):
            return self._known_verb(verb, intent) or verb
        return verb

    def _leads(self, tool: str, intent: Intent, verb: Term | None) -> float:
        """For the `verb` of the wish; against tools that only find a part of the picture when it says more."""
        lead = verb.key if verb else ""
        weight = self.index.profiles[tool].weights.get(lead, 0.0)
        outputs = {port.type for port in self.graph.tools[tool].outputs}
        place = "whereabouts" in intent.meanings  # "where is the cat?": a part of the picture is what is asked for
        asked = any(fits(output, want) for output in outputs for want in intent.gives if want in REGIONS)
        asked |= verb is None and self._finds_named(tool, intent)
        aside = bool(outputs) and outputs <= REGIONS and weight < 0.5 and not place and not asked
        region = WEIGHTS.region * aside
        signature = self.index.lexicon.signatures.get(lead) if verb and verb.first < 3 else None
        wanted = signature.gives if signature else ()
        if wanted and weight < 0.5 and not any(fits(output, want) for output in outputs for want in wanted):
            return WEIGHTS.shape + region
        return WEIGHTS.lead * weight + region


def _said(intent: Intent) -> list[str]:
    """The stems of the wording, in English where the lexicon knows the English words."""
    foreign = [term for term in intent.terms if term.english]
    places = {place for term in foreign for place in range(term.first, term.last + 1)}
    own = [t for place, t in enumerate(intent.tokens) if place not in places and t.kind == "word" and len(t.word) > 1]
    return [*(stem(token.word) for token in own), *(word for term in foreign for word in term.english.split())]


def _conversions(graph: ToolGraph) -> frozenset[tuple[str, str]]:
    """Pairs of types of which a tool takes the one alone and gives the other."""
    found: set[tuple[str, str]] = set()
    for tool in graph.tools.values():
        inputs = main_inputs(tool)
        if len(inputs) == 1 and (inputs[0].type, tool.outputs[0].type if tool.outputs else "") in _HELD:
            found.add((inputs[0].type, tool.outputs[0].type))
    return frozenset(found)


def _best(found: Iterable[tuple[str, float]], most: int = 40) -> list[tuple[str, float]]:
    return heapq.nlargest(most, found, key=lambda pair: pair[1])


def ranked(solutions: Sequence[Solution], most: int = 5) -> tuple[Solution, ...]:
    """The solution expert: best first, those at 3 of 5 or above (but always the first given), at most `most`."""
    first = solutions[0]
    rest = [s for s in solutions[1:] if s.score >= 0.5]
    ordered = sorted(rest, key=lambda solution: -solution.score)
    capped = [replace(s, score=min(s.score, first.score - 0.01)) for s in ordered]
    return tuple([first, *capped][:most])
