"""Keep, remove, move, rename or split columns of a table."""

from __future__ import annotations

import re

from nodes._support.tables import sheets, tables
from nodes.api import NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="table_columns",
    title="Columns of a table",
    domain="text",
    description="Keeps, removes, moves, renames or splits some columns of a table.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("columns", ResourceType.TEXT, "names of columns, such as name, e-mail", said=True,
             question="Which columns?"),
        Port("how", ResourceType.TEXT, "what is done with these columns", default="keep",
             choices=("keep", "remove", "put first", "put last", "rename", "split"),
             question="What should be done with these columns?"),
        Port("names", ResourceType.TEXT, "their new names, in the same order", default="", said=True),
        Port("between", ResourceType.TEXT, "what stands between the parts of a column that is split; empty finds it",
             default="", said=True, advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the table with these columns"),),
    quality=0.9,
    examples=(
        "Keep only the columns name and e-mail of members.csv",
        "Remove the column phone from the table",
        'Rename the column "Mail" to "E-mail"',
        "Move the column total to the front",
        "I only need date and amount",
        "Split the column name into first name and last name",
    ),
    words=("select columns", "drop a column", "delete columns", "rename a column", "reorder columns",
           "without the column", "order of the columns", "header names",
           "split a column", "text to columns", "separate first and last name"),
    icon="columns-2",
    result="columns",
)  # fmt: skip
def table_columns(
    table: TableValue, columns: Text, how: Text = "keep", names: Text = "", between: Text = ""
) -> TableValue:
    """ "keep" takes the columns in the order in which they are named; "put first" and "put last" leave the others in
    theirs. A column is named as it is, nearly so, or by its number from 1. With `names` those that stay are renamed.
    "split" puts the parts of a column into columns of their own in its place, at commas, bars, slashes, dashes or
    blanks where `between` does not say at what, as many as there are `names` or parts.

    NodeError naming `columns` for one that is not there and where none would be left; `names` where they are not as
    many as the columns, or a name would be there twice.
    """
    if not table.columns:
        raise NodeError("The table has no columns.", "table", "Give a table with a line of column names.")
    named = tables.columns(table, columns)
    if how == "split":
        return _split(table, named, names, between)
    others = [place for place in range(len(table.columns)) if place not in named]
    order = {
        "keep": named,
        "remove": others,
        "put first": named + others,
        "put last": others + named,
        "rename": sorted(named + others),
    }[how]
    if not order:
        raise NodeError("No column would be left.", "columns", "Name fewer columns.")
    new = _renamed(table, named, names) if how == "rename" or (names.strip() and how != "remove") else {}
    head = tuple(new.get(place, table.columns[place]) for place in order)
    return Table(head, tuple(tuple(row[place] for place in order) for row in table.rows))


_BETWEEN = (",", ";", "|", "\t", "/", " - ", " – ", ":", " ")
_MOST_PARTS = 50


def _split(table: Table, named: list[int], said: str, between: str) -> Table:
    """With the parts of one column in its place. Raises NodeError naming `columns`, `names` or `between`."""
    if len(named) != 1:
        raise NodeError("Only one column can be split at a time.", "columns", "Name one column.")
    place, names = named[0], tables.listed(_AND.sub(",", said))
    cells = ["" if tables.is_empty(row[place]) else str(row[place]).strip() for row in table.rows]
    filled = [cell for cell in cells if cell]
    fitting = [sign for sign in ([between] if between else _BETWEEN) if any(sign in cell for cell in filled)]
    sign = next((sign for sign in fitting if sum(sign in cell for cell in filled) >= len(filled) / 2), "")
    sign = sign or (fitting[0] if fitting else "")
    if not sign:
        told = Phrase("Nothing in the column “{column}” stands between parts.", column=table.columns[place])
        raise NodeError(told, "between", "Say what stands between them, such as a comma.")
    most = len(names) or min(_MOST_PARTS, max(len(cell.split(sign)) for cell in filled))
    heads = names or [f"{table.columns[place]} {number}" for number in range(1, most + 1)]
    stay = {str(name).casefold() for at, name in enumerate(table.columns) if at != place}
    for number, name in enumerate(heads):
        if name.casefold() in stay or name in heads[:number]:
            raise NodeError(Phrase("There would be two columns “{name}”.", name=name), "names", "Choose another name.")
    rows = [[part.strip() for part in cell.split(sign, most - 1)] for cell in cells]
    made = tuple(
        (*row[:place], *(sheets.number_or_text(part) if part else None for part in parts),
         *[None] * (most - len(parts)), *row[place + 1 :])
        for row, parts in zip(table.rows, rows, strict=True)
    )  # fmt: skip
    return Table((*table.columns[:place], *heads, *table.columns[place + 1 :]), made)


_AND = re.compile(r"\s+(?:and|und|et|y)\s+|\s*和\s*")


def _renamed(table: Table, places: list[int], said: str) -> dict[int, str]:
    """The new names of the columns at these places. Raises NodeError naming `names`."""
    names = [" ".join(said.split()).strip("\"'“”„`")] if len(places) == 1 and said.strip() else tables.listed(said)
    if len(names) != len(places):
        told = Phrase("There are {names} new names for {columns} columns.", names=len(names), columns=len(places))
        raise NodeError(told, "names", "Write them with commas between, in the order of the columns.")
    stay = {str(name).casefold() for place, name in enumerate(table.columns) if place not in places}
    for place, name in enumerate(names):
        if name.casefold() in stay or name in names[:place]:
            raise NodeError(Phrase("There would be two columns “{name}”.", name=name), "names", "Choose another name.")
    return dict(zip(places, names, strict=True))
