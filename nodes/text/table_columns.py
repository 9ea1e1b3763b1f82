"""Keep, remove, move or rename columns of a table."""

from __future__ import annotations

from nodes._support.tables import tables
from nodes.api import NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="table_columns",
    title="Columns of a table",
    domain="text",
    description="Keeps, removes, moves or renames some columns of a table.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("columns", ResourceType.TEXT, "names of columns, such as name, e-mail", said=True,
             question="Which columns?"),
        Port("how", ResourceType.TEXT, "what is done with these columns", default="keep",
             choices=("keep", "remove", "put first", "put last", "rename")),
        Port("names", ResourceType.TEXT, "their new names, in the same order", default="", said=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the table with these columns"),),
    quality=0.9,
    examples=(
        "Keep only the columns name and e-mail of members.csv",
        "Remove the column phone from the table",
        'Rename the column "Mail" to "E-mail"',
        "Move the column total to the front",
        "I only need date and amount",
    ),
    words=("select columns", "drop a column", "delete columns", "rename a column", "reorder columns",
           "without the column", "order of the columns", "header names"),
    icon="columns-2",
    result="columns",
)  # fmt: skip
def table_columns(table: TableValue, columns: Text, how: Text = "keep", names: Text = "") -> TableValue:
    """ "keep" takes the columns in the order in which they are named; "put first" and "put last" leave the others in
    theirs. A column is named as it is, nearly so, or by its number from 1. With `names` those that stay are renamed.

    NodeError naming `columns` for one that is not there and where none would be left; `names` where they are not as
    many as the columns, or a name would be there twice.
    """
    if not table.columns:
        raise NodeError("The table has no columns.", "table", "Give a table with a line of column names.")
    named = tables.columns(table, columns)
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
