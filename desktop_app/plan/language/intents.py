"""From chunks to intents: for each wish its meanings, the types it takes and gives, and what it refers to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from desktop_app.plan.language.coreference import is_definite, is_reference, only_takes_away
from desktop_app.plan.language.discourse import comes_first, describes_result, hopes_the_same, is_put_off
from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.negation import complaint, denied, told, with_remedy
from desktop_app.plan.language.segmentation import Chunk, Segmentation, split, with_verbs_joined
from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.language.type_roles import DEFINITE, SOURCE, set_types
from desktop_app.plan.language.types import KIND_WEIGHT, Intent, Term
from desktop_app.plan.types import Subtask

_LOOKING_BACK = frozenset(("after", "once", "when", "before"))
_RELATIVE = ("that", "which", "whose", "where")
_ALL = frozenset(("all", "both", "each", "every", "three", "two", "four", "five", "six", "these", "those", "several"))
_SHOWN = frozenset((
    "representing", "represents", "showing", "shows", "illustrating", "illustrates", "reflecting", "reflects",
    "depicting", "depicts",
))  # fmt: skip
_FIRST_OF_ALL = frozenset(("original", "initial", "untouched", "unedited", "unaltered"))
_POINTING = frozenset(("the", "this", "that", "these", "those"))
_OBJECTS = DEFINITE | {"a", "an", "them", "each", "every", "my"}
"""What follows a verb at the start of a piece, and no noun."""
_NO_VERBS = frozenset(("keep", "leave", "keeping", "leaving", "put", "let", "say", "call", "name", "see", "hear"))
_GUIDING = frozenset(("based", "according", "depending", "accordingly"))
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "latest": -1, "previous": -1}


def intents_of(reading: Segmentation) -> list[Intent]:
    """The intents in the order of the text. Chunks that only name a resource stay, marked `stating`."""
    intents: list[Intent] = []
    for chunk in with_verbs_joined(reading.chunks, reading.lexicon):
        for piece in split(chunk, reading.lexicon):
            intent = _intent(piece, len(intents), intents, reading.lexicon)
            if intents and intent.joint == "that" and not intent.takes and intents[-1].stating:
                intent.takes = intents[-1].takes  # "two sounds that I want to join"
            if intents and intents[-1].stating and _goes_on_stating(intent, intents[-1]):
                intent.stating = True
            if intents and _mends(intent) and _states_fault(intents[-1]):
                intents[-1].stating = False
                continue
            if intents and _tells_language(intent, intents[-1]):
                intents[-1].tokens = (*intents[-1].tokens, *intent.tokens)
                continue
            if _belongs_to_previous(intent, intents) or describes_result(intent, intents):
                intents[-1] = _joined(intents[-1], intent, intents[:-1], reading.lexicon)
            else:
                intents.append(intent)
    for intent in intents:
        intent.ahead = comes_first(intent, intents[: intent.index])
    return intents


def intents_in(chunks: Sequence[Chunk], lexicon: Lexicon) -> list[Intent]:
    """One intent for each chunk, none of them joined or left out; all of them ask for something."""
    intents: list[Intent] = []
    for chunk in chunks:
        intent = _intent(chunk, len(intents), intents, lexicon)
        intent.stating = False
        intents.append(intent)
    return intents


def _tells_language(intent: Intent, before: Intent) -> bool:
    """ "..., it's in German": how the thing is, and nothing to be done with it."""
    words = [token.word for token in intent.tokens]
    opening = words[:2] in (["it's", "in"], ["its", "in"]) or words[:3] in (["it", "is", "in"], ["they", "are", "in"])
    return opening and len(words) <= 4 and intent.sentence == before.sentence and not before.stating


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
        inner = intent.joint in ("inner", "using", "after")
        if ordered and inner and not intent.stating and ordered[-1].sentence == intent.sentence:
            if intent.joint == "using":  # "... should be adjusted | based on the transcription"
                made = (t.key for t in intent.terms if t.kind == "task")
                ordered[-1].refers = tuple(dict.fromkeys((*ordered[-1].refers, *made)))
            ordered.insert(head, intent)
            head += 1
        elif ordered and intent.ahead and is_put_off(ordered[-1], intents):
            ordered.insert(len(ordered) - 1, intent)
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


def _intent(chunk: Chunk, index: int, earlier: Sequence[Intent], lexicon: Lexicon) -> Intent:
    words = chunk.words
    gone = denied(words, chunk.terms, any(not other.stating for other in earlier))
    terms = tuple(term for term in chunk.terms if term not in gone)
    terms = told(chunk.tokens, terms)
    wrong = complaint(words, terms, lexicon) if chunk.joint not in _RELATIVE else None
    if wrong is not None:
        terms = with_remedy(words, terms, *wrong)
    stating = chunk.stating and wrong is None
    intent = Intent(index, chunk.tokens, terms, chunk.joint, chunk.sentence, stating, complains=wrong is not None)
    _weigh(intent, earlier, lexicon)
    intent.pronoun |= words in (("spoken",), ("aloud",))
    if intent.complains and not intent.gives:  # the same thing is wanted back, set right
        intent.gives = tuple([*(t.type for t in intent.mentions("file") if t.type), *intent.takes][:1])
    commands = words[0] == "use" or any(
        t.kind in ("action", "task") and not _is_attribute(t, words) for t in chunk.terms
    )
    if not commands or (intent.joint in ("and", ",", "or") and not _has_verb(intent)):
        _inherit(intent, earlier, lexicon)
    return intent


def _has_verb(intent: Intent) -> bool:
    words = [token.word for token in intent.tokens]
    if words[0] == "use":
        return True
    verbs = [t for t in intent.terms if not _is_attribute(t, words)]
    return any(t.kind == "action" or (t.kind == "task" and t.first <= 2) for t in verbs)


def _is_attribute(term: Term, words: Sequence[str]) -> bool:
    """ "the *extracted* address": what has been done to a thing, and no command."""
    return bool(term.first) and words[term.first - 1] in DEFINITE and words[term.first].endswith("ed")


def _inherit(intent: Intent, earlier: Sequence[Intent], lexicon: Lexicon) -> None:
    """ "extract the text and the link": the second part has the first one's verb."""
    if not earlier or intent.joint not in ("and", ",", "or") or earlier[-1].sentence != intent.sentence:
        return
    before = [token.word for token in earlier[-1].tokens]
    actions = [t.key for t in earlier[-1].terms if t.kind == "action" and not _is_attribute(t, before)]
    words = [token.word for token in intent.tokens]
    if actions and not any(t.kind == "action" and not _is_attribute(t, words) for t in intent.terms):
        intent.inherits = True
        for key in actions[:1]:
            intent.meanings.setdefault(key, KIND_WEIGHT["action"])
        role = lexicon.roles.get(actions[0])
        if role in ("makes", "takes") and not intent.gives:
            direct = [t.key for t in intent.terms if t.kind == "type"][:1]
            intent.gives = tuple(direct)
            intent.takes = tuple(t for t in intent.takes if t not in direct)
        if role == "makes" and intent.gives and not intent.takes and not intent.pronoun:  # "a film and a sound of it"
            intent.takes = tuple(t for t in earlier[-1].takes if t not in intent.gives)
            intent.refers = tuple(dict.fromkeys((*intent.refers, *earlier[-1].refers)))


