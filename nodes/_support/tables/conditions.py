"""Conditions on the rows of a table, with signs and in words. Must not know tools.

Signs and plain English are read here; what is said in other ways, or languages, conditions_said.py reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from nodes._support.tables import (
    columns_said,
    conditions_said,
    dates,
    dates_said,
    grouping,
    rows_left_out,
    tables,
    values_said,
)
from nodes._support.tables.columns_said import Sheet, Tell
from nodes._support.tables.conditions_said import Test
from nodes.api import NodeError, Phrase, Table

_COMPARISONS: tuple[tuple[str, str], ...] = (  # longest first; the second is the sign
    (r"is not empty|has a value|is given", "filled"),
    (r"is empty|is missing|is blank", "empty"),
    (r"(?:is |are )?(?:greater|larger|bigger|higher|more|later) than or equal to|(?:is |are )?at least|>=|≥", ">="),
    (r"(?:is |are )?(?:less|smaller|lower|fewer|earlier) than or equal to|(?:is |are )?at most|<=|≤", "<="),
    (r"(?:is |are )?(?:greater|larger|bigger|higher|more|later) than|(?:is |are )?(?:above|over|after)\b|>", ">"),
    (r"(?:is |are )?(?:less|smaller|lower|fewer|earlier) than|(?:is |are )?(?:below|under|before)\b|<", "<"),
    (r"does not contain|doesn't contain|not containing|without\b", "lacks"),
    (r"contains?\b|containing|includes?\b", "has"),
    (r"starts with|begins with|starting with", "starts"),
    (r"ends with|ending with", "ends"),
    (r"(?:is |are )?between", "between"),
    (r"is not\b|isn't|are not\b|does not equal|differs from|!=|<>|≠", "!="),
    (r"is one of|is in\b|in\b", "in"),
    (r"is equal to|equals?\b|is\b|are\b|==?|:", "="),
)
_OPERATOR = re.compile("|".join(rf"(?P<o{i}>{form})" for i, (form, _) in enumerate(_COMPARISONS)), re.IGNORECASE)
_UNEQUAL = re.compile(r"!=|<>|≠")
_SIGNS = re.compile(r"[=:]+")
_SPLIT = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)


def fitting(table: Table, condition: str, tell: Tell = lambda note: None) -> tuple[tuple[Any, ...], ...]:
    """The rows that fit, in their order; of so many of the largest, the largest first. What was decided where more than
    one column may be meant goes to `tell`. Raises NodeError."""
    stays, goes = rows_left_out.apart(condition := tables.apart(condition))
    if goes:
        gone = {id(row) for row in fitting(table, goes, tell)}
        return tuple(row for row in (fitting(table, stays, tell) if stays else table.rows) if id(row) not in gone)
    sheet, condition = (
        Sheet(table, tell),
        conditions_said.plainly(re.sub(r"^(?:rows? )?where\s+", "", condition, flags=re.I)),
    )
    best = conditions_said.best(sheet, condition)
    if best is not None:
        kept = _rows(sheet, best.rest) if best.rest else table.rows
        return best.of(kept)
    return _rows(sheet, condition)


def says_rows(sheet: Sheet, said: str) -> bool:
    """Whether a text as a whole is a condition, and says something of what stands in cells. Of columns only names that
    are listed count."""
    told = conditions_said.plainly(" ".join(part for part in rows_left_out.apart(said) if part))
    ways = {tuple(_split(told, parts)) for parts in (_SPLIT, *map(conditions_said.parts, (False, True)))}
    return any(_all_read(sheet, _with_lists(sheet, pieces)[::2]) for pieces in ways)


def _all_read(sheet: Sheet, pieces: Sequence[str]) -> bool:
    is_said, place = False, None
    try:
        for piece in pieces:
            told = _by_values(sheet, piece, place, whole=True)
            is_said |= told is not None
            if told is None and _in_time(sheet, piece) is None:
                told = _told(sheet, piece, place)
                if told is None:
                    return False
            place = told[1] if told is not None else None
    except NodeError:
        return False
    return is_said


def _split(condition: str, parts: re.Pattern[str]) -> list[str]:
    return [piece for piece in parts.split(conditions_said.with_ranges(condition)) if piece is not None]


def _rows(sheet: Sheet, condition: str) -> tuple[tuple[Any, ...], ...]:
    whole = _in_time(sheet, condition)
    groups = [[whole]] if whole is not None else _groups(sheet, condition)
    return tuple(row for row in sheet.table.rows if any(all(test(row) for test in group) for group in groups))


def _groups(sheet: Sheet, condition: str) -> list[list[Test]]:
    """The alternatives of the condition, each a list of tests that must all hold. What parts conditions in other
    languages, and then a "who" within, counts where plain English does not make sense of it. Raises NodeError."""
    ways = [_SPLIT, *(parts for parts in map(conditions_said.parts, (False, True)) if parts.search(condition))]
    failed: NodeError | None = None
    for parts in ways:
        try:
            return _parted(sheet, condition, parts)
        except NodeError as error:
            failed = failed or error
    assert failed is not None
    raise failed


def _parted(sheet: Sheet, condition: str, parts: re.Pattern[str]) -> list[list[Test]]:
    pieces = _with_lists(sheet, _split(condition, parts))
    first, place = _test(sheet, pieces[0], None)
    groups = [[first]]
    denied = conditions_said.is_denied_value(sheet, pieces[0])
    for word, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        test, place = _test(sheet, piece, place)
        is_alone = denied and conditions_said.is_value(sheet, piece)
        if conditions_said.is_or(word) and not is_alone:
            groups.append([])
        groups[-1].append((lambda row, test=test: not test(row)) if is_alone else test)
    return groups


def _with_lists(sheet: Sheet, pieces: Sequence[str]) -> list[str]:
    """With what is one of several cells of the same column as one piece: "North and South" means both."""
    joined = [*pieces[:1]]
    for word, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        column, words = values_said.column(sheet, joined[-1]), conditions_said.apart(sheet, piece)[0]
        is_list = not _OPERATOR.search(f"{joined[-1]} {words}") and column is not None
        if is_list and column == values_said.column(sheet, words):
            joined[-1] += f", {piece}"
        else:
            joined += [word, piece]
    return joined


def _in_time(sheet: Sheet, said: str) -> Test | None:
    """What a stretch of time says of the column of dates that is named, or the first; None where more is said, or the
    table has no dates. Raises NodeError for what rests on today's date."""
    told = _timed(sheet, said)
    if told is None:
        return None
    place, test, rest = told
    rest = conditions_said.beside_idle(_SIGNS.sub(" ", rest))
    denied = dates_said.is_denied(rest)
    return _on_days(sheet, place, test, denied) if denied or dates_said.is_idle(rest) else None


