"""Chained names: `photo_blur.png` was made from `photo.jpg` by *blur*. Always given in the order of the graph, so that
they never depend on which node happened to finish first.

Where several files are linked into one port, each of what is made is named after its own file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop_app.core.values import names_like
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.storage.resources import Resource
from nodes.api import Port, ResourceType, Tool

_TOOLS_KEPT = 2
_STEM_KEPT = 40
_TYPES = {str(type): type for type in ResourceType}  # the enumeration itself is slow to ask
WHOLE = -1
"""The index of a node that has no items."""
_Line = tuple[str, tuple[str, ...]]
"""Where a value comes from: the stem of a file, and the latest tools that worked on it."""


class Names:
    """The stems of all outputs of a workflow, unique in it. `stem`, `item` and `made` are all one needs."""

    def __init__(
        self, workflow: Workflow, order: Sequence[str], into: Mapping[str, Sequence[Link]], tools: Mapping[str, Tool]
    ) -> None:
        self._stems: dict[tuple[str, str], tuple[str, ...]] = {}
        self._taken = {Path(r.name).stem for r in workflow.resources}
        self._further: dict[str, Iterator[str]] = {}
        self._lines: dict[str, tuple[_Line, ...]] = {
            r.name: ((Path(r.name).stem[:_STEM_KEPT], ()),) for r in workflow.resources
        }
        self._chosen = {node.id: node.tool for node in workflow.nodes}
        self._tools = tools
        self._to_name = ((id, tools[self._chosen[id]], into.get(id, ())) for id in order if self._chosen[id] in tools)

    def stem(self, node: str, port: str) -> str:
        """The name without suffix of what leaves a node there. Names whatever comes before it in the order, if need be:
        so the work is spread over the run. Raises KeyError for what is not in the graph."""
        while (node, port) not in self._stems:
            following = next(self._to_name, None)
            if following is None:
                raise KeyError(node, port)
            self._name(*following)
        return self._stems[node, port][0]

    def item(self, node: str, port: str, index: int) -> str:
        """The same for one of several values, from 0."""
        stem = self.stem(node, port)
        stems = self._stems[node, port]
        return stems[index] if len(stems) > 1 and index < len(stems) else numbered(stem, index)

    def made(self, node: str, port: Port, index: int, kept: list[Any]) -> Iterator[Resource]:
        """What leaves the node at the port, of the item of that index or of the WHOLE node: one value, or each of a
        `many` port, with its text. `kept` as in cache.Kept."""
        stem = self.stem(node, port.name) if index == WHOLE else self.item(node, port.name, index)
        if not port.many:
            yield _resource(stem, kept, node)
            return
        for i, one in enumerate(kept):
            made = _resource(self.item(node, port.name, i) if index == WHOLE else numbered(stem, i), one, node)
            _ = made.text  # made now, one by one: the recording puts ten thousand together in one go
            yield made

    def _name(self, id: str, tool: Tool, into: Sequence[Link]) -> None:
        lines = tuple(self._grown(line, tool) for line in self._feeding(tool, into))
        self._lines[id] = lines
        stems = ["_".join((base, *made)) for base, made in lines]
        for port in tool.outputs:
            alone = len(tool.outputs) == 1 or port.name == tool.id
            self._stems[id, port.name] = tuple(self._unused(s if alone else f"{s}_{port.name}") for s in stems)

    def _grown(self, line: _Line, tool: Tool) -> _Line:
        base, made = line
        return (base, (*made, tool.id)[-_TOOLS_KEPT:]) if base else (tool.id, ())

    def _feeding(self, tool: Tool, into: Sequence[Link]) -> tuple[_Line, ...]:
        """Where what feeds the node comes from, by the first port that brings several things, else by the first."""
        if len(into) == 1 and (port := tool.input(into[0].port)) is not None and not port.many:
            return self._leaving(into[0]) or (("", ()),)
        by_port: dict[str, list[_Line]] = {}
        for link in into:
            by_port.setdefault(link.port, []).extend(self._leaving(link))
        first: tuple[_Line, ...] = (("", ()),)
        for port in reversed(tool.inputs):
            lines = by_port.get(port.name)
            if lines and (len(first) == 1 or (len(lines) > 1 and not port.many)):
                first = tuple(lines[:1] if port.many else lines)
        return first

    def _leaving(self, link: Link) -> tuple[_Line, ...]:
        """How many values leave an output that is `many` nobody knows yet: it counts as one."""
        lines = self._lines.get(link.source, ())
        tool = self._tools.get(self._chosen.get(link.source, ""))
        port = tool.output(link.output) if tool is not None else None
        return lines[:1] if port is not None and port.many else lines

    def _unused(self, stem: str) -> str:
        further = self._further.setdefault(stem, names_like(stem, "{name}-{n}"))
        name = next(candidate for candidate in further if candidate not in self._taken)
        self._taken.add(name)
        return name


def numbered(stem: str, index: int) -> str:
    """The name of one of several values, from 0."""
    return f"{stem}-{index + 1:03}"


def _resource(stem: str, kept: list[Any], node: str) -> Resource:
    digest, suffix, type, facets, _ = kept
    return Resource(stem + suffix, _TYPES[type], digest, suffix, facets, node)
