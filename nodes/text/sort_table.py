"""Sort a table, or keep its top rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nodes._support.tables import dates, sort_columns, tables
from nodes._support.tables.columns_said import Sheet
from nodes.api import Flag, Integer, NodeError, Port, ResourceType, Table, TableValue, Text, tool

_THEN = re.compile(
    r",?\s+(?:(?:and )?then(?: by)?|and(?: by)?|und(?: dann)?(?: nach)?|dann(?: nach)?|(?:et |puis )(?:puis )?(?:par )?"
    r"|y(?: luego)?(?: por)?|luego(?: por)?)\s+|\s*(?:然后按|再按|和|然后)\s*", re.IGNORECASE
)  # fmt: skip


@tool(
    id="sort_table",
    title="Sort table",
    domain="text",
    description="Sorts the rows of a table by one column or several, and keeps only the first ones if wanted.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port(
            "column",
            ResourceType.TEXT,
            "the name of the column that decides, or with commas those that do, such as city, name",
            said=True,
            question="By which column?",
        ),
        Port("descending", ResourceType.FLAG, "largest first", default=False, question="Should the last come first?"),
        Port(
            "limit",
            ResourceType.NUMBER,
            "keep this many rows, 0 keeps all",
            default=0,
            minimum=0,
            integer=True,
            question="How many rows should be kept? 0 keeps all.",
        ),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the sorted table"),),
    quality=0.9,
    examples=(
        "Sort the table by price",
        "Show the five rows with the highest sales in sales.csv",
        "Order the table by date, newest first",
        "Sort the list by city, then by name",
    ),
    words=("order by", "rank", "top rows", "highest", "lowest"),
    icon="arrow-up-down",
)
def sort_table(table: TableValue, column: Text, descending: Flag = False, limit: Integer = 0) -> TableValue:
    """Numbers sort as numbers, before text, and dates as dates; empty cells come last. Of several columns, apart by
    commas, "and" or "then by", each decides where those before it are equal. Equal rows keep their order."""
    tables.checked(table)
    ordered = [*table.rows]
    for place in reversed(_places(table, column)):
        found = dates.read(tables.cells(table, place))
        days = {} if found is None else {row[place]: day for row, day in zip(table.rows, found, strict=True)}
        filled = [row for row in ordered if not tables.is_empty(row[place])]
        empty = [row for row in ordered if tables.is_empty(row[place])]
        ordered = sorted(filled, key=lambda row: _key(row[place], days), reverse=descending) + empty
    return Table(table.columns, tuple(ordered[:limit] if limit else ordered))


def _places(table: Table, said: str) -> list[int]:
    """The columns that are named: one, or several. Raises NodeError naming `column`."""
    names = said if isinstance(said, str) else ""
    try:
        return [tables.column(table, said)]
    except NodeError:
        place = sort_columns.meant(Sheet(table), names)
        parts = _THEN.sub(",", names)
        if len(tables.listed(parts)) < 2 and place is None:
            raise
    try:
        return tables.columns(table, parts, "column")
    except NodeError:
        if place is None:
            raise
    return [place]


def _key(cell: Any, days: Mapping[Any, Any]) -> tuple[int, float, str]:
    day = days.get(cell)
    if day is not None:
        return (0, float(day.toordinal()), "")
    value = tables.number(cell)
    return (1, 0.0, str(cell).casefold()) if value is None else (0, value, "")