def _on_days(sheet: Sheet, place: int, test: Callable[[dates.Date], bool], denied: bool) -> Test:
    days = {row[place]: date for row, date in zip(sheet.table.rows, sheet.dated[place], strict=True)}
    return lambda row: (date := days[row[place]]) is not None and test(date) != denied


def _timed(sheet: Sheet, said: str) -> tuple[int, Callable[[dates.Date], bool], str] | None:
    """The column of dates of which a stretch of time is said, what its dates must fit, and what else is said; None for
    none. Raises NodeError for what rests on today's date."""
    if not sheet.dated:
        return None
    spoken = [each for each in conditions_said.mentioned(sheet, said) if each.place in sheet.dated]
    place = spoken[0].place if spoken else next(iter(sheet.dated))
    found = sheet.dated[place]
    try:
        told = dates_said.condition(_UNEQUAL.sub(" not ", columns_said.without(said, spoken)), found)
    except ValueError as error:
        raise NodeError(
            Phrase('The condition "{piece}" depends on what day it is today.', piece=said[:80]),
            "condition",
            "Name the year, the month or the day.",
        ) from error
    return None if told is None else (place, *told)


def _test(sheet: Sheet, piece: str, before: int | None) -> tuple[Test, int | None]:
    """What a piece of a condition says, and of which column; `before` is that of the piece before. Raises NodeError."""
    timed = _in_time(sheet, piece)
    if timed is not None:
        return timed, None
    try:
        return _by_signs(sheet, piece)
    except NodeError as error:
        failed: NodeError = error
    try:
        told = _told(sheet, piece, before)
    except NodeError as error:
        told, failed = None, error
    told = told or _by_values(sheet, piece, before)
    if told is None:
        raise failed
    return told


