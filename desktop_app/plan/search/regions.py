"""Which part of a picture is meant, once it is found: all the rest of it, or one thing of several.

Finds the tools for that by their ports and their own words.
"""

from __future__ import annotations

from functools import lru_cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import describes, fill
from desktop_app.plan.language.corrections import means_the_rest
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.language.types import Intent
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import PortSpec, ToolSpec

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
        return bool(_BEHIND & words) and not _BEHIND & set(plain_words(f"{tool.title} {tool.description}"))

    def selector(self, type: str, clause: Clause, used: frozenset[int]) -> tuple[ToolSpec, dict[str, str]] | None:
        """The tool that takes some of the things found, where the wording says which; with that, by port."""
        for tool in selectors(self.graph, type):
            which = next(port for port in main_inputs(tool) if port.type != type)
            said = fill(tool, [which], clause, used, asked=False).values or _in_other_words(which, clause, used)
            if said:
                return tool, {name: str(value) for name, value in said.items()}
        return None

    def namer(self, type: str) -> tuple[ToolSpec, PortSpec] | None:
        """The tool that takes those of the things found of which a text says what they are; with the port for that."""
        for tool in selectors(self.graph, type):
            which = next(port for port in main_inputs(tool) if port.type != type)
            if describes(which):
                return tool, which
        return None

    def _speaks(self, tool: str, key: str) -> float:
        return self.index.profiles[tool].weights.get(key, 0.0)


def _in_other_words(port: PortSpec, clause: Clause, used: frozenset[int]) -> dict[str, str]:
    """ "The biggest": a word that means the same as one of those that the port's description lists."""
    alike = lexicon().alike
    listed = {alike[word]: word for word in plain_words(port.description) if word in alike}
    free = [place for place in sorted(clause.places - used) if not _is_direction(place, clause)]
    words = (alike.get(clause.words[place].text, "") for place in free)
    return next(({port.name: listed[word]} for word in words if word in listed), {})


def _is_direction(place: int, clause: Clause) -> bool:
    """ "To the left" says where to, and not which one."""
    before = [word.text for word in clause.words[max(0, place - 2) : place]]
    return before[:1] == ["to"] or before[-1:] == ["to"]


@lru_cache(maxsize=8)
def _same_in_and_out(graph: ToolGraph, type: str) -> tuple[ToolSpec, ...]:
    tools = (graph.tools[id] for id in graph.giving(type))
    return tuple(
        t for t in tools if [p.type for p in main_inputs(t)] == [type] and [p.type for p in t.outputs] == [type]
    )


@lru_cache(maxsize=8)
def selectors(graph: ToolGraph, type: str) -> tuple[ToolSpec, ...]:
    """The tools that take some of the things found (boxes, masks), as a text says."""
    tools = (graph.tools[id] for id in graph.giving(type))
    return tuple(
        t for t in tools
        if sorted(p.type for p in main_inputs(t)) == sorted((type, "text")) and [p.type for p in t.outputs] == [type]
    )  # fmt: skip
