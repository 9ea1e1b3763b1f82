"""Writes tables as files that other programs open: spreadsheets, separated values, JSON. Must not know tools.

A spreadsheet is one sheet in ECMA-376 (.xlsx) or OpenDocument (.ods), written straight into its ZIP file, row by row.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple
from xml.sax.saxutils import escape

from nodes._support import dates, tables
from nodes.api import Phrase, Table

ENDINGS = (".xlsx", ".ods", ".csv", ".tsv", ".json")
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_CELL = 1_048_576, 16_384, 32_767  # what Excel has room for
_MOST_DIGITS = 15  # of a number in a spreadsheet; longer ones are numbers of accounts and articles
_EPOCH = datetime.datetime(1899, 12, 30)
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
    if len(table.rows) >= _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise ValueError(Phrase("a spreadsheet has at most 1,048,575 rows and 16,384 columns"))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        (_write_excel if ending == ".xlsx" else _write_open)(table, file, progress, _sheet_name(sheet))
    return stream.getvalue()


def _sheet_name(said: str) -> str:
    return re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", said).strip(" '")[:31].strip() or "Table"


def _json(table: Table) -> str:
    """A list of objects, as other programs want it; with names that occur twice, {"columns", "rows"}."""
    names = [str(name) for name in table.columns]
    if len(set(names)) < len(names):
        return json.dumps({"columns": names, "rows": [list(row) for row in table.rows]}, ensure_ascii=False)
    return json.dumps([dict(zip(names, row, strict=True)) for row in table.rows], ensure_ascii=False, indent=1)


def _separated(table: Table, ending: str) -> bytes:
    stream = io.StringIO()
    rows = csv.writer(stream, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
    rows.writerows((table.columns, *(["" if cell is None else cell for cell in row] for row in table.rows)))
    return stream.getvalue().encode("utf-8-sig" if ending == ".csv" else "utf-8")  # else Excel takes it for Latin-1


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


def _written(text: Any) -> str:
    return escape(_FORBIDDEN.sub("", str(text)))


def _attribute(text: str) -> str:
    return _written(text).replace('"', "&quot;")


def _widths(table: Table) -> list[int]:
    """Letters that each column needs, by its first rows."""
    shown = [*table.rows[:_SAMPLE_ROWS], table.columns]
    longest = (max(len(str(row[place])) for row in shown if place < len(row)) for place in range(len(table.columns)))
    return [min(_WIDEST, max(8, letters + 2)) for letters in longest]


# ------------------------------------------------------------------------------------------------------- .xlsx


class _Part(NamedTuple):
    name: str
    text: str


_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NAME = "\ue000"  # stands for the name of the sheet
_BOLD, _DAY, _MOMENT = 1, 2, 3  # places in cellXfs
_EXCEL_PARTS = (
    _Part("[Content_Types].xml",
          f'<Types xmlns="{_PACKAGE}/content-types">'
          '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
          '<Default Extension="xml" ContentType="application/xml"/>'
          f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
          f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
          f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'),
    _Part("_rels/.rels",
          f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" '
          'Target="xl/workbook.xml"/></Relationships>'),
    _Part("xl/workbook.xml",
          f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="{_NAME}" sheetId="1" r:id="rId1"/>'
          "</sheets></workbook>"),
    _Part("xl/_rels/workbook.xml.rels",
          f'<Relationships xmlns="{_PACKAGE}/relationships">'
          f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
          f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'),
    _Part("xl/styles.xml",
          f'<styleSheet xmlns="{_MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
          '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
          '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
          '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
          '<fills count="2"><fill><patternFill patternType="none"/></fill>'
          '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
          '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/>'
          '<xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/>'
          '<xf xfId="0" numFmtId="165" applyNumberFormat="1"/></cellXfs>'
          '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'),
)  # fmt: skip


def _write_excel(table: Table, file: zipfile.ZipFile, progress: Progress, sheet: str) -> None:
    for part in _EXCEL_PARTS:
        file.writestr(part.name, _HEAD + part.text.replace(_NAME, _attribute(sheet)))
    letters = [_letters(place) for place in range(len(table.columns))]
    with file.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as out:
        columns = "".join(
            f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
            for place, width in enumerate(_widths(table), 1)
        )
        _put(out, f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
             'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
             f"<cols>{columns}</cols><sheetData>")  # fmt: skip
        head: list[Cell] = [str(name) for name in table.columns]
        for number, cells in enumerate((head, *_rows(table, progress)), 1):
            style = _BOLD if number == 1 else 0
            row = "".join(_excel(cell, f"{letters[place]}{number}", style) for place, cell in enumerate(cells))
            _put(out, f'<row r="{number}">{row}</row>')
        _put(out, "</sheetData></worksheet>")


def _put(out: IO[bytes], text: str) -> None:
    out.write(text.encode("utf-8"))


def _letters(place: int) -> str:
    """A, B, ..., Z, AA, ..."""
    more, last = divmod(place, 26)
    return (_letters(more - 1) if more else "") + chr(ord("A") + last)


def _excel(cell: Cell, place: str, style: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        shown = f' s="{style}"' if style else ""
        return f'<c r="{place}" t="inlineStr"{shown}><is><t xml:space="preserve">{_written(cell)}</t></is></c>'
    if isinstance(cell, datetime.date):
        style = _MOMENT if isinstance(cell, datetime.datetime) else _DAY
        return f'<c r="{place}" s="{style}"><v>{_serial(cell)}</v></c>'
    return f'<c r="{place}"><v>{cell!r}</v></c>'


def _serial(day: datetime.date) -> str:
    """Days since the end of 1899."""
    moment = day if isinstance(day, datetime.datetime) else datetime.datetime.combine(day, datetime.time())
    days = (moment - _EPOCH) / datetime.timedelta(days=1)
    return str(int(days)) if days.is_integer() else f"{days:.10f}"


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


def _write_open(table: Table, file: zipfile.ZipFile, progress: Progress, sheet: str) -> None:
    file.writestr(zipfile.ZipInfo("mimetype"), _OPEN_KIND)  # first and not packed, so that the kind can be told
    file.writestr("META-INF/manifest.xml", _HEAD + _MANIFEST)
    widths = _widths(table)
    with file.open("content.xml", "w", force_zip64=True) as out:
        _put(out, _HEAD + _open_styles(widths))
        columns = "".join(f'<table:table-column table:style-name="w{width}"/>' for width in widths)
        _put(out, f'<office:body><office:spreadsheet><table:table table:name="{_attribute(sheet)}">{columns}')
        head: list[Cell] = [str(name) for name in table.columns]
        for number, cells in enumerate((head, *_rows(table, progress))):
            row = "".join(_open(cell, ' table:style-name="bold"' if number == 0 else "") for cell in cells)
            _put(out, f"<table:table-row>{row or '<table:table-cell/>'}</table:table-row>")
        _put(out, "</table:table></office:spreadsheet></office:body></office:document-content>")


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
    return re.sub(r" {2,}", lambda blanks: f' <text:s text:c="{len(blanks[0]) - 1}"/>', _written(line))
