"""Sum up each column of a table: mean, median, range, commonest value."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import Any

from nodes._support import tables
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
    filled = [cell for cell in cells if not tables.is_empty(cell)]
    commonest = Counter(filled).most_common(1)[0][0] if filled else None
    counts = (len(filled), len(cells) - len(filled), len(set(filled)))
    if not tables.is_numeric(cells):
        ordered = sorted(map(str, filled), key=str.casefold)
        edges = (ordered[0], ordered[-1]) if ordered else (None, None)
        return (name, "text", *counts, *edges, None, None, None, None, commonest)
    numbers = [value for cell in filled if (value := tables.number(cell)) is not None]
    deviation = _tidy(statistics.stdev(numbers)) if len(numbers) > 1 else None
    total = math.fsum(numbers)
    measures = (min(numbers), max(numbers), total, total / len(numbers), statistics.median(numbers))
    return (name, "number", *counts, *map(_tidy, measures), deviation, commonest)


def _tidy(value: float) -> float | int:
    rounded = float(f"{value:.10g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded
