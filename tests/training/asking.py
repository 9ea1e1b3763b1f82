"""Trains what tells that something has to be asked before the plan can run; adds it to tagger.npz."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.language.tagger import Tagger
from desktop_app.plan.ranking.missing_input import KINDS, facts, is_silent
from desktop_app.plan.tools.tool_graph import INLINE, main_inputs
from desktop_app.plan.types import ToolSpec
from tests.training.marked import values_of, wishes_of
from tests.training.readings import Read, add

_WIDTH, _STEPS, _BATCH, _DROPPED, _RATE = 32, 2500, 64, 0.5, 2e-3
_FEW, _DRAWN = 3.0, 0.3
"""A tool's habit counts so many further requests, of which so many asked."""
_OFTEN = 0.35
"""The share of examples in training in which something has to be asked."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What the tagger finds in a request, the facts, and the place in KINDS of what has to be asked."""

    state: NDArray[np.float32]
    facts: Sequence[float]
    kind: int


def examples(tools: Mapping[str, ToolSpec], read: Sequence[Read], counts: Mapping[str, Counter[bool]]) -> list[Asked]:
    """Of all marked requests; `counts` as `counted` gives them, each request's own left out."""
    found: list[Asked] = []
    for one in read:
        asked, said, kind = tools_of(one, tools), said_in(one), kind_of(one, tools)
        own = Counter({kind == "text": 1}) if not one.held else Counter[bool]()
        silent = [tool for tool in asked if is_silent(tool, said)]
        habits = {tool.id: habit_of(counts[tool.id], own if len(silent) == 1 else Counter()) for tool in silent}
        told = facts(asked, one.given, said, bool(one.row.get("history")), len(one.words), habits)
        found.append(Asked(seen(one.states), told, KINDS.index(kind)))
    return found


def tools_of(one: Read, tools: Mapping[str, ToolSpec]) -> list[ToolSpec]:
    """Those of its wishes, in their order."""
    return [tools[id] for _, ids in one.wishes for id in ids if id in tools]


def said_in(one: Read) -> set[tuple[str, str]]:
    """Tools with their inputs of which its words say the value."""
    wishes = wishes_of(one.row)
    return {
        (id, port)
        for start, end, port in values_of(one.row)
        for first, last, ids in wishes
        if first <= start and end <= last
        for id in ids
    }


def kind_of(one: Read, tools: Mapping[str, ToolSpec]) -> str:
    """What has to be asked, in the planner's words: where authors say "choice", it is which tool where none is marked,
    which of several files where no tool lacks a setting that it needs, and else the setting.
    """
    kind = str(one.row["gold"].get("ask", ""))
    if kind != "choice":
        return kind
    if not one.row["gold"]["nodes"]:
        return "way"
    said = said_in(one)
    lacks = any(
        port.required and (port.type in INLINE or bool(port.choices)) and port not in main_inputs(tool)[:1]
        for tool in tools_of(one, tools)
        for port in tool.inputs
        if (tool.id, port.name) not in said
    )
    several = max(Counter(file.type for file in one.given).values(), default=0) > 1
    return "file" if several and not lacks else "text"


def counted(tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> dict[str, Counter[bool]]:
    """By tool, of the requests to train on in which it is the only one whose settings nobody says: in how many one has
    to be asked for.
    """
    found: dict[str, Counter[bool]] = defaultdict(Counter)
    for one in read:
        said = said_in(one)
        silent = [tool for tool in tools_of(one, tools) if is_silent(tool, said)]
        if len(silent) == 1 and not one.held and one.given:
            found[silent[0].id][kind_of(one, tools) == "text"] += 1
    return found


def habit_of(count: Counter[bool], own: Counter[bool]) -> float:
    """How often it had to be asked for (0..1), without `own`."""
    left = count - own
    return (left[True] + _DRAWN) / (left.total() + _FEW)


def seen(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """As Tagger.asks looks at them."""
    return np.concatenate([states.mean(axis=0), states.max(axis=0)])


def train(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> None:
    """Trains, prints how well it does on what is held back, and writes the weights."""
    counts = counted(tools, read)
    own, held = (examples(tools, [one for one in read if one.held == kept], counts) for kept in (False, True))
    torch.manual_seed(0)
    chance = random.Random(0)
    few, rest = [one for one in own if one.kind], [one for one in own if not one.kind]
    outer, inner = nn.Linear(len(own[0].state), _WIDTH), nn.Linear(_WIDTH + len(own[0].facts), 32)
    last, drop = nn.Linear(32, len(KINDS)), nn.Dropout(_DROPPED)

    def worth(some: Sequence[Asked]) -> torch.Tensor:
        state = drop(torch.relu(outer(drop(torch.from_numpy(np.stack([one.state for one in some]))))))
        told = torch.tensor([one.facts for one in some])
        return last(drop(torch.relu(inner(torch.cat([state, told], -1)))))

    layers = (outer, inner, last)
    optimiser = torch.optim.AdamW([value for layer in layers for value in layer.parameters()], _RATE, weight_decay=0.1)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, _STEPS)
    for _ in range(_STEPS):
        some = [chance.choice(few if chance.random() < _OFTEN else rest) for _ in range(_BATCH)]
        optimiser.zero_grad()
        nn.functional.cross_entropy(worth(some), torch.tensor([one.kind for one in some])).backward()
        optimiser.step()
        pace.step()
    usual = len(few) / len(own)
    shift = torch.tensor([0.0] + [np.log(usual / (1 - usual) * (1 - _OFTEN) / _OFTEN)] * (len(KINDS) - 1))
    drop.eval()
    with torch.no_grad():
        last.bias += shift  # as often as in the requests
        shares = worth(held).softmax(-1)
    wanted = np.array([one.kind for one in held])
    guess, ask = shares[:, 1:].argmax(-1).numpy() + 1, 1 - shares[:, 0].numpy()
    for least in (0.3, 0.5, 0.7):
        chosen = ask > least
        share, found = (wanted[chosen] == guess[chosen]).mean(), (chosen & (wanted == guess)).sum()
        print(f"asking from {least}: {chosen.sum()} of {len(held)}, right {share:.2f}; {found} of {(wanted > 0).sum()}")
    add({
        "asked": np.array([habit_of(counts[id], Counter()) for id in tagger.ids], np.float16),
    } | {
        f"w.{name}.{part}": value.detach().numpy().astype(np.float16)
        for name, layer in zip(("a0", "a1", "a2"), layers, strict=True)
        for part, value in (("weight", layer.weight), ("bias", layer.bias))
    })  # fmt: skip
