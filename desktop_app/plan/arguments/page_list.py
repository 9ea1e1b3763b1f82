"""Which pages a request names, as tools take them: "pages 2 and 3" is "2, 3", "ab Seite 4" is "4-"."""

from __future__ import annotations

import re
from functools import cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.number_words import chinese_at
from desktop_app.plan.arguments.quoted_text import SaidText
from desktop_app.plan.arguments.value_tables import read_words, tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec

_WORD = r"(?:\b(?:pages?|pp\.|seiten?|p[áa]ginas?)|(?<!倒数)第)"
_ARTICLE = r"(?:(?:the|la|le|der|die|den)\s+)?"
_TO = rf"\s*(?:[-–—~到至]|\b(?:to|through|bis|à|a|hasta)\b)\s*{_ARTICLE}"
_AND = rf"\s*(?:[,、，;&和及]|\b(?:and|und|et|y)\b)\s*{_ARTICLE}"
_FIGURES = r"\d{1,4}(?![\d%]|\.\d)"
_MOST = 100
"""Greater numbers are not spelled."""
_PAGE = r"(?:pages?|seiten?|p[áa]ginas?)"
_NOT_BACKWARDS = r"(?<!to )(?<!second )(?<!-)"
_PLACES = (
    ("1", re.compile(rf"\b(?:(?:first|erste[nrs]?|première|primera)\s+{_PAGE})\b|第一页|首页", re.I)),
    ("last", re.compile(
        rf"{_NOT_BACKWARDS}\b(?:(?:last|letzte[nrs]?|dernière|última)\s+{_PAGE})\b|最后一页", re.I
    )),
)  # fmt: skip


@cache
def _spelled() -> dict[str, str]:
    """The words for numbers, with their figures."""
    single = {words[0]: value for words, value in tables().numerals.phrases() if len(words) == 1}
    return {word: f"{value:g}" for word, value in single.items() if 0 < value <= _MOST and float(value).is_integer()}


@cache
def _ordinals() -> dict[str, str]:
    """The words for places, with their figures."""
    found = {" ".join(words): f"{value:g}" for words, value in tables().ordinals.phrases()}
    return {"first": "1", "erste": "1", "ersten": "1", "première": "1", "primera": "1", **found}


@cache
def _counted() -> re.Pattern[str]:
    """Pages by their places: "the second and the third page", "2. Seite"."""
    words = "|".join(sorted(map(re.escape, _ordinals()), key=len, reverse=True))
    one = rf"(?:(?:{words})\b|\d{{1,4}}(?:st|nd|rd|th|\.|e|ème|ª|a)(?=\s))"
    return re.compile(rf"(?<!\w)(?P<places>{one}(?:(?:{_AND})+{one})*)\s+{_PAGE}\b", re.I)


@cache
def _forms() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Pages from one on; pages and stretches of pages; so many at the beginning."""
    words = "|".join(sorted((word for word in _spelled() if word.isascii() or word.isalpha()), key=len, reverse=True))
    one = rf"(?:{_FIGURES}|(?:{words})\b|[一二三四五六七八九十百]+)"
    span = rf"{one}(?:(?:\s*页)?{_TO}(?:{_WORD}\s*)?{one})?"
    return (
        re.compile(
            rf"(?:\b(?:from|starting (?:at|from)|ab|à partir de(?: la)?|(?:a partir de|desde)(?: la)?)\s+|从)"
            rf"{_WORD}\s*(?P<start>{one})(?!{_TO}(?:{_WORD}\s*)?{one})",
            re.I,
        ),
        re.compile(
            rf"(?:{_WORD}\s*|(?={one}{_TO}{one}\s*页))(?P<all>{span}(?:(?:{_AND})+(?:{_WORD}\s*)?{span})*)(?:\s*页)?",
            re.I,
        ),
        re.compile(
            rf"(?:\b(?:first|ersten?|premières|primeras)\s+(?P<count>{one})\s+{_WORD}|前\s*(?P<zh>{one})\s*页)", re.I
        ),
    )


def pages(port: PortSpec, clause: Clause) -> SaidText | None:
    """The pages that the clause names, for a port that takes several of them as a text."""
    if "pages" not in plain_words(port.name):
        return None
    onwards, listed, opening = _forms()
    for form in (_counted(), onwards, listed, opening, *(form for _, form in _PLACES)):
        for found in form.finditer(clause.text):
            if clause.covers(*found.span()):
                return SaidText(port.name, _value(form, found), *found.span())
    return None


def _value(form: re.Pattern[str], found: re.Match[str]) -> str:
    onwards, listed, opening = _forms()
    if form is _counted():
        places = re.split(rf"(?:{_AND})+", found["places"], flags=re.I)
        return ", ".join(_ordinals().get(place.lower()) or re.sub(r"\D", "", place) for place in places)
    if form is onwards:
        return f"{_figures(found['start'])}-"
    if form is opening:
        return f"1-{_figures(found['count'] or found['zh'])}"
    if form is listed:
        plain = re.sub(_WORD, " ", found["all"], flags=re.I)
        ranges = re.split(rf"(?:{_AND})+", re.sub(_TO, "-", plain, flags=re.I), flags=re.I)
        return ", ".join("-".join(map(_figures, one.split("-"))) for one in ranges)
    return next(value for value, place in _PLACES if place is form)


def _figures(number: str) -> str:
    """A number in figures, however it is written."""
    number = number.strip(" 页").lower()
    counted = (
        chinese_at(read_words(number), 0) if number and number not in _spelled() and not number.isdigit() else None
    )
    return f"{counted[0]:g}" if counted else _spelled().get(number, number)
