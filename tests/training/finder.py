"""Trains what tells which tool finds the part of a picture that a wish speaks of; adds it to tagger.npz."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.language.tagger import REST, Tagger
from desktop_app.plan.language.word_pieces import units_of
from desktop_app.plan.types import ToolSpec
from tests.training.readings import Read, add
from tests.training.singles import varied, wishes

_HIDDEN, _EPOCHS, _BATCH, _OFTEN, _MOST = 48, 40, 64, 8, 900
_REGIONS = ("mask", "boxes")
_INVERTER = "invert_mask"
_COMPOSED = 0.35
"""So much a wish made by program counts."""


@dataclass(frozen=True)
class Seen:
    """What the tagger finds at a wish, with the tool that finds its part of the picture."""

    row: NDArray[np.float32]
    finder: str
    weight: float = 1.0


def examples(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> list[Seen]:
    """Of the marked requests."""
    able = {id for id, tool in tools.items() if any(port.type in _REGIONS for port in tool.inputs)}
    makers = {
        id
        for id, tool in tools.items()
        if any(port.type in _REGIONS for port in tool.outputs)
        and not any(port.type in _REGIONS and port.required for port in tool.inputs)
    }
    found: list[Seen] = []
    for one in read:
        apart = {id for _, others in one.wishes for id in others}
        for (first, end), ids in one.wishes:
            if ids[-1] not in able:
                continue
            links = {(a, b) for a, b in one.row["gold"]["links"]}
            before = [a for a, b in links if b == ids[-1] and a in makers]
            turned = [a for a, b in links if b == _INVERTER and a in makers] if (_INVERTER, ids[-1]) in links else []
            if len(ids) > 1:
                finder = ids[0] + REST * (_INVERTER in ids) if ids[0] in makers else None
            elif turned and not {_INVERTER, turned[0]} & apart:
                finder = turned[0] + REST
            else:
                finder = before[0] if before and before[0] not in apart else ""
            if finder is not None:
                found.append(Seen(tagger.seen(one.states, first, end), finder))
    return found


def composed(tagger: Tagger, tools: Mapping[str, ToolSpec]) -> list[Seen]:
    """Of wishes for single tools with words for a part of a picture, and without."""
    own = wishes(tools)
    able = {id for id, tool in tools.items() if any(port.type in _REGIONS for port in tool.inputs)}
    bound = {id for id in able if any(port.type in _REGIONS and port.required for port in tools[id].inputs)}
    some = [
        one for one in (*own, *varied(own, tools)) if (one.means in able - bound and one.weight > 0.3) or one.finder
    ]
    random.Random(0).shuffle(some)
    found: list[Seen] = []
    for one in some[:_MOST]:
        units = [one.text[a:b] for a, b in units_of(one.text, tagger.pieces)]
        if units:
            states, _ = tagger.states(units, {"image"})
            found.append(Seen(tagger.seen(states, 0, len(units)), one.finder, _COMPOSED))
    return found


def train(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> None:
    """Trains, prints how well it does on what is held back, and writes the weights."""
    own = [*examples(tagger, tools, [one for one in read if not one.held]), *composed(tagger, tools)]
    held = examples(tagger, tools, [one for one in read if one.held])
    names = ["", *(id for id, count in Counter(one.finder for one in own).most_common() if id and count >= _OFTEN)]
    own, held = ([one for one in some if one.finder in names] for some in (own, held))
    rows = torch.from_numpy(np.stack([one.row for one in own]))
    mean, deviation = rows.mean(0), rows.std(0) + 1e-6
    torch.manual_seed(0)
    first, second, drop = nn.Linear(rows.shape[1], _HIDDEN), nn.Linear(_HIDDEN, len(names)), nn.Dropout(0.3)

    def through(some: torch.Tensor) -> torch.Tensor:
        return second(drop(torch.relu(first(drop((some - mean) / deviation)))))

    wanted, weight = _wanted(own, names), torch.tensor([one.weight for one in own])
    optimiser = torch.optim.AdamW([*first.parameters(), *second.parameters()], 2e-3, weight_decay=0.05)
    for _ in range(_EPOCHS):
        order = torch.randperm(len(own))
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            losses = nn.functional.cross_entropy(through(rows[some]), wanted[some], reduction="none")
            optimiser.zero_grad()
            (losses * weight[some]).mean().backward()
            optimiser.step()
    drop.eval()
    with torch.no_grad():
        guessed = through(torch.from_numpy(np.stack([one.row for one in held]))).argmax(1)
    print(f"parts of pictures: {(guessed == _wanted(held, names)).float().mean():.3f} of {len(held)} held back right")
    scaled = (first.weight / deviation).detach()
    add({
        "finders": np.array(names),
        "w.p1.weight": scaled.numpy(), "w.p1.bias": (first.bias - scaled @ mean).detach().numpy(),
        "w.p2.weight": second.weight.detach().numpy(), "w.p2.bias": second.bias.detach().numpy(),
    })  # fmt: skip


def _wanted(some: Sequence[Seen], names: Sequence[str]) -> torch.Tensor:
    return torch.tensor([names.index(one.finder) for one in some])
