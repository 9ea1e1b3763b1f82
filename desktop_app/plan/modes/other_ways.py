"""Which plan serves a request, and which others might: what several readings of it give, each told by the verifier.

The networks give a plan; then come the plans of other readings, built out of what they have found for the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from desktop_app.plan.arguments.quoted_text import cleared_colour
from desktop_app.plan.ranking.explanations import doubted, guess, what_to_do, worded
from desktop_app.plan.ranking.findings import asked_first
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading
from desktop_app.plan.ranking.other_readings import ASKING, OtherReading, other_readings, without_tools, worth
from desktop_app.plan.ranking.plan_judge import SILENT, PlanDraft, evidence, first_of, graph_of, shape_of
from desktop_app.plan.ranking.plan_verifier import KINDS, bridges, plan_facts, unsaid, verifier, word_facts, worked_on
from desktop_app.plan.search.alternatives import fulfilling
from desktop_app.plan.tools.rewiring import files
from desktop_app.plan.tools.tool_graph import DOCUMENTS, fits, main_inputs
from desktop_app.plan.types import Plan, Request, Solution, ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SURE = 0.8
"""A less probable plan is a guess: of those that are not, one in nine was wrong on the requests held back."""

SHOWN = 0.055
"""A less probable way is not shown."""

_FAR = 0.2
"""A way less than so many times as probable as the first is not shown: of 259 on requests held back that were 76, of
which 3 were right, and 2 where the first was wrong.
"""

_LIKELY, _FAINTLY = 0.2, 0.1
"""A less probable refusal never comes first, and where no way is more than faintly probable the networks' plan does."""

_DOUBT, _ASKING = 0.6, 2.0
"""Before a plan that is less probable comes a reading that asks something, or refuses, where it is more than half as
probable: of the requests held back that want it 85.1 % are so asked or refused (83.6 where the likeliest comes first),
of the others 2.6 % in vain (2.0).
"""
_UNSURE, _OPEN = 0.5, 0.4
"""Before a plan that asks nothing and is less probable comes the question what to do at all where it is so many times
as probable: 62 % of 50 requests held back that leave it open are so asked (54 without), of others .1 % more.
"""
_NOT_SAID, _OR_NOT_HERE = 0.35, 0.25
"""Before a refusal comes that question where it is so probable that the wording leaves open what to do, and it is so
many times as probable as the refusal: of 295 requests that no tool does none is so asked.
"""
_AS_LIKELY = 0.9
"""The networks' plan comes first where it is nearly as probable as the likeliest: neither is right more often."""
_EVEN = 0.5
"""A less probable other tool, for which a file would be missing while others are there, never comes first."""
MEANT = "by meaning"
"""The kind of the networks' own plan."""
_QUESTIONING = (MEANT, "not here", *(kind for kind in KINDS if kind.startswith("asked: ")))
"""Such readings. Another tool, for which a file is missing, is none."""

_TRIES = 4
"""So many other readings are planned: each takes a twelfth of the time of a plan. With twice as many of long requests
no more were right.
"""

_QUESTIONS = 2
"""So many readings that ask something are planned beside them."""

_FAINT = 1e-3

_MOST, _ALIKE = 3, 2
"""Ways beside the first plan, and how many of them differ from it in nothing but files and values."""

_LONGER = 2
"""So many steps more than the first plan may a way have."""

_BELOW = 0.01
"""A way's score is at least so much less than that of the first plan."""

Planned = Callable[[Request, Reading], Plan]


@dataclass(frozen=True)
class Drafts:
    """What the networks found for a request: their plan, and the reading it was made of."""

    by_meaning: PlanDraft
    reading: Reading
    request: Request


@dataclass(frozen=True)
class Way:
    """A plan and the `reading` it was made of; `kind` and `odds` are those of an OtherReading, or of a draft."""

    kind: str
    odds: float
    draft: PlanDraft
    reading: Reading


class Verdicts:
    """How probable the plans for one request are."""

    def __init__(self, drafts: Drafts, tools: Mapping[str, ToolSpec]) -> None:
        self._drafts, self._tools = drafts, tools
        self._known: dict[tuple[int, frozenset[str]], tuple[PlanDraft, PlanDraft]] = {}
        """By draft and what was asked for: the draft itself, which keeps its id, and what `worked_on` leaves of it."""

    def facts(self, way: Way) -> tuple[NDArray[np.float32], tuple[float, ...]]:
        """Those of the words, and those of the plan, as the verifier reads them."""
        drafts, asked = self._drafts, frozenset(clause.tool for clause in way.reading.clauses)
        rival = SILENT if way.draft is drafts.by_meaning else drafts.by_meaning
        draft, other = (self._worked_on(one, asked) for one in (way.draft, rival))
        solution = first_of(draft.plan)
        told = evidence(draft, other, way.reading, drafts.request, SILENT)
        shape = plan_facts(solution, drafts.request, self._tools, way.kind, way.odds)
        shape += unsaid(solution, self._tools, way.reading)
        shape += (float(asks_in_vain(solution, drafts.request)), bridges(solution, way.reading))
        return word_facts(solution, way.reading, drafts.request), (*told, *shape)

    def _worked_on(self, draft: PlanDraft, asked: frozenset[str]) -> PlanDraft:
        if not draft.plan.solutions:
            return draft
        key = id(draft), asked
        if key not in self._known:
            first, *others = draft.plan.solutions
            plan = replace(draft.plan, solutions=(worked_on(first, self._tools, asked), *others))
            self._known[key] = draft, replace(draft, plan=plan)
        return self._known[key][1]

    def shares(self, ways: Sequence[Way]) -> list[float]:
        """0..1 each, told beside the others."""
        told = [self.facts(way) for way in ways]
        return verifier().probabilities(self._looked, told)

    @cached_property
    def _looked(self) -> NDArray[np.float32]:
        assert self._drafts.reading.seen is not None
        return verifier().looked_at(self._drafts.reading.seen)


