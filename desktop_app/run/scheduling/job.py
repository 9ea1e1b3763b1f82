"""One node made ready to run: checked, its inputs gathered, and put into the words that a worker understands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.core.values import several
from desktop_app.graph.workflow import Link, Node
from desktop_app.run.backends.selection import Backends, Fault, SelectedBackend
from desktop_app.run.cache.cache_keys import Linked
from desktop_app.run.scheduling.durations import input_size, resource_size
from desktop_app.run.scheduling.inputs import Inputs, Value, gather
from desktop_app.run.workers import bounds
from nodes._support.web import mcp_call
from nodes.api import Backend, Port, Tool
from nodes.declarations import to_plain
from nodes.phrase import Phrase, replaced

_ALIKE = 60  # chosen: a name less alike (of 100) is not offered as the one that was meant
_ITEM = "\n"


@dataclass(frozen=True)
class Job:
    """A node that can run, or one item of it: `index`, -1 for the whole node.

    `linked` are the values that links bring, by port, tuples only for `many` ports.
    """

    node: Node
    tool: Tool
    choice: SelectedBackend
    linked: Mapping[str, Linked]
    index: int = -1

    @property
    def id(self) -> str:
        """The node's id, or for an item one of its own."""
        return self.node.id if self.index < 0 else item_id(self.node.id, self.index)

    @property
    def backend(self) -> Backend:
        return self.choice.backend

    @property
    def size(self) -> float:
        """How much it has to work on, 0 where that is not known."""
        links = [Link("", "", self.node.id, port) for port in self.linked]

        def sizes_of(link: Link) -> list[float | None]:
            return [resource_size(value) for value in several(self.linked[link.port])]

        return input_size(self.tool, links, sizes_of, self.node.values)

    def reworded(self, text: str) -> str:
        """What a tool said of its files, with their names in the conversation for those in the store."""
        for value in self.linked.values():
            for resource in several(value):
                text = replaced(text, f"{resource.digest}{resource.suffix}", resource.name)
        return text

    def message(self, device: str) -> dict[str, Any]:
        """What the worker is told, as JSON values."""
        function = self.backend.run
        module = sys.modules.get(function.__module__)
        values = {name: value for name, value in self.node.values.items() if name not in self.linked}
        return {
            "job": self.id,
            "tool": self.tool.id,
            "module": function.__module__,
            "file": getattr(module, "__file__", None) or "",
            "backend": self.backend.declared_id,
            "device": device,
            "model": self.choice.folder,
            "memory": bounds.memory_bytes(self.backend) if device == "cpu" else 0,
            "values": values,
            **({"declared": to_plain(self.tool)} if function is mcp_call.call else {}),
            "linked": {name: _plain(value) for name, value in self.linked.items()},
        }


@dataclass(frozen=True)
class Batch:
    """A node that is to run once for each of several items."""

    node: Node
    tool: Tool
    choice: SelectedBackend
    inputs: Inputs

    def part(self, index: int) -> Job | Fault | None:
        """The job of an item, why there is none, or None when its input is missing as it failed before."""
        linked = self.inputs.item(self.tool, index)
        if linked is None or isinstance(linked, Fault):
            return linked
        return Job(self.node, self.tool, self.choice, linked, index)


def item_id(node: str, index: int) -> str:
    return f"{node}{_ITEM}{index}"


def prepare(
    node: Node,
    tools: Mapping[str, Tool],
    backends: Backends,
    links: Sequence[Link],
    value_of: Callable[[str, str], Value | None],
) -> Job | Batch | Fault:
    """Checks the node and gathers what its `links` bring; `value_of` gives what leaves a source at an output."""
    tool = tools.get(node.tool)
    if tool is None:
        return Fault(
            Phrase("There is no tool '{tool}'.", tool=node.tool), "", like(node.tool, tools) or "Choose another tool."
        )
    choice = backends.choose(tool, node.backend, node.values)
    if isinstance(choice, Fault):
        return choice
    unknown = next((link.port for link in links if tool.input(link.port) is None), None)
    if unknown is not None:
        hint = like(unknown, (p.name for p in tool.inputs))
        return Fault(
            Phrase("{tool} has no input '{name}'.", tool=Phrase(tool.title, "tools"), name=unknown),
            unknown,
            hint or "Remove the link.",
        )
    inputs = gather(tool, links, value_of)
    if isinstance(inputs, Fault):
        return inputs
    fault = _first_gap(node, tool, inputs)
    if fault is not None:
        return fault
    return Batch(node, tool, choice, inputs) if inputs.spread else Job(node, tool, choice, inputs.linked)


def like(word: str, known: Iterable[str]) -> str:
    """ "Did you mean 'blur'?" when something is alike, else ""."""
    from rapidfuzz import process

    found = process.extractOne(word, list(known), score_cutoff=_ALIKE)
    return Phrase("Did you mean '{found}'?", found=found[0]) if found else ""


def _first_gap(node: Node, tool: Tool, inputs: Inputs) -> Fault | None:
    for name in node.values:
        if tool.input(name) is None:
            hint = like(name, (port.name for port in tool.inputs))
            return Fault(
                Phrase("{tool} has no input '{name}'.", tool=Phrase(tool.title, "tools"), name=name),
                name,
                hint or "Remove the value.",
            )
    for port in tool.inputs:
        given = port.name in inputs.linked or port.name in inputs.spread or node.values.get(port.name) is not None
        if port.required and not given:
            return Fault(
                Phrase("{tool} needs {port}.", tool=Phrase(tool.title, "tools"), port=_named(port)),
                port.name,
                "Link something to it, or set a value.",
            )
    return None


def _named(port: Port) -> str:
    return f"'{port.name}' ({port.doc.rstrip('.')})" if port.doc else f"'{port.name}'"


def _plain(value: Linked) -> list[Any]:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return [value.digest, value.suffix, value.type, value.name, bool(value.made_by)]
