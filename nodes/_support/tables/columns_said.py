"""Which columns of a table a sentence speaks of, and where in it. Must not know tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from nodes._support.tables import columns, dates, tables
from nodes._support.tables.listed_words import HAN
from nodes.api import Phrase, Table

WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+(?:['’-][^\W_\u3400-\u9fff]+)*")
"""A word, with what is joined to it by an apostrophe or a hyphen; a run of Chinese characters."""
_LONGEST = 4
_LONGEST_RUN = 30
_MONTHS_A_YEAR = 12


Tell = Callable[[Phrase], None]
"""Takes what the user should know of how words were understood."""


class Mention(NamedTuple):
    """Where a column is spoken of, and which."""

    start: int
    end: int
    place: int


def mentions(text: str, names: Sequence[str], idle: Collection[str] = ()) -> list[Mention]:
    """The columns that the text speaks of, in its order: by their names, then by what they are called in other words.
    No mention begins or ends with an `idle` word, unless a column is called just so."""
    low = text.lower()
    found: list[Mention] = []
    for place in sorted(range(len(names)), key=lambda at: -len(names[at])):
        found += [Mention(*span, place) for span in _literal(low, " ".join(names[place].split()).lower())
                  if not _taken(found, *span)]  # fmt: skip
    for start, end in _stretches(low, idle):
        if not _taken(found, start, end) and not low[start:end].isdecimal():
            at = columns.place(text[start:end], names, columns.unlike)
            found += [] if at is None else [Mention(start, end, at)]
    return sorted(found)


def without(text: str, found: Sequence[Mention]) -> str:
    """The text with blanks in place of the mentions."""
    for each in found:
        text = text[: each.start] + " " * (each.end - each.start) + text[each.end :]
    return text


def _literal(low: str, name: str) -> Iterator[tuple[int, int]]:
    if not name.strip():
        return
    for match in re.finditer(re.escape(name).replace(r"\ ", r"\s+"), low):
        edges = low[match.start() - 1 : match.start()] + name[0], name[-1] + low[match.end() : match.end() + 1]
        if not any(len(edge) == 2 and edge.isalnum() and not HAN.search(edge) for edge in edges):
            yield match.span()


def _taken(found: Sequence[Mention], start: int, end: int) -> bool:
    return any(start < each.end and each.start < end for each in found)


def _stretches(low: str, idle: Collection[str]) -> Iterator[tuple[int, int]]:
    """Of one to four words, the longer first; of Chinese each part of a run."""
    tokens = [match for match in WORD.finditer(low) if not HAN.match(match.group())]
    for length in range(min(_LONGEST, len(tokens)), 0, -1):
        for first, last in zip(tokens, tokens[length - 1 :], strict=False):
            if first.group() not in idle and last.group() not in idle:
                yield first.start(), last.end()
    for run in (match for match in WORD.finditer(low) if HAN.match(match.group())):
        size = min(len(run.group()), _LONGEST_RUN)
        for length in range(size, 0, -1):
            for start in range(run.start(), run.start() + size - length + 1):
                if low[start : start + length] not in idle:
                    yield start, start + length


# A table as it is spoken of -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """A table with what is asked of it again and again."""

    table: Table
    tell: Tell = lambda note: None

    @cached_property
    def names(self) -> list[str]:
        """What its columns are called, in their order."""
        return [str(name) for name in self.table.columns]

    @cached_property
    def dated(self) -> dict[int, list[date | None]]:
        """The dates of each column that holds such."""
        read = {place: dates.read(tables.cells(self.table, place)) for place in range(len(self.names))}
        return {place: found for place, found in read.items() if found is not None}

    @cached_property
    def numeric(self) -> list[int]:
        """The columns of numbers."""
        return [n for n in range(len(self.names)) if tables.is_numeric(tables.cells(self.table, n))]

    @cached_property
    def measures(self) -> list[int]:
        """Those whose numbers count or weigh something, and are no names of rows."""
        return [n for n in self.numeric if columns.is_measure(self.names[n])]

    def called(self, idea: str, among: Collection[int]) -> int | None:
        """The column of those that has a name for the idea, said in any of its words; None where not just one has."""
        places = sorted(among)
        at = columns.place(idea, [self.names[place] for place in places], columns.unlike) if places else None
        return None if at is None else places[at]

    @cached_property
    def born(self) -> int | None:
        """The column of dates of birth."""
        return self.called("date of birth", self.dated)

    @cached_property
    def age(self) -> int | None:
        """The column of numbers that are ages."""
        return self.called("age", self.numeric)

    @cached_property
    def shown(self) -> Phrase:
        """Which columns there are."""
        return Phrase("The columns are: {names}.", names=", ".join(self.names[:12]))

    def years(self, place: int) -> list[int | None]:
        """How old each is today by a column of dates."""
        return [None if day is None else elapsed(day, date.today(), "year") for day in self.dated[place]]


def elapsed(since: date, until: date, unit: str) -> int:
    """The whole days, weeks, months or years from one date to the other; below 0 where it is before."""
    if until < since:
        return -elapsed(until, since, unit)
    if unit in ("day", "week"):
        return (until - since).days // (7 if unit == "week" else 1)
    months = (until.year - since.year) * _MONTHS_A_YEAR + until.month - since.month - (until.day < since.day)
    return months if unit == "month" else months // _MONTHS_A_YEAR
