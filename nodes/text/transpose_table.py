"""Turn a table on its side."""

from __future__ import annotations

from typing import Any

from nodes._support.tables import tables
from nodes.api import NodeError, Phrase, Port, ResourceType, Table, TableValue, tool

_MOST_COLUMNS = 16_384
"""As many as a sheet of Excel has."""


@tool(
    id="transpose_table",
    title="Transpose table",
    domain="text",
    description="Transposes a table: its rows become columns, and its columns rows.",
    inputs=(Port("table", ResourceType.TABLE, "the table"),),
    outputs=(Port("table", ResourceType.TABLE, "the table, turned"),),
    quality=1.0,
    examples=(
        "Transpose the table",
        "Swap rows and columns in budget.xlsx",
        "Turn the rows of sales.csv into columns",
        "The months should stand on the left instead of at the top",
    ),
    words=("transpose", "swap rows and columns", "rows to columns", "columns to rows", "flip the table",
           "turn the table on its side", "pivot rows into columns", "switch axes of the table"),
    icon="rotate-cw-square",
    result="transposed",
)  # fmt: skip
def transpose_table(table: TableValue) -> TableValue:
    """The cells of the first column become the names of the columns, and the names of the columns the first column,
    below the name that it had. An empty name is "column 3", a second one of a name gets a number. Turned twice, a table
    whose first column has a different name in each row is what it was. A table of one column becomes one row, its name
    the first cell, below names that are made up.

    NodeError naming `table` for one without columns or rows, and for more than 16,383 rows.
    """
    tables.checked(table)
    if len(table.rows) >= _MOST_COLUMNS:
        told = Phrase(
            "The table has {rows} rows, and a table can have {most} columns.",
            rows=f"{len(table.rows):,}", most=f"{_MOST_COLUMNS:,}",
        )  # fmt: skip
        raise NodeError(told, "table", "Choose fewer rows first.")
    first, *others = zip(*table.rows, strict=True)
    if not others:
        names = tuple(f"column {number}" for number in range(1, len(first) + 2))
        return Table(names, ((table.columns[0], *first),))
    names = (table.columns[0], *map(_name, first, range(2, len(first) + 2)))
    return Table(_distinct(names), tuple(zip(table.columns[1:], *zip(*others, strict=True), strict=True)))


def _name(cell: Any, number: int) -> str:
    if tables.is_empty(cell):
        return f"column {number}"
    return tables.shown(cell, 15) if isinstance(cell, float) else str(cell).strip()


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, those that were there before with a number."""
    seen: set[str] = set()
    found = []
    for name in names:
        other, number = name, 2
        while other.casefold() in seen:
            other, number = f"{name} ({number})", number + 1
        seen.add(other.casefold())
        found.append(other)
    return tuple(found)
