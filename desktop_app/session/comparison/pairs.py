"""Two workflows with their cards in pairs: what both share, and what differs. Must not know what came of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.session.comparison.traces import Tools, as_text, self_of, traces
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType

SHARED, ALIKE, CHANGED, REPLACED, ONLY = "shared", "alike", "changed", "replaced", "only"
PICTURES = frozenset(
    {"image", "mask", "edge", "line", "soft_edge", "scribble", "pose", "depth", "normal", "segmentation"}
)


@dataclass(frozen=True)
class Pair:
    """Cards of A and B that belong together; "" where one has none. `kind` is

    SHARED (the same result), ALIKE (the same but for what feeds it), CHANGED (other values or another back end),
    REPLACED (another tool for the same type), ONLY.
    """

    kind: str
    a: str = ""
    b: str = ""

    def of(self, side: str) -> str:
        return self.a if side == "a" else self.b


@dataclass(frozen=True)
class Comparison:
    """Two workflows with their nodes and their resources in pairs, each in the order of the graph."""

    a: Workflow
    b: Workflow
    nodes: tuple[Pair, ...]
    resources: tuple[Pair, ...]

    def workflow(self, side: str) -> Workflow:
        return self.a if side == "a" else self.b

    def count(self, *kinds: str) -> int:
        """How many pairs of nodes are of these kinds."""
        return sum(pair.kind in kinds for pair in self.nodes)


def compare(a: Workflow, b: Workflow, tools: Tools) -> Comparison:
    pairs = _Pairing(a, b, tools).nodes()
    place = {id: i for i, id in enumerate(_order(a))} | {("b", id): i for i, id in enumerate(_order(b))}
    pairs.sort(key=lambda p: (place[p.a] if p.a else place["b", p.b], not p.a))
    return Comparison(a, b, tuple(pairs), _resources(a, b))


def _order(workflow: Workflow) -> tuple[str, ...]:
    try:
        return workflow.order()
    except BadWorkflow:
        return workflow.ids()


def _resources(a: Workflow, b: Workflow) -> tuple[Pair, ...]:
    left = list(b.resources)
    pairs: list[Pair] = []
    alone: list[Resource] = []
    for resource in a.resources:
        same = next((r for r in left if (r.contents, r.type) == (resource.contents, resource.type)), None)
        if same is None:
            alone.append(resource)
            continue
        left.remove(same)
        pairs.append(Pair(SHARED, resource.name, same.name))
    for resource in alone:
        other = next((r for r in left if r.type == resource.type), None)
        if other is not None:
            left.remove(other)
        pairs.append(Pair(REPLACED if other else ONLY, resource.name, other.name if other else ""))
    return (*pairs, *(Pair(ONLY, "", r.name) for r in left))


class _Pairing:
    """Joins nodes of two workflows, by the strictest rule first; each rule in the order of the graph."""

    def __init__(self, a: Workflow, b: Workflow, tools: Tools) -> None:
        self._a, self._b, self._tools = a, b, tools
        self._left_a, self._left_b = list(_order(a)), list(_order(b))
        self._nodes_a, self._nodes_b = a.nodes_by_id, b.nodes_by_id

    def nodes(self) -> list[Pair]:
        traces_a, traces_b = traces(self._a, self._tools), traces(self._b, self._tools)
        pairs = self._join(SHARED, lambda id: traces_a.get(id, ("a", id)), lambda id: traces_b.get(id, ("b", id)))
        pairs += self._join(
            ALIKE,
            lambda id: as_text(self_of(self._nodes_a[id], self._tools)),
            lambda id: as_text(self_of(self._nodes_b[id], self._tools)),
        )
        pairs += self._join(CHANGED, lambda id: self._nodes_a[id].tool, lambda id: self._nodes_b[id].tool)
        pairs += self._join(
            REPLACED, lambda id: self._gives(self._nodes_a[id]), lambda id: self._gives(self._nodes_b[id])
        )
        return [*pairs, *(Pair(ONLY, id) for id in self._left_a), *(Pair(ONLY, "", id) for id in self._left_b)]

    def _join(self, kind: str, of_a: Callable[[str], Any], of_b: Callable[[str], Any]) -> list[Pair]:
        waiting: dict[Any, list[str]] = {}
        for id in self._left_b:
            waiting.setdefault(of_b(id), []).append(id)
        found = [Pair(kind, id, ids.pop(0)) for id in self._left_a if (ids := waiting.get(of_a(id)))]
        self._left_a = [id for id in self._left_a if id not in {pair.a for pair in found}]
        self._left_b = [id for id in self._left_b if id not in {pair.b for pair in found}]
        return found

    def _gives(self, node: Node) -> str:
        tool = self._tools.get(node.tool)
        if tool is None or not tool.outputs:
            return f"?{node.tool}"
        return family(tool.outputs[0].type)


def family(type: ResourceType | str) -> str:
    """What can be laid over each other: every kind of picture is "picture", "html" and "url" are themselves."""
    return "picture" if str(type) in PICTURES else str(type)


def merged(comparison: Comparison) -> tuple[Workflow, dict[str, Pair]]:
    """Both workflows as one, in which what they share stands once; and the pair of each of its cards.

    Cards of A are called "a:id" and those of B "b:id"; shared ones have the name that they have in A.
    """
    names: dict[tuple[str, str], str] = {}
    pairs: dict[str, Pair] = {}
    for pair in (*comparison.resources, *comparison.nodes):
        for side in "ab":
            if id := pair.of(side):
                name = f"a:{pair.a}" if pair.kind == SHARED else f"{side}:{id}"
                names[side, id] = name
                pairs[name] = pair
    resources: dict[str, Resource] = {}
    nodes: dict[str, Node] = {}
    links: dict[Link, None] = {}
    for side in "ab":
        workflow = comparison.workflow(side)
        for resource in workflow.resources:
            name = names[side, resource.name]
            resources.setdefault(name, replace(resource, name=name))
        for node in workflow.nodes:
            id = names[side, node.id]
            nodes.setdefault(id, replace(node, id=id, position=None))
        for link in workflow.links:
            ends = names.get((side, link.source)), names.get((side, link.target))
            if ends[0] and ends[1]:
                links[Link(ends[0], link.output, ends[1], link.port)] = None
    return Workflow(tuple(resources.values()), tuple(nodes.values()), tuple(links)), pairs
