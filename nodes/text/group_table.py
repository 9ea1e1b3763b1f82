"""Sum up the rows of a table group by group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nodes._support import dates, tables
from nodes._support.words import given_words
from nodes.api import NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool

_MEASURES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": lambda numbers: sum(numbers) / len(numbers),
    "count": len,
    "smallest": min,
    "largest": max,
}


@tool(
    id="group_table",
    title="Group table",
    domain="text",
    description="Puts the rows of a table into groups, by a column or by day, week, month or year, and sums up each.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("by", ResourceType.TEXT, "a column, or day, weekday, week, month, quarter or year", said=True,
             question="By which column, or by day, week, month or year?"),
        Port("column", ResourceType.TEXT, "the column that is summed up; empty takes all with numbers", default="",
             said=True),
        Port("measure", ResourceType.TEXT, "what is told of each group", default="sum", choices=tuple(_MEASURES)),
    ),
    outputs=(Port("table", ResourceType.TABLE, "one row for each group"),),
    quality=0.9,
    examples=(
        "Sum up expenses.csv by category",
        "Mean temperature per week in weather.csv",
        "How many visitors came each month?",
        "Group the table by city",
    ),
    words=("pivot table", "per month", "per week", "by category", "mean per week", "monthly totals", "subtotals",
           "for each group"),
    icon="group",
    result="grouped",
)  # fmt: skip
def group_table(table: TableValue, by: Text, column: Text = "", measure: Text = "sum") -> TableValue:
    """Columns: what is grouped by, and each that is summed up under its name ("count" for how many rows there are).
    Times are in order and named 2025-03-01, 2025-W09, 2025-03, 2025-Q1, 2025; other groups stand as they come, whatever
    the case of their letters. Rows without a date, and empty cells, count for nothing.

    NodeError naming `by` or `column` for a column that is not there, and where no column has dates or numbers.
    """
    tables.checked(table)
    head, keys = _groups(table, given_words(by, "by"))
    places = [] if measure == "count" and not column.strip() else _summed(table, column, head)
    grouped: dict[tuple[Any, ...], list[Sequence[Any]]] = {}
    for key, row in zip(keys, table.rows, strict=True):
        if key is not None:
            grouped.setdefault(key, []).append(row)
    order = sorted(grouped) if all(isinstance(key[0], int) for key in grouped) else list(grouped)
    rows = tuple((key[1], *_row(grouped[key], places, measure)) for key in order)
    names = ["count"] if measure == "count" else [str(table.columns[place]) for place in places]
    return Table((head, *names), rows)


def _row(rows: Sequence[Sequence[Any]], places: Sequence[int], measure: str) -> list[Any]:
    if not places:
        return [len(rows)]
    return [_value([row[place] for row in rows], measure) for place in places]


def _value(cells: Sequence[Any], measure: str) -> float | int | None:
    if measure == "count":
        return sum(not tables.is_empty(cell) for cell in cells)
    numbers = [number for cell in cells if (number := tables.number(cell)) is not None]
    return tables.tidy(_MEASURES[measure](numbers)) if numbers else None


def _groups(table: Table, by: str) -> tuple[str, list[tuple[Any, str] | None]]:
    """The name of the first column, and for each row its group: place in order, or the cell in small letters, and
    name. Raises NodeError."""
    names = [" ".join(str(name).split()).casefold() for name in table.columns]
    period = dates.period_of(by)
    own = names.index(by.casefold().strip()) if by.casefold().strip() in names else None
    if period and (own is None or dates.read(tables.cells(table, own)) is not None):
        place = dates.column(table) if own is None else own
        if place is not None:
            label = dates.labelled(period, by)
            found = dates.read(tables.cells(table, place)) or []
            return by.strip(), [None if date is None else label(date) for date in found]
        raise NodeError("The table has no column of dates.", "by", _columns(table))
    place = tables.column(table, by, "by")
    cells = [str(cell).strip() if not tables.is_empty(cell) else "" for cell in tables.cells(table, place)]
    first: dict[str, str] = {}
    return str(table.columns[place]), [(cell.casefold(), first.setdefault(cell.casefold(), cell)) for cell in cells]


def _summed(table: Table, column: str, by: str) -> list[int]:
    """The columns that are summed up. Raises NodeError."""
    if column.strip():
        place = tables.column(table, column)
        if not tables.is_numeric(tables.cells(table, place)):
            raise NodeError(Phrase("The column “{column}” has no numbers.", column=table.columns[place]), "column",
                            _columns(table))  # fmt: skip
        return [place]
    found = [
        place
        for place, name in enumerate(table.columns)
        if str(name) != by and tables.is_numeric(tables.cells(table, place))
    ]
    if not found:
        raise NodeError("There is no column of numbers to sum up.", "column", "Count the rows of each group instead.")
    return found


def _columns(table: Table) -> Phrase:
    return Phrase("The columns are: {names}.", names=", ".join(map(str, table.columns[:12])))
