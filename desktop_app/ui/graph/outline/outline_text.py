"""The graph in words, for the outline: every card in the order in which it runs, with what goes in and what comes out.

Pure: it knows no widgets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.decorations import Frame
from desktop_app.graph.workflow import DOTS, RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.session import drawn_masks as drawn
from desktop_app.ui.graph.items.note_item import note_words
from desktop_app.ui.support.formatting import translate
from nodes.api import Port, ResourceType, Tool

_LONGEST = 40


@dataclass(frozen=True)
class PortRow:
    """An input or output. `text` says what it is joined to; `state` is "joined", "value", "needed" or "free"."""

    name: str
    is_input: bool
    type: str
    text: str
    state: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class CardRow:
    """A resource or node with its ports, inputs first; or what is drawn beside them: `drawn` is "note" or "frame"."""

    id: str
    title: str
    ports: tuple[PortRow, ...]
    is_resource: bool
    drawn: str = ""


def rows(workflow: Workflow, tools: Mapping[str, Tool]) -> tuple[CardRow, ...]:
    """Resources first, then the nodes, each after what feeds it (as they come when there is a circle); then what is
    drawn: frames and notes.
    """
    return _Rows(workflow, tools).all()


class _Rows:
    def __init__(self, workflow: Workflow, tools: Mapping[str, Tool]) -> None:
        self._workflow, self._tools = workflow, tools
        self._into: dict[tuple[str, str], list[Link]] = {}
        self._out_of: dict[tuple[str, str], list[Link]] = {}
        for link in workflow.links:
            self._into.setdefault((link.target, link.port), []).append(link)
            self._out_of.setdefault((link.source, link.output), []).append(link)
        self._of_node = {node.id: tools.get(node.tool) for node in workflow.nodes}
        self._titles = {id: workflow.title_of(id, tools) for id in workflow.ids()}
        self._wanted = set(workflow.wanted)

    def all(self) -> tuple[CardRow, ...]:
        try:
            ids = self._workflow.order()
        except BadWorkflow:
            ids = self._workflow.ids()
        resources = tuple(
            CardRow(r.name, r.name, (self._output(r.name, RESOURCE_OUTPUT, str(r.type), str(r.type)),), True)
            for r in self._workflow.resources
        )
        return resources + tuple(self._node(self._workflow.node(id)) for id in ids) + self._drawn()

    def _drawn(self) -> tuple[CardRow, ...]:
        drawn = sorted(self._workflow.decorations, key=lambda one: (not isinstance(one, Frame), one.place))
        return tuple(
            CardRow(one.id, note_words(one), (), False, "frame" if isinstance(one, Frame) else "note") for one in drawn
        )

    def _node(self, node: Node) -> CardRow:
        tool = self._tools.get(node.tool)
        if tool is None:
            inputs = dict.fromkeys(port for target, port in self._into if target == node.id)
            outputs = dict.fromkeys(output for source, output in self._out_of if source == node.id)
            ports = [self._joined_input(node.id, name, name, "any") for name in inputs]
            ports += [self._output(node.id, name, name, "any") for name in outputs]
            return CardRow(node.id, self._titles[node.id], tuple(ports), False)
        ports = [self._input(node, port) for port in tool.inputs]
        ports += [self._output(node.id, p.name, catalogue.port(p.name), str(p.type)) for p in tool.outputs]
        return CardRow(node.id, self._titles[node.id], tuple(ports), False)

    def _input(self, node: Node, port: Port) -> PortRow:
        label, kind = catalogue.port(port.name), str(port.type)
        if (node.id, port.name) in self._into:
            return self._joined_input(node.id, port.name, label, kind)
        tool = self._of_node[node.id]
        pointed = port.type is ResourceType.POINTS and not node.values.get(port.name)
        if pointed and tool is not None and drawn.is_drawn(self._workflow, tool, node.id):
            return PortRow(port.name, True, kind, translate("{port}: drawn by hand").format(port=label), "value")
        if node.values.get(port.name) is not None:
            text = translate("{port}: {value}").format(port=label, value=_short(node.values[port.name], port))
            return PortRow(port.name, True, kind, text, "value")
        if port.required:
            return PortRow(port.name, True, kind, translate("{port}: still needed").format(port=label), "needed")
        text = translate("{port}: {value}, as usual").format(port=label, value=_short(port.default, port))
        return PortRow(port.name, True, kind, text, "free")

    def _joined_input(self, id: str, name: str, label: str, kind: str) -> PortRow:
        links = self._into[id, name]
        sources = ", ".join(self._source(link) for link in links)
        return PortRow(
            name, True, kind, translate("{port} from {sources}").format(port=label, sources=sources), "joined",
            tuple(links),
        )  # fmt: skip

    def _source(self, link: Link) -> str:
        """The title of what feeds a link, with the output where there are several."""
        if link.source not in self._titles:
            return link.source
        tool = self._of_node[link.source]
        title = self._titles[link.source]
        if tool is None or len(tool.outputs) < 2:
            return title
        return translate("{output} of {title}").format(output=catalogue.port(link.output), title=title)

    def _output(self, id: str, name: str, label: str, kind: str) -> PortRow:
        links = tuple(self._out_of.get((id, name), ()))
        if links:
            targets = ", ".join(dict.fromkeys(self._titles.get(link.target, link.target) for link in links))
            text = translate("{port} to {targets}").format(port=label, targets=targets)
            return PortRow(name, False, kind, text, "joined", links)
        if (id, name) in self._wanted:
            return PortRow(name, False, kind, translate("{port}: a result").format(port=label), "free")
        return PortRow(name, False, kind, translate("{port}: joined to nothing").format(port=label), "free")


def _short(value: Any, port: Port) -> str:
    if port.type is ResourceType.POINTS and isinstance(value, list):
        return translate("{n} points").format(n=len(value))
    if port.secret and value:
        return DOTS
    if isinstance(value, bool):
        return translate("yes") if value else translate("no")
    shown = catalogue.choice(str(value)) if port.choices else str(value)
    text = shown if value not in (None, "") else translate("nothing")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
