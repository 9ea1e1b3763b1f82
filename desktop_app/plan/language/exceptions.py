"""What of several things in a picture is excepted by its place or size: "all faces but the middle one".

Knows no tools; the words are in resources/values.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.types import Request

_SEEN = ("faces", "people")
"""Tasks whose words name things in a picture."""
_WHOLE = re.compile(
    r"\b(?:everything|anything|whole|else|rest|background|alles|ganze\w*|tout(?! le)|fond|todo|fondo)\b|背景|画面", re.I
)
_HAN = "\u3400"


@dataclass(frozen=True)
class _Words:
    ranks: re.Pattern[str]
    by_word: dict[str, str]
    numbers: dict[str, str]
    around: re.Pattern[str]
    surely: re.Pattern[str]
    perhaps: re.Pattern[str]
    all: re.Pattern[str]
    closing: re.Pattern[str]


def excepted(text: str) -> tuple[str, str]:
    """The text without what it excepts by place, and that in English: "blur all faces", "all but leftmost 2" of "Blur
    all faces except the two on the left". The text as it is, and "", where it excepts nothing so.
    """
    for start, begin in _openings(text):
        found = _place(text, begin)
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


def _openings(text: str) -> Iterator[tuple[int, int]]:
    """Where words that except something begin and end."""
    words = _words()
    for found in words.surely.finditer(text):
        yield found.span()
    for found in words.perhaps.finditer(text):
        if words.all.search(text[: found.start()]):
            yield found.span()


def excepted_place(text: str) -> tuple[str, int, int] | None:
    """What a text excepts, in English, and where that begins and ends: "leftmost 2" of "not the two on the left"."""
    for start, begin in _openings(text):
        if found := _place(text, begin, whole=False):
            return found[1], start, found[0]
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
    return _Words(
        _any_of(by_word),
        by_word,
        numbers,
        *(_any_of(_entries(own[name])) for name in ("around", "surely", "perhaps", "all", "closing")),
    )


def _entries(text: str) -> list[str]:
    return [entry.strip().lower() for entry in text.split(",")]


def _any_of(entries: Iterable[str]) -> re.Pattern[str]:
    """Any of the phrases, the longest first, between the ends of words where it has such."""
    ordered = sorted(entries, key=len, reverse=True)
    forms = (re.escape(e) if e >= _HAN else rf"(?<!\w){re.escape(e)}(?!\w)" for e in ordered)
    return re.compile("|".join(forms), re.I)
