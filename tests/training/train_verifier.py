"""`python -m tests.training.train_verifier`: trains what tells how probable a plan is (plan/ranking/plan_verifier.py).

On the plans that several readings give of marked requests, each right or wrong by its row: of all that are held back
from the training of the tagger, of the development ones, and of some that it was trained on (its plans are better there
than they should be, and still teach). Prints what it is worth, each fifth of the held-back rows told by a network that
did not see it, then writes verifier.npz. Needs lightgbm. A quarter of an hour on two cores.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.core.boosted_trees import BoostedTrees
from desktop_app.core.paths import RESOURCES
from desktop_app.plan.batch import request_of, row_of
from desktop_app.plan.language.tagger import WIDTH
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.modes.other_ways import SHOWN, SURE, Verdicts, Way
from desktop_app.plan.ranking.plan_judge import PlanDraft, first_of
from desktop_app.plan.ranking.plan_verifier import SMALL, WORD_FACTS, tree_facts
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution
from nodes import load_tools
from tests.benchmarks import own_requests
from tests.benchmarks.blind_requests import LABELS, is_right
from tests.training import pairs
from tests.training.absent import without_files
from tests.training.composed import rows
from tests.training.marked import is_held
from tests.training.marked import rows as marked_rows

_TRAINED_ON, _REPLIES = 7_000, 1_500
"""So many of the requests that the tagger was trained on, and of those besides that want a question or a refusal."""
_LONG, _THREE = 2_000, 3
"""So many more of them want so many tools: of long requests other readings are wrong in more ways."""
_LACKING = 300
"""So many further ones of these are told without their files."""
_FOLDS, _NETWORKS, _EPOCHS, _ROWS, _RATE, _CALM, _DROPPED = 5, 2, 8, 96, 2e-3, 0.1, 0.5
_WIDE, _LOOKS, _SEEN = 48, 4, 0.3
_AMONG = 0.25
"""How much it counts which of a request's plans is right, beside whether each is."""
_GROWN = 300
_TREES = {"learning_rate": 0.045, "num_leaves": 15, "min_data_in_leaf": 60, "feature_fraction": 0.3, "lambda_l2": 10}
_THRESHOLDS = (0.6, 0.65, 0.7, 0.74, 0.78, 0.82, 0.86, 0.9)
_NOT_ASKED = (*LABELS, "marked", "takes", "before")
_SPOILED = 0.5
"""Of so many right plans a wrong one is made, too: networks that read well hardly ever miss a number."""


@dataclass(frozen=True)
class Judged:
    """A plan as the verifier sees it; `settled` tells that it asks nothing."""

    words: NDArray[np.float16]
    plan: NDArray[np.float32]
    right: bool
    settled: bool
    spoiled: bool = False
    """Nothing that the planner makes."""


@dataclass(frozen=True)
class Example:
    """A request with its plans."""

    states: NDArray[np.float16]
    held: bool
    plans: tuple[Judged, ...]


class Recorder(OfflinePlanner):
    """Gives all plans that may be shown for a request, and keeps what they were made of."""

    def _plan(self, request: Request) -> Plan:
        self.drafts_made = drafts = self.drafts(request)
        self.found: list[Way] = self.ways.ways(drafts)
        return Plan(tuple(first_of(way.draft.plan) for way in self.found))

    def plan(self, request: Request) -> Plan:
        return self._of_names(request)

    def _finished(self, plan: Plan, request: Request) -> Plan:
        return plan


@cache
def _planner() -> Recorder:
    torch.set_num_threads(1)
    return Recorder(from_tools(load_tools().tools))


def example(row: dict[str, Any]) -> Example | None:
    """None for a request of which nothing was read."""
    planner, tools = _planner(), load_tools().tools
    shown = planner.plan(request_of({key: value for key, value in row.items() if key not in _NOT_ASKED}))
    verdicts, drafts = Verdicts(planner.drafts_made, planner.graph.tools), planner.drafts_made
    plans, dice = [], random.Random(row["id"])
    for way, solution in zip(planner.found, shown.solutions, strict=True):
        plan = replace(way.draft.plan, solutions=(solution,) if way.draft.plan.solutions else ())
        answer = row_of(plan, None, 0.0)
        words, told = verdicts.facts(way)
        right = is_right(row, own_requests.judge(row, answer, tools)) and _says_enough(way, row["gold"])
        right = right and is_of_wanted_tools(first_of(plan), row["gold"])
        settled = bool(plan.solutions) and not answer["questions"]
        plans.append(Judged(words.astype(np.float16), np.array(told, np.float32), right, settled))
        wrong = spoiled(first_of(way.draft.plan), row["gold"], drafts.request, dice) if right else None
        if wrong is not None and dice.random() < _SPOILED:
            words, told = verdicts.facts(replace(way, draft=PlanDraft(Plan((wrong,)))))
            plans.append(Judged(words.astype(np.float16), np.array(told, np.float32), False, settled, True))
    if not plans or drafts.reading.seen is None:
        return None
    held = "marked" not in row or is_held(row)
    return Example(drafts.reading.seen.states.astype(np.float16), held, tuple(plans))


