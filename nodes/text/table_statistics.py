"""Sum up each column of a table: mean, median, range, commonest value."""

from __future__ import annotations

import math
import operator
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from nodes._support.tables import dates, tables
from nodes.api import Port, ResourceType, Table, TableValue, tool


@tool(
    id="table_statistics",
    title="Table statistics",
    domain="text",
    description="Computes statistics of each column of a table: count, sum, mean, median, smallest and largest value.",
    inputs=(Port("table", ResourceType.TABLE, "the table to sum up"),),
    outputs=(Port("table", ResourceType.TABLE, "one row for each column"),),
    quality=0.9,
    examples=("Compute the statistics of sales.csv", "What are the mean and the sum of each column of the table?"),
    words=("average", "median", "standard deviation", "describe the data", "column totals"),
    does="sums up",
    icon="sigma",
)
def table_statistics(table: TableValue) -> TableValue:
    """Columns: column, kind (number or text), filled, empty, different, smallest, largest, sum, mean, median,
    deviation (of the sample, None for one value), commonest. Dates are text, the smallest
    the first in time. Measures that a text column has not are None.
    """
    tables.checked(table)
    rows = tuple(_row(str(name), table.rows, place) for place, name in enumerate(table.columns))
    names = ("column", "kind", "filled", "empty", "different", "smallest", "largest", "sum", "mean", "median",
             "deviation", "commonest")  # fmt: skip
    return Table(names, rows)


def _row(name: str, rows: Sequence[Sequence[Any]], place: int) -> tuple[Any, ...]:
    """Each different value is looked at once: columns of millions of cells repeat themselves. Those that do not are
    held in one counter and in arrays: lists and copies of them take more memory than the table."""
    filled = Counter(row[place] for row in rows)
    for cell in [cell for cell in filled if tables.is_empty(cell)]:
        del filled[cell]
    there = filled.total()
    numbers, times = array("d"), array("q")
    for cell, n in filled.items():
        if (value := tables.number(cell)) is not None:
            numbers.append(value)
            times.append(n)
    counted = sum(times)
    commonest = max(filled, key=filled.__getitem__) if filled else None
    counts = (there, len(rows) - there, len(filled))
    if not counted or counted < 0.9 * there:
        edges = _edges(list(filled)) if filled else (None, None)
        return (name, "text", *counts, *edges, None, None, None, None, commonest)
    values = np.sort(np.repeat(np.asarray(numbers), np.asarray(times)))
    total = math.fsum(map(operator.mul, numbers, times))
    deviation = tables.tidy(float(values.std(ddof=1))) if counted > 1 else None
    measures = (values[0], values[-1], total, total / counted, np.median(values))
    return (name, "number", *counts, *map(tables.tidy, map(float, measures)), deviation, commonest)


def _edges(cells: list[Any]) -> tuple[str, str]:
    """The first and the last of the different cells: of dates in time, of other words in the alphabet."""
    days = dates.read(cells)
    if days is not None:
        told = [(day, str(cell)) for day, cell in zip(days, cells, strict=True) if day is not None]
        return min(told)[1], max(told)[1]
    words = list(map(str, cells))
    return min(words, key=str.casefold), max(reversed(words), key=str.casefold)
