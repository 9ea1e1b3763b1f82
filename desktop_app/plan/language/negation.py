"""What a sentence does with its words: denies them ("without a ..."), or complains of them ("it is too dark")."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.tokenizer import Token, stem
from desktop_app.plan.language.types import Term

_LACKING = frozenset(("without", "no"))
_BEING = frozenset((
    "is", "are", "was", "were", "be", "looks", "look", "seems", "sounds", "sound", "appears", "feels", "turned", "came",
    "isn't", "aren't", "wasn't", "got",
))  # fmt: skip
_ASKING = frozenset(("is", "are", "was", "how", "what", "which", "who", "where", "why", "when", "does", "do", "tell"))
_ASKED = frozenset(("does", "do", "did"))
_POSSESSING = frozenset(("the", "my", "this", "that", "its", "their", "your", "his", "her", "our"))
_HEARERS = frozenset(("me", "us", "him", "her", "them", "my"))
_SCOPE = 4
_DEGREE = frozenset((
    "too", "far", "much", "very", "so", "really", "quite", "rather", "a", "bit", "little", "out", "full", "of",
    "zu", "sehr", "trop",
    "très", "demasiado", "muy", "太",
))  # fmt: skip


def denied(words: Sequence[str], terms: Sequence[Term], follows: bool = False) -> frozenset[Term]:
    """The terms that the words exclude: "don't crop", "without a chipmunk voice"; not "the song without voice".

    `follows` is true when a wish stands before them: "..., no music".
    """
    found: set[Term] = set()
    words = list(words)
    for place, word in enumerate(words):
        before, after = words[max(0, place - 1) : place], words[place + 1 : place + 2]
        if word in ("not", "don't", "never", "dont", "avoid") and before[-1:] not in (["is"], ["are"], ["was"], ["if"]):
            if after in (["only"], ["just"]) or (before and before[-1] in _BEING):
                continue
            reach = len(words)
        elif word == "instead" and after == ["of"]:
            reach = place + 2 + _SCOPE
        elif word in _LACKING and not any(t.first <= place <= t.last for t in terms):
            if not _lacks_doing(words, place, terms, follows):
                continue
            reach = place + 1 + _SCOPE
        elif word == "nothing":
            found.update(t for t in terms if t.last == place - 1 and t.kind in ("task", "action", "exact"))
            continue
        else:
            continue
        found.update(t for t in terms if place < t.first < reach)
    return frozenset(found)


def _lacks_doing(words: Sequence[str], place: int, terms: Sequence[Term], follows: bool) -> bool:
    """ "without cropping", "without a chipmunk voice", "..., no music": nothing that is there is to be taken away."""
    after = words[place + 1] if place + 1 < len(words) else ""
    if words[place] == "without":
        return after in ("a", "an", "any") or (after.endswith("ing") and not after.endswith("thing"))
    return follows or any(t.kind in ("action", "task") and t.last < place for t in terms)


def complaint(words: Sequence[str], terms: Sequence[Term], lexicon: Lexicon) -> tuple[str, int] | None:
    """What would set right what is complained of, and at which place: "cellar.jpg is far too dark" -> brighten."""
    if not words or (words[0] in _ASKING and "too" not in words):
        return None
    being = next((i for i, word in enumerate(words) if word in _BEING or word == "too" or word.startswith("太")), None)
    if being is None or any(_commands(t, words) for t in terms if t.last < being):
        return None
    first = being + (not words[being].startswith("太"))  # "太暗" is one word
    for place in range(first, min(being + 6, len(words))):
        if not all(word in _DEGREE or word in lexicon.exact for word in words[first:place]):
            break
        stems = (stem(words[place], lexicon.language), stem(words[place]))
        remedy = next((lexicon.complaints[s] for s in stems if s in lexicon.complaints), None)
        named = next((t.key for t in terms if t.last == place and t.key in lexicon.complaints.values()), None)
        if remedy or named:
            return remedy or str(named), place
    return None


def _commands(term: Term, words: Sequence[str]) -> bool:
    """True for a verb; "the voice" is only what is spoken of."""
    noun = term.first > 0 and words[term.first - 1] in _POSSESSING
    return term.kind in ("task", "action") and not noun and words[term.first] not in _BEING


def with_remedy(words: Sequence[str], terms: Sequence[Term], remedy: str, place: int) -> tuple[Term, ...]:
    """The terms with the property at `place` replaced by what sets it right."""
    kept = [t for t in terms if not _is_aside(t, words, place)]
    if any(t.key == remedy and t.first <= place <= t.last for t in kept):
        return tuple(kept)  # "too dark" is in the list as it stands
    kept = [t for t in kept if t.kind == "type" or not t.first <= place <= t.last]
    return tuple(sorted([*kept, Term(remedy, "task", place, place)], key=lambda t: t.first))


def _is_aside(term: Term, words: Sequence[str], place: int) -> bool:
    """A word of degree, or the thing that is complained of: "the *voice* is *far* too quiet"."""
    if term.kind == "word":
        return words[term.first] in _DEGREE
    return term.kind in ("task", "exact", "action") and term.last < place - 1


def _is_for_ears(words: Sequence[str]) -> bool:
    """ "Read talk.txt *to me*"."""
    return any(word == "to" and after in _HEARERS for word, after in itertools.pairwise(words))


def told(tokens: Sequence[Token], terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms, with "what does it *say*?" as a wish to read or to listen, and "..., *spoken*" as one to speak."""
    words = [token.word for token in tokens]
    if words in (["spoken"], ["aloud"]):
        return (Term("speak", "task", 0, 0),)
    heard = any(token.type in ("audio", "video") for token in tokens)
    written = any(token.type in ("text", "table") for token in tokens)
    seen = any(token.type == "image" for token in tokens)
    found = []
    for term in terms:
        quoted = [token.kind for token in tokens[term.last + 1 : term.last + 2]] == ["quote"]
        if quoted and term.key == "speak" and term.first > 0 and words[term.first] in ("says", "saying", "reads"):
            continue  # "a card that says 'hello'"
        if term.kind == "word" and words[term.first] == "read" and written and _is_for_ears(words):
            term = Term("speak", "task", term.first, term.last)
        asked = term.key == "speak" and words[term.first] in ("say", "says") and _ASKED & set(words[: term.first])
        if written and words[term.first] in ("say", "says") and _ASKED & set(words[: term.first]):
            continue  # "how often do I say it in a.txt?": nothing is to be said
        if seen and term.kind == "word" and words[term.first] == "read":
            term = Term("ocr", "task", term.first, term.last)
        if asked and term.kind == "task" and any(token.kind == "file" for token in tokens):
            term = Term("transcribe" if heard else "ocr", "task", term.first, term.last)
        found.append(term)
    return tuple(found)
