"""Put the rows of tables below each other."""

from __future__ import annotations

from collections import Counter

from nodes.api import NodeError, Port, ResourceType, Table, TableValue, tool


@tool(
    id="append_tables",
    title="Append tables",
    domain="text",
    description="Puts the rows of two or more tables below each other in one table, column by column of the same name.",
    inputs=(Port("tables", ResourceType.TABLE, "the tables, in order", many=True, least=2),),
    outputs=(Port("table", ResourceType.TABLE, "all their rows"),),
    quality=0.9,
    examples=(
        "Put the rows of january.csv and february.csv below each other",
        "Append sales2.csv to sales1.csv",
        "Merge the monthly tables into one long table",
        "Combine these CSV files into one",
    ),
    words=("stack tables", "concatenate tables", "merge csv files", "one long table", "all rows in one table",
           "one below the other", "union of tables"),
    icon="between-horizontal-start",
    result="appended",
)  # fmt: skip
def append_tables(tables: tuple[TableValue, ...]) -> TableValue:
    """The columns of the first table, then those that only later ones have. Names are the same whatever their case and
    blanks; what a table lacks is left empty.

    NodeError naming `tables` for fewer than two, for one without columns, and where one shares no column with those
    before it: it may have no line of names.
    """
    if len(tables) < 2:
        raise NodeError("There are not two tables to append.", "tables", "Add at least two.")
    keys = [_keys(table) for table in tables]
    columns: dict[tuple[str, int], str] = {}
    for table, own in zip(tables, keys, strict=True):
        if not own:
            raise NodeError("The table has no columns.", "tables", "Give a table with a line of column names.")
        if columns and columns.keys().isdisjoint(own):
            raise NodeError("The tables have no column in common.", "tables", "Give their columns the same names.")
        for key, name in zip(own, table.columns, strict=True):
            columns.setdefault(key, name)
    rows = []
    for table, own in zip(tables, keys, strict=True):
        places = [own.index(key) if key in own else None for key in columns]
        rows += [tuple(None if place is None else row[place] for place in places) for row in table.rows]
    return Table(tuple(columns.values()), tuple(rows))


def _keys(table: Table) -> list[tuple[str, int]]:
    """What tells its columns apart: the name in small letters, and the how manieth of that name it is."""
    seen: Counter[str] = Counter()
    found = []
    for name in table.columns:
        plain = "".join(str(name).split()).casefold()
        found.append((plain, seen[plain]))
        seen[plain] += 1
    return found
