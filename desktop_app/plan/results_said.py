"""Pieces of a request that only say what the thing is like that an earlier piece wants made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nodes.api import ResourceType

if TYPE_CHECKING:
    from desktop_app.plan.decompose import Intent

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
