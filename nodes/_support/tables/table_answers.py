"""Answers to plain questions about a table, without a model: the largest, the sum, the mean, how many, who has not.

Which column and which rows a question speaks of is told by the names of the columns, the cells, and words that are data
(resources/table_questions.toml). The answer is made of cells and names of columns alone, so that it is in no language.
Must not know tools.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.language.words import stem, words
from nodes._support.tables import columns, dates, dates_said, tables, values_said
from nodes._support.tables.columns_said import Sheet
from nodes.api import Table

_FILE = Path(__file__).resolve().parents[3] / "resources" / "table_questions.toml"
_HAN = "\u3400"
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MARKS = re.compile(r"[()\[\]_,:;]")
_MOST_LISTED = 50
_MOST_GROUPS = 20
_SHORTEST_STEM = 3
_SHORTEST_PART = 5
"""Of a longer word that begins or ends with it, in languages that join words."""
_SHORTEST_FIRST_PART = 6
_SHORTEST_WITH_ENDING, _LONGEST_ENDING = 5, 3
_CELL_LENGTH = 2
_LONGEST_NAME = 6
"""So many words has a number's name at most, as in "the average price of all"."""
_REDUCERS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": lambda numbers: sum(numbers) / len(numbers),
    "most": max,
    "least": min,
}
_SIGNS_OF = {"sum": "Σ", "mean": "Ø"}
"""What tells a total from the groups below it, in no language."""
_EXTREMES = ("most", "least")
_DIRECTIONS = {"high": "most", "low": "least", "none": "none"}
_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "least": lambda number, limit: number >= limit,
    "most": lambda number, limit: number <= limit,
    "more": lambda number, limit: number > limit,
    "less": lambda number, limit: number < limit,
}


def answer(table: Table, question: str) -> str | None:
    """The answer; None where the question is not of a kind that is known, or speaks of nothing in the table."""
    return _Question(table, question).answer()


def rows_meant(table: Table, question: str) -> list[Sequence[Any]]:
    """The rows of which the question speaks, in their order: all, where it leaves none out."""
    return _Question(table, question).rows_meant()


def asks_one_number(text: str, is_asked: bool = False) -> bool:
    """Whether it asks for one number of a table, by its words alone: a sum, a mean, a largest or a smallest number or
    how many, and not of groups; `is_asked` where it is known that something of the kind is wanted."""
    return _Question(Table((), ()), text).asks_one_number(is_asked)


def is_number_question(text: str) -> bool:
    """Whether it is such a question in so many words: "what is the highest price?"."""
    question = _Question(Table((), ()), text)
    return question.asks_one_number(False) and question.is_outright()


def of_each_column(table: Table, question: str) -> str | None:
    """The sum, mean, largest or smallest of each column of numbers, for a question that goes on and names none."""
    return _Question(table, question).of_each_column()


def goes_on(text: str) -> bool:
    """Whether it goes on from a question before it: "and the lowest?"."""
    return _Question(Table((), ()), text).goes_on()


def continued(table: Table, before: str, then: str) -> str | None:
    """A question as a whole where it only goes on with other rows, or another column: "how much in March?", "and in
    April?". None where it asks for something of its own, or says nothing of the table.
    """
    return of_other_column(table, before, then) or _Question(table, then).continuing(_Question(table, before))


def of_other_column(table: Table, before: str, then: str) -> str | None:
    """What was said of a column of numbers, of another one that is all that the next question names: "who is below 50
    in maths?", "and in German?". None where that names none, or more.
    """
    return _Question(table, then).with_column(_Question(table, before))


def measure_asked(questions: str) -> str:
    """What the last of the questions, a line each, that says so asks of numbers, as `grouping.MEASURES` calls it: their
    sum where none says anything else.
    """
    said = (_Question(Table((), ()), line).operations() for line in reversed(questions.splitlines()))
    found = next((name for names in said for name in names if name in _REDUCERS), "sum")
    return {"most": "largest", "least": "smallest"}.get(found, found)


