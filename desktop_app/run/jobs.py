"""One node made ready to run: checked, its inputs gathered, and put into the words that a worker understands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import process

from desktop_app.resource import Resource
from desktop_app.run import available
from desktop_app.run.keys import Linked
from desktop_app.workflow import Link, Node
from nodes.api import Backend, Port, Tool

_ALIKE = 60


@dataclass(frozen=True)
class Fault:
    """Why a node cannot run. `port` is the input at fault, or ""."""

    message: str
    port: str = ""
    fix: str = ""


@dataclass(frozen=True)
class Job:
    """A node that can run: `linked` are the values that links bring, by port, tuples only for `many` ports."""

    node: Node
    tool: Tool
    backend: Backend
    linked: Mapping[str, Linked]

    def message(self, device: str) -> dict[str, Any]:
        """What the worker is told, as JSON values; `job` is the node's id."""
        function = self.backend.run
        module = sys.modules.get(function.__module__)
        values = {name: value for name, value in self.node.values.items() if name not in self.linked}
        return {
            "job": self.node.id,
            "tool": self.tool.id,
            "module": function.__module__,
            "file": getattr(module, "__file__", None) or "",
            "backend": self.backend.id,
            "device": device,
            "values": values,
            "linked": {name: _plain(value) for name, value in self.linked.items()},
        }


def prepare(
    node: Node,
    tools: Mapping[str, Tool],
    links: Sequence[Link],
    value_of: Callable[[str, str], Linked | None],
) -> Job | Fault:
    """Checks the node and gathers what its `links` bring; `value_of` gives what leaves a source at an output."""
    tool = tools.get(node.tool)
    if tool is None:
        return Fault(f"There is no tool '{node.tool}'.", "", like(node.tool, tools) or "Choose another tool.")
    backend = available.preferred(tool, node.backend)
    if backend is None:
        ids = [b.id for b in tool.backends]
        return Fault(f"{tool.title} has no back end '{node.backend}'.", "", f"It has: {', '.join(ids)}.")
    if not available.available(backend):
        return Fault(
            f"{tool.title} cannot run with {backend.title}: {', '.join(_bare(n) for n in available.missing(backend))}"
            " is not installed.",
            "",
            f"{available.fix(backend)}{other_backends(tool, backend)}",
        )
    linked: dict[str, Linked] = {}
    for name in dict.fromkeys(link.port for link in links):
        found = _gather(tool, name, [link for link in links if link.port == name], value_of)
        if isinstance(found, Fault):
            return found
        linked[name] = found
    fault = _first_gap(node, tool, linked)
    return fault or Job(node, tool, backend, linked)


def other_backends(tool: Tool, backend: Backend) -> str:
    """ " Or choose ..." when the tool has other back ends that work here, else ""."""
    titles = [b.title for b in tool.backends if b.id != backend.id and available.available(b)]
    return f" Or choose another back end: {', '.join(titles)}." if titles else ""


def like(word: str, known: Iterable[str]) -> str:
    """ "Did you mean 'blur'?" when something is alike, else ""."""
    found = process.extractOne(word, list(known), score_cutoff=_ALIKE)
    return f"Did you mean '{found[0]}'?" if found else ""


def _gather(
    tool: Tool, name: str, links: Sequence[Link], value_of: Callable[[str, str], Linked | None]
) -> Linked | Fault:
    port = tool.input(name)
    if port is None:
        hint = like(name, (p.name for p in tool.inputs))
        return Fault(f"{tool.title} has no input '{name}'.", name, hint or "Remove the link.")
    values: list[Resource] = []
    for link in links:
        value = value_of(link.source, link.output)
        if value is None:
            return Fault(
                f"Nothing leaves '{link.source}' at '{link.output}'.", name, "Remove the link or draw it anew."
            )
        if isinstance(value, tuple) and not port.many:
            return Fault(
                f"'{link.source}' gives {len(value)} values at '{link.output}', and {tool.title} takes one"
                f" as '{name}'.",
                name,
                "Use a tool that takes many, or one that picks one of them.",
            )
        values.extend(value if isinstance(value, tuple) else (value,))
    wrong = next((value for value in values if not value.type.is_a(port.type)), None)
    if wrong is not None:
        return Fault(
            f"{wrong.name} is of type {wrong.type}; {tool.title} takes {port.type} as '{name}'.",
            name,
            f"Link something of type {port.type}.",
        )
    if port.many:
        return tuple(values)
    if len(values) != 1:
        return Fault(f"{len(values)} links end at '{name}' of {tool.title}, which takes one.", name, "Remove a link.")
    return values[0]


def _first_gap(node: Node, tool: Tool, linked: Mapping[str, Linked]) -> Fault | None:
    known = {port.name for port in tool.inputs}
    for name in node.values:
        if name not in known:
            return Fault(f"{tool.title} has no input '{name}'.", name, like(name, known) or "Remove the value.")
    for port in tool.inputs:
        if port.required and port.name not in linked and node.values.get(port.name) is None:
            return Fault(f"{tool.title} needs {_named(port)}.", port.name, "Link something to it, or set a value.")
    return None


def _named(port: Port) -> str:
    return f"'{port.name}' ({port.doc.rstrip('.')})" if port.doc else f"'{port.name}'"


def _bare(requirement: str) -> str:
    return requirement.removeprefix("python:")


def _plain(value: Linked) -> list[Any]:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return [value.digest, value.suffix, value.type, value.name]
