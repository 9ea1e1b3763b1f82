"""What a follow-up says of the rows of a table besides what was said of them before: "and only those over 1000", after
"only those from Berlin", is both.

Knows workflows and the beginnings of tables that were read; must not know how tables are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop_app.graph.workflow import Workflow
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.session.asking.table_columns import Headers, rows_into
from nodes.api import NodeError, Table, Tool

_CONDITION = "condition"
_OTHERWISE = ("no", "instead", "rather", "mean", "swap")
_OR, _AND = " or ", " and "


def joined(
    workflow: Workflow, tools: Mapping[str, Tool], headers: Headers, values: Mapping[tuple[str, str], Any], text: str
) -> Mapping[tuple[str, str], Any]:
    """The values, in which a condition that narrows the one that is there, or adds rows to it, stands beside that one;
    as they are where it takes its place: "and in German?" asks anew."""
    said = MessageWords(text)
    narrows, adds = said.has("only", "of them"), said.has("besides", "joining")
    asks = text.rstrip().endswith(("?", "？")) and not narrows
    if said.has(*_OTHERWISE) or asks or not (narrows or adds):
        return values
    found = dict(values)
    for (node, port), new in values.items():
        old = workflow.node(node).values.get(port)
        if port == _CONDITION and isinstance(old, str) and isinstance(new, str) and old.strip():
            table = rows_into(workflow, tools, headers, node)
            found[node, port] = _beside(old, new, table, narrows)
    return found


def _beside(old: str, new: str, table: Table | None, narrows: bool) -> str:
    """Both conditions. Where that leaves nothing, or what the old one left, they are of the same thing: then the new
    one alone narrows, else either may hold."""
    both = _OR.join(f"{part}{_AND}{new}" for part in old.split(_OR))
    if table is None:
        return both
    left = {said: _rows(table, said) for said in (old, new, both)}
    if left[new] is None or left[both] is None:
        return new
    if left[both] in ([], left[old]) and left[new] != left[both]:
        return new if narrows else f"{old}{_OR}{new}"
    return both


def _rows(table: Table, condition: str) -> list[tuple[Any, ...]] | None:
    from nodes._support.tables import conditions  # here: the first window does without

    try:
        return list(conditions.fitting(table, condition))
    except NodeError:
        return None
