"""From a wish to point to points or a mask in the session: finds the picture, opens the picker, takes what it gives."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.core.errors import AppError
from desktop_app.graph import edit
from desktop_app.services.mask_preview import (
    anyone,
    brought,
    clicked_instead,
    drawn_port,
    mask_output,
    picture_port,
    port_of,
    reading_port,
)
from desktop_app.session import drawn_masks
from desktop_app.session.messages import Change
from desktop_app.storage.resources import Resource
from desktop_app.ui.pointing.drawing import BEST, Drawing, MarkedObject, restored
from desktop_app.ui.pointing.marks import Mark, plain
from desktop_app.ui.pointing.pointing_view import Drawn, PointPicker
from desktop_app.ui.pointing.rasterize import inner_place, painted
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.support.thread_pool import in_thread
from nodes.api import Box, NodeError, Point, Port, ResourceType, Tool


class Pointing(QObject):
    """`opened` and `closed` tell the window when the picker is to be seen; `used` that its points were taken."""

    opened = Signal()
    closed = Signal()
    used = Signal()

    def __init__(self, ui: UiContext, picker: PointPicker, parent: QObject) -> None:
        super().__init__(parent)
        self._ui, self._picker = ui, picker
        self._resource: Resource | None = None
        self._port: tuple[str, str] | None = None
        self._step = ""
        ui.listen(self._on_change)
        picker.accepted.connect(self._accept)
        picker.drawn.connect(self._accept_drawn)
        picker.cancelled.connect(self.closed)
        self.closed.connect(picker.let_go)
        picker.backend.chosen.connect(self._take_backend)

    def point_at(self, name: str) -> None:
        """Points at a resource of the conversation; the clicks fill every port that waits for them."""
        resource = self._ui.find(name)
        if resource is None:
            self._fail(self.tr("There is no picture “{name}” to point at.").format(name=name), "")
            return
        self._port = None
        self._open(resource, self._ui.session.points.get(name, ()))

    def pick_port(self, node: str, port: str) -> None:
        """Points for one port of one node, in the picture that feeds the port's `picked_on`. Where its tool has no such
        port, as it finds things by itself, one that goes by clicks takes its place: one step of undo.
        """
        if self._is_gone(node):  # asked for in an earlier message
            return
        self._go_by_clicks(node, port)
        resource = self._picture_of(node, port)
        if resource is None:
            fix = self.tr("Join a picture to it, or run the nodes before it, and point then.")
            self._fail(self.tr("The picture to point at is not there yet."), fix)
            return
        tool = self._ui.session.tools[self._ui.session.workflow.node(node).tool]
        declared, marks = tool.input(port), port_of(tool)
        if declared is not None and declared.by_hand and marks is not None:
            port = marks.name  # what is drawn goes with the points
        self._port = (node, port)
        held = self._ui.session.workflow.node(node).values.get(port) or ()
        held = () if self._wants_mask() else held
        if self._wants_boxes():
            self._open(resource, tuple(Box(float(b[0]), float(b[1]), float(b[2]), float(b[3])) for b in held))
            return
        points = tuple(Point(float(p[0]), float(p[1]), bool(p[2]) if len(p) > 2 else True) for p in held)
        self._open(resource, points or self._ui.session.points.get(resource.name, ()))

    def _go_by_clicks(self, node: str, port: str) -> None:
        session = self._ui.session
        tool = session.tools.get(session.workflow.node(node).tool)
        other = clicked_instead(tool, session.tools) if tool is not None and tool.input(port) is None else None
        if other is not None:
            self._ui.calls.now(session.edit, edit.with_tool(session.workflow, session.tools, node, other, {}))

    def _on_change(self, change: Change) -> None:
        """The step that is pointed for went away with its plan: what is there now is not hidden behind its picture."""
        if not change & (Change.WORKFLOW | Change.PLAN) or not self._step:
            return
        if self._step not in self._ui.session.workflow.ids():
            self._resource, self._step = None, ""
            if self._picker.isVisible():
                self.closed.emit()

    def _is_gone(self, node: str) -> bool:
        """True when the node is not in the workflow any more, which is told."""
        gone = node not in self._ui.session.workflow.ids()
        if gone:
            fix = self.tr("Show the way that has it, or ask again.")
            self._fail(self.tr("The step to point for is not in the graph any more."), fix)
        return gone

    def _declared(self) -> Port | None:
        """The port that is pointed for, None when it is a resource as such."""
        session = self._ui.session
        node = session.workflow.find(self._port[0]) if self._port else None
        tool = session.tools.get(node.tool) if node else None
        return tool.input(self._port[1]) if tool and self._port else None

    def _wants_boxes(self) -> bool:
        port = self._declared()
        return port is not None and port.type is ResourceType.BOXES

    def _picture_of(self, node: str, port_name: str) -> Resource | None:
        session = self._ui.session
        tool = session.tools.get(session.workflow.node(node).tool)
        port = tool.input(port_name) if tool else None
        on = picture_port(tool, port) if tool and port else ""
        link = next((k for k in session.workflow.links_into(node) if k.port == on), None)
        return brought(session.workflow, session.run, link) if link else None

    def _open(self, resource: Resource, points: tuple[Mark, ...]) -> None:
        path = self._ui.path(resource)
        if path is None:
            self._fail(self.tr("{name} is no longer in the store.").format(name=resource.name), "")
            return
        self._resource, self._step = resource, self._node(resource)
        self._ui.session.warm_masks()
        look = self._begin_look(resource)
        read = partial(media_reader.picture, path, resource.type)
        self._ui.loader.run(read, partial(self._came, resource, points, look))

    def _begin_look(self, resource: Resource) -> asyncio.Future[None] | None:
        """The tool looks at the picture while that is read for showing: of a large one each takes a second."""
        size = resource.facets
        if not self._shows(resource) or "width" not in size:
            return None
        return asyncio.ensure_future(self._look(resource.name, size["width"] // 2, size["height"] // 2))

    def _came(
        self, resource: Resource, points: tuple[Mark, ...], look: asyncio.Future[None] | None, image: object
    ) -> None:
        if resource is not self._resource:
            return
        if not isinstance(image, QImage):
            self._fail(str(image), "")
            return
        tool = self._finding(resource)
        shows = self._shows(resource)
        self._show_backend(resource, shows)
        self._picker.point_at(
            image, self._title(resource), self._subject(resource), points,
            partial(self._mask, resource.name, self._node(resource)) if shows else None,
            self._wants_boxes(),
            drawing=self._drawing(resource, points),
            readings=tool is not None and reading_port(tool) is not None,
            mask_wanted=self._wants_mask(),
            paint=self._takes_masks(resource),
            look=(lambda: look) if look is not None else None,
            edge=self._furthest(resource),
        )  # fmt: skip
        self.opened.emit()

    def _node(self, resource: Resource) -> str:
        """The node that is pointed for, "" when it is a resource as such."""
        return self._port[0] if self._port else self._ui.session.waiting_for(resource.name)

    def _tool(self, resource: Resource) -> Tool | None:
        session, id = self._ui.session, self._node(resource)
        node = session.workflow.find(id)
        return session.tools.get(node.tool) if node else None

    def _edge(self, resource: Resource) -> tuple[int, int] | None:
        """(grow, feather) as the node has them; None where it has no such values, or the mask is drawn for it."""
        tool = self._tool(resource)
        if tool is None or self._wants_mask():
            return None
        return drawn_masks.edge_of(self._ui.session.workflow, tool, self._node(resource))

    def _furthest(self, resource: Resource) -> tuple[int, int] | None:
        """How far the node can grow and feather its mask, in pixels."""
        tool = self._tool(resource)
        if tool is None or self._edge(resource) is None:
            return None
        grow, feather = (int(port.maximum or 0) for port in drawn_masks.edge_ports(tool))
        return grow, feather

    def _show_backend(self, resource: Resource, shows: bool) -> None:
        """What finds the mask; it can be changed where it is the node that is pointed for."""
        session, tool = self._ui.session, self._finding(resource) if shows else None
        own = tool is not None and tool is self._tool(resource)
        chosen = session.workflow.node(self._node(resource)).backend if own else None
        self._picker.backend.show_tool(
            tool,
            chosen,
            own,
            lambda b: session.usual_seconds(tool.id, b.id, self._node(resource) if own else "") if tool else None,
        )

    def _take_backend(self, id: str) -> None:
        """The node runs on that back end from now on, and the mask is found anew by it."""
        resource, session = self._resource, self._ui.session
        if resource is None or self._tool(resource) is None:
            return
        node = session.workflow.node(self._node(resource))
        self._ui.calls.now(session.edit, session.workflow.with_node(replace(node, backend=id)))
        self._show_backend(resource, True)
        self._picker.find_anew(partial(self._mask, resource.name, node.id))

    def _finding(self, resource: Resource) -> Tool | None:
        """The tool whose mask is shown: the one pointed for, or any one where that wants a mask, or there is none."""
        tool = self._tool(resource)
        if tool is not None and not self._wants_mask():
            return tool
        workflow = anyone(resource, self._ui.session.tools)
        return self._ui.session.tools[workflow.nodes[0].tool] if workflow.nodes else None

    def _shows(self, resource: Resource) -> bool:
        """True when the mask of what is pointed at can be seen ahead."""
        tool = self._finding(resource)
        return self._ui.session.shows_masks and tool is not None and bool(mask_output(tool))

    def _takes_masks(self, resource: Resource) -> bool:
        """True when what is painted can be used."""
        tool = self._tool(resource)
        return tool is None or self._wants_mask() or drawn_port(tool) is not None

    def _wants_mask(self) -> bool:
        port = self._declared()
        return port is not None and port.type is ResourceType.MASK

    def _drawing(self, resource: Resource, points: tuple[Mark, ...]) -> Drawing | None:
        """What was drawn before, to go on with; None when points alone say all."""
        session, id = self._ui.session, self._node(resource)
        if id not in session.workflow.ids():
            before = drawn_masks.latest(session.resources.values(), session.points).get(resource.name)
            return restored(before[0].drawing) if before else None
        found = restored(drawn_masks.drawing_of(session.workflow, id))
        reading, edge = self._reading(resource), self._edge(resource) or (0, 0)
        if found is None and (reading != BEST or any(edge)):
            found = Drawing((MarkedObject(1, marks=points, reading=reading),))
        return replace(found, grow=edge[0], feather=edge[1]) if found is not None else None

    def _reading(self, resource: Resource) -> str:
        tool, id = self._tool(resource), self._node(resource)
        port = reading_port(tool) if tool else None
        return self._ui.session.workflow.node(id).values.get(port.name, BEST) if port else BEST

    async def _mask(self, name: str, node: str, marks: tuple[Mark, ...], reading: str = "") -> Any:
        said = [plain(mark) for mark in marks if isinstance(mark, Point | Box)]
        return await self._ui.session.preview_mask(name, said, node, reading)

    async def _look(self, name: str, x: int, y: int) -> None:
        """Asks for a mask that nobody sees: what it sees of the picture, the tool keeps. Why there is none, the first
        click will tell.
        """
        with contextlib.suppress(AppError, NodeError):
            if not self._wants_boxes():
                node = self._port[0] if self._port else ""
                await self._ui.session.preview_mask(name, [[float(x), float(y), True]], node)

    def _title(self, resource: Resource) -> str:
        asked = [
            formatting.said(question.text)
            for message in reversed(self._ui.session.messages)
            if message.open
            for question in message.questions
            if question.kind == "point" and question.resource == resource.name
            if self._port in (None, (question.step, question.port))
        ]
        if asked:
            return asked[0].rstrip(".。")
        return self.tr("Draw boxes") if self._wants_boxes() else self.tr("Point at it")

    def _subject(self, resource: Resource) -> str:
        session = self._ui.session
        node = self._port[0] if self._port else session.waiting_for(resource.name)
        if not node:
            return self.tr("on {name}").format(name=as_saved(self._ui, resource).name)
        title = session.workflow.title_of(node, session.tools)
        return self.tr("for {title} on {name}").format(title=title, name=as_saved(self._ui, resource).name)

    def _accept(self, points: tuple[Mark, ...]) -> None:
        resource = self._resource
        if resource is None:
            return
        session = self._ui.session
        clicks = tuple(mark for mark in points if isinstance(mark, Point))
        if self._drawing(resource, points) is not None:
            self._use(resource, drawn_masks.HandDrawnMask(clicks))
            return
        if self._port is None:
            self._ui.calls.now(session.point, resource.name, clicks)
        else:
            marks = [plain(mark) for mark in points if isinstance(mark, Point | Box)]
            self._ui.calls.now(session.edit, session.workflow.with_value(*self._port, marks))
        self.closed.emit()
        self.used.emit()

    def _accept_drawn(self, what: Drawn) -> None:
        if self._resource is not None:
            alone = self._wants_mask() or not self._node(self._resource)
            self._ui.calls.later(self._made(self._resource, what, alone))
            self.closed.emit()

    async def _made(self, resource: Resource, what: Drawn, alone: bool) -> None:
        """Makes the mask on a thread; `alone` when there is no tool that finds what was left to it."""
        made = await in_thread(_as_used, what, alone)
        await self._put(resource, made)

    def _use(self, resource: Resource, what: drawn_masks.HandDrawnMask) -> None:
        self._ui.calls.later(self._put(resource, what))
        self.closed.emit()

    async def _put(self, resource: Resource, what: drawn_masks.HandDrawnMask) -> None:
        await self._ui.session.use_drawn(resource.name, what, *(self._port or ()))
        self.used.emit()

    def _fail(self, message: str, fix: str) -> None:
        self._ui.calls.failed.emit(message, fix)


def _as_used(what: Drawn, alone: bool) -> drawn_masks.HandDrawnMask:
    """What a workflow holds of a drawing: the points of the thing meant last, and a mask of what they do not say.

    What becomes of the edge is a value of the tool that takes the mask; where there is none it was not offered.
    """
    import numpy as np

    marked = what.drawing.marked
    last = what.drawing.thing if what.drawing.thing.marks else marked[-1]
    reading, edge = "" if last.reading == BEST else last.reading, (what.drawing.grow, what.drawing.feather)
    if what.mask is None:
        return drawn_masks.HandDrawnMask(last.clicks, reading, None, None, what.drawing.to_json(), *edge)
    height, width = what.mask.shape
    mask = painted(last.marks, width, height)
    place = inner_place(mask) if mask is not None and not last.clicks else None
    if alone or len(marked) > 1:
        mask = np.where(what.mask > 127, 255, 0).astype(np.uint8)
    return drawn_masks.HandDrawnMask(last.clicks, reading, mask, place, what.drawing.to_json(), *edge)
