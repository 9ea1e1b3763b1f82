"""Thoughts-on-Graph: from sets of resources to a wanted type, lazily and best first.

The paper's search (Liu et al. 2023, section 3.2.3, Algorithm 1) walks forward through sequences of tools. This one
walks backward from what is wanted, so that every tool in a solution is needed, a tool with several inputs joins
branches, and the cost follows the answer. The four strategies decide which tools a step may consider.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, islice

from desktop_app.plan.tools.tool_graph import SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import PortSpec, ToolSpec

STRATEGIES = ("adaptive", "greedy", "beam", "exhaustive")
_FAR = 1_000_000


@dataclass(frozen=True)
class Have:
    """Something that may feed an input: a resource, a result, or a text of the request. `cost` prefers the apter."""

    name: str
    type: str
    cost: float = 0.0


@dataclass(frozen=True)
class Made:
    """An application of a tool: `inputs` pairs each main input port with a Have or another Made."""

    tool: str
    inputs: tuple[tuple[str, Have | Made], ...]

    def tools(self) -> tuple[str, ...]:
        """The tools in it, deepest first, each application once."""
        found: list[Made] = []
        self._collect(found)
        return tuple(made.tool for made in found)

    def rests_on_something(self) -> bool:
        """True when a named resource or result feeds it, and not only free text."""
        return any(
            source.rests_on_something() if isinstance(source, Made) else bool(source.name) for _, source in self.inputs
        )

    def _collect(self, found: list[Made]) -> None:
        for _, source in self.inputs:
            if isinstance(source, Made):
                source._collect(found)
        if self not in found:
            found.append(self)


@dataclass(frozen=True)
class _Goal:
    """A type that is still wanted, `depth` tools away from the result; `path` are the tools between.

    What is `said` is there or is not: no tool makes it.
    """

    type: str
    path: tuple[str, ...]
    said: bool = False


_TOLD = 0.8
"""What it costs more to go by way of a tool that has to be told something: the words are mostly meant for another."""
Assessment = Callable[[str], float]
"""The score 1 to 5 of a tool for the subtask."""


@dataclass(frozen=True)
class Limits:
    """How far to look: tools in a row, tools in all, partial solutions examined; and the strategies' parameters.

    In a large set only `wide` tools that give a type are looked at, besides those that the caller prefers. `judged`
    scores were given by someone who knows the tools, and are followed to the letter: a tool of the highest score costs
    next to nothing however long the way gets, the best come first, and adaptive takes none below the threshold.
    """

    depth: int = 4
    tools: int = 8
    examined: int = 4_000
    wide: int = 100
    beam: int = 3
    threshold: float = 3.0
    judged: bool = False


def search(
    graph: ToolGraph,
    have: Sequence[Have],
    wanted: str,
    assess: Assessment,
    strategy: str = "adaptive",
    limits: Limits = Limits(),
    allowed: Callable[[str], bool] | None = None,
    prefer: Collection[str] = (),
) -> Iterator[Made | Have]:
    """Ways to make `wanted` out of `have`, cheapest first. A cheap way has few tools and high scores.

    Equal ways are given once. A tool for which `allowed` is false takes no part; those in `prefer` are looked at first.
    """
    reach = graph.reachable(tuple(item.type for item in have))
    if reach.get(wanted, _FAR) > limits.depth:
        return
    there = {item.type for item in have}
    assess = cache(assess)  # a tool stands in many partial solutions
    order = count()
    known: dict[tuple[str, int], list[str]] = {}
    queue: list[tuple[float, int, tuple[_Goal, ...], tuple[object, ...]]] = []

    def push(cost: float, goals: tuple[_Goal, ...], built: tuple[object, ...]) -> None:
        ahead = sum(reach.get(goal.type, _FAR) for goal in goals)
        if ahead < _FAR:
            heapq.heappush(queue, (cost + 0.5 * ahead, next(order), goals, built))

    def candidates(type: str, left: int) -> list[str]:
        """The tools that give such a thing with so many steps left before them."""
        giving = graph.giving(type)
        if len(giving) > limits.wide and strategy != "exhaustive":
            giving = _narrowed(graph, giving, prefer, reach, left, limits.wide)
        usable = [id for id in giving if allowed is None or allowed(id)]
        return _candidates(graph, usable, left, reach, assess, strategy, limits)

    push(0.0, (_Goal(wanted, ()),), ())
    seen: set[object] = set()
    examined = 0
    while queue and examined < limits.examined:
        estimate, _, goals, built = heapq.heappop(queue)
        examined += 1
        cost = estimate - 0.5 * sum(reach.get(goal.type, _FAR) for goal in goals)
        if not goals:
            found = _fold(list(built), graph, there)
            if found not in seen:
                seen.add(found)
                yield found
            continue
        goal, rest = goals[0], goals[1:]
        if goal.path:
            for item in have:
                if fits(item.type, goal.type):
                    push(cost + item.cost, rest, (*built, item))
        used = sum(isinstance(part, str) for part in built)
        if goal.said or used >= limits.tools or len(goal.path) >= limits.depth:
            continue
        left = limits.depth - len(goal.path) - 1
        if (goal.type, left) not in known:
            known[goal.type, left] = candidates(goal.type, left)
        for tool in known[goal.type, left]:
            if tool in goal.path:
                continue
            inner = tuple(
                _Goal(port.type, (*goal.path, tool), port.said) for port in fed_ports(graph.tools[tool], there)
            )
            told = _TOLD * any(goal.said for goal in inner)
            push(cost + _price(assess(tool), limits) + told, (*inner, *rest), (*built, tool))


_NEXT_TO_NOTHING = 0.05


def _price(score: float, limits: Limits) -> float:
    return (_NEXT_TO_NOTHING if limits.judged else 1.0) + (5.0 - score) / 4.0


def _narrowed(
    graph: ToolGraph, giving: Sequence[str], prefer: Collection[str], reach: dict[str, int], left: int, wide: int
) -> list[str]:
    """The preferred tools, and of the others the first that can be fed."""
    known_ids = set(giving)
    wanted = list(islice((id for id in prefer if id in known_ids), wide))
    near = frozenset(type for type, far in reach.items() if far <= left)
    needs = graph.needs
    others = (id for id in giving if near.issuperset(needs[id]))
    return list(dict.fromkeys([*wanted, *islice(others, wide)]))


def _candidates(
    graph: ToolGraph,
    usable: Sequence[str],
    left: int,
    reach: dict[str, int],
    assess: Assessment,
    strategy: str,
    limits: Limits,
) -> list[str]:
    """The tools that a step may use: of those that give the type, what can be fed with `left` more tools in a row.

    Greedy keeps the best tool (all that are judged equally good), beam the k best. Adaptive keeps the tools at the
    threshold or above, and unless they are judged never fewer than a beam, so that a plain conversion of which the
    wording does not speak is still found.
    """
    near: list[tuple[float, float, int, str]] = []
    scores: dict[str, float] = {}
    for place, id in enumerate(usable):
        far = max((reach.get(type, _FAR) for type in graph.needs[id]), default=0)
        if far <= left:
            scores[id] = assess(id)
            by_score = -scores[id] if limits.judged else 0.0
            near.append((by_score, _price(scores[id], limits) + far, place, id))
    if strategy == "exhaustive":
        return [id for *_, id in near]
    if strategy == "greedy":
        best = min((first for first, *_ in near), default=0.0)
        kept = [item for item in near if item[0] == best] if limits.judged else heapq.nsmallest(1, near)
    elif strategy == "beam":
        kept = heapq.nsmallest(limits.beam, near)
    else:
        few = [] if limits.judged else heapq.nsmallest(limits.beam, near)
        kept = {*few, *(item for item in near if scores[item[-1]] >= limits.threshold)}
    return [id for *_, id in heapq.nsmallest(12, kept)]


def fed_ports(tool: ToolSpec, there: Collection[str]) -> list[PortSpec]:
    """The inputs that need a resource; numbers, flags and choices are settings unless there are such resources."""
    return [p for p in main_inputs(tool) if not p.choices and (p.type not in SETTINGS or p.type in there)]


def _fold(parts: list[object], graph: ToolGraph, there: Collection[str]) -> Made | Have:
    """The flat record of a search (tools before their inputs) as a tree."""
    head = parts.pop(0)
    if isinstance(head, Have):
        return head
    assert isinstance(head, str)
    ports = fed_ports(graph.tools[head], there)
    return Made(head, tuple((port.name, _fold(parts, graph, there)) for port in ports))
