"""Edits of a workflow by hand: each takes a workflow and returns another. Pure; the window asks, the Session keeps."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from desktop_app.core.errors import BadWorkflow
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.graph import connect
from desktop_app.graph.decorations import pair
from desktop_app.graph.workflow import Link, Node, Workflow, new_id
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType, Tool

Place = tuple[float, float]
SHIFT = 32.0
STEP_WIDTH = 240.0
"""How far to the right of a node a new one behind it stands."""


def joined(workflow: Workflow, tools: Mapping[str, Tool], link: Link) -> Workflow:
    """With the link, and without a typed-in value of its port. The same workflow when the link does not fit."""
    if connect.refusal(workflow, tools, link) is not None:
        return workflow
    target = workflow.node(link.target)
    port = tools[target.tool].input(link.port)
    if link.port in target.values:
        values = {name: value for name, value in target.values.items() if name != link.port}
        workflow = workflow.with_node(replace(target, values=values))
    return workflow.with_link(link, many=bool(port and port.many))


def moved_link(workflow: Workflow, tools: Mapping[str, Tool], old: Link, new: Link) -> Workflow:
    """The link taken off its port and put on another; the same workflow when it does not fit there."""
    without = workflow.without_link(old)
    after = joined(without, tools, new)
    return workflow if after is without else after


def added(workflow: Workflow, tool: Tool, place: Place) -> tuple[Workflow, str]:
    """With a new node of the tool at that place, and the node's id."""
    node = Node(new_id(), tool.id, position=place)
    return workflow.with_node(node), node.id


def added_after(
    workflow: Workflow, tools: Mapping[str, Tool], tool: Tool, place: Place, source: str, output: str
) -> tuple[Workflow, str]:
    """With a new node that takes what leaves `source` there."""
    after, id = added(workflow, tool, place)
    given = workflow.type_of(source, output, tools)
    port = connect.first_fitting_input(tool, given) if given else None
    return (joined(after, tools, Link(source, output, id, port.name)) if port else after), id


def added_before(
    workflow: Workflow, tools: Mapping[str, Tool], tool: Tool, place: Place, target: str, port: str
) -> tuple[Workflow, str]:
    after, id = added(workflow, tool, place)
    wanted = tools[workflow.node(target).tool].input(port)
    output = connect.first_fitting_output(tool, wanted) if wanted else None
    return (joined(after, tools, Link(id, output.name, target, port)) if output else after), id


def inserted(workflow: Workflow, tools: Mapping[str, Tool], node: str, link: Link) -> Workflow | None:
    """The node put into the link: what came through now goes through the node. None when it does not fit."""
    tool = tools.get(workflow.node(node).tool)
    target = tools.get(workflow.node(link.target).tool)
    given = workflow.type_of(link.source, link.output, tools)
    wanted = target.input(link.port) if target else None
    if tool is None or wanted is None or given is None or node in (link.source, link.target):
        return None
    taken = frozenset(k.port for k in workflow.links if k.target == node)
    port, output = connect.first_fitting_input(tool, given, taken), connect.first_fitting_output(tool, wanted)
    if port is None or output is None or port.name in taken:
        return None
    first, second = Link(link.source, link.output, node, port.name), Link(node, output.name, link.target, link.port)
    bare = workflow.without_link(link)
    if connect.refusal(bare, tools, first) or connect.refusal(joined(bare, tools, first), tools, second):
        return None
    half = joined(workflow, tools, first)
    if wanted.many:  # keep the place in the order of what comes in
        return replace(half, links=tuple(second if old == link else old for old in half.links))
    return joined(half, tools, second)


