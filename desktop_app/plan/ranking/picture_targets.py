"""Wishes about a thing in a picture: show it, cut it out, make its mask, tell whether it is there.

The thing is named in the user's own words, so that no tool speaks of it; and what is to be done with it is often said
so generally ("extract the chair", "is there a cat?") that no tool speaks of that either. What such a wish means is
put among its meanings, in the words of the tools that are here.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_app.plan.language.corrections import append
from desktop_app.plan.language.discourse import KINDS_OF_PICTURES
from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.language.types import KIND_WEIGHT, Intent, Term
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import READY, Request, ToolSpec

_CUTTING = ("background", "crop")
"""Classes of operations that leave a picture of the thing alone, the closer one first."""

_SPEAKS = 0.6
"""A tool is for an operation when its title, its words or its first sentence name it."""

_ALONE = frozenset(("isolate", "separate", "separated", "single", "extract", "cut", "lift", "pick", "zoom", "focus"))
_ONLY = frozenset(("only", "just"))
_LEAVING = frozenset(("keep", "leave", "show", "focus", "contain", "display"))
_LOCATING = frozenset((
    "find", "locate", "spot", "detect", "point", "located", "location", "search", "display", "pinpoint",
))  # fmt: skip
_NAMING = frozenset(("name", "list", "recognize", "recognise", "classify", "identify", "tell", "enumerate"))
_WITHIN = frozenset(("in", "from", "of", "on", "inside", "within"))
_ARTICLES = frozenset(("the", "a", "an", "this", "that", "any", "each", "every", "all", "my"))
_PRESENCE = frozenset((
    "contain", "contains", "containing", "include", "includes", "present", "presence", "visible", "exists", "appear",
    "appears", "shows", "depicts", "has", "displaying", "showing",
))  # fmt: skip
_CONDITION = frozenset(("if", "whether"))
_GUIDED = frozenset((
    "conditioned", "based", "according", "guided", "same", "following", "keeping", "given", "using", "with", "like",
    "on",
))  # fmt: skip
_PLACES = frozenset(("location", "locations", "position", "where", "located", "locate"))
_ASIDE = frozenset(("whereabouts", "large", "small"))
_ALL = frozenset(("all", "every", "each", "everything", "objects", "map"))
_KNOWING = frozenset(
    ("confirm", "verify", "check", "know", "tell", "wonder", "curious", "inform", "is", "are", "think")
)
_DONE_TO = frozenset(("crop", "background", "blur", "pixelate", "remove", "black_out"))
_NOT_WRITING = frozenset(("background", "segment", "url"))
_HIDING = frozenset(("cover", "blank", "hide", "conceal"))
_POLITE = 3
_HALF = 0.5
_SHOWN = frozenset(("highlight", "crop", "background", "take", "show", "read", "find", "remove"))


class PictureTargets:
    """Gives wishes about a named thing the tools that find it and work on it. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self._shows = any(self._is_for_showing(tool) for tool in graph.tools.values())
        self._names = any(self._is_for_naming(tool) for tool in graph.tools.values())
        self._makes = {(given, made) for given in ("image", "video") for made in _made_of(given, graph)}

    def read(self, intents: Sequence[Intent], request: Request) -> list[Intent]:
        """The intents, with what they want of a thing in a picture among their meanings."""
        pictures = {given.type for given in request.resources} | {
            token.type for intent in intents for token in intent.mentions("file")
        }
        found = [self._read(intent, pictures) for intent in intents]
        for place, intent in enumerate(found):
            kinds = [key for key in _kinds_named(intent) if self._is_to_be_made(key, pictures)]
            if kinds and intent.mentions("file"):
                found[place] = self._with_likeness(intent, kinds[0], found[:place])
        return found

    def _with_likeness(self, intent: Intent, kind: str, earlier: Sequence[Intent]) -> Intent:
        """ "A picture of a girl, and her pose is the same as in a.png": joined with what makes the picture. "A picture
        with trees. Use the pose of a.png to create it": here what was said before tells what it shows.
        """
        words = {token.word for token in intent.tokens}
        makers = [i for i in earlier if not i.stating and "image" in i.gives and not i.mentions("file")]
        if intent.stating and makers and "same" in words:
            append(intent, makers[-1])
            makers[-1].meanings[kind] = KIND_WEIGHT["task"]
        elif not intent.stating and "image" in intent.gives and _makes_it(intent):
            before = [i for i in earlier if i.sentence == intent.sentence - 1 and not i.mentions("file", "quote")]
            if before and any(t.key == "image" for i in before for t in i.terms):
                for other in before:
                    append(other, intent)
                    other.stating = True
                    other.meanings = {}
        return intent

    def _read(self, intent: Intent, there: Collection[str]) -> Intent:
        own = {token.type for token in intent.mentions("file")}
        seen = {t for t in own or there if fits(t, "image") or t == "video"}
        if not seen or intent.stating or any(t.key in self.index.lexicon.firm for t in intent.terms):
            return intent
        intent = self._with_writing(self._with_things(intent, there), there)
        pictures = any(fits(type, "image") for type in seen)
        kinds = [key for key in _kinds_named(intent) if pictures and self._is_to_be_made(key, there)]
        kind = next(iter(sorted(kinds, key=lambda key: key not in intent.gives)), "")
        spoken = "image" in (*own, *intent.takes) or kind in (*intent.gives, "segmentation")
        if kind and spoken:
            return self._with_kind(intent, kind)
        thing = named_thing(intent)
        if thing is None:
            return intent
        added = self._meant(intent) if pictures else self._told(intent)
        if not added:
            return intent
        implied = frozenset(added.keys() - intent.meanings.keys())
        return replace(intent, meanings={**intent.meanings, **added}, implied=implied)

    # Kinds of pictures ----------------------------------------------------------------------------------------------

    def _is_to_be_made(self, kind: str, there: Collection[str]) -> bool:
        """True for an edge map or a mask, say, of which there is none and which one tool makes of a picture."""
        return kind not in there and ("image", kind) in self._makes

    def _with_kind(self, intent: Intent, kind: str) -> Intent:
        """ "The depth of a.png" is wanted; "a picture with the depth of a.png" is made by a tool that takes it."""
        takes = tuple(dict.fromkeys((kind, *(t for t in intent.takes if t != kind))))
        if makes_from(intent, kind):
            return replace(intent, takes=takes, gives=("image",))
        meanings = dict(intent.meanings)
        one = named_thing(intent) is not None and not _ALL & {token.word for token in intent.tokens}
        if kind == "segmentation" and one and self._is_to_be_made("mask", ()):
            kind = "mask"  # "segment the boat"
        if kind in REGIONS:  # "a mask that highlights the vase": what it shows is no wish of its own
            meanings = {k: w for k, w in meanings.items() if k not in _SHOWN}
        takes = tuple(t for t in intent.takes if t not in (kind, "segmentation"))
        return replace(intent, meanings=meanings, takes=takes, gives=(kind,))

    # What is no type and no operation here --------------------------------------------------------------------------

    def _with_things(self, intent: Intent, there: Collection[str]) -> Intent:
        """ "The dining table in room.jpg": no tool makes a table of a picture, and no table is there. "The person in
        a.png": no tool for pictures speaks of persons.
        """
        words = [token.word for token in intent.tokens]
        odd = [t for t in intent.terms if t.kind == "type" and self._is_thing(t, intent, words, there)]
        odd += [t for t in intent.terms if t.kind == "task" and self._is_seen(t, intent, words)]
        odd += [t for t in intent.terms if _is_half_of_noun(t, intent.terms, words)]
        if not odd:
            return intent
        keys = {t.key for t in odd} - {t.key for t in intent.terms if t.kind == "type" and t not in odd}
        terms = tuple(Term(stem(words[t.last]), "word", t.first, t.last) if t in odd else t for t in intent.terms)
        meanings = {k: w for k, w in intent.meanings.items() if k not in keys}
        meanings |= {stem(words[t.last]): KIND_WEIGHT["word"] for t in odd}
        files = {token.type for token in intent.mentions("file")}
        return replace(
            intent,
            terms=terms,
            meanings=meanings,
            takes=tuple(t for t in intent.takes if t not in keys or t in files),
            gives=tuple(t for t in intent.gives if t not in keys),
            definite=tuple(t for t in intent.definite if t not in keys),
        )

    def _with_writing(self, intent: Intent, there: Collection[str]) -> Intent:
        """ "Cover the text in a.jpg": words that are part of a picture, and are to be hidden or taken out of it."""
        intent = self._with_cover(intent)
        written = [t for t in intent.terms if t.key in ("text", "words_unit") or _is_writing(t, intent)]
        roles = self.index.lexicon.roles
        doing = [
            t for t in intent.terms
            if (roles.get(t.key) in ("hides", "parts") and t.key not in _NOT_WRITING)
            or (t.kind == "word" and t.key in _HIDING)
        ]  # fmt: skip
        if not written or not doing or "text" in there or intent.mentions("quote"):
            return intent
        if not any(t.first > doing[0].last or t.last < doing[0].first for t in written):
            return intent
        meanings = {k: w for k, w in intent.meanings.items() if k not in {t.key for t in written}}
        if all(t.key in _HIDING for t in doing):
            meanings["black_out"] = KIND_WEIGHT["task"]
        return replace(
            intent,
            terms=tuple(t for t in intent.terms if t not in written),
            meanings={**meanings, "ocr": KIND_WEIGHT["thing"]},
            takes=tuple(dict.fromkeys(("image", *(t for t in intent.takes if t != "text")))),
            gives=tuple(t for t in intent.gives if t != "text"),
            definite=tuple(t for t in intent.definite if t != "text"),
        )

    def _with_cover(self, intent: Intent) -> Intent:
        """ "Cover the man": a verb that means to hide only with what is there after it ("the cover" does not)."""
        words = [token.word for token in intent.tokens]
        verbs = [t for t in intent.terms if t.kind == "word" and t.key in _HIDING and t.first <= _POLITE]
        named = [t for t in verbs if set(words[t.last + 1 : t.last + 3]) & (_ARTICLES | {"his", "her", "their"})]
        if not named or any(self.index.lexicon.roles.get(t.key) == "hides" for t in intent.terms):
            return intent
        return replace(intent, meanings={**intent.meanings, "black_out": KIND_WEIGHT["task"]})

    def _is_thing(self, term: Term, intent: Intent, words: Sequence[str], there: Collection[str]) -> bool:
        if term.key in ("image", "video", "text", "audio", *KINDS_OF_PICTURES, *there) or term.first != term.last:
            return False
        if term.key in self.graph.types and any((given, term.key) in self._makes for given in there):
            return False
        article = bool(_ARTICLES & set(words[max(0, term.first - 3) : term.first]))
        within = words[term.last + 1 : term.last + 2]
        inside = bool(within) and within[0] in _WITHIN and bool(intent.mentions("file"))
        if self.index.rarity(term.key):  # tools speak of it: only "the *dining* table in a.png" is a thing
            before = next((t for t in intent.terms if t.last == term.first - 1), None)
            return article and inside and before is not None and before.kind == "word"
        return term.key not in self.graph.types or (article and inside)

    def _is_seen(self, term: Term, intent: Intent, words: Sequence[str]) -> bool:
        """True for a single noun between an article and "in a.png" of which no tool for pictures speaks."""
        if term.first != term.last or not (set(words[max(0, term.first - 2) : term.first]) & _ARTICLES):
            return False
        if self.index.lexicon.roles.get(term.key) == "seen" and (_DONE_TO | _HIDING) & intent.meanings.keys():
            return True  # "crop the man out"
        after = intent.tokens[term.last + 1 : term.last + 8]
        if not after or after[0].word not in ("in", "from") or not any(t.type in ("image", "video") for t in after):
            return False
        signature = self.index.lexicon.signatures.get(term.key)
        if signature is not None and any(fits("image", type) or fits("video", type) for type in signature.takes):
            return False
        return not self._speaks_of(term.key, "image", _HALF)

    def _speaks_of(self, key: str, taken: str, least: float) -> bool:
        """True when a tool that takes such a thing speaks of the meaning."""
        able = (id for id, profile in self.index.profiles.items() if profile.weights.get(key, 0.0) >= least)
        return any(fits(taken, port.type) for id in able for port in main_inputs(self.graph.tools[id]))

    # What is meant --------------------------------------------------------------------------------------------------

    def _meant(self, intent: Intent) -> dict[str, float]:
        """The meanings that the wording has without saying them; none where it says what shall be done."""
        words = {token.word for token in intent.tokens}
        tasks = {t.key for t in intent.terms if t.kind == "task" and t.key in intent.meanings}
        said = {t.key for t in intent.terms if t.kind == "thing"} - _ASIDE
        if said or tasks - {"detect", "segment", "classify", *(["highlight"] * bool(_PLACES & words))}:
            return {}
        actions = {t.key for t in intent.terms if t.kind == "action"}
        if self._is_cut_out(words, actions, intent):
            key = next((key for key in _CUTTING if self._cuts(key)), "")
            return {key: KIND_WEIGHT["task"]} if key else {}
        locating = bool("find" in actions or words & _LOCATING or _shows_where(intent))
        naming = words & _NAMING and not words & _PLACES and not definite_after(intent, _NAMING)
        if (locating or definite_after(intent, _NAMING)) and self._shows and not naming:
            return {"highlight": KIND_WEIGHT["task"]}
        if self._names and naming:
            return {"classify": KIND_WEIGHT["task"]}
        if not tasks and (asks_presence(intent) or actions & {"find", "read"} or locating):
            place = {"whereabouts": 0.1} if "whereabouts" in intent.meanings else {}
            return {"detect": KIND_WEIGHT["task"], **place}
        return {}

    def _told(self, intent: Intent) -> dict[str, float]:
        """What of a film is asked for, in the words of a tool that tells something about films."""
        words = {token.word for token in intent.tokens}
        tasks = {t.key for t in intent.terms if t.kind == "task" and t.key in intent.meanings}
        if tasks or not (asks_presence(intent) or words & _KNOWING or {"read", "find"} & {t.key for t in intent.terms}):
            return {}
        key = next((key for key in ("classify", "detect", "caption") if self._speaks_of(key, "video", _SPEAKS)), "")
        return {key: KIND_WEIGHT["task"]} if key else {}

    def _is_cut_out(self, words: set[str], actions: Collection[str], intent: Intent) -> bool:
        """ "Isolate the cup", "keep only the dog", "extract the chair from ...": a picture of it alone."""
        if words & _CONDITION or (words & _LOCATING and "zoom" not in words):
            return False
        if set(intent.gives) - {"image"}:
            return False
        taken = "take" in actions and bool(words & {"from", "out", "of"})
        return bool(taken or words & _ALONE or (words & _ONLY and words & _LEAVING))

    def _is_for_showing(self, tool: ToolSpec) -> bool:
        """True for a tool that marks what was found in the picture, and says that it serves to find things."""
        weights = self.index.profiles[tool.id].weights
        finding = max(weights.get("find", 0.0), weights.get("whereabouts", 0.0))
        marks = weights.get("highlight", 0.0) >= _SPEAKS and any(port.type == "boxes" for port in tool.inputs)
        return marks and finding >= 0.3 and any(port.type == "image" for port in tool.outputs)

    def _is_for_naming(self, tool: ToolSpec) -> bool:
        """True for a tool that says in words what objects a picture shows, and needs nothing else."""
        weights = self.index.profiles[tool.id].weights
        told = {port.type for port in tool.outputs} & {"labels", "text"}
        alone = [port.type for port in main_inputs(tool)] == ["image"]
        return bool(told) and alone and tool.quality >= READY and weights.get("classify", 0.0) >= _SPEAKS

    def _cuts(self, key: str) -> bool:
        """True when a tool for the operation makes a picture of a part of a picture."""
        for id, profile in self.index.profiles.items():
            if profile.weights.get(key, 0.0) >= _SPEAKS:
                tool = self.graph.tools[id]
                if any(p.type in REGIONS for p in tool.inputs) and any(p.type == "image" for p in tool.outputs):
                    return True
        return False


