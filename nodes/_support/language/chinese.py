"""The words of Chinese texts, which stand without spaces, and which of them are names. Must not know tools.

By jieba's dictionary and hidden Markov model (rjieba); text of other scripts comes back in words as well.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nodes._support.language.entities import Entity

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_PEOPLE, _PLACES, _BODIES = ("nr", "nrt", "nrfg"), ("ns",), ("nt",)
_NAMES = (*_PEOPLE, *_PLACES, *_BODIES)
_SUBJECTS = (*_NAMES, "n", "nz", "vn", "an", "l", "i", "j", "eng")
_IN_ADDRESSES = frozenset("ns nz n nr m q eng x f s a b".split())  # noqa: SIM905


_ENDS_WITH_VERB = re.compile("..[说是在住问叫对把被给也都就很于从]")
"""What the model takes for a name of three letters, though the last begins what is said of it: no name ends with it."""


class Word(NamedTuple):
    """A word with its part of speech, as the ICTCLAS tags name it, and where it begins."""

    text: str
    tag: str
    position: int

    @property
    def is_subject(self) -> bool:
        """Whether it may say what a text is about: nouns, names, and verbs in the place of nouns."""
        return self.tag in _SUBJECTS and len(self.text) > 1

    @property
    def is_name(self) -> bool:
        """Whether it is a person, a place or an organisation."""
        return self.tag in _NAMES and len(self.text) > 1 and is_in(self.text)


def is_in(text: str) -> bool:
    """True where there is a Chinese character."""
    return bool(_HAN.search(text))


def words(text: str) -> list[Word]:
    """Words, numbers and marks in their order."""
    import rjieba

    found, position = [], 0
    for word, tag in rjieba.tag(text):
        name, verb = (word[:-1], word[-1]) if tag in _PEOPLE and _ENDS_WITH_VERB.fullmatch(word) else (word, "")
        found += [Word(name, tag, position), *([Word(verb, "v", position + len(name))] if verb else [])]
        position += len(word)
    return found


def names(text: str) -> list[Entity]:
    """People, places and organisations, each of kind "name"."""
    found = words(text) if is_in(text) else []
    return [Entity("name", word.text, word.position) for word in found if word.is_name]


def places(text: str) -> list[Entity]:
    """Places, each of kind "place"."""
    found = words(text) if is_in(text) else []
    return [Entity("place", word.text, word.position) for word in found if word.tag in _PLACES]


def address_start(text: str) -> int:
    """Where an address begins that the text ends with: behind the last word that stands in none, such as a verb."""
    found = words(text)
    last = max((i for i, word in enumerate(found[:-1]) if word.tag not in _IN_ADDRESSES), default=-1)
    rest = found[last + 1 :]
    first = next((word for word in rest if word.tag in _PLACES), rest[0] if rest else None)
    return first.position if first is not None else 0