def _says_enough(way: Way, gold: Mapping[str, Any]) -> bool:
    """False where it is asked what shall be done, though that is said or nothing here does it."""
    return way.kind != "asked: way" or not (gold["nodes"] or gold.get("refuse"))


_OPENING = {"read_document", "read_table"}
"""What may stand before any tool."""


def is_of_wanted_tools(solution: Solution, gold: Mapping[str, Any]) -> bool:
    """False for a question that is asked about other tools than those that are meant: a click before a photo is
    sharpened, where only which photo is open. What is to be done where somebody points has several good answers.
    """
    if gold.get("ask", "point") == "point" or not gold["nodes"]:
        return True
    tools = {step.tool for step in solution.steps} - _OPENING
    return any(tools == {*one["nodes"]} - _OPENING for one in (gold, *gold.get("alternatives", ())))


def spoiled(right: Solution, gold: Mapping[str, Any], request: Request, dice: random.Random) -> Solution | None:
    """A plan that lacks a value that was said, takes another file, or leaves the last step out; None where none can."""
    said = [
        (place, port)
        for place, step in enumerate(right.steps)
        for port, value in step.arguments.items()
        if f"{step.tool}.{port}" in gold.get("args", {}) and not isinstance(value, (FromNode, FromResource, tuple))
    ]
    files = [
        (place, port, given.name)
        for place, step in enumerate(right.steps)
        for port, value in step.arguments.items()
        for given in request.resources
        if isinstance(value, FromResource) and given.name != value.name and not given.earlier
        and any(one.name == value.name and one.type == given.type for one in request.resources)
    ]  # fmt: skip
    steps = list(right.steps)
    kind = dice.choice([*["value"] * bool(said) * 2, *["file"] * bool(files), *["step"] * (len(steps) > 1)] or [""])
    if kind == "value":
        place, port = dice.choice(said)
        value = steps[place].arguments[port]
        other = {} if dice.random() < _SPOILED or not isinstance(value, (int, float)) else {port: 3 * value + 1}
        left = {name: held for name, held in steps[place].arguments.items() if name != port}
        steps[place] = replace(steps[place], arguments={**left, **other})
    elif kind == "file":
        place, port, name = dice.choice(files)
        steps[place] = replace(steps[place], arguments={**steps[place].arguments, port: FromResource(name)})
    elif kind == "step":
        steps.pop()
    return replace(right, steps=tuple(steps)) if kind else None


def requests() -> list[dict[str, Any]]:
    """Those that it learns from, and that it is measured on."""
    every = [row for row in marked_rows() if "change" not in row["gold"]]
    random.Random(3).shuffle(every)
    rest = [row for row in every if not is_held(row)]
    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    used, left = rest[:_TRAINED_ON], rest[_TRAINED_ON:]
    used += [row for row in left if {"ask", "refuse"} & {*row["gold"]}][:_REPLIES]
    plain = (row for row in left if not {"ask", "refuse"} & {*row["gold"]})
    used += [row for row in plain if len(row["gold"]["nodes"]) >= _THREE][:_LONG]
    asked = [*(row for row in every if is_held(row)), *rows("development.jsonl.xz"), *used]
    return asked + without_files(left, tools, _LACKING)


