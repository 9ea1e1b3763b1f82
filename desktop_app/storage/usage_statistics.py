"""What the history tells of the user's habits: what was joined to what, and how long a whole workflow took here.

Reads the file of history.py with a connection of its own, so that nothing waits for it; may be called on any thread.
Nothing of it leaves this computer. Must not know how anything is shown.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESOURCE = "resource:"
"""Stands before the type of a resource where else the id of a tool stands."""

_JOINS = f"""
WITH graphs AS MATERIALIZED (
    SELECT row_number() OVER () AS graph, at, data FROM (
        SELECT started AS at, workflow AS data FROM runs
        UNION ALL SELECT changed, data FROM workflows
        UNION ALL SELECT * FROM (
            SELECT changed, coalesce(
                json_extract(data, '$.workflows[' || json_extract(data, '$.state.workflow') || ']'),
                json_extract(data, '$.workflow')
            ) FROM conversations WHERE json_valid(data) ORDER BY changed DESC LIMIT 100
        )
    ) WHERE json_valid(data)
), works AS MATERIALIZED (
    SELECT graph, coalesce(
        (SELECT group_concat(json_extract(value, '$.digest')) FROM json_each(data, '$.resources')),
        date(at, 'unixepoch')
    ) AS work FROM graphs
), cards AS MATERIALIZED (
    SELECT graph, json_extract(value, '$.id') AS id, json_extract(value, '$.tool') AS what
        FROM graphs, json_each(data, '$.nodes')
    UNION ALL SELECT graph, json_extract(value, '$.name'), '{RESOURCE}' || json_extract(value, '$.type')
        FROM graphs, json_each(data, '$.resources')
), links AS MATERIALIZED (
    SELECT graph, json_extract(value, '$.source') AS source, json_extract(value, '$.target') AS target
        FROM graphs, json_each(data, '$.links')
)
SELECT s.what, t.what, count(DISTINCT work || ' ' || source || ' ' || target)
FROM links JOIN works USING (graph)
JOIN cards AS s ON s.graph = links.graph AND s.id = source
JOIN cards AS t ON t.graph = links.graph AND t.id = target
GROUP BY 1, 2
"""
# Materialised, else SQLite reads the text of a graph anew for every pair of its cards: 1.5 s in place of 0.06 s for
# 260 graphs of 20 nodes.

_DONE = """
SELECT
    coalesce((SELECT group_concat(json_extract(value, '$.digest')) FROM json_each(workflow, '$.resources')), ''),
    (SELECT group_concat(json_extract(value, '$.tool')) FROM json_each(workflow, '$.nodes')) AS tools,
    max(seconds)
FROM runs WHERE outcome = 'ok' AND json_valid(workflow) AND tools IS NOT NULL GROUP BY 1, 2
"""


@dataclass(frozen=True)
class Join:
    """Something was fed into something: each is a tool's id, or RESOURCE and a type. `count` says how often."""

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class Done:
    """A workflow as a whole: the digests of its files, the ids of its tools (sorted), and how long it took."""

    digests: frozenset[str]
    tools: tuple[str, ...]
    seconds: float


def joins(history: Path) -> tuple[Join, ...]:
    """What stands joined in the runs, the kept workflows and the latest conversations, in no order.

    The same join of the same nodes counts once for the same files, however often it ran; without files, once a day.
    Empty where the history cannot be read.
    """
    return tuple(Join(*row) for row in _read(history, _JOINS))


def done(history: Path) -> tuple[Done, ...]:
    """Every workflow that ran to its end, with the longest time: later ones were often spared by the cache."""
    return tuple(
        Done(frozenset(filter(None, digests.split(","))), tuple(sorted(tools.split(","))), seconds)
        for digests, tools, seconds in _read(history, _DONE)
    )


def _read(history: Path, query: str) -> list[tuple[Any, ...]]:
    if not history.exists():  # connecting would make it
        return []
    # A failure is no loss: what is told here is a help, and never needed.
    with suppress(sqlite3.Error), closing(sqlite3.connect(history, timeout=1)) as database:
        return database.execute(query).fetchall()
    return []
