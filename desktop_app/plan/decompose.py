"""From chunks to intents: for each wish its meanings, the types it takes and gives, and what it refers to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop_app.plan.lexicon import Lexicon, Term
from desktop_app.plan.moods import complaint, denied, with_remedy
from desktop_app.plan.reading import Chunk, Reading
from desktop_app.plan.request import Subtask
from desktop_app.plan.retrieval import KIND_WEIGHT
from desktop_app.plan.words import Token, stem

_SOURCE = frozenset((
    "from", "of", "in", "on", "for", "at", "with", "using", "within", "about", "onto", "over", "representing",
    "showing", "illustrating",
))  # fmt: skip
_TARGET = frozenset(("into", "as"))
_LOOKING_BACK = frozenset(("after", "once", "when", "before"))
_RELATIVE = ("that", "which", "whose", "where")
_DEFINITE = frozenset(("the", "this", "that", "these", "those", "its", "their", "it"))
_ALL = frozenset(("all", "both", "each", "every", "three", "two", "four", "five", "six", "these", "those", "several"))
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "latest": -1, "previous": -1}


@dataclass
class Intent:
    """One wish. `meanings` weigh what a tool for it must speak of; `takes` and `gives` are types in its wording.

    `refers` are meanings of earlier intents that it names as something that exists ("the transcribed text").
    `pronoun` is true for "it", "them"; `plural` when several things are meant; `ordinal` is 2 for "the second
    picture", -1 for the last, 0 for none; `joint` is its chunk's; `complains` is true for "it is too dark".
    """

    index: int
    tokens: tuple[Token, ...]
    terms: tuple[Term, ...]
    joint: str
    sentence: int
    stating: bool
    meanings: dict[str, float] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    definite: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    pronoun: bool = False
    plural: bool = False
    ordinal: int = 0
    inherits: bool = False
    complains: bool = False

    @property
    def nominal(self) -> bool:
        """True for "and a still picture extracted from ...", a thing and no command."""
        return self.joint in ("and", ",") and self.tokens[0].word in ("a", "an", "the", "another", "its")

    @property
    def text(self) -> str:
        """Its words as written."""
        return " ".join(token.text for token in self.tokens)

    def mentions(self, *kinds: str) -> list[Token]:
        """Tokens of these kinds: file, url, quote, number."""
        return [token for token in self.tokens if token.kind in kinds]


def intents_of(reading: Reading) -> list[Intent]:
    """The intents in the order of the text. Chunks that only name a resource stay, marked `stating`."""
    intents: list[Intent] = []
    for chunk in reading.chunks:
        for piece in _split(chunk, reading.lexicon):
            intent = _intent(piece, len(intents), intents, reading.lexicon)
            if intents and intent.joint == "that" and not intent.takes and intents[-1].stating:
                intent.takes = intents[-1].takes  # "two sounds that I want to join"
            if intents and intents[-1].stating and _goes_on_stating(intent, intents[-1]):
                intent.stating = True
            if intents and _mends(intent) and _states_fault(intents[-1]):
                intents[-1].stating = False
                continue
            if _belongs_to_previous(intent, intents):
                intents[-1] = _joined(intents[-1], intent, intents[:-1], reading.lexicon)
            else:
                intents.append(intent)
    return intents


def _mends(intent: Intent) -> bool:
    """ "..., fix it", after what is wrong has been said."""
    general = all(t.kind == "action" and t.key in ("improve", "change") for t in intent.terms)
    return bool(intent.terms) and general and intent.pronoun and not intent.mentions("file", "url", "quote", "number")


def _states_fault(intent: Intent) -> bool:
    return intent.complains or (intent.stating and any(t.kind == "task" for t in intent.terms))


def _goes_on_stating(intent: Intent, before: Intent) -> bool:
    """ "I have a video and a song": the second part has no verb of its own."""
    if intent.joint not in ("and", ",", "or", "with") or intent.sentence != before.sentence:
        return False
    words = [token.word for token in intent.tokens]
    return words[0] in ("a", "an", "the", "another", "some", "my", "two", "three") or not (
        any(t.kind in ("action", "task") and t.first <= 2 for t in intent.terms)
        or any(w in ("want", "need", "would", "please", "can", "could") for w in words)
    )


def by_need(intents: Sequence[Intent]) -> list[Intent]:
    """The order of work: "a video using an image generated from ..." needs the image first."""
    ordered: list[Intent] = []
    head = 0
    for intent in intents:
        inner = intent.joint in ("inner", "using", "after") or (intent.nominal and head < len(ordered))
        if ordered and inner and not intent.stating and ordered[-1].sentence == intent.sentence:
            ordered.insert(head, intent)
            head += 1
        else:
            ordered.append(intent)
            head = len(ordered) - 1
    return ordered


def subtasks_of(intents: Sequence[Intent], wanted: Sequence[tuple[str, ...]]) -> tuple[Subtask, ...]:
    """The intents as values for show: what was understood."""
    return tuple(
        Subtask(
            number,
            intent.text,
            (),
            tuple((token.type or token.kind, token.text) for token in intent.mentions("file", "url", "quote")),
            tuple(types),
        )
        for number, (intent, types) in enumerate(zip(intents, wanted, strict=True))
    )


def _split(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    parts = _split_at_participle(chunk, lexicon)
    return [part for whole in parts for part in _split_at_origin(whole, lexicon)]


def _split_at_origin(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    """ "stitch an image from the video and ...": what is to be taken out of something else is a wish of its own."""
    words = chunk.words
    types = [t for t in chunk.terms if t.kind == "type"]
    for one, other in itertools.pairwise(types):
        origin = words[one.last + 1 : one.last + 2] in (("from",), ("of",), ("representing",), ("showing",))
        start = next((i for i in range(one.first, 0, -1) if words[i] in ("a", "an")), 0)
        governing = [t for t in chunk.terms if t.last < start and t.kind in ("action", "task")]
        if not origin or not start or one.key == other.key or other.first > one.last + 4 or not governing:
            continue
        if lexicon.roles.get(governing[-1].key) not in ("makes", "takes") and governing[-1].key != "turn":
            end = len(words)
            return [_part(chunk, 0, start, chunk.joint, lexicon), _part(chunk, start, end, "inner", lexicon)]
    return [chunk]


def _split_at_participle(chunk: Chunk, lexicon: Lexicon) -> list[Chunk]:
    """ "a slideshow from an image generated from the text": the part from "an image" on is a wish of its own."""
    words = chunk.words
    for place in range(2, len(words) - 1):
        if words[place + 1] not in ("from", "of", "in", "by", "based", "using", "on") or not words[place].endswith(
            "ed"
        ):
            continue
        operative = any(t.first <= place <= t.last and t.kind in ("action", "task") for t in chunk.terms)
        noun = any(t.last == place - 1 and t.kind == "type" for t in chunk.terms)
        start = next((i for i in range(place - 1, 0, -1) if words[i] in ("a", "an", "the", "some", "any")), 0)
        before = [t for t in chunk.terms if t.last < start and t.kind in ("action", "task")]
        if operative and noun and start and before:
            return [_part(chunk, 0, start, chunk.joint, lexicon), _part(chunk, start, len(words), "inner", lexicon)]
    return [chunk]


def _part(chunk: Chunk, first: int, end: int, joint: str, lexicon: Lexicon) -> Chunk:
    tokens = chunk.tokens[first:end]
    return replace(chunk, tokens=tokens, terms=tuple(lexicon.terms(tokens)), joint=joint)


def _intent(chunk: Chunk, index: int, earlier: Sequence[Intent], lexicon: Lexicon) -> Intent:
    words = chunk.words
    gone = denied(words, chunk.terms, any(not other.stating for other in earlier))
    terms = tuple(term for term in chunk.terms if term not in gone)
    wrong = complaint(words, terms, lexicon) if chunk.joint not in _RELATIVE else None
    if wrong is not None:
        terms = with_remedy(words, terms, *wrong)
    stating = chunk.stating and wrong is None
    intent = Intent(index, chunk.tokens, terms, chunk.joint, chunk.sentence, stating, complains=wrong is not None)
    _weigh(intent, earlier, lexicon)
    if intent.complains and not intent.gives:  # the same thing is wanted back, set right
        intent.gives = tuple([*(t.type for t in intent.mentions("file") if t.type), *intent.takes][:1])
    if not chunk.has("action", "task") or (intent.joint in ("and", ",", "or") and not _has_verb(intent)):
        _inherit(intent, earlier, lexicon)
    return intent


def _has_verb(intent: Intent) -> bool:
    return any(t.kind == "action" or (t.kind == "task" and t.first <= 2) for t in intent.terms)


def _inherit(intent: Intent, earlier: Sequence[Intent], lexicon: Lexicon) -> None:
    """ "extract the text and the link": the second part has the first one's verb."""
    if not earlier or intent.joint not in ("and", ",", "or") or earlier[-1].sentence != intent.sentence:
        return
    actions = [t.key for t in earlier[-1].terms if t.kind == "action"]
    if actions and not any(t.kind == "action" for t in intent.terms):
        intent.inherits = True
        for key in actions[:1]:
            intent.meanings.setdefault(key, KIND_WEIGHT["action"])
        role = lexicon.roles.get(actions[0])
        if role in ("makes", "takes") and not intent.gives:
            direct = [t.key for t in intent.terms if t.kind == "type"][:1]
            intent.gives = tuple(direct)
            intent.takes = tuple(t for t in intent.takes if t not in direct)