def _belongs_to_previous(intent: Intent, earlier: Sequence[Intent]) -> bool:
    """A piece with nothing but resources, or nothing at all, tells more about the wish before it."""
    if not earlier or intent.sentence != earlier[-1].sentence or intent.joint in ("then", "also"):
        return False
    if intent.joint == "using" and not _verbal(intent) and not (intent.gives and set(intent.takes) - set(intent.gives)):
        return True
    if _goes_on_listing(intent, earlier[-1]) or _shows(intent, earlier[-1]):
        return True
    if any(t.kind in ("task", "action", "thing") for t in intent.terms):
        return False
    if _commands_unknown(intent) and not hopes_the_same(intent, earlier[-1]):
        return False
    types = [t for t in intent.terms if t.kind == "type"]
    if types and intent.inherits and intent.gives and not intent.mentions("file"):
        return False
    return not [t for t in intent.terms if t.kind == "word"] or intent.joint in ("and", ",", ":", "using", "inner")


def _commands_unknown(intent: Intent) -> bool:
    """ "... and pipette it", ", fit the curve": a word that no list holds, with its object, is a verb of its own."""
    words = [token.word for token in intent.tokens]
    first = next((t for t in intent.terms if t.kind in ("word", "type")), None)
    if intent.joint not in ("and", ",") or first is None or first.first > 0 or len(words) < 2:
        return False
    if words[0] in _NO_VERBS or "rest" in words:
        return False
    return words[1] in _OBJECTS or intent.tokens[1].kind == "number"


