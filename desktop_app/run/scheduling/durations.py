"""How long nodes take: by what the same tool with the same back end took before, by how much they have to work on, and
by how far they got.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.models.selection import language_asked
from desktop_app.run.backends.selection import Backends, SelectedBackend
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from desktop_app.storage.timings import size_of
from nodes.api import Backend, ResourceType, Tool

UNKNOWN_SECONDS = 1.0
"""What a node that never ran here counts as when the longest way through the graph is looked for."""
_LEAST_SIZE = 200.0  # chosen: a word or a line, a setting as it were, takes as long as another
_SMALL = frozenset({
    ResourceType.NUMBER, ResourceType.FLAG, ResourceType.POINTS, ResourceType.BOXES, ResourceType.LABELS,
    ResourceType.URL,
})  # fmt: skip
"""Of values of these types there is never so much that it took time."""
TELLING_FRACTION, TELLING_SECONDS = 0.05, 0.5
"""Chosen: before so much is done, and so long has passed, how far a node got does not tell when it ends."""


class Estimates:
    """Of nodes with these tools and back ends; a run learns from itself while it goes on."""

    def __init__(self, tools: Mapping[str, Tool], backends: Backends, history: History) -> None:
        self._tools, self._backends, self._history = tools, backends, history
        self._used: dict[tuple[str, str | None, str], SelectedBackend | None] = {}

    def usual(self, node: Node, size: float = 0.0) -> float | None:
        """Seconds that the node takes for one item of that size, 0 where it is not known; None for what never ran
        here."""
        used = self._backend(node)
        return seconds_with(self._history, node.tool, used.backend, size) if used is not None else None

    def known(self, workflow: Workflow) -> dict[str, float]:
        """The seconds that nodes take as a rule, for one item, by id; without those that never ran here."""
        sizes = self.sizes(workflow)
        found = ((node.id, self.usual(node, sizes.get(node.id, 0.0))) for node in workflow.nodes)
        return {id: seconds for id, seconds in found if seconds is not None}

    def sizes(self, workflow: Workflow) -> dict[str, float]:
        """By node id how large what it works on is (`sizes_in`), as far as the history tells."""
        return sizes_in(workflow, self._tools, self._growth)

    def _growth(self, node: Node) -> float:
        used = self._backend(node)
        return made_with(self._history, node.tool, used.backend) if used is not None else 0.0

    def _backend(self, node: Node) -> SelectedBackend | None:
        tool = self._tools.get(node.tool)
        key = (node.tool, node.backend, language_asked(tool, node.values) if tool is not None else "")
        if key not in self._used:
            choice = self._backends.choose(tool, node.backend, node.values) if tool is not None else None
            self._used[key] = choice if isinstance(choice, SelectedBackend) else None
        return self._used[key]


def seconds_with(history: History, tool: str, backend: Backend, size: float) -> float | None:
    """How long a tool takes with a back end for an input of that size. Of models many bring what they look at to a
    size of their own, so what was measured on one size says nothing of another."""
    return history.seconds(tool, backend.id, size, grows=not backend.model)


def made_with(history: History, tool: str, backend: Backend) -> float:
    """How much a tool makes of one unit of its input, 0 where that is not known."""
    growth = history.growth(tool, backend.id)
    return growth.made if growth is not None else 0.0


def sizes_in(workflow: Workflow, tools: Mapping[str, Tool], made: Callable[[Node], float]) -> dict[str, float]:
    """How much each node has to work on, by id, 0 where that is not known: of what is made on the way so much as its
    maker makes as a rule. `made` tells how much a node makes of one unit of its input, 0 where that is not known.
    """
    ends = {(r.name, RESOURCE_OUTPUT): [resource_size(part) for part in r.parts] for r in workflow.resources}
    sizes: dict[str, float] = {}
    for id in workflow.order():
        node = workflow.node(id)
        tool = tools.get(node.tool)
        if tool is None:
            continue
        sizes[id] = input_size(tool, workflow.links_into(id), lambda link: ends.get((link.source, link.output), [None]),
                               node.values)  # fmt: skip
        for place, port in enumerate(tool.outputs):
            size = 0.0 if port.type in _SMALL else (sizes[id] * made(node) or None) if not place else None
            ends[id, port.name] = [size]
    return sizes


def input_size(
    tool: Tool,
    links: Iterable[Link],
    sizes_of: Callable[[Link], Sequence[float | None]],
    values: Mapping[str, Any],
) -> float:
    """How much one item of a node has to work on, 0 where that is not known. `sizes_of` tells the sizes of the values
    that come by a link, None for what is not known; `values` are those that the node has itself."""
    total = sum(len(text) for text in values.values() if isinstance(text, str)) * 1.0
    by_port: dict[str, list[float | None]] = {}
    for link in links:
        by_port.setdefault(link.port, []).extend(sizes_of(link))
    for name, sizes in by_port.items():
        known = [size for size in sizes if size is not None]
        port = tool.input(name)
        if len(known) < len(sizes) or port is None:
            return 0.0
        total += sum(known) / (1 if port.many else max(1, len(known)))
    return max(total, _LEAST_SIZE) if total else 0.0


def resource_size(resource: Resource | None) -> float | None:
    """As `size_of`; None where it is not known though there may be much of it."""
    if resource is None:
        return None
    return size_of(resource.facets) or (0.0 if resource.type in _SMALL else None)


def seconds_left(elapsed: float, fraction: float, usual: float | None) -> float | None:
    """Until the end of what runs for `elapsed` seconds, got as far as `fraction` and takes `usual` seconds as a rule.

    How far it got counts once that tells enough. None when nothing is known; 0 is "any moment now".
    """
    if fraction >= TELLING_FRACTION and elapsed >= TELLING_SECONDS:
        return elapsed * (1 - fraction) / fraction
    return None if usual is None else max(0.0, usual - elapsed)