def _belongs_to_previous(intent: Intent, earlier: Sequence[Intent]) -> bool:
    """A piece with nothing but resources, or nothing at all, tells more about the wish before it."""
    if not earlier or intent.sentence != earlier[-1].sentence or intent.joint in ("then", "also"):
        return False
    if intent.joint == "using" and not _verbal(intent) and not (intent.gives and set(intent.takes) - set(intent.gives)):
        return True
    if _goes_on_listing(intent, earlier[-1]):
        return True
    if any(t.kind in ("task", "action", "thing") for t in intent.terms):
        return False
    types = [t for t in intent.terms if t.kind == "type"]
    if types and intent.inherits and intent.gives and not intent.mentions("file"):
        return False
    return not [t for t in intent.terms if t.kind == "word"] or intent.joint in ("and", ",", ":", "using", "inner")


def _goes_on_listing(intent: Intent, before: Intent) -> bool:
    """ "Put a.jpg | and b.jpg next to each other": files of one list."""
    if intent.joint not in ("and", ",") or before.stating:
        return False
    if any(t.kind != "action" for t in before.terms):
        return False
    return intent.tokens[0].kind == before.tokens[-1].kind == "file"


def _verbal(intent: Intent) -> bool:
    """True when the piece has a verb of its own, beyond the "using" that opens it, and is no mere reference."""
    words = [token.word for token in intent.tokens]
    return any(
        t.kind in ("action", "task") and t.key not in intent.refers and words[t.first].endswith(("ed", "ing", "ion"))
        for t in intent.terms
        if t.first > 0
    )


