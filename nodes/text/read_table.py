"""Read a table from a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nodes._support.documents import documents
from nodes._support.files import codecs
from nodes._support.imaging.pixels import SILENT
from nodes._support.tables import sheets
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, Table, TableValue, Text, tool
from nodes.phrase import listed

_JSON = (".json", ".jsonl", ".ndjson")
_MARKED = (".md", ".markdown")
_TEXT = (".csv", ".tsv", ".tab", ".txt")


@tool(
    id="read_table",
    title="Table from a file",
    domain="text",
    description="Opens the table in a spreadsheet, a CSV or JSON file, a Word document or a PDF.",
    inputs=(
        Port("file", ResourceType.FILE, "a .xlsx, .ods, .csv, .tsv, .json, .docx, .odt, .html, .md or .pdf file"),
        Port("sheet", ResourceType.TEXT, "name or number of the sheet of a spreadsheet, the one with the most in it "
             "if not given", default="", advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "its rows and columns"),),
    quality=0.9,
    examples=("Read the table from sales.csv", "Open data.json as a table", "Load the table prices.tsv"),
    words=("csv", "tsv", "excel", "spreadsheet", "json table", "import a table"),
    icon="file-spreadsheet",
    result="table",
)  # fmt: skip
def read_table(file: File, sheet: Text = "", *, context: RunContext = SILENT) -> TableValue:
    """The first line gives the columns of CSV and TSV. JSON: a list of objects or lists, an object of lists, or
    {"columns", "rows"}; JSON lines: an object in each line. Nested values become their JSON text. Of the tables of a
    document the one with the most in it; those of a PDF, also a scanned one, are found by how their writing stands.

    Raises NodeError for other files, broken ones, and those over 400 MB.
    """
    suffix = file.suffix.lower()
    if not file.is_file() or file.stat().st_size == 0:
        raise NodeError(Phrase("{file} is missing or empty.", file=file.name), "file", "Choose another file.")
    if file.stat().st_size > codecs.MOST_TABLE_BYTES:
        raise NodeError(Phrase("{file} is larger than 400 MB.", file=file.name), "file", "Give a part of it.")
    if suffix in _JSON:
        return _from_json(codecs.decode(file, ResourceType.TEXT, "file"), file.name, lines=suffix != ".json")
    if suffix in _TEXT:
        return _from_csv(file)
    try:
        if suffix in _MARKED:
            return sheets.largest(sheets.of_marks(codecs.decode(file, ResourceType.TEXT, "file")))
        if suffix in sheets.SPREADSHEETS:
            return _from_sheet(file, sheet, context)
        return sheets.largest(documents.tables_of(file, context))
    except ValueError as error:
        said = Phrase("No table can be read in {file}: {why}", file=file.name, why=codecs.why(error))
        raise NodeError(said, "file", "Give a spreadsheet, a CSV or JSON file, or a document with a table.") from error


def _from_sheet(file: File, sheet: str, context: RunContext) -> Table:
    """Raises ValueError."""
    table, others = sheets.of_workbook(file, sheet)
    if others and not sheet.strip():
        context.tell(Phrase("Not read: the sheets {names} of {file}.", names=listed(others[:12]), file=file.name))
    lacking = sheets.without_results(file)
    if lacking:
        said = "{file} has {count} formulas without results: open and save it in a spreadsheet program to have them."
        context.tell(Phrase(said, file=file.name, count=lacking))
    return table


def _from_csv(file: File) -> Table:
    import csv

    try:
        return codecs._decode_csv(file)
    except (ValueError, csv.Error) as error:
        raise NodeError(
            Phrase("{file} cannot be read as a table: {error}.", file=file.name, error=error),
            "file",
            "Check its first lines.",
        ) from error


def _from_json(text: str, name: str, lines: bool) -> Table:
    try:
        data = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NodeError(
            Phrase("{name} is not proper JSON: {error}.", name=name, error=error), "file", "Check the file."
        ) from error
    table = _table_of(data)
    if table is None or not table.columns:
        raise NodeError(
            Phrase("There is no table in {name}.", name=name),
            "file",
            "It should hold a list of objects, one for each row.",
        )
    return table


def _table_of(data: Any) -> Table | None:
    """The table in JSON data; None when it has no such form."""
    if isinstance(data, Mapping):
        if isinstance(data.get("columns"), list) and isinstance(data.get("rows"), list):
            return _from_lists([data["columns"], *data["rows"]])
        if data and all(isinstance(value, list) for value in data.values()):
            height = max(map(len, data.values()))
            filled = [list(values) + [None] * (height - len(values)) for values in data.values()]
            return _from_lists([list(data), *map(list, zip(*filled, strict=True))])
        inner = [
            value for value in data.values() if isinstance(value, list) and value and isinstance(value[0], Mapping)
        ]
        return _table_of(inner[0]) if len(inner) == 1 else _from_objects([data]) if data else None
    if isinstance(data, list) and data and all(isinstance(row, Mapping) for row in data):
        return _from_objects(data)
    if isinstance(data, list) and data and all(isinstance(row, list) for row in data):
        return _from_lists(data)
    return None


def _from_objects(rows: list[Any]) -> Table:
    columns = tuple(dict.fromkeys(str(key) for row in rows for key in row))
    return Table(columns, tuple(tuple(_cell(row.get(c)) for c in columns) for row in rows))


def _from_lists(rows: list[Any]) -> Table | None:
    if not all(isinstance(row, list) for row in rows):
        return None
    width = max(len(row) for row in rows)
    head = [str(_cell(c)) for c in rows[0]] + [f"column {i + 1}" for i in range(len(rows[0]), width)]
    return Table(tuple(head), tuple(tuple(_cell(c) for c in row) + (None,) * (width - len(row)) for row in rows[1:]))


def _cell(value: Any) -> Any:
    """Numbers and text as they are, truth values as 1 and 0 would lose their meaning: "true", "false"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
