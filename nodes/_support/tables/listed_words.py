"""Lists of words, of resources/, in several languages, and where a text says one of them. Must not know tools."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_RESOURCES = Path(__file__).resolve().parents[3] / "resources"
HAN = re.compile("[\u3400-\u9fff]")
"""A Chinese character: words of these stand without blanks between."""


@dataclass(frozen=True)
class ListedWords:
    """The tables of `file`, each with comma-separated entries under names; all in small letters.

    Entries are whole words, but those in Chinese characters, and bare signs. With `behind_figures` a word may stand
    right behind a figure: "60years".
    """

    file: str
    behind_figures: bool = False

    @cached_property
    def tables(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """By table and name the entries, in their order."""
        data = tomllib.loads((_RESOURCES / self.file).read_text("utf-8"))
        return {table: {name: tuple(entry.strip() for entry in text.lower().split(",")) for name, text in rows.items()}
                for table, rows in data.items()}  # fmt: skip

    def entries(self, table: str, name: str) -> tuple[str, ...]:
        """Those of one name. Raises KeyError where there is no such list."""
        return self.tables[table][name]

    def says(self, text: str, table: str, name: str) -> bool:
        """Whether the text says one of the entries."""
        return any(self.found(text.lower(), entry) is not None for entry in self.entries(table, name))

    def longest(self, low: str, entries: Sequence[str]) -> re.Match[str] | None:
        """Where a text in small letters says the longest of these that it says; None for none."""
        found = [match for entry in entries if (match := self.found(low, entry)) is not None]
        return max(found, key=lambda match: match.end() - match.start(), default=None)

    def found(self, low: str, entry: str) -> re.Match[str] | None:
        """Where a text in small letters first says an entry; None where it does not."""
        return re.search(self.bounded(entry), low) if entry in low else None

    def without(self, text: str, entries: Sequence[str]) -> str:
        """The text with a blank for each of these; other words keep their case."""
        for entry in sorted(entries, key=len, reverse=True):
            if entry in text.lower():
                text = re.sub(self.bounded(entry), " ", text, flags=re.IGNORECASE)
        return text

    def bounded(self, entry: str) -> str:
        """The pattern of an entry that is no part of a longer word."""
        if HAN.search(entry) or not any(map(str.isalnum, entry)):
            return re.escape(entry)
        before = r"(?<![^\W\d_])" if self.behind_figures else r"(?<![^\W_])"
        return f"{before}{re.escape(entry)}" + (r"(?![^\W_])" if entry[-1].isalnum() else "")

    def either(self, entries: Sequence[str]) -> str:
        """The pattern of any of these, longer ones first."""
        return f"(?:{'|'.join(map(self.bounded, sorted(entries, key=len, reverse=True)))})"
