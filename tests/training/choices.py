"""Trains what tells which of an input's choices the words mean that are marked as its value, on top of the tagger.

"bring it down a notch" is "quieter" among the choices of that input. A part of tagger.npz.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.arguments.value_marks import ValueMarks
from desktop_app.plan.language.tagger import Tagger
from desktop_app.plan.types import ToolSpec
from tests.training.marked import flat
from tests.training.readings import Read, add

_WIDTH, _STEPS, _BATCH, _DROPPED, _RATE = 64, 4000, 32, 0.3, 2e-3


@dataclass(frozen=True)
class Said:
    """What the tagger finds at the words of a choice; the choices as vectors; the places of those that are right."""

    row: NDArray[np.float32]
    choices: NDArray[np.float32]
    right: tuple[int, ...]


def examples(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> list[Said]:
    """Of the marked requests."""
    found: list[Said] = []
    for one in read:
        wanted, times = one.row["gold"].get("args", {}), Counter(one.row["gold"]["nodes"])
        marks = ValueMarks(one.words, tagger.marks(one.states), tagger.ports, one.states)
        for (first, end), ids in one.wishes:
            for tool in (tools[id] for id in ids if id in tools and times[id] == 1):
                for port in (port for port in tool.inputs if port.choices and f"{tool.id}.{port.name}" in wanted):
                    texts = {str(value) for value in flat(wanted[f"{tool.id}.{port.name}"])}
                    right = tuple(n for n, choice in enumerate(port.choices) if choice in texts)
                    seen = marks.seen(tool, port.name, first, end)
                    if right and seen is not None:
                        found.append(Said(seen[0], tagger.meanings(port.name, port.choices), right))
    return found


def train(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> None:
    """Trains, prints how well it does on what is held back, and writes the weights."""
    own, held = (examples(tagger, tools, [one for one in read if one.held == kept]) for kept in (False, True))
    torch.manual_seed(0)
    chance = random.Random(0)
    words, meanings = (nn.Linear(len(row), _WIDTH) for row in (own[0].row, own[0].choices[0]))
    drop = nn.Dropout(_DROPPED)

    def worth(one: Said) -> torch.Tensor:
        told = words(drop(torch.from_numpy(one.row)))
        return meanings(drop(torch.from_numpy(one.choices))) @ told

    optimiser = torch.optim.AdamW([*words.parameters(), *meanings.parameters()], _RATE, weight_decay=0.05)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, _STEPS)
    for _ in range(_STEPS):
        losses = [
            -torch.logsumexp(worth(one).log_softmax(-1)[list(one.right)], 0) for one in chance.sample(own, _BATCH)
        ]
        optimiser.zero_grad()
        torch.stack(losses).mean().backward()
        optimiser.step()
        pace.step()
    drop.eval()
    with torch.no_grad():
        right = [int(worth(one).argmax()) in one.right for one in held]
    print(f"choices: {np.mean(right):.3f} of {len(held)} held back right, trained on {len(own)}")
    add({
        f"w.{name}.{part}": value.detach().numpy().astype(np.float16)
        for name, layer in (("cw", words), ("cm", meanings))
        for part, value in (("weight", layer.weight), ("bias", layer.bias))
    })  # fmt: skip
