"""What a condition says by words that stand in cells, in any inflection: "open invoices", "nicht bezahlt". Must not
know tools, nor numbers.

Words that name a column say where to look, the noun for the rows says nothing, and any other word makes that nothing is
understood: a wrong row would go unnoticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from nodes._support.tables import columns, conditions_said, rows_left_out, tables
from nodes._support.tables.columns_said import WORD, Mention, Sheet
from nodes._support.tables.conditions_said import Test
from nodes._support.tables.listed_words import HAN, ListedWords
from nodes.api import Phrase

_LISTED = ListedWords("table_conditions.toml", behind_figures=True)
_SHORTEST_STEM, _SHORTEST_PART = 4, 4
_MOST_KINDS = 2000
_MOST_SHOWN, _SHORTEST_SHOWN = 6, 2
_OPPOSITES = {"paid": "unpaid", "done": "undone"}
_CELL, _INFLECTED, _FLAG, _STATE, _OPPOSITE, _PART = range(6)
"""In which ways words mean cells, the surest first."""


class Values(NamedTuple):
    """What rows must fit, in all of these; what was decided where more than one column may be meant."""

    tests: list[Test]
    doubts: list[Phrase]


class _Claim(NamedTuple):
    """Which cells of a column the words from `start` to `end` mean."""

    start: int
    end: int
    way: int
    place: int
    fits: Callable[[str], bool]


def read(sheet: Sheet, said: str, whole: bool = False) -> Values | None:
    """What the words say of cells; no tests where they only name the rows, None where one is not understood. With
    `whole` a word that is but a part of cells is none."""
    return _Words(sheet, rows_left_out.undone(said), whole).values()


def loosely(sheet: Sheet, said: str) -> list[Test]:
    """What a text that says other things, too, says of cells by inflected words and words for states."""
    return _Words(sheet, said, whole=True).loosely()


def column(sheet: Sheet, said: str) -> int | None:
    """The one column in whose cells the words stand; None for words that say more than that."""
    return _Words(sheet, said).column()


def shown(sheet: Sheet) -> str:
    """The columns, each with its values where these are few."""
    return ", ".join(_with_values(sheet, place) for place in range(min(len(sheet.names), 12)))


def _with_values(sheet: Sheet, place: int) -> str:
    cells = [] if place in sheet.numeric or place in sheet.dated else [cell for cell in _cells(sheet, place) if cell]
    kinds = [*dict.fromkeys(cells)]
    few = _SHORTEST_SHOWN <= len(kinds) <= _MOST_SHOWN and len(kinds) < len(cells)
    return f"{sheet.names[place]} ({', '.join(kinds)})" if few else sheet.names[place]


def _cells(sheet: Sheet, place: int) -> list[str]:
    return ["" if tables.is_empty(cell) else str(cell).strip() for cell in tables.cells(sheet.table, place)]


@dataclass(frozen=True)
class _Words:
    sheet: Sheet
    said: str
    whole: bool = False

    @cached_property
    def _low(self) -> str:
        return re.sub(r"['’]s\b", "  ", self.said.lower())

    @cached_property
    def _tokens(self) -> list[tuple[int, int, str]]:
        return [(found.start(), found.end(), found.group()) for found in WORD.finditer(self._low)]

    @cached_property
    def _spoken(self) -> list[Mention]:
        return conditions_said.mentioned(self.sheet, self.said)

    @cached_property
    def _kinds(self) -> dict[int, list[str]]:
        """The different cells of the columns of words, in small letters."""
        places = (n for n in range(len(self.sheet.names)) if n not in self.sheet.numeric and n not in self.sheet.dated)
        found = {place: [*dict.fromkeys(cell.lower() for cell in _cells(self.sheet, place))] for place in places}
        return {place: kinds for place, kinds in found.items() if len(kinds) <= _MOST_KINDS}

    def values(self) -> Values | None:
        chosen, doubts = self._chosen()
        spans = [(claim.start, claim.end) for claim in chosen]
        empties = [m for m in self._spoken if not _crosses(spans, m.start, m.end)
                   and m.place not in {claim.place for claim in chosen} and self._has_or_lacks(m, spans)]  # fmt: skip
        said = sorted([*chosen, *(_Claim(m.start, m.end, _CELL, m.place, bool) for m in empties)], key=itemgetter(0))
        if not self._is_all([(claim.start, claim.end) for claim in said]):
            return None
        tests: list[Test] = []
        edges = [0, *(claim.end for claim in said)]
        by_column: dict[tuple[int, bool], list[Callable[[str], bool]]] = {}
        denied = False
        for number, claim in enumerate(said):
            lead, is_last = self._low[edges[number] : claim.start], number == len(said) - 1
            if number == 0 or lead.strip(" ,") or claim.place != said[number - 1].place:
                denied = _denies(lead) or (is_last and _denies(self._low[claim.end :]))
            by_column.setdefault((claim.place, denied), []).append(claim.fits)
        for (place, denied), fits in by_column.items():
            tests.append(_test(place, fits, denied))
        return Values(tests, doubts)

    def loosely(self) -> list[Test]:
        claims = [claim for claim in self._chosen()[0] if claim.way in (_INFLECTED, _STATE, _OPPOSITE)]
        ends = [0, *(claim.end for claim in claims)]
        return [_test(claim.place, [claim.fits], _denies(self._low[end : claim.start]))
                for end, claim in zip(ends, sorted(claims, key=itemgetter(0)), strict=False)]  # fmt: skip

    def column(self) -> int | None:
        """The one column of what is said."""
        chosen, _ = self._chosen()
        places = {claim.place for claim in chosen if claim.way in (_CELL, _INFLECTED)}
        is_all = len(places) == 1 and self._is_all([(claim.start, claim.end) for claim in chosen])
        return places.pop() if is_all else None

    def _chosen(self) -> tuple[list[_Claim], list[Phrase]]:
        """Of the claims the longest, then the surest; of those alike that on a column that is named, then of fewer
        kinds."""
        named = {mention.place for mention in self._spoken}
        claims = sorted(
            (*self._in_cells(), *self._flags(), *self._states(), *self._opposites()),
            key=lambda c: (c.start - c.end, c.way, c.place not in named, len(self._kinds.get(c.place, ()))),
        )
        chosen: list[_Claim] = []
        doubts: list[Phrase] = []
        for claim in claims:
            if _crosses([(one.start, one.end) for one in chosen], claim.start, claim.end):
                continue
            chosen.append(claim)
            rivals = [c for c in claims if c[:3] == claim[:3] and c.place != claim.place]
            if rivals and claim.place not in named:
                doubts.append(Phrase("“{words}” was looked for in “{column}”, not in “{other}”",
                                     words=self.said[claim.start : claim.end], column=self.sheet.names[claim.place],
                                     other=self.sheet.names[rivals[0].place]))  # fmt: skip
        return chosen, doubts

    # What words may mean ----------------------------------------------------------------------------------------------

    def _in_cells(self) -> Iterator[_Claim]:
        for place, kinds in self._kinds.items():
            for cell in filter(None, kinds):
                for start, end in self._places_of(cell):
                    exact = " ".join(self._low[start:end].split()) == " ".join(cell.split())
                    yield _Claim(start, end, _CELL if exact else _INFLECTED, place, cell.__eq__)
            words = {word for cell in kinds for word in _words(cell) if len(word) >= _SHORTEST_PART}
            for start, end, token in () if self.whole else self._tokens:
                if token in words and token not in idle():
                    yield _Claim(start, end, _PART, place, lambda cell, token=token: token in _words(cell))

    def _flags(self) -> Iterator[_Claim]:
        """A column of yes and no that is named."""
        for mention in self._spoken:
            if self._is_flag(mention.place):
                yield _Claim(mention.start, mention.end, _FLAG, mention.place, _is_yes)
        for place in filter(self._is_flag, self._kinds):
            for start, end in self._places_of(self.sheet.names[place].lower()):
                yield _Claim(start, end, _FLAG, place, _is_yes)

    def _states(self) -> Iterator[_Claim]:
        """Words for what is done and paid, where the cells or the name of a column say so in other ones."""
        for state, other in (*_OPPOSITES.items(), *((two, one) for one, two in _OPPOSITES.items())):
            found = [span for entry in _LISTED.entries("states", state) for span in self._places_of(entry)]
            for place in self._kinds if found else ():
                fits = self._in_state(place, state, other)
                if fits is not None:
                    yield from (_Claim(*span, _STATE, place, fits) for span in found)

    def _in_state(self, place: int, state: str, other: str) -> Callable[[str], bool] | None:
        kinds, name = self._kinds[place], self.sheet.names[place].lower()
        for told, means in ((state, True), (other, False)):
            cells = {cell for cell in kinds if _is_state(cell, told)}
            if cells:
                return lambda cell, cells=cells, means=means: (cell in cells) == means
        if self._is_flag(place):
            for told, means in ((state, True), (other, False)):
                if _says_state(name, told):
                    return lambda cell, means=means: _is_yes(cell) == means
        return None

    def _opposites(self) -> Iterator[_Claim]:
        """ "Inactive" where a cell says active, or a column of yes and no is called so."""
        for start, end, token in self._tokens:
            told = rows_left_out.opposite(token)
            for place in self._kinds if told else ():
                if any(cell and _is_like(told, cell) for cell in self._kinds[place]):
                    yield _Claim(start, end, _OPPOSITE, place, lambda cell, told=told: not _is_like(told, cell))
                elif self._is_flag(place) and _is_like(told, self.sheet.names[place].lower()):
                    yield _Claim(start, end, _OPPOSITE, place, lambda cell: not _is_yes(cell))

    def _is_flag(self, place: int) -> bool:
        kinds = {*self._kinds.get(place, ())}
        yes, no = (conditions_said.listed_cells(name) for name in ("yes", "no"))
        return kinds <= {*yes, *no, ""} and bool(kinds & {*yes})

    def _places_of(self, words: str) -> Iterator[tuple[int, int]]:
        """Where the words are said, each in any inflection; of Chinese ones where the characters stand."""
        if HAN.search(words):
            at = self._low.find(words)
            while at >= 0:
                yield at, at + len(words)
                at = self._low.find(words, at + 1)
            return
        wanted = _words(words)
        for first in range(len(self._tokens) - len(wanted) + 1 if wanted else 0):
            there = self._tokens[first : first + len(wanted)]
            is_said = all(_is_like(token, word) for (_, _, token), word in zip(there, wanted, strict=True))
            if is_said and (len(wanted) > 1 or there[0][2] not in idle()):
                yield there[0][0], there[-1][1]

    # What is left over ------------------------------------------------------------------------------------------------

    def _has_or_lacks(self, mention: Mention, spans: Sequence[tuple[int, int]]) -> bool:
        """True for "with an e-mail" and "without a phone"."""
        before = max((end for _, end in spans if end <= mention.start), default=0)
        lead = self._low[before : mention.start]
        return _denies(lead) or any(_LISTED.found(lead, entry) for entry in _LISTED.entries("states", "with"))

    def _is_all(self, claimed: Iterable[tuple[int, int]]) -> bool:
        """Whether the other words say nothing of which rows are meant, but for where to look."""
        left = self._low
        for start, end in (*claimed, *((m.start, m.end) for m in self._spoken)):
            left = left[:start] + " " * (end - start) + left[end:]
        left = conditions_said.beside_idle(conditions_said.without_denial(left))
        left = _LISTED.without(left, (*_LISTED.entries("states", "with"), *_LISTED.entries("states", "rows")))
        return all(columns.is_thing(word) for word in WORD.findall(conditions_said.beside_idle(left)))


def _test(place: int, fits: Sequence[Callable[[str], bool]], denied: bool) -> Test:
    def test(row: tuple[Any, ...]) -> bool:
        cell = "" if tables.is_empty(row[place]) else str(row[place]).strip().lower()
        return any(fit(cell) for fit in fits) != denied

    return test


def _crosses(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < last and first < end for first, last in spans)


def _denies(text: str) -> bool:
    return conditions_said.without_denial(text) != text


def _is_yes(cell: str) -> bool:
    return cell in conditions_said.listed_cells("yes")


def _is_state(cell: str, state: str) -> bool:
    return any(_is_like_all(cell, entry) for entry in _LISTED.entries("states", state))


def _says_state(name: str, state: str) -> bool:
    return any(entry in name if HAN.search(entry) else any(_is_like(word, entry) for word in _words(name))
               for entry in _LISTED.entries("states", state))  # fmt: skip


def _words(text: str) -> list[str]:
    return WORD.findall(text)


def _is_like_all(first: str, second: str) -> bool:
    one, two = _words(first), _words(second)
    return len(one) == len(two) and all(_is_like(a, b) for a, b in zip(one, two, strict=True))


@lru_cache(maxsize=65536)
def _is_like(said: str, word: str) -> bool:
    """The same but for accents and the ending: "offenen" and "offen", "pagadas" and "pagado"."""
    if said == word:
        return True
    one, two = columns.bare(said), columns.bare(word)
    if one[:1] != two[:1]:
        return False
    same = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    endings = _LISTED.entries("states", "endings")
    is_long = same >= _SHORTEST_STEM or (same == _SHORTEST_STEM - 1 and len(two) == same)
    return is_long and all(rest in ("", *endings) for rest in (one[same:], two[same:]))


@cache
def idle() -> frozenset[str]:
    """Words that say nothing of which rows are meant."""
    return frozenset(_LISTED.entries("idle", "words"))
