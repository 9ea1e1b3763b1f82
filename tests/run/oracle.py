"""Graphs of counting, adding and summing, and what must come of them, worked out without the engine.

Each node is `count_up` (gives many), `plus` (takes one, so it fans out, and refuses some sums) or `sum_up` (gathers).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from desktop_app.graph.workflow import Link, Node, Workflow

Row = tuple[float | None, ...]


@dataclass(frozen=True)
class Outcome:
    """`state` as in NodeRun; `value` a number, or a row with None for items that failed or are missing.

    `failed` counts the items that failed here, of those that were there.
    """

    state: str
    value: float | Row = 0.0
    failed: int = 0


OUTPUT = {"count_up": "n", "plus": "number", "sum_up": "number"}


def random_flow(random: Random, size: int, refuse: bool = True, most: int = 5, **values: Any) -> Workflow:
    """`values` go to every `plus`; `most` items are counted up. No two graphs are likely to share a number."""
    nodes: list[Node] = []
    links: list[Link] = []
    for i in range(size):
        tool = random.choice(("count_up", "plus", "plus", "plus", "sum_up")) if i else "count_up"
        own: dict[str, Any] = {}
        if tool == "count_up":
            own = {"upto": random.randint(0 if i else 2, most)}
        elif tool == "sum_up":
            own = {"extra": random.randint(1, 10**9)}
        else:
            own = {"tag": f"{i}-{random.random()}", "refuse": random.choice((0, 0, 3)) if refuse else 0, **values}
        node = Node(f"n{i}", tool, own)
        for port in {"count_up": (), "plus": ("number", "other"), "sum_up": ("numbers",)}[tool]:
            for source in random.sample(nodes, min(len(nodes), random.choice((0, 1, 1, 1, 2)))):
                links.append(Link(source.id, OUTPUT[source.tool], node.id, port))
        nodes.append(node)
    random.shuffle(nodes)
    return Workflow(nodes=tuple(nodes), links=tuple(links))


def expected(flow: Workflow) -> dict[str, Outcome]:
    """What must become of each node."""
    found: dict[str, Outcome] = {}
    for id in flow.order():
        node = flow.node(id)
        into = flow.links_into(id)
        if any(found[link.source].state != "done" for link in into):
            found[id] = Outcome("skipped")
        elif node.tool == "count_up":
            found[id] = Outcome("done", tuple(float(i) for i in range(node.values["upto"])))
        elif node.tool == "sum_up":
            brought = [v for link in into for v in _row(found[link.source].value) if v is not None]
            found[id] = Outcome("done", float(sum(brought) + node.values["extra"]))
        else:
            found[id] = _plus(node, {p: [found[k.source] for k in into if k.port == p] for p in ("number", "other")})
    return found


def _plus(node: Node, fed: dict[str, list[Outcome]]) -> Outcome:
    single = {p: o[0].value for p, o in fed.items() if len(o) == 1 and isinstance(o[0].value, float)}
    rows = {
        port: tuple(v for outcome in outcomes for v in _row(outcome.value))
        for port, outcomes in fed.items()
        if outcomes and port not in single
    }
    counts = {len(row) for row in rows.values() if len(row) != 1}
    if len(counts) > 1:
        return Outcome("failed")
    count = counts.pop() if counts else 1
    refuse = node.values["refuse"]
    made: list[float | None] = []
    failed = 0
    for i in range(count):
        parts = [single.get(port, 0.0) for port in fed if port not in rows]
        parts += [row[0] if len(row) == 1 else row[i] for row in rows.values()]
        whole = sum(part for part in parts if isinstance(part, float))
        refused = None not in parts and bool(refuse) and whole % refuse == 0
        failed += refused
        made.append(None if None in parts or refused else whole)
    if count and all(value is None for value in made):
        return Outcome("failed", failed=failed)
    return Outcome("done", tuple(made) if rows else made[0] or 0.0, failed)


def _row(value: float | Row) -> Row:
    return value if isinstance(value, tuple) else (value,)


def seen(value: float | Row) -> float | tuple[float, ...]:
    """The value as the user sees it: without what is missing."""
    return tuple(v for v in value if v is not None) if isinstance(value, tuple) else value
