"""What people say of the rows that they mean: "over 60", "not from Leeds", "ohne Telefon", "the ten largest". Must not
know tools.

The words are data (resources/table_conditions.toml), in five languages. What is read is a test of a row, or a column, a
sign and a value to compare.
"""

from __future__ import annotations

import calendar
import datetime
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.tables import rows_left_out, tables
from nodes._support.tables.columns_said import Mention, Sheet, elapsed, mentions, without
from nodes._support.tables.listed_words import HAN, ListedWords
from nodes.api import NodeError, Phrase

Test = Callable[[tuple[Any, ...]], bool]
_RESOURCES = Path(__file__).resolve().parents[3] / "resources"
_LISTED = ListedWords("table_conditions.toml", behind_figures=True)
_NUMBER = re.compile(r"(?P<sign>[$€£¥]?)\s*(?P<number>[-+−]?\d[\d.,' \u00a0]*(?<=\d))\s*(?P<unit>.*)", re.DOTALL)
_COMPARED = re.compile(r"\s*[$€£¥]?\s*[-+−]?\d[\d.,'\u00a0]*(?<=\d)\s*(?:[$€£¥%]|[^\W\d_]+\b)?")
_OPPOSITE = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "=", "has": "lacks", "lacks": "has"}
_ORDERS = frozenset((">", "<", ">=", "<=", "between"))
_OLDEST = 130
"""Years: a larger number is no age."""


class Said(NamedTuple):
    """Of which column something is said: how its cells compare with a value, or a test of a row."""

    place: int | None
    sign: str = ""
    value: str = ""
    test: Test | None = None


