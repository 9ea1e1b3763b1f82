"""Fill the empty cells of a table with a value, or by the column that they are in."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from nodes._support.tables import sheets, tables
from nodes.api import NodeError, Phrase, Port, ResourceType, RunContext, Table, TableValue, Text, tool

_SHOWN = 8


@tool(
    id="fill_cells",
    title="Fill empty cells",
    domain="text",
    description="Fills the empty cells of a table with a value such as 0, with the cell above or below, or with the"
    " column's mean, median or most frequent value.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table"),
        Port("value", ResourceType.TEXT, "what the empty cells are filled with, such as 0 or unknown", default="",
             said=True, question="What should stand in the empty cells?"),
        Port("columns", ResourceType.TEXT, "the columns whose empty cells are filled, such as price; empty takes all",
             default="", said=True),
        Port("how", ResourceType.TEXT, "where the filling comes from", default="given value",
             choices=("given value", "cell above", "cell below", "mean", "median", "most frequent"),
             question="What should the empty cells be filled with?"),
    ),
    outputs=(Port("table", ResourceType.TABLE, "the table without these gaps"),),
    quality=0.9,
    examples=(
        "Fill the empty cells of sales.csv with 0",
        "Replace missing values in the column age by the mean",
        "Write unknown into every blank cell of the table",
        "Fill the gaps with the value from the row above",
        "Put the most frequent value where nothing is entered",
    ),
    words=("empty cells", "blank cells", "missing values", "fill the gaps", "fill down", "fill up", "impute",
           "replace blanks with zero", "no empty fields", "mean of the column in the gaps"),
    any_of=("value", "how"),
    icon="pencil",
    result="filled",
)  # fmt: skip
def fill_cells(
    table: TableValue, value: Text = "", columns: Text = "", how: Text = "given value", *, context: RunContext
) -> TableValue:
    """Empty are cells without anything but blanks in them. "cell above" and "cell below" take the nearest one that is
    filled; at an end where there is none cells stay empty. Of several that are most frequent it is the first. Means and
    medians are of the numbers of a column, rounded to two decimals more than those have; without `columns` those that
    hold none are left as they were. How many cells were filled, and what was not, is told.

    NodeError naming `columns` for one that is not there or has nothing to fill from, `value` where none is given,
    `table` for one without columns or rows.
    """
    tables.checked(table)
    places = tables.columns(table, columns) if columns.strip() else [*range(len(table.columns))]
    fill = _FILLS.get(how) or _with_value(value)
    made = [tables.cells(table, place) for place in range(len(table.columns))]
    gaps, filled, idle = 0, 0, list[int]()
    for place in places:
        cells = made[place]
        empty = sum(map(tables.is_empty, cells))
        bare = empty == len(cells) and how in _FILLS
        new = None if bare else fill(cells) if empty else cells
        if new is None:
            idle.append(place)
        made[place] = cells if new is None else new
        gaps += empty
        filled += empty - sum(map(tables.is_empty, made[place]))
    if idle and columns.strip():
        raise _nothing_to_fill_from(table, idle[0])
    _tell(context, gaps, filled, [str(table.columns[place]) for place in idle])
    return Table(table.columns, tuple(zip(*made, strict=True)))


def _nothing_to_fill_from(table: Table, place: int) -> NodeError:
    name = table.columns[place]
    said = Phrase("There are no numbers in the column “{name}”.", name=name)
    if all(map(tables.is_empty, tables.cells(table, place))):
        said = Phrase("The column “{name}” is empty.", name=name)
    return NodeError(said, "columns", "Choose another column, or give a value.")


def _tell(context: RunContext, gaps: int, filled: int, idle: Sequence[str]) -> None:
    if not gaps:
        context.tell("No cell was empty.")
        return
    context.tell(Phrase("Empty cells that were filled: {count}.", count=filled))
    if gaps > filled:
        context.tell(Phrase("Cells that are still empty: {count}.", count=gaps - filled))
    if idle:
        context.tell(Phrase("Columns with nothing to fill from: {names}.", names=", ".join(idle[:_SHOWN])))


_Fill = Callable[[Sequence[Any]], "list[Any] | None"]
"""The cells of a column without gaps, as far as they can be filled; None where it has nothing to fill from."""


def _with_value(said: str) -> _Fill:
    words = said.strip().strip("\"'“”„«»「」`").strip()
    if not words:
        raise NodeError("Nothing is given to fill the cells with.", "value", "Give a value, such as 0.")
    value = sheets.number_or_text(words)
    return lambda cells: _each(cells, value)


def _each(cells: Sequence[Any], value: Any) -> list[Any]:
    return [value if tables.is_empty(cell) else cell for cell in cells]


def _from_above(cells: Sequence[Any]) -> list[Any]:
    last, found = None, []
    for cell in cells:
        last = last if tables.is_empty(cell) else cell
        found.append(cell if last is None else last)
    return found


def _from_below(cells: Sequence[Any]) -> list[Any]:
    return _from_above(cells[::-1])[::-1]


def _by(middle: Callable[[list[float]], float]) -> _Fill:
    def fill(cells: Sequence[Any]) -> list[Any] | None:
        numbers = [number for cell in cells if (number := tables.number(cell)) is not None]
        if not tables.is_numeric(cells):
            return None
        told = tables.written_like(middle(numbers), [cell for cell in cells if not tables.is_empty(cell)])
        is_text = any(isinstance(cell, str) and tables.number(cell) is not None for cell in cells)
        return _each(cells, told if is_text else tables.tidy(float(told)))

    return fill


def _with_most_frequent(cells: Sequence[Any]) -> list[Any]:
    most = Counter(key for cell in cells if (key := tables.key(cell))).most_common(1)[0][0]
    return _each(cells, next(cell for cell in cells if tables.key(cell) == most))


_FILLS: dict[str, _Fill] = {
    "cell above": _from_above,
    "cell below": _from_below,
    "mean": _by(statistics.fmean),
    "median": _by(statistics.median),
    "most frequent": _with_most_frequent,
}