def _is_writing(term: Term, intent: Intent) -> bool:
    """ "The writing in a.jpg", beside another operation: a thing and no wish to read it."""
    words = {token.word for token in intent.tokens[term.first : term.last + 1]}
    return term.key in ("ocr", "handwriting") and "writing" in words


def _is_half_of_noun(term: Term, terms: Sequence[Term], words: Sequence[str]) -> bool:
    """ "The *number* plate": no figure is meant."""
    named = words[term.last] == "number" and bool(_ARTICLES & set(words[max(0, term.first - 2) : term.first]))
    return named and any(t.kind == "word" and t.first == term.last + 1 for t in terms)


def _kinds_named(intent: Intent) -> list[str]:
    """The kinds of pictures that the wording speaks of (a mask, a depth map), in order."""
    return [t.key for t in intent.terms if t.kind in ("type", "word") and t.key in KINDS_OF_PICTURES]


def makes_from(intent: Intent, kind: str) -> bool:
    """True when something new is to be made with what is taken of a picture: "use the depth of a.png to create ..."."""
    named = next(t for t in intent.terms if t.kind in ("type", "word") and t.key == kind)
    if any(t.kind == "type" and t.key == "image" and t.first == named.last + 1 for t in intent.terms):
        return False  # "the mask image"
    if "image" in intent.gives or _makes_it(intent):
        return True
    places = [t.first for t in intent.terms if t.kind == "action" and t.key == "make"]
    words = [token.word for token in intent.tokens]
    return any(place < named.first and _GUIDED & set(words[place : named.first]) for place in places)


