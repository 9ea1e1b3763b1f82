"""Names of files and results within a message: what is being looked for after an "@", and which names stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from desktop_app.storage.resources import Resource

_SOUGHT = re.compile(r"(?<![A-Za-z0-9._%+-])@([^\s@]*)$")
"""An "@" that begins a word (no address of mail) up to the caret; Chinese needs no space before it."""


def sought(before: str) -> str | None:
    """What stands after the "@" that is being written, "" just after it; None when there is none before the caret."""
    found = _SOUGHT.search(before)
    return found[1] if found else None


def standing(text: str, names: Iterable[str]) -> frozenset[str]:
    """Those of the names that stand in the text as a whole: `a.png` does not stand in `ba.png`."""
    return frozenset(
        name for name in names if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text, re.ASCII) is not None
    )


def matching(resources: Sequence[Resource], query: str) -> list[Resource]:
    """Those whose name has the query: first where the name begins with it, then where a word of it does; the order is
    kept otherwise.
    """
    wanted = query.lower()
    places = [(_place(resource.name.lower(), wanted), resource) for resource in resources]
    return [resource for place, resource in sorted(places, key=lambda pair: pair[0]) if place < 3]


def _place(name: str, wanted: str) -> int:
    if name.startswith(wanted):
        return 0
    if any(part.startswith(wanted) for part in re.split(r"[\W_]+", name)):
        return 1
    return 2 if wanted in name else 3