def passed_through(
    workflow: Workflow, tools: Mapping[str, Tool], tool: Tool, values: Mapping[str, object], source: str, output: str
) -> Workflow:
    """With a new node, to the right of `source`, through which all that leaves `source` there goes on; where that is
    a wanted result, what the node makes is wanted instead.
    """
    x, y = workflow.node(source).position or (0.0, 0.0)
    after, id = added_after(workflow, tools, tool, (x + STEP_WIDTH, y), source, output)
    for name, value in values.items():
        after = after.with_value(id, name, value)
    for link in (one for one in workflow.links if (one.source, one.output) == (source, output)):
        wanted = tools[workflow.node(link.target).tool].input(link.port)
        made = connect.first_fitting_output(tool, wanted) if wanted else None
        new = Link(id, made.name, link.target, link.port) if made is not None else link
        if connect.refusal(after.without_link(link), tools, new) is None:  # in its place: the order may matter
            after = replace(after, links=tuple(new if one == link else one for one in after.links))
    ends = [(id, tool.outputs[0].name) if end == (source, output) else end for end in workflow.wanted]
    return replace(after, wanted=tuple(ends))


def taken_out(workflow: Workflow, tools: Mapping[str, Tool], ids: Iterable[str]) -> Workflow:
    """Without these nodes: what took their results takes what they worked on, where it fits. Nodes that only served
    them go too.
    """
    for id in ids:
        before, into, ends = workflow, workflow.links_into(id), []
        for link in workflow.links_by_source.get(id, ()):
            target = workflow.node(link.target)
            port = tools[target.tool].input(link.port) if target.tool in tools else None
            source = _passed_on(workflow, tools, into, port.type if port else None)
            if source is not None:
                new = replace(link, source=source.source, output=source.output)
                links = (new if old == link else old for old in workflow.links)
                workflow = replace(workflow, links=tuple(dict.fromkeys(links)))
        for node, output in workflow.wanted:
            source = _passed_on(workflow, tools, into, workflow.type_of(node, output, tools))
            if node != id:
                ends.append((node, output))
            elif source is not None and source.source in workflow.ids():
                ends.append((source.source, source.output))
        outputs = tools[workflow.node(id).tool].outputs if workflow.node(id).tool in tools else ()
        heir = _passed_on(workflow, tools, into, outputs[0].type if outputs else None) or next(iter(into), None)
        kept = {*(node for node, _ in ends), *([heir.source] if heir else ())}
        after = replace(workflow, wanted=tuple(dict.fromkeys(ends))).without(id)
        workflow = _without_idle(before, after, kept)
    return workflow


def with_tool(
    workflow: Workflow, tools: Mapping[str, Tool], id: str, tool: Tool, values: Mapping[str, object]
) -> Workflow:
    """With another tool in the place of that node's, with these values. What came in and what took the result is
    linked where it fits; a link that fits nowhere goes.
    """
    node = replace(workflow.node(id), tool=tool.id, values=dict(values), backend=None, origins={}, title="")
    own = [link for link in workflow.links if id in (link.source, link.target)]
    after = replace(workflow, links=tuple(link for link in workflow.links if link not in own)).with_node(node)
    ports: dict[str, str] = {}
    for link in sorted(own, key=lambda link: link.target == id and tool.input(link.port) is None):
        given = workflow.type_of(link.source, link.output, tools)
        new = replace(link, port=ports.get(link.port) or _port_like(link.port, tool, given, {*ports.values()}))
        if link.source == id:
            wanted = tools[workflow.node(link.target).tool].input(link.port)
            output = connect.first_fitting_output(tool, wanted) if wanted else None
            new = replace(link, output=output.name if output else "")
        if connect.refusal(after, tools, new) is None:
            after = after.with_link(new, many=True)
            if link.target == id:
                ports[link.port] = new.port
    ends = [(id, tool.outputs[0].name) if end[0] == id else end for end in workflow.wanted]
    return replace(after, wanted=tuple(dict.fromkeys(ends)))


def _port_like(name: str, tool: Tool, given: ResourceType | None, taken: Collection[str]) -> str:
    """The input of that name where it takes this, else a free one that does; "" where none does."""
    same = tool.input(name)
    if given is None or (same is not None and connect.accepts(same, given)):
        return name
    port = connect.first_fitting_input(tool, given, frozenset(taken))
    return port.name if port is not None and port.name not in taken else ""


