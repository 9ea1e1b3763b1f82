"""A word of its own for each of several pictures: "write Before on the first and After on the second", "call them A, B
and C". Knows no tools; the words are in resources/values.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from desktop_app.plan.language.word_patterns import BREAKS, lists_of
from desktop_app.plan.types import Given, Request

_PICTURE = "image"
_MOST, _LONGEST = 4, 3
_QUOTED = r"[\"“„«「'‘][^\"“”„«»「」]+[\"”“»」'’]"
_PLAIN = rf"[^\s{BREAKS}]+(?:[ ][^\s{BREAKS}]+){{0,3}}?"
_LISTED = rf"(?:{_QUOTED}|[^\s和与及{BREAKS}]+(?:[ ][^\s和与及{BREAKS}]+)??)"
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True)
class OwnWords:
    """The pictures with the word for each, the stretch of the request that says them, and the request without it."""

    words: tuple[tuple[str, str], ...]
    said: tuple[int, int]
    rest: Request


def own_words(request: Request) -> OwnWords | None:
    """The words; None where there are not as many as pictures."""
    pictures = [one for one in request.resources if one.type == _PICTURE and not one.by]
    pictures = [one for one in pictures if not one.earlier] or pictures
    if len(pictures) < 2:
        return None
    for pattern in _patterns(len(pictures)):
        found = pattern.search(request.text)
        if found is None or _goes_on(request.text[found.end() :]):
            continue
        words = tuple(_bare(found[f"w{n}"]) for n in range(1, len(pictures) + 1))
        if all(words):
            return _without(request, pictures, words, found)
    return None


def _without(request: Request, pictures: Sequence[Given], words: Sequence[str], found: re.Match[str]) -> OwnWords:
    joints = rf"(?:\s|[{BREAKS}]|\b(?:{_any('joints')}|then|dann|puis|luego)\b|然后|再|并)*"
    before = re.sub(rf"{joints}$", "", request.text[: found.start()], flags=re.I)
    behind = re.sub(rf"^{joints}", "", request.text[found.end() :], flags=re.I)
    text = ", ".join(filter(None, (before.strip(), behind.strip())))
    named = tuple((one.name, word) for one, word in zip(pictures, words, strict=True))
    return OwnWords(named, found.span(), replace(request, text=text))


def _goes_on(behind: str) -> bool:
    """Whether one more word ends the list: "and C", behind A and B."""
    one_more = rf"\s*(?:[,、]\s*)?(?:(?:{_any('joints')})\s+|[和与及])\s*{_LISTED}\s*(?:[{BREAKS}]|$)"
    return re.match(one_more, behind, re.I) is not None and len(behind.split()) < _LONGEST


@cache
def _patterns(count: int) -> tuple[re.Pattern[str], ...]:
    end = rf"(?=\s*(?:[{BREAKS}]|$|\b(?:{_any('joints')})\b))"
    join = rf"(?:\s*[,、，]\s*(?:(?:{_any('joints')})\s+)?|\s+(?:{_any('joints')})\s+|\s*[和与及]\s*)"
    listed = join.join(f"(?P<w{n}>{_LISTED})" for n in range(1, count + 1))
    lists = (
        rf"(?:{_any('calling')})\s*{listed}{end}",
        rf"(?:{_any('writing')})\s+{listed}\s+(?:{_any('on')})\s+(?:{_any('them')})"
        rf"(?:\s+(?:{_any('places')})[^{BREAKS}]*?)?{end}",
    )
    if count > _MOST:
        return tuple(re.compile(one, re.I) for one in lists)
    each = join.join(
        rf"(?P<w{n}>{_QUOTED}|{_PLAIN})\s+(?:{_any('on')})\s+(?:{_any(str(n))})(?:\s+(?:{_any('things')}))?"
        for n in range(1, count + 1)
    )
    return tuple(re.compile(one, re.I) for one in (*lists, rf"(?:{_any('writing')})\s+{each}{end}"))


def _any(name: str) -> str:
    phrases = sorted((one.strip() for one in lists_of("own_words")["all"][name].split(",")), key=len, reverse=True)
    return "|".join(re.escape(one) if _HAN.match(one) else rf"(?<!\w){re.escape(one)}(?!\w)" for one in phrases)


def _bare(word: str) -> str:
    return word.strip(" \"“”„«»「」'‘’")