class OtherWays:
    """Over one tool set. `planned` gives the plan for a reading of ours, `settled` what is said beside the networks."""

    def __init__(self, joint: JointSelector, planned: Planned, settled: Callable[[Reading, Request], Reading]) -> None:
        self._joint, self._planned, self._settled = joint, planned, settled

    def chosen(self, drafts: Drafts) -> Plan:
        """The most probable plan, with the other ways that are probable enough; a guess where it is not so and asks
        nothing else.
        """
        ways = self.ways(drafts)
        told = list(zip(ways, Verdicts(drafts, self._joint.graph.tools).shares(ways), strict=True))
        vain = (one.kind == "another tool" and share < _EVEN and _is_vain(one, drafts.request) for one, share in told)
        kept = [pair for pair, left in zip(told, vain, strict=True) if not left]
        way, share = _best(kept, drafts.reading.asks.get("way", 0.0))
        if not way.draft.plan.solutions:
            return way.draft.plan
        first = replace(way.draft.plan.solutions[0], score=share)
        found = self._beside(first, told, drafts)
        if asks_for_what_is_there(first, drafts.request, self._joint.graph.tools):
            first, found = _taking_what_is_there(first, found)
        near = (one for one in found if one.score >= _FAR * first.score)
        found = [replace(one, score=max(0.0, min(one.score, first.score - _BELOW))) for one in near]
        shown = (first, *_of_some_difference(found, first))
        doubtful = first.score < SURE or asked_first(drafts.reading) == "way"
        shown = worded(shown, self._joint.graph) if len(shown) > 1 else shown
        doubt = doubted(first, drafts.reading, drafts.request, self._joint.graph)
        meant = drafts.by_meaning.plan
        plan = meant if meant.solutions else way.draft.plan
        asked = plan.questions or ((guess(shown, doubt),) if doubtful and not first.questions else ())
        return replace(plan, solutions=shown, questions=asked)

    def _beside(self, first: Solution, told: Sequence[tuple[Way, float]], drafts: Drafts) -> list[Solution]:
        """The likeliest first; none that is the first plan again, nor an improbable one."""
        known, found = [graph_of(first, asked=True)], list[Solution]()
        for way, share in sorted(told, key=lambda pair: -pair[1]):
            if share < SHOWN or not way.draft.plan.solutions:
                continue
            solution = way.draft.plan.solutions[0]
            graph = graph_of(solution, asked=True)
            if graph not in known and _is_another_way(solution, first) and self._fulfils(solution, first, drafts):
                known.append(graph)
                found.append(replace(solution, score=share))
        return found

    def ways(self, drafts: Drafts) -> list[Way]:
        """What is chosen from: the networks' plan, those of other readings, and the answers that are no plan."""
        found = [Way(MEANT, 0.0, drafts.by_meaning, drafts.reading)]
        known = [graph_of(first_of(drafts.by_meaning.plan), asked=True)]
        for way in self.candidates(drafts):
            if (graph := graph_of(first_of(way.draft.plan), asked=True)) not in known:
                known.append(graph)
                found.append(way)
        return [*found, *self.without_plan(drafts)]

    def _fulfils(self, solution: Solution, first: Solution, drafts: Drafts) -> bool:
        both = (first, solution)
        return len(fulfilling(both, drafts.reading, drafts.request.text, self._joint.graph)) == len(both)

    def candidates(self, drafts: Drafts) -> Iterator[Way]:
        """The plans of other readings; each has one solution."""
        for other in self._likeliest(drafts.reading):
            reading = self._settled(other.make(), drafts.request) if other.anew else other.make()
            if _left(reading) <= _left(drafts.reading):
                for solution in self._planned(drafts.request, reading).solutions[:1]:
                    yield Way(other.kind, other.odds, PlanDraft(Plan((solution,))), reading)

    def without_plan(self, drafts: Drafts) -> Iterator[Way]:
        """That no tool here does any of it, and what to ask where it is not said what shall be done."""
        other = without_tools(drafts.reading)
        reading = other.make()
        if drafts.by_meaning.plan.solutions:
            yield Way(other.kind, other.odds, PlanDraft(self._planned(drafts.request, reading)), reading)
        yield from self.asking_for_more(drafts)

    def asking_for_more(self, drafts: Drafts) -> Iterator[Way]:
        """What shall be done at all, with what the words speak of most to choose from."""
        if cleared_colour(drafts.request.text):  # that is said, though the verifier does not know it
            return
        there = {given.type for given in drafts.request.resources}
        tools = [tool for tool in map(self._joint.graph.tools.get, drafts.reading.likeliest()) if tool is not None]
        fitting = (tool for tool in tools if any(fits(type, port.type) for type in there for port in main_inputs(tool)))
        if questions := tuple(what_to_do([*islice(fitting, _MOST)])):
            odds = math.log(max(drafts.reading.asks.get("way", 0.0), _FAINT))
            yield Way("asked: way", odds, PlanDraft(Plan((), questions)), without_tools(drafts.reading).make())

    def _likeliest(self, reading: Reading) -> list[OtherReading]:
        """With the likeliest question, however improbable beside the rest: it is what people mind most to miss."""
        others = sorted(other_readings(reading, self._joint), key=lambda one: -worth(one.kind, one.odds))
        asking = [one for one in others[_TRIES:] if one.kind in ASKING]
        return others[:_TRIES] + asking[:_QUESTIONS]


