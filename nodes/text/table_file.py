"""Make a file of a table, in the form that another program wants."""

from __future__ import annotations

from nodes._support.files import codecs
from nodes._support.tables import workbooks
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, TableValue, Text, tool


@tool(
    id="table_file",
    title="Spreadsheet file",
    domain="text",
    description="Saves a table as an Excel (.xlsx), OpenDocument (.ods), CSV, TSV, JSON, Markdown or HTML file.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("format", ResourceType.TEXT, "form of the file", default="xlsx",
             choices=tuple(ending[1:] for ending in workbooks.ENDINGS), question="Which kind of file should it be?"),
        Port("title", ResourceType.TEXT, "what the sheet of a spreadsheet is called", default="", advanced=True),
    ),
    outputs=(Port("file", ResourceType.FILE, "the table as a file"),),
    quality=0.9,
    examples=(
        "Save the table as an Excel file",
        "Convert sales.csv to xlsx",
        "Make a spreadsheet of the table",
        "Export prices.csv as JSON",
        "Save the spreadsheet as CSV",
        "Turn prices.csv into a Markdown table",
    ),
    words=("excel", "xlsx", "csv to excel", "make a spreadsheet of it", "xlsx to csv", "csv to json", "ods", "tsv",
           "markdown table", "html table",           "export the table", "excel file", "table format"),
    icon="file-spreadsheet",
    does="converts",
    result_by="format",
    result="table",
)  # fmt: skip
def table_file(table: TableValue, format: Text = "xlsx", title: Text = "", *, context: RunContext) -> File:
    """A spreadsheet has one sheet with the names of the columns on top, which stay when one scrolls. Numbers and dates
    are such as it calculates with; a text is never a formula. JSON is a list of objects.

    NodeError naming `table` when it has no columns, `format` when a spreadsheet has no room for it.
    """
    if not table.columns:
        raise NodeError("The table has no columns.", "table", "Give a table with a line of column names.")
    target = context.new_file(f".{format}")
    try:
        target.write_bytes(workbooks.content(table, target.suffix, context.progress, " ".join(title.split())))
    except ValueError as error:
        said = Phrase("The table cannot be saved as {format}: {why}", format=format, why=codecs.why(error))
        raise NodeError(said, "format", "Save it as csv.") from error
    return target
