"""Where the user has clicked: checked against the picture, and put into every step that waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Workflow
from desktop_app.session.inputs.open_ports import Pictures, pointed_at
from desktop_app.storage.resources import Resource
from nodes.api import Point, Tool
from nodes.phrase import Phrase


def check_points(resource: Resource | None, name: str, points: Sequence[Point], known: Iterable[str]) -> None:
    """Raises BadRequest when there is no such resource, or a point lies outside of it."""
    if resource is None:
        raise BadRequest(
            Phrase("There is no resource '{name}' to point at.", name=name),
            Phrase("Attached: {names}.", names=", ".join(known) or Phrase("none")),
        )
    width, height = resource.facets.get("width", 0), resource.facets.get("height", 0)
    for x, y, _ in points:
        if not (0 <= x < width and 0 <= y < height):
            raise BadRequest(
                Phrase(
                    "The point {x},{y} lies outside {name} ({width} × {height} pixels).",
                    x=f"{x:g}",
                    y=f"{y:g}",
                    name=name,
                    width=width,
                    height=height,
                ),
                Phrase("x goes from 0 to {width}, y from 0 to {height}.", width=width - 1, height=height - 1),
            )


def waiting_for(workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str) -> str:
    """The first node with a `picked_on` port whose picture is `name`, "" when there is none."""
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        for port in tool.inputs if tool else ():
            if port.picked_on and pointed_at(workflow, node.id, port.picked_on, pictures) == name:
                return node.id
    return ""


def with_points(
    workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str, points: tuple[Point, ...]
) -> Workflow:
    """The workflow with every `picked_on` port whose picture is `name` filled with the points."""
    clicks = [[p.x, p.y, p.include] for p in points]
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        linked = {link.port for link in workflow.links_into(node.id)}
        for port in tool.inputs if tool else ():
            if port.picked_on and port.name not in linked:
                on = pointed_at(workflow, node.id, port.picked_on, pictures)
                if on == name and node.values.get(port.name) != clicks:
                    workflow = workflow.with_value(node.id, port.name, clicks)
    return workflow


def pointed(workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, name: str) -> list[tuple[str, str]]:
    """The (node, port) pairs that take clicks on the resource `name`."""
    return [
        (node.id, port.name)
        for node in workflow.nodes
        if node.tool in tools
        for port in tools[node.tool].inputs
        if port.picked_on and pointed_at(workflow, node.id, port.picked_on, pictures) == name
    ]
