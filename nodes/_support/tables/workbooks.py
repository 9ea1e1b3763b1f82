"""Writes tables as files that other programs open: spreadsheets, separated values, JSON, Markdown, pages. Must not
know tools.

A spreadsheet is one sheet: .xlsx by XlsxWriter. OpenDocument (.ods) is written here, straight into its ZIP file, row by
row: odfpy is of 2020, odsexport under the GPL, odfdo takes 20 ms a row, and odfdo, odswriter and stream-write-ods keep
neither line breaks nor several blanks in a cell.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from nodes._support.tables import dates, tables
from nodes.api import Phrase, Table

ENDINGS = (".xlsx", ".ods", ".csv", ".tsv", ".json", ".md", ".html")
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_CELL = 1_048_576, 16_384, 32_767  # what Excel has room for
_MOST_DIGITS = 15  # of a number in a spreadsheet; longer ones are numbers of accounts and articles
_MOST_HELD_CELLS = 500_000  # some 70 MB
_NO_TIME = datetime.datetime(1980, 1, 1)  # the first of ZIP files: the same table is the same bytes
_FIRST_DAY = datetime.date(1900, 3, 1)  # before, Excel counts a day that never was
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PLAIN_NUMBER = re.compile(r"[-+−]?(?:0|[1-9][\d.,' \u00a0\u202f]*|0?[.,]\d+|0[.,]\d+)")
_SAMPLE_ROWS, _WIDEST = 200, 60
Progress = Callable[[float], None]
Cell = str | int | float | datetime.date | datetime.datetime | None


def content(table: Table, ending: str, progress: Progress = lambda fraction: None, sheet: str = "") -> bytes:
    """The table as the bytes of a file with one of ENDINGS. Raises ValueError where it has no room for it.

    `sheet` is what the sheet is called, as far as programs allow it.
    """
    if ending == ".json":
        return _json(table).encode("utf-8")
    if ending in (".csv", ".tsv"):
        return _separated(table, ending)
    if ending in (".md", ".html"):
        return (_markdown(table) if ending == ".md" else _page(table, _sheet_name(sheet))).encode("utf-8")
    if len(table.rows) >= _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise ValueError(Phrase("a spreadsheet has at most 1,048,575 rows and 16,384 columns"))
    return (_excel if ending == ".xlsx" else _open_document)(table, progress, _sheet_name(sheet))


def _sheet_name(said: str) -> str:
    return re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", said).strip(" '")[:31].strip() or "Table"


def _json(table: Table) -> str:
    """A list of objects, as other programs want it; with names that occur twice, {"columns", "rows"}."""
    names, readers = [str(name) for name in table.columns], typed(table)
    numbers = [[_plain_number(cell, read) for cell, read in zip(row, readers, strict=True)] for row in table.rows]
    if len(set(names)) < len(names):
        return json.dumps({"columns": names, "rows": numbers}, ensure_ascii=False)
    return json.dumps([dict(zip(names, row, strict=True)) for row in numbers], ensure_ascii=False, indent=1)


def _plain_number(cell: Any, read: Callable[[Any], Cell]) -> Any:
    value = read(cell) if isinstance(cell, str) else cell
    return value if isinstance(value, int | float) else cell


def _separated(table: Table, ending: str) -> bytes:
    stream = io.StringIO()
    rows = csv.writer(stream, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
    rows.writerows((table.columns, *(["" if cell is None else cell for cell in row] for row in table.rows)))
    return stream.getvalue().encode("utf-8-sig" if ending == ".csv" else "utf-8")  # else Excel takes it for Latin-1


def _markdown(table: Table) -> str:
    """With columns of numbers to the right; what would end a cell is written so that it does not."""
    numeric = [tables.is_numeric(tables.cells(table, place)) for place in range(len(table.columns))]
    rule = ["---:" if each else "---" for each in numeric]
    lines = (_marked_row(table.columns), _marked_row(rule, plain=True), *map(_marked_row, table.rows))
    return "\n".join(lines) + "\n"


def _marked_row(cells: Sequence[Any], plain: bool = False) -> str:
    shown = ("" if cell is None else str(cell) for cell in cells)
    written = shown if plain else (" ".join(cell.replace("|", "\\|").split()) for cell in shown)
    return f"| {' | '.join(written)} |"


def _page(table: Table, title: str) -> str:
    """A plain page with nothing but the table."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in table.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell)) if cell is not None else str()}</td>' for cell in row)}</tr>\n"
        for row in table.rows
    )
    return (f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{escape(title)}</title></head><body><table>\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></body></html>\n")  # fmt: skip


def typed(table: Table) -> list[Callable[[Any], Cell]]:
    """For each column, what makes of its cells what a spreadsheet calculates with: dates where all are, numbers written
    in full where all are; else they stay as they are."""
    return [_reader(tables.cells(table, place)) for place in range(len(table.columns))]


def _reader(cells: list[Any]) -> Callable[[Any], Cell]:
    different = [*dict.fromkeys(cells)]
    found = dates.read(different)
    if found is not None:
        by_cell = {cell: day for cell, day in zip(different, found, strict=True) if isinstance(cell, str) and day}
        return lambda cell: _date(cell, by_cell.get(cell)) if isinstance(cell, str) else _plain(cell)
    said = {cell for cell in different if isinstance(cell, str) and cell.strip()}
    if said and all(_PLAIN_NUMBER.fullmatch(cell.strip()) and tables.number(cell) is not None for cell in said):
        return lambda cell: _plain(tables.tidy(tables.number(cell) or 0.0) if cell in said else cell, cell)
    return _plain


def _plain(cell: Any, said: Any = None) -> Cell:
    """A number, or a text; `said` is how the number was written."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if tables.is_empty(cell):
        return None
    if isinstance(cell, int | float):
        is_exact = abs(cell) < 10**_MOST_DIGITS if isinstance(cell, int) else abs(cell) < float("inf")
        return cell if is_exact else str(cell if said is None else said)
    return str(cell)


def _date(cell: str, day: datetime.date | None) -> Cell:
    """A cell of a column of dates: with its time where it has one; as it is where no day is said, or is none."""
    if day is None:
        return _plain(cell)
    if ":" in cell:
        try:
            moment = datetime.datetime.fromisoformat(cell.strip())
        except ValueError:
            return cell
        return moment if moment.tzinfo is None and moment.date() >= _FIRST_DAY else cell
    has_name = any(letter.isalpha() for letter in cell)
    has_day = len(re.findall(r"\d+", cell)) >= (2 if has_name and "月" not in cell else 3)
    return day if has_day and day >= _FIRST_DAY else cell


def _rows(table: Table, progress: Progress) -> Iterator[list[Cell]]:
    """Below the names. Raises ValueError for a text that is too long."""
    readers = typed(table)
    for number, row in enumerate(table.rows):
        if number % 1000 == 0:
            progress(number / len(table.rows))
        cells = [read(cell) for read, cell in zip(readers, row, strict=False)]
        if any(isinstance(cell, str) and len(cell) > _LONGEST_CELL for cell in cells):
            raise ValueError(Phrase("a cell of a spreadsheet holds at most 32,767 letters"))
        yield cells


def _clean(text: Any) -> str:
    """Without what no XML may hold."""
    return _FORBIDDEN.sub("", str(text))


def _widths(table: Table) -> list[int]:
    """Letters that each column needs, by its first rows."""
    shown = [*table.rows[:_SAMPLE_ROWS], table.columns]
    longest = (max(len(str(row[place])) for row in shown if place < len(row)) for place in range(len(table.columns)))
    return [min(_WIDEST, max(8, letters + 2)) for letters in longest]


# ------------------------------------------------------------------------------------------------------- .xlsx


def _excel(table: Table, progress: Progress, sheet: str) -> bytes:
    """Large tables are written row by row, their texts where they stand; the usual form, which more programs show, has
    all texts in memory."""
    import xlsxwriter

    stream = io.BytesIO()
    is_large = len(table.rows) * len(table.columns) > _MOST_HELD_CELLS
    book = xlsxwriter.Workbook(stream, {"in_memory": True, "constant_memory": is_large})
    book.set_properties({"created": _NO_TIME})
    bold = book.add_format({"bold": True})
    day, moment = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
    page = book.add_worksheet(sheet)
    page.freeze_panes(1, 0)
    for place, (name, width) in enumerate(zip(table.columns, _widths(table), strict=True)):
        page.set_column(place, place, width)
        page.write_string(0, place, _clean(name), bold)
    for number, cells in enumerate(_rows(table, progress), 1):
        for place, cell in enumerate(cells):
            if isinstance(cell, str):
                page.write_string(number, place, _clean(cell))
            elif isinstance(cell, datetime.datetime):
                page.write_datetime(number, place, cell, moment)
            elif isinstance(cell, datetime.date):
                page.write_datetime(number, place, datetime.datetime.combine(cell, datetime.time()), day)
            elif cell is not None:
                page.write_number(number, place, cell)
    book.close()
    return stream.getvalue()


# -------------------------------------------------------------------------------------------------------- .ods

_OPEN_KIND = "application/vnd.oasis.opendocument.spreadsheet"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_MANIFEST = (
    f'<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{_OPEN_KIND}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_DAY_PARTS = ('<number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/>'
              '<number:text>-</number:text><number:day number:style="long"/>')  # fmt: skip
_TIME_PARTS = ('<number:text> </number:text><number:hours number:style="long"/><number:text>:</number:text>'
               '<number:minutes number:style="long"/><number:text>:</number:text>'
               '<number:seconds number:style="long"/>')  # fmt: skip


def _open_document(table: Table, progress: Progress, sheet: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(zipfile.ZipInfo("mimetype"), _OPEN_KIND)  # first and not packed, so that the kind can be told
        for name, lines in (("META-INF/manifest.xml", [_MANIFEST]), ("content.xml", _content(table, progress, sheet))):
            part = zipfile.ZipInfo(name)  # of 1980: nothing of the clock
            part.compress_type = zipfile.ZIP_DEFLATED
            with file.open(part, "w", force_zip64=True) as out:
                out.write(b'<?xml version="1.0" encoding="UTF-8"?>\n')
                for line in lines:
                    out.write(line.encode("utf-8"))
    return stream.getvalue()


def _content(table: Table, progress: Progress, sheet: str) -> Iterator[str]:
    """content.xml, piece by piece."""
    widths = _widths(table)
    yield _open_styles(widths)
    columns = "".join(f'<table:table-column table:style-name="w{width}"/>' for width in widths)
    yield f"<office:body><office:spreadsheet><table:table table:name={quoteattr(_clean(sheet))}>{columns}"
    yield _open_row([str(name) for name in table.columns], ' table:style-name="bold"')
    for cells in _rows(table, progress):
        yield _open_row(cells)
    yield "</table:table></office:spreadsheet></office:body></office:document-content>"


def _open_row(cells: Sequence[Cell], style: str = "") -> str:
    shown = "".join(_open(cell, style) for cell in cells)
    return f"<table:table-row>{shown or '<table:table-cell/>'}</table:table-row>"


def _open_styles(widths: list[int]) -> str:
    spaces = " ".join(
        f'xmlns:{name}="{_OASIS}:{rest}:1.0"'
        for name, rest in (("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"),
                           ("number", "datastyle"), ("fo", "xsl-fo-compatible"))
    )  # fmt: skip
    columns = "".join(
        f'<style:style style:name="w{width}" style:family="table-column"><style:table-column-properties '
        f'style:column-width="{width * 0.21:.2f}cm"/></style:style>'
        for width in sorted(set(widths))
    )
    return (
        f'<office:document-content {spaces} office:version="1.3"><office:automatic-styles>{columns}'
        f'<number:date-style style:name="nd">{_DAY_PARTS}</number:date-style>'
        f'<number:date-style style:name="nm">{_DAY_PARTS}{_TIME_PARTS}</number:date-style>'
        '<style:style style:name="day" style:family="table-cell" style:data-style-name="nd"/>'
        '<style:style style:name="moment" style:family="table-cell" style:data-style-name="nm"/>'
        '<style:style style:name="bold" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
        "</style:style></office:automatic-styles>"
    )


def _open(cell: Cell, style: str) -> str:
    """A cell as XML; `style` is the attribute of a text."""
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{_spaced(line)}</text:p>" for line in cell.splitlines() or [""])
        return f'<table:table-cell{style} office:value-type="string">{lines}</table:table-cell>'
    if isinstance(cell, datetime.date):
        style = "moment" if isinstance(cell, datetime.datetime) else "day"
        shown = cell.isoformat(" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
        return (f'<table:table-cell table:style-name="{style}" office:value-type="date" office:date-value='
                f'"{cell.isoformat()}"><text:p>{shown}</text:p></table:table-cell>')  # fmt: skip
    return (f'<table:table-cell office:value-type="float" office:value="{cell!r}"><text:p>{cell!r}</text:p>'
            "</table:table-cell>")  # fmt: skip


def _spaced(line: str) -> str:
    """Several blanks in a row, which would be one."""
    return re.sub(r" {2,}", lambda blanks: f' <text:s text:c="{len(blanks[0]) - 1}"/>', escape(_clean(line)))
