"""Which words of a wish only name what an earlier wish has made ("the transcribed text"), and ask for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_app.plan.lexicon import Term
from desktop_app.plan.objects import DEFINITE, SOURCE

if TYPE_CHECKING:
    from desktop_app.plan.decompose import Intent

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
