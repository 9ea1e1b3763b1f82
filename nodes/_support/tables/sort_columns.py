"""By which column rows are sorted, where that is said in other words than its name: "by date", "largest first". Must
not know tools.
"""

from __future__ import annotations

from nodes._support.tables import columns, conditions_said, dates
from nodes._support.tables.columns_said import Sheet
from nodes._support.tables.listed_words import ListedWords

_LISTED = ListedWords("table_conditions.toml")


def meant(sheet: Sheet, said: str) -> int | None:
    """The column that the words name, or the only one that holds what they speak of: dates, or numbers where the
    largest or the least is said. None for none, or several."""
    place = columns.place(said, sheet.names, columns.unlike)
    return place if place is not None else _spoken_of(sheet, said)


def _spoken_of(sheet: Sheet, said: str) -> int | None:
    spoken = [m for m in conditions_said.mentioned(sheet, said) if not columns.is_thing(said[m.start : m.end])]
    named = {mention.place for mention in spoken}
    if named:
        return named.pop() if len(named) == 1 else None
    if _says(said, "most", "least"):
        return conditions_said.likeliest(sheet)
    if _says(said, "newest", "earliest") or _LISTED.longest(said.lower(), dates.listed("columns")["time"]):
        return next(iter(sheet.dated)) if len(sheet.dated) == 1 else None
    return None


def _says(said: str, *kinds: str) -> bool:
    return any(_LISTED.says(said, "best", kind) for kind in kinds)