def _joined(intent: Intent, more: Intent, earlier: Sequence[Intent], lexicon: Lexicon) -> Intent:
    shift = len(intent.tokens)
    terms = (*intent.terms, *(replace(t, first=t.first + shift, last=t.last + shift) for t in more.terms))
    joined = replace(intent, tokens=(*intent.tokens, *more.tokens), terms=terms)
    _weigh(joined, earlier, lexicon)
    joined.pronoun |= more.pronoun
    return joined


def _weigh(intent: Intent, earlier: Sequence[Intent], lexicon: Lexicon) -> None:
    """Fills in meanings, types and references from the tokens and terms."""
    words = [token.word for token in intent.tokens]
    known = {t.key for other in earlier if not other.stating for t in other.terms if t.kind in ("task", "action")}
    looking_back = intent.joint in _LOOKING_BACK or (bool(words) and words[0] in _LOOKING_BACK)
    referring = [t for t in intent.terms if _is_reference(t, words, intent, known)]
    own = [t for t in intent.terms if t not in referring]
    if looking_back:
        referring = [t for t in intent.terms if t.kind == "type" or t.key in known]
        own = [t for t in intent.terms if t not in referring]
    elif intent.joint != "using" and not any(t.kind in ("task", "thing", "word", "action") for t in own):
        own, referring = list(intent.terms), []
    intent.refers = tuple(dict.fromkeys(t.key for t in referring))
    intent.meanings = {}
    for term in own:
        weight = KIND_WEIGHT[term.kind] * (0.5 if _is_aside(term, words, own) else 1.0)
        intent.meanings[term.key] = max(intent.meanings.get(term.key, 0.0), weight)
    _type_roles(intent, words, lexicon)
    if _bare_demonstrative(intent, words) and any(lexicon.roles.get(t.key) == "parts" for t in own):
        intent.meanings.setdefault("point_at", KIND_WEIGHT["task"])  # "cut out this": a thing in the picture
    intent.pronoun = any(w in ("it", "them", "they") for w in words) or _bare_demonstrative(intent, words)
    plurals = (words[t.first] for t in intent.terms if t.kind == "type")
    intent.plural = any(w in _ALL for w in words) or any(w.endswith("s") and w != stem(w) for w in plurals)
    intent.ordinal = _ordinal(intent, words)