class Best(NamedTuple):
    """So many rows with the most or least of what the key tells; `rest` is what else is said of the rows."""

    count: int
    key: Callable[[tuple[Any, ...]], float | None]
    descending: bool
    rest: str

    def of(self, rows: Iterable[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
        """Those rows, the best first; rows without a value are none of them."""
        keyed = [(value, row) for row in rows if (value := self.key(row)) is not None]
        keyed.sort(key=lambda pair: pair[0], reverse=self.descending)
        return tuple(row for _, row in keyed[: self.count])


def read(sheet: Sheet, piece: str, before: int | None) -> Said | None:
    """What one condition says; `before` is the column of the condition before it, which may be meant again. None where
    it is not understood. Raises NodeError naming `condition` where it does not tell which column is meant.
    """
    said = piece.strip(" \t\n.?!？。！“”\"'`")
    found = _sign(said)
    if found is not None:
        start, end, sign = found
        left, value = said[:start], said[end:].strip(" :“”\"'`")
        if re.search(r"[^\W\d_]", left) and _ends_denied(left):
            left, sign = without_denial(left), _OPPOSITE.get(sign, sign)
        told = _compared(sheet, left, sign, value, said, before) if value else None
        if told is not None or not value or sign in _ORDERS:
            return told
    return _bare(sheet, said)


def best(sheet: Sheet, condition: str) -> Best | None:
    """So many of the largest, smallest, oldest or newest rows, where the condition asks for such; else None."""
    low = condition.lower().strip(" .?!？。！")
    orders = "|".join(_LISTED.either(_LISTED.tables["signs"][sign]) for sign in (">", "<", ">=", "<="))
    bare = re.sub(orders, lambda match: " " * len(match.group()), low)
    found = [
        (match, kind)
        for kind in ("oldest", "youngest", "newest", "earliest", "most", "least")
        for match in [_LISTED.longest(bare, _LISTED.entries("best", kind))]
        if match is not None
    ]
    if not found:
        return None
    match, kind = max(found, key=lambda pair: pair[0].end() - pair[0].start())
    number = _count_beside(low, match)
    if number is None:
        return None
    count, start, end = number
    rest = _blank(_blank(condition.strip(" .?!？。！"), *match.span()), start, end)
    spoken = mentioned(sheet, rest)
    place = _measured(sheet, kind, spoken)
    if place is None:
        return None
    rest = without(rest, [each for each in spoken if each.place == place])
    rest = " ".join(rest.split()) if beside_idle(_LISTED.without(rest, _LISTED.entries("best", "by"))) else ""
    is_age = kind in ("oldest", "youngest")
    descending = (kind == "oldest") == (place not in sheet.dated) if is_age else kind in ("most", "newest")
    return Best(count, _key(sheet, place), descending, rest)


def plainly(condition: str) -> str:
    """With signs before numbers for "60 or older", the ages of adults and minors, and the days of "this month"."""
    condition = rows_left_out.neither(_turned(_dated_from_today(condition)))
    for kind, sign in (("minors", "< 18"), ("adults", ">= 18")):
        rest = _LISTED.without(condition, _LISTED.entries("age", kind))
        if rest != condition:
            more = "" if not beside_idle(rest) else f" and {rest.strip()}"
            condition = f"{sign} {_LISTED.entries('age', 'said')[0]}{more}"
    return condition


def with_ranges(condition: str) -> str:
    """With ".." for what stands between the ends of "between 3 and 5"."""
    words, ends = (_LISTED.either(_LISTED.entries("between", name)) for name in ("words", "and"))
    return re.sub(rf"({words}\s*\S+?(?:\s+[^\W\d]+)?)\s*{ends}\s*(?=\S)", r"\1 .. ", condition, count=0, flags=re.I)


def _dated_from_today(condition: str) -> str:
    """With days in place of "this year", "yesterday", "the last 30 days"."""
    today = datetime.date.today()
    for name, entries in _LISTED.tables["today"].items():
        found = _LISTED.longest(condition.lower(), entries)
        if found is not None:
            shift, unit = name.split(" ")
            first, last = _stretch(today, int(shift), unit)
            condition = f"{condition[: found.start()]} {first} – {last} {condition[found.end() :]}"
    words = "|".join(re.escape(entry) for entry in _LISTED.entries("past", "words"))
    for unit in ("year", "month", "week", "day"):
        spans = _LISTED.either(_LISTED.entries("units", unit))
        found = re.search(rf"(?:{words})\s*(\d{{1,4}}|[^\W\d_]+?)\s*{spans}", condition, re.IGNORECASE)
        count = 0 if found is None else int(found[1]) if found[1].isdecimal() else _numerals().get(found[1].lower(), 0)
        if found is not None and count:
            first = _earlier(today, count, unit)
            condition = f"{condition[: found.start()]} {first} – {today} {condition[found.end() :]}"
    return condition


def _stretch(today: datetime.date, shift: int, unit: str) -> tuple[datetime.date, datetime.date]:
    """The first and the last day of this day, week, month or year, or of one so many before or after."""
    if unit in ("day", "week"):
        first = today + datetime.timedelta(days=shift * (7 if unit == "week" else 1))
        first -= datetime.timedelta(days=first.weekday() if unit == "week" else 0)
        return first, first + datetime.timedelta(days=6 if unit == "week" else 0)
    start = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    first, after = (_earlier(start, -number, unit) for number in (shift, shift + 1))
    return first, after - datetime.timedelta(days=1)


def _earlier(day: datetime.date, count: int, unit: str) -> datetime.date:
    """So many days, weeks, months or years before; at the end of a shorter month its last day."""
    if unit in ("day", "week"):
        return day - datetime.timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 - count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return datetime.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


@cache
def parts(relative: bool = False) -> re.Pattern[str]:
    """What parts conditions, in any language; the word for it is kept when it splits. With `relative` also the "who"
    within "from Leeds who have paid"."""
    words = [*_LISTED.entries("parts", "and"), *_LISTED.entries("parts", "or")]
    words += _LISTED.entries("parts", "relative") if relative else ()
    spaced = "|".join(re.escape(word) for word in words if not HAN.match(word))
    joined = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True) if HAN.match(word))
    return re.compile(rf"\s+((?:{spaced}))\s+|\s*((?:{joined}))\s*")


def is_or(word: str) -> bool:
    """Whether a word that parts conditions makes alternatives of them."""
    return word.lower() in _LISTED.entries("parts", "or")


def is_denied_value(sheet: Sheet, piece: str) -> bool:
    """True for "not from Leeds": what follows behind "or" is not meant either."""
    return _sign(piece) is None and without_denial(piece) != piece and is_value(sheet, without_denial(piece))


def is_value(sheet: Sheet, piece: str) -> bool:
    """True where nothing but what stands in cells is said."""
    return _sign(piece) is None and _with_values(sheet, beside_idle(piece)) is not None


