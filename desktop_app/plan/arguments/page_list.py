"""Which pages a request names, as tools take them: "pages 2 and 3" is "2, 3", "ab Seite 4" is "4-"."""

from __future__ import annotations

import re

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quoted_text import SaidText
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec

_WORD = r"(?:\b(?:pages?|pp\.|seiten?|p[áa]ginas?)|第)"
_TO = r"\s*(?:[-–—~到至]|\b(?:to|through|bis|à|a|hasta)\b)\s*"
_AND = r"\s*(?:[,、，;&和及]|\b(?:and|und|et|y)\b)\s*"
_ONE = r"\d{1,4}(?![\d%]|\.\d)"
_RANGE = rf"{_ONE}(?:{_TO}(?:{_WORD}\s*)?{_ONE})?"
_LISTED = re.compile(rf"{_WORD}\s*(?P<all>{_RANGE}(?:(?:{_AND})+(?:{_WORD}\s*)?{_RANGE})*)(?:\s*页)?", re.I)
_ONWARDS = re.compile(
    rf"(?:\b(?:from|starting (?:at|from)|ab|à partir de(?: la)?|(?:a partir de|desde)(?: la)?)\s+|从)"
    rf"{_WORD}\s*(?P<start>{_ONE})(?!{_TO}(?:{_WORD}\s*)?\d)",
    re.I,
)
_OPENING = re.compile(
    rf"(?:\b(?:first|ersten?|premières|primeras)\s+(?P<count>{_ONE})\s+{_WORD}|前\s*(?P<zh>{_ONE})\s*页)", re.I
)
_PLACES = (
    ("1", re.compile(r"\b(?:(?:first|erste[nrs]?|première|primera)\s+(?:page|seite|p[áa]gina))\b|第一页|首页", re.I)),
    ("last", re.compile(r"\b(?:(?:last|letzte[nrs]?|dernière|última)\s+(?:page|seite|p[áa]gina))\b|最后一页", re.I)),
)  # fmt: skip


def pages(port: PortSpec, clause: Clause) -> SaidText | None:
    """The pages that the clause names, for a port that takes several of them as a text."""
    if "pages" not in plain_words(port.name):
        return None
    for form in (_ONWARDS, _LISTED, _OPENING, *(form for _, form in _PLACES)):
        for found in form.finditer(clause.text):
            if clause.covers(*found.span()):
                return SaidText(port.name, _value(form, found), *found.span())
    return None


def _value(form: re.Pattern[str], found: re.Match[str]) -> str:
    if form is _ONWARDS:
        return f"{found['start']}-"
    if form is _OPENING:
        return f"1-{found['count'] or found['zh']}"
    if form is _LISTED:
        plain = re.sub(_WORD, " ", found["all"], flags=re.I)
        ranges = re.split(rf"(?:{_AND})+", re.sub(_TO, "-", plain, flags=re.I), flags=re.I)
        return ", ".join(one.strip() for one in ranges)
    return next(value for value, place in _PLACES if place is form)
