"""What was painted by hand, or is several things, put into a workflow: masks kept in the store, joined where wanted.

Must not know the window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.storage.resources import Resource, Store
from nodes.api import Point, Port, ResourceType, Tool

DRAWN_ON = "drawn_on"
"""Facet of a mask that was drawn by hand: the name of the picture. With it go "drawing", "points" and "reading"."""
EDGES = ("grow", "feather")
"""The inputs, set by hand, with which a tool moves the edge of its mask and softens it, in pixels."""


@dataclass(frozen=True)
class HandDrawnMask:
    """What the user marked in a picture where points alone do not say it.

    `points` and `reading` ("" for the tool's own) are for a tool that finds the rest; `mask` is uint8 (height, width),
    255 selected, 0 not, 128 left to the tool, or None when all is left to it. `place` is a point in the thing meant
    last. `drawing` is plain data from which the marks can be shown again. `grow` and `feather` are what the tool does
    with the edge, in pixels.
    """

    points: tuple[Point, ...] = ()
    reading: str = ""
    mask: Any = None
    place: Point | None = None
    drawing: Any = None
    grow: int = 0
    feather: int = 0

    @property
    def said(self) -> tuple[Point, ...]:
        """What "this" means in the next request."""
        return self.points or ((self.place,) if self.place else ())


def keep(store: Store, name: str, drawn: HandDrawnMask) -> Resource | None:
    """The mask that was drawn on the resource `name`, kept in the store; None when there is none. Waits for the disk.

    Raises StorageError.
    """
    if drawn.mask is None:
        return None
    digest, suffix = store.put_value(drawn.mask, ResourceType.MASK)
    height, width = drawn.mask.shape
    facets = {
        "width": width,
        "height": height,
        DRAWN_ON: name,
        "drawing": drawn.drawing,
        "points": [[p.x, p.y, p.include] for p in drawn.points],
        "reading": drawn.reading,
        "grow": drawn.grow,
        "feather": drawn.feather,
        "place": list(drawn.place) if drawn.place else None,
    }
    return Resource(f"{Path(name).stem}_mask{suffix}", ResourceType.MASK, digest, suffix, facets)


def with_drawn(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    targets: Iterable[tuple[str, str]],
    drawn: HandDrawnMask,
    resource: Resource | None,
) -> Workflow:
    """The workflow with what was drawn in its (node, port) `targets`.

    A port for masks is joined to the `resource`. A port for clicks gets the points; the reading and the resource go to
    the ports that its tool has for them, as does what becomes of the edge, and what was there before goes.
    """
    for node, name in targets:
        tool = tools[workflow.node(node).tool]
        port = tool.input(name)
        if port is not None and port.type is ResourceType.MASK:
            workflow = _joined(workflow, node, name, resource)
            continue
        workflow = workflow.with_value(node, name, [[p.x, p.y, p.include] for p in drawn.points])
        for other in tool.inputs:
            if other.by_hand and other.type is ResourceType.MASK:
                workflow = _joined(workflow, node, other.name, resource)
            elif other.by_hand and other.choices:
                workflow = _set(workflow, node, other, drawn.reading or other.default)
        for other, value in zip(edge_ports(tool), (drawn.grow, drawn.feather), strict=False):
            workflow = _set(workflow, node, other, value)
    return workflow


def edge_ports(tool: Tool) -> tuple[Port, ...]:
    """Those two of EDGES; () when the tool has not both."""
    found = (tool.input(name) for name in EDGES)
    ports = tuple(port for port in found if port is not None and port.by_hand and port.type is ResourceType.NUMBER)
    return ports if len(ports) == len(EDGES) else ()


def edge_of(workflow: Workflow, tool: Tool, node: str) -> tuple[int, int] | None:
    """(grow, feather) of the node, None where its tool cannot or where they come by links."""
    ports = edge_ports(tool)
    linked = {link.port for link in workflow.links_into(node)}
    if not ports or linked & set(EDGES):
        return None
    values = workflow.node(node).values
    grow, feather = (values.get(port.name, port.default) for port in ports)
    return int(grow), int(feather)


def _joined(workflow: Workflow, node: str, port: str, resource: Resource | None) -> Workflow:
    """The resource joined to the port, or nothing when it is None; a drawing that nothing takes any more goes."""
    before = [link for link in workflow.links_into(node) if link.port == port]
    for link in before:
        workflow = workflow.without_link(link)
    if resource is not None:
        workflow = workflow.with_resource(resource).with_link(Link(resource.name, RESOURCE_OUTPUT, node, port))
    for link in before:
        old = workflow.resource(link.source)
        if old is not None and DRAWN_ON in old.facets and old.name not in workflow.links_by_source:
            workflow = workflow.without(old.name)
    return workflow


def _set(workflow: Workflow, node: str, port: Port, value: Any) -> Workflow:
    """The value in the port, or nothing where that is its default."""
    values = {name: old for name, old in workflow.node(node).values.items() if name != port.name}
    if value != port.default:
        values[port.name] = value
    return workflow.with_node(replace(workflow.node(node), values=values))


def latest(
    resources: Iterable[Resource], points: Mapping[str, Sequence[Point]]
) -> dict[str, tuple[HandDrawnMask, Resource]]:
    """What was drawn last on each picture, by its name, as far as the `points` held for the picture are still those."""
    found = {}
    for resource in resources:
        name = resource.facets.get(DRAWN_ON)
        if name:
            found.pop(name, None)
            drawn = _read(resource)
            if drawn.said == tuple(points.get(name, ())):
                found[name] = (drawn, resource)
    return found


def open_targets(workflow: Workflow, targets: Iterable[tuple[str, str]], drawn: HandDrawnMask) -> list[tuple[str, str]]:
    """Those of the (node, port) targets that hold no other points."""
    said = [list(point) for point in drawn.said]
    return [(node, port) for node, port in targets if workflow.node(node).values.get(port) in (None, said)]


def _read(resource: Resource) -> HandDrawnMask:
    facets = resource.facets
    points = tuple(Point(*point) for point in facets.get("points", ()))
    place = facets.get("place")
    edge = facets.get("grow", 0), facets.get("feather", 0)
    shown = facets.get("drawing")
    return HandDrawnMask(points, facets.get("reading", ""), None, Point(*place) if place else None, shown, *edge)


def drawing_of(workflow: Workflow, node: str) -> Any:
    """The plain data from which what was drawn for the node can be shown again; None when nothing was."""
    for link in workflow.links_into(node):
        resource = workflow.resource(link.source)
        if resource is not None and resource.facets.get("drawing"):
            return resource.facets["drawing"]
    return None


def is_drawn(workflow: Workflow, tool: Tool, node: str) -> bool:
    """True when a mask that was drawn by hand is joined to the node, beside clicks or in place of them."""
    ports = {port.name for port in tool.inputs if port.by_hand and port.type is ResourceType.MASK}
    sources = (workflow.resource(link.source) for link in workflow.links_into(node) if link.port in ports)
    return any(resource is not None and DRAWN_ON in resource.facets for resource in sources)
