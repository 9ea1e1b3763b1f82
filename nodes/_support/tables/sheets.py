"""Tables out of spreadsheets, pages, documents, and writing that stands in rows. Must not know tools."""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.tables import tables
from nodes.api import NodeError, Phrase, Table

Rows = list[list[Any]]
SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_MOST_SPANNED = 100
_WITH_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+,\d+|\d+,(\d{1,2}|\d{4,})|0,\d+)")
_ENDS_WITH_NOUGHT = re.compile(r"[-+]?(?:0|[1-9]\d*)\.\d*0")
_CODE = re.compile(r"[-+]?0\d|\+\d{6}|[-+]?\d+e\d|.*_", re.IGNORECASE)
"""What Python reads as a number though it is none: 01067, +4935112345, 12E3, 1_000."""
_NO_NUMBER = frozenset(("nan", "NaN", "NAN"))
"""What programs write where a number is lacking; Nan and Inf are names."""
_NO_RESULT = re.compile(rb"<f\b[^<]*(?:</f>|/>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_PHRASE = re.compile(r"\S+(?: \S+)*")


class NoRowsError(ValueError):
    """There is nothing in the table."""


class Placed(NamedTuple):
    """A run of writing on a line, from `left` to `right` in any unit."""

    left: float
    right: float
    text: str


def spreadsheet(path: Path, sheet: str = "") -> Table:
    """The table on a sheet of a spreadsheet, by its name or number; without one the largest. Raises ValueError."""
    return of_workbook(path, sheet)[0]


def of_workbook(path: Path, sheet: str = "") -> tuple[Table, list[str]]:
    """As `spreadsheet`, and the names of the other sheets on which there is something."""
    named = _named(path)
    name = _chosen(sheet, [*named]) if sheet.strip() else max(named, key=lambda each: _count(named[each]), default="")
    return _table(named.get(name, [])), [each for each in named if each != name and _count(named[each])]


def all_sheets(path: Path) -> list[tuple[str, Table]]:
    """The tables on all sheets of a spreadsheet on which there is something, with the sheets' names, in their order.
    Raises ValueError."""
    return [(name, _table(rows)) for name, rows in _named(path).items() if _count(rows)]


def _named(path: Path) -> dict[str, Rows]:
    """The cells of each sheet by its name. Raises ValueError."""
    import python_calamine

    try:
        with python_calamine.load_workbook(path) as book:
            return {name: _rows(book.get_sheet_by_name(name)) for name in book.sheet_names}
    except python_calamine.PasswordError as error:
        raise ValueError(Phrase("it is protected by a password")) from error
    except (python_calamine.CalamineError, OSError) as error:
        raise ValueError(Phrase("it is damaged")) from error


def without_results(path: Path) -> int:
    """How many cells of an Excel file have a formula and no result: it was not saved by a program that calculates."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as book:
            pages = (name for name in book.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml"))
            return sum(len(_NO_RESULT.findall(book.read(name))) for name in pages)
    except (zipfile.BadZipFile, OSError):
        return 0


def _rows(sheet: Any) -> Rows:
    """Its cells; those that are merged all say what the first of them says, but for a title over the whole sheet."""
    rows = sheet.to_python(skip_empty_area=False)
    merged = sheet.merged_cell_ranges or ()
    for (top, left), (bottom, right) in merged:
        below = range(top + 1, min(bottom + 1, len(rows)))
        beside = range(left + 1, right + 1) if _says_more(rows[top : top + 1], left, right) else ()
        for row, column in itertools.chain(((row, left) for row in below), ((top, column) for column in beside)):
            rows[row][column] = rows[top][left]
    return _joined_heads(rows, [(top, left, right) for (top, left), (_, right) in merged if right > left])


def _says_more(rows: Rows, left: int, right: int) -> bool:
    """Whether a cell outside of those columns says something."""
    return any(_cell(cell) is not None for row in rows for at, cell in enumerate(row) if not left <= at <= right)


def _joined_heads(rows: Rows, wide: Sequence[tuple[int, int, int]]) -> Rows:
    """With names over several columns in the first line that has more than a title, the line below says which is which:
    both become one, "2026 North"."""
    first = next((n for n, row in enumerate(rows) if sum(_cell(cell) is not None for cell in row) > 1), len(rows))
    if first + 1 >= len(rows) or not any(top == first and _says_more(rows[first : first + 1], left, right)
                                         for top, left, right in wide):  # fmt: skip
        return rows
    names = ([_cell(cell) for cell in row] for row in rows[first : first + 2])
    heads = [
        " ".join(str(name) for name in dict.fromkeys((above, below)) if name is not None)
        for above, below in zip(*names, strict=True)
    ]
    return [*rows[:first], heads, *rows[first + 2 :]]


def _chosen(wanted: str, names: Sequence[str]) -> str:
    """Raises NodeError naming `sheet`."""
    found = next((name for name in names if name.casefold() == wanted.strip().casefold()), None)
    if found is None and wanted.strip().isdigit() and 1 <= int(wanted) <= len(names):
        found = names[int(wanted) - 1]
    if found is None:
        shown = Phrase("The sheets are: {shown}.", shown=", ".join(names[:12]))
        raise NodeError(Phrase('There is no sheet "{name}".', name=wanted.strip()), "sheet", shown)
    return found


def largest(found: Sequence[Rows]) -> Table:
    """The one of several tables with the most in it. Raises ValueError when nothing is in any."""
    return _table(max(found, key=_count, default=[]))


def _count(rows: Rows) -> int:
    """How many cells say something."""
    return sum(_cell(cell) is not None for row in rows for cell in row)


def _table(rows: Rows) -> Table:
    """Without empty rows and columns, and without lines above it that have but one cell: those are its title."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    cells = [row for row in cells if any(cell is not None for cell in row)]
    most = max((sum(cell is not None for cell in row) for row in cells), default=0)
    while most > 1 and sum(cell is not None for cell in cells[0]) == 1:
        cells.pop(0)
    width = max(map(len, cells), default=0)
    used = [c for c in range(width) if any(c < len(row) and row[c] is not None for row in cells)]
    cells = [[row[c] if c < len(row) else None for c in used] for row in cells]
    if not cells:
        raise NoRowsError(Phrase("there are no rows in it"))
    head = tuple(f"column {i + 1}" if name is None else str(name) for i, name in enumerate(cells[0]))
    body = (tuple(number_or_text(cell) if isinstance(cell, str) else cell for cell in row) for row in cells[1:])
    return Table(head, tuple(body))


def _cell(value: Any) -> Any:
    """A number or a text as a table holds it, dates as 2024-05-31; None for nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if value is None or isinstance(value, int | float):
        return value
    return " ".join(str(value).split()) or None


def number_reader(sample: Iterable[Iterable[str]]) -> Callable[[str], Any]:
    """What makes numbers of the cells of a table of which these are some: where one of them has its comma where only
    the decimals begin ("1.234,5", "0,25"), a point stands between thousands.
    """
    german = any(_DECIMAL_COMMA.fullmatch(cell) for row in sample for cell in row)
    return _number_with_comma if german else _number_with_point


def _number_with_point(cell: str) -> Any:
    return cell if _ENDS_WITH_NOUGHT.fullmatch(cell) else number_or_text(cell)


def _number_with_comma(cell: str) -> Any:
    """Of what would be written otherwise - 1.180,00 as 1180.0 - the writing stays, where it means but one number."""
    if not _WITH_COMMA.fullmatch(cell):
        return cell
    value = number_or_text(cell.replace(".", "").replace(",", "."))
    return cell if isinstance(value, str) or ("," in cell and tables.number(cell) == value) else value


def number_or_text(cell: str) -> Any:
    """A cell as a number, if it is one, and not a code of digits: zeros before it would be lost."""
    if cell[:1].isalpha() and cell[0] not in "nNiI":  # "nan", "inf": all other letters begin no number
        return cell
    for kind in (int, float):
        try:
            value = kind(cell)
        except ValueError:
            continue
        is_word = isinstance(value, float) and not math.isfinite(value) and cell.strip() not in _NO_NUMBER
        return cell if is_word or _CODE.match(cell) else value
    return cell


_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)*\s*:?-{2,}:?\s*\|?\s*")


def of_marks(text: str) -> list[Rows]:
    """The tables of a Markdown text: a line of names, a rule of dashes below it, and lines with bars."""
    lines, found = text.splitlines(), list[Rows]()
    for number, line in enumerate(lines[1:], 1):
        if "|" in lines[number - 1] and "-" in line and _RULE.fullmatch(line):
            below = list(itertools.takewhile(lambda each: "|" in each, lines[number + 1 :]))
            found.append([_marked(each) for each in (lines[number - 1], *below)])
    return found


def _marked(line: str) -> list[Any]:
    bare = re.sub(r"^\s*\||(?<!\\)\|\s*$", "", line)
    return [cell.replace("\\|", "|").strip() or None for cell in _BAR.split(bare)]


def of_page(html: str) -> list[Rows]:
    """The tables of a page, inner ones apart; cells over several rows or columns stand in the first."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    collector = _Tables()
    parser = etree.HTMLParser(target=collector, recover=True, no_network=True, remove_comments=True, huge_tree=True)
    try:
        parser.feed(re.sub(r"^\s*<\?xml[^>]*\?>", "", html.replace("\x00", "")))
        parser.close()
    except etree.XMLSyntaxError:
        collector.close()
    return [rows for rows in collector.found if rows]


class _Tables:
    """Receives start, end and data of a parser and gathers cells."""

    def __init__(self) -> None:
        self.found: list[Rows] = []
        self._open: list[tuple[Rows, dict[int, int]]] = []
        self._hidden = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._hidden += tag in ("script", "style")
        if tag == "table":
            self._open.append(([], {}))
            self.found.append(self._open[-1][0])
        elif tag == "tr" and self._open:
            self._open[-1][0].append([])
        elif tag in ("td", "th") and self._open:
            self._begin(attributes)
        elif tag in ("br", "p", "div", "li"):
            self.data(" ")

    def _begin(self, attributes: dict[str, str]) -> None:
        rows, below = self._open[-1]
        rows += [] if rows else [[]]
        self._pass_over(rows[-1], below)
        across, down = (_span(attributes.get(name)) for name in ("colspan", "rowspan"))
        for column in range(len(rows[-1]), len(rows[-1]) + across):
            below[column] = down - 1
        rows[-1].append([])
        rows[-1] += [None] * (across - 1)

    def _pass_over(self, row: list[Any], below: dict[int, int]) -> None:
        while below.get(len(row), 0) > 0:
            below[len(row)] -= 1
            row.append(None)

    def data(self, data: str) -> None:
        if self._open and not self._hidden and self._open[-1][0] and (row := self._open[-1][0][-1]):
            cell = next((cell for cell in reversed(row) if cell is not None), None)
            if cell is not None:
                cell.append(data)

    def end(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0
        if tag == "tr" and self._open and self._open[-1][0]:
            self._pass_over(self._open[-1][0][-1], self._open[-1][1])
        elif tag == "table" and self._open:
            self._open.pop()

    def close(self) -> None:
        for rows in self.found:
            rows[:] = [[None if cell is None else "".join(cell) for cell in row] for row in rows]


def _span(said: str | None) -> int:
    return min(_MOST_SPANNED, max(1, int(said))) if said and said.strip().isdecimal() else 1


def of_lines(lines: Sequence[Sequence[Placed]]) -> list[Rows]:
    """Where lines that follow each other have several pieces: tables, with a column for what stands below."""
    found: list[Rows] = []
    run: list[Sequence[Placed]] = []
    for line in (*lines, ()):
        if len(line) > 1:
            run.append(line)
        elif run:
            found += [_aligned(run)] if len(run) > 1 else []
            run = []
    return found


def _aligned(lines: Sequence[Sequence[Placed]]) -> Rows:
    spans: list[list[float]] = []
    for piece in sorted((piece for line in lines for piece in line), key=lambda piece: piece.left):
        if spans and piece.left < spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], piece.right)
        else:
            spans.append([piece.left, piece.right])
    rows: Rows = [["" for _ in spans] for _ in lines]
    for row, line in zip(rows, lines, strict=True):
        for piece in line:
            column = next(i for i, (left, right) in enumerate(spans) if left <= piece.left <= right)
            row[column] = f"{row[column]} {piece.text}".strip()
    return rows


def placed(line: str) -> list[Placed]:
    """The pieces of a line of monospaced text, apart by two blanks or more."""
    return [Placed(m.start(), m.end(), m.group()) for m in _PHRASE.finditer(line)]
