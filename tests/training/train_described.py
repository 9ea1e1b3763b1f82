"""`python -m tests.training.train_described`: learns to read requests for tools that are known by their texts alone.

Writes resources/planner/described.npz (desktop_app/plan/ranking/described_tools.py), on top of the tagger as it is. Out
of the tool sets of described.columns.xz, whose authors marked which words ask for which tool, and of marked requests
for our own tools, of which a few at a time stand as a set. Ten minutes on one core; the same data, the same weights.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.batch import request_of
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.language.sentence_encoder import WIDTH as MEANING
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import BLOCK, FILES, TYPES, WIDTH, tagger
from desktop_app.plan.ranking.described_tools import KINDS, ToolTexts, shared_words, stems_of, vectors_of
from desktop_app.plan.ranking.wish_files import name_words
from desktop_app.plan.tools.tool_specs import from_data, from_tools
from nodes import load_tools
from tests.training.composed import UNTOLD, described_sets
from tests.training.literal import literal_requests
from tests.training.marked import Marked, is_held
from tests.training.marked import rows as marked_rows
from tests.training.readings import Row, pack
from tests.training.tagger import packed_weights

STEPS, BATCH, RATE = 1500, 24, 2e-3
_OWN, _OWN_SHARE = 4000, 0.5
"""So many requests for our own tools take part, in so many of the steps."""
_BESIDE = (10, 30, 60)
"""So many of our tools stand beside those that are asked for."""
_GONE = 0.07
"""So many tools of a set are left out: what is asked of them, no tool does."""
_SIDE, _INNER = 96, 192
_COMPOSED = 120
"""For each set so many requests are put together out of the tools' own texts: who knows the words may say them."""
_BETWEEN = 2
"""So few words between two wishes may belong to either."""


@dataclass(frozen=True, eq=False)
class Read:
    """A request as the tagger reads it, with the tool of each word: its place in the set, then "asks for nothing", then
    "what no tool does".
    """

    tags: NDArray[np.int64]
    states: NDArray[np.float32]
    vectors: NDArray[np.float32]
    stems: Sequence[str]
    silent: NDArray[np.float32]
    """What the tagger says of nothing and of no tool, (words, 2)."""


def _read(words: Sequence[str], tags: Sequence[int], states: NDArray[np.float32]) -> Read:
    silent = tagger().tags(states)[0][:, -2:]
    return Read(np.array(tags), states, vectors_of(words), stems_of(words), silent)


class Sides(nn.Module):
    """As DescribedTools computes it without torch; its weights have the same names."""

    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Linear(WIDTH, _SIDE)
        told = 2 * WIDTH + MEANING + 2 * len(KINDS)
        self.k = nn.Sequential(nn.Linear(told, _INNER), nn.ReLU(), nn.Dropout(0.2), nn.Linear(_INNER, _SIDE))
        self.p, self.u = nn.Linear(WIDTH, 64), nn.Linear(WIDTH, 64)
        self.f, self.none = nn.Linear(6, 1), nn.Linear(WIDTH + 2, 2)
        self.a, self.b = nn.Parameter(torch.tensor(1.0)), nn.Parameter(torch.tensor(4.0))
        self.drop = nn.Dropout(0.25)

    def forward(self, some: Sequence[Read], texts: ToolTexts) -> torch.Tensor:
        """(words, tools + 2) log odds of all the words of some requests."""
        states = self.drop(torch.from_numpy(np.concatenate([one.states for one in some])))
        keys = self.k(self.drop(torch.from_numpy(texts.means)))
        count = len(keys)
        said = functional.normalize(self.p(states), dim=1)
        alike = said @ functional.normalize(self.u(self.drop(torch.from_numpy(texts.states))), dim=1).T
        near = torch.from_numpy(np.concatenate([one.vectors for one in some])) @ torch.from_numpy(texts.vectors).T
        of, title = torch.from_numpy(texts.of), torch.from_numpy(texts.in_title)
        late = _by_tool(alike, of, count)
        shared = torch.from_numpy(np.concatenate([shared_words(one.stems, texts, count) for one in some]))
        facts = [
            _by_tool(alike.where(title, -1.0), of, count),
            _by_tool(near.where(title, -1.0), of, count),
            _by_tool(near.where(~title, -1.0), of, count),
            *shared.unbind(-1),
            late,
        ]
        worth = self.a * (self.q(states) @ keys.T) / math.sqrt(_SIDE) + self.b * late
        silent = torch.from_numpy(np.concatenate([one.silent for one in some]))
        none = self.none(torch.cat([states, silent], 1))
        return torch.cat([worth + self.f(torch.stack(facts, -1))[..., 0], none], 1)


def _by_tool(values: torch.Tensor, of: torch.Tensor, count: int) -> torch.Tensor:
    start = torch.full((len(values), count), -1.0)
    return start.scatter_reduce(1, of[None].expand(len(values), -1), values, "amax")


@dataclass(frozen=True, eq=False)
class ToolSet:
    """Texts of all its tools, and requests for them."""

    texts: ToolTexts
    count: int
    requests: Sequence[Read]


