"""The tool graph: resource types and tools, who takes what and who gives what, and how far types are apart."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

from desktop_app.plan.types import PortSpec, ToolSpec
from nodes.api import ANSWERS, ResourceType

SETTINGS = frozenset(("number", "flag"))
INLINE = frozenset(("text", "number", "flag", "url"))
"""Types whose values a user may type into the request."""

PART = ("start", "end")
"""The inputs for the times between which a part of a sound or a film lies."""

DOCUMENTS = frozenset(("html", "file"))
"""Types of files that may hold a text."""

REGIONS = frozenset(("mask", "boxes", "points", "segmentation", "bbox", "point"))
"""Types that say which part of a picture is meant."""


@cache
def supertypes(type: str) -> tuple[str, ...]:
    """The type itself and all that it is a kind of. "image.mask" is an "image" and a "mask"; our own types know their
    parents.
    """
    found = [type]
    while "." in found[-1]:
        found.append(found[-1].rpartition(".")[0])
    if "." in type:
        found.append(type.rpartition(".")[2])
    if type in ResourceType.__members__.values():
        parent = ResourceType(type).parent
        if parent is not None:
            found.append(str(parent))
    return tuple(found)


def fits(given: str, wanted: str) -> bool:
    """True when a value of type `given` may stand where `wanted` is asked for."""
    return given == wanted or wanted in supertypes(given)


def main_inputs(tool: ToolSpec) -> tuple[PortSpec, ...]:
    """The inputs that a tool cannot run without."""
    return tool.required


def answers_from_tables(tool: ToolSpec) -> bool:
    """Whether it answers a question about a table."""
    return tool.does == ANSWERS and any(port.type == "table" for port in main_inputs(tool))


def cuts(tool: ToolSpec, type: str) -> bool:
    """Whether all that it does to such a thing is to keep what lies between two times."""
    rest = [port.type for port in tool.inputs if port.name not in PART]
    return rest == [type] == [out.type for out in tool.outputs] and len(tool.inputs) == len(PART) + 1


class ToolGraph:
    """Immutable after construction; construction is linear in the number of ports."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self.tools = {tool.id: tool for tool in tools}
        self.types: set[str] = set()
        self.needs = {tool.id: tuple(port.type for port in tool.inputs if port.required) for tool in tools}
        """The types of the inputs that a tool cannot run without, by tool."""
        self._giving: dict[str, list[str]] = defaultdict(list)
        self._taking: dict[str, list[str]] = defaultdict(list)
        self._reached: dict[frozenset[str], dict[str, int]] = {}
        self._distances: dict[str, dict[str, int]] = {}
        for tool in tools:
            self.types.update(port.type for port in (*tool.inputs, *tool.outputs))
            for type in dict.fromkeys(t for port in tool.outputs for t in supertypes(port.type)):
                self._giving[type].append(tool.id)
            for type in dict.fromkeys(port.type for port in tool.inputs):
                self._taking[type].append(tool.id)

    def doing(self, deed: str) -> ToolSpec | None:
        """The first tool that declares to do that (one of nodes.api.DOES)."""
        return next((tool for tool in self.tools.values() if tool.does == deed), None)

    def giving(self, type: str) -> Sequence[str]:
        """Ids of the tools with an output that may stand for `type`."""
        return self._giving.get(type, ())

    def output(self, tool: str, wanted: str) -> PortSpec | None:
        """The first output of the tool that may stand for `wanted`."""
        return next((port for port in self.tools[tool].outputs if fits(port.type, wanted)), None)

    def reachable(self, given: Iterable[str]) -> dict[str, int]:
        """For every type that can be made from `given`, the least number of tools in a row that it takes.

        Numbers and flags always count as given: they are settings.
        """
        key = frozenset(given)
        if key not in self._reached:
            self._reached[key] = self._reach(key)
        return self._reached[key]

    def _reach(self, given: Iterable[str]) -> dict[str, int]:
        best = {t: 0 for type in (*given, *SETTINGS) for t in supertypes(type)}
        missing = {}
        queue = [(0, type) for type in best]
        heapq.heapify(queue)
        done: set[str] = set()
        while queue:
            cost, type = heapq.heappop(queue)
            if type in done:
                continue
            done.add(type)
            for id in self._taking.get(type, ()):
                tool = self.tools[id]
                left = missing.setdefault(id, set(self.needs[id]))
                if type not in left and left:
                    continue
                left.discard(type)
                if not left:
                    self._raise(tool, cost + 1, best, queue)
        return best

    @staticmethod
    def _raise(tool: ToolSpec, cost: int, best: dict[str, int], queue: list[tuple[int, str]]) -> None:
        for port in tool.outputs:
            for type in supertypes(port.type):
                if cost < best.get(type, 1_000_000):
                    best[type] = cost
                    heapq.heappush(queue, (cost, type))

    def distances(self, wanted: str) -> dict[str, int]:
        """Backward reachability: for each type, how many tools at least lie between it and `wanted`."""
        if wanted not in self._distances:
            found = {wanted: 0}
            queue = [wanted]
            for type in queue:
                for id in self._giving.get(type, ()):
                    for port in self.tools[id].inputs:
                        if port.type not in found:
                            found[port.type] = found[type] + 1
                            queue.append(port.type)
            self._distances[wanted] = found
        return self._distances[wanted]
