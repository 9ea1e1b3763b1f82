"""Chained names: `photo_blur.png` was made from `photo.jpg` by *blur*. Always given in the order of the graph, so that
they never depend on which node happened to finish first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from desktop_app.workflow import Link, Workflow
from nodes.api import Tool

_TOOLS_KEPT = 2
_STEM_KEPT = 40


class Names:
    """The stems of all outputs of a workflow, unique in it. `stem` and `item` are all one needs."""

    def __init__(
        self, workflow: Workflow, order: Sequence[str], into: Mapping[str, Sequence[Link]], tools: Mapping[str, Tool]
    ) -> None:
        self._stems: dict[tuple[str, str], str] = {}
        self._taken = {Path(r.name).stem for r in workflow.resources}
        self._next: dict[str, int] = {}
        self._lineage: dict[str, tuple[str, tuple[str, ...]]] = {
            r.name: (Path(r.name).stem[:_STEM_KEPT], ()) for r in workflow.resources
        }
        chosen = {node.id: node.tool for node in workflow.nodes}
        self._to_name = ((id, tools[chosen[id]], into.get(id, ())) for id in order if chosen[id] in tools)

    def stem(self, node: str, port: str) -> str:
        """The name without suffix of what leaves a node there. Names whatever comes before it in the order, if need be:
        so the work is spread over the run. Raises KeyError for what is not in the graph."""
        while (node, port) not in self._stems:
            following = next(self._to_name, None)
            if following is None:
                raise KeyError(node, port)
            self._name(*following)
        return self._stems[node, port]

    def item(self, node: str, port: str, index: int) -> str:
        """The same for one of the values of a `many` output, from 0."""
        return f"{self.stem(node, port)}-{index + 1:03}"

    def _name(self, id: str, tool: Tool, into: Sequence[Link]) -> None:
        source = _first_source(tool, into)
        base, made = self._lineage.get(source, ("", ())) if source else ("", ())
        made = (*made, tool.id)[-_TOOLS_KEPT:]
        if not base:
            base, made = tool.id, ()
        self._lineage[id] = (base, made)
        stem = "_".join((base, *made))
        if len(tool.outputs) == 1:
            self._stems[id, tool.outputs[0].name] = self._unused(stem)
            return
        for port in tool.outputs:
            self._stems[id, port.name] = self._unused(stem if port.name == tool.id else f"{stem}_{port.name}")

    def _unused(self, stem: str) -> str:
        candidate, number = stem, self._next.get(stem, 2)
        while candidate in self._taken:
            candidate, number = f"{stem}-{number}", number + 1
        self._next[stem] = number
        self._taken.add(candidate)
        return candidate


def _first_source(tool: Tool, into: Sequence[Link]) -> str | None:
    """Who feeds the first of the tool's ports that anybody feeds."""
    if len(into) < 2:
        return into[0].source if into else None
    by_port = {link.port: link.source for link in reversed(into)}
    return next((by_port[port.name] for port in tool.inputs if port.name in by_port), None)
