"""A follow-up makes the graph grow: what it takes from earlier results is linked to the nodes that made them.

And the reverse: the part of a graph that made a result. Within a conversation the id of a node is never used for
another one: so a result tells by the id which node made it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, MutableMapping
from dataclasses import replace
from typing import Any, TypeVar

from desktop_app.graph.workflow import Link, Node, Workflow, unused_id
from desktop_app.plan.types import FromNode, Solution, Step
from desktop_app.session.comparison.traces import traces
from desktop_app.storage.resources import Resource, unused_name
from nodes.api import Tool

_NEW = "new:"

_T = TypeVar("_T")


def grown(old: Workflow, new: Workflow, made: Mapping[str, tuple[str, str]]) -> Workflow:
    """`new`, with each resource that a node of `old` made replaced by that node and all that feeds it.

    `made` tells (node, output) by resource name. `new` has no id that `old` has. A workflow that takes nothing from
    earlier results comes back as it is.
    """
    ids = frozenset(old.ids())
    taken = {r.name: made[r.name] for r in new.resources if r.name in made and made[r.name][0] in ids}
    if not taken:
        return new
    kept = upstream(old, {node for node, _ in taken.values()})
    resources = {r.name: r for r in new.resources if r.name not in taken}
    resources |= {r.name: r for r in old.resources if r.name in kept}
    links = [link for link in old.links if link.target in kept]
    links += [
        replace(link, source=taken[link.source][0], output=taken[link.source][1]) if link.source in taken else link
        for link in new.links
    ]
    nodes = [node for node in old.nodes if node.id in kept] + [_without_place(node) for node in new.nodes]
    return Workflow(
        tuple(resources.values()), tuple(nodes), tuple(links), new.wanted,
        decorations=old.decorations, waypoints={link: old.waypoints[link] for link in links if link in old.waypoints},
    )  # fmt: skip


def set_apart(workflow: Workflow) -> Workflow:
    """With ids that no node of another graph has, until `settled` gives it those that it keeps."""
    return workflow.with_names({id: f"{_NEW}{id}" for id in workflow.ids()})


def settled(
    workflow: Workflow, tools: Mapping[str, Tool], taken: set[str], shared: MutableMapping[str, str]
) -> tuple[Workflow, dict[str, str]]:
    """With ids for the nodes that were `set_apart`, and these by the ids before that: none of `taken`, unless it is the
    very same node as one that is here already.

    `shared` tells by trace the ids of those, such as the nodes of the other alternatives of a plan. A node of the same
    trace gets the same id, so that all that is known of it stays known. What is given is added to both.
    """
    known, names = traces(workflow, tools), dict[str, str]()
    here = {id for id in workflow.ids() if not id.startswith(_NEW)}
    taken |= here
    for id in workflow.ids():
        if id in here:
            continue
        trace = known.get(id, id)
        same = shared.get(trace, "")
        names[id] = same if same and same not in here else _unused(id.removeprefix(_NEW), taken)
        here.add(names[id])
        taken.add(names[id])
        shared.setdefault(trace, names[id])
    return workflow.with_names(names), {id.removeprefix(_NEW): new for id, new in names.items()}


def _unused(id: str, taken: Collection[str]) -> str:
    return id if id not in taken else unused_id(re.sub(r"_\d+$", "", id), taken)


def free_names(workflow: Workflow, known: Mapping[str, Resource], ids: Collection[str]) -> dict[str, str]:
    """Names for the resources of a workflow that comes in from outside, by those that they have: in the conversation a
    name stands for one content, and never for a node.
    """
    names: dict[str, str] = {}
    for resource in workflow.resources:
        others = {name for name, other in known.items() if other.digest != resource.digest}
        names[resource.name] = unused_name(resource.name, frozenset({*others, *ids, *names.values()}))
    return names


def with_ids(solution: Solution, names: Mapping[str, str]) -> Solution:
    """The solution, with the ids of its steps as they are in the graph that was made of it."""

    def source(argument: Any) -> Any:
        if isinstance(argument, tuple):
            return tuple(map(source, argument))
        return replace(argument, node=names.get(argument.node, argument.node)) if _is_made(argument) else argument

    return replace(
        solution,
        steps=tuple(
            Step(names.get(step.id, step.id), step.tool, {port: source(each) for port, each in step.arguments.items()})
            for step in solution.steps
        ),
        wanted=tuple((names.get(id, id), output) for id, output in solution.wanted),
        questions=tuple(
            replace(question, step=names.get(question.step, question.step)) for question in solution.questions
        ),
        backends={names.get(id, id): backend for id, backend in solution.backends.items()},
        reasons={names.get(id, id): reason for id, reason in solution.reasons.items()},
    )


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


def _is_made(argument: Any) -> bool:
    return isinstance(argument, FromNode)


def _without_place(node: Node) -> Node:
    return replace(node, position=None)
