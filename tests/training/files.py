"""Trains what tells which of several files a wish works on itself, on top of the tagger. A part of tagger.npz."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import FILES, Tagger
from desktop_app.plan.ranking.wish_files import Likeness, facts, may_work_on, said_of, two_inputs
from desktop_app.plan.types import Given, ToolSpec
from tests.training.marked import Marked, Row, wishes_of
from tests.training.readings import Read, add

_SIDED = 2.0
"""So much more than whether a file is taken counts for which input, as few wishes say it."""
_WIDTH, _STEPS, _BATCH, _DROPPED, _RATE = 48, 2500, 48, 0.4, 2e-3


@dataclass(frozen=True, eq=False)
class Pair:
    """A wish and a file: what the tagger finds at both, the facts, and whether the wish works on the file; `second`
    whether it does so in another than the first of the inputs for such files, None where that is not said.
    """

    wish: NDArray[np.float32]
    file: NDArray[np.float32]
    facts: Sequence[float]
    taken: bool
    second: bool | None = None


def examples(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> list[list[Pair]]:
    """Of the marked requests with several files of a type: the pairs of each."""
    own = Marked(tools, tagger.pieces)
    sentence_encoder().is_ready()
    found: list[list[Pair]] = []
    for one in read:
        files = one.given[:FILES]
        types = Counter(file.type for file in files)
        asked = [ids for _, ids in one.wishes]
        told = own.files_told(one.row, asked, files)
        if max(types.values(), default=0) < 2 or not told:
            continue
        said = said_of(one.row["request"], [(one.words[a].start, one.words[b - 1].end) for (a, b), _ in one.wishes])
        like = Likeness(one.row["request"], one.words, files, sentence_encoder().encode)
        pairs: list[Pair] = []
        for wish, ((first, end), ids) in enumerate(one.wishes):
            for place, file in enumerate(files):
                tool = next((tools[id] for id in ids if may_work_on(tools[id], file)), None)
                if tool is None or wish not in told or types[file.type] < 2:
                    continue
                followed, alike = bool(one.row.get("history")), like.of(place, said[wish])
                row = facts(wish, len(asked), tool, place, files, said[wish], followed, alike)
                state = one.states[first:end].mean(axis=0)
                second = _second(tool, one.row, ids, file)
                pairs.append(Pair(state, one.named[place], row, file.name in told[wish], second))
        if pairs:
            found.append(pairs)
    return found


def _second(tool: ToolSpec, row: Row, ids: Sequence[str], file: Given) -> bool | None:
    inputs = two_inputs(tool, file.type)
    if not inputs or "takes" not in row:
        return None
    for (_, _, others), own in zip(wishes_of(row), row["takes"], strict=False):
        if others == tuple(ids):
            said = [name for name, files in own.items() if file.name in files and name in inputs]
            return inputs.index(said[0]) == 1 if len(said) == 1 else None
    return None


def _loss(found: torch.Tensor, wanted: Sequence[float]) -> torch.Tensor:
    return nn.functional.binary_cross_entropy_with_logits(found, torch.tensor(wanted))


def train(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> None:
    """Trains, prints how well it does on what is held back, and writes the weights."""
    own, held = (examples(tagger, tools, [one for one in read if one.held == kept]) for kept in (False, True))
    torch.manual_seed(0)
    chance = random.Random(0)
    pair = own[0][0]
    wish, file = nn.Linear(len(pair.wish), _WIDTH), nn.Linear(len(pair.file), _WIDTH)
    first, second, drop = nn.Linear(2 * _WIDTH + len(pair.facts), 64), nn.Linear(64, 2), nn.Dropout(_DROPPED)

    def worth(pairs: Sequence[Pair]) -> torch.Tensor:
        a = wish(drop(torch.from_numpy(np.stack([one.wish for one in pairs]))))
        b = file(drop(torch.from_numpy(np.stack([one.file for one in pairs]))))
        told = torch.tensor([one.facts for one in pairs])
        return second(drop(torch.relu(first(torch.cat([drop(torch.cat([a + b, a * b], -1)), told], -1)))))

    layers = (wish, file, first, second)
    optimiser = torch.optim.AdamW([value for layer in layers for value in layer.parameters()], _RATE, weight_decay=0.1)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, _STEPS)
    for _ in range(_STEPS):
        some = [one for pairs in chance.sample(own, _BATCH) for one in pairs]
        optimiser.zero_grad()
        found = worth(some)
        loss = _loss(found[:, 0], [float(one.taken) for one in some])
        sided = [n for n, one in enumerate(some) if one.second is not None]
        if sided:
            loss = loss + _SIDED * _loss(found[sided, 1], [float(some[n].second or False) for n in sided])
        loss.backward()
        optimiser.step()
        pace.step()
    drop.eval()
    with torch.no_grad():
        right = [((worth(pairs)[:, 0] > 0) == torch.tensor([one.taken for one in pairs])) for pairs in held]
        sided = [one for pairs in held for one in pairs if one.second is not None]
        seconds = (worth(sided)[:, 1] > 0).numpy() == np.array([one.second for one in sided])
    singly, whole = torch.cat(right).float().mean(), np.mean([bool(one.all()) for one in right])
    print(f"files: {singly:.3f} of pairs, {whole:.3f} of {len(held)} requests held back right, trained on {len(own)}")
    print(f"which of two inputs: {seconds.mean():.3f} of {len(sided)}")
    add({
        f"w.{name}.{part}": value.detach().numpy().astype(np.float16)
        for name, layer in zip(("fw", "ff", "f1", "f2"), layers, strict=True)
        for part, value in (("weight", layer.weight), ("bias", layer.bias))
    })  # fmt: skip
