"""Remove rows of a table that are there more than once, or find them."""

from __future__ import annotations

from collections import Counter

from nodes._support.tables import tables
from nodes.api import Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="remove_duplicates",
    title="Remove duplicate rows",
    domain="text",
    description="Removes rows that are twice in a table, alike in all columns or in some, or finds these duplicates.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("columns", ResourceType.TEXT, "the columns in which rows are alike, such as e-mail; empty takes all",
             default="", said=True),
        Port("keep", ResourceType.TEXT, "which of the rows that are alike stay", default="first",
             choices=("first", "last", "only duplicates"), question="Which rows are wanted?"),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the rows that stay"),),
    quality=0.9,
    examples=(
        "Remove the duplicate rows of contacts.csv",
        "Each e-mail address only once",
        "Deduplicate the table by customer number, keep the last one",
        "Which rows are in the list twice?",
    ),
    words=("duplicates", "dedupe", "deduplicate", "double entries", "unique rows", "distinct", "listed twice",
           "only once"),
    icon="copy",
    result="unique",
)  # fmt: skip
def remove_duplicates(table: TableValue, columns: Text = "", keep: Text = "first") -> TableValue:
    """Rows in their order. Cells are alike whatever their case and blanks, and numbers however they are written. Of
    those alike one stays, the first or the last; "only duplicates" gives all rows that have others like them. A row
    that is empty in all the named columns is like no other.

    NodeError naming `columns` for one that is not there; `table` for one without columns or rows.
    """
    tables.checked(table)
    places = tables.columns(table, columns) if columns.strip() else range(len(table.columns))
    keys = [tuple(tables.key(row[place]) for place in places) for row in table.rows]
    if keep == "only duplicates":
        count = Counter(keys)
        return Table(table.columns, tuple(row for row, key in zip(table.rows, keys, strict=True)
                                          if count[key] > 1 and any(key)))  # fmt: skip
    step = -1 if keep == "last" else 1
    seen: set[tuple[str, ...]] = set()
    kept = []
    for row, key in zip(table.rows[::step], keys[::step], strict=True):
        if key not in seen:
            kept.append(row)
        if any(key):
            seen.add(key)
    return Table(table.columns, tuple(kept[::step]))