def asked(question: str) -> tuple[str, str]:
    """Whether a question asks who, or how many ("count"), and the condition in it; twice "" for another one."""
    for kind in ("count", "who"):
        found = _LISTED.longest(question.lower(), _LISTED.entries("asks", kind))
        if found is not None and (
            found.start() == len(question) - len(question.lstrip(" ¿")) or HAN.search(found.group())
        ):
            return kind, _blank(question, *found.span()).strip()
    return "", ""


def mentioned(sheet: Sheet, text: str) -> list[Mention]:
    """The columns that a condition speaks of."""
    return [*_mentions(text, tuple(sheet.names))]


@lru_cache(maxsize=512)
def _mentions(text: str, names: tuple[str, ...]) -> tuple[Mention, ...]:
    return tuple(mentions(text, names, _never_columns()))


def beside_idle(text: str) -> str:
    """Without the words that say nothing of which rows are meant."""
    left = re.sub(r"(?<!\w)['’]|['’](?!\w)", " ", _LISTED.without(text, _LISTED.entries("idle", "words")))
    return " ".join(left.split()).strip(" ,;，、；")


def _beside_ages(text: str) -> str:
    """As `beside_idle`, and without the words for ages, membership and money."""
    for table, name in (("age", "said"), ("columns", "joined"), ("columns", "money")):
        text = _LISTED.without(text, _LISTED.entries(table, name))
    return beside_idle(text)


# Comparisons ----------------------------------------------------------------------------------------------------------


def _compared(sheet: Sheet, left: str, sign: str, value: str, said: str, before: int | None) -> Said | None:
    number = None if sign == "between" else _number(value)
    spoken = mentioned(sheet, left)
    if sign in _ORDERS and _beside_ages(without(left, spoken)):
        return None
    if sign == "between":
        first, _, last = value.partition("..")
        low, high = _number(first), _number(last)
        if low is None or high is None:
            return None
        place = _of_number(sheet, spoken, high, said, before)
        if place is not None and place in sheet.dated:
            ages = _ages(sheet, place, high[1])
            return Said(place, test=lambda row: (n := ages(row)) is not None and low[0] <= n <= high[0])
        return None if place is None else Said(place, sign, f"{low[0]!r} .. {high[0]!r}")
    if number is not None and sign in (*_ORDERS, "=", "!="):
        place = _of_number(sheet, spoken, number, said, before)
        if place is None and not spoken and not beside_idle(left) and sign in _ORDERS:
            raise NodeError(
                Phrase("The condition “{piece}” does not say which column is meant.", piece=said[:80]),
                "condition",
                sheet.shown,
            )
        if place is not None and place in sheet.dated:
            return Said(place, test=_in_years(sheet, place, sign, number))
        return None if place is None else Said(place, sign, repr(number[0]))
    rest = beside_idle(without(left, spoken))
    if len({each.place for each in spoken}) != 1 or rest or not value:
        return None
    place = spoken[0].place
    if _bare_empty(value) is not None and sign in ("=", "!="):
        is_empty = _bare_empty(value) == (sign == "=")
        return Said(place, test=lambda row: tables.is_empty(row[place]) == is_empty)
    return Said(place, sign, value) if sign not in _ORDERS else None


def _of_number(
    sheet: Sheet, spoken: Sequence[Mention], number: tuple[float, str], said: str, before: int | None
) -> int | None:
    """The column that a number is compared with: that which is named, or whose unit is said; of ages for "older"; of
    money for "euros"; that of the condition before; the only one."""
    amount, unit = number
    named = {each.place for each in (*spoken, *mentioned(sheet, unit))}
    if len(named) == 1:
        (place,) = named
        if place in sheet.numeric or (place in sheet.dated and (_unit(unit) or place == sheet.born)):
            return place
        return None
    if named:
        return None
    ages = [place for place in (sheet.age, sheet.born) if place is not None and 0 <= amount < _OLDEST]
    if ages and _LISTED.says(said, "age", "said"):
        return ages[0]
    if _unit(unit) and (since := since_column(sheet, said)) is not None:
        return since
    if _LISTED.says(f"{said} {unit}", "columns", "money") and (money := money_column(sheet)) is not None:
        return money
    if _beside_ages(unit) and not _unit(unit):
        return None
    if before is not None and (before in sheet.numeric or before in sheet.dated):
        return before
    return ages[0] if ages else _likely(sheet, amount)


