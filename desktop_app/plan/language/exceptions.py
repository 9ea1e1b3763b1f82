"""What the words leave out: every reader of "except", "but not", "leave out" and the like rests on `openings`. Of the
things in a picture what is excepted by its place or size ("all faces but the middle one"), or by what it is.

Knows no tools and no files; the words are in resources/values.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.types import Request

_SEEN = ("faces", "people")
"""Tasks whose words name things in a picture."""
_WHOLE = re.compile(
    r"\b(?:everything|anything|whole|else|rest|background|alles|ganze\w*|tout(?! le)|fond|todo|fondo)\b|背景|画面", re.I
)
_THING = re.compile(
    r"\s*([^,.;:!?，。；：！？]+?)(?=\s*(?:[,.;:!?，。；：！？]|以外|之外|外|其他|其它|其余|的地方|都|$))"
)
_HAN = "\u3400"
_KINDS = ("surely", "but_not", "perhaps", "joint", "verbs", "lacking", "lacking_name", "staying", "denied", "none")


@dataclass(frozen=True)
class Opening:
    """Words that leave out what follows them, and where they are. `kinds` are the lists of [exceptions] that have them;
    `beside_all` and `behind_all` are true where "all" stands in the text, or before them, `all_but` right before.
    """

    word: str
    start: int
    end: int
    kinds: frozenset[str]
    beside_all: bool
    behind_all: bool
    all_but: bool

    def excepts(self) -> bool:
        """True where what follows is left out of all there is, if it is a thing."""
        sure = bool(self.kinds & {"surely", "but_not"})
        return sure or ("perhaps" in self.kinds and self.beside_all) or ("joint" in self.kinds and self.behind_all)


@dataclass(frozen=True)
class _Words:
    ranks: re.Pattern[str]
    by_word: dict[str, str]
    numbers: dict[str, str]
    openings: re.Pattern[str]
    kinds: dict[str, frozenset[str]]
    around: re.Pattern[str]
    all: re.Pattern[str]
    closing: re.Pattern[str]
    where: re.Pattern[str]
    glue: frozenset[str]


@lru_cache(maxsize=256)
def openings(text: str) -> tuple[Opening, ...]:
    """Wherever words stand that may leave out something, from left to right."""
    words = _words()
    alls = [found.span() for found in words.all.finditer(text)]
    return tuple(
        Opening(
            found[0],
            *found.span(),
            words.kinds[found[0].lower()],
            bool(alls),
            any(end <= found.start() for _, end in alls),
            any(end <= found.start() and not text[end : found.start()].strip() for _, end in alls),
        )
        for found in words.openings.finditer(text)
        if "none" not in words.kinds[found[0].lower()]
    )


def spared(text: str) -> str:
    """What the words except: "everything grey except | the red umbrella"; "" where they except nothing. The name of the
    file that it is in is no part of it.
    """
    for opening in openings(text):
        excepts = opening.kinds & {"surely", "perhaps"} or ("joint" in opening.kinds and opening.all_but)
        found = _THING.match(text, opening.end) if excepts else None
        if found is None or _words().where.match(found[1]):
            continue
        words = found[1].split()
        if re.match(r"\.\w", text[found.end() :]):
            words = words[:-1]
            while words and words[-1].lower() in _words().glue:
                words.pop()
        return " ".join(words)
    return ""


def excepted(text: str) -> tuple[str, str]:
    """The text without what it excepts by place, and that in English: "blur all faces", "all but leftmost 2" of "Blur
    all faces except the two on the left". The text as it is, and "", where it excepts nothing so.
    """
    for opening in openings(text):
        start, found = opening.start, _place(text, opening.end) if opening.excepts() else None
        if found is None:
            continue
        end, which = found[0], f"all but {found[1]}"
        rest = f"{text[:start].rstrip(' ,，')}{_gap(text, start, end)}{text[end:].lstrip(' ,，' if not start else '')}"
        rest = re.sub(r"其他|其它|其余|别的", "所有", rest)
        if _names_things(rest):
            return rest, which
    return text, ""


def apart(request: Request) -> Request:
    """The request without what it excepts by place of the things in its pictures, which `spared` says then."""
    types = {given.type for given in request.resources} | {t.type for t in tokens_of(request.text) if t.kind == "file"}
    if types != {"image"} or request.spared:
        return request
    text, which = excepted(request.text)
    return replace(request, text=text, spared=which) if which else request


def excepted_place(text: str) -> tuple[str, int, int] | None:
    """What a text excepts, in English, and where that begins and ends: "leftmost 2" of "not the two on the left"."""
    for opening in openings(text):
        if opening.excepts() and (found := _place(text, opening.end, whole=False)):
            return found[1], opening.start, found[0]
    return None


def chosen_place(text: str) -> tuple[str, int, int] | None:
    """Which of several things a text means by their place or size, as above: "largest" of "only the biggest one"."""
    for word in re.finditer(rf"[{_HAN}-\u9fff]|[^\W{_HAN}-\u9fff]+", text):
        if found := _place(text, word.start(), whole=False):
            return found[1], word.start(), found[0]
    return None


def _place(text: str, begin: int, whole: bool = True) -> tuple[int, str] | None:
    """Where the words for a place that begin here end, and which things they mean; None for anything else. With
    `whole` another wish, or nothing, has to come after them.
    """
    words, rank, number, place = _words(), "", "", begin
    while place < len(text):
        gap = re.compile(r"[\s'’]*").match(text, place)
        at = gap.end() if gap else place
        found = words.ranks.match(text, at)
        if found and not rank:
            rank, place = words.by_word[found[0].lower()], found.end()
            continue
        if rank and (closed := words.closing.match(text, at)):
            place = closed.end()
            continue
        if found := words.around.match(text, at):
            place = found.end()
            continue
        word = re.compile(rf"[{_HAN}-\u9fff]|[^\W{_HAN}-\u9fff]+").match(text, at)
        if word is None or (word[0] >= _HAN and word[0] not in words.numbers):
            break
        if word[0].lower() in words.numbers and not number:
            number = words.numbers[word[0].lower()]
        elif not _same_noun(word[0], text[:begin]):
            if not rank or (whole and not _goes_on(word[0])):
                return None
            break
        place = word.end()
    return (place, f"{rank} {number}".strip()) if rank else None


def _goes_on(word: str) -> bool:
    return word.lower() in ("and", "then", "und", "dann", "et", "puis", "y", "luego", "with", "mit", "avec", "con")


def _same_noun(word: str, before: str) -> bool:
    """ "All cars but the left car": what was named before."""
    size = max(3, len(word) - 2)
    return any(other[:size].lower() == word[:size].lower() for other in re.findall(r"\w+", before) if len(word) > 2)


def _gap(text: str, start: int, end: int) -> str:
    return " " if start and end < len(text) and text[end].isalnum() and text[end] < _HAN else ""


def _names_things(text: str) -> bool:
    """True where the wording names things that a picture shows, and not the pictures, or all there is."""
    terms = [term for chunk in read(text).chunks for term in chunk.terms]
    named = any(t.kind == "word" or (t.kind == "task" and t.key in _SEEN) for t in terms)
    return named and _WHOLE.search(text) is None


@cache
def _words() -> _Words:
    data = tomllib.loads((RESOURCES / "values.toml").read_bytes().decode("utf-8"))
    own = data["exceptions"]
    by_word = {
        word: rank for table in ("places", "ranks") for rank, text in data[table].items() for word in _entries(text)
    }
    numbers = {
        word: n for n in ("2", "3", "4", "5") for word in (n, *_entries(f"{data['numerals'][n]}, {own.get(n, n)}"))
    }
    lists = {kind: frozenset(_entries(own[kind])) for kind in _KINDS}
    kinds = {
        word: frozenset(kind for kind, entries in lists.items() if word in entries)
        for entries in lists.values() for word in entries
    }  # fmt: skip
    return _Words(
        _any_of(by_word),
        by_word,
        numbers,
        _any_of(kinds),
        kinds,
        *(_any_of(_entries(own[name])) for name in ("around", "all", "closing", "where")),
        glue=frozenset(_entries(data["small"]["glue"])),
    )


def _entries(text: str) -> list[str]:
    return [entry.strip().lower() for entry in text.split(",")]


def _any_of(entries: Iterable[str]) -> re.Pattern[str]:
    """Any of the phrases, the longest first, between the ends of words where it has such."""
    ordered = sorted(entries, key=len, reverse=True)
    forms = (re.escape(e) if e >= _HAN else rf"(?<!\w){re.escape(e)}(?!\w)" for e in ordered)
    return re.compile("|".join(forms), re.I)