def _is_aside(term: Term, words: Sequence[str], own: Sequence[Term]) -> bool:
    """ "an image related *to the topic*": an operation's noun that only says what something is about."""
    if term.kind != "task" or words[term.first].endswith(("ed", "ing")):
        return False
    before = words[max(0, term.first - 3) : term.first]
    return (
        any(w in ("to", "about", "on") for w in before)
        and "the" in before[-2:]
        and any(t.kind in ("action", "task", "type") and t.last < term.first for t in own)
    )


def _ordinal(intent: Intent, words: Sequence[str]) -> int:
    for term in intent.terms:
        if term.kind == "type" and term.first and words[term.first - 1] in _ORDINALS:
            return _ORDINALS[words[term.first - 1]]
    ones = (_ORDINALS[word] for word, after in itertools.pairwise(words) if word in _ORDINALS and after == "one")
    return next(ones, 0)


def _bare_demonstrative(intent: Intent, words: Sequence[str]) -> bool:
    """ "this" that stands alone and for something, unlike "this picture"."""
    nouns = {t.first for t in intent.terms if t.kind in ("type", "thing", "word")}
    bare = [i for i, w in enumerate(words) if w in ("this", "that", "these", "those") and i + 1 not in nouns]
    return any(i > 0 for i in bare)


def _is_reference(term: Term, words: Sequence[str], intent: Intent, known: set[str]) -> bool:
    """ "the transcribed text", "the summary", when an earlier wish already makes it."""
    if term.kind not in ("task", "action") or term.key not in known:
        return False
    if term.first == 0:
        return False
    before = words[max(0, term.first - 3) : term.first]
    definite = any(w in _DEFINITE for w in before[-2:]) or any(w in _SOURCE for w in before[-1:])
    participle = words[term.first].endswith("ed") and any(
        t.kind in ("type", "task") and t.first in (term.last + 1, term.last + 2) for t in intent.terms
    )
    others = [t for t in intent.terms if t.kind in ("task", "action") and t.key != term.key]
    return definite and (participle or bool(others))


def _type_roles(intent: Intent, words: Sequence[str], lexicon: Lexicon) -> None:
    takes: list[str] = []
    gives: list[str] = []
    definite: list[str] = []
    actions = [t for t in intent.terms if t.kind in ("action", "task")]
    prepositions = {i for i, word in enumerate(words) if word in _SOURCE or word in _TARGET}
    barriers = {i for t in actions for i in range(t.first, t.last + 1) if not words[i].endswith("ed")} - prepositions
    actions = [t for t in actions if t.first not in prepositions]
    direct_taken = False
    for term in intent.terms:
        if term.kind != "type" or words[term.first] in _SOURCE:
            continue
        if any(t.kind == "type" and t.first == term.last + 1 and words[t.first] not in _SOURCE for t in intent.terms):
            continue  # "a sound address" is an address
        preposition = _preposition(words, term.first, barriers)
        before = words[max(0, term.first - 3) : term.first]
        if any(w in _DEFINITE for w in before):
            definite.append(term.key)
        if preposition in _TARGET or (preposition == "to" and any(t.key == "turn" for t in actions)):
            gives.append(term.key)
        elif preposition in _SOURCE or preposition == "to":
            takes.append(term.key)
        else:
            governing = [t for t in actions if t.last < term.first]
            role = lexicon.roles.get(governing[0].key, "") if governing else ""
            if not governing and before[-1:] in (["a"], ["an"]):
                role = "makes"
            if role in ("makes", "takes") and not direct_taken and not _names_file(intent, term):
                gives.append(term.key)
                direct_taken = True
            else:
                takes.append(term.key)
    intent.takes = tuple(dict.fromkeys([*takes, *(t.type for t in intent.mentions("file") if t.type)]))
    intent.gives = tuple(dict.fromkeys(gives))
    intent.definite = tuple(dict.fromkeys(definite))


def _names_file(intent: Intent, term: Term) -> bool:
    """ "the audio file talk.wav": the type only introduces a file that is there."""
    after = intent.tokens[term.last + 1 : term.last + 3]
    return any(token.kind == "file" and token.type == term.key for token in after)


def _preposition(words: Sequence[str], place: int, barriers: set[int]) -> str:
    for before in range(place - 1, max(-1, place - 5), -1):
        word = words[before]
        if before in barriers:
            return ""
        if word in _SOURCE or word in _TARGET or word == "to":
            return word
        if word in ("and", "or", ","):
            return ""
    return ""
