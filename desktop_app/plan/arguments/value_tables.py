"""The words of a request for reading values: tokens with figures, phrases from the tables, what is negated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tokenizer import MAX_CHARACTERS, stem, tokens_of

_HOLES = ("file", "url", "quote")
_HAN = r"\u3040-\u30ff\u3400-\u9fff"
_ITEM = re.compile(
    r"(?P<hole>[\ue000-\ue002]+)|(?P<colour>\#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z]))"
    r"|(?P<time>\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?![\d:]))|(?P<ratio>\d+:\d+)"
    r"|(?P<number>\d{1,3}(?:[,']\d{3})+(?![\d.,]*\d)|\d+(?:[.,]\d+)?(?:e[+-]?\d{1,2}(?!\w))?|\.\d+)"
    rf"|(?P<word>[{_HAN}]|[^\W\d_{_HAN}]+(?:['’][^\W\d_{_HAN}]+)?)"
    r"|(?P<break>[.,;:!?\n()，。；：！？、])|(?P<sign>[^\s\w])"
)


_GERMAN_NUMBER = (
    "null|ein|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|"
    "siebzehn|achtzehn|neunzehn|zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|"
    "tausend|halb|viertel|drittel|fünftel|sechstel|achtel|zehntel|hundertstel|und"
)
_GERMAN_UNIT = "mal|sekunden?|minuten?|stunden?|wochen?|prozent|pixel"
_COMPOUND = re.compile(rf"(?:{_GERMAN_NUMBER})+(?:{_GERMAN_UNIT})?")
_PIECE = re.compile(rf"(?:{'|'.join(sorted(_GERMAN_NUMBER.split('|'), key=len, reverse=True))}|{_GERMAN_UNIT})")


@dataclass(frozen=True)
class Word:
    """A piece of the text in lower case. `kind`: word, number, time, ratio, colour, sign, break, or hole: a file,
    an address or a quote, of which nothing but the place is seen here. Chinese comes character by character.
    `start` and `end` are offsets in the request."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        """The English stem."""
        return stem(self.text)


class Phrases:
    """Phrases with what they stand for. Lookup takes the longest phrase that begins at a word."""

    def __init__(self, entries: Iterable[tuple[str, Any]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
        for phrase, meaning in entries:
            words = split(phrase)
            if words:
                self._by_first.setdefault(words[0], []).append((words, meaning))
        for found in self._by_first.values():
            found.sort(key=lambda pair: -len(pair[0]))

    def at(self, words: Sequence[Word], place: int) -> tuple[Any, int] | None:
        """What the phrase at this place stands for, and how many words it has."""
        if place >= len(words) or place < 0:
            return None
        for phrase, meaning in self._by_first.get(words[place].text, ()):
            if tuple(w.text for w in words[place : place + len(phrase)]) == phrase:
                return meaning, len(phrase)
        return None

    def all_of(self, words: Sequence[Word], first: int, last: int) -> list[Any]:
        """Everything that the phrase of these places stands for, in the order of the entries."""
        said = tuple(word.text for word in words[first : last + 1])
        return [meaning for phrase, meaning in self._by_first.get(said[0], ()) if phrase == said]

    def phrases(self) -> list[tuple[tuple[str, ...], Any]]:
        """Every phrase with what it stands for."""
        return [pair for found in self._by_first.values() for pair in found]

    def before(self, words: Sequence[Word], place: int, longest: int = 4) -> tuple[Any, int] | None:
        """The same for the longest phrase that ends before this place."""
        for size in range(min(longest, place), 0, -1):
            found = self.at(words, place - size)
            if found and found[1] == size:
                return found
        return None

    def all(self, words: Sequence[Word]) -> list[tuple[Any, int, int]]:
        """Every phrase in the words, longest first at each place, none inside another: meaning, first, last."""
        found: list[tuple[Any, int, int]] = []
        place = 0
        while place < len(words):
            hit = self.at(words, place)
            if hit:
                found.append((hit[0], place, place + hit[1] - 1))
            place += hit[1] if hit else 1
        return found


@cache
def split(phrase: str) -> tuple[str, ...]:
    """The words of a phrase, cut as requests are."""
    return tuple(word.text for word in words_of(phrase) if word.kind != "break")


def says(words: Sequence[str], name: str) -> bool:
    """True where the words, in small letters, hold an entry of that list of small words; a Chinese one may stand in
    one of them.
    """
    text = f" {' '.join(words)} "
    return any(phrase in text for phrase in _said_forms(name))


@cache
def _said_forms(name: str) -> tuple[str, ...]:
    return tuple(own if own[0] >= "\u3400" else f" {' '.join(split(own))} " for own in tables().small[name])


def words_of(text: str) -> list[Word]:
    """The pieces of a text; files, addresses and quotes in it come as holes."""
    return list(_words(text[:MAX_CHARACTERS]))


@lru_cache(maxsize=512)
def _words(text: str) -> tuple[Word, ...]:
    small = "".join(c.lower() if len(c.lower()) == 1 else c for c in text).replace("’", "'")
    if any(c in text for c in "'\"“„«「`‘./:@") and len(text) > 12:
        for token in tokens_of(text):
            if token.kind in _HOLES:
                mark = chr(0xE000 + _HOLES.index(token.kind))
                small = small[: token.start] + mark * (token.end - token.start) + small[token.end :]
    return tuple(_items(small))


def _items(text: str) -> Iterable[Word]:
    before: Word | None = None
    for match in _ITEM.finditer(text):
        kind = match.lastgroup or "sign"
        if kind in ("number", "time", "ratio") and before and before.end == match.start() and before.kind == "word":
            between = before.start > 0 and text[before.start - 1].isdigit() and before.text in ("x", *_SHORT_TIMES)
            if not between and before.text.isascii() and not _is_factor(before, text):
                kind = "sign"  # "mp3", "n1": a name
        for before in _pieces(Word(kind, match.group(), match.start(), match.end())):
            yield before


_SHORT_TIMES = ("h", "min", "m")


def _is_factor(word: Word, text: str) -> bool:
    """ "x4": so many times."""
    return word.text == "x" and text[: word.start][-1:] in ("", " ", "(")


def _pieces(word: Word) -> list[Word]:
    """A German number written as one word, in its parts: "dreiundzwanzig", "Viertelsekunde"."""
    if word.kind != "word" or len(word.text) < 6 or word.text == "einmal" or not _COMPOUND.fullmatch(word.text):
        return [word]
    return [
        Word("word", piece.group(), word.start + piece.start(), word.start + piece.end())
        for piece in _PIECE.finditer(word.text)
    ]


@dataclass(frozen=True)
class Sense:
    """A word for more (`sign` 1) or less (-1) of a quality such as brightness."""

    quality: str
    sign: int


@dataclass(frozen=True)
class Tables:
    """resources/values.toml as phrases."""

    numerals: Phrases
    heights: Phrases
    ordinals: Phrases
    parts: Phrases
    added: Phrases
    factors: Phrases
    units: Phrases
    directions: Phrases
    senses: Phrases
    colours: Phrases
    shades: Phrases
    bounds: Phrases
    limits: Phrases
    degrees: Phrases
    levels: Phrases
    ranks: Mapping[str, tuple[str, ...]]
    comparisons: Mapping[str, str]
    languages: Phrases
    small: Mapping[str, frozenset[str]]
    joints: Mapping[str, frozenset[str]]
    quotes: Mapping[str, tuple[str, ...]]
    columns: Mapping[str, frozenset[str]]
    names: Mapping[str, tuple[str, ...]]
    choices: Mapping[str, tuple[str, ...]]
    qualities: Mapping[str, frozenset[str]]
    qualities_told: Mapping[str, frozenset[str]]
    codes: frozenset[str]


@cache
def tables() -> Tables:
    """The tables of resources/values.toml, read once."""
    data = tomllib.loads((RESOURCES / "values.toml").read_bytes().decode("utf-8"))
    units = [*_pairs(data["units"], lambda name: (name, 1.0))]
    for unit, size, names in data["multiples"].values():
        units += [(entry, (unit, float(size))) for entry in entries(names)]
    senses = [
        (entry, Sense(name, sign))
        for name, quality in data["qualities"].items()
        for key, sign in (("up", 1), ("down", -1))
        for entry in entries(quality[key])
    ]
    directions = [(e, sign) for key, sign in (("up", 1), ("down", -1)) for e in entries(data["directions"][key])]
    return Tables(
        numerals=Phrases(_pairs(data["numerals"], float)),
        heights=Phrases(_pairs(data["heights"], float)),
        ordinals=Phrases(_pairs(data["ordinals"], float)),
        parts=Phrases(_pairs(data["parts"], float)),
        added=Phrases(_pairs(data["added"], float)),
        factors=Phrases(_pairs(data["factors"], float)),
        units=Phrases(units),
        directions=Phrases(directions),
        senses=Phrases(senses),
        colours=Phrases(_pairs(data["colours"], str)),
        shades=Phrases(_pairs(data["shades"], str)),
        bounds=Phrases(_pairs(data["bounds"], str)),
        limits=Phrases(_pairs(data["limits"], str)),
        degrees=Phrases(_pairs(data["degrees"], float)),
        levels=Phrases(_pairs(data["levels"], str)),
        ranks={name: entries(text) for name, text in data["ranks"].items()},
        comparisons=data["comparisons"],
        languages=Phrases(_inflected(_pairs(data["languages"], str))),
        small=_sets(data["small"]) | {"too": frozenset(entries(data["directions"]["too"]))},
        joints=_sets(data["joints"]),
        quotes={name: entries(text) for name, text in data["quotes"].items()},
        columns=_sets(data["columns"]),
        names={name: entries(text) for name, text in data["names"].items()},
        choices={name: entries(text) for name, text in data["choices"].items()},
        qualities={name: frozenset(entries(q["port"])) | {name} for name, q in data["qualities"].items()},
        qualities_told={name: frozenset(entries(q.get("told", ""))) for name, q in data["qualities"].items()},
        codes=frozenset(data["languages"]),
    )


def entries(text: str) -> tuple[str, ...]:
    """The entries of a list, apart by commas."""
    return tuple(entry.strip() for entry in text.split(",") if entry.strip())


def _pairs(table: Mapping[str, str], meaning: Any) -> list[tuple[str, Any]]:
    return [(entry, meaning(name)) for name, text in table.items() for entry in entries(text)]


_FEMININE = {"ais": "aise", "ois": "oise", "ien": "ienne", "ol": "ole", "and": "ande", "ain": "aine",
             "és": "esa", "ano": "ana", "ino": "ina", "aco": "aca", "eco": "eca", "ego": "ega", "urco": "urca",
             "uso": "usa", "mán": "mana", "ñol": "ñola", "ngaro": "ngara", "esio": "esia"}  # fmt: skip
"""Ends of the names of languages in French and Spanish, and the same of the adjective for "version" and "versión"."""


def _inflected(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """With the German endings ("ins Englische", "auf deutschem ...") and the feminine ("version espagnole")."""
    pairs = list(pairs)
    german = [(name, code) for name, code in pairs if name.endswith(("isch", "deutsch"))]
    feminine = [
        (name.removesuffix(end) + other, code)
        for name, code in pairs
        for end, other in _FEMININE.items()
        if name.endswith(end)
    ]
    endings = [(name + ending, code) for name, code in german for ending in ("e", "en", "er", "es", "em")]
    return pairs + endings + feminine


def _sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(entries(text)) for name, text in table.items()}


@lru_cache(maxsize=256)
def read_words(text: str) -> tuple[Word, ...]:
    """The pieces of a request, kept for the next port."""
    return tuple(words_of(text))


def negated(words: Sequence[Word], place: int) -> bool:
    """True when "not", "without" and the like stand up to five words before, with no break or joint between."""
    small, joints = tables().small, tables().joints
    for word in words[max(0, place - 5) : place][::-1]:
        if word.kind in ("break", "hole") or word.text in joints["further"]:
            return False
        if word.text in small["no"]:
            return True
    return False