def _told(sheet: Sheet, piece: str, before: int | None) -> tuple[Test, int | None] | None:
    said = conditions_said.read(sheet, piece, before)
    if said is not None and said.sign in ("=", "!=") and said.place is not None:
        other = None if _is_cell(sheet.table, said.place, said.value) else _by_values(sheet, piece, before, whole=True)
        if other is not None:  # "tasks are already done", where a column is called task
            return other
    if said is None or said.test is not None or said.place is None:
        return None if said is None or said.test is None else (said.test, said.place)
    return _compare(said.place, said.sign, _as_numbers(sheet.table, said.place, said.sign, said.value)), said.place


def _by_values(sheet: Sheet, piece: str, before: int | None, whole: bool = False) -> tuple[Test, int | None] | None:
    """What is said by words that stand in cells - as `whole` cells only - and of a number beside them: "open invoices
    over 500"."""
    timed = _timed(sheet, piece)
    words, number = conditions_said.apart(sheet, piece) if timed is None else (timed[2], "")
    values = values_said.read(sheet, words, whole)
    compared = _told(sheet, number, before) if number and values is not None else None
    if values is None or (number and compared is None) or not (values.tests or compared or timed):
        return None
    for doubt in values.doubts:
        sheet.tell(doubt)
    more = [compared[0]] if compared is not None else [_on_days(sheet, *timed[:2], False)] if timed is not None else []
    tests = [*values.tests, *more]
    return (lambda row: all(test(row) for test in tests)), compared[1] if compared is not None else None


def _by_signs(sheet: Sheet, piece: str) -> tuple[Test, int | None]:
    table = sheet.table
    for match in sorted(_OPERATOR.finditer(piece), key=lambda m: (m.start(), -len(m.group()))):
        name = piece[: match.start()].strip(" \"'`")
        edge = piece[match.start() - 1 : match.start()] + match.group()[0]
        if not name or (edge[0].isalnum() and edge[-1].isalnum()):
            continue
        try:
            place = tables.column(table, name.removeprefix("the ").strip(), "condition")
        except NodeError:
            if _column_named(table, piece, match):
                continue
            raise
        sign = _COMPARISONS[int((match.lastgroup or "o0")[1:])][1]
        if (
            sign in _ORDERS
            and _is_of_words(table, place)
            and _leads_with_number(piece[match.end() :])
            and (_by_values(sheet, name, None) is None)
        ):
            return _test(sheet, piece[match.start() :], None)  # "cities over a million"
        if sign in _ORDERS - {"between"} and _names_the_rows(sheet, name, place, piece[match.end() :]):
            break
        if not piece[match.end() :].strip(" \"'“”`") and sign not in ("empty", "filled"):
            return _yes_or_no(table, place, piece, sign), place
        wanted = piece[match.end() :].strip().strip("\"'“”`")
        if (
            sign in ("=", "!=", "in")
            and name.casefold() != sheet.names[place].casefold()
            and not _is_cell(table, place, wanted)
        ):
            told = _by_values(sheet, piece, None)
            if told is not None:
                return told
        value = _as_numbers(table, place, sign, wanted)
        return _compare(place, sign, value), place
    kept, rest = grouping.narrowed(table, piece.strip(" \"'`"))
    if not rest:
        named = {id(row) for row in kept.rows}
        return (lambda row: id(row) in named), None
    raise NodeError(
        Phrase('The condition "{piece}" cannot be read.', piece=piece[:80]),
        "condition",
        Phrase("Write a column, a comparison and a value. The columns are: {names}.", names=values_said.shown(sheet)),
    )


_ORDERS = frozenset((">", "<", ">=", "<=", "between"))


def _is_of_words(table: Table, place: int) -> bool:
    cells = tables.cells(table, place)
    return not tables.is_numeric(cells) and dates.read(cells) is None


def _leads_with_number(value: str) -> bool:
    return tables.quantity(tables.with_one(value.strip())) is not None


def _names_the_rows(sheet: Sheet, name: str, place: int, value: str) -> bool:
    """True for "invoices over 500" where that is near to the name of a column that is nothing for such a number."""
    is_measured = place in sheet.measures or place in sheet.dated or (place in sheet.numeric and not sheet.measures)
    is_named = name.casefold() == sheet.names[place].casefold() and place in sheet.numeric
    return not is_measured and not is_named and bool(sheet.measures) and tables.quantity(value.strip()) is not None


