"""The mask of some clicks while the user still points: one node run for itself, on a lane of its own.

Must not know the window. Nothing is computed in this process; what was found once is taken from the cache.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import BadRequest, StorageError
from desktop_app.core.paths import home
from desktop_app.core.values import first, several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.run.backends import selection
from desktop_app.run.events.run_record import Run
from desktop_app.storage import decoding
from desktop_app.storage.resources import Resource, Store
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine

SEEN = 1600
"""Pixels of the longer side that are worked at while one points."""
MARKS = frozenset({ResourceType.POINTS, ResourceType.BOXES})


class MaskFinder:
    """Newest wins: a request that another one overtakes is stopped and gives None, so none ever queues up.

    `engine` is one for this alone; it may share store and history with the main one.
    """

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine, self._store = engine, store
        self._newest = 0
        self._free = asyncio.Lock()
        self._best: dict[str, str] = {}
        self._small: dict[tuple[str, int], Resource] = {}

    def warm(self) -> None:
        """Starts the lane ahead of the first request, and forgets which back ends are best. To be called while a loop
        runs."""
        self._best.clear()
        self._engine.warm()

    def on_best(self, workflow: Workflow, id: str, tools: Mapping[str, Tool]) -> Workflow:
        """With the back end that the node would run on, looked up once since `warm`: each time takes milliseconds."""
        node = workflow.node(id)
        if node.backend is not None:
            return workflow
        best = self._best.get(node.tool)
        if best is None:
            best = self._best[node.tool] = selection.shown(tools[node.tool], None).id
        return workflow.with_node(replace(node, backend=best))

    async def find(self, workflow: Workflow, node: str, output: str) -> Any:
        """The mask that `node` gives at `output`, uint8 (height, width), or None when a newer request came.

        Raises AppError that says why there is none.
        """
        self._newest += 1
        mine = self._newest
        self._engine.cancel()
        async with self._free:
            if mine != self._newest:
                return None
            run = await self._engine.run(workflow, lambda batch: None, node)
            _forget(run)
        if mine != self._newest:
            return None
        record = run.nodes[node]
        if record.state != "done":
            raise BadRequest(record.message or "The mask could not be found.", record.fix)
        return await asyncio.to_thread(_read, self._store, several(record.outputs[output])[0])

    def shrunk(self, workflow: Workflow, step: int) -> Workflow:
        """With each of its pictures smaller by `step`. Decodes, so it is called on a thread. Raises StorageError."""
        for resource in workflow.resources:
            if resource.type.is_a(ResourceType.IMAGE):
                small = self._small.get((resource.digest, step)) or self._shrunk(resource, step)
                self._small[resource.digest, step] = small
                workflow = workflow.with_resource(replace(small, name=resource.name))
        return workflow

    def _shrunk(self, resource: Resource, step: int) -> Resource:
        import numpy as np

        longest = max(resource.facets.get("width", 1), resource.facets.get("height", 1))
        try:
            path = self._store.whole_path_of(resource)
            width, height, channels, data = decoding.picture(path, resource.type, max(1, round(longest / step)))
        except (decoding.Unreadable, OSError) as error:
            raise StorageError(Phrase("This picture cannot be shown: {error}.", error=error)) from error
        pixels = np.frombuffer(data, np.uint8).reshape(height, width, *((channels,) if channels > 1 else ()))
        digest, suffix = self._store.put_value(pixels[..., :3] if channels == 4 else pixels, resource.type)
        return replace(resource, digest=digest, suffix=suffix, facets={"width": width, "height": height}, files=())

    async def close(self) -> None:
        self._newest += 1
        await self._engine.close()


def _read(store: Store, mask: Resource) -> Any:
    """The mask, uint8 (height, width). Raises StorageError."""
    import numpy as np

    try:
        width, height, _, data = decoding.picture(store.whole_path_of(mask), ResourceType.MASK)
    except (decoding.Unreadable, OSError) as error:
        raise StorageError(Phrase("This picture cannot be shown: {error}.", error=error)) from error
    return np.frombuffer(data, np.uint8).reshape(height, width)


def _forget(run: Run) -> None:
    """Removes the recording: the folder keeps the latest runs, and these are not among those worth it."""
    with contextlib.suppress(OSError):
        (home() / "runs" / f"{run.id}.jsonl").unlink(missing_ok=True)


def step_of(width: int, height: int) -> int:
    """By how much a picture of that size is made smaller while one points: nobody sees more of it on a screen."""
    longest = max(width, height)
    return -(-longest // SEEN) if longest > 2 * SEEN else 1


def port_of(tool: Tool) -> Port | None:
    """The input that takes clicks or boxes, None when there is none."""
    return next((port for port in tool.inputs if port.type in MARKS), None)


def mask_output(tool: Tool) -> str:
    """The name of the output that gives a mask, "" when there is none."""
    return next((p.name for p in tool.outputs if p.type is ResourceType.MASK), "")


def shows(workflow: Workflow, tools: Mapping[str, Tool], id: str) -> bool:
    """True when the node of that id makes a mask of clicks or boxes."""
    tool = tools.get(workflow.node(id).tool) if id in workflow.ids() else None
    return tool is not None and port_of(tool) is not None and bool(mask_output(tool))


def picture_port(tool: Tool, port: Port) -> str:
    """The name of the input whose picture the user points at for `port`, "" when there is none."""
    if port.picked_on:
        return port.picked_on
    return next((p.name for p in tool.inputs if p.type is ResourceType.IMAGE), "")


def reading_port(tool: Tool) -> Port | None:
    """The input that says how much of what was clicked is meant, None when there is none."""
    return next((port for port in tool.inputs if port.by_hand and port.choices), None)


def drawn_port(tool: Tool) -> Port | None:
    """The input that takes what was painted over the tool's own mask, None when there is none."""
    return next((port for port in tool.inputs if port.by_hand and port.type is ResourceType.MASK), None)


