"""Values of graphs that earlier versions saved, as the tools take them today."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FIRST, _LAST = "first_page", "last_page"


def renewed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a node: the first and the last page of a document have become `pages`, "2-5"; 0 was the last."""
    kept = {name: value for name, value in values.items() if name not in (_FIRST, _LAST)}
    if len(kept) == len(values):
        return kept
    first, last = values.get(_FIRST, 1), values.get(_LAST, 0)
    if (first, last) == (1, 0):
        return kept
    return {"pages": f"{first}" if first == last else f"{first}-{last or 'last'}", **kept}
