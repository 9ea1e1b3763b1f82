"""Sort a table, or keep its top rows."""

from __future__ import annotations

from typing import Any

from nodes._support.tables import tables
from nodes.api import Flag, Integer, Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="sort_table",
    title="Sort table",
    domain="text",
    description="Sorts the rows of a table by a column, and keeps only the first ones if wanted.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port(
            "column", ResourceType.TEXT, "the name of the column that decides", said=True, question="By which column?"
        ),
        Port("descending", ResourceType.FLAG, "largest first", default=False),
        Port("limit", ResourceType.NUMBER, "keep this many rows, 0 keeps all", default=0, minimum=0, integer=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the sorted table"),),
    quality=0.9,
    examples=(
        "Sort the table by price",
        "Show the five rows with the highest sales in sales.csv",
        "Order the table by date, newest first",
    ),
    words=("order by", "rank", "top rows", "highest", "lowest"),
    icon="arrow-up-down",
)
def sort_table(table: TableValue, column: Text, descending: Flag = False, limit: Integer = 0) -> TableValue:
    """Numbers sort as numbers, before text; empty cells come last. Equal rows keep their order."""
    tables.checked(table)
    place = tables.column(table, column)
    filled = [row for row in table.rows if not tables.is_empty(row[place])]
    empty = [row for row in table.rows if tables.is_empty(row[place])]
    ordered = sorted(filled, key=lambda row: _key(row[place]), reverse=descending) + empty
    return Table(table.columns, tuple(ordered[:limit] if limit else ordered))


def _key(cell: Any) -> tuple[int, float, str]:
    value = tables.number(cell)
    return (1, 0.0, str(cell).casefold()) if value is None else (0, value, "")