def _goes_on_listing(intent: Intent, before: Intent) -> bool:
    """ "Put a.jpg | and b.jpg next to each other": files of one list."""
    if intent.joint not in ("and", ",") or before.stating:
        return False
    if not intent.tokens[0].kind == before.tokens[-1].kind == "file":
        return False
    said = {t.key for t in before.terms if t.kind == "task"}
    only_joins = all(t.kind in ("type", "exact") or t.key == "join" or t.key in said for t in intent.terms)
    return only_joins or all(t.kind in ("action", "word") for t in before.terms)


def _shows(intent: Intent, before: Intent) -> bool:
    """ "Create a picture | that represents the mood": what is to be seen in the thing that is made."""
    verbs = [t for t in intent.terms if t.kind in ("action", "task")]
    return intent.joint in ("that", "which") and bool(before.gives) and bool(verbs) and verbs[0].key == "show"


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
    referring = [t for t in intent.terms if is_reference(t, words, intent, known)]
    if referring and only_takes_away([t for t in intent.terms if t not in referring]):
        referring = []  # "grainy shot, get rid of the grain": what is taken away tells what to do
    own = [t for t in intent.terms if t not in referring]
    if looking_back:
        referring = [t for t in intent.terms if t.kind == "type" or t.key in known]
        own = [t for t in intent.terms if t not in referring]
    elif intent.joint != "using" and not any(_says_what(t, words) for t in own):
        own, referring = list(intent.terms), []
    made = {key for other in earlier if not other.stating for key in other.meanings}
    again = (t.key for t in intent.terms if t.kind == "word" and t.key in made and is_definite(t, words))
    intent.refers = tuple(dict.fromkeys([*(t.key for t in referring), *again]))
    intent.meanings = {}
    for term in own:
        weight = KIND_WEIGHT[term.kind] * (0.25 if _is_aside(term, words, own) else 1.0)
        intent.meanings[term.key] = max(intent.meanings.get(term.key, 0.0), weight)
    set_types(intent, words, lexicon)
    if _bare_demonstrative(intent, words) and any(lexicon.roles.get(t.key) == "parts" for t in own):
        intent.meanings.setdefault("point_at", KIND_WEIGHT["task"])  # "cut out this": a thing in the picture
    intent.pronoun = any(w in ("it", "them", "they") for w in words) or _bare_demonstrative(intent, words)
    plurals = (words[t.first] for t in intent.terms if t.kind == "type")
    intent.plural = any(w in _ALL for w in words) or any(w.endswith("s") and w != stem(w) for w in plurals)
    intent.ordinal = _ordinal(intent, words)
    intent.original = bool(_FIRST_OF_ALL & set(words))


def _is_aside(term: Term, words: Sequence[str], own: Sequence[Term]) -> bool:
    """ "an image related *to the topic*": an operation's noun that only says what something is about."""
    if term.kind != "task" or words[term.first].endswith(("ed", "ing")):
        return False
    before = words[max(0, term.first - 4) : term.first]
    if _GUIDING & set(before):
        return False  # "based on the keywords"
    return any(
        w in ("to", "about", "on") or w in _SHOWN for w, after in itertools.pairwise(before) if after in _POINTING
    ) and any(t.kind in ("action", "task", "type") and t.last < term.first for t in own)


def _ordinal(intent: Intent, words: Sequence[str]) -> int:
    for term in intent.terms:
        if term.kind == "type" and term.first and words[term.first - 1] in _ORDINALS:
            return _ORDINALS[words[term.first - 1]]
    ones = (_ORDINALS[word] for word, after in itertools.pairwise(words) if word in _ORDINALS and after == "one")
    return next(ones, 0)


def _bare_demonstrative(intent: Intent, words: Sequence[str]) -> bool:
    """ "this" that stands alone and for something, unlike "this picture"."""
    nouns = {t.first for t in intent.terms if t.kind in ("type", "thing", "word")}
    named = {t.last for t in intent.terms if t.kind == "type"}
    bare = [i for i, w in enumerate(words) if w in ("this", "that", "these", "those") and i + 1 not in nouns]
    bare = [i for i in bare if words[i] != "that" or i - 1 not in named]  # "a film that includes two pictures"
    return any(i > 0 and words[i - 1] not in ("so", "such", "way") for i in bare)


def _says_what(term: Term, words: Sequence[str]) -> bool:
    """True for what tells what is wanted: an operation, a thing, or a kind of thing that is new ("a sound")."""
    if term.kind in ("task", "thing", "word", "action"):
        return True
    before = ["", "", *words[: term.first]][-2:]
    return term.kind == "type" and before[1] in ("a", "an") and before[0] not in SOURCE
