"""A follow-up makes the graph grow: what it takes from earlier results is linked to the nodes that made them.

And the reverse: the part of a graph that made a result. Within a conversation the id of a node is never used for
another one: so a result tells by the id which node made it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.core.values import NUMBERED_FILE, several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Node, Workflow
from desktop_app.plan.tools.rewiring import rewired
from desktop_app.plan.types import FromNode, FromResource, Placed, Solution, Step
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.run.result_names import Names
from desktop_app.session.comparison.traces import traces
from desktop_app.storage.resources import Resource, unused_name
from nodes.api import ResourceType, Tool

NEW = "new:"
"""Before the id of a node that is no node of the graph that is there."""
MOST_TOLD = 60
"""A graph of more nodes is not told to a language model."""


def grown(old: Workflow, new: Workflow, made: Mapping[str, tuple[str, str]]) -> Workflow:
    """`new`, with each resource that a node of `old` made replaced by that node and all that feeds it.

    `made` tells (node, output) by resource name. `new` has no id that `old` has. A workflow that takes nothing from
    earlier results comes back as it is.
    """
    ids = frozenset(old.ids())
    taken = {r.name: made[r.name] for r in new.resources if r.name in made and made[r.name][0] in ids}
    if not taken:
        return new
    kept = old.upstream(*(node for node, _ in taken.values()))
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
        {name: place for name, place in old.positions.items() if name in resources},
        decorations=old.decorations, waypoints={link: old.waypoints[link] for link in links if link in old.waypoints},
    )  # fmt: skip


@dataclass(frozen=True)
class Pending:
    """What a graph has yet to make, by name: resources without content, and the (node, output) of each."""

    resources: Mapping[str, Resource] = field(default_factory=dict)
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @staticmethod
    def of(
        workflow: Workflow, tools: Mapping[str, Tool], made: Mapping[str, tuple[str, str]], taken: Collection[str]
    ) -> Pending:
        """What the last nodes of the graph give and is not `made`; the names are none of `taken`. Nothing of a graph
        with a circle."""
        try:
            names = Names(workflow, workflow.order(), workflow.links_by_target, tools)
        except BadWorkflow:
            return Pending()
        there, places = {*made.values()}, dict[str, tuple[str, str]]()
        resources: dict[str, Resource] = {}
        for node, output in workflow.results(tools):
            type = workflow.type_of(node, output, tools)
            if type is not None and (node, output) not in there:
                name = unused_name(names.stem(node, output), {*taken, *places}.__contains__)
                places[name] = (node, output)
                resources[name] = Resource(name, type, "", "", made_by=node)
        return Pending(resources, places)


def beside(old: Workflow, new: Workflow, tools: Mapping[str, Tool], told: Collection[ResourceType]) -> Workflow:
    """`new`, where it only gives what is `told` in words of something that `old` works on, with what `old` makes
    otherwise: a question takes the place of no picture. As it is where it is no such question. `new` has no id that
    `old` has, but for nodes of `old` itself.
    """
    here = {*new.ids(), *(resource.name for resource in new.resources)}
    shared = here & {*old.ids(), *(resource.name for resource in old.resources)}
    if not shared or not all(new.type_of(*end, tools) in told for end in new.results(tools)):
        return new
    ends = [id for id in old.ids() if not old.links_by_source.get(id) and old.node(id).tool in tools]
    ends = [id for id in ends if not {port.type for port in tools[old.node(id).tool].outputs} <= {*told}]
    left = old.upstream(*ends) | {*ends}
    if left <= here:
        return new
    places = {name: place for name, place in old.positions.items() if name in left or name in shared}
    return replace(
        new,
        resources=(*new.resources, *(one for one in old.resources if one.name in left - here)),
        nodes=(*(node for node in old.nodes if node.id in left - here), *map(_without_place, new.nodes)),
        links=tuple(dict.fromkeys((*(link for link in old.links if link.target in left), *new.links))),
        wanted=new.results(tools),
        positions=places,
        decorations=old.decorations,
        waypoints={link: way for link, way in old.waypoints.items() if link.target in left},
    )


def placed(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> tuple[Placed, ...]:
    """The graph as the planner is told of it, each node after those that feed it; () for one that is too large to be
    told, or that has a circle.
    """
    if len(workflow.nodes) > MOST_TOLD:
        return ()
    try:
        order = workflow.order()
    except BadWorkflow:
        return ()
    return tuple(_placed(workflow, workflow.node(id), run, tools) for id in order)


def _placed(workflow: Workflow, node: Node, run: Run, tools: Mapping[str, Tool]) -> Placed:
    ports = {port.name: port for port in tools[node.tool].inputs} if node.tool in tools else {}
    arguments: dict[str, Any] = dict(node.values)
    for link in workflow.links_into(node.id):
        source = FromResource(link.source) if link.output == RESOURCE_OUTPUT else FromNode(link.source, link.output)
        before = arguments.get(link.port)
        many = link.port in ports and ports[link.port].many
        linked = (
            before if isinstance(before, tuple) else (before,) if isinstance(before, FromNode | FromResource) else ()
        )
        arguments[link.port] = (*linked, source) if many or linked else source
    record = run.nodes.get(node.id, NodeRun())
    results = {output: tuple(one.name for one in several(value)) for output, value in record.outputs.items()}
    return Placed(Step(node.id, node.tool, arguments), str(record.state), results)


def onto(old: Workflow, new: Workflow, kept: Collection[str]) -> Workflow:
    """`new`, whose nodes `kept` are those of `old` with other values perhaps: what else belongs to them stays."""
    if not kept:
        return new
    nodes = [_kept(old.node(node.id), node) if node.id in kept else _without_place(node) for node in new.nodes]
    ways = {link: old.waypoints[link] for link in new.links if link in old.waypoints}
    places = {name: place for name, place in old.positions.items() if new.resource(name)}
    return replace(new, nodes=tuple(nodes), decorations=old.decorations, waypoints=ways, positions=places)


def _kept(old: Node, new: Node) -> Node:
    origins = {port: origin for port, origin in old.origins.items() if new.values.get(port) == old.values.get(port)}
    return replace(old, values=new.values, origins={**origins, **new.origins})


def set_apart(workflow: Workflow, kept: Collection[str] = ()) -> Workflow:
    """With ids that no node of another graph has, until `settled` gives it those that it keeps; `kept` have theirs."""
    return workflow.with_names({id: f"{NEW}{id}" for id in workflow.ids() if id not in kept})


def settled(
    workflow: Workflow, tools: Mapping[str, Tool], taken: set[str], shared: MutableMapping[str, str]
) -> tuple[Workflow, dict[str, str]]:
    """With ids for the nodes that were `set_apart`, and these by the ids before that: none of `taken`, unless it is the
    very same node as one that is here already.

    `shared` tells by trace the ids of those, such as the nodes of the other alternatives of a plan. A node of the same
    trace gets the same id, so that all that is known of it stays known. What is given is added to both.
    """
    known, names = traces(workflow, tools), dict[str, str]()
    here = {id for id in workflow.ids() if not id.startswith(NEW)}
    taken |= here
    for id in workflow.ids():
        if id in here:
            continue
        trace = known.get(id, id)
        same = shared.get(trace, "")
        names[id] = same if same and same not in here else _unused(id.removeprefix(NEW), taken)
        here.add(names[id])
        taken.add(names[id])
        shared.setdefault(trace, names[id])
    return workflow.with_names(names), {id.removeprefix(NEW): new for id, new in names.items()}


def _unused(id: str, taken: Collection[str]) -> str:
    return id if id not in taken else unused_name(re.sub(r"_\d+$", "", id), taken.__contains__)


def free_names(workflow: Workflow, known: Mapping[str, Resource], ids: Collection[str]) -> dict[str, str]:
    """Names for the resources of a workflow that comes in from outside, by those that they have: in the conversation a
    name stands for one content, and never for a node.
    """
    names: dict[str, str] = {}
    for resource in workflow.resources:
        others = {name for name, other in known.items() if other.contents != resource.contents}
        names[resource.name] = unused_name(resource.name, {*others, *ids, *names.values()}.__contains__, NUMBERED_FILE)
    return names


def with_ids(solution: Solution, names: Mapping[str, str]) -> Solution:
    """The solution, with the ids of its steps as they are in the graph that was made of it."""

    def source(item: Any) -> Any:
        return replace(item, node=names.get(item.node, item.node)) if isinstance(item, FromNode) else item

    return replace(
        solution,
        steps=tuple(replace(rewired(step, source), id=names.get(step.id, step.id)) for step in solution.steps),
        wanted=tuple((names.get(id, id), output) for id, output in solution.wanted),
        questions=tuple(
            replace(question, step=names.get(question.step, question.step)) for question in solution.questions
        ),
        backends={names.get(id, id): backend for id, backend in solution.backends.items()},
        reasons={names.get(id, id): reason for id, reason in solution.reasons.items()},
    )


def _without_place(node: Node) -> Node:
    return replace(node, position=None)
