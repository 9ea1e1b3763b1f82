"""What words refer back to: a file by the words that introduced it ("a noisy recording talk.wav"), or a wish before."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.plan.language.tokenizer import Token, stem
from desktop_app.plan.language.type_roles import DEFINITE, SOURCE
from desktop_app.plan.language.types import Intent, Term

_THE = frozenset(("the", "this", "that", "my", "our", "his", "her", "their", "said"))
_PASSED = frozenset((
    "a", "an", "the", "my", "our", "his", "her", "their", "this", "called", "named", "of", "from", "in", "is", "are",
    "file", "with", "titled", "i", "have", "has", "as", "for", "and", "or", "to", "it", "its", "at", "on", "me", "mine",
    "one", "another", "other", "some", "that", "which", "given", "following", "provided", "attached",
))  # fmt: skip
_PLAIN = frozenset(map(stem, (
    "image", "picture", "photo", "audio", "sound", "video", "film", "text", "file", "clip", "track", "content",
    "document", "example", "sample", "url", "link", "data",
)))  # fmt: skip
"""Words that go for any file of a kind, and for what is made of it."""
_BACK = 7


def introduction(tokens: Sequence[Token], place: int) -> frozenset[str]:
    """The stems of the words that lead to the file at `place`, those that say which one; empty without such words."""
    found = []
    for token in reversed(tokens[max(0, place - _BACK) : place]):
        if token.kind != "word":
            break
        if token.word not in _PASSED:
            found.append(stem(token.word))
    return frozenset(found)


def comes_back(words: frozenset[str], tokens: Sequence[Token]) -> int:
    """How many of the words, beyond those for its kind, "the ..." repeats as one noun; 0 when other words are in it.

    "The voice recording" repeats those of "a voice recording a.wav"; "the modified voice recording" does not.
    """
    best = 0
    for place, token in enumerate(tokens):
        if token.word not in _THE:
            continue
        count = 0
        for after in tokens[place + 1 :]:
            own = stem(after.word)
            if after.kind != "word" or (own not in words and own not in _PLAIN and after.word not in ("and", "or")):
                break
            count += own in words and own not in _PLAIN
        best = max(best, count)
    return best


_COMING_BACK = frozenset(("my", "our", "each", "every"))
"""Beside "the": what follows was spoken of before."""


def is_definite(term: Term, words: Sequence[str]) -> bool:
    """True behind "the", "this" and the like."""
    return bool(DEFINITE & set(words[max(0, term.first - 2) : term.first]))


def only_takes_away(terms: Sequence[Term]) -> bool:
    """True where nothing but "remove" is said to be done."""
    doing = [t for t in terms if t.kind == "task"]
    return bool(doing) and all(t.key == "remove" for t in doing)


def _is_done_thing(term: Term, words: Sequence[str]) -> bool:
    """ "The *extracted text*", beside another verb: an operation's phrase for what it has made."""
    return term.first < term.last and words[term.first].endswith("ed") and words[term.first - 1] in DEFINITE


def is_reference(term: Term, words: Sequence[str], intent: Intent, known: set[str]) -> bool:
    """ "the transcribed text", "the summary", when an earlier wish already makes it."""
    before = words[max(0, term.first - 3) : term.first]
    if term.kind in ("task", "action") and before[-2:] in (["you", "just"], ["was", "just"], ["were", "just"]):
        return True  # "the pictures that you just made"
    if term.kind not in ("task", "action") or term.first == 0:
        return False
    if term.key not in known and not _is_done_thing(term, words):
        return False
    near = before[-3:] if before[-1].endswith("ed") else before[-2:]
    definite = any(w in DEFINITE or w in _COMING_BACK for w in near) or any(w in SOURCE for w in before[-1:])
    participle = words[term.first].endswith("ed") and any(
        t.kind in ("type", "task") and t.first in (term.last + 1, term.last + 2) for t in intent.terms
    )
    others = [t for t in intent.terms if t.kind in ("task", "action") and t.key != term.key]
    return definite and (participle or bool(others) or intent.joint == "using")
