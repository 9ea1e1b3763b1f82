"""Other ways to do a request, beside the first plan: what other readings of it give, the lexicon's among them.

They are built out of what the networks have found for the first plan; each is shown with how probable it is that it is
what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from desktop_app.plan.modes import way_judge
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading
from desktop_app.plan.ranking.other_readings import OtherReading, other_readings
from desktop_app.plan.ranking.plan_judge import OWN, PlanDraft, evidence, graph_of, probability
from desktop_app.plan.search.alternatives import fulfilling
from desktop_app.plan.types import FromNode, Plan, Request, Solution

_TRIES = 4
"""So many other readings are planned: each takes a twelfth of the time of a plan."""

_MOST, _ALIKE = 3, 2
"""Ways beside the first plan, and how many of them differ from it in nothing but files and values."""

_LONGER = 2
"""So many steps more than the first plan may a way have."""

_BELOW = 0.01
"""A way's score is at least so much less than that of the first plan."""

Planned = Callable[[Request, Reading], Plan]


@dataclass(frozen=True)
class Drafts:
    """What was found for a request: the plan that is shown `first`, and those by either reading."""

    first: Solution
    by_words: PlanDraft
    by_meaning: PlanDraft
    reading: Reading
    request: Request


class OtherWays:
    """Over one tool set. `planned` gives the plan for a reading of ours, `settled` what is said beside the networks."""

    def __init__(self, joint: JointSelector, planned: Planned, settled: Callable[[Reading, Request], Reading]) -> None:
        self._joint, self._planned, self._settled = joint, planned, settled

    def beside(self, drafts: Drafts) -> list[Solution]:
        """The likeliest first; none that is the first plan again or another way twice, nor an improbable one."""
        first = drafts.first
        known, found = [graph_of(first, asked=True)], list[Solution]()
        for kind, odds, solution, reading in self._candidates(drafts):
            graph = graph_of(solution, asked=True)
            if graph in known or not _is_another_way(solution, first):
                continue
            known.append(graph)
            own = PlanDraft(Plan((solution,)))
            judged = probability(
                OWN.by_meaning, evidence(own, drafts.by_words, reading, drafts.request, drafts.by_words)
            )
            share = way_judge.probability_of(kind, odds, first.score, judged)
            if share >= way_judge.SHOWN and self._fulfils(solution, drafts):
                found.append(replace(solution, score=max(0.0, min(share, first.score - _BELOW))))
        return _of_some_difference(sorted(found, key=lambda one: -one.score), first)

    def _fulfils(self, solution: Solution, drafts: Drafts) -> bool:
        both = (drafts.first, solution)
        return len(fulfilling(both, drafts.reading, drafts.request.text, self._joint.graph)) == len(both)

    def _candidates(self, drafts: Drafts) -> Iterator[tuple[str, float, Solution, Reading]]:
        for kind, draft in (("by words", drafts.by_words), ("by meaning", drafts.by_meaning)):
            for solution in draft.plan.solutions[:2]:
                yield kind, 0.0, solution, drafts.reading
        for other in self._likeliest(drafts):
            reading = self._settled(other.make(), drafts.request) if other.anew else other.make()
            if _left(reading) <= _left(drafts.reading):
                for solution in self._planned(drafts.request, reading).solutions[:1]:
                    yield other.kind, other.odds, solution, reading

    def _likeliest(self, drafts: Drafts) -> list[OtherReading]:
        others = other_readings(drafts.reading, self._joint)
        return sorted(others, key=lambda one: -way_judge.worth(one.kind, one.odds))[:_TRIES]


def _left(reading: Reading) -> int:
    """Wishes that no tool serves."""
    return sum(not clause.tool for clause in reading.clauses)


def _is_another_way(solution: Solution, first: Solution) -> bool:
    """False for what is much longer, and for a question whose answer the first plan has in the words."""
    filled = {(step.tool, port) for step in first.steps for port in step.arguments}
    tools = {step.id: step.tool for step in solution.steps}
    told = any(q.kind == "text" and (tools.get(q.step, ""), q.port) in filled for q in solution.questions)
    return bool(solution.steps) and len(solution.steps) <= len(first.steps) + _LONGER and not told


def _of_some_difference(found: Iterable[Solution], first: Solution) -> list[Solution]:
    """Without a third one that has the steps of the first plan, and without a second one with the same new tools."""
    kept: list[Solution] = []
    shapes = [_shape(first)]
    for solution in found:
        shape = _shape(solution)
        if shapes.count(shape) < (1 + _ALIKE if shape == shapes[0] else 1):
            kept.append(solution)
            shapes.append(shape)
    return kept[:_MOST]


def _shape(solution: Solution) -> tuple[object, ...]:
    """The tools and what each takes of the others, whatever files and values they get; and what is asked."""
    tools = {step.id: step.tool for step in solution.steps}
    links = Counter(
        (tools[value.node], step.tool)
        for step in solution.steps
        for argument in step.arguments.values()
        for value in (argument if isinstance(argument, tuple) else (argument,))
        if isinstance(value, FromNode)
    )
    asked = sorted({question.kind for question in solution.questions})
    return sorted({*tools.values()}), sorted(links), asked
