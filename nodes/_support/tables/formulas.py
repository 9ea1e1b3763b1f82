"""Formulas over the columns of a table, with signs and in words: "price * amount", "total with 19 % tax", "age", "how
long each has been a member". Must not know tools.

The words are data (resources/table_formulas.toml), in five languages. A formula is understood whole or not at all: a
word that stands for nothing is told.
"""

from __future__ import annotations

import datetime
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from nodes._support.tables import dates, tables
from nodes._support.tables.columns_said import Mention, Sheet, elapsed, mentions, without
from nodes._support.tables.conditions_said import since_column
from nodes._support.tables.listed_words import ListedWords
from nodes.api import NodeError, Phrase

Row = Sequence[Any]
_LISTED = ListedWords("table_formulas.toml")
_TOKEN = re.compile(
    r"(?P<number>\d[\d.,]*(?<=\d))|(?P<sign>[-+−–*×·/÷()])|(?P<word>[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?)"
    r"|(?P<join>[,&，、])|(?P<rest>\S)"
)
_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/"}
_NAME = re.compile(r"\s*[\"“„]?([^=<>!\"“”„]{1,60}?)[\"”“]?\s*=(?!=)\s*(.+)", re.DOTALL)
_QUOTED = re.compile(r"\s*[\"“„«'‘](.*?)[\"”“»'’]\s*", re.DOTALL)
_LONGEST_NAME = 40
_MAY_BE_COLUMNS = frozenset(("amount", "tax", "vat", "bill", "tip", "tips", "interest", "mwst", "tva", "iva", "税"))


class Column(NamedTuple):
    """A new column: its name, and its cells from the top."""

    name: str
    cells: list[Any]


class _Piece(NamedTuple):
    """Of a formula: "number", "percent", "column" (its place), "sign", or "word"."""

    kind: str
    value: Any
    said: str


def column(sheet: Sheet, formula: str, digits: int = 2) -> Column:
    """The column that a formula tells. Cells are empty where something of it is. Raises NodeError naming `formula` for
    words that are not understood, and columns that do not hold what is reckoned with."""
    named = _NAME.fullmatch(formula)
    name, said = (named[1].strip(), named[2]) if named else ("", formula)
    if quoted := _QUOTED.fullmatch(said):
        return Column(name or quoted[1][:_LONGEST_NAME], [quoted[1]] * len(sheet.table.rows))
    spoken = _spoken(sheet, said)
    for read in (_of_times, _of_numbering, _of_share):
        found = read(sheet, said, spoken)
        if found is not None:
            return Column(name or found.name, [_rounded(cell, digits) for cell in found.cells])
    pieces = _pieces(said, spoken)
    joined = _of_texts(sheet, pieces)
    if joined is not None:
        return Column(name or _title(said), joined)
    reckon = _reckoner(sheet, pieces)
    cells = [_rounded(reckon(row), digits) for row in sheet.table.rows]
    return Column(name or _title(said), cells)


def amount(sheet: Sheet, formula: str, implied: int | None) -> tuple[float | None, list[int]]:
    """What a formula gives for the first row, and of which columns; a formula that begins with a sign goes on from the
    `implied` column. None where something is divided by zero. Raises NodeError naming `formula` or `text`."""
    pieces = _pieces(formula, mentions(formula, sheet.names, _never_columns()))
    count = _split_count(formula, pieces)
    if count is not None:
        pieces = [piece for piece in pieces if piece is not count and not _is_split(piece)]
    if _is_open(pieces):
        if implied is None:
            told = (
                "The text does not tell which amount is meant." if sheet.names else "There is no amount to start from."
            )
            raise NodeError(told, "text", sheet.shown)
        pieces = [_Piece("column", implied, ""), *pieces]
    value = _reckoner(sheet, pieces)(sheet.table.rows[0])
    used = [*dict.fromkeys(piece.value for piece in pieces if piece.kind == "column")]
    return (value if value is None or count is None else value / count.value), used


def is_total(name: str) -> bool:
    """True for what an amount to be paid is called."""
    low = " ".join(name.lower().split()).strip(" :")
    return low in _LISTED.entries("total", "words")


def _is_open(pieces: Sequence[_Piece]) -> bool:
    """True for "plus 10 %", "/ 4", "with 10 % tip" and nothing, which go on from what is not said."""
    kept = [piece for piece in pieces if piece.kind != "join"]
    return not kept or (kept[0].kind == "sign" and kept[0].value in "+-*/" and len(kept) > 1)


