"""Which rows of a table a wish is for: "the open invoices" of "only the open invoices, sorted by date". Must not know
tools, nor plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from nodes._support.tables import conditions, conditions_said, dates
from nodes._support.tables.columns_said import WORD, Sheet
from nodes._support.tables.listed_words import HAN, ListedWords
from nodes.api import Table

_LISTED = ListedWords("table_conditions.toml")
_RECKONED = ("sum", "mean", "count", "commonest")
_STOPS = r"[,;:.!?，。；：！？\n]+(?=\s|$|[\u3400-\u9fff])"


def found(table: Table, wish: str) -> tuple[str, bool]:
    """The longest stretch of the wish that says, as a whole, which rows are meant, by what stands in them; and whether
    the wish says nothing else. ("", False) for none."""
    if conditions_said.asked(wish)[0] == "count" or any(
        _LISTED.found(wish.lower(), word) for kind in _RECKONED for word in dates.listed("operations")[kind]
    ):
        return "", False
    sheet = Sheet(table)
    pieces = [*_pieces(wish)]
    for length in range(len(pieces), 0, -1):
        for first in range(len(pieces) - length + 1):
            start, end = pieces[first][0], pieces[first + length - 1][1]
            said = _bare(wish[start:end])
            if first and _is_joined(wish[pieces[first - 1][1] : start]) and not _asks_to_keep(wish[start:end]):
                continue  # "compare North and South"
            if said and conditions.says_rows(sheet, said):
                return said, not any(_bare(wish[a:b]) for a, b in (*pieces[:first], *pieces[first + length :]))
    return "", False


def _pieces(wish: str) -> Iterator[tuple[int, int]]:
    """Where what stands between stops, and between words such as "and then", begins and ends."""
    start = 0
    for stop in _parting().finditer(wish):
        if wish[start : stop.start()].strip():
            yield start, stop.start()
        start = stop.end()
    if wish[start:].strip():
        yield start, len(wish)


@cache
def _parting() -> re.Pattern[str]:
    words = [*_LISTED.entries("parts", "and"), *_LISTED.entries("parts", "then")]
    return re.compile(rf"{_STOPS}|{_LISTED.either(words)}", re.IGNORECASE)


def _is_joined(between: str) -> bool:
    return any(_LISTED.found(between.lower(), word) for word in _LISTED.entries("parts", "and"))


def _asks_to_keep(said: str) -> bool:
    return _LISTED.says(said, "asks", "keep")


def _bare(said: str) -> str:
    """Without the words that ask to keep or to show, and what says nothing around the rest."""
    said = _LISTED.without(said, _LISTED.entries("asks", "keep")).strip(" \t\n,;:.!?¿¡，。；：！？")
    idle = {*_LISTED.entries("idle", "words")} - {*_LISTED.entries("states", "with")}
    while (word := WORD.search(said)) and word.group().lower() in idle and not HAN.match(word.group()):
        said = said[word.end() :].lstrip(" \t\n,:")
    while (words := [*WORD.finditer(said)]) and words[-1].group().lower() in idle and not HAN.search(said):
        said = said[: words[-1].start()].rstrip(" \t\n,:")
    return " ".join(said.split())