def _makes_it(intent: Intent) -> bool:
    """ "... to create it", "... to make a new picture"."""
    words = [token.word for token in intent.tokens]
    places = [t.last + 1 for t in intent.terms if t.kind == "action" and t.key == "make"]
    pictures = {t.first for t in intent.terms if t.kind == "type" and t.key == "image"}
    return any(words[p : p + 1] in (["it"], ["this"]) or pictures & {*range(p, p + 3)} for p in places)


def named_thing(intent: Intent) -> Term | None:
    """The first word for a thing: one that no list knows, and that does not only say what shall be done."""
    return next((t for t in intent.terms if t.kind == "word" and not is_idle(t.key)), None)


def _shows_where(intent: Intent) -> bool:
    """ "Show me where the cup is", "where is it?"."""
    words = [token.word for token in intent.tokens]
    return "whereabouts" in intent.meanings or ("where" in words and bool({"show", "see", "point", "find"} & {*words}))


def definite_after(intent: Intent, verbs: Collection[str]) -> bool:
    """ "Identify *the* cat": one thing is looked for, and not a list wanted."""
    words = [token.word for token in intent.tokens]
    after = (words[place + 1 : place + 3] for place, word in enumerate(words) if word in verbs)
    plural = {"objects", "items", "things", "presence"}
    return any(pair[:1] == ["the"] and not plural & {*pair} for pair in after) and "other" not in words


def asks_presence(intent: Intent) -> bool:
    """ "Is there a cat in it?", "whether it contains a spoon", "the presence of a car"."""
    words = [token.word for token in intent.tokens]
    there = any(
        pair in (("is", "there"), ("are", "there"), ("there", "is"), ("there", "are"), ("there's",))
        for pair in itertools.pairwise(words)
    )
    return (
        there
        or "presence" in words
        or (
            bool(_PRESENCE & set(words)) and (bool(_CONDITION & set(words)) or words[:1] in (["is"], ["does"], ["are"]))
        )
    )


def _made_of(given: str, graph: ToolGraph) -> Iterable[str]:
    """The types that one tool makes of a picture or a film."""
    for tool in graph.tools.values():
        if any(fits(given, port.type) for port in main_inputs(tool) if port.type not in INLINE):
            yield from (port.type for port in tool.outputs)
