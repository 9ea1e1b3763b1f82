"""What the result of a node depends on, as a digest: its trace.

Two nodes of the same trace, be it in two alternatives or before and after an edit, have the same result. It is what
run.keys.key_of makes of a node, told without having run what feeds it: so one knows at any moment, and for any graph,
whether a result still is that of its node.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.models.selection import language_asked
from desktop_app.run.backends import selection
from desktop_app.run.cache.cache_keys import canonical
from nodes.api import Tool

Tools = Mapping[str, Tool]
as_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode
"""A plain value as text that is the same for equal values."""
_FRESH_SECONDS = 2.0
"""After that it is looked whether programs and models came or went, on which the choice of back ends rests."""
_Fed = tuple[tuple[str, str, str], ...]


class _Traced(NamedTuple):
    """The trace of a node, with all that it was made of."""

    node: Node
    recipe: tuple[Any, ...]
    fed: _Fed
    trace: str


class Traces:
    """The traces of a graph that is edited: after an edit, only what it reaches is digested anew. Of 1,000 nodes it
    takes 2 to 8 ms, by how much that is. To be used on one thread.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._known: dict[str, _Traced] = {}
        self._workflow: Workflow | None = None
        self._when = 0.0
        self._found: Mapping[str, str] = {}

    def of(self, workflow: Workflow, afresh: bool = False) -> Mapping[str, str]:
        """By node, a digest of all that its result depends on: tool and its version, back end and its models, values,
        and what feeds it, up to the files. The same mapping as before when nothing is different; not to be changed.

        `afresh` looks at what is installed now. A value that says what the tool takes anyway counts as left out. What
        is bypassed has none, what is muted another one than before. Empty when the workflow runs in a circle.
        """
        now = time.monotonic()
        if afresh:
            selection.look_again()
        elif workflow is self._workflow and now - self._when < _FRESH_SECONDS:
            return self._found
        try:
            found = self._digested(execution_modes.runnable(workflow, self._tools).workflow)
        except BadWorkflow:
            found = {}
        self._workflow, self._when = workflow, now
        if found != self._found:
            self._found = found
        return self._found

    def _digested(self, workflow: Workflow) -> dict[str, str]:
        found: dict[str, str] = {}
        known: dict[str, _Traced] = {}
        recipes: dict[tuple[str, str | None, str], tuple[Any, ...]] = {}
        files = {r.name: f"{r.type}:{' '.join(r.contents)}{r.suffix}" for r in workflow.resources}
        for id in workflow.order():
            node = workflow.node(id)
            tool = self._tools.get(node.tool)
            chosen = (node.tool, node.backend, language_asked(tool, node.values) if tool is not None else "")
            if chosen not in recipes:
                recipes[chosen] = self._recipe(node)
            fed = tuple(
                (k.port, k.output, files.get(k.source) or found.get(k.source, "")) for k in workflow.links_into(id)
            )
            traced = self._known.get(id)
            if traced is None or traced.fed != fed or traced.recipe != recipes[chosen] or not _same(traced.node, node):
                traced = self._traced(node, recipes[chosen], fed)
            known[id] = traced
            found[id] = traced.trace
        self._known = known
        return found

    def _recipe(self, node: Node) -> tuple[Any, ...]:
        tool = self._tools.get(node.tool)
        if tool is None:
            return (node.backend,)
        return tool.version, *selection.recipe(tool, node.backend, node.values)

    def _traced(self, node: Node, recipe: tuple[Any, ...], fed: _Fed) -> _Traced:
        tool = self._tools.get(node.tool)
        ports = {port.name: port for port in tool.inputs} if tool else {}
        values = {
            name: canonical(ports[name], value) if name in ports else value
            for name, value in own_values(node, self._tools).items()
        }
        ordered = sorted(fed, key=lambda each: each[0])  # stable: links into a port of many keep their order
        text = as_text([node.tool, recipe, node.mode, values, ordered])
        return _Traced(node, recipe, fed, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def _same(before: Node, now: Node) -> bool:
    """True for one that was at most moved."""
    return before is now or (
        before.tool == now.tool
        and before.mode == now.mode
        and (before.values is now.values or before.values == now.values)
    )


def traces(workflow: Workflow, tools: Tools) -> Mapping[str, str]:
    """By node a digest, as Traces.of; nothing is kept for the next graph."""
    return Traces(tools).of(workflow)


def self_of(node: Node, tools: Tools) -> list[Any]:
    """What a node is, whatever feeds it."""
    return [node.tool, node.backend or "", node.mode, own_values(node, tools)]


def own_values(node: Node, tools: Tools) -> dict[str, Any]:
    """The values of a node that differ from what its tool takes by itself."""
    tool = tools.get(node.tool)
    usual = {port.name: port.default for port in tool.inputs if not port.required} if tool else {}
    return {name: value for name, value in node.values.items() if name not in usual or usual[name] != value}
