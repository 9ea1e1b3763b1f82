"""Which cells of a table of measures a request asks for: "the sum of the second column".

Such a table has a row for each column of another one, and a column for each measure. Must not know how it is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.plan.modes.conversation import MessageWords

_COLUMN = re.compile(r"\b(?:columns?|spalten?|colonnes?|columnas?)\b|列|栏", re.I)
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Measured:
    """A measure of a column of a table; `value` is None for one that the column has not."""

    column: str
    measure: str
    value: Any


def asked_measures(request: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[Measured, ...]:
    """The measures that a request names, of the columns that it names or counts ("the third column"), else of those
    that have them. `names` head the `rows`; () for a table of another kind, and where no measure is named.
    """
    asked = [name for name in dict.fromkeys(MessageWords(request).meanings("measures")) if name in names]
    if not asked or not names or names[0] != "column":
        return ()
    chosen = _named(request, rows) or _counted(request, rows)
    found = [Measured(str(row[0]), name, row[names.index(name)]) for row in chosen or rows for name in asked]
    return tuple(one for one in found if chosen or one.value is not None)


def _named(request: str, rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    return [row for row in rows if str(row[0]) and _pattern(str(row[0])).search(request)]


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name) if _HAN.search(name) else rf"(?<!\w){re.escape(name)}(?!\w)", re.I)


def _counted(request: str, rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    places = [int(place) for place in MessageWords(request).meanings("ordinals")] if _COLUMN.search(request) else []
    return [rows[place - 1 if place > 0 else place] for place in places if -len(rows) <= place <= len(rows)]
