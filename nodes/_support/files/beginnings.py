"""The beginning of a value in a file, as plain data for showing: however large the file, little is read and given."""

from __future__ import annotations

import io
import itertools
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nodes._support.files import codecs
from nodes._support.tables import sheets
from nodes.api import ResourceType
from nodes.phrase import Phrase

_T = ResourceType
_TEXTS = (_T.TEXT, _T.URL, _T.HTML)
CHARACTERS = 400_000
MOST_ROWS, _MOST_COLUMNS, _MOST_CELL = 10_000, 2_000, 2_000
_MOST_CHARACTERS = 4_000_000
"""Of all cells together."""
_MOST_READ = 8 << 20
"""Bytes of a table of lines."""
MOST_JSON = 64 << 20
"""Bytes of JSON, which has to be read as a whole."""


def beginning(path: Path, type: ResourceType) -> tuple[Any, bool]:
    """What `codecs.from_json` makes the value of, and whether there is more of it.

    Raises what decoders raise, and ValueError for JSON of more than 64 MB.
    """
    if type in _TEXTS:
        return _text(path)
    if type is _T.TABLE and path.suffix.lower() in (".csv", ".tsv"):
        return _lines(path)
    size = path.stat().st_size
    if size > MOST_JSON:
        said = "it has {size} MB, and only values of up to {most} MB are shown"
        raise ValueError(Phrase(said, size=f"{size / 1e6:,.0f}", most=MOST_JSON >> 20))
    data = json.loads(path.read_text("utf-8"))
    if type is _T.TABLE:
        columns, rows = data["columns"], data["rows"]
        return shown_table(columns, rows, False)
    if type in (_T.NUMBER, _T.FLAG):
        return _cell(data), False
    marks = codecs.from_json(data[:MOST_ROWS], type)
    if not all(math.isfinite(part) for mark in marks for part in mark if isinstance(part, float)):
        raise ValueError(Phrase("a number in it is none that can be shown"))
    return codecs.to_json(marks), len(data) > MOST_ROWS


def _text(path: Path) -> tuple[str, bool]:
    with path.open("rb") as file:
        data = file.read(4 * CHARACTERS + 4)
        more = bool(file.read(1))
    text = codecs.text_of(_whole_characters(data) if more else data)
    return text[:CHARACTERS], more or len(text) > CHARACTERS


def _whole_characters(data: bytes) -> bytes:
    """Without a character of UTF-8 that is cut at the end: else all of it would be taken for another encoding."""
    for back in range(1, 4):
        if data[-back] & 0xC0 == 0xC0:
            return data[:-back]
        if data[-back] < 0x80:
            break
    return data


def _lines(path: Path) -> tuple[dict[str, Any], bool]:
    with path.open("rb") as file:
        data = file.read(_MOST_READ)
        more = bool(file.read(1))
    if more and b"\n" in data:
        data = data[: data.rindex(b"\n") + 1]  # a row is shown as a whole, or not at all
    text = codecs.text_of(_whole_characters(data) if more else data)
    rows = codecs.rows_of(io.StringIO(text, newline=""), path.suffix.lower())
    columns = next(rows, None)
    if columns is None:
        raise ValueError(Phrase("there are no rows in it"))
    some = list(itertools.islice(rows, 1000))
    number = sheets.number_reader(some)
    return shown_table(columns, ([number(cell) for cell in row] for row in itertools.chain(some, rows)), more)


def shown_table(columns: Iterable[Any], rows: Iterable[Any], cut: bool) -> tuple[dict[str, Any], bool]:
    """As much of a table as is shown, and whether there is more, or was before (`cut`)."""
    names, kept, left = list(columns), list[list[Any]](), _MOST_CHARACTERS
    width = len(names)
    for row in rows:
        cells = [_cell(cell) for cell in row[:_MOST_COLUMNS]]
        left -= sum(len(str(cell)) + 4 for cell in cells)
        if left < 0 or len(kept) == MOST_ROWS:
            cut = True
            break
        width = max(width, len(row))
        kept.append(cells)
    names += [f"column {i + 1}" for i in range(len(names), min(width, _MOST_COLUMNS))]
    named = [str(name)[:_MOST_CELL] for name in names[:_MOST_COLUMNS]]
    filled = [[*row, *[None] * (len(named) - len(row))] for row in kept]
    return {"columns": named, "rows": filled}, cut or width > _MOST_COLUMNS


def _cell(value: Any) -> Any:
    """A plain value; what is not, and numbers that no one can show, as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and (math.isfinite(value) if isinstance(value, float) else abs(value) < 10**300):
        return value
    return value[:_MOST_CELL] if isinstance(value, str) else repr(value)[:_MOST_CELL]