def _best(told: Sequence[tuple[Way, float]], unsaid: float) -> tuple[Way, float]:
    """The likeliest; what asks something where none is likely. `told` has the networks' plan first; `unsaid` is how
    probable it is (0..1) that the wording leaves open what to do.
    """
    networks = told[0]
    told = [(way, share) for way, share in told if share >= _LIKELY or not _refuses(way.draft.plan)] or [networks]
    best = max(told, key=lambda pair: pair[1])
    if best[1] < _FAINTLY or networks[1] >= _AS_LIKELY * best[1]:
        best = networks
    way, share = next((pair for pair in told if pair[0].kind == "asked: way"), (best[0], 0.0))
    if _refuses(best[0].draft.plan) and unsaid > _NOT_SAID and share > _OR_NOT_HERE * best[1]:
        return way, share
    if best[1] < _FAINTLY:
        return best
    if best[1] >= _DOUBT or _asks(best[0].draft.plan):
        return best
    if best[1] < _UNSURE and share > _OPEN * best[1]:
        return way, share
    asking = [(way, _ASKING * share) for way, share in told if way.kind in _QUESTIONING and _asks(way.draft.plan)]
    way, worth = max(asking, key=lambda pair: pair[1], default=best)
    return (way, worth / _ASKING) if worth > best[1] else best


def _is_vain(way: Way, request: Request) -> bool:
    return asks_in_vain(first_of(way.draft.plan), request)


def _asks(plan: Plan) -> bool:
    return not plan.solutions or bool(plan.solutions[0].questions)


def _refuses(plan: Plan) -> bool:
    return not plan.solutions and not plan.questions


def asks_in_vain(solution: Solution, request: Request) -> bool:
    """True where it wants a file, and files are there of which it uses none: a voice, where a picture is."""
    asked = any(question.kind == "file" and question.port and not question.choices for question in solution.questions)
    names = {given.name for given in request.resources}
    used = {item.name for step in solution.steps for item in files(step)}
    return asked and bool(names) and not names & used


def asks_for_what_is_there(solution: Solution, request: Request, tools: Mapping[str, ToolSpec]) -> bool:
    """True where it asks for a text to work on, not for one of several, and uses none of those that are there."""
    ports = {(step.id, port.name): port for step in solution.steps for port in main_inputs(tools[step.tool])}
    asked = any((port := ports.get((q.step, q.port))) and port.type == "text" and not port.choices and not port.said
                for q in solution.questions if not q.choices)  # fmt: skip
    names = {given.name for given in request.resources if given.type in (*DOCUMENTS, "text")}
    return asked and bool(names) and not names & {item.name for step in solution.steps for item in files(step)}


def _taking_what_is_there(first: Solution, found: list[Solution]) -> tuple[Solution, list[Solution]]:
    """The likeliest way that has the same tools and asks nothing in its place, where that is not far less probable."""
    tools = {step.tool for step in first.steps}
    likely = (one for one in found if not one.questions and one.score >= _FAR * first.score)
    taking = next((one for one in likely if tools <= {step.tool for step in one.steps}), None)
    if taking is None:
        return first, found
    return taking, [replace(first, score=taking.score) if one is taking else one for one in found]


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
    shapes = [shape_of(first)]
    for solution in found:
        shape = shape_of(solution)
        if shapes.count(shape) < (1 + _ALIKE if shape == shapes[0] else 1):
            kept.append(solution)
            shapes.append(shape)
    return kept[:_MOST]
