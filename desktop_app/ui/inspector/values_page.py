"""The values of a node's inputs: editors, what feeds them, and a way to join them without dragging."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QGridLayout, QMenu, QWidget

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session import drawn_masks
from desktop_app.ui.inspector.port_editors import PortEditor, editor_for
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ClickableFrame, ElidedLabel, IconButton, clear, label, px, row, stack
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import type_glyph
from nodes.api import Port, ResourceType, Tool

_NAMES = 78


class ValuesPage(QWidget):
    """Rebuilt when links change; when only values change, the editors are told."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._node = ""
        self._shape: object = None
        self._more = False
        self.editors: dict[str, PortEditor] = {}
        self._column = stack(parent=self, margins=(16, 12, 14, 12))

    def show_node(self, node: Node, tool: Tool) -> None:
        """Shows the inputs of the node as they are in the session's workflow."""
        workflow = self._ui.session.workflow
        linked = workflow.links_into(node.id)
        pointed = tuple(repr(node.values.get(p.name)) for p in tool.inputs if p.type is ResourceType.POINTS)
        shape = (node.id, node.tool, linked, pointed, self._more, tuple(p.name in node.values for p in tool.inputs))
        if shape != self._shape:
            self._shape = shape
            self._rebuild(node, tool, workflow)
        for port in tool.inputs:
            if port.name in self.editors and not self.editors[port.name].isAncestorOf(self.focusWidget() or self):
                self.editors[port.name].set_value(value_of(node, port))

    def _rebuild(self, node: Node, tool: Tool, workflow: Workflow) -> None:
        clear(self._column)
        self.editors = {}
        self._node = node.id
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(8))
        grid.setColumnMinimumWidth(0, px(_NAMES))
        grid.setColumnStretch(1, 1)
        hidden = [p for p in tool.inputs if p.advanced and not self._more]
        for number, port in enumerate(p for p in tool.inputs if p not in hidden):
            place = 2 * number  # below a value there may stand where it comes from
            name = label(formatting.port_label(port.name), "secondary", True)
            name.setToolTip(port.doc)
            name.setFixedWidth(px(_NAMES))
            grid.addWidget(name, place, 0)
            grid.addWidget(self._editor(node, port, workflow), place, 1)
            if port.name in node.origins:
                grid.addWidget(label(self._origin(node.origins[port.name]), "caption"), place + 1, 1)
        self._column.addLayout(grid)
        if any(p.advanced for p in tool.inputs):
            text = self.tr("Show {n} more").format(n=len(hidden)) if hidden else self.tr("Show fewer")
            fold = Button(text, "chevron-down" if hidden else "chevron-up", "quiet", small=True)
            fold.clicked.connect(self._fold)
            self._column.addLayout(row(fold, None))
        if not tool.inputs:
            self._column.addWidget(label(self.tr("This tool has no inputs."), "secondary"))
        self._column.addStretch(1)

    def _origin(self, origin: str) -> str:
        if origin == "found":
            return self.tr("Taken from a result by the language model")
        return self.tr("Written by the language model")

    def _fold(self) -> None:
        self._more = not self._more
        session = self._ui.session
        node = session.workflow.node(self._node)
        self.show_node(node, session.tools[node.tool])

    def _editor(self, node: Node, port: Port, workflow: Workflow) -> QWidget:
        links = [link for link in workflow.links_into(node.id) if link.port == port.name]
        if links:
            return self._chips(port, links)
        if (port.type is ResourceType.POINTS and port.picked_on) or port.type is ResourceType.BOXES:
            return self._pointing(node, port)
        editor = editor_for(port)
        if editor is None:
            return self._unjoined(port)
        self.editors[port.name] = editor
        editor.set_value(value_of(node, port))
        editor.changed.connect(lambda value, name=port.name: self._set(name, value))
        return editor

    def _chips(self, port: Port, links: list[Link]) -> QWidget:
        holder = QWidget()
        flow = FlowLayout(px(4), holder)
        for link in links:
            chip = SourceChip(self._ui, link)
            chip.clicked.connect(lambda source=link.source: self._ui.signals.select_node.emit(source))
            chip.drop.clicked.connect(lambda _=False, link=link: self._unlink(link))
            flow.addWidget(chip)
        if port.many:
            flow.addWidget(self._join_button(port, self.tr("Add")))
        return holder

    def _unjoined(self, port: Port) -> QWidget:
        holder = QWidget()
        need = label(self.tr("needed"), "caption") if port.required else label(self.tr("optional"), "caption")
        buttons = [self._join_button(port, self.tr("Choose…"))]
        if port.type is ResourceType.MASK:
            draw = Button(self.tr("Draw"), "brush", small=True, tip=self.tr("Draw it on the picture"))
            draw.clicked.connect(lambda: self._ui.signals.pick_port.emit(self._node, port.name))
            buttons.append(draw)
        flow = FlowLayout(px(6), holder)  # the panel may be narrow
        for widget in (*buttons, need):
            flow.addWidget(widget)
        return holder

    def _join_button(self, port: Port, text: str) -> Button:
        button = Button(text, "plus", small=True, tip=self.tr("Join {type} to this input").format(type=port.type))
        button.setAccessibleName(f"{text} {formatting.port_label(port.name)}")
        button.clicked.connect(lambda: self._offer(port, button))
        return button

    def _offer(self, port: Port, button: Button) -> None:
        menu = QMenu(button)
        found = fitting(self._ui, self._node, port)
        for text, link in found:
            menu.addAction(text).triggered.connect(lambda _=False, link=link: self._join(link, port.many))
        if not found:
            empty = self.tr("Nothing here is {type}").format(type=port.type)
            menu.addAction(empty).setEnabled(False)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _pointing(self, node: Node, port: Port) -> QWidget:
        points = node.values.get(port.name) or ()
        holder = QWidget()
        boxes = port.type is ResourceType.BOXES
        count = formatting.translate("{n} boxes" if boxes else "{n} points").format(n=len(points))
        if len(points) == 1:
            count = self.tr("1 box") if boxes else self.tr("1 point")
        text = count if points else self.tr("Draw") if boxes else self.tr("Point")
        tip = self.tr("Draw boxes in the picture") if boxes else self.tr("Point in the picture")
        button = Button(text, "crosshair", small=True, tip=tip)
        button.clicked.connect(lambda: self._ui.signals.pick_port.emit(node.id, port.name))
        tool = self._ui.session.tools[node.tool]
        if not boxes and drawn_masks.is_drawn(self._ui.session.workflow, tool, node.id):
            button.set_words(count if points else self.tr("Drawn"))
            words_shown = self.tr("and drawn by hand") if points else self.tr("by hand")
        else:
            words_shown = "" if points else self.tr("needed") if port.required else self.tr("optional")
        holder.setLayout(row(button, label(words_shown, "caption"), None))
        return holder

    def _set(self, port: str, value: Any) -> None:
        session = self._ui.session
        if self._node in session.workflow.ids():  # an editor that is left because its node is gone tells a last value
            self._ui.calls.now(session.edit, session.workflow.with_value(self._node, port, value))

    def _join(self, link: Link, many: bool) -> None:
        session = self._ui.session
        workflow = session.workflow
        resource = self._ui.find(link.source) if link.output == RESOURCE_OUTPUT else None
        if resource is not None:
            workflow = workflow.with_resource(resource)
        self._ui.calls.now(session.edit, workflow.with_link(link, many))

    def _unlink(self, link: Link) -> None:
        session = self._ui.session
        self._ui.calls.now(session.edit, session.workflow.without_link(link))


