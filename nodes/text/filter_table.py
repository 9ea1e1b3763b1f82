"""Keep the rows of a table that fit a condition."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nodes._support.tables import dates, dates_said, grouping, tables
from nodes.api import NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool

_COMPARISONS: tuple[tuple[str, str], ...] = (  # longest first; the second is the sign
    (r"is not empty|has a value|is given", "filled"),
    (r"is empty|is missing|is blank", "empty"),
    (r"(?:is |are )?(?:greater|larger|bigger|higher|more|later) than or equal to|(?:is |are )?at least|>=|≥", ">="),
    (r"(?:is |are )?(?:less|smaller|lower|fewer|earlier) than or equal to|(?:is |are )?at most|<=|≤", "<="),
    (r"(?:is |are )?(?:greater|larger|bigger|higher|more|later) than|(?:is |are )?(?:above|over|after)\b|>", ">"),
    (r"(?:is |are )?(?:less|smaller|lower|fewer|earlier) than|(?:is |are )?(?:below|under|before)\b|<", "<"),
    (r"does not contain|doesn't contain|not containing|without", "lacks"),
    (r"contains?|containing|includes?", "has"),
    (r"starts with|begins with|starting with", "starts"),
    (r"ends with|ending with", "ends"),
    (r"(?:is |are )?between", "between"),
    (r"is not|isn't|are not|does not equal|differs from|!=|<>|≠", "!="),
    (r"is one of|is in|in\b", "in"),
    (r"is equal to|equals?|is|are|==?|:", "="),
)
_OPERATOR = re.compile("|".join(rf"(?P<o{i}>{form})" for i, (form, _) in enumerate(_COMPARISONS)), re.IGNORECASE)
_UNEQUAL = re.compile(r"!=|<>|≠")
_SIGNS = re.compile(r"[=:]+")
_SPLIT = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)


@tool(
    id="filter_table",
    title="Filter table",
    domain="text",
    description='Keeps only the rows of a table that fit a condition, such as "price > 20".',
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port(
            "condition",
            ResourceType.TEXT,
            'what the rows must fit, such as "price > 20 and city is Rome"',
            said=True,
            question="Which rows should stay?",
        ),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the rows that fit"),),
    quality=0.8,
    examples=(
        'Keep only the rows where "price > 20"',
        'Filter the table sales.csv by "city is Rome"',
        'Which rows of the table have "name contains Smith"?',
    ),
    words=("where", "select rows", "only rows", "matching rows"),
    icon="list-filter",
)
def filter_table(table: TableValue, condition: Text) -> TableValue:
    """Comparisons: > >= < <= = != in signs or words, contains, starts with, ends with, between A and B, in A, B,
    is empty; joined by "and" and "or" ("and" binds closer). Text is compared whatever its case, numbers as numbers.
    Of a column of dates a stretch of time may be said alone: "from March on", "first half of the year", "weekends".

    No row fitting gives a table without rows. Raises NodeError for a condition that cannot be read.
    """
    tables.checked(table)
    if not isinstance(condition, str) or not condition.strip():
        raise NodeError("There is no condition.", "condition", 'Write one such as "price > 20".')
    whole = _in_time(table, condition.strip())
    groups = [[whole]] if whole is not None else _groups(table, condition.strip())
    rows = tuple(row for row in table.rows if any(all(test(row) for test in group) for group in groups))
    return Table(table.columns, rows)


_Test = Callable[[tuple[Any, ...]], bool]


def _groups(table: Table, condition: str) -> list[list[_Test]]:
    """The alternatives of the condition, each a list of tests that must all hold."""
    condition = re.sub(r"(\bbetween\s+\S+(?:\s+[^\W\d]+)?)\s+and\s+", r"\1 .. ", condition, flags=re.IGNORECASE)
    pieces = _SPLIT.split(re.sub(r"^(?:rows? )?where\s+", "", condition, flags=re.IGNORECASE))
    groups = [[_test(table, pieces[0])]]
    for word, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if word.lower() == "or":
            groups.append([])
        groups[-1].append(_test(table, piece))
    return groups


def _in_time(table: Table, said: str) -> _Test | None:
    """What a stretch of time says of the column of dates that is named, or the first; None where more is said, or the
    table has no dates. Raises NodeError for what rests on today's date."""
    columns = [place for place in range(len(table.columns)) if dates.read(tables.cells(table, place)) is not None]
    named = [place for place in columns if str(table.columns[place]).casefold().strip() in said.casefold()]
    if not columns:
        return None
    place = (named or columns)[0]
    found = dates.read(tables.cells(table, place)) or []
    try:
        told = dates_said.condition(_UNEQUAL.sub(" not ", said), found)
    except ValueError as error:
        raise NodeError(
            Phrase('The condition "{piece}" depends on what day it is today.', piece=said[:80]),
            "condition",
            "Name the year, the month or the day.",
        ) from error
    if told is None:
        return None
    test, rest = told
    rest = rest.replace(str(table.columns[place]).casefold().strip(), " ") if named else rest
    rest = _SIGNS.sub(" ", rest)
    denied = dates_said.is_denied(rest)
    if not denied and not dates_said.is_idle(rest):
        return None
    days = {row[place]: date for row, date in zip(table.rows, found, strict=True)}
    return lambda row: (date := days[row[place]]) is not None and test(date) != denied


def _test(table: Table, piece: str) -> _Test:
    timed = _in_time(table, piece)
    if timed is not None:
        return timed
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
        if not piece[match.end() :].strip(" \"'“”`") and sign not in ("empty", "filled"):
            return _yes_or_no(table, place, piece, sign)
        return _compare(place, sign, _as_numbers(table, place, sign, piece[match.end() :].strip().strip("\"'“”`")))
    kept, rest = grouping.narrowed(table, piece.strip(" \"'`"))
    if not rest:
        named = {id(row) for row in kept.rows}
        return lambda row: id(row) in named
    raise NodeError(
        Phrase('The condition "{piece}" cannot be read.', piece=piece[:80]),
        "condition",
        Phrase(
            "Write a column, a comparison and a value. The columns are: {names}.",
            names=", ".join(map(str, table.columns[:12])),
        ),
    )


_YES = frozenset(("yes", "y", "true", "x", "ja", "oui", "sí", "si", "是", "✓", "✔"))
_NO = frozenset(("no", "n", "false", "-", "nein", "non", "否", "✗", "✘", ""))


def _yes_or_no(table: Table, place: int, piece: str, sign: str) -> _Test:
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


def _column_named(table: Table, piece: str, match: re.Match[str]) -> bool:
    """True when the sign found is only part of a column's name ("is paid")."""
    low = piece.casefold()
    return any(match.group().casefold() in str(c).casefold() and str(c).casefold() in low for c in table.columns)


def _compare(place: int, sign: str, value: str) -> _Test:
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
    tests: dict[str, _Test] = {
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