@dataclass(frozen=True)
class Amounts(Sheet):
    """The amounts of a text as a table of one row."""

    @cached_property
    def shown(self) -> Phrase:
        """Which there are."""
        if not self.names:
            return Phrase("Write one such as 3 * (4 + 5), or give a text with the amounts in it.")
        return Phrase("Name one of the amounts: {names}.", names=", ".join(self.names[:12]))


# Times ----------------------------------------------------------------------------------------------------------------


def _of_times(sheet: Sheet, said: str, spoken: Sequence[Mention]) -> Column | None:
    """Ages, how long something has been or will be, the time between two dates, and the month or weekday of a date."""
    places = [*dict.fromkeys(each.place for each in spoken if each.place in sheet.dated)]
    asks = {kind for kind in ("age", "since", "until") if _LISTED.says(said, "time", kind)}
    unit = _unit_said(without(said, [each for each in spoken if each.place in sheet.dated]))
    if len(places) == 2 and (
        asks or unit[0] or _LISTED.says(said, "functions", "difference") or re.search(r"\s[-–−]\s", said)
    ):
        return _between(sheet, places[0], places[1], unit)
    if not asks:
        period = _period_said(said, spoken) if len(places) == 1 else ""
        return _period(sheet, places[0], period, said) if period else None
    if "age" in asks and "since" not in asks and "until" not in asks:
        place = places[0] if places else sheet.born
        return None if place is None else _since(sheet, place, unit if unit[0] else ("year", ""), _age_name(said))
    place = places[0] if len(places) == 1 else None if places else since_column(sheet, said)
    if place is None:
        if not sheet.dated or any(each.place in sheet.numeric for each in spoken):
            return None
        names = ", ".join(sheet.names[place] for place in sheet.dated)
        raise NodeError(
            Phrase("“{formula}” does not say from which date it is counted.", formula=said[:80]),
            "formula",
            Phrase("Name one of the columns of dates: {names}.", names=names),
        )
    return _since(sheet, place, unit, backwards="until" in asks)


def _since(sheet: Sheet, place: int, unit: tuple[str, str], name: str = "", backwards: bool = False) -> Column:
    """How long ago the dates are today; with `backwards` how long it is until they come."""
    today = datetime.date.today()
    days = sheet.dated[place]
    sign = -1 if backwards else 1
    counted, word = unit if unit[0] else _fitting_unit([d for d in days if d is not None], today, backwards)
    cells = [None if day is None else sign * elapsed(day, today, counted) for day in days]
    return Column(name or f"{sheet.names[place]}: {word}", cells)


def _between(sheet: Sheet, first: int, last: int, unit: tuple[str, str]) -> Column:
    counted, word = unit if unit[0] else ("day", "days")
    pairs = [*zip(sheet.dated[first], sheet.dated[last], strict=True)]
    lengths = [None if a is None or b is None else elapsed(a, b, counted) for a, b in pairs]
    filled = [length for length in lengths if length is not None]
    if filled and statistics.median(filled) < 0:
        lengths = [None if length is None else -length for length in lengths]
    return Column(f"{sheet.names[first]} – {sheet.names[last]}: {word}", lengths)


def _fitting_unit(days: Sequence[datetime.date], today: datetime.date, backwards: bool) -> tuple[str, str]:
    """Years where most are that long ago, else months, or days."""
    far = [abs(elapsed(day, today, "month")) for day in days] or [0]
    middle = statistics.median(far)
    if backwards or middle < 2:
        return "day", "days"
    return ("year", "years") if middle >= 24 else ("month", "months")


def _period(sheet: Sheet, place: int, period: str, said: str) -> Column:
    label = dates.labelled(period, _period_word(said, period))
    number = {"year": lambda day: day.year, "day": lambda day: day.day}.get(period)
    cells = [None if day is None else number(day) if number else label(day)[1] for day in sheet.dated[place]]
    return Column(_written(said, _period_word(said, period)) or period, cells)


def _period_said(said: str, spoken: Sequence[Mention]) -> str:
    rest = without(said, spoken)
    found = [(len(word), period) for period in dates.PERIODS for word in dates.listed("periods")[period]
             if _LISTED.found(rest.lower(), word)]  # fmt: skip
    return max(found, default=(0, ""))[1]


def _period_word(said: str, period: str) -> str:
    found = [word for word in dates.listed("periods")[period] if _LISTED.found(said.lower(), word)]
    return max(found, key=len, default="")


