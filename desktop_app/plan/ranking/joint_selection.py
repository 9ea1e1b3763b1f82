"""Cuts a request into clauses and chooses a tool for each, both at once: the reading that is most probable.

Beam search over the atoms of the request. A clause is worth the logarithm of its tool's probability, among the tools
that what is there (files, and what the tools before make) can feed, once for each of its atoms, so that a request cut
finely is not worth less for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.plan.language.clauses import Atom, atoms_of, bare
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.ranking.tool_judge import EXTRA, OUTSIDE, SILENT, ToolJudge
from desktop_app.plan.tools.tool_graph import INLINE, SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import Request

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass
class Weights:
    """In units of log probability; found by search on the development requests (tests/data/planning)."""

    many: float = -0.4  # added to the logarithms of what a text is, before they are weighed against each other
    silent: float = -1.6
    heat: float = 1.75  # above 1 the likeliest tools come nearer to each other
    mass: float = 0.9  # so much counts that it is one wish
    outside: float = -0.55
    near: float = 0.0  # what the tool takes has to be made by another first
    far: float = -1.8  # ... by two
    out_of_reach: float = -2.5
    aside: float = -1.65  # the tool has no use for any file that is there
    again: float = -0.3  # a tool chosen before, for nothing new
    unused: float = -0.5  # at the end, a kind of file that nothing takes
    cut: float = -0.5  # for each further clause
    wide: float = 1.0  # an atom in a clause of several counts so much


WEIGHTS = Weights()

_WIDEST = 4
_OUTSIDE = -1
_RIVAL = 0.05
"""A tool that is less probable is no other reading of the clause."""
_BROUGHT = frozenset(("file", "html", "video", "url"))
"""Types that come with the request or out of a wish of their own, never by the way."""
_BEAM = 8
_TOOLS = 4
_OTHERS = 6


@dataclass(frozen=True)
class Clause:
    """A stretch of the request, `start` to `end`, with its tool ("": no tool does it).

    `others` are what else it may mean, likeliest first.

    `probability` is of the tool, 0..1, among all that could be fed.
    """

    start: int
    end: int
    tool: str
    probability: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Reading:
    """`score` is a mean log probability for each atom; `clauses` in the order of the text."""

    clauses: tuple[Clause, ...]
    score: float


@dataclass(frozen=True)
class _Partial:
    at: int
    worth: float
    there: frozenset[str]
    tools: tuple[int, ...] = ()
    spans: tuple[tuple[int, int, float], ...] = ()


class JointSelector:
    """Immutable after construction."""

    def __init__(self, graph: ToolGraph) -> None:
        self.graph = graph
        tools = list(graph.tools.values())
        self.judge = ToolJudge(tools)
        self._tools = tools
        self._needs = [
            tuple(dict.fromkeys(p.type for p in main_inputs(t) if p.type not in SETTINGS | {"points"})) for t in tools
        ]
        self._makes = [tuple(p.type for p in t.outputs) for t in tools]
        self._takes = [tuple(dict.fromkeys(p.type for p in t.inputs)) for t in tools]
        self._silent, self._outside = (len(tools) + 1 + EXTRA.index(name) for name in (SILENT, OUTSIDE))
        self._costs: dict[frozenset[str], NDArray[np.float32]] = {}

    def read(self, request: Request) -> Reading:
        """The most probable reading; no clauses where nothing is asked."""
        import numpy as np

        text = request.text
        atoms = atoms_of(text, request.resources)
        spans = [(a, b) for a in range(len(atoms)) for b in range(a + 1, min(len(atoms), a + _WIDEST) + 1)]
        if len(atoms) > _WIDEST:
            spans.append((0, len(atoms)))
        texts = [bare(text[atoms[a].start : atoms[b - 1].end], request.resources) for a, b in spans]
        logs, sorts = self.judge.logs(texts)
        sorts = sorts + np.array([0.0, WEIGHTS.many, WEIGHTS.silent, WEIGHTS.outside], np.float32)
        sorts -= np.log(np.exp(sorts).sum(axis=1, keepdims=True))
        evidence = dict(zip(spans, np.hstack([logs, sorts]), strict=True))
        given = self._given(request)
        beams: list[list[_Partial]] = [[] for _ in range(len(atoms) + 1)]
        beams[0] = [_Partial(0, 0.0, given)]
        known: dict[tuple[int, int, frozenset[str]], list[tuple[float, int]]] = {}
        for place in range(len(atoms)):
            best = sorted(beams[place], key=lambda p: -p.worth)[:_BEAM]
            for partial in best:
                quiet = WEIGHTS.mass * float(evidence[(place, place + 1)][self._silent])
                quiet += self._doubt(evidence[(place, place + 1)], partial.there)
                beams[place + 1].append(replace(partial, at=place + 1, worth=partial.worth + quiet))
                for span in (s for s in spans if s[0] == place):
                    key = (*span, partial.there)
                    if key not in known:
                        known[key] = self._likely(evidence[span], partial.there)
                    width = span[1] - span[0]
                    for log, tool in known[key][:_TOOLS]:
                        worth = partial.worth + log * (1 + (width - 1) * WEIGHTS.wide)
                        worth += WEIGHTS.cut * bool(partial.tools)
                        if tool in partial.tools:
                            worth += WEIGHTS.again
                        there = partial.there.union(self._makes[tool]) if tool >= 0 else partial.there
                        step = _Partial(span[1], worth, there, (*partial.tools, tool), (*partial.spans, (*span, log)))
                        beams[span[1]].append(step)
        ends = [(p.worth + self._left_over(p, request), p) for p in beams[-1] if p.tools]
        if not ends:
            return Reading((), -9.0)
        worth, best_end = max(ends, key=lambda pair: pair[0])
        return Reading(tuple(self._clauses(best_end, atoms, evidence, given)), worth / len(atoms))

    def _clauses(
        self,
        partial: _Partial,
        atoms: Sequence[Atom],
        evidence: Mapping[tuple[int, int], NDArray[np.float32]],
        given: frozenset[str],
    ) -> list[Clause]:
        there = given
        found = []
        for tool, (a, b, log) in zip(partial.tools, partial.spans, strict=True):
            likely = self._likely(evidence[(a, b)], there)
            rivals = [(self._tools[o].id, math.exp(log)) for log, o in likely if o not in (tool, _OUTSIDE)]
            others = tuple(rival for rival in rivals if rival[1] > _RIVAL)[:_OTHERS]
            id = self._tools[tool].id if tool >= 0 else ""
            found.append(Clause(atoms[a].start, atoms[b - 1].end, id, math.exp(log), others))
            there = there.union(self._makes[tool]) if tool >= 0 else there
        return found

    def _given(self, request: Request) -> frozenset[str]:
        types = {given.type for given in request.resources}
        kinds = {token.kind for token in tokens_of(request.text)}
        return frozenset(types | ({"url"} if "url" in kinds else set()))

    def _likely(self, evidence: NDArray[np.float32], there: frozenset[str]) -> list[tuple[float, int]]:
        """The likeliest tools for a clause, with the logarithms of their probabilities."""
        import numpy as np

        own = evidence[: len(self._tools)]
        worth = own + self._cost(there)
        worth = worth / WEIGHTS.heat
        one = WEIGHTS.mass * float(evidence[len(self._tools)])
        worth += one - _log_sum(worth)
        top = np.argpartition(-worth, min(8, len(worth) - 1))[:8]
        found = [(float(worth[i]), int(i)) for i in top]
        found.append((WEIGHTS.mass * float(evidence[self._outside]) + max(found)[0] - one, _OUTSIDE))
        return sorted(found, reverse=True)

    def _doubt(self, evidence: NDArray[np.float32], there: frozenset[str]) -> float:
        """What a clause loses for doubt about which tool it is. To ask for nothing costs as much: else doubt alone
        would leave out what is asked.
        """
        own = evidence[: len(self._tools)]
        worth = (own + self._cost(there)) / WEIGHTS.heat
        return float(worth.max()) - _log_sum(worth)

    def _cost(self, there: frozenset[str]) -> NDArray[np.float32]:
        """What the types that are there say against each tool (0 or less)."""
        import numpy as np

        if there not in self._costs:
            reach = self.graph.reachable(there)
            self._costs[there] = np.array([self._against(i, there, reach) for i in range(len(self._tools))], np.float32)
        return self._costs[there]

    def _against(self, tool: int, there: frozenset[str], reach: Mapping[str, int]) -> float:
        if not there:
            return 0.0
        far = max((_distance(type, reach) for type in self._needs[tool] if type not in INLINE), default=0)
        steps = (0.0, WEIGHTS.near, WEIGHTS.far)
        total = steps[far] if far < len(steps) else WEIGHTS.out_of_reach
        useful = any(fits(have, own) for have in there for own in self._takes[tool] if have not in SETTINGS)
        if not useful:
            near = any(reach.get(own, 9) == 1 and own not in INLINE - {"text"} for own in self._needs[tool])
            total += WEIGHTS.aside * (0.5 if near and far <= 1 else 1.0)
        return total

    def _left_over(self, partial: _Partial, request: Request) -> float:
        """Against a reading that leaves a kind of file unused."""
        fresh = {given.type for given in request.resources if not given.earlier}
        total = 0.0
        for type in fresh:
            direct = any(fits(type, own) for tool in partial.tools if tool >= 0 for own in self._takes[tool])
            if not direct:
                reach = self.graph.reachable({type})
                near = any(
                    reach.get(own, 9) <= 2
                    for tool in partial.tools
                    if tool >= 0
                    for own in self._needs[tool]
                    if own not in SETTINGS
                )
                total += 0.0 if near else WEIGHTS.unused
        return total


def _distance(type: str, reach: Mapping[str, int]) -> int:
    """Of how many tools a way to the type has need; nobody has a document or a film made only to take it apart."""
    far = reach.get(type, 9)
    return 9 if far and type in _BROUGHT else far


def _log_sum(values: NDArray[np.float32]) -> float:
    import numpy as np

    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))