class Meant(NamedTuple):
    """What a question is about: by which column, or stretch of time, rows belong together, which numbers, and what is
    told of them (as `grouping.MEASURES` calls it); "" for what it does not say."""

    by: str = ""
    column: str = ""
    measure: str = ""


def columns_meant(table: Table, question: str) -> Meant:
    """What a question about a table is about."""
    return _Question(table, question).meant()


class _Aim(NamedTuple):
    """The column of numbers, or dates, that a question is about, and what of it: "most", "least", "none" (rows with
    nothing of it), or "" where only the column is said; `is_quantity` for what is added up, as in "the most";
    `is_said` where the words tell the column, which may else be the only one."""

    place: int
    direction: str = ""
    is_quantity: bool = True
    is_said: bool = True


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
        operations = self.operations()
        operation = operations[0] if operations else ""
        aim = None if operation == "count" and self._says("words", "of them") else self._aim()
        try:
            rows, narrowed, is_tested = self._tested(aim)
        except ValueError:  # rests on today's date
            return None
        is_sum = operation == "count" and not is_tested and aim is not None and aim.direction not in _EXTREMES
        if is_sum and aim is not None and self._is_amount(aim):
            operation, operations = "sum", ["sum", *operations]  # "how many goals"
        if aim is not None and aim.direction in _EXTREMES and operation != "mean":
            operation = aim.direction
        if (told := self._by_period(rows, aim, operations)) is not None:
            return told
        if operation == "commonest":
            return self._commonest(rows)
        told = self._told(rows, narrowed, aim, operation, "most" in operations)
        return told or self._first_or_last(rows)

    def operations(self) -> list[str]:
        """What is asked for of the rows, the foremost first."""
        bounds = [found for _, found in self._bounds() if tables.quantity(found[1].strip(" .,")) is not None]
        if bounds:  # "menos de 50" is not the least
            text = tables.apart(self.text.lower())
            return _Question(self.table, text[: bounds[0].start()] + text[bounds[0].end() :]).operations()
        operations = [name for name in _lists()["operations"] if self._says("operations", name, compounds=True)]
        if {*_EXTREMES} <= {*operations} and self._is_within("most", "least"):
            operations.remove("most")  # "la plus petite" is not the most
        return operations

    def asks_one_number(self, is_asked: bool) -> bool:
        said = {name for name in _lists()["operations"] if self._says("operations", name, compounds=True)}
        if not said & {*_REDUCERS, "count"} or self._says("words", "groups"):
            return False
        is_summed = bool(said & {"sum", "mean"})
        return (
            (is_asked and is_summed)
            or self._says("words", "asks one")
            or (is_summed and len(words(self.text)) <= _LONGEST_NAME and self._begins("words", "the"))
            or (self.goes_on() and len(words(self.text)) <= _LONGEST_NAME)
        )

    def is_outright(self) -> bool:
        return self._says("words", "what is it") and self.text.rstrip().endswith(("?", "？"))

    def goes_on(self) -> bool:
        return self._begins("words", "and") and self.text.rstrip().endswith(("?", "？"))

    def continuing(self, before: _Question) -> str | None:
        said = self._rows_named()
        is_of_time = self._beside_time != self.text
        if not self.goes_on() or self.operations() or not (said or is_of_time):
            return None
        kept = before._beside_time if is_of_time else before.text
        replaced = {cell for place, named in before._rows_named().items() if place in said for cell in named}
        for cell in sorted(replaced, key=len, reverse=True):
            kept = re.sub(re.escape(cell), " ", kept, flags=re.IGNORECASE)
        return f"{kept.strip(' ?？.。')} {self.text.lstrip(' ¿')}"

    def with_column(self, before: _Question) -> str | None:
        own, others = ([n for n in self._all_numeric() if one._speaks_of(n)] for one in (self, before))
        if not self.goes_on() or self.operations() or len(own) != 1 or len(others) != 1 or own == others:
            return None
        name, other = (str(self.table.columns[place]) for place in (own[0], others[0]))
        stems = {_stem(word) for word in words(other.lower())} - {""}
        said = [found for found in _WORD.finditer(before.text) if _stem(found[0].lower()) in stems]
        spoken = [(found.start(), found.end()) for found in said] or [
            (found.start(), found.end()) for found in re.finditer(re.escape(other), before.text)
        ]
        if not spoken:
            return None
        return f"{before.text[: spoken[0][0]]}{name}{before.text[spoken[-1][1] :]}"

    def _rows_named(self) -> dict[int, set[str]]:
        """By column, those of its cells that the question names."""
        cells = {place: self._cells_of(place) for place in range(len(self.table.columns))}
        named = {place: {one for one in own if self._names(one)} for place, own in cells.items()}
        return {place: own for place, own in named.items() if own and not _is_yes_or_no(cells[place])}

    def _cells_of(self, place: int) -> set[str]:
        """The words in a column."""
        cells = tables.cells(self.table, place)
        return {str(one).strip() for one in cells if not tables.is_empty(one) and tables.number(one) is None}

    def of_each_column(self) -> str | None:
        operation = next((name for name in self.operations() if name in _REDUCERS), "")
        if not operation or not self.goes_on():
            return None
        told = [self._summary(self.table.rows, place, operation, True) for place in self._numeric()]
        return "\n".join(filter(None, told)) or None

    def _begins(self, table: str, name: str) -> bool:
        return any(
            self.text.lstrip().startswith(entry) if entry >= _HAN else self._said.startswith(f" {entry} ")
            for entry in _lists()[table][name]
        )

    def _is_within(self, short: str, long: str) -> bool:
        """Whether what is said of one operation stands in what is said of another."""
        entries = _lists()["operations"]
        said = [entry for entry in entries[long] if f" {entry} " in self._said]
        return any(f"{part} " in f"{entry} " for entry in said for part in entries[short])

    def _first_or_last(self, rows: list[Sequence[Any]]) -> str | None:
        """ "Which one is the last?": by where it stands."""
        ends = {"first one": rows[:1], "last one": rows[-1:]}
        return next((self._listed(end) for word, end in ends.items() if end and self._says("words", word)), None)

    def meant(self) -> Meant:
        aim, names = self._aim(), self.table.columns
        said = next((name for name in _lists()["operations"] if self._says("operations", name, compounds=True)), "")
        counts = said in ("count", "commonest") and not (aim is not None and aim.is_said)
        measure = "count" if counts else said if said == "mean" else "sum"
        asked = self._asked_columns(aim.place if aim is not None else -1)
        by = self._period()[0] or (str(names[asked[0]]) if asked else "")
        if aim is None or counts:
            return Meant(by, "", measure if counts else "")
        if not aim.is_quantity and measure == "sum":  # the hottest town is that of the largest number, not of a sum
            measure = {"most": "largest", "least": "smallest"}.get(aim.direction, measure)
        return Meant(by, str(names[aim.place]), measure)

    def rows_meant(self) -> list[Sequence[Any]]:
        try:
            return self._tested(self._aim())[0]
        except ValueError:
            return list(self.table.rows)

    def _tested(self, aim: _Aim | None) -> tuple[list[Sequence[Any]], bool, bool]:
        """As `_rows`, of these the ones whose number is as the question says; and whether it says anything of it."""
        rows, narrowed = self._rows()
        if aim is not None and aim.direction == "none":
            return [row for row in rows if self._value(row, aim.place) == 0], True, True
        if aim is not None and (test := self._bound()) is not None:
            return [row for row in rows if test(self._value(row, aim.place))], True, True
        return rows, narrowed, False

    def _told(
        self, rows: list[Sequence[Any]], narrowed: bool, aim: _Aim | None, operation: str, says_most: bool
    ) -> str | None:
        if operation == "count" or (not operation and aim is None and self._says("words", "much")):
            return str(len(rows)) if narrowed or self._names_rows() or self._asks_for_all() else None
        if not rows:
            return "0" if narrowed else None
        if aim is None or aim.direction == "none":
            return self._listed(rows) if narrowed else None
        if not operation and (self._says("words", "much") or (narrowed and self._is_spending(aim))):
            operation = "sum"
        if operation:
            return self._reduced(rows, aim, operation, says_most)
        if not narrowed:
            return None
        return self._listed(rows, aim.place if aim.is_said else -1)

    def _commonest(self, rows: Sequence[Sequence[Any]]) -> str | None:
        """What stands most often in the column that is asked for."""
        places = self._asked_columns(-1)
        times = Counter(self._cells(row, places[:1]) for row in rows) if places else Counter[str]()
        times.pop("", None)
        most = max(times.values(), default=0)
        return ", ".join(f"{name} ({n})" for name, n in times.items() if n == most) or None

    def _is_amount(self, aim: _Aim) -> bool:
        """True for "how many goals": what is counted is a column, not the rows."""
        is_money = "money" in _ideas(self.table.columns[aim.place])
        return aim.is_said and (not is_money or self._speaks_of(aim.place))

    def _is_spending(self, aim: _Aim) -> bool:
        """True for "what did we spend on food": no column but that of money is asked for."""
        is_money = "money" in _ideas(self.table.columns[aim.place])
        return is_money and self._says("columns", "money") and not self._asked_columns(aim.place)

    def _reduced(self, rows: Sequence[Sequence[Any]], aim: _Aim, operation: str, says_most: bool) -> str | None:
        counted = [(row, n) for row in rows if (n := self._value(row, aim.place)) is not None]
        if not counted:
            return None
        names = self._asked_columns(aim.place)
        if operation == "sum" and says_most and names and self._repeats(names[0]):
            operation = "most"
        adds_up = aim.is_quantity and len(names) == 1 and self._repeats(names[0])
        if operation in _EXTREMES and adds_up:
            return self._best_group(counted, aim.place, lambda row: str(row[names[0]]).strip(), operation)
        value = _REDUCERS[operation]([n for _, n in counted])
        if operation in _EXTREMES:
            best = [row for row, n in counted if n == value]
            head = f"{self.table.columns[aim.place]}: {self._shown(best[0], aim.place)}"
            shown = names or self._labels(aim.place)
            told = dict.fromkeys(self._cells(row, shown) for row in best)
            return f"{', '.join(told)} ({head})" if shown else head
        head = f"{self.table.columns[aim.place]}: {self._written(value, aim.place)}"
        named = [n for n in self._numeric() if self._speaks_of(n) and n != aim.place]
        if named and not names:
            places = sorted((aim.place, *named))
            return "\n".join(f"{self.table.columns[n]}: {self._summary(rows, n, operation, False)}" for n in places)
        if not names:
            return head
        sign = _SIGNS_OF.get(operation, "")
        return "\n".join([f"{sign} {head}".strip(), *self._by_group(counted, aim.place, names[0], operation)])

    def _best_group(
        self, counted: Sequence[tuple[Sequence[Any], float]], place: int, group: Callable[[Any], str], operation: str
    ) -> str:
        """That with the largest or smallest sum."""
        sums: dict[str, float] = {}
        for row, number in counted:
            sums[group(row)] = sums.get(group(row), 0) + number
        value = _REDUCERS[operation](list(sums.values()))
        best = ", ".join(name for name, own in sums.items() if own == value)
        return f"{best} ({self.table.columns[place]}: {self._written(value, place)})"

    def _by_group(
        self, counted: Sequence[tuple[Sequence[Any], float]], measure: int, place: int, operation: str
    ) -> list[str]:
        groups: dict[str, list[float]] = {}
        for row, number in counted:
            groups.setdefault(str(row[place]).strip(), []).append(number)
        values = {name: _REDUCERS[operation](own) for name, own in groups.items()}
        ordered = sorted(values, key=lambda name: -values[name])[:_MOST_GROUPS]
        return [f"{name}: {self._written(values[name], measure)}" for name in ordered]

    def _by_period(self, rows: Sequence[Sequence[Any]], aim: _Aim | None, operations: list[str]) -> str | None:
        """By the week, the month or another stretch of time, where the question asks for it and there are dates."""
        period, is_per = self._period()
        if not period or self._dates is None or (not is_per and (aim is None or not aim.is_quantity)):
            return None
        label = dates.labelled(period)
        groups = {id(row): label(date) for row, date in zip(self.table.rows, self._dates[1], strict=True) if date}
        extreme = next((name for name in operations if name in _EXTREMES), "")
        if not is_per and aim is not None:
            counted = [(r, n) for r in rows if id(r) in groups and (n := self._value(r, aim.place)) is not None]
            return self._best_group(counted, aim.place, lambda row: groups[id(row)][1], extreme) if extreme else None
        places = [aim.place] if aim is not None else self._numeric()
        operation = operations[0] if operations else "sum" if aim is not None and aim.is_said else "count"
        if operation == "mean" and len(places) == 1 and self._says("words", "on average") and self._adds_up(places[0]):
            sums = [sum(own) for own in self._numbers_by(rows, places[0], groups).values()]
            if sums:
                return f"{self.table.columns[places[0]]}: {self._written(_REDUCERS['mean'](sums), places[0])}"
        if operation == "count" or not places:
            times = Counter(groups[id(row)] for row in rows if id(row) in groups)
            return "\n".join(f"{name[1]}: {n}" for name, n in sorted(times.items()))
        lines = []
        for group in sorted({groups[id(row)] for row in rows if id(row) in groups}):
            own = [row for row in rows if groups.get(id(row)) == group]
            told = [self._summary(own, place, operation, len(places) > 1) for place in places]
            lines.append(f"{group[1]}: {', '.join(filter(None, told))}")
        return "\n".join([*([str(self.table.columns[places[0]])] if len(places) == 1 else []), *lines])

    def _adds_up(self, place: int) -> bool:
        """True for amounts and pieces, of which a month has a sum, and not for temperatures and prices."""
        return columns.adds_up(str(self.table.columns[place]))

    def _numbers_by(
        self, rows: Sequence[Sequence[Any]], place: int, groups: Mapping[int, tuple[int, str]]
    ) -> dict[tuple[int, str], list[float]]:
        """The numbers of the column, by the stretch of time that their rows lie in."""
        found: dict[tuple[int, str], list[float]] = {}
        for row in rows:
            number = self._value(row, place)
            if number is not None and id(row) in groups:
                found.setdefault(groups[id(row)], []).append(number)
        return found

    def _written(self, value: float, place: int) -> str:
        return self._in_language(tables.written_like(value, tables.cells(self.table, place)), place)

    def _in_language(self, number: str, place: int) -> str:
        """With the decimals behind a comma where the question's language has them so and the cells have no commas."""
        has_commas = any("," in cell for cell in tables.cells(self.table, place) if isinstance(cell, str))
        return number if has_commas or not self._has_commas else number.replace(".", ",")

    @cached_property
    def _has_commas(self) -> bool:
        """Whether the small words of the question are of a language that writes decimals behind a comma."""
        said = self._said.split()
        comma, point = (sum(word in _lists()["decimals"][sign] for word in said) for sign in ("comma", "point"))
        return comma > point

    def _summary(self, rows: Sequence[Sequence[Any]], place: int, operation: str, is_named: bool) -> str:
        numbers = [n for row in rows if (n := self._value(row, place)) is not None]
        if not numbers:
            return ""
        value = self._written(_REDUCERS[operation](numbers), place)
        return f"{self.table.columns[place]} {value}" if is_named else value

    def _period(self) -> tuple[str, bool]:
        """The stretch of time by which is asked ("which month", "per week"), and whether it is for each of them."""
        low = self._said
        for word, is_per in (("which", False), ("per", True)):
            for before in _lists()["spans"][word]:
                for period in dates.PERIODS:
                    for entry in _lists()["periods"][period]:
                        if f"{before}{entry}" in low if entry >= _HAN else f" {before} {entry} " in low:
                            return period, is_per
        single = [p for p in dates.PERIODS for entry in _lists()["periods"][p]
                  if entry.endswith(("ly", "lich", "uel", "weise")) and f" {entry} " in low]  # fmt: skip
        return (single[0], True) if single else ("", False)

    def _listed(self, rows: Sequence[Sequence[Any]], measure: int = -1) -> str:
        places = self._asked_columns(measure)
        if measure >= 0 and (not places or self._bound() is not None):
            places = [*(places or self._labels(measure)), measure]
        found = list(dict.fromkeys(self._cells(row, places or range(len(row))) for row in rows))
        more = f" … (+{len(found) - _MOST_LISTED})" if len(found) > _MOST_LISTED else ""
        return (", " if len(places) == 1 else "\n").join(found[:_MOST_LISTED]) + more

    def _cells(self, row: Sequence[Any], places: Sequence[int]) -> str:
        return " · ".join(str(row[place]).strip() for place in places if not tables.is_empty(row[place]))

    def _value(self, row: Sequence[Any], place: int) -> float | None:
        """The number, or the day, that stands there."""
        if self._dates is not None and place == self._dates[0]:
            (date,) = dates.read([row[place]]) or (None,)
            return None if date is None else date.toordinal()
        return tables.number(row[place])

    def _shown(self, row: Sequence[Any], place: int) -> str:
        number = tables.number(row[place])
        return str(row[place]).strip() if number is None else self._in_language(tables.shown(number, 10), place)

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
        for test in () if narrowed else values_said.loosely(Sheet(self.table), self._beside_time):
            rows, narrowed = [row for row in rows if test(tuple(row))], True
        return self._in_time(rows, narrowed)

    @cached_property
    def _beside_time(self) -> str:
        """The question without the stretch of time that it speaks of."""
        told = None if self._dates is None else dates_said.condition(self.text, self._dates[1])
        return self.text if told is None else told[1]

    def _in_time(self, rows: list[Sequence[Any]], narrowed: bool) -> tuple[list[Sequence[Any]], bool]:
        """Those rows that lie in the stretch of time that is said. Raises ValueError for what rests on today."""
        told = None if self._dates is None else dates_said.condition(self.text, self._dates[1])
        if told is None or self._dates is None:
            return rows, narrowed
        fits = {id(row) for row, date in zip(self.table.rows, self._dates[1], strict=True) if date and told[0](date)}
        return [row for row in rows if id(row) in fits], True

    @cached_property
    def _dates(self) -> tuple[int, list[dates.Date | None]] | None:
        """The column of dates, and its dates."""
        place = dates.column(self.table)
        found = None if place is None else dates.read(tables.cells(self.table, place))
        return None if place is None or found is None else (place, found)

    def _bound(self) -> Callable[[float | None], bool] | None:
        """What a number has to be: "more than 20", "under a million"; None where the question sets no bounds."""
        for name, found in self._bounds():
            limit = tables.quantity(tables.ONE.sub("1 ", found[1]).strip(" .,"))
            if limit is not None:
                return lambda n, name=name, limit=limit: n is not None and _BOUNDS[name](n, limit)
        return None

    def _bounds(self) -> Iterator[tuple[str, re.Match[str]]]:
        """Where words of bounds stand before what may be a number, in small letters and apart from their units."""
        for name, entries in _lists()["bounds"].items():
            for entry in entries:
                pattern = (
                    rf"(?<!\w){re.escape(entry)}\s*((?:an?\b|one\b|eine?\b|une?\b|[$€£])?\s*[\d.,]*(?:\s?[^\W\d]+)?)"
                )
                if found := re.search(pattern, tables.apart(self.text.lower())):
                    yield name, found

    def _wanted(self, place: int) -> bool | None:
        """Whether a column of yes and no has to say yes; None where the question does not speak of it."""
        is_paid = "paid" in _ideas(self.table.columns[place])
        if is_paid and self._says("words", "open"):
            return False
        if self._speaks_of(place) or (is_paid and self._says("columns", "paid")):
            return not self._says("words", "not")
        return None

    def _names(self, cell: str) -> bool:
        low, said = cell.lower(), self._beside_time
        if low in values_said.idle() and cell not in said:
            return False  # "quel est le total", where a cell says Est
        if low < _HAN and len(low) > _SHORTEST_STEM and _stem(low) in self._stems and low.isalpha():
            return f" {low} " not in self._said or low in said.lower()
        if low >= _HAN:
            return low in said
        return len(low) >= _CELL_LENGTH and bool(_spaced(low).strip()) and _spaced(low) in _spaced(said)

    def _speaks_of(self, place: int) -> bool:
        name = str(self.table.columns[place]).lower()
        own = {_stem(word) for word in words(name)} - {""}
        parts = [word for word in words(name) if len(word) >= _SHORTEST_PART]
        compound = any(said.endswith(part) for said in self._said.split() for part in parts)
        return bool(own & self._stems) or compound or (name[:1] >= _HAN and name in self.text)

    def _numeric(self) -> list[int]:
        """The columns of numbers but for those that count the rows."""
        return [n for n in self._all_numeric() if not tables.is_counter(tables.cells(self.table, n))]

    def _all_numeric(self) -> list[int]:
        return [n for n in range(len(self.table.columns)) if tables.is_numeric(tables.cells(self.table, n))]

    def _aim(self) -> _Aim | None:
        """What is asked about: what a word like "hottest" measures; the column of numbers that is named; what a verb
        like "scored" tells; the only column of numbers; that of money."""
        places = self._numeric()
        measured = self._measured(places)
        if measured is not None and measured.direction:
            return measured
        named = [n for n in places if self._speaks_of(n)]
        if named:
            return _Aim(named[0])
        asked = [n for n in places if "money" in _ideas(self.table.columns[n])]
        asked.sort(key=lambda n: not self._adds_up(n))  # what was sold is the total, not the price for one
        speaks_of_money = self._says("columns", "money") or (
            self._says("words", "much") and self._says("operations", "sum")
        )
        if measured is None and asked and speaks_of_money:
            return _Aim(asked[0])
        if measured is not None:
            return measured
        return _Aim(places[0], is_said=False) if len(places) == 1 else None

    def _measured(self, places: Sequence[int]) -> _Aim | None:
        """By the words of each thing that can be measured, where the table has a column of it. Words that ask for the
        largest or the smallest count most, and more if others speak of the same thing."""
        found: list[tuple[int, _Aim]] = []
        for name, own in _measures().items():
            if name == "quantity" and not self._says("operations", "count"):
                continue
            direction = next((d for word, d in _DIRECTIONS.items() if self._hears(own.get(word, ()))), "")
            speaks = self._hears(own["said"])
            if not direction and speaks and self._says("words", "not") and not self._says("operations", "count"):
                direction = "none"
            if not direction and not speaks:
                continue
            aim = self._column_of(own, direction, places)
            if aim is not None:
                found.append((2 * bool(direction) + speaks, aim))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _column_of(self, own: Mapping[str, tuple[str, ...]], direction: str, places: Sequence[int]) -> _Aim | None:
        names = {n: _name(self.table.columns[n]) for n in range(len(self.table.columns))}
        fitting = [n for entry in own["columns"] for n in places if _is_named(names[n], entry)]
        if fitting:
            sign = {"most": " max", "least": " min"}.get(direction, " mean")
            best = [n for n in dict.fromkeys(fitting) if sign in names[n]]
            return _Aim((best or fitting)[0], direction, False)
        dated = [self._dates[0]] if self._dates is not None else []
        turned = [
            n for entry in own.get("inverse", ()) for n in (*self._all_numeric(), *dated) if _is_named(names[n], entry)
        ]
        other = {"most": "least", "least": "most"}.get(direction)
        return _Aim(turned[0], other, False) if turned and other else None

    def _hears(self, entries: Sequence[str]) -> bool:
        """Whether one of the entries is said, with any ending where it is long enough to be known by its stem."""
        return any(self._hears_one(entry) for entry in entries)

    def _hears_one(self, entry: str) -> bool:
        if entry >= _HAN:
            return entry in self.text
        if f" {entry}" not in self._said:
            return False
        tail = _LONGEST_ENDING if len(entry) >= _SHORTEST_WITH_ENDING else 0
        return re.search(rf" {re.escape(entry)}[^\W\d_]{{0,{tail}}} ", self._said) is not None

    def _repeats(self, place: int) -> bool:
        cells = [str(cell).strip().casefold() for cell in tables.cells(self.table, place) if not tables.is_empty(cell)]
        return len(set(cells)) < len(cells)

    def _asked_columns(self, measure: int) -> list[int]:
        """The columns whose cells are asked for: by their names, or by "who", "where", "when"."""
        rest = [n for n in range(len(self.table.columns)) if n != measure]
        flags = [n for n in rest if _is_yes_or_no({str(c).strip() for c in tables.cells(self.table, n)})]
        texts = [n for n in rest if n not in flags and not tables.is_numeric(tables.cells(self.table, n))]
        named = [n for n in texts if self._speaks_of(n)]
        if named:
            return named
        ideas = [idea for idea in ("place", "person", "time", "thing") if self._says("columns", idea)]
        if measure >= 0 and self._speaks_of(measure) and self._says("words", "what is it"):
            ideas = [idea for idea in ideas if idea != "thing"]  # "what is the highest price" asks for the price
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

    def _asks_for_all(self) -> bool:
        """True for "how many are there?", "how many rows": nothing else is said."""
        left = self._said
        said = _lists()
        known = (*said["operations"]["count"], *said["words"]["much"], *said["words"]["all"])
        for entry in sorted(known, key=len, reverse=True):
            left = left.replace(entry if entry >= _HAN else f" {entry} ", " ").replace("  ", " ")
        return not left.strip(" ?¿!.？！。")

    def _says(self, table: str, name: str, compounds: bool = False) -> bool:
        """Whether an entry of that list is said; with `compounds` also at the beginning of a longer word."""
        return any(
            entry in self.text.lower()
            if entry >= _HAN
            else f" {entry}" in self._said
            if compounds and len(entry) >= _SHORTEST_FIRST_PART
            else f" {entry} " in self._said
            for entry in _lists()[table][name]
        )


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


def _name(column: Any) -> str:
    """The name of a column for comparison: words and units in small letters, a space around each."""
    return f" {' '.join(_MARKS.sub(' ', str(column).casefold()).split())} "


def _is_named(name: str, entry: str) -> bool:
    """Whether a column of that name is called so: by the word, or one that is made with it."""
    return f" {entry} " in name or ((entry >= _HAN or len(entry) >= _SHORTEST_PART) and entry in name)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_bytes().decode("utf-8"))


def _split(rows: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(entry.strip() for entry in text.split(",")) for name, text in rows.items()}


@cache
def _lists() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    return {table: _split(rows) for table, rows in _data().items() if table != "measures"}


@cache
def _measures() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    return {name: _split(rows) for name, rows in _data()["measures"].items()}