def tool_sets() -> list[ToolSet]:
    """Those of described.columns.xz."""
    found: list[ToolSet] = []
    for one in described_sets():
        tools = from_data(one)
        ids = [tool.id for tool in tools]
        composed = literal_requests(tools, _COMPOSED, random.Random(one["name"]))
        requests = [_of_row(row, ids) for row in (*one["requests"], *composed)]
        found.append(ToolSet(ToolTexts(tools), len(ids), requests))
    return found


def _of_row(row: Row, ids: Sequence[str]) -> Read:
    request = request_of(row)
    words = words_of(request.text, request.resources)
    names = [name_words(given.name) for given in request.resources[:FILES]]
    texts = [word.text for word in words]
    states, _ = tagger().states(texts, {given.type for given in request.resources} & {*TYPES}, names)
    return _read(texts, _tags(row, [(word.start, word.end) for word in words], ids), states)


def _tags(row: Row, words: Sequence[tuple[int, int]], ids: Sequence[str]) -> list[int]:
    spans: list[tuple[int, int, int]] = []
    for node in row["nodes"]:
        start = row["request"].find(node["words"]) if node.get("words") else -1
        if start >= 0:
            spans.append((start, start + len(node["words"]), ids.index(node["tool"])))
    of = [next((tool for a, b, tool in reversed(spans) if a < end and start < b), None) for start, end in words]
    if not row["nodes"]:
        return [len(ids) + 1] * len(words)
    tags: list[int] = []
    for place, tool in enumerate(of):
        first = next((n for n in range(place, -1, -1) if of[n] is not None), -1) + 1
        last = next((n for n in range(place, len(of)) if of[n] is not None), len(of))
        tags.append(tool if tool is not None else UNTOLD if last - first <= _BETWEEN else len(ids))
    return tags


def own_set() -> ToolSet:
    """Our own tools, and some of the marked requests that are not held back."""
    specs = {tool.id: tool for tool in from_tools(load_tools().tools)}
    marked = Marked(specs, tagger().pieces)
    some = [row for row in marked_rows() if not is_held(row)]
    random.Random(1).shuffle(some)
    examples = [example for row in some[:_OWN] if (example := marked.example(row)) is not None]
    requests = [
        _read(one.units, one.tags, tagger().states(one.units, one.types, one.names, one.before)[0]) for one in examples
    ]
    return ToolSet(ToolTexts([specs[id] for id in marked.ids]), len(marked.ids), requests)


def batch(sets: Sequence[ToolSet], own: ToolSet, chance: random.Random) -> tuple[list[Read], ToolTexts, list[int]]:
    """Requests for one set, of which some tools are left out, with the tag of each word."""
    whole = own if chance.random() < _OWN_SHARE else chance.choice(sets)
    some = chance.sample(whole.requests, min(BATCH, len(whole.requests)))
    asked = {int(tag) for one in some for tag in one.tags if 0 <= tag < whole.count}
    there = asked | {*chance.sample(range(whole.count), chance.choice(_BESIDE))} if whole is own else range(whole.count)
    kept = sorted(tool for tool in there if chance.random() >= _GONE)
    places = {tool: place for place, tool in enumerate(kept)}
    own_tags = {UNTOLD: UNTOLD, whole.count: len(kept), whole.count + 1: len(kept) + 1}
    tags = [own_tags.get(int(tag), places.get(int(tag), len(kept) + 1)) for one in some for tag in one.tags]
    return some, whole.texts.of_some(kept), tags


def train(sets: Sequence[ToolSet], own: ToolSet, steps: int = STEPS) -> Mapping[str, NDArray[Any]]:
    """The weights by their names."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    network, chance = Sides(), random.Random(0)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps, pct_start=0.1)
    total = 0.0
    for step in range(1, steps + 1):
        some, texts, tags = batch(sets, own, chance)
        loss = functional.cross_entropy(
            network(some, texts), torch.tensor(tags), ignore_index=UNTOLD, label_smoothing=0.03
        )
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        pace.step()
        total += loss.item()
        if step % 250 == 0:
            print(f"{step} of {steps} steps, loss {total / 250:.3f}", flush=True)
            total = 0.0
    return {name: value.numpy() for name, value in network.state_dict().items()}


def packed(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, Any]:
    """Matrices in four bits, with noughts to the next whole block; the rest in sixteen."""
    found: dict[str, Any] = {}
    for name, value in weights.items():
        if value.ndim < 2 or len(value) < BLOCK:
            found[name] = value.astype(np.float16)
        else:
            found["q4." + name] = packed_weights(np.pad(value, ((0, 0), (0, -value.shape[1] % BLOCK))))
    return found


def main() -> None:
    """Trains and writes the weights."""
    if not sentence_encoder().is_ready():
        raise SystemExit("The sentence encoder is off or missing (GRAPHWRIGHT_JUDGE=0?).")
    path = RESOURCES / "planner" / "described.npz"
    np.savez_compressed(path, **packed(train(tool_sets(), own_set())))
    pack(path)


if __name__ == "__main__":
    main()
