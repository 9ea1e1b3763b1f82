"""The rows of a table put into groups, by a column or a stretch of time, and what is told of each. Must not know
tools.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from nodes._support.tables import columns, dates, tables
from nodes.api import NodeError, Phrase, Table

MEASURES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda numbers: math.fsum(numbers) / len(numbers),
    "count": len,
    "smallest": min,
    "largest": max,
}
MEAN_OF_SUMS = "mean of sums"
"""What is spent on average a month."""


def grouped(table: Table, by: str, column: str = "", measure: str = "sum") -> Table:
    """One row for each group: its name, and each column of numbers summed up (`column` alone, where it is given). A
    `column` that is none, but stands in the cells of one, takes these rows only: "groceries".

    Raises NodeError naming `by` or `column` for a column that is not there, and where none has dates or numbers.
    """
    table, column = narrowed(table, column)
    if measure == MEAN_OF_SUMS:
        return _mean_of_sums(table, by, column)
    head, keys = _groups(table, by)
    places = [] if measure == "count" and not column.strip() else _summed(table, column, head)
    found: dict[tuple[Any, ...], list[Sequence[Any]]] = {}
    for key, row in zip(keys, table.rows, strict=True):
        if key is not None:
            found.setdefault(key, []).append(row)
    order = sorted(found) if all(isinstance(key[0], int) for key in found) else list(found)
    rows = tuple((key[1], *_row(found[key], places, measure)) for key in order)
    names = ["count"] if measure == "count" else [str(table.columns[place]) for place in places]
    return Table((head, *names), rows)


def _mean_of_sums(table: Table, by: str, column: str) -> Table:
    """One row: what each group comes to, in the mean; of what makes no sum, as temperatures, the mean of the means."""
    sums, means = grouped(table, by, column, "sum"), grouped(table, by, column, "mean")
    row: list[Any] = ["mean"]
    for place in range(1, len(sums.columns)):
        made = sums if columns.adds_up(sums.columns[place]) else means
        numbers = [cell for cell in tables.cells(made, place) if cell is not None]
        row.append(tables.tidy(sum(numbers) / len(numbers)) if numbers else None)
    return Table(sums.columns, (tuple(row),))


def narrowed(table: Table, words: str) -> tuple[Table, str]:
    """The rows with these words in a cell, and "", where the words are no column but stand in one column; else the
    table and the words as they are."""
    low = words.casefold().strip()
    if not low or columns.place(words, [str(name) for name in table.columns]) is not None:
        return table, words
    at = [
        place
        for place in range(len(table.columns))
        if any(str(cell).casefold().strip() == low for cell in tables.cells(table, place))
    ]
    if len(at) != 1:
        return table, words
    return Table(table.columns, tuple(row for row in table.rows if str(row[at[0]]).casefold().strip() == low)), ""


def _row(rows: Sequence[Sequence[Any]], places: Sequence[int], measure: str) -> list[Any]:
    if not places:
        return [len(rows)]
    return [_value([row[place] for row in rows], measure) for place in places]


def _value(cells: Sequence[Any], measure: str) -> float | int | None:
    if measure == "count":
        return sum(not tables.is_empty(cell) for cell in cells)
    numbers = [number for cell in cells if (number := tables.number(cell)) is not None]
    return tables.tidy(MEASURES[measure](numbers)) if numbers else None


def _groups(table: Table, by: str) -> tuple[str, list[tuple[Any, str] | None]]:
    """The name of the first column, and for each row its group: place in order, or the cell in small letters, and
    name. Raises NodeError."""
    names = [" ".join(str(name).split()).casefold() for name in table.columns]
    period = dates.period_of(by)
    own = names.index(by.casefold().strip()) if by.casefold().strip() in names else None
    dated = dates.column(table) if period and own is None else own
    if period and own is None and dated is None:
        own = columns.place(by, names)  # "by month" where a column holds the names of months
    if period and (own is None or dates.read(tables.cells(table, own)) is not None):
        place = dated
        if place is not None:
            label = dates.labelled(period, by)
            found = dates.read(tables.cells(table, place)) or []
            return by.strip(), [None if date is None else label(date) for date in found]
        raise NodeError("The table has no column of dates.", "by", _shown(table))
    place = tables.column(table, by, "by")
    cells = [str(cell).strip() if not tables.is_empty(cell) else "" for cell in tables.cells(table, place)]
    first: dict[str, str] = {}
    return str(table.columns[place]), [(cell.casefold(), first.setdefault(cell.casefold(), cell)) for cell in cells]


def _summed(table: Table, column: str, by: str) -> list[int]:
    """The columns that are summed up, without numbers that only name the rows. Raises NodeError."""
    if column.strip():
        place = tables.column(table, column)
        if not tables.is_numeric(tables.cells(table, place)):
            raise NodeError(Phrase("The column “{column}” has no numbers.", column=table.columns[place]), "column",
                            _shown(table))  # fmt: skip
        return [place]
    found = [
        place
        for place, name in enumerate(table.columns)
        if str(name) != by and tables.is_numeric(tables.cells(table, place))
    ]
    if not found:
        raise NodeError("There is no column of numbers to sum up.", "column", "Count the rows of each group instead.")
    return [place for place in found if not tables.is_counter(tables.cells(table, place))] or found


def _shown(table: Table) -> Phrase:
    return Phrase("The columns are: {names}.", names=", ".join(map(str, table.columns[:12])))
