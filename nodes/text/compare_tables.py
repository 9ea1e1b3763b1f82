"""Compare two tables: what only one of them has, what both have."""

from __future__ import annotations

from typing import Any

from nodes._support.tables import tables
from nodes.api import NodeError, Port, ResourceType, Table, TableValue, Text, tool

_KEEP = ("only in first", "only in second", "in both", "joined", "joined to all of first")
_SAME_NAME, _WORDS = 0.5, 0.3
"""What columns of one name, and of words, count more, where 1 is that all rows are in both."""


@tool(
    id="compare_tables",
    title="Compare tables",
    domain="text",
    description="Compares two tables by a column that both have: rows that only one has, that both have, or joined.",
    inputs=(
        Port("first", ResourceType.TABLE, "the first table"),
        Port("second", ResourceType.TABLE, "the second table"),
        Port("keep", ResourceType.TEXT, "which rows are wanted", default="only in first", choices=_KEEP,
             question="Which rows are wanted?"),
        Port("column", ResourceType.TEXT, "the column that both have; empty finds it", default="", said=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the rows"),),
    quality=0.9,
    examples=(
        "Who is in members.csv but not in payments.csv?",
        "Which addresses are in both lists?",
        "Join customers.csv and orders.csv by customer number",
        "What is new in the second table?",
        "Add the price from prices.csv to each row of orders.csv",
    ),
    words=("who has not paid", "missing in the second list", "difference of two tables", "merge two tables",
           "left join",           "vlookup", "match two lists", "in one list but not in the other"),
    icon="git-compare",
    result="compared",
)  # fmt: skip
def compare_tables(
    first: TableValue, second: TableValue, keep: Text = "only in first", column: Text = ""
) -> TableValue:
    """Values are the same whatever their case and spaces, and numbers as numbers. Without a `column` the one
    whose values both have most of is taken, of the same name where there is such. "joined" gives a row for each pair,
    with the columns of the first and those of the second but for the common one; "joined to all of first" keeps rows of
    the first that have none in the second, with empty cells.

    No row left gives a table without rows. NodeError naming `column` for one that is not there, and where nothing in
    one table stands in the other.
    """
    tables.checked(first, "first")
    tables.checked(second, "second")
    mine, other = _common(first, second, column)
    keys = [tables.key(row[mine]) for row in first.rows], [tables.key(row[other]) for row in second.rows]
    if keep.startswith("joined"):
        return _joined(first, second, other, keys, keep != "joined")
    table, own, others = (second, keys[1], {*keys[0]}) if keep == "only in second" else (first, keys[0], {*keys[1]})
    wanted = keep == "in both"
    return Table(table.columns, tuple(row for row, key in zip(table.rows, own, strict=True)
                                      if key and (key in others) == wanted))  # fmt: skip


def _common(first: Table, second: Table, column: str) -> tuple[int, int]:
    """The places of the column that both have. Raises NodeError."""
    if column.strip():
        return tables.column(first, column), tables.column(second, column)
    ours, theirs = (
        [{tables.key(cell) for cell in tables.cells(table, place)} - {""} for place in range(len(table.columns))]
        for table in (first, second)
    )
    names = [[str(name).casefold().strip() for name in table.columns] for table in (first, second)]
    fewer = min(len(first.rows), len(second.rows))
    pairs = [
        (len(a & b) / fewer + _SAME_NAME * (names[0][i] == names[1][j]) + _WORDS * _is_words(a & b), -i, -j)
        for i, a in enumerate(ours)
        for j, b in enumerate(theirs)
        if a & b
    ]
    if not pairs:
        raise NodeError("The tables have nothing in common.", "column", "Say which column both have.")
    _, mine, other = max(pairs)
    return -mine, -other


def _is_words(values: set[str]) -> bool:
    """Numbers are alike by chance."""
    return sum(tables.number(value) is None for value in values) > len(values) / 2


def _joined(first: Table, second: Table, other: int, keys: tuple[list[str], list[str]], all_rows: bool) -> Table:
    matching: dict[str, list[tuple[Any, ...]]] = {}
    for key, row in zip(keys[1], second.rows, strict=True):
        matching.setdefault(key, []).append((*row[:other], *row[other + 1 :]))
    none = [(None,) * (len(second.columns) - 1)] if all_rows else []
    rows = tuple(
        (*row, *more)
        for key, row in zip(keys[0], first.rows, strict=True)
        if key or all_rows
        for more in (matching.get(key) if key else None) or none
    )
    added = [str(name) for place, name in enumerate(second.columns) if place != other]
    taken = {str(name) for name in first.columns}
    return Table((*first.columns, *(f"{name} (2)" if name in taken else name for name in added)), rows)