def ended_at(workflow: Workflow, tools: Mapping[str, Tool], id: str) -> Workflow:
    """With nothing after that node: its results are what is wanted."""
    after = workflow.downstream(id) - {id}
    ends = tuple((id, output.name) for output in tools[workflow.node(id).tool].outputs)
    return _without_idle(workflow, replace(workflow.without(*after), wanted=ends[:1]), {id})


def with_file(workflow: Workflow, old: str, new: Resource, beside: bool = False) -> Workflow:
    """With a file in the place of the file `old`; `beside` it, so that what works on it works on each of both."""
    links = []
    for link in workflow.links:
        other = replace(link, source=new.name)
        links += [link] if link.source != old else [link, other] if beside else [other]
    changed = replace(workflow.with_resource(new), links=tuple(dict.fromkeys(links)))
    place = workflow.positions.get(old)
    if beside or place is None:
        return changed if beside else changed.without(old)
    return placed(changed.without(old), {new.name: place})


def relinked(workflow: Workflow, port: tuple[str, str], sources: Iterable[tuple[str, str]]) -> Workflow:
    """With these (node or file, output) going into the port (node, name), in order, in the place of what does now."""
    kept = [link for link in workflow.links if (link.target, link.port) != port]
    return replace(workflow, links=(*kept, *(Link(source, output, *port) for source, output in sources)))


def _passed_on(
    workflow: Workflow, tools: Mapping[str, Tool], into: Iterable[Link], wanted: ResourceType | None
) -> Link | None:
    """The first of the links into a node that brings what is wanted."""
    for link in into:
        given = workflow.type_of(link.source, link.output, tools)
        if given is not None and wanted is not None and given.is_a(wanted):
            return link
    return None


def _without_idle(before: Workflow, after: Workflow, kept: Collection[str]) -> Workflow:
    """Without nodes that fed something before and feed nothing now, but for those that are `kept`."""
    while True:
        fed = (id for id in after.ids() if before.links_by_source.get(id) and not after.links_by_source.get(id))
        idle = [id for id in fed if id not in kept]
        if not idle:
            return after
        after = after.without(*idle)


def converted(
    workflow: Workflow, tools: Mapping[str, Tool], link: Link, converter: Tool, place: Place
) -> tuple[Workflow, str]:
    """With the converter between the ends of a link that does not fit, and the converter's id."""
    after, id = added_before(workflow, tools, converter, place, link.target, link.port)
    given = workflow.type_of(link.source, link.output, tools)
    port = connect.first_fitting_input(converter, given) if given else None
    return (joined(after, tools, Link(link.source, link.output, id, port.name)) if port else after), id


def placed(workflow: Workflow, places: Mapping[str, Place]) -> Workflow:
    nodes = tuple(replace(n, position=places.get(n.id, n.position)) for n in workflow.nodes)
    of_resources = {r.name: places[r.name] for r in workflow.resources if r.name in places}
    return replace(workflow, nodes=nodes, positions={**workflow.positions, **of_resources})


def swapped(workflow: Workflow, name: str, file: Resource) -> Workflow:
    """With another file in the place of the resource `name`: what took that takes this."""

    def moved(link: Link) -> Link:
        return replace(link, source=file.name) if link.source == name else link

    others = [file if r.name == name else r for r in workflow.resources if r.name != file.name or r.name == name]
    places = {file.name if card == name else card: place for card, place in workflow.positions.items()}
    dots = {moved(link): through for link, through in workflow.waypoints.items()}
    links = tuple(dict.fromkeys(map(moved, workflow.links)))
    return replace(workflow, resources=tuple(others), links=links, positions=places, waypoints=dots)


