"""Which column of a table some words mean: in another spelling, short form or language. Must not know tools or cells.

What columns are called is data (resources/column_words.toml); what those lists do not know, the sentence encoder
compares. Words that fit no column, or several as well as each other, mean none: a wrong column would go unnoticed.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Sentences as vectors of length one."""

_FILE = Path(__file__).resolve().parents[3] / "resources" / "column_words.toml"
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")
_HAN = "\u3400"
_SHORTEST_STEM, _SHORTEST_PART = 4, 3
_SHORTEST_SPELLED, _SPELLED = 4, 86
"""Words of so many letters are known by a spelling so near (0 to 100)."""
_NEAR, _APART = 0.7, 0.15
"""What the lists do not know is the column whose meaning is so near (cosine), and by so much nearer than the next."""


class _Part(NamedTuple):
    """A word of a name: as it is compared, and the ideas that it may stand for."""

    word: str
    ideas: frozenset[str]

    def is_like(self, other: _Part) -> bool:
        return self.word == other.word or bool(self.ideas & other.ideas)


def place(words: str, names: Sequence[str], vectors: Vectors | None = None) -> int | None:
    """The position in `names` of the column that the words mean; None where they mean none, or not one only.

    The name itself counts first, whatever its case, then its number from 1, then what is called so in other words.
    `vectors` compares what no list knows; the encoder of this package without it.
    """
    wanted, plain = _plain(words), [_plain(name) for name in names]
    if wanted in plain:
        return plain.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    said, columns = _parts(words), [_parts(name) for name in names]
    if not said:
        return None
    for fits in (_is_whole, _is_narrower, _is_wider, _is_near):
        found = [at for at, column in enumerate(columns) if column and fits(said, column)]
        if found:
            return found[0] if len(found) == 1 else None
    at = _spelled(words, names)
    return at if at is not None else _by_meaning(words, said, names, columns, vectors)


def adds_up(name: str) -> bool:
    """True for a column of amounts or pieces, whose numbers make a sum: not for temperatures, prices for one, ages."""
    ideas = frozenset[str]().union(*(part.ideas for part in _parts(name)))
    return bool(ideas & _listed("sums", "ideas"))


def is_measure(name: str) -> bool:
    """False for a column whose numbers tell things apart, as those of invoices, or years."""
    ideas = frozenset[str]().union(*(part.ideas for part in _parts(name)))
    return not ideas & _listed("sums", "labels")


def is_thing(word: str) -> bool:
    """True for a word of what rows may be: "invoices", "ventas"; not for what they have, such as a weight."""
    parts = _parts(word)
    return all(part.ideas for part in parts) and bool(parts[-1:] and parts[-1].ideas & _listed("sums", "things"))


def beginning(text: str) -> str:
    """The longest stretch at the start of the text that columns, or stretches of time, are called; "" for none."""
    starts = [found.end() for found in _WORD.finditer(text[:60])][:4]
    if text[:1] >= _HAN:
        starts = list(range(1, starts[0] + 1)) if starts else []
    for end in reversed(starts):
        words = " ".join(bare(word) for word in _WORD.findall(text[:end]))
        if _known(words) or len(_compound(words)) > 1:
            return text[:end]
    return ""


