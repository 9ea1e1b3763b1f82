"""Numbers and tables as Markdown for a narrow column of text, in the language in use. Knows no finding."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from desktop_app.core.markdown import literal
from desktop_app.i18n import catalogue
from nodes._support.tables import tables
from nodes.api import Table

MOST_ROWS, MOST_COLUMNS = 30, 12
_WIDEST, _WIDEST_WORDS = 36, 34
"""So many characters have room beside each other in the chat as it is at first; of single words, which are not broken
where some have wide letters.
"""
_AROUND = 2
"""What the padding and the line beside a cell take, in characters."""
_ROOM_FOR_WORDS, _MOST_NEEDED = 12, 30
_FIRST_WIDE = "\u2e80"
"""Chinese signs, from here on, are twice as wide as letters."""
_MOST_UPRIGHT = 5
"""So many rows can be read one below the other."""
_SIGNIFICANT = 6
_LONGEST_CELL = 200
_KINDS = ("kind", "verdict", "measure")
"""Columns in whose cells tools write words of their own."""
_SURELY_NAMED = 4
"""Nobody else has so many columns that are called as tools call them."""
_PARTING = {"de": ".", "fr": "\u202f", "es": "."}
"""What stands between thousands in languages that write decimals behind a comma."""
_MOST_WRITTEN = 1e15


def in_words(table: Any, is_named: bool) -> Any:
    """With names of columns, and kinds of things, in the language in use, where the tool gave them and not the user."""
    heads = [catalogue.find(str(column), "columns") for column in table.columns]
    if not (all(heads) and (is_named or len(heads) >= _SURELY_NAMED)):
        return table
    kinds = [place for place, column in enumerate(table.columns) if column in _KINDS]

    def told(row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            (catalogue.find(str(cell), "columns", "choices", "types") or cell) if place in kinds else cell
            for place, cell in enumerate(row)
        )

    return Table(tuple(heads), tuple(map(told, table.rows)))


def markdown_table(table: Any, spoken: str = "") -> str:
    """The first rows, with all columns where these fit beside each other. Few rows that are too wide stand upright,
    with a line for each column; of more rows as many columns as fit, first of all those that are `spoken` of.
    """
    heads = [cell(head) for head in table.columns[:MOST_ROWS]]
    rows = [[cell(one) for one in row[:MOST_ROWS]] for row in table.rows[:MOST_ROWS]]
    more = []
    if (left := len(table.rows) - len(rows)) > 0:
        more.append(catalogue.say("… and {n} more rows.", n=f"{left:,}"))
    fit = _fitting(heads, rows, spoken)
    if len(fit) < len(table.columns) and 0 < len(table.rows) <= _MOST_UPRIGHT:
        blocks, shown = [_markdown(block, ()) for block in _upright(heads, rows)], len(heads)
    else:
        figures = [place for place, at in enumerate(fit) if tables.is_numeric([row[at] for row in rows])]
        blocks, shown = [_markdown([[line[place] for place in fit] for line in (heads, *rows)], figures)], len(fit)
    if (left := len(table.columns) - shown) > 0:
        more.append(catalogue.say("… and {n} more columns.", n=f"{left:,}"))
    return "\n\n".join([*blocks, *more])


def _markdown(lines: Sequence[Sequence[str]], figures: Collection[int]) -> str:
    """The first line heads the others; the columns of figures end at their right."""
    rule = ["---:" if place in figures else "---" for place in range(len(lines[0]))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def _upright(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """Tables with a line for each column, and as many of the rows beside each other as have room."""
    blocks, room = list[list[list[str]]](), 0
    for row in rows:
        room -= _width(row, 0)
        if room < 0:
            blocks.append([[head] for head in heads])
            room = _WIDEST_WORDS - _width(heads, 0) - _width(row, 0)
        for line, one in zip(blocks[-1], row, strict=True):
            line.append(one)
    return blocks


def _fitting(heads: Sequence[str], rows: Sequence[Sequence[str]], spoken: str) -> list[int]:
    """The places of the columns that can be read beside each other; the first always. Where that makes room for all,
    words of a cell stand below each other.
    """
    columns = [[head, *(row[place] for row in rows)] for place, head in enumerate(heads)]
    for least, room in ((_ROOM_FOR_WORDS, _WIDEST), (0, _WIDEST_WORDS)):
        if len(heads) <= MOST_COLUMNS and sum(_width(column, least) for column in columns) <= room:
            return list(range(len(heads)))
    named = [place for place, head in enumerate(heads) if place and head.lower() in spoken.lower()]
    shown, room = list[int](), _WIDEST
    for place in dict.fromkeys((0, *named, *range(len(heads)))):
        room -= _width(columns[place], _ROOM_FOR_WORDS)
        if shown and (room < 0 or len(shown) >= MOST_COLUMNS):
            break
        shown.append(place)
    return sorted(shown)


def _width(column: Sequence[str], least: int) -> int:
    """The characters that a column of these cells takes, of words `least` and more, with what is around it."""
    return max(_needed(one, least) for one in column) + _AROUND


def _needed(text: str, least: int) -> int:
    """The characters that a cell is at least wide: words may stand below each other, but are not broken."""
    wide = sum(1 + (sign >= _FIRST_WIDE) for sign in text)
    return min(wide, max(least, max(map(len, text.split()), default=0)), _MOST_NEEDED)


def cell(value: Any) -> str:
    """A value as the cell of a table, of one line."""
    text = "" if value is None else _written(value)[:_LONGEST_CELL]
    return " ".join(literal(text).splitlines()).replace("|", "\\|")


def figure(value: float) -> str:
    """A number with its thousands apart, as it is written in the language that is spoken: 2,742.5 or 2.742,5; without
    the digits behind the sixth, but for two decimals.
    """
    if not math.isfinite(value) or abs(value) >= _MOST_WRITTEN:
        return str(value)
    before = math.floor(math.log10(abs(value))) + 1 if value else 1
    whole, _, rest = f"{round(value, max(2, _SIGNIFICANT - before)):_.15g}".partition(".")
    parting = _PARTING.get(catalogue.language())
    return whole.replace("_", parting or ",") + (f"{',' if parting else '.'}{rest}" if rest else "")


def parted(digits: str) -> str:
    """A whole number that is a text, with its thousands apart as the language that is spoken writes them."""
    return f"{int(digits):,}".replace(",", _PARTING.get(catalogue.language(), ","))


def _written(value: Any) -> str:
    """A number that was made, as `figure` has it, in English without commas."""
    if not isinstance(value, float):
        return str(value)
    return figure(value) if catalogue.language() in _PARTING else figure(value).replace(",", "")