def marked_port(tool: Tool) -> Port | None:
    """The input by which the user can say which thing of a picture is meant: clicks, boxes, or a mask to draw."""
    masks = (p for p in tool.inputs if p.type is ResourceType.MASK and not p.by_hand)
    return port_of(tool) or (next(masks, None) if any(p.type.is_a(ResourceType.IMAGE) for p in tool.inputs) else None)


def clicked_instead(tool: Tool, tools: Mapping[str, Tool]) -> Tool | None:
    """What makes of clicks in a picture the mask that `tool` finds in it by itself; None where it makes no such mask,
    or takes marks itself.
    """
    pictures = [port.name for port in tool.inputs if port.type.is_a(ResourceType.IMAGE)]
    if len(pictures) != 1 or marked_port(tool) is not None or not mask_output(tool):
        return None
    for other in filter(mask_output, tools.values()):
        port = port_of(other)
        if port is not None and port.type is ResourceType.POINTS and picture_port(other, port) == pictures[0]:
            return other
    return None


def unclear(workflow: Workflow, tools: Mapping[str, Tool], run: Run) -> tuple[str, str] | None:
    """The (node, port) of a step that failed because it did not know what was meant in its picture; None when none did.

    That is one whose picture, or mark in it, is at fault, and which the user can tell: nothing is joined to that port.
    Where the step takes no marks, the port is that of `clicked_instead`.
    """
    for id, record in run.nodes.items():
        node = workflow.find(id)
        tool = tools.get(node.tool) if node is not None and record.state == "failed" else None
        if tool is None:
            continue
        taker = clicked_instead(tool, tools) or tool
        fault, port = tool.input(record.port), marked_port(taker)
        if fault is None or port is None or any(link.port == port.name for link in workflow.links_into(id)):
            continue
        if fault is port or (fault.type.is_a(ResourceType.IMAGE) and fault.name == picture_port(taker, port)):
            return id, port.name
    return None


def untold(workflow: Workflow, tools: Mapping[str, Tool], run: Run) -> tuple[tuple[str, str], ...]:
    """The (node, port) of each step that did not get on, or waits, for want of what nobody has told it: which thing of
    its one picture is meant.
    """
    found: list[tuple[str, str]] = []
    for id, record in run.nodes.items():
        node = workflow.find(id) if record.state in ("failed", "waiting") and record.port else None
        port = marked_port(tools[node.tool]) if node is not None and node.tool in tools else None
        if node is None or port is None or port.name != record.port or record.failed:
            continue
        if port.name not in node.values and not any(link.port == port.name for link in workflow.links_into(id)):
            found.append((id, port.name))
    return tuple(found)


def alone(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    node: Node,
    marks: Sequence[Sequence[Any]],
    run: Run,
    reading: str = "",
) -> tuple[Workflow, str]:
    """The node by itself with the marks in its port, fed by resources only; and the output that gives the mask.

    What was set by hand before is left out, but for the `reading`. What other nodes give is taken from the `run`.
    Raises BadRequest when the node gives no mask, or needs what is not there yet.
    """
    tool = tools.get(node.tool)
    port = port_of(tool) if tool else None
    output = mask_output(tool) if tool else ""
    if tool is None or port is None or not output:
        raise BadRequest("This tool shows no mask ahead.", "Run it to see what it makes.")
    by_hand = {port.name, *(other.name for other in tool.inputs if other.by_hand)}
    values = {name: value for name, value in node.values.items() if name not in by_hand}
    values[port.name] = [list(mark) for mark in marks]
    read = reading_port(tool)
    if read is not None and reading and reading != read.default:
        values[read.name] = reading
    small = Workflow((), (replace(node, values=values),))
    for link in workflow.links_into(node.id):
        if link.port in by_hand:
            continue
        source = brought(workflow, run, link)
        if source is None:
            raise BadRequest("What the tool needs besides is not made yet.", "Run the nodes before it first.")
        joined = tool.input(link.port)
        new = Link(source.name, RESOURCE_OUTPUT, node.id, link.port)
        small = small.with_resource(source).with_link(new, bool(joined and joined.many))
    return small, output


def brought(workflow: Workflow, run: Run, link: Link) -> Resource | None:
    """What comes in by a link, the first of several; None for what is not made yet, or is out of date."""
    if link.output == RESOURCE_OUTPUT:
        return workflow.resource(link.source)
    record = run.nodes.get(link.source)
    return first(record.outputs.get(link.output)) if record and record.state != "outdated" else None


def anyone(resource: Resource, tools: Mapping[str, Tool]) -> Workflow:
    """A workflow of the best tool that makes a mask of a picture and clicks alone; empty when there is none."""
    fitting = [
        tool
        for tool in tools.values()
        if (port := port_of(tool)) and port.type is ResourceType.POINTS and port.picked_on
        if mask_output(tool)
        if all(p.name in (port.name, port.picked_on) for p in tool.inputs if p.required)
    ]
    if not fitting or not resource.type.is_a(ResourceType.IMAGE):
        return Workflow()
    best = max(fitting, key=lambda tool: max(b.quality for b in tool.backends))
    port = port_of(best)
    assert port is not None
    link = Link(resource.name, RESOURCE_OUTPUT, "preview", port.picked_on)
    return Workflow((resource,), (Node("preview", best.id),), (link,))
