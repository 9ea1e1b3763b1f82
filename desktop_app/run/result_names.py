"""Names of results: the file that they come from and the last step, in plain words (`photo_blur.png`). Always given
in the order of the graph, so that they never depend on which node happened to finish first. A step that only makes a
file in another form keeps the name of what it gets (`photo_blur.webp`).

Where several files are linked into one port, each of what is made is named after its own file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop_app.core.values import names_like
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.storage.resources import STEM_KEPT, Resource
from nodes.api import Port, ResourceType, Tool

_TYPES = {str(type): type for type in ResourceType}  # the enumeration itself is slow to ask
WHOLE = -1
"""The index of a node that has no items."""


class Names:
    """The stems of all outputs of a workflow, unique in it. `stem`, `item` and `made` are all one needs."""

    def __init__(
        self, workflow: Workflow, order: Sequence[str], into: Mapping[str, Sequence[Link]], tools: Mapping[str, Tool]
    ) -> None:
        self._stems: dict[tuple[str, str], tuple[str, ...]] = {}
        self._taken: dict[str, set[str]] = {}
        """By stem, the endings that files of that name have or may have; "" for one that has yet to be seen."""
        for part in (part for r in workflow.resources for part in r.parts):
            self._taken.setdefault(Path(part.name).stem, set()).add(_ending_of(Path(part.name).suffix))
        self._further: dict[str, Iterator[str]] = {}
        self._origins: dict[str, tuple[str, ...]] = {
            r.name: tuple(Path(part.name).stem[:STEM_KEPT] for part in r.parts) for r in workflow.resources
        }
        self._batches = {r.name: (Path(r.name).stem[:STEM_KEPT],) for r in workflow.resources if r.files}
        self._nodes = {node.id: node for node in workflow.nodes}
        self._tools = tools
        self._to_name = ((self._nodes[id], into.get(id, ())) for id in order if self._nodes[id].tool in tools)

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

    def _name(self, node: Node, into: Sequence[Link]) -> None:
        tool = self._tools[node.tool]
        word, origins = _word(tool, node), self._feeding(tool, into)
        self._origins[node.id] = tuple(origin or word for origin in origins)
        if not tool.result and tool.input("format") is not None:
            before = next((link for port in tool.inputs for link in into if link.port == port.name), None)
            stems = self._stems.get((before.source, before.output), ()) if before is not None else ()
            form, stems = _form(tool, node), stems if len(stems) == len(origins) else origins
            self._stems[node.id, tool.outputs[0].name] = tuple(self._unused(one or word, form) for one in stems)
            return
        for place, port in enumerate(tool.outputs):
            stems = (f"{origin}_{port.name if place else word}" if origin else word for origin in origins)
            own = _OWN_ENDINGS.get(port.type, "")
            self._stems[node.id, port.name] = tuple(self._unused(stem, own, alone=True) for stem in stems)

    def _feeding(self, tool: Tool, into: Sequence[Link]) -> tuple[str, ...]:
        """Where what feeds the node comes from, by the first port that brings several things, else by the first."""
        if len(into) == 1 and (port := tool.input(into[0].port)) is not None and not port.many:
            return self._leaving(into[0]) or ("",)
        by_port: dict[str, list[str]] = {}
        for link in into:
            by_port.setdefault(link.port, []).extend(self._leaving(link))
        first: tuple[str, ...] = ("",)
        for port in reversed(tool.inputs):
            origins = by_port.get(port.name)
            if origins and (len(first) == 1 or (len(origins) > 1 and not port.many)):
                joined = port.many and next((self._batches.get(k.source) for k in into if k.port == port.name), None)
                first = joined or tuple(origins[:1] if port.many else origins)
        return first

    def _leaving(self, link: Link) -> tuple[str, ...]:
        """How many values leave an output that is `many` nobody knows yet: it counts as one."""
        origins, node = self._origins.get(link.source, ()), self._nodes.get(link.source)
        tool = self._tools.get(node.tool) if node is not None else None
        port = tool.output(link.output) if tool is not None else None
        return origins[:1] if port is not None and port.many else origins

    def _unused(self, stem: str, ending: str, alone: bool = False) -> str:
        """The stem, or one like it, that no other file with that ending has; `alone`: that none has at all."""
        key = stem if alone else f"{stem}{ending}"
        further = self._further.setdefault(key, names_like(stem, "{name}-{n}"))

        def free(name: str) -> bool:
            others = self._taken.get(name)
            return not others or not (alone or not ending or others & {ending, ""})

        name = next(filter(free, further))
        self._taken.setdefault(name, set()).add(ending)
        return name


_OWN_ENDINGS = {ResourceType.IMAGE: ".png", ResourceType.MASK: ".png", ResourceType.AUDIO: ".wav",
                ResourceType.VIDEO: ".mp4"}  # fmt: skip
"""Of what tools make. Whatever else there is may have any."""


def _form(tool: Tool, node: Node) -> str:
    """The ending that the file will have; "" where that is not known before it is there."""
    port = tool.input("format")
    value = node.values.get("format", port.default if port is not None else "")
    return _ending_of(f".{value}") if isinstance(value, str) and value else ""


def _ending_of(ending: str) -> str:
    return ".jpg" if ending.lower() in (".jpeg", ".jpe") else ending.lower()


def _word(tool: Tool, node: Node) -> str:
    """What was done there: "brighter" where that was chosen or a number says it by its sign, else the tool's word."""
    port, value = tool.input(tool.result_by), node.values.get(tool.result_by)
    chosen = port is not None and isinstance(value, str) and value in port.choices and value != port.default
    if chosen:
        return str(value).lower().replace(" ", "-")
    return next(_signed_words(tool, node), tool.result or tool.id)


def _signed_words(tool: Tool, node: Node) -> Iterator[str]:
    for name, less, more in tool.result_signs:
        value = node.values.get(name)
        if isinstance(value, int | float) and value:
            yield more if value > 0 else less


def numbered(stem: str, index: int) -> str:
    """The name of one of several values, from 0."""
    return f"{stem}-{index + 1:03}"


def _resource(stem: str, kept: list[Any], node: str) -> Resource:
    digest, suffix, type, facets, _ = kept
    if called := facets.get("called"):  # the tool itself knows: what was unpacked keeps its name
        stem = f"{stem}_{called[:STEM_KEPT]}"
    return Resource(stem + suffix, _TYPES[type], digest, suffix, facets, node)
