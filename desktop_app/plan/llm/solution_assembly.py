"""Steps 2 and 6 of Thoughts-on-Graph with a language model: searches each subtask and joins what is found into graphs.

The search is the same as offline; what a tool is worth for a subtask comes from the model's scores where it gave any.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from desktop_app.core.errors import BadReply
from desktop_app.plan.llm.solution_join import Joiner, may_become
from desktop_app.plan.llm.subtasks import Wish
from desktop_app.plan.llm.type_conversion import Converters, leaves
from desktop_app.plan.ranking.port_fit import makes_up
from desktop_app.plan.search.search import Have, Limits, Made, search
from desktop_app.plan.tools.tool_graph import REGIONS, SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import READY, Request, Step
from nodes.phrase import Phrase, joined, listed

_LOOKED_AT = 24
_WAYS = 3
"""Ways that are kept for each subtask."""
GOOD = 3.0
"""A tool of so much is meant for the subtask."""
_LOST = 0.6
"""What it costs a way to do without a tool that the model scored the highest."""


@dataclass(frozen=True)
class _Way:
    """One way to do a subtask: a tree for each type that is wanted. `cost` is what it leaves unused, and its rank."""

    trees: tuple[Made, ...]
    cost: float


class Assembler:
    """For one request. `shown` are the tools that the model could score; `match` rates any by its wording, 1..5."""

    def __init__(
        self,
        graph: ToolGraph,
        request: Request,
        shown: frozenset[str],
        match: Callable[[str, str], float],
        strategy: str = "adaptive",
    ) -> None:
        self.graph = graph
        self._request = request
        self._shown = shown
        self._match = match
        self._strategy = strategy
        self.converters = Converters(graph)
        self._clicked = any(given.points for given in request.resources)

    def graphs(self, wishes: Sequence[Wish], most: int = 6) -> list[tuple[Step, ...]]:
        """Graphs that do all wishes, the best first, no two with the same tools. Raises BadReply naming the subtasks
        for which there is no way.
        """
        ways = [self._ways(wish) for wish in wishes]
        lost = [wish.subtask for wish, found in zip(wishes, ways, strict=True) if not found]
        if lost:
            raise BadReply(joined(*(self._why(subtask.id, wishes[subtask.id]) for subtask in lost)), "")
        found: dict[frozenset[str], tuple[Step, ...]] = {}
        for chosen in _cheapest(ways):
            steps = tuple(
                Joiner(self.graph, self.converters).join(
                    [(wish, way.trees) for wish, way in zip(wishes, chosen, strict=True)]
                )
            )
            found.setdefault(frozenset(step.tool for step in steps), steps)
            if len(found) >= most:
                break
        return list(found.values())

    def _why(self, number: int, wish: Wish) -> str:
        given = listed(Phrase(type, "types") for _, type in wish.sources) or Phrase("nothing")
        wanted = listed(Phrase(type, "types") for type in wish.subtask.wanted)
        return Phrase("No tools make {wanted} out of {given} (subtask {n}).", wanted=wanted, given=given, n=number + 1)

    def _ways(self, wish: Wish) -> list[_Way]:
        """The best ways, those first that use all that the subtask takes."""
        have = [Have(str(number), type) for number, (_, type) in enumerate(wish.sources)]
        trees = [self._trees(have, wanted, wish) for wanted in dict.fromkeys(wish.subtask.wanted)]
        found = []
        for place, chosen in enumerate(islice(product(*trees), _LOOKED_AT)):
            lost = self._lost(wish, chosen)
            found.append(_Way(chosen, self._unused(wish, chosen) + _LOST * lost + 0.2 * place))
        return heapq.nsmallest(_WAYS, found, key=lambda way: way.cost)

    def _trees(self, have: Sequence[Have], wanted: str, wish: Wish) -> list[Made]:
        types = {item.type for item in have}
        extra = [Have("", "text", 0.4)] if "text" not in types else []
        if "points" not in types and "points" in self.graph.types:
            extra.append(Have("", "points", 0.2 if self._clicked else 1.0))
        found = search(
            self.graph, [*have, *extra], wanted, lambda tool: self.assess(tool, wish), self._strategy,
            Limits(examined=1_500, judged=bool(wish.scores)), allowed=lambda id: self._allowed(id, wish),
            prefer=sorted(wish.scores, key=lambda id: -wish.scores[id]),
        )  # fmt: skip
        made = [w for w in islice(found, _LOOKED_AT) if isinstance(w, Made) and self._is_sensible(w, wish)]
        made = [way for way in made if way.rests_on_something()] or ([] if have else made[:_WAYS])
        good = [way for way in made if all(self.assess(tool, wish) >= GOOD for tool in way.tools())]
        if wish.scores:  # the last tool is one that was thought of, if any of those is any good
            good = [way for way in good if way.tool in wish.scores] or good
        return [self._on_part(way, have, wish) for way in (good if wish.scores else good or made)]

    def _on_part(self, way: Made, have: Sequence[Have], wish: Wish) -> Made:
        """ "Blur the faces": the way with a part of the picture to work on, where the model scored a tool that finds
        such parts and the subtask names none.
        """
        ports = [
            p for p in self.graph.tools[way.tool].inputs if p.type in REGIONS and not p.required and not p.picked_on
        ]
        if not ports or any(item.type in REGIONS for item in have):
            return way
        finders = {id for id, score in wish.scores.items() if score >= GOOD and self._finds(id)} - {way.tool}
        found = search(
            self.graph, have, ports[0].type, lambda tool: self.assess(tool, wish), self._strategy, Limits(examined=400),
            allowed=lambda id: self._allowed(id, wish), prefer=finders,
        )  # fmt: skip
        parts = (w for w in islice(found, _LOOKED_AT) if isinstance(w, Made) and finders & set(w.tools()))
        part = next((w for w in parts if self._is_sensible(w, wish)), None) if finders else None
        return way if part is None else replace(way, inputs=(*way.inputs, (ports[0].name, part)))

    def _finds(self, tool: str) -> bool:
        return any(port.type in REGIONS for port in self.graph.tools[tool].outputs)

    def assess(self, tool: str, wish: Wish) -> float:
        """What the tool is worth for the subtask, 1 to 5."""
        score = wish.scores.get(tool)
        if score is None and wish.scores and self.converters.is_plain(tool):
            return GOOD
        if score is None:
            score = self._match(tool, wish.subtask.description)
        return score if self.graph.tools[tool].quality >= READY or tool in wish.scores else max(1.0, score - 0.5)

    def _allowed(self, tool: str, wish: Wish) -> bool:
        """Tools that the model scored, and conversions of which it need not think; all where it scored none or where
        everything is to be looked at. One that reaches outside only where the subtask has an address, the user's.
        """
        if self.graph.tools[tool].outside and not any(type == "url" for _, type in wish.sources):
            return False
        known = tool in wish.scores or self.converters.is_plain(tool)
        return known or not wish.scores or (self._strategy == "exhaustive" and tool not in self._shown)

    def _is_sensible(self, way: Made, wish: Wish) -> bool:
        """False where one thing goes into two inputs of a tool, where a mask passes for the picture, and for a tool on
        the way that changes or makes up what the model did not ask to be changed or made up.
        """
        ports = {port.name: port.type for port in self.graph.tools[way.tool].inputs}
        fed = [(ports[name], source) for name, source in way.inputs if isinstance(source, Made) or source.name]
        if len(set(fed)) < len(fed):
            return False
        return all(
            self._may_bridge(source.tool, type, wish) and self._is_sensible(source, wish)
            for type, source in fed
            if isinstance(source, Made)
        )

    def _may_bridge(self, tool: str, wanted: str, wish: Wish) -> bool:
        output = self.graph.output(tool, wanted)
        if output is not None and output.type in REGIONS and wanted not in REGIONS:
            return False
        spec = self.graph.tools[tool]
        takes, gives = {port.type for port in main_inputs(spec)} - SETTINGS, {port.type for port in spec.outputs}
        return wish.scores.get(tool, 0.0) >= GOOD or not (gives <= takes or makes_up(takes, gives))

    def _lost(self, wish: Wish, trees: Sequence[Made]) -> int:
        """The number of tools that the model scored the highest and that the trees do without."""
        used = {tool for tree in trees for tool in tree.tools()}
        return sum(score >= 5.0 and tool not in used for tool, score in wish.scores.items())

    def _unused(self, wish: Wish, trees: Sequence[Made]) -> float:
        """The number of things that the subtask takes and that neither the trees nor an optional input can use."""
        used = {name for tree in trees for name in leaves(tree)}
        ports = [p for tree in trees for p in self.graph.tools[tree.tool].inputs if not p.required or p.many]
        free = [port.type for port in ports if port.type not in SETTINGS]
        left = 0.0
        for number, (_, type) in enumerate(wish.sources):
            if str(number) in used:
                continue
            place = next((i for i, wanted in enumerate(free) if may_become(type, wanted)), None)
            if place is None:
                same = any(str(n) in used and other == type for n, (_, other) in enumerate(wish.sources))
                left += 0.3 if same else 1.0
            elif not any(p.many and fits(type, p.type) for p in ports):
                free.pop(place)
        return left


def _cheapest(ways: Sequence[Sequence[_Way]], most: int = 60) -> list[tuple[_Way, ...]]:
    """Combinations of one way for each subtask, the cheapest first."""
    combined: list[tuple[float, tuple[_Way, ...]]] = [(0.0, ())]
    for found in ways:
        longer = [(cost + way.cost, (*chosen, way)) for cost, chosen in combined for way in found]
        combined = heapq.nsmallest(most, longer, key=lambda pair: pair[0])
    return [chosen for _, chosen in combined]