def examples() -> list[Example]:
    """In an order of no meaning."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = [one for one in pool.map(example, requests(), chunksize=50) if one is not None]
    random.Random(0).shuffle(found)
    return found


class Network(nn.Module):
    """As PlanVerifier reads it."""

    def __init__(self, facts: int) -> None:
        super().__init__()
        self.states, self.facts = nn.Linear(WIDTH, _WIDE), nn.Linear(WORD_FACTS, _WIDE, bias=False)
        self.look, self.plan = nn.Linear(_WIDE, _LOOKS), nn.Linear(facts, _WIDE)
        self.inner, self.outer = nn.Linear(_WIDE * (_LOOKS + 2), _WIDE), nn.Linear(_WIDE, 1)
        self.drop, self.unread = nn.Dropout(_DROPPED), nn.Dropout(_SEEN)

    def forward(self, states, facts, there, plan):
        """Logits."""
        x = self.drop(torch.relu(self.states(self.unread(states)) + self.facts(facts)))
        shares = self.look(x).masked_fill(~there[..., None], -1e4).softmax(1)
        seen = torch.einsum("bwq,bwh->bqh", shares, x).flatten(1)
        top = x.masked_fill(~there[..., None], 0).amax(1)
        both = torch.cat([seen, top, torch.relu(self.plan(plan))], 1)
        return self.outer(self.drop(torch.relu(self.inner(both))))[:, 0]


Item = tuple[Example, Judged]


class Scale:
    """How far facts of plans lie from each other."""

    def __init__(self, items: Sequence[Item]) -> None:
        rows = np.stack([judged.plan for _, judged in items])
        self.mean, self.spread = rows.mean(0), rows.std(0).clip(1e-3)

    def batch(self, items: Sequence[Item]) -> tuple[torch.Tensor, ...]:
        """What a network takes."""
        longest = max(len(one.states) for one, _ in items)
        states = np.zeros((len(items), longest, WIDTH), np.float32)
        facts = np.zeros((len(items), longest, WORD_FACTS), np.float32)
        there = np.zeros((len(items), longest), bool)
        for n, (one, judged) in enumerate(items):
            count = len(one.states)
            states[n, :count], facts[n, :count], there[n, :count] = one.states, judged.words, True
        plan = ((np.stack([judged.plan for _, judged in items]) - self.mean) / self.spread).clip(-4, 4)
        return tuple(map(torch.from_numpy, (states, facts, there, plan.astype(np.float32))))


def trained(some: Sequence[Example], scale: Scale, seed: int) -> Network:
    """One network: it learns of each plan whether it is right, and which of a request's plans is."""
    torch.manual_seed(seed)
    dice, net = random.Random(seed), Network(len(scale.mean))
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=_CALM)
    plans = sum(len(one.plans) for one in some)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, _RATE, total_steps=_EPOCHS * (plans // _ROWS + 1), pct_start=0.15
    )
    for _ in range(_EPOCHS):
        order = sorted(some, key=lambda one: len(one.states) + 6 * dice.random())
        batches = list(_batches(order))
        dice.shuffle(batches)
        for batch in batches:
            optimiser.zero_grad()
            items = items_of(batch)
            wanted = torch.tensor([float(judged.right) for _, judged in items])
            logits = net(*scale.batch(items))
            loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted)
            (loss + _AMONG * _among(logits, wanted, [len(one.plans) for one in batch])).backward()
            optimiser.step()
            schedule.step()
    return net.eval()


def _batches(order: Sequence[Example]) -> Iterator[list[Example]]:
    """Of so many plans or a few more each."""
    batch, plans = list[Example](), 0
    for one in order:
        batch.append(one)
        plans += len(one.plans)
        if plans >= _ROWS:
            yield batch
            batch, plans = [], 0
    if batch:
        yield batch


def _among(logits: torch.Tensor, wanted: torch.Tensor, numbers: Sequence[int]) -> torch.Tensor:
    """How improbable the right plans are among all of their request, a logarithm, where any is right."""
    of = torch.repeat_interleave(torch.arange(len(numbers)), torch.tensor(numbers))
    top = torch.full((len(numbers),), -math.inf).scatter_reduce(0, of, logits.detach(), "amax")
    worth = torch.exp(logits - top[of])
    whole = torch.zeros(len(numbers)).index_add(0, of, worth)
    right = torch.zeros(len(numbers)).index_add(0, of, worth * wanted)
    some = right > 0
    return (whole[some].log() - (right[some] + 1e-6).log()).sum() / max(1, int(some.sum()))


def items_of(some: Sequence[Example]) -> list[Item]:
    """Each plan with its request."""
    return [(one, judged) for one in some for judged in one.plans]


_RUN: list[Example] = []
"""The examples of this run, as its child processes find them."""


def network(job: tuple[int, int]) -> tuple[Network, Scale]:
    """Trained without a fold of the held-back examples (-1: on all), and by chance of a seed."""
    torch.set_num_threads(1)
    fold, seed = job
    left = {id(one) for one in folds(_RUN)[fold]} if fold >= 0 else set()
    some = [one for one in _RUN if id(one) not in left]
    scale = Scale(items_of(some))
    return trained(some, scale, seed), scale


def folds(some: Sequence[Example]) -> list[list[Example]]:
    """Of those that are held back."""
    held = [one for one in some if one.held]
    return [held[fold::_FOLDS] for fold in range(_FOLDS)]


def told(networks: Sequence[Network], scale: Scale, some: Sequence[Example]) -> list[list[float]]:
    """What the networks say of the plans of each: logits."""
    items, found = items_of(some), []
    with torch.inference_mode():
        for first in range(0, len(items), 512):
            batch = scale.batch(items[first : first + 512])
            mean = torch.stack([net(*batch).sigmoid() for net in networks]).mean(0)
            found += torch.logit(mean, 1e-4).tolist()
    logits: Iterator[float] = iter(found)
    return [[next(logits) for _ in one.plans] for one in some]