def unlike(texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors by which nothing is like anything else, where only the lists shall tell."""
    import numpy as np

    return np.eye(len(texts), dtype=np.float32)


def _plain(name: str) -> str:
    return " ".join(str(name).split()).casefold()


# Words ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[_Part, ...]:
    """The words of a name that say what it is; its units only where there is nothing else."""
    words = [bare(word) for word in _WORD.findall(_HUMP.sub(" ", str(name).replace("_", " ")))]
    told: list[_Part] = []
    at = 0
    while at < len(words):
        taken, ideas = _phrase(words, at)
        if ideas:
            told.append(_Part(_stem(" ".join(words[at : at + taken])), ideas))
        elif words[at] >= _HAN:
            told += _han(words[at])
        elif words[at] not in _idle("words"):
            told += _compound(words[at])
        at += taken
    said = [part for part in told if part.word not in _idle("units") or part.ideas]
    return tuple(said or told or (_Part(word, frozenset()) for word in words))


def _phrase(words: Sequence[str], at: int) -> tuple[int, frozenset[str]]:
    """Of how many words the longest entry is that begins there, and its ideas; 1 and none where there is no entry."""
    for length in range(min(4, len(words) - at), 0, -1):
        found = _known(" ".join(words[at : at + length]))
        if found:
            return length, found
    return 1, frozenset()


def _han(text: str) -> list[_Part]:
    """A run of Chinese characters, cut at the longest entries that are in it."""
    found: list[_Part] = []
    rest, at = "", 0
    while at < len(text):
        for end in range(len(text), at, -1):
            if text[at:end] in _entries():
                found += [_Part(rest, frozenset())] * bool(rest)
                found.append(_Part(text[at:end], _entries()[text[at:end]]))
                rest, at = "", end
                break
        else:
            rest, at = rest + text[at] * (text[at] not in _idle("words")), at + 1
    return [*found, *([_Part(rest, frozenset())] if rest else [])]


def _known(word: str) -> frozenset[str]:
    return _entries().get(word) or _entries().get(_stem(word), frozenset())


def _compound(word: str) -> list[_Part]:
    """The two halves of "Rechnungsnummer" where both are known, else the word as it is."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        second = _entries().get(word[cut:])
        first = second and (_known(word[:cut]) or _known(word[:cut].removesuffix("s")))
        if first and second:
            return [_Part(word[:cut], first), _Part(word[cut:], second)]
    return [_Part(_stem(word), frozenset())]


@lru_cache(maxsize=16384)
def bare(word: str) -> str:
    """In small letters, without accents; ß as ss."""
    split = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFC", "".join(sign for sign in split if not unicodedata.combining(sign)))


def _stem(word: str) -> str:
    """Without the end of a plural."""
    for ending in ("es", "en", "s", "n", "x", "e"):
        if word < _HAN and word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM - (ending == "s"):
            return word.removesuffix(ending)
    return word


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def _entries() -> Mapping[str, frozenset[str]]:
    """The ideas of each entry, and of its stem where that is no other entry."""
    found: dict[str, set[str]] = {}
    for idea, text in _data()["ideas"].items():
        for entry in text.split(","):
            found.setdefault(" ".join(bare(part) for part in _WORD.findall(entry)), set()).add(idea)
    stems: dict[str, set[str]] = {}
    for word, ideas in found.items():
        stems.setdefault(_stem(word), set()).update(ideas)
    return {word: frozenset(ideas) for word, ideas in {**stems, **found}.items()}


@cache
def _idle(kind: str) -> frozenset[str]:
    return frozenset(bare(entry.strip()) for entry in _data()["idle"][kind].split(","))


@cache
def _listed(table: str, name: str) -> frozenset[str]:
    return frozenset(entry.strip() for entry in _data()[table][name].split(","))


@cache
def _like(idea: str) -> frozenset[str]:
    return frozenset(entry.strip() for entry in _data()["near"].get(idea, "").split(",") if entry.strip())


# How a name may fit ---------------------------------------------------------------------------------------------------


def _is_whole(said: Sequence[_Part], column: Sequence[_Part]) -> bool:
    return _all_in(said, column) and _all_in(column, said)


def _is_narrower(said: Sequence[_Part], column: Sequence[_Part]) -> bool:
    """A "date" may be the date of something, but a "city" not the population of a city."""
    rest = [part for part in column if not any(part.is_like(one) for one in said)]
    return _all_in(said, column) and not any(part.ideas and not part.ideas <= _WEAK for part in rest)


_WEAK = frozenset(("code", "name", "first_name", "date", "unit"))
"""A column of these of something may be called by the something."""


def _is_wider(said: Sequence[_Part], column: Sequence[_Part]) -> bool:
    """More is said than the name tells: "number of employees", "order date" for what is "ordered". A word that no list
    knows may be what matters: the "minimum stock" is no stock."""
    rest = [part for part in said if not any(part.is_like(one) for one in column)]
    dated = all(part.word.endswith("ed") for part in column)
    return _all_in(column, said) and all("count" in part.ideas or (dated and part.ideas & _TIMES) for part in rest)


_TIMES = frozenset(("date", "year", "time"))


def _is_near(said: Sequence[_Part], column: Sequence[_Part]) -> bool:
    if len(said) != 1:
        return False
    near = frozenset[str]().union(*map(_like, said[0].ideas))
    return all(part.ideas & near for part in column)


def _all_in(first: Iterable[_Part], second: Sequence[_Part]) -> bool:
    return all(any(part.is_like(other) for other in second) for part in first)


def _spelled(words: str, names: Sequence[str]) -> int | None:
    from rapidfuzz import fuzz

    said, *told = ("".join(map(bare, _WORD.findall(each.replace("_", " ")))) for each in (words, *names))
    if len(said) < _SHORTEST_SPELLED:
        return None
    found = [at for at, name in enumerate(told) if fuzz.ratio(said, name) >= _SPELLED]
    return found[0] if len(found) == 1 else None


def _by_meaning(
    words: str, said: Sequence[_Part], names: Sequence[str], columns: Sequence[Sequence[_Part]],
    vectors: Vectors | None,
) -> int | None:  # fmt: skip
    """Of the columns that the lists do not know - of all, where they do not know what is said - the nearest."""
    is_known = all(part.ideas for part in said)
    open_ones = {at for at, column in enumerate(columns) if not is_known or not all(part.ideas for part in column)}
    if not open_ones:
        return None
    if vectors is None:
        from nodes._support.language import meaning  # here: its weights are only for what the lists do not know

        vectors = meaning.vectors
    told = [" ".join(_WORD.findall(_HUMP.sub(" ", name.replace("_", " ")))).lower() for name in names]
    near = vectors([*told, words])
    likeness = near[:-1] @ near[-1]
    order = sorted(range(len(names)), key=lambda at: -likeness[at])
    apart = likeness[order[0]] - likeness[order[1]] if len(order) > 1 else 1.0
    return order[0] if order[0] in open_ones and likeness[order[0]] >= _NEAR and apart >= _APART else None