_YES = frozenset(("yes", "y", "true", "x", "ja", "oui", "sí", "si", "是", "✓", "✔"))
_NO = frozenset(("no", "n", "false", "-", "nein", "non", "否", "✗", "✘", ""))


def _yes_or_no(table: Table, place: int, piece: str, sign: str) -> Test:
    """ "Paid is", "paid is not": of a column that holds yes and no. Raises NodeError for another one."""

    def said(row: tuple[Any, ...]) -> str:
        return "" if tables.is_empty(row[place]) else str(row[place]).strip().casefold()

    if sign not in ("=", "!=") or not {said(row) for row in table.rows} <= _YES | _NO:
        raise NodeError(
            Phrase('The condition "{piece}" does not say with what "{column}" is compared.',
                   piece=piece[:80], column=table.columns[place]),
            "condition",
            'Write one such as "price > 20".',
        )  # fmt: skip
    return lambda row: (said(row) in _YES) == (sign == "=")


def _as_numbers(table: Table, place: int, sign: str, value: str) -> str:
    """The value, its quantities ("60 million") as plain numbers where the column holds numbers. Raises NodeError for a
    word that is to be compared with numbers ("population is large"): no row would ever fit."""
    cells = [row[place] for row in table.rows if not tables.is_empty(row[place])]
    numbers = bool(cells) and all(tables.number(cell) is not None for cell in cells)
    if not numbers or not value or sign not in ("=", ">", "<", ">=", "<=", "between"):
        return value
    plain = []
    for part in value.split("..") if sign == "between" else [value]:
        meant = tables.quantity(part.strip())
        if meant is None:
            said = Phrase(
                "“{column}” holds numbers, and “{value}” is none.",
                column=table.columns[place],
                value=part.strip()[:40],
            )
            raise NodeError(said, "condition", 'Write one such as "price > 20".')
        plain.append(repr(meant))
    return " .. ".join(plain)


def _is_cell(table: Table, place: int, value: str) -> bool:
    return any(tables.key(cell) == tables.key(value) for cell in tables.cells(table, place))


def _column_named(table: Table, piece: str, match: re.Match[str]) -> bool:
    """True when the sign found is only part of a column's name ("is paid")."""
    low = piece.casefold()
    return any(match.group().casefold() in str(c).casefold() and str(c).casefold() in low for c in table.columns)


def _compare(place: int, sign: str, value: str) -> Test:
    low, wanted = value.casefold(), tables.number(value)

    def text(row: tuple[Any, ...]) -> str:
        return "" if tables.is_empty(row[place]) else str(row[place]).strip().casefold()

    def order(row: tuple[Any, ...], limit: str) -> int | None:
        """-1, 0 or 1 as the cell is below, at or above the limit; None when they cannot be compared."""
        mine, other = tables.number(row[place]), tables.number(limit)
        if mine is not None and other is not None:
            return (mine > other) - (mine < other)
        if not text(row) or (mine is None) != (other is None):
            return None
        return (text(row) > limit.casefold()) - (text(row) < limit.casefold())

    def equal(row: tuple[Any, ...], to: str) -> bool:
        mine, other = tables.number(row[place]), tables.number(to)
        return mine == other if mine is not None and other is not None else text(row) == to.strip().casefold()

    if sign in (">", "<", ">=", "<="):
        signs = {">": (1,), "<": (-1,), ">=": (0, 1), "<=": (-1, 0)}[sign]
        return lambda row: order(row, value) in signs
    if sign == "between":
        first, _, last = value.partition("..")
        return lambda row: order(row, first.strip()) in (0, 1) and order(row, last.strip()) in (-1, 0)
    if sign == "in":
        options = [option.strip(" \"'") for option in re.split(r"[,;|]", value.strip("()[]"))]
        return lambda row: any(equal(row, option) for option in options)
    tests: dict[str, Test] = {
        "=": lambda row: equal(row, value) if wanted is not None else text(row) == low,
        "!=": lambda row: not equal(row, value),
        "has": lambda row: low in text(row),
        "lacks": lambda row: low not in text(row),
        "starts": lambda row: text(row).startswith(low),
        "ends": lambda row: text(row).endswith(low),
        "empty": lambda row: not text(row),
        "filled": lambda row: bool(text(row)),
    }
    return tests[sign]