class SourceChip(ClickableFrame):
    """What feeds a port: its type and name; a click selects it, the cross takes the link away."""

    def __init__(self, ui: UiContext, link: Link) -> None:
        session = ui.session
        title = formatting.shorter(session.workflow.title_of(link.source, session.tools), 22)
        super().__init__(title)
        self.setProperty("surface", "hover")
        type = session.workflow.type_of(link.source, link.output, session.tools)
        self.setToolTip(self.tr("From {title}: {output}").format(title=title, output=link.output))
        name = ElidedLabel(title, "small")
        name.setMaximumWidth(min(px(110), name.text_width() + px(4)))  # and less in a narrow panel
        self.drop = IconButton("x", self.tr("Take the link from {title} away").format(title=title), 24)
        glyph = [type_glyph(type, 11)] if type is not None else []
        self.setLayout(row(*glyph, name, self.drop, gap=6, margins=(8, 1, 1, 1)))


def value_of(node: Node, port: Port) -> Any:
    """The literal of the port, else its default, else None."""
    if port.name in node.values:
        return node.values[port.name]
    return None if port.required else port.default


def fitting(ui: UiContext, node: str, port: Port) -> list[tuple[str, Link]]:
    """What may feed the port: resources of the conversation and outputs of nodes that do not depend on it."""
    session = ui.session
    later = session.workflow.downstream(node)
    found = [
        (resource.name, Link(resource.name, RESOURCE_OUTPUT, node, port.name))
        for resource in session.resources.values()
        if not resource.made_by and resource.fits(port.type)
    ]
    for other in session.workflow.nodes:
        tool = session.tools.get(other.tool)
        if tool is None or other.id in later:
            continue
        for output in tool.outputs:
            if port.takes(output.type):
                said = formatting.pair(
                    session.workflow.title_of(other.id, session.tools), formatting.port_label(output.name).lower()
                )
                found.append((said, Link(other.id, output.name, node, port.name)))
    return found