def _unit_said(said: str) -> tuple[str, str]:
    """The unit in which a time is wanted, and the word for it; twice "" for none."""
    for period in ("year", "month", "week", "day"):
        word = _period_word(said, period)
        if word and not word.startswith(("to", "date")):
            return period, _written(said, word)
    return "", ""


def _age_name(said: str) -> str:
    found = _LISTED.longest(said.lower(), _LISTED.entries("time", "age"))
    return _written(said, found.group()) if found is not None and " " not in found.group() else "age"


# Other columns --------------------------------------------------------------------------------------------------------


def _of_numbering(sheet: Sheet, said: str, spoken: Sequence[Mention]) -> Column | None:
    found = _LISTED.longest(said.lower(), _LISTED.entries("functions", "number"))
    if found is None or spoken:
        return None
    return Column(found.group(), [*range(1, len(sheet.table.rows) + 1)])


def _of_share(sheet: Sheet, said: str, spoken: Sequence[Mention]) -> Column | None:
    """What each is of the sum, in per cent."""
    found = _LISTED.longest(said.lower(), _LISTED.entries("functions", "share"))
    if found is None:
        return None
    places = [*dict.fromkeys(each.place for each in spoken if each.place in sheet.numeric)] or sheet.numeric
    if len(places) != 1:
        raise NodeError(Phrase("“{formula}” does not say of which column.", formula=said[:80]), "formula", sheet.shown)
    numbers = [tables.number(cell) for cell in tables.cells(sheet.table, places[0])]
    total = sum(number for number in numbers if number is not None)
    cells = [None if number is None or not total else 100 * number / total for number in numbers]
    return Column(f"{sheet.names[places[0]]} %", cells)


def _of_texts(sheet: Sheet, pieces: Sequence[_Piece]) -> list[str] | None:
    """The texts of several columns one after the other, with a blank between."""
    places = [piece.value for piece in pieces if piece.kind == "column"]
    others = [piece for piece in pieces if piece.kind != "column" and not _joins(piece)]
    if len(places) < 2 or others or all(place in sheet.numeric for place in places):
        return None
    return [" ".join(str(row[place]).strip() for place in places if not tables.is_empty(row[place]))
            for row in sheet.table.rows]  # fmt: skip


def _joins(piece: _Piece) -> bool:
    return (piece.kind, piece.value) == ("sign", "+") or piece.kind == "join"


# Arithmetic -----------------------------------------------------------------------------------------------------------


def _pieces(said: str, spoken: Sequence[Mention]) -> list[_Piece]:
    """A formula as its pieces, without words that say nothing. Raises NodeError for others that are not understood."""
    found: list[_Piece] = []
    low, at = said.lower(), 0
    starts = {each.start: each for each in spoken}
    while at < len(said):
        if at in starts:
            each = starts[at]
            found.append(_Piece("column", each.place, said[each.start : each.end]))
            at = each.end
            continue
        end = min((start for start in starts if start > at), default=len(said))
        piece, used = _next(low[at:end])
        found += [piece] if piece else []
        at += used
    return _with_percent(found)


def _next(low: str) -> tuple[_Piece | None, int]:
    """What stands at the beginning, and how many letters of it."""
    blank = len(low) - len(low.lstrip())
    if blank:
        return None, blank
    for kind, entry, value in _phrases():
        match = re.match(_LISTED.bounded(entry), low)
        if match is not None and not (kind == "word" and low[0].isdecimal()):
            return _Piece(kind, value, entry), match.end()
    match = _TOKEN.match(low)
    if match is None:
        return None, 1
    kind, text = str(match.lastgroup), match.group()
    if kind == "number":
        return _Piece("number", tables.number(text), text), match.end()
    if kind == "sign":
        return _Piece("sign", _SIGNS.get(text, text), text), match.end()
    if kind == "join":
        return _Piece("join", ",", text), match.end()
    if text in ("?", "!", ".", "？", "。", ":", "'", '"', "’", "€", "$", "£", "¥", ";"):
        return None, match.end()
    return (None if text in _idle() else _Piece("unknown", text, text)), match.end()


