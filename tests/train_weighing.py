"""`python -m tests.train_weighing`: fits how plans over our own tools are weighed (plan/ranking/plan_judge.py).

Two logistic regressions, one for plans by the lexicon and one for those by the networks, on marked requests that are
held back from training and on the development ones. Prints the weights as they stand in the code, and what share of
the plans would be ready, and of these wrong, above which probability: each fifth of the rows told by the other four.
Twenty minutes on one core.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.joint_selection import Reading
from desktop_app.plan.ranking.plan_judge import OWN, SILENT, PlanDraft, evidence, probability
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Plan, Request, ToolSpec
from nodes import load_tools
from tests.benchmarks import own_requests
from tests.benchmarks.blind_requests import LABELS, is_right
from tests.training.composed import rows
from tests.training.marked import is_held
from tests.training.marked import rows as marked_rows

_COUNT, _FOLDS, _CALM = 2400, 5, 1.5
_THRESHOLDS = (0.6, 0.65, 0.7, 0.74, 0.78, 0.82, 0.86, 0.9)
_NOT_ASKED = (*LABELS, "marked", "takes", "before")


@dataclass(frozen=True, eq=False)
class Weighed:
    """A request as both readings plan it. What speaks for each plan, whether it is right, and what is shown of it."""

    words: Sequence[float]
    meaning: Sequence[float]
    is_heard: bool
    """Whether the lexicon read it, too."""
    is_firm: bool
    agrees: bool
    right: tuple[bool, bool]
    settled: tuple[bool, bool]
    """The plans that ask nothing: shown as ready if they are probable enough."""


class Recorder(OfflinePlanner):
    """Keeps what `decided` is given, and takes the plan by the lexicon (0) or by the networks (1)."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        super().__init__(tools)
        self.which = 0
        self.seen: list[tuple[PlanDraft, PlanDraft, Reading, Request]] = []

    def decided(self, by_words: PlanDraft, by_meaning: PlanDraft, reading: Reading, request: Request) -> Plan:
        """One of the two as it is."""
        self.seen.append((by_words, by_meaning, reading, request))
        return (by_words, by_meaning)[self.which].plan


def examples() -> list[Weighed]:
    """Of held-back requests and of the development ones."""
    tools = load_tools().tools
    planner = Recorder(from_tools(tools))
    held = [row for row in marked_rows() if is_held(row) and "change" not in row["gold"]]
    random.Random(3).shuffle(held)
    found = [_weighed(planner, row, tools) for row in (*held[:_COUNT], *rows("development.jsonl.xz"))]
    return [one for one in found if one is not None]


def _weighed(planner: Recorder, row: dict[str, Any], tools: Mapping[str, Any]) -> Weighed | None:
    request = {key: value for key, value in row.items() if key not in _NOT_ASKED}
    planner.seen.clear()
    right: list[bool] = []
    settled: list[bool] = []
    for planner.which in (0, 1):
        answer = plan_row(planner, request)
        right.append(is_right(row, own_requests.judge(row, answer, tools)))
        settled.append(bool(answer["solutions"]) and not answer["questions"])
    if not planner.seen:
        return None
    words, meaning, reading, told = planner.seen[-1]
    return Weighed(
        evidence(words, meaning, reading, told, words), evidence(meaning, words, reading, told, words),
        words is not SILENT, words.firm, words.agrees(meaning), (right[0], right[1]), (settled[0], settled[1]),
    )  # fmt: skip


def fitted(values: NDArray[np.float32], right: Sequence[bool]) -> list[float]:
    """Weights of a logistic regression, held small by `_CALM`."""
    x, y = torch.from_numpy(values), torch.tensor(right, dtype=torch.float32)
    weights = torch.zeros(x.shape[1], requires_grad=True)
    scale = x.std(0).clamp(min=1e-3)
    optimiser = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights, y, reduction="sum")
        loss = loss + _CALM * ((weights * scale) ** 2).sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    return weights.detach().tolist()


def pair(some: Sequence[Weighed]) -> tuple[list[float], list[float]]:
    """The weights for plans by the lexicon and for those by the networks."""
    heard = [one for one in some if one.is_heard]
    return (
        fitted(np.array([one.words for one in heard], np.float32), [one.right[0] for one in heard]),
        fitted(np.array([one.meaning for one in some], np.float32), [one.right[1] for one in some]),
    )


def shown(some: Sequence[Weighed], weights: tuple[Sequence[float], Sequence[float]]) -> list[tuple[float, bool, bool]]:
    """Of each the probability of the plan that is taken, whether it is right, and whether it asks nothing."""
    found = []
    for one in some:
        shares = probability(weights[0], one.words), probability(weights[1], one.meaning)
        taken = 0 if one.is_firm else 1 if not one.is_heard else int(shares[1] >= shares[0])
        share = max(shares[taken], OWN.sure) if one.agrees else shares[taken]
        found.append((share, one.right[taken], one.settled[taken]))
    return found


def report(name: str, found: Sequence[tuple[float, bool, bool]]) -> None:
    """How many first plans are right, and of those shown as ready wrong, by the probability from which on they are."""
    print(f"{name}: first plan right {100 * sum(right for _, right, _ in found) / len(found):.1f} % of {len(found)}")
    for least in _THRESHOLDS:
        ready = [right for share, right, asks_nothing in found if asks_nothing and share >= least]
        if ready:
            print(f"  from {least}: ready {len(ready)}, of these wrong {100 - 100 * sum(ready) / len(ready):.1f} %")


def main() -> None:
    """Fits, prints."""
    some = examples()
    random.Random(0).shuffle(some)
    report("as it stands", shown(some, (OWN.by_words, OWN.by_meaning)))
    told: list[tuple[float, bool, bool]] = []
    for fold in range(_FOLDS):
        weights = pair([one for n, one in enumerate(some) if n % _FOLDS != fold])
        told += shown([one for n, one in enumerate(some) if n % _FOLDS == fold], weights)
    report("fitted anew", told)
    for name, weights in zip(("BY_WORDS", "BY_MEANING"), pair(some), strict=True):
        print(f"{name} = ({', '.join(f'{weight:.3f}' for weight in weights)})")


if __name__ == "__main__":
    main()
