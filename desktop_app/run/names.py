"""Chained names: `photo_blur.png` was made from `photo.jpg` by *blur*. Given before the run, so that they never
depend on which node happened to finish first.
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
        lineage: dict[str, tuple[str, tuple[str, ...]]] = {
            r.name: (Path(r.name).stem[:_STEM_KEPT], ()) for r in workflow.resources
        }
        chosen = {node.id: node.tool for node in workflow.nodes}
        for id in order:
            tool = tools.get(chosen[id])
            if tool is not None:
                lineage[id] = self._name(id, tool, into.get(id, ()), lineage)

    def stem(self, node: str, port: str) -> str:
        """The name without suffix of what leaves a node there."""
        return self._stems[node, port]

    def item(self, node: str, port: str, index: int) -> str:
        """The same for one of the values of a `many` output, from 0."""
        return f"{self._stems[node, port]}-{index + 1:03}"

    def _name(
        self, id: str, tool: Tool, into: Sequence[Link], lineage: Mapping[str, tuple[str, tuple[str, ...]]]
    ) -> tuple[str, tuple[str, ...]]:
        source = _first_source(tool, into)
        base, made = lineage.get(source, ("", ())) if source else ("", ())
        made = (*made, tool.id)[-_TOOLS_KEPT:]
        if not base:
            base, made = tool.id, ()
        stem = "_".join((base, *made))
        if len(tool.outputs) == 1:
            self._stems[id, tool.outputs[0].name] = self._unused(stem)
            return base, made
        for port in tool.outputs:
            self._stems[id, port.name] = self._unused(stem if port.name == tool.id else f"{stem}_{port.name}")
        return base, made

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
