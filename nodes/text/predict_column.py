"""Fill the gaps of a table's column from its other columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nodes._support.tables import tables
from nodes.api import NodeError, Port, ResourceType, RunContext, Table, TableValue, Text, tool

_NEIGHBOURS = 7
_FEWEST_KNOWN = 10
_MOST_CODES = 10
"""So few different numbers are names of kinds, of which there is no mean."""
_MOST_KNOWN, _MOST_TRIED = 20_000, 1_000
"""Rows that are learned from, and that are foretold from the others to see how well it goes."""


@tool(
    id="predict_column",
    title="Predict column",
    domain="text",
    description="Classifies rows: fills the empty cells of a table's column by the rows that are most alike.",
    inputs=(
        Port("table", ResourceType.TABLE, "the table, with some cells of the column filled"),
        Port(
            "column",
            ResourceType.TEXT,
            "name of the column to fill",
            said=True,
            question="Which column should be filled in?",
        ),
    ),
    outputs=(
        Port("table", ResourceType.TABLE, "the table with the column filled"),
        Port("text", ResourceType.TEXT, "how often it is right where the answer is known"),
    ),
    backend="nearest-rows",
    backend_title="Nearest rows (Gower)",
    quality=0.5,
    examples=(
        "Predict the missing values of the column churn in customers.csv",
        "Classify the rows of flowers.csv: fill in the species",
    ),
    words=("tabular classification", "predict the column", "fill in missing values", "classify rows"),
    icon="table",
)
def predict_column(table: TableValue, column: Text, *, context: RunContext) -> tuple[TableValue, Text]:
    """Each gap gets what the seven most alike rows have, weighted by how alike they are (distance of Gower 1971): the
    value with the most weight, or of numbers the mean. Columns in which nearly every row has words of its own say
    nothing. Where nothing is missing the table comes back as it is, with how well it would go.

    NodeError when fewer than ten rows have the column filled, or no other column says anything.
    """
    target = tables.column(tables.checked(table), column)
    cells = [row[target] for row in table.rows]
    known = [i for i, cell in enumerate(cells) if cell is not None and str(cell).strip()][:_MOST_KNOWN]
    gaps = [i for i, cell in enumerate(cells) if cell is None or not str(cell).strip()]
    if len(known) < _FEWEST_KNOWN:
        raise NodeError("There are too few rows to learn from.", "table", "Fill the column in at least ten rows.")
    others = [c for c in range(len(table.columns)) if c != target]
    features = [made for c in others if (made := _feature([row[c] for row in table.rows], known)) is not None]
    if not features:
        raise NodeError("The other columns say nothing about it.", "table", "Give a table with more columns.")
    numbers = [tables.number(cells[i]) for i in known]
    learned = _Learned(
        features, np.array(known), numbers if None not in numbers and len(set(numbers)) > _MOST_CODES else None, cells
    )
    filled = list(cells)
    for done, row in enumerate(gaps):
        context.progress(done / (len(gaps) + 1))
        filled[row] = learned.guess(row)
    rows = (tuple(filled[i] if c == target else cell for c, cell in enumerate(row)) for i, row in enumerate(table.rows))
    return Table(table.columns, tuple(rows)), learned.doubts(str(table.columns[target]), context)


class _Feature(NamedTuple):
    """Of each row a number 0..1, or the number of its word; NaN where there is none."""

    values: np.ndarray
    words: bool


def _feature(cells: Sequence[Any], known: Sequence[int]) -> _Feature | None:
    """None for a column that says nothing: one value only, or words that nearly no two rows share."""
    read = [tables.number(cell) for cell in cells]
    given = [i for i in known if cells[i] is not None and str(cells[i]).strip()]
    if given and all(read[i] is not None for i in given):
        values = np.array([np.nan if number is None else number for number in read])
        low, high = np.nanmin(values[known]), np.nanmax(values[known])
        return _Feature((values - low) / (high - low), False) if high > low else None
    names = {name: i for i, name in enumerate(dict.fromkeys(str(cells[i]).strip() for i in given))}
    if not 1 < len(names) <= max(2, len(given) // 2):
        return None
    return _Feature(np.array([names.get(str(cell).strip(), np.nan) for cell in cells], float), True)


class _Learned(NamedTuple):
    features: list[_Feature]
    known: np.ndarray
    numbers: list[Any] | None
    """The values of the known rows where they are numbers to be foretold; None where they are names."""
    cells: list[Any]

    def guess(self, row: int) -> Any:
        """What the rows that are most alike have; the row itself does not count."""
        weights: dict[Any, float] = {}
        for place, distance in self._nearest(row):
            value = self.numbers[place] if self.numbers else self.cells[self.known[place]]
            weights[value] = weights.get(value, 0.0) + 1 / (distance + 1e-3)
        if self.numbers:
            return round(sum(value * weight for value, weight in weights.items()) / sum(weights.values()), 6)
        return max(weights, key=lambda value: weights[value])

    def _nearest(self, row: int) -> list[tuple[int, float]]:
        far, counted = np.zeros(len(self.known)), np.zeros(len(self.known))
        for values, words in self.features:
            apart = np.abs(values[self.known] - values[row])
            there = ~np.isnan(apart)
            far += np.where(there, apart > 0 if words else np.minimum(apart, 1), 0)
            counted += there
        mean = np.where(counted > 0, far / np.maximum(counted, 1), 1.0)
        mean[self.known == row] = np.inf
        return [(int(i), float(mean[i])) for i in np.argsort(mean, kind="stable")[:_NEIGHBOURS] if mean[i] < np.inf]

    def doubts(self, name: str, context: RunContext) -> str:
        """How well known rows are foretold from all others, beside always saying the same."""
        step = max(1, len(self.known) // _MOST_TRIED)
        tried, told = range(0, len(self.known), step), []
        for place in tried:
            context.check()
            told.append(self.guess(self.known[place]))
        if self.numbers:
            truth = np.array(self.numbers, float)
            wrong = np.abs(np.array(told, float) - truth[list(tried)]).mean()
            usual = np.abs(truth - truth.mean()).mean()
            beside = f"the mean of all is by {usual:.4g}"
            return f"{name}: wrong by {wrong:.4g} in the mean of {len(tried)} known rows; {beside}."
        truth = [self.cells[i] for i in self.known]
        right = sum(one == truth[place] for one, place in zip(told, tried, strict=True)) / len(tried)
        usual = Counter(truth).most_common(1)[0][1] / len(truth)
        return f"{name}: right in {right:.0%} of {len(tried)} known rows; the commonest value would be in {usual:.0%}."
