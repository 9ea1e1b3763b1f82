"""How long nodes take, by what the same tool with the same back end took before and by how far they got."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.backends.selection import Backends, SelectedBackend
from desktop_app.storage.database import History
from nodes.api import Tool

UNKNOWN_SECONDS = 1.0
"""What a node that never ran here counts as when the longest way through the graph is looked for."""
TELLING_FRACTION, TELLING_SECONDS = 0.05, 0.5
"""Chosen: before so much is done, and so long has passed, how far a node got does not tell when it ends."""


class Estimates:
    """Of nodes with these tools and back ends; a run learns from itself while it goes on."""

    def __init__(self, tools: Mapping[str, Tool], backends: Backends, history: History) -> None:
        self._tools, self._backends, self._history = tools, backends, history

    def usual(self, node: Node) -> float | None:
        """Seconds that the node takes as a rule, for one item; None for what never ran here."""
        tool = self._tools.get(node.tool)
        choice = self._backends.choose(tool, node.backend) if tool is not None else None
        return self._history.seconds(node.tool, choice.backend.id) if isinstance(choice, SelectedBackend) else None

    def known(self, workflow: Workflow) -> dict[str, float]:
        """The seconds that nodes take as a rule, for one item, by id; without those that never ran here."""
        usual: dict[tuple[str, str | None], float | None] = {}
        for node in workflow.nodes:
            if (node.tool, node.backend) not in usual:
                usual[node.tool, node.backend] = self.usual(node)
        found = ((node.id, usual[node.tool, node.backend]) for node in workflow.nodes)
        return {id: seconds for id, seconds in found if seconds is not None}


def seconds_left(elapsed: float, fraction: float, usual: float | None) -> float | None:
    """Until the end of what runs for `elapsed` seconds, got as far as `fraction` and takes `usual` seconds as a rule.

    How far it got counts once that tells enough. None when nothing is known; 0 is "any moment now".
    """
    if fraction >= TELLING_FRACTION and elapsed >= TELLING_SECONDS:
        return elapsed * (1 - fraction) / fraction
    return None if usual is None else max(0.0, usual - elapsed)
