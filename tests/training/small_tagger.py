"""Trains the planner's small tagger on composed requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.language.sentence_encoder import FEATURES, SentenceEncoder
from desktop_app.plan.language.small_tagger import HEADS, REACH
from desktop_app.plan.language.tagger import TYPES, tagger, told
from desktop_app.plan.types import ToolSpec
from tests.training.composed import Composer, Example

STEPS, BATCH, RATE = 3000, 32, 2e-3
_WIDTH, _LAYERS, _DROPPED = 192, 2, 0.15


class Tags(nn.Module):
    """As desktop_app.plan.language.small_tagger computes it without torch; its weights have the same names."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        wide = _WIDTH
        self.inp, self.ty = nn.Linear(FEATURES, wide), nn.Linear(len(TYPES) + 1, wide)
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    "ln1": nn.LayerNorm(wide), "qkv": nn.Linear(wide, 3 * wide), "o": nn.Linear(wide, wide),
                    "cv": nn.Linear(3 * wide, wide), "ln2": nn.LayerNorm(wide),
                    "f1": nn.Linear(wide, 2 * wide), "f2": nn.Linear(2 * wide, wide),
                }
            )
            for _ in range(_LAYERS)
        )  # fmt: skip
        self.ln, self.tool, self.cut = nn.LayerNorm(wide), nn.Linear(wide, tags), nn.Linear(wide, 1)
        self.bias = nn.Parameter(torch.zeros(_LAYERS, HEADS, 2 * REACH + 1))
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, x: torch.Tensor, types: torch.Tensor, there: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of tags (texts, words, tags) and of boundaries (texts, words); `there` marks what is no padding."""
        texts, words, _ = x.shape
        x = self.drop(torch.relu(self.inp(self.drop(x)))) + self.ty(types)[:, None]
        places = torch.arange(words)
        apart = (places[None] - places[:, None]).clamp(-REACH, REACH) + REACH
        away = (~there)[:, None, None] * -1e9
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, nn.ModuleDict)
            even = layer["ln1"](x)
            query, key, value = (
                part.view(texts, words, HEADS, -1).transpose(1, 2) for part in layer["qkv"](even).chunk(3, -1)
            )
            likeness = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + self.bias[number][:, apart] + away
            seen = (likeness.softmax(-1) @ value).transpose(1, 2).reshape(texts, words, -1)
            edge = torch.zeros_like(even[:, :1])
            beside = torch.cat([torch.cat([edge, even[:, :-1]], 1), even, torch.cat([even[:, 1:], edge], 1)], -1)
            x = x + self.drop(layer["o"](seen)) + self.drop(layer["cv"](beside))
            x = x + self.drop(layer["f2"](torch.relu(layer["f1"](layer["ln2"](x)))))
        x = self.ln(x)
        return self.tool(x), self.cut(x)[..., 0]


def trained(
    tools: Mapping[str, ToolSpec], encoder: SentenceEncoder, steps: int = STEPS
) -> dict[str, NDArray[np.float16]]:
    """The tagger's weights by name. Takes a quarter of an hour on one core."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    composer = Composer(tools, tagger().pieces)
    model = Tags(len(tools) + 2)
    optimiser = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps, pct_start=0.1)
    total = 0.0
    for step in range(1, steps + 1):
        loss = _loss(model, [composer.compose() for _ in range(BATCH)], encoder)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        pace.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"{step} of {steps} steps, loss {total / 100:.3f}", flush=True)
            total = 0.0
    return {name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}


def _loss(model: Tags, some: Collection[Example], encoder: SentenceEncoder) -> torch.Tensor:
    features = encoder.features([one.units for one in some])
    words = max(len(one.units) for one in some)
    x = np.zeros((len(some), words, FEATURES), np.float32)
    wanted, begins = np.full((len(some), words), -100), np.zeros((len(some), words), np.float32)
    there = np.zeros((len(some), words), np.bool_)
    for row, (one, found) in enumerate(zip(some, features, strict=True)):
        count = len(one.units)
        x[row, :count], wanted[row, :count], begins[row, :count], there[row, :count] = found, one.tags, one.begins, True
    types = torch.from_numpy(np.stack([told(one.types) for one in some]))
    mask = torch.from_numpy(there)
    tags, cuts = model(torch.from_numpy(x), types, mask)
    own = nn.functional.cross_entropy(tags.flatten(0, 1), torch.from_numpy(wanted).flatten(), ignore_index=-100)
    edge = nn.functional.binary_cross_entropy_with_logits(
        cuts, torch.from_numpy(begins), reduction="none", pos_weight=torch.tensor(2.0)
    )
    return own + 0.7 * (edge * mask).sum() / mask.sum()
