"""Columns by other words than their names: other spellings, short forms, other languages, and when none is meant."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from nodes._support.tables import columns

FILE = Path(__file__).resolve().parents[2] / "data" / "column_words.txt.xz"


class Row(NamedTuple):
    """How someone speaks of a column ("?" for none) of a table with these; `held`: no rule was made on it."""

    names: tuple[str, ...]
    language: str
    words: str
    column: str
    held: bool

    def got(self) -> int | None:
        return columns.place(self.words, self.names)


def rows() -> list[Row]:
    found, names, count = [], (), -1
    for line in lzma.decompress(FILE.read_bytes()).decode().splitlines():
        if line.startswith("= "):
            names, count = tuple(name.strip() for name in line[2:].split(",")), count + 1
        elif line and not line.startswith("#"):
            language, words, column = line.split("\t")
            found.append(Row(names, language, words, column, count % 3 == 2))
    return found


ROWS = rows()


def outcome(row: Row) -> str:
    """ "right", "wrong" for a column that was not meant, "asked" for none where one was."""
    at = row.got()
    if at is None:
        return "right" if row.column == "?" else "asked"
    return "right" if row.names[at] == row.column else "wrong"


@pytest.mark.parametrize("held", [False, True])
def test_words_for_columns_of_invented_tables_are_understood_and_no_wrong_one_is_taken(held):
    found = Counter(outcome(row) for row in ROWS if row.held == held)
    total = sum(found.values())
    assert found["wrong"] <= 0.03 * total, found
    assert found["right"] >= 0.8 * total, found
