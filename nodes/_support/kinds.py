"""Whether a name that was given to a thing is of the kind that is asked for: plurals and synonyms count."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nodes._support.words import stem

_KINDS = (
    {"person", "people", "man", "woman", "men", "women", "human", "boy", "girl", "child", "children", "kid"},
    {"dog", "puppy", "hound"},
    {"cat", "kitten", "kitty"},
    {"car", "automobile", "vehicle"},
    {"bicycle", "bike", "cycle"},
    {"motorcycle", "motorbike"},
    {"airplane", "plane", "aeroplane", "aircraft"},
    {"couch", "sofa"},
    {"tv", "television", "monitor", "screen"},
    {"phone", "cellphone", "smartphone", "telephone"},
    {"cup", "mug"},
    {"boat", "ship"},
    {"bird", "pigeon", "duck", "parrot"},
    {"face", "head"},
    {"plant", "potted plant", "houseplant"},
    {"table", "dining table", "desk"},
)
_ODD_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse"}
_IGNORED = frozenset(("the", "a", "an", "of", "all", "every", "each", "only", "and", "or", "one"))


def words_of(text: str) -> list[str]:
    """The words of a wish that name kinds."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in _IGNORED]


def fits(wanted: Iterable[str], label: str) -> bool:
    """True when a word of both has the same stem ("dogs", "dog") or both mean the same ("puppy", "dog")."""
    return any(_same(word, label) for word in wanted)


def _same(word: str, label: str) -> bool:
    wanted = _meanings(word)
    return any(wanted & _meanings(part) for part in (label.lower(), *re.findall(r"\w+", label.lower())))


def _meanings(word: str) -> set[str]:
    """Stems of the word and of all words that mean the same."""
    word = _ODD_PLURALS.get(word, word)
    own = stem(word, "en")
    kinds = [kind for kind in _KINDS if any(stem(other, "en") == own for other in kind)]
    return {own, *(stem(_ODD_PLURALS.get(other, other), "en") for kind in kinds for other in kind)}
