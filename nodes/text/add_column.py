"""Give a table a column that is reckoned from its others."""

from __future__ import annotations

from nodes._support.language.words import given_words
from nodes._support.tables import formulas, tables
from nodes._support.tables.columns_said import Sheet
from nodes.api import Integer, NodeError, Phrase, Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="add_column",
    title="Add a column",
    domain="text",
    description="Adds a computed column to a table: a sum, a product, a price with tax, an age, days between dates.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("formula", ResourceType.TEXT, "what the column holds, such as price * amount, total with 19 % tax, "
             "age from date of birth", said=True, question="What should the new column hold?"),
        Port("name", ResourceType.TEXT, "what the column is called; empty names it by the formula", default="",
             said=True),
        Port("digits", ResourceType.NUMBER, "digits after the point at most", default=2, minimum=0, maximum=10,
             integer=True, advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the table with the new column"),),
    quality=0.9,
    examples=(
        "Add a column with price times amount to orders.csv",
        "Add the total with 19 % tax to the table",
        "Calculate the age of each member from the date of birth",
        "Add a column with how long each has been a member",
        "Days until each due date, as a column",
        "Put first name and last name together in one column",
    ),
    words=("calculated column", "computed column", "new column", "column with the sum", "formula",
           "percentage of total", "days between two dates", "add vat", "join two columns",
           "weekday of the date"),
    volatile=True,
    icon="plus",
    result="with-column",
)  # fmt: skip
def add_column(table: TableValue, formula: Text, name: Text = "", digits: Integer = 2) -> TableValue:
    """The new column comes last. In a formula stand columns (as they are named, or in other words), numbers, per cent,
    + - * / and brackets, or words for these in English, German, French, Spanish and Chinese; sum, average or difference
    of columns; the share of the total; row numbers; a text in quotation marks; texts joined with "+". Of dates: ages
    and how long ago they are, or how long until they come, by today's date; the time between two; year, month, weekday.
    A cell is empty where something that it is reckoned from is.

    NodeError naming `formula` for words that are not understood and columns without numbers; `name` for one that is
    there already.
    """
    sheet = Sheet(tables.checked(table))
    found = formulas.column(sheet, given_words(formula, "formula"), digits)
    wanted = " ".join(name.split()).strip("\"'“”„`")
    taken = {each.casefold() for each in sheet.names}
    if wanted.casefold() in taken:
        raise NodeError(Phrase("There would be two columns “{name}”.", name=wanted), "name", "Choose another name.")
    head = wanted or (f"{found.name} (2)" if found.name.casefold() in taken else found.name)
    rows = ((*row, cell) for row, cell in zip(table.rows, found.cells, strict=True))
    return Table((*table.columns, head), tuple(rows))
