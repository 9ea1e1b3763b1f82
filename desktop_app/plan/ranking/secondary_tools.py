"""A second operation in the same piece of text, and pieces that only give settings to the tool before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.language.tokenizer import Token
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.port_fit import PortFitScorer
from desktop_app.plan.ranking.tool_scores import WEIGHTS, Assessor, Rated
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Request, ToolSpec

_MEDIA = frozenset(("image", "audio", "video", "html"))
_ASKING = frozenset(("what", "what's", "which", "who", "where", "when"))
_KNOWN = 0.3
_TELLING = 0.6
"""A single word ("aloud") tells how to hand a result over: so much of the usual wording is enough for it."""


class SecondaryTools:
    """Finds a second tool for a wish that asks for two things. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index, assessor: Assessor, suitor: PortFitScorer) -> None:
        self.graph = graph
        self.index = index
        self.assessor = assessor
        self.suitor = suitor

    def second(
        self, intent: Intent, best: Rated, before: Collection[str], at_hand: Collection[str], request: Request
    ) -> tuple[Intent, Rated] | None:
        """The part of the intent that the best tool leaves unexplained, with the tool for it; None when nothing is
        left or a tool in `before` does it.
        """
        left = self._left(intent, best, request)
        if not left:
            return None
        handed = [key for key in left if self._hands_over(key, intent, best)]
        least = WEIGHTS.second * (_TELLING if handed else 1.0)
        part = replace(intent, meanings=left, gives=(), takes=(), refers=())
        able = {r.tool for r in self.assessor.rate(part, at_hand) if r.words >= least}
        exact = replace(part, meanings=left | _very_words(left, intent))
        rated = [r for r in self.assessor.rate(exact, at_hand) if r.tool in able] if able else []
        if handed:
            rated = [r for r in rated if r.tool != best.tool]
            rated = [r for r in rated if self._takes_from(best.tool, r.tool)] or rated
        rated = self.suitor.suited(rated, part, {*at_hand, *self._outputs(best.tool)}, request)
        if not rated or rated[0].tool in (best.tool, *before) or self._qualifies(rated[0].tool, best.tool):
            return None
        return part, rated[0]

    def maker(
        self, intent: Intent, best: Rated, following: Sequence[Intent], at_hand: Collection[str]
    ) -> tuple[Intent, Rated] | None:
        """ "A film on the summary of ...": the thing that is wanted, where the best tool only does what stands beside
        it; the tool takes what the best one makes. None where nothing such is wanted.
        """
        wanted = [type for type in intent.gives[:1] if type in _MEDIA]
        made = self._outputs(best.tool)
        if not wanted or intent.stating or any(fits(type, wanted[0]) for type in made):
            return None
        if not _names_thing(wanted[0], intent):
            return None
        if [*made] == ["file"] and any(p.required and p.type == wanted[0] for p in self.graph.tools[best.tool].inputs):
            return None  # the file is the thing: a picture saved as a jpg
        if any(wanted[0] in (*other.gives, *other.takes) and not other.stating for other in following):
            return None  # what follows makes it
        profile = self.index.profiles[best.tool]
        left = {k: w for k, w in intent.meanings.items() if profile.weights.get(k, 0.0) < 0.5 or k in wanted}
        verbs = {t.key for t in intent.terms if t.kind == "action"}
        left |= {k: w for k, w in intent.meanings.items() if k in verbs}
        part = replace(intent, meanings=left, gives=(wanted[0],), takes=tuple(made), refers=tuple(profile.title))
        for rated in self.assessor.rate(part, {*at_hand, *made}):
            if rated.evidence < WEIGHTS.threshold:
                break
            tool = self.graph.tools[rated.tool]
            takes = any(fits(type, port.type) for type in made for port in main_inputs(tool))
            if takes and any(fits(type, wanted[0]) for type in self._outputs(rated.tool)):
                return part, rated
        return None

    def only_tells_how(self, intent: Intent, first: Intent, tool: str, request: Request) -> bool:
        """ "A red frame, 30 pixels thick": words that fill settings of the tool before are no wish of their own."""
        if intent.sentence != first.sentence or intent.joint in ("then", "also", "after") or intent.mentions("file"):
            return False
        spoken = self._settings_in(self.graph.tools[tool], (*first.tokens, *intent.tokens), request)
        telling = [t for t in intent.terms if t.kind in ("task", "thing", "word", "action")]
        open_ = [t for t in telling if not any(intent.tokens[i].start in spoken for i in range(t.first, t.last + 1))]
        weights = self.index.profiles[tool].weights
        does = any(t.kind == "action" and t.first == 0 for t in open_)
        if does and any(t.kind == "thing" and weights.get(t.key, 0.0) < _KNOWN for t in open_):
            return False  # "add a white border", where only "white" would be a setting
        return bool(telling) and len(open_) < len(telling) and not any(t.kind == "task" for t in open_)

    def _left(self, intent: Intent, best: Rated, request: Request) -> dict[str, float]:
        """The operations that the best tool does not explain, and that are no settings of it."""
        tasks = {t.key for t in intent.terms if t.kind == "task" and self._operates(t.key)}
        left = {
            key: weight
            for key, weight in intent.meanings.items()
            if key in tasks and not self._is_explained(key, best.tool)
        }
        weights = self.index.profiles[best.tool].weights
        known = [t for t in intent.terms if t.kind == "task" and t.key not in left]
        done = {(t.first, t.last) for t in known if weights.get(t.key, 0.0) >= 0.5}
        twice = {t.key for t in intent.terms if (t.first, t.last) in done}  # "shorten" is said of texts and of films
        left = {key: weight for key, weight in left.items() if key not in twice}
        if any(key not in left and self.index.profiles[best.tool].weights.get(key, 0.0) >= 0.5 for key in tasks):
            roles = self.index.lexicon.roles  # in "remove the noise" the verb belongs to what is done
            left = {key: weight for key, weight in left.items() if roles.get(key) != "parts"}
        if not left:
            return {}
        spoken = self._settings_in(self.graph.tools[best.tool], intent.tokens, request)
        return {key: weight for key, weight in left.items() if not _is_setting(key, intent, spoken)}

    def _is_explained(self, key: str, tool: str) -> bool:
        return self._is_done(key, tool) and self._makes(key, tool)

    def _operates(self, key: str) -> bool:
        """True when the lexicon knows what the operation makes; "faces" only says on what something works."""
        signature = self.index.lexicon.signatures.get(key)
        return signature is not None and bool(signature.gives)

    def _is_done(self, key: str, tool: str) -> bool:
        """True when the tool speaks of the operation; where it makes something else, examples alone do not say so."""
        gives = self.index.lexicon.signatures[key].gives
        makes = any(fits(given, type) for given in self._outputs(tool) for type in gives)
        return self.index.profiles[tool].weights.get(key, 0.0) >= (0.5 if makes else 0.6)

    def _makes(self, key: str, tool: str) -> bool:
        """False where the operation of this name turns something into a picture, a sound or a film, and the tool gives
        only words; or where it gives a number, and the tool none.
        """
        signature = self.index.lexicon.signatures[key]
        outputs = self._outputs(tool)
        if "number" in signature.gives and not signature.takes:
            return any(type in INLINE for type in outputs)
        if not signature.takes or signature.takes & signature.gives or not signature.gives <= _MEDIA:
            return True
        return any(type not in INLINE for type in outputs)

    def _hands_over(self, key: str, intent: Intent, best: Rated) -> bool:
        """ "Aloud", "how many": one word that tells in which form the result is wanted. "What does it say" does not."""
        gives = self.index.lexicon.signatures[key].gives
        if "number" in gives:
            return not self._makes(key, best.tool)
        tells = all(type not in _MEDIA for type in self._outputs(best.tool))
        return tells and gives <= _MEDIA and intent.tokens[0].word not in _ASKING

    def _takes_from(self, tool: str, taker: str) -> bool:
        """True when the taker works on what the tool makes, and that is no mere text or number."""
        made = self._outputs(tool) - INLINE
        return any(fits(type, port.type) for type in made for port in main_inputs(self.graph.tools[taker]))

    def _qualifies(self, second: str, first: str) -> bool:
        """True when the second tool only says on what the first one works: it makes a region, or feeds an option."""
        optional = {port.type for port in self.graph.tools[first].inputs if not port.required}
        return bool(self._outputs(second) & (REGIONS | (optional - INLINE)))

    def _outputs(self, tool: str) -> set[str]:
        return {port.type for port in self.graph.tools[tool].outputs}

    def _settings_in(self, tool: ToolSpec, tokens: Iterable[Token], request: Request) -> set[int]:
        """Where the words begin from which the settings of the tool are read."""
        clause = Clause.of(request.text, tokens)
        ports = [port for port in tool.inputs if port.type in INLINE]
        return {clause.words[place].start for place in fill(tool, ports, clause).places}


def _very_words(keys: Collection[str], intent: Intent) -> dict[str, float]:
    """The words themselves by which the operations are named, with their weights: which style, which effect."""
    spans = {(t.first, t.last) for t in intent.terms if t.key in keys}
    exact = (t.key for t in intent.terms if t.kind == "exact" and (t.first, t.last) in spans)
    return {key: intent.meanings[key] for key in exact if key in intent.meanings}


def _is_setting(key: str, intent: Intent, spoken: Collection[int]) -> bool:
    terms = [t for t in intent.terms if t.key == key]
    return all(any(intent.tokens[i].start in spoken for i in range(t.first, t.last + 1)) for t in terms)


def _names_thing(type: str, intent: Intent) -> bool:
    """False for "a film negative", where the type only says of what kind the thing is."""
    places = [t.last + 1 for t in intent.terms if t.key == type and t.kind == "type"]
    heads = {t.first for t in intent.terms if t.kind in ("task", "thing", "word")}
    heads = {place for place in heads if not intent.tokens[place].word.endswith(("ing", "ed"))}
    return any(place not in heads for place in places)