def _likely(sheet: Sheet, amount: float) -> int | None:
    """Where no column is said the only one of numbers; else that in which such numbers stand, or that of money."""
    if len(sheet.measures or sheet.numeric) < 2:
        return likeliest(sheet)
    found = {place: _numbers(sheet, place) for place in sheet.measures or sheet.numeric}
    within = [place for place, numbers in found.items() if min(numbers) <= amount <= max(numbers)]
    place = within[0] if len(within) == 1 else money_column(sheet)
    if place is not None:
        sheet.tell(Phrase("the number was compared with “{column}”", column=sheet.names[place]))
    return place


def likeliest(sheet: Sheet) -> int | None:
    """The only column of numbers that measure something, else that of money."""
    places = sheet.measures or sheet.numeric
    return places[0] if len(places) == 1 else money_column(sheet)


def _numbers(sheet: Sheet, place: int) -> list[float]:
    return [number for cell in tables.cells(sheet.table, place) if (number := tables.number(cell)) is not None]


def since_column(sheet: Sheet, said: str) -> int | None:
    """The column of dates from which it is counted how long something has been: that of joining where members are
    spoken of, else the only one beside that of birth."""
    joined = sheet.called("joined", sheet.dated)
    if joined is not None and _LISTED.says(said, "columns", "joined"):
        return joined
    others = [place for place in sheet.dated if place != sheet.born]
    return others[0] if len(others) == 1 else None


def money_column(sheet: Sheet) -> int | None:
    """The column of amounts of money; None where there are several or none."""
    for idea in ("amount", "price", "fee", "cost", "salary", "revenue", "rent"):
        found = sheet.called(idea, sheet.numeric)
        if found is not None:
            return found
    return None


def _in_years(sheet: Sheet, place: int, sign: str, number: tuple[float, str]) -> Test:
    amount, ages = number[0], _ages(sheet, place, number[1])
    tests: Mapping[str, Callable[[int], bool]] = {
        ">": lambda n: n >= amount if place != sheet.born and _unit(number[1]) else n > amount,
        "<": lambda n: n < amount, ">=": lambda n: n >= amount, "<=": lambda n: n <= amount,
        "=": lambda n: n == amount, "!=": lambda n: n != amount,
    }  # fmt: skip
    return lambda row: (n := ages(row)) is not None and tests[sign](n)


def _ages(sheet: Sheet, place: int, unit: str) -> Callable[[tuple[Any, ...]], int | None]:
    """How long ago the date in a row is, in the unit that is said, or years."""
    counted, today = _unit(unit) or "year", datetime.date.today()
    days = {row[place]: day for row, day in zip(sheet.table.rows, sheet.dated[place], strict=True)}
    return lambda row: None if (day := days[row[place]]) is None else elapsed(day, today, counted)


def _number(value: str) -> tuple[float, str] | None:
    """The number with which a value begins, and the words behind it: "60 million people" is 6e7 and "people"."""
    found = _NUMBER.fullmatch(tables.with_one(value.strip()))
    if found is None:
        word, _, unit = value.strip().partition(" ")
        count = _numerals().get(word.lower())
        return None if count is None else (float(count), unit)
    first, _, rest = found["unit"].partition(" ")
    plain = tables.number(found["number"])
    scaled = tables.quantity(f"{found['number']} {first}") if first else None
    amount, unit = (plain, found["unit"]) if scaled in (None, plain) else (scaled, rest)
    return None if amount is None else (amount, f"{found['sign']} {unit}".strip())


def _unit(said: str) -> str:
    """Of which stretch of time a number is said, as year, month, week or day; "" for none."""
    return next((unit for unit in ("year", "month", "week", "day") if _LISTED.says(said, "units", unit)), "")


def apart(sheet: Sheet, said: str) -> tuple[str, str]:
    """What words say, and apart from it what a number is compared with, the column before it where one is named; twice
    what is said of words alone as it is, and ""."""
    found = _sign(said)
    number = None if found is None or found[2] not in _ORDERS else _COMPARED.match(said, found[1])
    if found is None or number is None:
        return said, ""
    spoken = [m for m in mentioned(sheet, said[: found[0]]) if m.place in sheet.measures]
    name = sheet.names[spoken[-1].place] if spoken else ""
    words = without(said[: found[0]], spoken) + " " + said[number.end() :]
    return words, f"{name} {said[found[0] : number.end()]}"