def _with_percent(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Numbers before a sign of per cent as such, and what "with" and "of" are beside them. Raises NodeError."""
    found: list[_Piece] = []
    for number, piece in enumerate(pieces):
        before = found[-1] if found else None
        if piece.kind == "percent" and before is not None and before.kind == "number":
            found[-1] = _Piece("percent", before.value, f"{before.said} %")
        elif piece.kind == "less":
            found += _less(found)
        elif piece.kind == "with":
            ahead = [each.kind for each in pieces[number + 1 : number + 3]]
            found += [_Piece("sign", "+", piece.said)] if ahead == ["number", "percent"] else []
            is_listed = ahead[:1] == ["column"] and before is not None and before.kind == "column"
            found += [_Piece("join", ",", piece.said)] if is_listed else []
        elif piece.kind == "of":
            ahead = [each.kind for each in pieces[number + 1 : number + 2]]
            is_share = before is not None and before.kind == "percent" and ahead in (["column"], ["number"])
            found += [_Piece("sign", "*", piece.said)] if is_share else []
        else:
            found.append(piece)
    strange = [piece.said for piece in found if piece.kind == "unknown"]
    if strange:
        raise NodeError(
            Phrase("“{words}” is not understood in the formula.", words=" ".join(strange)[:80]),
            "formula",
            "Write names of columns, numbers and + - * / %, such as price * amount.",
        )
    return found


def _less(found: list[_Piece]) -> list[_Piece]:
    """Turns the "+" before a discount of so many per cent into a "-"."""
    at = len(found) - 1
    if at >= 0 and found[at].kind == "percent":
        sign = _Piece("sign", "-", "-")
        if at and found[at - 1].kind == "sign" and found[at - 1].value in "+-":
            found[at - 1] = sign
        elif at:
            found.insert(at, sign)
        else:
            found[at] = _Piece("rest", found[at].value, found[at].said)
    return []


def _reckoner(sheet: Sheet, pieces: Sequence[_Piece]) -> Callable[[Row], float | None]:
    """What a row gives. Raises NodeError."""
    for piece in pieces:
        if piece.kind == "column" and piece.value not in sheet.numeric:
            raise NodeError(
                Phrase("The column “{column}” has no numbers.", column=sheet.names[piece.value]),
                "formula",
                sheet.shown,
            )
    functions = [piece.value for piece in pieces if piece.kind == "function"]
    values = [piece for piece in pieces if piece.kind in ("column", "number")]
    signs = [piece for piece in pieces if piece.kind in ("sign", "percent", "rest")]
    if functions and len(values) > 1 and not signs:
        return _folded(functions[0], values)
    kept = [piece for piece in pieces if piece.kind not in ("function", "join", "split")]
    if not kept or (len(kept) < len(pieces) and len(values) > 1 and not signs):
        raise _unreadable(sheet)
    return _Parser(kept, sheet).whole()


def _unreadable(sheet: Sheet) -> NodeError:
    return NodeError("The formula cannot be read.", "formula", sheet.shown)


def _folded(function: str, values: Sequence[_Piece]) -> Callable[[Row], float | None]:
    def reckon(row: Row) -> float | None:
        read = [tables.number(row[each.value]) if each.kind == "column" else each.value for each in values]
        if function in ("sum", "mean"):
            read = [number for number in read if number is not None]
        if not read or None in read:
            return None
        numbers = [float(number) for number in read if number is not None]
        folds: Mapping[str, Callable[[], float]] = {
            "sum": lambda: sum(numbers), "mean": lambda: statistics.fmean(numbers),
            "difference": lambda: numbers[0] - sum(numbers[1:]), "product": lambda: _product(numbers),
        }  # fmt: skip
        return folds[function]()

    return reckon


def _product(numbers: Sequence[float]) -> float:
    made = 1.0
    for number in numbers:
        made *= number
    return made


_Term = Callable[[Row], float | None]


class _Parser:
    """Sums of products, brackets first; per cent after "+" or "-" is of what stands before."""

    def __init__(self, pieces: Sequence[_Piece], sheet: Sheet) -> None:
        self._pieces, self._at, self._sheet = pieces, 0, sheet

    def whole(self) -> _Term:
        """All of it. Raises NodeError."""
        found = self._sum()
        if self._at < len(self._pieces):
            raise _unreadable(self._sheet)
        return found

    def _peek(self) -> _Piece | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None

    def _take(self, signs: str) -> str:
        piece = self._peek()
        if piece is None or piece.kind != "sign" or piece.value not in signs:
            return ""
        self._at += 1
        return piece.value

    def _sum(self) -> _Term:
        found = self._product()
        while sign := self._take("+-"):
            ahead = self._peek()
            following = self._pieces[self._at + 1] if self._at + 1 < len(self._pieces) else None
            is_share = ahead is not None and ahead.kind == "percent" and not (
                following is not None and following.kind == "sign" and following.value in "*/")  # fmt: skip
            right = self._product()
            found = _both("*", found, _more(right, sign)) if is_share else _both(sign, found, right)
        return found

    def _product(self) -> _Term:
        found = self._value()
        while sign := self._take("*/"):
            found = _both(sign, found, self._value())
        return found

    def _value(self) -> _Term:
        if self._take("-"):
            return _both("-", lambda row: 0.0, self._value())
        if self._take("("):
            found = self._sum()
            if not self._take(")"):
                raise _unreadable(self._sheet)
            return found
        piece = self._peek()
        if piece is None or piece.kind not in ("number", "percent", "rest", "column"):
            raise _unreadable(self._sheet)
        self._at += 1
        if piece.kind == "column":
            return lambda row: tables.number(row[piece.value])
        value = float(piece.value or 0)
        if piece.kind == "rest":
            return _both("*", lambda row: 1 - value / 100, self._value())
        return lambda row: value / 100 if piece.kind == "percent" else value


def _more(share: _Term, sign: str) -> _Term:
    return _both(sign, lambda row: 1.0, share)


def _both(sign: str, left: _Term, right: _Term) -> _Term:
    def reckon(row: Row) -> float | None:
        a, b = left(row), right(row)
        if a is None or b is None or (sign == "/" and not b):
            return None
        return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b

    return reckon


# Shared among several -------------------------------------------------------------------------------------------------


def _is_split(piece: _Piece) -> bool:
    return piece.kind == "split"


def _split_count(said: str, pieces: Sequence[_Piece]) -> _Piece | None:
    """Among how many something is shared, where it is: "for each of 4 people"."""
    if not _LISTED.says(said, "split", "words"):
        return None
    plain = [piece for number, piece in enumerate(pieces) if piece.kind == "number" and piece.value
             and not (number and pieces[number - 1].kind == "sign" and pieces[number - 1].value in "*/")]  # fmt: skip
    return plain[-1] if plain else None


# Words ----------------------------------------------------------------------------------------------------------------


def _title(said: str) -> str:
    """What a column is called that has no name: its formula, without the words before it."""
    words = said.split()
    while len(words) > 1 and words[0].lower().strip(":,") in _idle():
        words.pop(0)
    return " ".join(words).strip(" .?!,")[:_LONGEST_NAME].strip()


def _written(said: str, word: str) -> str:
    """A word in the case in which it was said."""
    found = _LISTED.found(said.lower(), word)
    return word if found is None else said[found.start() : found.end()]


def _rounded(cell: Any, digits: int) -> Any:
    return tables.tidy(round(cell, digits)) if isinstance(cell, float) else cell


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """What is said with words of a formula, the longest first: its kind, the words, and what it means."""
    found = [("sign", entry, sign) for sign, entries in _LISTED.tables["operators"].items() for entry in entries]
    found += [("percent", entry, "%") for entry in _LISTED.entries("percent", "sign")]
    found += [("function", entry, name) for name, entries in _LISTED.tables["functions"].items() for entry in entries
              if name not in ("share", "number")]  # fmt: skip
    found += [("split", entry, "") for entry in _LISTED.entries("split", "words")]
    found += [(kind, entry, "") for kind in ("less", "with", "of") for entry in _LISTED.entries("percent", kind)]
    order = {"sign": 0, "percent": 0, "function": 1, "less": 1, "with": 2, "of": 2, "split": 3}
    by_entry: dict[str, tuple[str, str, str]] = {}
    for kind, entry, value in sorted(found, key=lambda each: order[each[0]]):
        by_entry.setdefault(entry, (kind, entry, value))
    return tuple(sorted(by_entry.values(), key=lambda each: -len(each[1])))


@cache
def _idle() -> frozenset[str]:
    return frozenset(_LISTED.entries("idle", "words"))


@cache
def _never_columns() -> frozenset[str]:
    """Words that are no name of a column unless a column is called just so."""
    return (_idle() - _MAY_BE_COLUMNS) | {
        entry for entries in _LISTED.tables["operators"].values() for entry in entries
    }


def _spoken(sheet: Sheet, said: str) -> list[Mention]:
    """The columns of which a formula speaks: not by the words for what is done with them."""
    own = {name.lower() for name in sheet.names}
    plain = said
    for entries in (*_LISTED.tables["functions"].values(), *_LISTED.tables["time"].values()):
        for entry in sorted(entries, key=len, reverse=True):
            found = _LISTED.found(plain.lower(), entry)
            if found is not None and not any(entry in name for name in own):
                plain = plain[: found.start()] + "\0" * (found.end() - found.start()) + plain[found.end() :]
    return mentions(plain, sheet.names, _never_columns())