def tree_rows(one: Example, logits: Sequence[float]) -> NDArray[np.float32]:
    """Its plans as the trees see them, each beside the others that the planner makes."""
    made_ones = [n for n, judged in enumerate(one.plans) if not judged.spoiled]
    return np.stack([
        tree_facts(judged.words, judged.plan.tolist(), logits[n], [logits[m] for m in made_ones if m != n])
        for n, judged in enumerate(one.plans)
    ])  # fmt: skip


def grown(some: Sequence[Example], logits: Sequence[Sequence[float]]) -> dict[str, NDArray[Any]]:
    """Trees for these, as BoostedTrees reads them."""
    rows = np.concatenate([tree_rows(one, own) for one, own in zip(some, logits, strict=True)])
    return pairs.grown(rows, [float(judged.right) for one in some for judged in one.plans], _GROWN, _TREES)


def made(shares: Sequence[float], one: Example) -> list[tuple[float, Judged]]:
    """The plans that the planner made, the likeliest first."""
    pairs = (pair for pair in zip(shares, one.plans, strict=True) if not pair[1].spoiled)
    return sorted(pairs, key=lambda pair: -pair[0])


def report(some: Sequence[Example], shares: Sequence[Sequence[float]]) -> None:
    """How many first plans are right, and one of those shown; of the ready ones wrong, by the probability from which on
    they are.
    """
    shown = [made(own, one)[0] for one, own in zip(some, shares, strict=True)]
    among = 0
    for one, own in zip(some, shares, strict=True):
        first, *others = made(own, one)
        among += first[1].right or any(judged.right for share, judged in others[:3] if share >= SHOWN)
    right = 100 * sum(judged.right for _, judged in shown) / len(shown)
    print(f"first right {right:.1f} % of {len(shown)}, one of five {100 * among / len(some):.1f} %")
    for least in _THRESHOLDS:
        ready = [judged.right for share, judged in shown if judged.settled and share >= least]
        if ready:
            print(f"  from {least}: ready {len(ready)}, of these wrong {100 - 100 * sum(ready) / len(ready):.1f} %")


def save(networks: Sequence[Network], scale: Scale, trees: Mapping[str, NDArray[Any]]) -> None:
    """Writes verifier.npz."""

    def stacked(get: Callable[[Network], torch.Tensor]) -> NDArray[np.float16]:
        return np.stack([get(net).detach().numpy() for net in networks]).astype(np.float16)

    large = {"states": stacked(lambda n: n.states.weight), "inner": stacked(lambda n: n.inner.weight)}
    np.savez_compressed(
        RESOURCES / "planner" / "verifier.npz", **_in_bytes(large), bias=stacked(lambda n: n.states.bias),
        facts=stacked(lambda n: n.facts.weight), look=stacked(lambda n: n.look.weight),
        look_bias=stacked(lambda n: n.look.bias), plan=stacked(lambda n: n.plan.weight),
        plan_bias=stacked(lambda n: n.plan.bias), inner_bias=stacked(lambda n: n.inner.bias),
        outer=stacked(lambda n: n.outer.weight[0]), outer_bias=stacked(lambda n: n.outer.bias[0]),
        mean=scale.mean, spread=scale.spread, **trees,
    )  # fmt: skip


def _in_bytes(matrices: Mapping[str, NDArray[np.float16]]) -> dict[str, NDArray[Any]]:
    """Each as PlanVerifier reads small ones."""
    found: dict[str, NDArray[Any]] = {}
    for name, value in matrices.items():
        scale = np.abs(value.astype(np.float32)).max(axis=-1, keepdims=True) / 127
        found[SMALL + name] = np.rint(value / scale).astype(np.int8)
        found[f"{name}.scale"] = scale.astype(np.float16)
    return found


def main() -> None:
    """Tells what it is worth, trains on all, writes."""
    _RUN.extend(examples())
    jobs = [*((-1, seed) for seed in range(_NETWORKS)), *((fold, 0) for fold in range(_FOLDS))]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork")) as pool:
        networks = list(pool.map(network, jobs))
    parts = folds(_RUN)
    logits = [told([net], scale, part) for part, (net, scale) in zip(parts, networks[_NETWORKS:], strict=True)]
    shares = list[list[float]]()
    for fold, part in enumerate(parts):
        others = [n for n in range(_FOLDS) if n != fold]
        tree = BoostedTrees(grown([*chain(*(parts[n] for n in others))], [*chain(*(logits[n] for n in others))]))
        shares += [tree.probabilities(tree_rows(one, own)) for one, own in zip(part, logits[fold], strict=True)]
    report([*chain(*parts)], shares)
    print(f"a plan is ready from {SURE} on")
    save([net for net, _ in networks[:_NETWORKS]], networks[0][1], grown([*chain(*parts)], [*chain(*logits)]))


if __name__ == "__main__":
    main()
