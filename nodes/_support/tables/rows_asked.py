"""Answers to "who is over 60?" and "how many have no phone?": the rows that a condition keeps; and which rows a
question finds, of which the next one asks. Must not know tools."""

from __future__ import annotations

from collections.abc import Sequence

from nodes._support.tables import columns_said, conditions, conditions_said, table_answers, tables, wished_rows
from nodes._support.tables.columns_said import Sheet
from nodes.api import NodeError, Table

_MOST_LISTED = 50


def narrowed(table: Table, questions: str) -> tuple[Table, str]:
    """The last of the questions, a line each, and the rows that those before it found, of which it asks. One that goes
    on with other rows takes the place of the one before it.
    """
    whole: list[str] = []
    for question in filter(None, map(str.strip, questions.splitlines())):
        goes_on = table_answers.continued(table, whole[-1], question) if whole else None
        whole = [*whole, question] if goes_on is None else [*whole[:-1], goes_on]
    *earlier, last = whole
    for question in earlier:
        kept = _kept(table, question)
        rows = table_answers.rows_meant(table, question) if kept is None else kept[1]
        table = Table(table.columns, tuple(map(tuple, rows)))
    return table, last


def column_before(table: Table, questions: str) -> str:
    """The column that the questions before the last one were about; "" where these name none."""
    *earlier, _ = filter(None, map(str.strip, questions.splitlines()))
    found = (table_answers.columns_meant(table, question).column for question in reversed(earlier))
    return next(filter(None, found), "")


def by_words(table: Table, questions: str) -> str | None:
    """The answer to the last of the questions, a line each, by its words; None where it is of another kind."""
    column = column_before(table, questions)
    table, asked = narrowed(table, questions)
    if not table.rows:
        return "0"
    found = answer(table, asked) or table_answers.answer(table, asked)
    if found is None and column:  # "and the lowest?"
        found = table_answers.answer(table, f"{asked.rstrip('?？ ')} {column}?")
    return found or table_answers.of_each_column(table, asked)


def answer(table: Table, question: str) -> str | None:
    """The names in the rows that are asked for, or how many these are, "0" for none; the rows themselves where the
    question wishes for rows; None where it is of another kind, or has more in it than a condition."""
    kept = _kept(table, question)
    if kept is None:
        return None
    kind, rows = kept
    if kind == "rows":  # "which sales were over 800?"
        return "\n".join(_first([_whole(row) for row in rows])) or "0"
    if kind == "count" or not rows:
        return str(len(rows))
    place = _name_place(Sheet(table))
    shown = [str(row[place]).strip() for row in rows] if place is not None else [_whole(row) for row in rows]
    return (", " if place is not None else "\n").join(_first(shown))


def _kept(table: Table, question: str) -> tuple[str, tuple[tuple[object, ...], ...]] | None:
    """Whether it asks who, how many, or for "rows", and the rows that fit."""
    kind, condition = conditions_said.asked(question)
    said, is_all = ("", False) if kind else wished_rows.found(table, question)
    if is_all:
        return "rows", conditions.fitting(table, said)
    if not kind or not conditions_said.beside_idle(condition).strip(" ?？.。"):
        return None
    spoken = conditions_said.mentioned(Sheet(table), condition)
    if (
        kind == "count"
        and spoken
        and not conditions_said.beside_idle(columns_said.without(condition, spoken)).strip(" ?？")
    ):
        return None  # "how many goals": these are added up
    try:
        return kind, conditions.fitting(table, condition)
    except NodeError:
        return None


def _first(shown: Sequence[str]) -> list[str]:
    found = [*dict.fromkeys(shown)]
    more = [f"… (+{len(found) - _MOST_LISTED})"] if len(found) > _MOST_LISTED else []
    return [*found[:_MOST_LISTED], *more]


def _name_place(sheet: Sheet) -> int | None:
    """The column of names, else the first with a word in each row."""
    texts = [place for place in range(len(sheet.names)) if place not in sheet.numeric and place not in sheet.dated]
    named = sheet.called("name", texts)
    full = (place for place in texts if not any(map(tables.is_empty, tables.cells(sheet.table, place))))
    return named if named is not None else next(full, None)


def _whole(row: tuple[object, ...]) -> str:
    return " · ".join(str(cell).strip() for cell in row if not tables.is_empty(cell))
