"""Which part of a picture is meant, once it is found: all the rest of it, or one thing of several.

Finds the tools for that by their ports and their own words.
"""

from __future__ import annotations

from functools import lru_cache

from desktop_app.plan.arguments import fill
from desktop_app.plan.clause import Clause
from desktop_app.plan.decompose import Intent
from desktop_app.plan.refine import means_the_rest
from desktop_app.plan.request import ToolSpec
from desktop_app.plan.retrieval import Index
from desktop_app.plan.toolgraph import ToolGraph, main_inputs
from desktop_app.plan.words import plain_words

_OPPOSITE = "invert"
_REST = frozenset(("else", "rest", "outside"))
_BEHIND = frozenset(("background", "backdrop"))


class Parts:
    """For one tool graph. Immutable."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index

    def inverter(self, type: str) -> ToolSpec | None:
        """The tool that turns a part of this type into the rest of the picture."""
        alike = _same_in_and_out(self.graph, type)
        return next((tool for tool in alike if self._speaks(tool.id, _OPPOSITE) >= 0.5), None)

    def wants_rest(self, intent: Intent, tool: ToolSpec) -> bool:
        """True for "everything else" and "the background", unless the tool itself knows what that is."""
        if _REST & set(plain_words(" ".join([tool.description, *(port.description for port in tool.inputs)]))):
            return False
        if means_the_rest(intent):
            return True
        words = {token.word for token in intent.tokens}
        return bool(_BEHIND & words) and not _BEHIND & set(plain_words(tool.title))

    def selector(self, type: str, clause: Clause, used: frozenset[int]) -> ToolSpec | None:
        """The tool that takes some of the things found, where the wording says which."""
        for tool in _selectors(self.graph, type):
            wanted = [port for port in main_inputs(tool) if port.type != type]
            if len(fill(tool, wanted, clause, used).values) == len(wanted):
                return tool
        return None

    def _speaks(self, tool: str, key: str) -> float:
        return self.index.profiles[tool].weights.get(key, 0.0)


@lru_cache(maxsize=64)
def _same_in_and_out(graph: ToolGraph, type: str) -> tuple[ToolSpec, ...]:
    tools = (graph.tools[id] for id in graph.giving(type))
    return tuple(
        t for t in tools if [p.type for p in main_inputs(t)] == [type] and [p.type for p in t.outputs] == [type]
    )


@lru_cache(maxsize=64)
def _selectors(graph: ToolGraph, type: str) -> tuple[ToolSpec, ...]:
    tools = (graph.tools[id] for id in graph.giving(type))
    return tuple(
        t for t in tools
        if sorted(p.type for p in main_inputs(t)) == sorted((type, "text")) and [p.type for p in t.outputs] == [type]
    )  # fmt: skip
