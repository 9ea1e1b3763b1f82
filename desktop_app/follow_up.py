"""A follow-up makes the graph grow: what it takes from earlier results is linked to the nodes that made them.

And the reverse: the part of a graph that made a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from desktop_app.workflow import Link, Node, Workflow


def grown(old: Workflow, new: Workflow, made: Mapping[str, tuple[str, str]]) -> Workflow:
    """`new`, with each resource that a node of `old` made replaced by that node and all that feeds it.

    `made` tells (node, output) of `old` by resource name. Nodes of `new` get other ids where `old` has them.
    A workflow that takes nothing from earlier results comes back as it is.
    """
    taken = {r.name: made[r.name] for r in new.resources if r.name in made and made[r.name][0] in old.ids()}
    if not taken:
        return new
    new = _renamed(new, frozenset(old.ids()))
    kept = upstream(old, {node for node, _ in taken.values()})
    resources = [r for r in new.resources if r.name not in taken]
    resources += [r for r in old.resources if r.name in kept and new.resource(r.name) is None]
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
    sources: dict[str, set[str]] = {}
    for link in workflow.links:
        sources.setdefault(link.target, set()).add(link.source)
    found = set(ids)
    waiting = list(ids)
    while waiting:
        more = sources.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def part(workflow: Workflow, node: str, output: str) -> Workflow:
    """What has to run for that output of that node, and no more."""
    kept = upstream(workflow, {node})
    return Workflow(
        tuple(r for r in workflow.resources if r.name in kept),
        tuple(n for n in workflow.nodes if n.id in kept),
        tuple(link for link in workflow.links if link.target in kept),
        ((node, output),),
        {name: place for name, place in workflow.positions.items() if name in kept},
    )


def _renamed(workflow: Workflow, taken: frozenset[str]) -> Workflow:
    names: dict[str, str] = {}
    for node in workflow.nodes:
        name, number = node.id, 2
        while name in taken or name in names.values():
            name, number = f"{node.id}_{number}", number + 1
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
