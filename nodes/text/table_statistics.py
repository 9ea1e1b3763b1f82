"""Sum up each column of a table: mean, median, range, commonest value."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from nodes._support.tables import tables
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
    deviation (of the sample, None for one value), commonest. Measures that a text column has not are None.
    """
    tables.checked(table)
    rows = tuple(_row(str(name), tables.cells(table, place)) for place, name in enumerate(table.columns))
    names = ("column", "kind", "filled", "empty", "different", "smallest", "largest", "sum", "mean", "median",
             "deviation", "commonest")  # fmt: skip
    return Table(names, rows)


def _row(name: str, cells: list[Any]) -> tuple[Any, ...]:
    """Each different value is looked at once: columns of millions of cells repeat themselves."""
    times = Counter(cells)
    filled = Counter({cell: n for cell, n in times.items() if not tables.is_empty(cell)})
    there = filled.total()
    numbers = [(value, n) for cell, n in filled.items() if (value := tables.number(cell)) is not None]
    counted = sum(n for _, n in numbers)
    commonest = filled.most_common(1)[0][0] if filled else None
    counts = (there, len(cells) - there, len(filled))
    if not counted or counted < 0.9 * there:
        ordered = sorted(map(str, filled), key=str.casefold)
        edges = (ordered[0], ordered[-1]) if ordered else (None, None)
        return (name, "text", *counts, *edges, None, None, None, None, commonest)
    values = np.sort(np.repeat([value for value, _ in numbers], [n for _, n in numbers]))
    total = math.fsum(value * n for value, n in numbers)
    deviation = tables.tidy(float(values.std(ddof=1))) if counted > 1 else None
    measures = (values[0], values[-1], total, total / counted, np.median(values))
    return (name, "number", *counts, *map(tables.tidy, map(float, measures)), deviation, commonest)
