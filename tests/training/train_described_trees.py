"""`python -m tests.training.train_described_trees`: trains what tells how probable a plan is over tools that are known
by their texts alone (`described_verifier` of plan/ranking/plan_verifier.py).

On the plans that several readings give of the requests of described.columns.xz. Each set is read by a half of the sets
that it is not in (train_described.py), so that its plans are as wrong as those for tools never seen; the networks of
verifier.npz stay as they are, and only the trees that weigh them are grown. Prints what they are worth over sets that
they did not see, then writes described_trees.npz. Needs lightgbm. A quarter of an hour on one core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.core.values import several
from desktop_app.plan.batch import request_of
from desktop_app.plan.modes.other_ways import Verdicts, Way
from desktop_app.plan.ranking import described_tools
from desktop_app.plan.ranking.plan_judge import first_of
from desktop_app.plan.ranking.plan_verifier import PlanTrees, verifier
from desktop_app.plan.tools.tool_specs import from_data
from desktop_app.plan.types import FromNode, Plan, Request, Solution
from tests.benchmarks.own_requests import Graph
from tests.training.composed import described_sets
from tests.training.readings import Row
from tests.training.train_described import own_set, tool_sets, train
from tests.training.train_verifier import Example, Judged, Recorder, grown, report, tree_rows

_STEPS = 800
_HALVES, _FOLDS, _GROWN = 2, 6, 200
_TREES: dict[str, Any] = {
    "learning_rate": 0.05, "num_leaves": 7, "min_data_in_leaf": 40, "feature_fraction": 0.3, "bagging_fraction": 0.7,
    "bagging_freq": 1, "lambda_l2": 10, "verbose": -1, "seed": 0,
}  # fmt: skip

Told = tuple[Example, list[float]]
"""A request with its plans, and what the networks say of them (logits)."""


class _Recorder(Recorder):
    """Of refusals by the wording, too, which are one answer among others here."""

    def _plan(self, request: Request) -> Plan:
        self.drafts_made = drafts = self.drafts(request)
        self.found = self.ways.ways(drafts)
        return Plan(tuple(first_of(way.draft.plan) for way in self.found))


def graph_of(solution: Solution) -> Graph:
    """Its tools, and what each takes of the others."""
    tools = {step.id: step.tool for step in solution.steps}
    links = (
        (tools[item.node], step.tool)
        for step in solution.steps
        for value in step.arguments.values()
        for item in several(value)
        if isinstance(item, FromNode)
    )
    return Graph(Counter(tools.values()), Counter(links))


def labels_of(row: Row) -> list[Graph]:
    """The graphs that serve a request of described.columns.xz."""
    found = list[Graph]()
    for label in (row, *row.get("also", ())):
        names = [node["tool"] if isinstance(node, dict) else node for node in label["nodes"]]
        found.append(Graph(Counter(names), Counter((names[one], names[other]) for one, other in label["links"])))
    return found


def told_of(row: Row, planner: _Recorder) -> Told:
    """A request of a set, with its plans."""
    planner.plan(request_of({key: row.get(key, ()) for key in ("request", "resources")}))
    drafts, labels = planner.drafts_made, labels_of(row)
    seen = drafts.reading.seen
    assert seen is not None
    verdicts, looked = Verdicts(drafts, planner.graph.tools), verifier().looked_at(seen)
    plans, logits = list[Judged](), list[float]()
    for way in planner.found:
        words, told = verdicts.facts(way)
        logits.append(verifier().logit(looked, words, told))
        plans.append(Judged(words.astype(np.float16), np.array(told, np.float32), *_verdict(way, labels)))
    return Example(seen.states[:0].astype(np.float16), True, tuple(plans)), logits


def _verdict(way: Way, labels: Sequence[Graph]) -> tuple[bool, bool, bool]:
    solution = first_of(way.draft.plan)
    return way.kind in ("by words", "by meaning"), graph_of(solution) in labels, bool(solution.steps)


def told_of_sets(weights: Mapping[str, NDArray[Any]], sets: Sequence[Mapping[str, Any]]) -> Iterator[list[Told]]:
    """Of each of some sets, read with these weights, its requests with their plans."""
    with mock.patch.object(described_tools, "_weights", return_value=weights):
        for one in sets:
            planner = _Recorder(from_data(one))
            yield [told_of(row, planner) for row in one["requests"]]


def trees_of(sets: Sequence[Sequence[Told]]) -> dict[str, Any]:
    """Grown on all requests of some sets."""
    some = [*chain(*sets)]
    return grown([one for one, _ in some], [logits for _, logits in some], _TREES, _GROWN)


def main() -> None:
    """Tells what they are worth, grows them on all, writes."""
    sets, texts, own, found = described_sets(), tool_sets(), own_set(), list[list[Told]]()
    for half in range(_HALVES):
        weights = train([one for n, one in enumerate(texts) if n % _HALVES != half], own, _STEPS)
        found += told_of_sets(weights, sets[half::_HALVES])
    some, shares = list[Example](), list[list[float]]()
    for fold in range(_FOLDS):
        trees = PlanTrees(trees_of([one for n, one in enumerate(found) if n % _FOLDS != fold]))
        for one, logits in chain(*found[fold::_FOLDS]):
            some.append(one)
            shares.append(trees.probabilities(tree_rows(one, logits)))
    report(some, shares)
    np.savez_compressed(RESOURCES / "planner" / "described_trees.npz", **trees_of(found))


if __name__ == "__main__":
    main()
