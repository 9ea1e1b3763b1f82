"""Sort the lines of a text."""

from __future__ import annotations

import re
import unicodedata

from nodes._support.language.words import given
from nodes.api import Flag, Port, ResourceType, Text, tool


@tool(
    id="sort_lines",
    title="Sort lines",
    domain="text",
    description="Sorts the lines of a text or list by the alphabet, by number or by length.",
    inputs=(
        Port("text", ResourceType.TEXT, "the lines to sort"),
        Port(
            "by",
            ResourceType.TEXT,
            "what decides",
            default="alphabet",
            choices=("alphabet", "number", "length"),
            question="By what should the lines be sorted?",
        ),
        Port(
            "descending",
            ResourceType.FLAG,
            "from Z to A, from most to least",
            default=False,
            question="Should the last come first?",
        ),
        Port("unique", ResourceType.FLAG, "drop repeated lines", default=False),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the sorted lines"),),
    quality=0.9,
    examples=(
        "Sort these lines alphabetically",
        "Sort the list in names.txt from Z to A",
        "Sort the lines and remove duplicate lines",
    ),
    words=("alphabetical order", "order the list", "sort a list", "duplicate lines", "alphabetise"),
    icon="arrow-down-a-z",
)
def sort_lines(text: Text, by: Text = "alphabet", descending: Flag = False, unique: Flag = False) -> Text:
    """Empty lines are dropped. Accents and case do not count in the alphabet, and numbers inside sort as numbers.

    By number: the first number of each line; lines without one come last.
    """
    lines = [line.rstrip() for line in given(text).splitlines() if line.strip()]
    if unique:
        lines = list(dict.fromkeys(lines))
    if by == "length":
        return "\n".join(sorted(lines, key=len, reverse=descending))
    if by == "number":
        numbered = [line for line in lines if _number(line) is not None]
        others = [line for line in lines if _number(line) is None]
        return "\n".join(sorted(numbered, key=lambda line: _number(line) or 0.0, reverse=descending) + others)
    return "\n".join(sorted(lines, key=lambda line: (_natural(line), line), reverse=descending))


def _number(line: str) -> float | None:
    found = re.search(r"(?<!\w)-?\d+(?:\.\d+)?", line.replace(",", ""))
    return float(found.group()) if found else None


def _natural(line: str) -> list[tuple[int, float, str]]:
    """Letters without accents and case, runs of digits as numbers: "file 9" before "file 10"."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", line.casefold()) if not unicodedata.combining(c))
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in re.split(r"(\d{1,18})", plain.strip()) if p]
