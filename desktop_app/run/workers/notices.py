"""What a tool told of its result, as a fact of the first output: it is kept, and found again, with the result itself.

Must not know how results are kept or shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from desktop_app.storage.resources import Resource
from nodes import phrase

FACET = "told"


def put(outputs: Mapping[str, Any], told: str) -> None:
    """Puts it into the facets of the first value; where a tool gives no value nobody hears of it."""
    first = next(iter(outputs.values()), None)
    kept = first[0] if first and isinstance(first[0], list) else first
    if told and kept:
        kept[3][FACET] = json.dumps(phrase.to_json(told), ensure_ascii=False)


def found(outputs: Mapping[str, Any]) -> str:
    """What was told with these values, by port; "" where nothing was."""
    for value in outputs.values():
        for one in value[:1] if isinstance(value, tuple) else (value,):
            if isinstance(one, Resource) and FACET in one.facets:
                return _read(one.facets[FACET])
    return ""


def readable(facets: Mapping[str, Any]) -> dict[str, Any]:
    """The facets, with what was told in plain English."""
    return {name: str(_read(value)) if name == FACET else value for name, value in facets.items()}


def _read(written: Any) -> str:
    """A graph that anybody may have written brings the facets of its files."""
    try:
        return phrase.from_json(json.loads(written))
    except (ValueError, TypeError, RecursionError):
        return ""
