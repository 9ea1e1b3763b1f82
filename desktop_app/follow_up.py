"""A follow-up makes the graph grow: what it takes from earlier results is linked to the nodes that made them.

And the reverse: the part of a graph that made a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from desktop_app.workflow import Link, Node, Workflow

_T = TypeVar("_T")


def grown(old: Workflow, new: Workflow, made: Mapping[str, tuple[str, str]]) -> Workflow:
    """`new`, with each resource that a node of `old` made replaced by that node and all that feeds it.

    `made` tells (node, output) of `old` by resource name. Nodes of `new` get other ids where `old` has them.
    A workflow that takes nothing from earlier results comes back as it is.
    """
    ids = frozenset(old.ids())
    taken = {r.name: made[r.name] for r in new.resources if r.name in made and made[r.name][0] in ids}
    if not taken:
        return new
    new = _renamed(new, ids)
    kept = upstream(old, {node for node, _ in taken.values()})
    resources = [r for r in new.resources if r.name not in taken]
    known = {r.name for r in new.resources}
    resources += [r for r in old.resources if r.name in kept and r.name not in known]
    links = [link for link in old.links if link.target in kept]
    links += [
        replace(link, source=taken[link.source][0], output=taken[link.source][1]) if link.source in taken else link
        for link in new.links
    ]
    nodes = [node for node in old.nodes if node.id in kept] + [_without_place(node) for node in new.nodes]
    return Workflow(
        tuple(resources), tuple(nodes), tuple(links), new.wanted,
        decorations=old.decorations, waypoints={link: old.waypoints[link] for link in links if link in old.waypoints},
    )  # fmt: skip


def upstream(workflow: Workflow, ids: set[str]) -> set[str]:
    """The nodes and resources that these nodes need, themselves included."""
    return _Feeds(workflow).behind(ids)


def part(workflow: Workflow, node: str, output: str) -> Workflow:
    """What has to run for that output of that node, and no more."""
    return Parts(workflow).part(node, output)


class _Feeds:
    """The links by the node that they end at, each with its place in the workflow."""

    def __init__(self, workflow: Workflow) -> None:
        self.into: dict[str, list[tuple[int, Link]]] = {}
        for place, link in enumerate(workflow.links):
            self.into.setdefault(link.target, []).append((place, link))

    def behind(self, ids: set[str]) -> set[str]:
        """As `upstream`."""
        found, waiting = set(ids), list(ids)
        while waiting:
            more = {link.source for _, link in self.into.get(waiting.pop(), ())} - found
            found |= more
            waiting += more
        return found


class Parts:
    """The parts of one workflow: each takes as long as it is large, however large the whole is."""

    def __init__(self, workflow: Workflow) -> None:
        self.workflow = workflow
        self._feeds = _Feeds(workflow)
        self._nodes = {node.id: (place, node) for place, node in enumerate(workflow.nodes)}
        self._resources = {resource.name: (place, resource) for place, resource in enumerate(workflow.resources)}

    def part(self, node: str, output: str) -> Workflow:
        """What has to run for that output of that node, and no more."""
        kept = self._feeds.behind({node})
        return Workflow(
            _in_order(self._resources[name] for name in kept if name in self._resources),
            _in_order(self._nodes[id] for id in kept if id in self._nodes),
            _in_order(link for id in kept for link in self._feeds.into.get(id, ())),
            ((node, output),),
            {name: self.workflow.positions[name] for name in kept if name in self.workflow.positions},
        )

    def __contains__(self, node: str) -> bool:
        return node in self._nodes


def _in_order(placed: Iterable[tuple[int, _T]]) -> tuple[_T, ...]:
    return tuple(value for _, value in sorted(placed, key=lambda pair: pair[0]))


def _renamed(workflow: Workflow, taken: frozenset[str]) -> Workflow:
    names: dict[str, str] = {}
    used = set(taken)
    for node in workflow.nodes:
        name, number = node.id, 2
        while name in used:
            name, number = f"{node.id}_{number}", number + 1
        used.add(name)
        names[node.id] = name
    return Workflow(
        workflow.resources,
        tuple(replace(node, id=names[node.id]) for node in workflow.nodes),
        tuple(
            Link(names.get(k.source, k.source), k.output, names.get(k.target, k.target), k.port) for k in workflow.links
        ),
        tuple((names[node], output) for node, output in workflow.wanted),
    )


def _without_place(node: Node) -> Node:
    return replace(node, position=None)
