"""What pieces of a request do in it: those that ask for nothing, those to be done first, those of the result."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from desktop_app.plan.language.tokenizer import Token
from desktop_app.plan.language.types import Intent
from nodes.api import ResourceType

_SO = frozenset(("so", "therefore", "hence", "thus"))
_NO_REASON = frozenset(("that", "it", "they", "as", "far", "much", "many", "on"))
_FIRST_PERSON = frozenset(("i", "we", "i'm", "we're", "i've", "we've"))
_SUBJECTS = _FIRST_PERSON | {
    "my", "our", "his", "her", "their", "she", "he", "they", "it", "there", "there's", "one", "some", "this", "these",
    "the", "it's", "today", "tomorrow", "unfortunately",
}  # fmt: skip
_OBLIGED = frozenset((
    "have", "must", "need", "want", "would", "like", "should", "am", "are", "plan", "intend", "i'd", "i'm", "going",
))  # fmt: skip
_FINITE = frozenset((
    "cannot", "can't", "couldn't", "keeps", "keep", "says", "said", "loves", "love", "likes", "hates", "wants", "asked",
    "told", "wrote", "sent", "thinks", "knows", "goes", "went", "does", "doesn't", "don't", "tells", "gave", "gives",
    "got", "came", "comes", "works", "lives", "has", "had", "is", "are", "was", "were",
))  # fmt: skip
_QUESTIONS = frozenset((
    "how", "what", "which", "where", "who", "whether", "if", "wie", "ob", "combien", "cuántas", "cuántos", "si",
))  # fmt: skip
_BEING = frozenset(("is", "are", "was", "were", "look", "looks", "seem", "seems", "sound", "sounds", "feel", "feels"))
_ASKING = frozenset((
    "please", "want", "need", "would", "could", "should", "must", "wish", "like", "can", "help", "let", "i'd", "how",
    "what", "which", "who", "where", "why", "when", "whether", "is", "are", "does", "do", "did",
))  # fmt: skip
_TAKEN_BACK = (("never", "mind"), ("forget", "it"), ("forget", "that"), ("scratch", "that"), ("ignore", "that"))
_BASED = (("based", "on"), ("according", "to"), ("depending", "on"))
_ANNOUNCING = frozenset((
    "text", "url", "link", "instruction", "instructions", "question", "message", "sentence", "prompt", "following",
    "description", "script", "this", "address",
))  # fmt: skip
_SPECIAL = ("task", "thing", "word")


def set_background(intents: Sequence[Intent]) -> None:
    """Marks the pieces that only tell why or what was, when another piece says what is wanted."""
    for place, intent in enumerate(intents):
        words = [token.word for token in intent.tokens]
        if len(words) <= 3 and any(pair in _TAKEN_BACK for pair in itertools.pairwise(words)) and intents[place + 1 :]:
            for other in intents[: place + 1]:
                _empty(other)
        elif _only_announces(intent, intents[place + 1 : place + 2]):
            _empty(intent)
        elif tuple(words[:2]) in _BASED:
            _set_basis(intent, intents)
        elif "thank" in words[:6] or words[:1] == ["thanks"]:
            _thank(intent, intents)
        elif _is_special(intent) and (_gives_reason_before(intent, words) or _explains(intent, words)):
            _set_reasons(intent, intents[:place], opened=intent.joint == ":")
    _set_told(intents)


def hopes_the_same(intent: Intent, before: Intent) -> bool:
    """ "I want to sing ballad.mp3, | strip the singer out": what the user will do himself, in a word that no list
    holds, and then what has to be done for that: one wish.
    """
    words = [token.word for token in before.tokens]
    if intent.joint != "," or intent.sentence != before.sentence or intent.pronoun or "to" not in words[1:4]:
        return False
    hopes = words[0] in _FIRST_PERSON and words[1] in ("want", "need", "have", "wish", "plan", "would", "like")
    hopes |= words[:2] == ["i'd", "like"]
    verb = words.index("to") + 1 if hopes else len(words)
    return hopes and any(t.kind == "word" and t.first == verb for t in before.terms)


def _only_announces(intent: Intent, following: Sequence[Intent]) -> bool:
    """ "Can you say to me, | how many words ...": what is to be told comes in the next piece."""
    if not following or following[0].sentence != intent.sentence or intent.mentions("file", "url", "quote", "number"):
        return False
    words = [token.word for token in following[0].tokens]
    said = [t for t in intent.terms if t.kind in _SPECIAL]
    tells = bool(said) and all(t.key == "speak" and t.last == len(intent.tokens) - 1 for t in said)
    return tells and words[0] in _QUESTIONS and _is_special(following[0])


def _set_basis(intent: Intent, intents: Sequence[Intent]) -> None:
    """ "Based on the mood, | suggest topics": what was made before, for all that the sentence goes on to wish."""
    known = {key for other in intents[: intent.index] if not other.stating for key in other.meanings}
    keys = tuple(t.key for t in intent.terms if t.kind == "task")
    following = [other for other in intents[intent.index + 1 :] if other.sentence == intent.sentence]
    if not keys or not set(keys) <= known or not following or intent.mentions("file", "url", "quote"):
        return
    for other in following:
        other.refers = tuple(dict.fromkeys((*other.refers, *keys)))
    _empty(intent)


def _gives_reason_before(intent: Intent, words: Sequence[str]) -> bool:
    return words[0] in _SO and words[1:2] != [] and words[1] not in _NO_REASON and not intent.stating


def _explains(intent: Intent, words: Sequence[str]) -> bool:
    """ "I must describe it in numbers: *how many ...*": behind a colon, and no text that is announced."""
    starts = words[0] in _ASKING or any(t.first == 0 and t.kind in ("task", "action", "thing") for t in intent.terms)
    return intent.joint == ":" and starts


def _set_reasons(intent: Intent, earlier: Sequence[Intent], opened: bool) -> None:
    """ "I have to send it away, | so please make it smaller"; "I want to tidy this: | sort the lines"."""
    pieces = [other for other in earlier if other.sentence == intent.sentence]
    if not pieces or any(other.complains for other in pieces):
        return
    words = [token.word for token in pieces[0].tokens]
    if opened and (len(pieces) > 1 or pieces[0].tokens[-1].word in _ANNOUNCING):
        return
    opening = words[1] if words[0] == "today" and len(words) > 1 else words[0]
    own = opening in _FIRST_PERSON | {"i'd"} and bool(_OBLIGED & set(words[:4]))
    if own or (not opened and opening in _SUBJECTS and not _ASKING & set(words[:1])):
        for other in pieces:
            _empty(other)


def _thank(intent: Intent, intents: Sequence[Intent]) -> None:
    """ "Thank you for your help": together with what stands beside it, unless that is a wish."""
    if not intent.mentions("file", "url", "quote") and any(o is not intent and _wishes(o) for o in intents):
        _empty(intent)


def _set_told(intents: Sequence[Intent]) -> None:
    """ "Customers keep writing to us.": a sentence that names nothing and asks for nothing, beside one that does."""
    sentences = {intent.sentence for intent in intents}
    if len(sentences) < 2:
        return
    for place, intent in enumerate(intents):
        following = [other for other in intents[place + 1 :] if other.sentence == intent.sentence + 1]
        if not intent.complains and not intent.stating and _is_too_much(intent, following):
            _empty(intent)
    for sentence in sentences:
        pieces = [intent for intent in intents if intent.sentence == sentence]
        others = [intent for intent in intents if intent.sentence != sentence]
        if len(pieces) == 1 and _only_tells(pieces[0]) and any(_wishes(other) for other in others):
            pieces[0].stating = True


def _is_too_much(intent: Intent, following: Sequence[Intent]) -> bool:
    """ "The colours in a.jpg look too cold." before what is to be done with "them"."""
    words = [token.word for token in intent.tokens]
    being = next((i for i, word in enumerate(words) if word in _BEING), len(words))
    return "too" in words[being : being + 3] and any(other.pronoun and _wishes(other) for other in following)


def _only_tells(intent: Intent) -> bool:
    words = [token.word for token in intent.tokens]
    if intent.joint or intent.complains or intent.mentions("file", "url", "quote"):
        return False
    if _ASKING & set(words[:1]) or {"please", "need", "needs"} & set(words) or len(words) < 3:
        return False
    noun = words[0].endswith("s") and words[1] in _FINITE
    finite = next((i for i, word in enumerate(words[1:6], 1) if word in _FINITE), 0)
    if not finite or {"want", "like", "would", "should", "must", "to"} & set(words[:finite]):
        return False
    doing = [t for t in intent.terms if t.kind in ("task", "action") and t.first < finite]
    return (words[0] in _SUBJECTS - _FIRST_PERSON or noun) and not any(t.kind == "task" for t in doing)


def _wishes(intent: Intent) -> bool:
    return not intent.stating and _is_special(intent)


def _is_special(intent: Intent) -> bool:
    return not intent.stating and any(t.kind in _SPECIAL for t in intent.terms if t.key in intent.meanings)


def _empty(intent: Intent) -> None:
    """Leaves of a piece only the files that it names."""
    intent.stating = True
    intent.meanings = {}
    intent.terms = tuple(t for t in intent.terms if t.kind == "type")


MARK = "beforehand"
_ADVERBS = {"before": MARK, "after": "then"}
_THAT = frozenset(("that", "this"))
_GOES_ON = frozenset(("please", "you", "could", "can", "would", "i", "we", "and", "also", "though", "but"))
_OPENING = frozenset((".", "!", "?", ";", ":", ",", "\n"))


def with_adverbs(tokens: Sequence[Token], verbs: frozenset[int]) -> list[Token]:
    """The tokens with "before that" and "after that" as one word each, where no noun follows ("before that talk").

    `verbs` are the places of words for operations.
    """
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.word in _ADVERBS and token.kind == "word":
            that = [t.word for t in tokens[place + 1 : place + 2] if t.word in _THAT]
            end = place + 1 + len(that)
            alone = token.word == "before" and not that and _closes(tokens, end)
            if alone or (that and (_closes(tokens, end) or tokens[end].word in _GOES_ON or end in verbs)):
                result.append(replace(token, word=_ADVERBS[token.word], end=tokens[end - 1].end))
                opens = place == 0 or tokens[place - 1].text in _OPENING
                place = end + (opens and end < len(tokens) and tokens[end].text == ",")
                continue
        if token.word == MARK and place + 1 < len(tokens) and tokens[place + 1].text == ",":
            place += place == 0 or tokens[place - 1].text in _OPENING
        result.append(token)
        place += 1
    return result


def _closes(tokens: Sequence[Token], place: int) -> bool:
    return place >= len(tokens) or tokens[place].kind == "stop"


def comes_first(intent: Intent, earlier: Sequence[Intent]) -> bool:
    """True for a wish that is to be done before one that was said before it."""
    wishes = [other for other in earlier if not other.stating]
    if not wishes or intent.stating:
        return False
    words = [token.word for token in intent.tokens]
    same = wishes[-1].sentence == intent.sentence
    if MARK in words:
        return True
    if same and intent.joint == "after" and any(word.endswith("ing") for word in words[:3]):
        return True
    if same and is_put_off(wishes[-1], earlier) and earlier[-1] is wishes[-1]:
        return True
    if same and intent.joint == "but" and len(words) == 1 and words[0].endswith("ed"):
        return True  # "... using the text '...', but simplified"
    last = words[-1:] == ["first"] and words[-2:-1] not in (["the"], ["at"], ["its"])
    return last or (intent.joint == "but" and words[:1] == ["first"])


def is_put_off(intent: Intent, intents: Sequence[Intent]) -> bool:
    """ "Before transcribing talk.wav, ...", at the start of a sentence."""
    opens = not any(other.sentence == intent.sentence for other in intents if other.index < intent.index)
    does = any(t.kind in ("task", "action") and t.first <= 2 for t in intent.terms)
    return intent.joint == "before" and opens and does


KINDS_OF_PICTURES = frozenset(str(type) for type in ResourceType if type.parent is ResourceType.IMAGE)
_FOUND = frozenset(("mask", "segmentation"))
_SHALL = frozenset(("should", "must", "shall"))
_RELATIVE = ("that", "which")
_MEANS = ("by", "using", "with")


def describes_result(intent: Intent, earlier: Sequence[Intent]) -> bool:
    """True for a piece that tells more about what the one before it makes."""
    if not earlier or earlier[-1].stating:
        return False
    before = earlier[-1]
    same = intent.sentence == before.sentence
    if same and (_is_by_means(intent) or (intent.joint in _RELATIVE and {*before.gives} & _FOUND)):
        return True
    return _shall_be(intent, before)


def _is_by_means(intent: Intent) -> bool:
    """ "... by generating a mask": how, and no wish of its own."""
    if intent.joint not in _MEANS or intent.mentions("file", "quote", "url", "number"):
        return False
    kinds = [t for t in intent.terms if t.kind == "type" and t.key in _FOUND]
    rest = [t for t in intent.terms if t not in kinds and t.kind != "exact"]
    return bool(kinds) and all(t.kind == "action" and t.key in ("make", "give") for t in rest)


def _shall_be(intent: Intent, before: Intent) -> bool:
    """ "The new picture should show a busy street"."""
    words = [token.word for token in intent.tokens]
    if not _SHALL & set(words[1:5]) or intent.mentions("file"):
        return False
    subject = next((t for t in intent.terms if t.kind == "type"), None)
    makes = any(t.kind == "action" and t.key == "make" for t in before.terms)
    named = subject is not None and subject.first <= 3 and any(t.key == subject.key for t in before.terms)
    return (words[0] == "it" and bool(before.gives)) or (
        makes and named and words[0] in ("the", "this") and "new" in words[:3]
    )
