"""From a wish to point to points in the session: finds the picture, opens the picker, takes what it gives."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.mask_finder import mask_output, picture_port
from desktop_app.resource import Resource
from desktop_app.ui import media, words
from desktop_app.ui.desk import Desk
from desktop_app.ui.point_marks import Mark, plain
from desktop_app.ui.point_picker import PointPicker
from desktop_app.workflow import RESOURCE_OUTPUT
from nodes.api import Box, Point, Port, ResourceType


class Pointing(QObject):
    """`opened` and `closed` tell the window when the picker is to be seen; `used` that its points were taken."""

    opened = Signal()
    closed = Signal()
    used = Signal()

    def __init__(self, desk: Desk, picker: PointPicker, parent: QObject) -> None:
        super().__init__(parent)
        self._desk, self._picker = desk, picker
        self._resource: Resource | None = None
        self._port: tuple[str, str] | None = None
        picker.accepted.connect(self._accept)
        picker.cancelled.connect(self.closed)
        desk.wishes.point_at.connect(self.point_at)
        desk.wishes.pick_port.connect(self.pick_port)

    def point_at(self, name: str) -> None:
        """Points at a resource of the conversation; the clicks fill every port that waits for them."""
        resource = self._desk.find(name)
        if resource is None:
            self._fail(self.tr("There is no picture “{name}” to point at.").format(name=name), "")
            return
        self._port = None
        self._open(resource, self._desk.session.points.get(name, ()))

    def pick_port(self, node: str, port: str) -> None:
        """Points for one port of one node, in the picture that feeds the port's `picked_on`."""
        resource = self._picture_of(node, port)
        if resource is None:
            fix = self.tr("Join a picture to it, or run the nodes before it, and point then.")
            self._fail(self.tr("The picture to point at is not there yet."), fix)
            return
        self._port = (node, port)
        held = self._desk.session.workflow.node(node).values.get(port) or ()
        if self._wants_boxes():
            self._open(resource, tuple(Box(float(b[0]), float(b[1]), float(b[2]), float(b[3])) for b in held))
            return
        points = tuple(Point(float(p[0]), float(p[1]), bool(p[2]) if len(p) > 2 else True) for p in held)
        self._open(resource, points or self._desk.session.points.get(resource.name, ()))

    def _declared(self) -> Port | None:
        """The port that is pointed for, None when it is a resource as such."""
        session = self._desk.session
        node = next((n for n in session.workflow.nodes if self._port and n.id == self._port[0]), None)
        tool = session.tools.get(node.tool) if node else None
        return tool.input(self._port[1]) if tool and self._port else None

    def _wants_boxes(self) -> bool:
        port = self._declared()
        return port is not None and port.type is ResourceType.BOXES

    def _picture_of(self, node: str, port_name: str) -> Resource | None:
        session = self._desk.session
        tool = session.tools.get(session.workflow.node(node).tool)
        port = tool.input(port_name) if tool else None
        on = picture_port(tool, port) if tool and port else ""
        link = next((k for k in session.workflow.links_into(node) if k.port == on), None)
        if link is None:
            return None
        if link.output == RESOURCE_OUTPUT:
            return session.workflow.resource(link.source)
        run = session.run.nodes.get(link.source)
        made = run.outputs.get(link.output) if run else None
        return made[0] if isinstance(made, tuple) and made else made if isinstance(made, Resource) else None

    def _open(self, resource: Resource, points: tuple[Mark, ...]) -> None:
        path = self._desk.path(resource)
        if path is None:
            self._fail(self.tr("{name} is no longer in the store.").format(name=resource.name), "")
            return
        self._resource = resource
        self._desk.session.warm_masks()
        read = partial(media.picture, path, resource.type)
        self._desk.loader.run(read, partial(self._came, resource, points))

    def _came(self, resource: Resource, points: tuple[Mark, ...], image: object) -> None:
        if resource is not self._resource:
            return
        if not isinstance(image, QImage):
            self._fail(str(image), "")
            return
        boxes, node = self._wants_boxes(), self._port[0] if self._port else ""
        preview = partial(self._mask, resource.name, node) if self._has_mask(resource) else None
        self._picker.point_at(image, self._title(resource), self._subject(resource), points, preview, boxes)
        self.opened.emit()

    def _has_mask(self, resource: Resource) -> bool:
        """False when what is pointed for makes no mask, but a picture straight away."""
        session = self._desk.session
        id = self._port[0] if self._port else session.waiting_for(resource.name)
        node = next((n for n in session.workflow.nodes if n.id == id), None)
        tool = session.tools.get(node.tool) if node else None
        return session.shows_masks and (tool is None or bool(mask_output(tool)))

    async def _mask(self, name: str, node: str, marks: tuple[Mark, ...]) -> Any:
        return await self._desk.session.preview_mask(name, [plain(mark) for mark in marks], node)

    def _title(self, resource: Resource) -> str:
        asked = [
            question.text
            for message in reversed(self._desk.session.messages)
            if message.open
            for question in message.questions
            if question.kind == "point" and question.resource == resource.name
        ]
        if asked and self._port is None:
            return asked[0].rstrip(".")
        return self.tr("Draw boxes") if self._wants_boxes() else self.tr("Point at it")

    def _subject(self, resource: Resource) -> str:
        session = self._desk.session
        node = self._port[0] if self._port else session.waiting_for(resource.name)
        if not node:
            return self.tr("on {name}").format(name=resource.name)
        title = words.node_title(session.workflow, node, session.tools)
        return self.tr("for {title} on {name}").format(title=title, name=resource.name)

    def _accept(self, points: tuple[Mark, ...]) -> None:
        if self._resource is None:
            return
        session = self._desk.session
        if self._port is None:
            clicks = tuple(mark for mark in points if isinstance(mark, Point))
            self._desk.calls.now(session.point, self._resource.name, clicks)
        else:
            marks = [plain(mark) for mark in points]
            self._desk.calls.now(session.edit, session.workflow.with_value(*self._port, marks))
        self.closed.emit()
        self.used.emit()

    def _fail(self, message: str, fix: str) -> None:
        self._desk.calls.failed.emit(message, fix)
