"""Edits of what is drawn beside the graph, and of how nodes take part: modes, notes, frames, dots. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from desktop_app.graph.decorations import LEAST, Frame, Note
from desktop_app.graph.workflow import Link, Workflow, new_id

Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""
_ROOM = 24.0
_HEAD = 44.0


def switched(workflow: Workflow, ids: Collection[str], mode: str) -> Workflow:
    """These nodes in that mode; when all of them are in it already, none of them any more."""
    nodes = [node for node in workflow.nodes if node.id in ids]
    new = "" if nodes and all(node.mode == mode for node in nodes) else mode
    for node in nodes:
        workflow = workflow.with_node(replace(node, mode=new))
    return workflow


def noted(workflow: Workflow, place: Place) -> tuple[Workflow, str]:
    note = Note(new_id(), "", place)
    return workflow.with_decoration(note), note.id


def framed(workflow: Workflow, boxes: Iterable[Box], title: str) -> tuple[Workflow, str]:
    """With a frame round these boxes, and its id. The workflow as it is, and "", when there are none."""
    found = list(boxes)
    if not found:
        return workflow, ""
    left, top = min(b[0] for b in found) - _ROOM, min(b[1] for b in found) - _HEAD - 8
    right, bottom = max(b[0] + b[2] for b in found) + _ROOM, max(b[1] + b[3] for b in found) + _ROOM
    frame = Frame(new_id(), title, (left, top), (max(LEAST[0], right - left), max(LEAST[1], bottom - top)))
    return replace(workflow, decorations=(*workflow.decorations, frame)), frame.id


def written(workflow: Workflow, id: str, text: str) -> Workflow:
    """A note or frame with that text, or a node with that title; without any it has its tool's title again."""
    node = workflow.find(id)
    if node is not None:
        return workflow.with_node(replace(node, title=" ".join(text.split())))
    return _changed(workflow, (id,), text=text)


def resized(workflow: Workflow, id: str, size: Place) -> Workflow:
    return _changed(workflow, (id,), size=(max(LEAST[0], size[0]), max(LEAST[1], size[1])))


def coloured(workflow: Workflow, ids: Collection[str], color: str) -> Workflow:
    return _changed(workflow, ids, color=color)


def _changed(workflow: Workflow, ids: Collection[str], **fields: object) -> Workflow:
    for decoration in workflow.decorations:
        if decoration.id in ids:
            workflow = workflow.with_decoration(replace(decoration, **fields))  # type: ignore[arg-type]
    return workflow


def dotted(workflow: Workflow, link: Link, index: int, place: Place) -> Workflow:
    places = workflow.waypoints.get(link, ())
    return workflow.with_waypoints(link, (*places[:index], place, *places[index:]))


def undotted(workflow: Workflow, dots: Iterable[tuple[Link, int]]) -> Workflow:
    gone: dict[Link, set[int]] = {}
    for link, index in dots:
        gone.setdefault(link, set()).add(index)
    for link, indexes in gone.items():
        places = workflow.waypoints.get(link, ())
        workflow = workflow.with_waypoints(link, tuple(p for i, p in enumerate(places) if i not in indexes))
    return workflow


def put(
    workflow: Workflow, decorations: Mapping[str, Place], dots: Mapping[tuple[Link, int], Place] | None = None
) -> Workflow:
    """With notes and frames at these places, and dots at theirs."""
    for id, place in decorations.items():
        workflow = _changed(workflow, (id,), place=place)
    for (link, index), place in (dots or {}).items():
        places = list(workflow.waypoints.get(link, ()))
        if index < len(places):
            places[index] = place
            workflow = workflow.with_waypoints(link, tuple(places))
    return workflow


def reframed(workflow: Workflow, before: Mapping[str, Box], after: Mapping[str, Box]) -> Workflow:
    """After the cards were laid out anew: each frame round the cards that it held, and no dots any more.

    `before` and `after` are the cards' boxes. A frame that held none stays where it is.
    """
    for frame in workflow.decorations:
        if not isinstance(frame, Frame):
            continue
        held = [after[id] for id, (x, y, w, h) in before.items() if frame.holds((x + w / 2, y + h / 2)) and id in after]
        made, id = framed(Workflow(), held, "")
        if id:
            new = made.decorations[0]
            workflow = workflow.with_decoration(replace(frame, place=new.place, size=new.size))
    return replace(workflow, waypoints={})