def _sign(said: str) -> tuple[int, int, str] | None:
    """The first sign that is said, of those the longest: where it stands, and which. "Is" counts where none else is."""
    low = said.lower()
    found = [
        (sign in ("=", "!="), match.start(), match.start() - match.end(), sign)
        for sign, entries in _LISTED.tables["signs"].items()
        for entry in entries
        if (match := _LISTED.found(low, entry)) is not None
    ]
    found += [(False, m.start(), m.start() - m.end(), {"≥": ">=", "≤": "<=", "≠": "!="}.get(m.group(), m.group()))
              for m in [re.search(r">=|<=|!=|[≥≤≠><=]", low)] if m]  # fmt: skip
    found += [(False, m.start(), m.start() - m.end(), "between") for entry in _LISTED.entries("between", "words")
              if ".." in low and (m := _LISTED.found(low, entry)) is not None]  # fmt: skip
    if not found:
        return None
    _, start, length, sign = min(found)
    return start, start - length, sign


def _turned(said: str) -> str:
    """What is said behind a number - "60 or older", "60岁以上" - as a sign before it."""
    for sign in (">=", "<="):
        for entry in _LISTED.entries("behind", sign):
            match = re.search(
                rf"(\d[\d.,]*)(\s*[^\d,;]{{0,12}}?)\s*{_LISTED.bounded(entry)}(?!\s*\d)", said, re.IGNORECASE
            )
            if match is not None:
                return f"{said[: match.start()]} {sign} {match[1]}{match[2]} {said[match.end() :]}".strip()
    return re.sub(r"(\d)\s*\+(?!\s*\d)", r">= \1", re.sub(r"(\d+)\+(?!\s*\d)", r">= \1", said))


# Without a sign -------------------------------------------------------------------------------------------------------


def _bare(sheet: Sheet, said: str) -> Said | None:
    """What stands in cells, whether something stands there, and what a column of yes and no says."""
    said = _unfolded(sheet, said)
    positive = without_denial(said)
    denied = positive != said
    if (whole := _of_whole_rows(said, positive, denied)) is not None:
        return Said(None, test=whole)
    values = _with_values(sheet, beside_idle(positive)) or _with_values(sheet, positive)
    if values is not None:
        kept = {id(row) for row in values}
        return Said(None, test=lambda row: (id(row) in kept) != denied)
    spoken = mentioned(sheet, positive)
    if len({each.place for each in spoken}) != 1:
        return None
    place, rest = spoken[0].place, beside_idle(without(positive, spoken))
    if rest and (empty := _bare_empty(rest)) is not None:
        return Said(place, test=lambda row: tables.is_empty(row[place]) == (empty != denied))
    if rest:
        return None
    yes, no = (listed_cells(name) for name in ("yes", "no"))
    cells = {"" if tables.is_empty(c) else str(c).strip().lower() for c in tables.cells(sheet.table, place)}
    if cells <= {*yes, *no, ""} and cells & {*yes}:
        return Said(place, test=lambda row: (str(row[place] or "").strip().lower() in yes) != denied)
    return Said(place, test=lambda row: tables.is_empty(row[place]) == denied)


def _unfolded(sheet: Sheet, said: str) -> str:
    """With "not paid" for "have to pay", and for "unpaid" where a column is called "paid"."""
    for word in re.findall(r"[^\W\d_][\w-]+", said):
        told = rows_left_out.opposite(word.lower())
        if (
            told
            and mentioned(sheet, told)
            and not is_value(sheet, word)
            and word.lower() not in map(str.lower, sheet.names)
        ):
            said = said.replace(word, f"not {told}")
    return rows_left_out.undone(said)


def _of_whole_rows(said: str, positive: str, denied: bool) -> Test | None:
    """For "no gaps" rows with a value in each cell, for "not empty" those with any."""
    rest = beside_idle(positive)
    if _is_only(rest, "cells", "gaps"):
        return lambda row: any(map(tables.is_empty, row)) != denied
    if denied and _is_only(rest, "cells", "empty"):
        return lambda row: not all(map(tables.is_empty, row))
    return None


