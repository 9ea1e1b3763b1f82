"""Answers to plain questions about a table, without a model: the largest, the sum, the mean, how many, who has not.

Which column and which rows a question speaks of is told by the names of the columns, the cells, and words that are data
(resources/table_questions.toml). The answer is made of cells and names of columns alone, so that it is in no language.
Must not know tools.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from nodes._support import tables
from nodes._support.words import stem, words
from nodes.api import Table

_FILE = Path(__file__).resolve().parent.parent.parent / "resources" / "table_questions.toml"
_HAN = "\u3400"
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MOST_LISTED = 50
_MOST_GROUPS = 20
_SHORTEST_STEM = 3
_CELL_LENGTH = 2
_REDUCERS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": lambda numbers: sum(numbers) / len(numbers),
    "most": max,
    "least": min,
}


def answer(table: Table, question: str) -> str | None:
    """The answer; None where the question is not of a kind that is known, or speaks of nothing in the table."""
    return _Question(table, question).answer()


@dataclass(frozen=True)
class _Question:
    table: Table
    text: str

    @cached_property
    def _said(self) -> str:
        return _spaced(self.text)

    @cached_property
    def _stems(self) -> set[str]:
        return {_stem(word) for word in words(self.text.lower())}

    def answer(self) -> str | None:
        rows, narrowed = self._rows()
        operation = next((name for name in _lists()["operations"] if self._says("operations", name)), "")
        measure = self._measure()
        if operation == "count" or (not operation and measure is None and self._says("words", "much")):
            return str(len(rows)) if narrowed or self._names_rows() else None
        if not operation and self._says("words", "much") and measure is not None:
            operation = "sum"
        if not rows:
            return "0" if narrowed else None
        if operation and measure is not None:
            return self._reduced(rows, measure, operation)
        return self._listed(rows) if narrowed else None

    def _reduced(self, rows: Sequence[Sequence[Any]], measure: int, operation: str) -> str | None:
        counted = [(row, n) for row in rows if (n := tables.number(row[measure])) is not None]
        if not counted:
            return None
        value = _REDUCERS[operation]([n for _, n in counted])
        head = f"{self.table.columns[measure]}: {tables.shown(value, 10)}"
        names = self._asked_columns(measure)
        if operation in ("most", "least"):
            shown = names or self._labels(measure)
            best = dict.fromkeys(self._cells(row, shown) for row, n in counted if n == value)
            return f"{', '.join(best)} ({head})" if shown else head
        return "\n".join([head, *self._by_group(counted, names[0], operation)]) if names else head

    def _by_group(self, counted: Sequence[tuple[Sequence[Any], float]], place: int, operation: str) -> list[str]:
        groups: dict[str, list[float]] = {}
        for row, number in counted:
            groups.setdefault(str(row[place]).strip(), []).append(number)
        values = {name: _REDUCERS[operation](own) for name, own in groups.items()}
        ordered = sorted(values, key=lambda name: -values[name])[:_MOST_GROUPS]
        return [f"{name}: {tables.shown(values[name], 10)}" for name in ordered]

    def _listed(self, rows: Sequence[Sequence[Any]]) -> str:
        places = self._asked_columns(-1)
        found = list(dict.fromkeys(self._cells(row, places or range(len(row))) for row in rows))
        more = f" … (+{len(found) - _MOST_LISTED})" if len(found) > _MOST_LISTED else ""
        return (", " if places else "\n").join(found[:_MOST_LISTED]) + more

    def _cells(self, row: Sequence[Any], places: Sequence[int]) -> str:
        return " · ".join(str(row[place]).strip() for place in places if not tables.is_empty(row[place]))

    # Which columns and rows -------------------------------------------------------------------------------------------

    def _rows(self) -> tuple[list[Sequence[Any]], bool]:
        """The rows of which the question speaks, and whether these are fewer than all by what it says."""
        rows, narrowed = list[Sequence[Any]](self.table.rows), False
        for place in range(len(self.table.columns)):
            cells = {str(cell).strip() for cell in tables.cells(self.table, place) if not tables.is_empty(cell)}
            if _is_yes_or_no(cells):
                wanted = self._wanted(place)
                if wanted is not None:
                    rows = [row for row in rows if _is_yes(row[place]) == wanted]
                    narrowed = True
                continue
            named = {cell for cell in cells if tables.number(cell) is None and self._names(cell)}
            if named:
                rows = [row for row in rows if str(row[place]).strip() in named]
                narrowed = True
        return rows, narrowed

    def _wanted(self, place: int) -> bool | None:
        """Whether a column of yes and no has to say yes; None where the question does not speak of it."""
        is_paid = "paid" in _ideas(self.table.columns[place])
        if is_paid and self._says("words", "open"):
            return False
        if self._speaks_of(place) or (is_paid and self._says("columns", "paid")):
            return not self._says("words", "not")
        return None

    def _names(self, cell: str) -> bool:
        low = cell.lower()
        if low >= _HAN:
            return low in self.text
        said = _spaced(low)
        return len(low) >= _CELL_LENGTH and bool(said.strip()) and said in self._said

    def _speaks_of(self, place: int) -> bool:
        name = str(self.table.columns[place]).lower()
        own = {_stem(word) for word in words(name)} - {""}
        return bool(own & self._stems) or (name[:1] >= _HAN and name in self.text)

    def _measure(self) -> int | None:
        """The column of numbers that is asked about: the one that is named, the only one, or that of money."""
        places = [n for n in range(len(self.table.columns)) if tables.is_numeric(tables.cells(self.table, n))]
        named = [n for n in places if self._speaks_of(n)]
        if named or len(places) < 2:
            return (named or places or [None])[0]
        asked = [n for n in places if "money" in _ideas(self.table.columns[n])]
        return asked[0] if asked and self._says("columns", "money") else None

    def _asked_columns(self, measure: int) -> list[int]:
        """The columns whose cells are asked for: by their names, or by "who", "where", "when"."""
        rest = [n for n in range(len(self.table.columns)) if n != measure]
        flags = [n for n in rest if _is_yes_or_no({str(c).strip() for c in tables.cells(self.table, n)})]
        texts = [n for n in rest if n not in flags and not tables.is_numeric(tables.cells(self.table, n))]
        named = [n for n in texts if self._speaks_of(n)]
        if named:
            return named
        ideas = [idea for idea in ("place", "person", "time", "thing") if self._says("columns", idea)]
        return [n for idea in ideas for n in texts if idea in _ideas(self.table.columns[n])][:2]

    def _labels(self, measure: int) -> list[int]:
        """The first column with a word in each row, which tells rows apart."""
        for place in range(len(self.table.columns)):
            cells = tables.cells(self.table, place)
            if place != measure and not tables.is_numeric(cells) and not any(map(tables.is_empty, cells)):
                return [place]
        return []

    def _names_rows(self) -> bool:
        """True for "how many members", where a column tells of such."""
        return bool(self._asked_columns(-1))

    def _says(self, table: str, name: str) -> bool:
        return any((entry in self.text.lower()) if entry >= _HAN else f" {entry} " in self._said
                   for entry in _lists()[table][name])  # fmt: skip


def _ideas(column: Any) -> set[str]:
    """What a column of that name may be about."""
    low = str(column).lower()
    own = {*re.findall(r"[^\W\d_]+", low)}
    return {
        idea for idea, entries in _lists()["columns"].items()
        if own & {*entries} or any(entry >= _HAN and entry in low for entry in entries)
    }  # fmt: skip


def _spaced(text: str) -> str:
    """Its words in small letters, with a space around each."""
    return f" {' '.join(_WORD.findall(text.lower().replace('’', chr(39))))} "


def _is_yes_or_no(cells: set[str]) -> bool:
    filled = {cell.lower() for cell in cells if cell}
    yes, no = _lists()["cells"]["yes"], _lists()["cells"]["no"]
    return bool(filled) and filled <= {*yes, *no} and (len(filled) > 1 or len(cells) > 1)


def _is_yes(cell: Any) -> bool:
    return not tables.is_empty(cell) and str(cell).strip().lower() in _lists()["cells"]["yes"]


def _stem(word: str) -> str:
    """In no language of which it is known: the English stem tells the plurals of most of them from their ends."""
    return stem(word, "en") if word < _HAN and len(word) >= _SHORTEST_STEM else ""


@cache
def _lists() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    data = tomllib.loads(_FILE.read_bytes().decode("utf-8"))
    return {
        table: {name: tuple(entry.strip() for entry in text.split(",")) for name, text in rows.items()}
        for table, rows in data.items()
    }