def copied(workflow: Workflow, ids: Iterable[str]) -> str:
    """The cards and the links between them as text; `pasted` reads it."""
    chosen = set(ids)
    part = replace(
        workflow,
        resources=tuple(r for r in workflow.resources if r.name in chosen),
        nodes=tuple(n for n in workflow.nodes if n.id in chosen),
        links=tuple(k for k in workflow.links if k.target in chosen),
        wanted=(),
        positions={name: place for name, place in workflow.positions.items() if name in chosen},
        decorations=tuple(d for d in workflow.decorations if d.id in chosen),
    )
    return json.dumps({"graphwright": part.to_json()}, ensure_ascii=False)


def pasted(workflow: Workflow, text: str, at: Place | None = None) -> tuple[Workflow, tuple[str, ...]]:
    """With the copied nodes under new ids, and those ids. The top left corner of all comes to `at`, by default a little
    off where they were copied; never exactly on what is there. Raises BadWorkflow when the text holds no nodes or a
    circle.

    Links from cards that were not copied are kept when those cards are in this workflow.
    """
    try:
        data = json.loads(text)
        data = data if "format" in data else data["graphwright"]  # a whole workflow as text is taken as well
        part = Workflow.from_json({**data, "links": []})
        outer = [
            (Link(k["source"], k["output"], k["target"], k["port"]), [pair(place) for place in k.get("through", ())])
            for k in data["links"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise BadWorkflow("What was copied are not nodes.", "Copy nodes of a graph first.") from error
    names = {id: new_id() for id in (*part.ids(), *(d.id for d in part.decorations))}
    after, new_ids, shift = workflow, tuple(names.values()), _shift(workflow, part, at)
    for resource in part.resources:
        same = workflow.resource(resource.name)
        if same is not None and same.contents != resource.contents:  # from another conversation: not that file
            taken = {*workflow.ids(), *(r.name for r in after.resources)}
            names[resource.name] = unused_name(resource.name, taken.__contains__, NUMBERED_FILE)
        if same is None or resource.name in names:
            name = names.get(resource.name, resource.name)
            after = after.with_resource(replace(resource, name=name))
            if resource.name in part.positions:
                after = placed(after, {name: _shifted(part.positions[resource.name], shift)})
    for node in part.nodes:
        place = _shifted(node.position, shift) if node.position else None
        after = after.with_node(replace(node, id=names[node.id], position=place))
    for decoration in part.decorations:
        moved = _shifted(decoration.place, shift)
        after = after.with_decoration(replace(decoration, id=names[decoration.id], place=moved))
    known = {*after.ids(), *(r.name for r in after.resources)}
    for link, dots in outer:
        new = replace(link, source=names.get(link.source, link.source), target=names.get(link.target, link.target))
        if new.source in known and new.target in known:
            after = after.with_link(new, many=True)
            after = after.with_waypoints(new, tuple(_shifted(dot, shift) for dot in dots))
    after.order()  # a damaged copy may run in a circle
    return after, new_ids


def _shift(workflow: Workflow, part: Workflow, at: Place | None) -> Place:
    """By how much what is pasted goes right and down."""
    places = [*(n.position for n in part.nodes if n.position), *(d.place for d in part.decorations)]
    places += [place for name, place in part.positions.items() if workflow.resource(name) is None]
    left, top = (min((place[axis] for place in places), default=0.0) for axis in (0, 1))
    by = (at[0] - left, at[1] - top) if at is not None else (SHIFT, SHIFT)
    taken = {n.position for n in workflow.nodes} | {d.place for d in workflow.decorations}
    while any(_shifted(place, by) in taken for place in places):
        by = by[0] + SHIFT, by[1] + SHIFT
    return by


def _shifted(place: Place, by: Place) -> Place:
    return place[0] + by[0], place[1] + by[1]


def duplicated(workflow: Workflow, ids: Iterable[str]) -> tuple[Workflow, tuple[str, ...]]:
    """With copies of these nodes, notes and frames, fed by what feeds the originals, and the ids of the copies.

    Resources stay.
    """
    nodes = [id for id in ids if id in workflow.ids() or workflow.decoration(id) is not None]
    return pasted(workflow, copied(workflow, nodes)) if nodes else (workflow, ())