def _bare_empty(rest: str) -> bool | None:
    """True for "missing" and "not given", False for "given" and "not empty"; None for anything else."""
    bare = without_denial(rest)
    denied = bare != rest
    for name, means in (("empty", True), ("filled", False)):
        if _is_only(beside_idle(bare), "cells", name):
            return means != denied
    return None


def _with_values(sheet: Sheet, said: str) -> list[tuple[Any, ...]] | None:
    """The rows with what is said - or one of what stands between commas - in the one column that has it; else None."""
    wanted = {part.lower() for part in tables.listed(said)}
    if not wanted:
        return None
    fitting = []
    for place in range(len(sheet.names)):
        cells = [str(row[place]).strip().lower() for row in sheet.table.rows]
        if wanted <= {*cells}:
            fitting.append([row for row, cell in zip(sheet.table.rows, cells, strict=True) if cell in wanted])
    return fitting[0] if len(fitting) == 1 else None


# The largest and the oldest -------------------------------------------------------------------------------------------


def _measured(sheet: Sheet, kind: str, spoken: Sequence[Mention]) -> int | None:
    """The column by which rows are the largest, or the oldest; None where it is not told."""
    named = [each.place for each in spoken if each.place in sheet.numeric or each.place in sheet.dated]
    if named:
        return named[0]
    if kind in ("oldest", "youngest"):
        return sheet.age if sheet.age is not None else sheet.born
    if kind in ("newest", "earliest"):
        others = [place for place in sheet.dated if place != sheet.born]
        return others[0] if len(others) == 1 else None
    return likeliest(sheet)


def _key(sheet: Sheet, place: int) -> Callable[[tuple[Any, ...]], float | None]:
    if place not in sheet.dated:
        return lambda row: tables.number(row[place])
    days = {row[place]: day for row, day in zip(sheet.table.rows, sheet.dated[place], strict=True)}
    return lambda row: None if (day := days[row[place]]) is None else float(day.toordinal())


def _count_beside(low: str, match: re.Match[str]) -> tuple[int, int, int] | None:
    """How many are asked for, and where that is said: right before or behind the word for the largest."""
    for found in re.finditer(r"\d+|[^\W\d_]+", low):
        word, near = found.group(), min(abs(found.end() - match.start()), abs(match.end() - found.start()))
        if near <= 1 and (word.isdecimal() or word in _numerals()):
            return (int(word) if word.isdecimal() else _numerals()[word]), *found.span()
    counted = "|".join(_LISTED.entries("best", "counted"))
    han = re.search(rf"(\d+|[一二三四五六七八九十两]{{1,2}})\s*(?:{counted})", low)
    if han is None:
        return None
    return (int(han[1]) if han[1].isdecimal() else _numerals().get(han[1], 0)), *han.span()


@cache
def _numerals() -> dict[str, int]:
    """The words for numbers below a hundred."""
    data = tomllib.loads((_RESOURCES / "numerals.toml").read_text("utf-8"))
    words = {
        word.strip(): number
        for table in data.values()
        for number, word in enumerate(str(table.get("numerals", "")).replace("\n", " ").split(","))
        if word.strip()
    }
    return {**words, "两": 2}


# Words ----------------------------------------------------------------------------------------------------------------


def _ends_denied(left: str) -> bool:
    return any(re.search(rf"{_LISTED.bounded(word)}\s*$", left.lower()) for word in _LISTED.entries("not", "words"))


def without_denial(text: str) -> str:
    """Without the words that deny."""
    return _LISTED.without(text, _LISTED.entries("not", "words"))


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _is_only(said: str, table: str, name: str) -> bool:
    low = beside_idle(said).lower()
    return bool(low) and any(low == entry or said.lower().strip() == entry for entry in _LISTED.entries(table, name))


@cache
def _never_columns() -> frozenset[str]:
    """Words that are no name of a column by themselves, though lists of such names have them."""
    return frozenset((*_LISTED.entries("idle", "words"), *_LISTED.entries("not", "words"))) - {
        "number",
        "name",
        "members",
        "member",
    }


def listed_cells(name: str) -> tuple[str, ...]:
    """The cells that say "yes", or "no"."""
    from nodes._support.tables.dates import listed

    return tuple(listed("cells")[name])
