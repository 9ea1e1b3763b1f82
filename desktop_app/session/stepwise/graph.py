"""A chosen step in the graph: its node and links, and back from a node to a step; in words too.

Must not know who chose it, nor how it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.core.values import several, unused_name
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.plan.modes.stepwise import MOST_PICTURES, Done, StepResult
from desktop_app.plan.types import FromResource, Step
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.stepwise import observations
from desktop_app.storage.resources import Resource
from nodes.api import NodeError, ResourceType, Tool
from nodes.phrase import joined

Made = Mapping[str, tuple[str, str]]
"""(node, output) by the name of the resource that was made there."""
_READ = frozenset(
    ResourceType(name) for name in ("text", "number", "flag", "labels", "boxes", "table", "url", "mask", "image")
)
_LARGEST_READ = 64 << 20


def grown(
    workflow: Workflow,
    step: Step,
    resources: Mapping[str, Resource],
    run: Run,
    made: Made,
    taken: Collection[str] = (),
) -> tuple[Workflow, str]:
    """The workflow with the step as one more node, linked to what made its inputs; and the node's id.

    That is none of `taken`.
    """
    id = unused_name(step.tool, {*workflow.ids(), *taken}.__contains__)
    values: dict[str, Any] = {}
    links: list[Link] = []
    used: list[Resource] = []
    for port, argument in step.arguments.items():
        names = _names(argument)
        if not names and argument != ():
            values[port] = list(argument) if isinstance(argument, tuple) else argument
        for name in names:
            place = _place(name, names, workflow, run, made)
            links.append(Link(*(place or (name, RESOURCE_OUTPUT)), id, port))
            if place is None and name in resources:
                used.append(resources[name])
    for resource in used:
        workflow = workflow.with_resource(resource)
    nodes = (*workflow.nodes, Node(id, step.tool, values))
    return replace(workflow, nodes=nodes, links=(*workflow.links, *dict.fromkeys(links))), id


def _names(argument: Any) -> tuple[str, ...]:
    items = several(argument)
    return tuple(item.name for item in items if isinstance(item, FromResource))


def _place(name: str, names: Collection[str], workflow: Workflow, run: Run, made: Made) -> tuple[str, str] | None:
    """The output that the resource comes from; None for what was brought, and for one of several that an output made
    when not all of them are meant.
    """
    node, output = made.get(name, ("", ""))
    if node not in workflow.ids():
        return None
    value = run.nodes.get(node, NodeRun()).outputs.get(output)
    alone = not isinstance(value, tuple) or {one.name for one in value} <= set(names)
    return (node, output) if alone else None


def step_of(workflow: Workflow, id: str, run: Run) -> Step:
    """A node as a step: inputs by the names of resources, as it would run now."""
    node = workflow.node(id)
    arguments: dict[str, Any] = dict(node.values)
    for link in workflow.links_into(id):
        value = run.nodes.get(link.source, NodeRun()).outputs.get(link.output)
        made = several(value)
        names = tuple(r.name for r in made) or ((link.source,) if link.output == RESOURCE_OUTPUT else ())
        arguments.setdefault(link.port, ())
        if isinstance(arguments[link.port], tuple):
            arguments[link.port] += tuple(FromResource(name) for name in names)
    for port, value in arguments.items():
        if isinstance(value, tuple) and len(value) == 1:
            arguments[port] = value[0]
    return Step(id, node.tool, arguments)


def done(step: Step, record: NodeRun, value_of: Callable[[Resource], Any], shows: bool = False) -> Done:
    """The step with what its run came to; `shows`, with small pictures of it. Reads short results, so it is called on a
    thread.
    """
    if record.state != "done":
        return Done(step, trouble=joined(record.message, record.fix) or f"It was {record.state or 'not run'}.")
    results = []
    for output, value in record.outputs.items():
        for resource in several(value):
            read = _value(resource, value_of)
            picture = observations.thumbnail(resource, read) if shows and len(results) < MOST_PICTURES else ""
            about = observations.about(resource, read)
            results.append(StepResult(resource.name, str(resource.type), output, about, picture))
    return Done(step, tuple(results))


def _value(resource: Resource, value_of: Callable[[Resource], Any]) -> Any:
    pixels = int(resource.facets.get("width", 0)) * int(resource.facets.get("height", 0))
    read = resource.type in _READ or resource.type.is_a(ResourceType.IMAGE)
    if not read or pixels * 3 > _LARGEST_READ:
        return None
    try:
        return value_of(resource)
    except (AppError, NodeError):
        return None


def leaves(workflow: Workflow, ids: Collection[str], tools: Mapping[str, Tool]) -> tuple[tuple[str, str], ...]:
    """Outputs of these nodes that no link takes."""
    after = workflow.links_by_source
    return tuple(
        (node.id, port.name)
        for node in workflow.nodes
        if node.id in ids and node.tool in tools
        for port in tools[node.tool].outputs
        if all(link.output != port.name for link in after.get(node.id, ()))
    )


def told_of(run: Run, workflow: Workflow, ids: Collection[str]) -> Run:
    """The run as an answer about these nodes needs it: with the places that they count, without older texts."""
    quiet = (ResourceType.BOXES, ResourceType.IMAGE, ResourceType.MASK)

    def matters(id: str, node: NodeRun) -> bool:
        values = [v for value in node.outputs.values() for v in several(value)]
        return id in ids or (id in workflow.ids() and bool(values) and all(v.type in quiet for v in values))

    return replace(run, nodes={id: node for id, node in run.nodes.items() if matters(id, node)})


def in_words(step: Step, tools: Mapping[str, Tool]) -> str:
    """ "Cartoon: photo_depth_map.png, tones 6"."""
    tool = tools.get(step.tool)
    title = tool.title if tool else step.tool
    order = [port.name for port in tool.inputs] if tool else list(step.arguments)
    known = [(port, step.arguments[port]) for port in order if port in step.arguments]
    said = [part for port, value in known if (part := _said(port, value))]
    return f"{title}: {', '.join(said)}" if said else title


def _said(port: str, value: Any) -> str:
    names = _names(value)
    if names:
        more = catalogue.say("{name} and {n} more", name=names[0], n=len(names) - 1)
        return catalogue.say(" and ").join(names) if len(names) < 4 else more
    if isinstance(value, list | tuple):
        what = catalogue.port(port)
        return f"{len(value)} {what.removesuffix('s') if len(value) == 1 else what}" if value else ""
    if isinstance(value, bool):
        return f"{catalogue.port(port)} {catalogue.say('on') if value else catalogue.say('off')}"
    shown = f"{value:g}" if isinstance(value, float) else catalogue.choice(str(value))
    return f"{catalogue.port(port)} {shown if len(shown) < 80 else shown[:79] + '…'}"


def taken_back(before: Workflow, after: Workflow, tools: Mapping[str, Tool], run: Run) -> str:
    """What an undo took back, in words, and what the result is now."""
    gone = [tools[n.tool].title if n.tool in tools else n.tool for n in before.nodes if n.id not in after.ids()]
    joined = catalogue.say(" and ").join(gone)
    said = catalogue.say("Took back {what}.", what=joined) if gone else catalogue.say("Took back the last change.")
    names = [
        resource.name
        for node, output in after.wanted
        if (value := run.nodes.get(node, NodeRun()).outputs.get(output)) is not None
        for resource in several(value)
    ]
    now = catalogue.say("The result is {names} again.", names=f"**{'**, **'.join(names)}**")
    return f"{said} {now}" if names else said


def listed(items: Sequence[Done], tools: Mapping[str, Tool]) -> str:
    """What was done, as a list in Markdown; "" for nothing."""
    lines = []
    for one in items:
        made = ", ".join(f"**{result.name}**" for result in one.results)
        lines.append(f"- {in_words(one.step, tools)} → {made or catalogue.translated(one.trouble)}")
    return "\n".join(lines)
