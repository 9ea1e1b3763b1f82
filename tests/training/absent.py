"""Marked requests whose files are not there, or are of no use to their tools: the file has to be asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from desktop_app.plan.types import ToolSpec
from tests.training.marked import Row, wishes_of

_OTHERS = {
    "image": ("audio", "table"), "audio": ("image", "table"), "video": ("audio", "table"), "table": ("audio", "video"),
}  # fmt: skip
"""What is of no use where a file of the type is needed: a still of a film would do for a picture."""
_EMPTY = 0.6
"""In so many of them nothing is attached; in the others a file of another kind is."""


def without_files(some: Sequence[Row], tools: Mapping[str, ToolSpec], number: int) -> list[dict[str, Any]]:
    """So many of the rows, in an order of no meaning, without what their first tool works on. The same every time."""
    chance = random.Random(7)
    fitting = [(row, type) for row in some if (type := _needed(row, tools))]
    names = sorted({(file["name"], file["type"]) for row in some for file in row["resources"]})
    found: list[dict[str, Any]] = []
    for row, type in chance.sample(fitting, min(number, len(fitting))):
        others = [name for name in names if name[1] in _OTHERS[type]]
        there = [] if chance.random() < _EMPTY else [dict(zip(("name", "type"), chance.choice(others), strict=True))]
        files = {file["name"] for file in row["resources"]}
        args = {key: value for key, value in row["gold"].get("args", {}).items() if not _names(value, files)}
        gold = {"nodes": row["gold"]["nodes"], "links": row["gold"]["links"], "args": args, "ask": "file"}
        found.append({**row, "split": "ask", "resources": there, "takes": [{} for _ in wishes_of(row)], "gold": gold})
    return found


def _needed(row: Row, tools: Mapping[str, ToolSpec]) -> str:
    """The type of the file that the first tool needs; "" where the words name a file, or something is asked anyway."""
    gold, wishes = row["gold"], wishes_of(row)
    if gold.get("refuse") or "ask" in gold or "history" in row or not row["resources"] or not wishes:
        return ""
    said = row["request"].casefold()
    if any(PurePath(file["name"]).stem.casefold() in said for file in row["resources"]):
        return ""
    first = tools.get(wishes[0][2][0])
    types = [port.type for port in first.inputs if port.required and port.type in _OTHERS] if first else []
    return types[0] if types and all(file["type"] == types[0] for file in row["resources"]) else ""


def _names(value: Any, files: set[str]) -> bool:
    held = value.get("any", []) if isinstance(value, Mapping) else value if isinstance(value, list) else [value]
    return any(one in files for one in held if isinstance(one, str))
