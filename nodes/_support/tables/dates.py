"""Dates in the cells of a table, in the forms in which people write them, and the stretches of time they lie in. Must
not know tools.

Names of months and of stretches are data (resources/numerals.toml, table_questions.toml).
"""

from __future__ import annotations

import datetime
import itertools
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nodes._support.tables import tables
from nodes._support.tables.listed_words import HAN
from nodes.api import Table

_RESOURCES = Path(__file__).resolve().parents[3] / "resources"
_TIME = r"(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})(?:\2(\d{{1,2}}))?{_TIME}", re.IGNORECASE)
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([./-])\s?(\d{{1,2}})\2\s?(\d{{4}}|\d{{2}}){_TIME}", re.IGNORECASE)
_HAN_DATE = re.compile(r"(\d{4})\s*年\s*(?:(\d{1,2})\s*月\s*(?:(\d{1,2})\s*[日号])?)?.*")
_WORDED = re.compile(r"[^\W\d_]+|\d+")
_LEADING_DAY = re.compile(r"^([^\W\d_]{2,10})\.?,?\s+(?=\d)")
PERIODS = ("day", "weekday", "week", "month", "quarter", "year")
_SAMPLE = 100
_NEAR_CENTURY = 70
"""Two digits below are of this century, as spreadsheets have it."""
Date = datetime.date


def column(table: Table) -> int | None:
    """The first column of dates; None where there is none."""
    for place in range(len(table.columns)):
        if read(tables.cells(table, place)) is not None:
            return place
    return None


def read(cells: Sequence[Any]) -> list[Date | None] | None:
    """The cells of a column as dates, None for those that are none; None where fewer than nine in ten of the filled
    ones are dates. A month is its first day. Whether the day or the month of "3/4/2025" comes first is told by the
    whole column: by what is possible, else by which way the dates lie nearer to each other, else the day.
    """
    filled = [cell for cell in cells if not tables.is_empty(cell)]
    if not filled or not any(isinstance(cell, str) for cell in filled):
        return None
    sample = filled[:_SAMPLE]
    if sum(_read(cell, False) is not None or _read(cell, True) is not None for cell in sample) < 0.8 * len(sample):
        return None  # columns of millions of words are not looked through
    ways = [[_read(cell, month_first) for cell in cells] for month_first in (False, True)]
    found = [sum(each is not None for each in way) for way in ways]
    if max(found) < 0.9 * len(filled):
        return None
    if found[0] != found[1]:
        return ways[found[1] > found[0]]
    return min(ways, key=_wide)


def _wide(way: Sequence[Date | None]) -> int:
    days = [each.toordinal() for each in way if each is not None]
    return sum(abs(after - before) for before, after in itertools.pairwise(days))


def _read(cell: Any, month_first: bool) -> Date | None:
    text = str(cell).strip() if isinstance(cell, str) else ""
    if not text or len(text) > 60 or not any(map(str.isdigit, text)):
        return None
    if found := _YEAR_FIRST.fullmatch(text):
        return _date(found[1], found[3], found[4] or "1")
    text = _LEADING_DAY.sub(lambda found: found.group() if month_of(found[1].lower()) else "", text)
    if found := _YEAR_LAST.fullmatch(text):
        first, second = (found[3], found[1]) if not month_first else (found[1], found[3])
        return _date(full_year(found[4]), first, second)
    if found := _HAN_DATE.fullmatch(text):
        return _date(found[1], found[2] or "1", found[3] or "1")
    return _in_words(text)


def _in_words(text: str) -> Date | None:
    """ "1. März 2025", "March 1st, 2025", "Mar 2025", "1-Mar-25"."""
    pieces = _WORDED.findall(text.lower())
    named = [month for piece in pieces if (month := month_of(piece))]
    numbers = [piece for piece in pieces if piece.isdecimal()]
    if len(named) != 1 or not 1 <= len(numbers) <= 2 or len(pieces) > 6:
        return None
    if len(numbers) == 1:
        return _date(numbers[0], str(named[0]), "1") if len(numbers[0]) == 4 else None
    day, year = (numbers[1], numbers[0]) if len(numbers[0]) == 4 else (numbers[0], numbers[1])
    return _date(full_year(year), str(named[0]), day)


def full_year(digits: str) -> str:
    """Four digits of two or four."""
    return digits if len(digits) > 2 else str(int(digits) + (2000 if int(digits) < _NEAR_CENTURY else 1900))


def _date(year: str, month: str, day: str) -> Date | None:
    try:
        return Date(int(year), int(month), int(day))
    except ValueError:
        return None


def month_of(word: str) -> int:
    """The number of the month of that name, or its beginning, in small letters, in any language; 0 where it is none."""
    return _months().get(word, 0)


@cache
def _months() -> dict[str, int]:
    data = tomllib.loads((_RESOURCES / "numerals.toml").read_text("utf-8"))
    lists = [[name.strip() for name in table["months"].split(",")] for table in data.values() if "months" in table]
    short = {name[:length]: n for names in lists for n, name in enumerate(names, 1) for length in (3, 4)
             if name.isalpha() and len(name) > length}  # fmt: skip
    return {**short, **{name: n for names in lists for n, name in enumerate(names, 1)}}


def period_of(said: str) -> str:
    """Which of PERIODS is said, in any language, alone or as "per month", "each week"; "" for none."""
    low = " ".join(said.casefold().split())
    for entry in sorted(listed("spans")["per"], key=len, reverse=True):
        low = low.removeprefix(entry if HAN.match(entry) else f"{entry} ").strip() or low
    alone = [period for period in PERIODS if low in listed("periods")[period] or low == period]
    return alone[0] if alone else ""


def labelled(period: str, said: str = "") -> Callable[[Date], tuple[int, str]]:
    """What gives the place in order and the name of the stretch of a date: 2025-03-01, 2025-W09, 2025-03, 2025-Q1,
    2025, and for a day of the week its name in the language in which the period was `said`."""

    def label(date: Date) -> tuple[int, str]:
        if period == "weekday":
            return date.weekday(), _weekdays(said)[date.weekday()]
        if period == "week":
            year, week, _ = date.isocalendar()
            return year * 100 + week, f"{year}-W{week:02}"
        if period == "month":
            return date.year * 12 + date.month, f"{date.year}-{date.month:02}"
        if period == "quarter":
            quarter = (date.month + 2) // 3
            return date.year * 4 + quarter, f"{date.year}-Q{quarter}"
        return (date.year, f"{date.year}") if period == "year" else (date.toordinal(), date.isoformat())

    return label


def _weekdays(said: str) -> list[str]:
    """In the language of which the word for them is, as far as the lists of that language tell."""
    languages = list(listed("weekdays"))
    words = listed("periods")["weekday"]
    low = said.casefold().strip()
    at = words.index(low) if low in words else 0
    told = {"wochentag": "de", "jour": "fr", "día": "es", "días": "es", "星": "zh", "周": "zh", "工": "zh"}
    language = next((code for start, code in told.items() if words[at].startswith(start)), languages[0])
    return [name.capitalize() if language in ("en", "de") else name for name in listed("weekdays")[language]]


@cache
def listed(table: str) -> dict[str, list[str]]:
    """The words for each idea of a table of table_questions.toml."""
    data = tomllib.loads((_RESOURCES / "table_questions.toml").read_text("utf-8"))
    return {name: [entry.strip() for entry in text.split(",")] for name, text in data[table].items()}
