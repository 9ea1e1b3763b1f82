"""Trains the planner's tagger on composed and on marked requests; writes resources/planner/tagger.npz.

From the base model, or on from the weights that are there. About forty minutes on one core. The same data, versions and
seeds give the same weights.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tagger import BLOCK, HEADS, LONGEST, TYPES, WIDTH, laid, rows_of, told, unpacked
from desktop_app.plan.language.tagger import weights as stored_weights
from desktop_app.plan.language.word_pieces import PAD, UNKNOWN, WordPieces
from desktop_app.plan.ranking.wish_files import FileWords
from desktop_app.plan.ranking.wish_files import facts as file_facts
from desktop_app.plan.ranking.wish_links import facts
from desktop_app.plan.types import Given, ToolSpec
from tests.training.base_model import BaseModel, texts
from tests.training.branches import Branches
from tests.training.composed import UNTOLD, Composer, Example, port_names
from tests.training.marked import Exchange, Marked, varied
from tests.training.several_files import SeveralFiles

STEPS, BATCH = 2400, 32
RATES = (3e-4, 1.8e-3)
"""Of the layers and of the heads, from the base model."""
FURTHER = (2.2e-4, 1.4e-3)
"""From weights that are trained."""
_HAS_SHORT_FLOATS = bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
"""Elsewhere matrices of 16 bits are many times slower than those of 32."""
_LAYERS, _INNER, _DROPPED, _LINK_DROPPED = 6, 1536, 0.15, 0.3
_UNREAD = 0.08
"""So many pieces are hidden in training."""
_SEVERAL, _BRANCHES = 0.12, 0.07
"""The shares of requests composed over several files, and of several branches."""
_NATURAL, _EXCHANGED = 0.79, 0.4
"""The share of marked requests among the rest; the others are composed of single wishes. So often a wish of one of them
is put in another's words.
"""
_KEPT = 0.994
"""So much of the running mean of the weights, which is what is written, stays at each step."""
_SMOOTHED = 0.03
"""So much of the probability of a tag is spread over the others."""
_ROUNDED = 0.7
"""From that share of the steps on the matrices work rounded, as they are stored. Rounded from the first step on, those
that were stored before hardly leave their steps: 8 % of the numbers changed in 2,100 steps, against 27 % without.
"""
_WATCHED = 480
"""Of so many requests held back the loss is printed on the way."""
_SCALES = (-8.0, -7.5, -7.0, -6.5)
"""The largest weight of a block may be so many steps."""
_VALUE = 2.0
"""So much more a word that is a value counts than one that is none."""


class _Rounded(torch.autograd.Function):
    """Weights as they will be stored; what is learned of them holds for the exact ones."""

    @staticmethod
    def forward(ctx: Any, weights: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        blocks = weights.view(-1, BLOCK)
        largest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
        tried = []
        for most in _SCALES[::2]:
            scale = (largest / most).half().float()
            steps = torch.clamp(torch.round(blocks / torch.where(scale == 0, 1.0, scale)), -8, 7)
            tried.append(steps * scale)
        errors = [((one - blocks) ** 2).sum(1, keepdim=True) for one in tried]
        return torch.where(errors[1] < errors[0], tried[1], tried[0]).view_as(weights)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return grad


class Layer(nn.Module):
    """One layer of the encoder, as BERT has them; where it is `rounded`, with its matrices in four bits."""

    rounded = True

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.o = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.f1, self.f2 = nn.Linear(WIDTH, _INNER), nn.Linear(_INNER, WIDTH)
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.drop = nn.Dropout(_DROPPED)

    def begin_from(self, base: BaseModel, number: int) -> None:
        """Takes the weights of that layer of the base model."""
        name = f"l{number}."
        sources = {
            "qkv.weight": np.concatenate([base.matrix(f"{name}{part}.w", WIDTH) for part in "qkv"]),
            "qkv.bias": np.concatenate([base.vector(f"{name}{part}.b") for part in "qkv"]),
            "o.weight": base.matrix(name + "ao.w", WIDTH), "o.bias": base.vector(name + "ao.b"),
            "f1.weight": base.matrix(name + "fi.w", WIDTH), "f1.bias": base.vector(name + "fi.b"),
            "f2.weight": base.matrix(name + "fo.w", _INNER), "f2.bias": base.vector(name + "fo.b"),
            "ln1.weight": base.vector(name + "aln.w"), "ln1.bias": base.vector(name + "aln.b"),
            "ln2.weight": base.vector(name + "oln.w"), "ln2.bias": base.vector(name + "oln.b"),
        }  # fmt: skip
        self.load_state_dict({name: torch.from_numpy(value) for name, value in sources.items()})

    def forward(self, x: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(texts, pieces, WIDTH); `there` (texts, pieces) marks what is no padding."""
        count, length, _ = x.shape
        query, key, value = (
            p.view(count, length, HEADS, -1).transpose(1, 2) for p in self._through(self.qkv, x).chunk(3, -1)
        )
        seen = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None])
        x = self.ln1(x + self.drop(self._through(self.o, seen.transpose(1, 2).reshape(count, length, WIDTH))))
        inner = nn.functional.gelu(self._through(self.f1, x), approximate="tanh")
        return self.ln2(x + self.drop(self._through(self.f2, inner)))

    def _through(self, layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
        weight = _Rounded.apply(layer.weight) if self.rounded else layer.weight
        return nn.functional.linear(x, weight, layer.bias)


class Network(nn.Module):
    """As desktop_app.plan.language.tagger computes it without torch; its weights have the same names."""

    def __init__(
        self,
        words: NDArray[np.float32],
        pos: NDArray[np.float32],
        tags: int,
        ports: int,
        told_of_links: int,
        told_of_files: int,
    ) -> None:
        """`words` (pieces, WIDTH) and `pos` (LONGEST, WIDTH) stay as they are."""
        super().__init__()
        self.register_buffer("words", torch.from_numpy(words), persistent=False)
        self.register_buffer("pos", torch.from_numpy(pos), persistent=False)
        self.ln, self.ty = nn.LayerNorm(WIDTH, 1e-12), nn.Linear(len(TYPES) + 1, WIDTH)
        nn.init.zeros_(self.ty.weight)
        nn.init.zeros_(self.ty.bias)
        self.part = nn.Parameter(torch.zeros(3, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(_LAYERS))
        self.tool, self.cut, self.port = nn.Linear(WIDTH, tags), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, ports)
        self.lp, self.l1, self.l2 = nn.Linear(3 * WIDTH, 96), nn.Linear(96 + told_of_links, 64), nn.Linear(64, 1)
        self.fw, self.ff = nn.Linear(WIDTH, 64), nn.Linear(WIDTH, 64)
        self.f1, self.f2 = nn.Linear(128 + told_of_files, 64), nn.Linear(64, 1)
        self.drop, self.link_drop = nn.Dropout(_DROPPED), nn.Dropout(_LINK_DROPPED)

    def begin_from(self, base: BaseModel) -> None:
        """Takes what the base model knows."""
        self.ln.load_state_dict(
            {"weight": torch.from_numpy(base.vector("emb.ln.w")), "bias": torch.from_numpy(base.vector("emb.ln.b"))}
        )
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            layer.begin_from(base, number)

    def states(
        self,
        places: torch.Tensor,
        there: torch.Tensor,
        types: torch.Tensor,
        pool: torch.Tensor,
        parts: torch.Tensor,
    ) -> torch.Tensor:
        """(texts, words and names, WIDTH); `pool` (texts, words and names, pieces) has rows that add up to one."""
        if self.training:
            hidden = (torch.rand(places.shape) < _UNREAD) & (places > UNKNOWN)
            places = torch.where(hidden, UNKNOWN, places)
        with torch.autocast("cpu", torch.bfloat16, enabled=_HAS_SHORT_FLOATS):
            x = self.ln(self.words[places] + self.pos[: places.shape[1]]) + self.ty(types)[:, None]
            x = x + self.part[parts]
            for layer in self.layers:
                x = layer(x, there)
        return torch.bmm(pool, x.float())

    def links(self, states: torch.Tensor, example: Example) -> torch.Tensor:
        """Log odds for each of the example's pairs of wishes."""
        rows = []
        for one, other, _, _ in example.links:
            (a, b), (c, d) = example.wishes[one], example.wishes[other]
            parts = (states[max(0, c - 2) : c + 3], states[c:d], states[a:b])
            rows.append(torch.cat([part.mean(0) for part in parts]))
        told_of = torch.tensor([pair[3] for pair in example.links])
        inner = torch.relu(self.lp(self.link_drop(torch.stack(rows))))
        inner = self.link_drop(torch.relu(self.l1(torch.cat([inner, told_of], -1))))
        return self.l2(inner)[:, 0]

    def takes(self, states: torch.Tensor, names: torch.Tensor, example: Example) -> torch.Tensor:
        """Log odds for each of the example's pairs of a wish and a file."""
        wishes = self.fw(self.link_drop(torch.stack([states[a:b].mean(0) for a, b in example.wishes])))
        named = self.ff(self.link_drop(names))
        one, file = (torch.tensor([pair[n] for pair in example.takes]) for n in (0, 1))
        seen = torch.cat([wishes[one] + named[file], wishes[one] * named[file]], -1)
        told_of = torch.tensor([pair[3] for pair in example.takes])
        return self.f2(self.link_drop(torch.relu(self.f1(torch.cat([seen, told_of], -1)))))[:, 0]


def positions(base: BaseModel) -> NDArray[np.float32]:
    """(LONGEST, WIDTH): what the place of a piece adds to it."""
    return base.vector("emb.pos").reshape(-1, WIDTH)[:LONGEST] + base.vector("emb.type")[:WIDTH]


def packed(
    examples: Sequence[Example], pieces: WordPieces
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Places of pieces, what is no padding, the pool of Network.states (first as many rows as the longest request has
    words, then the names), and the part of each piece.
    """
    rows = [laid(pieces, example.units, example.names, example.before) for example in examples]
    length, words = max(len(row.places) for row in rows), max(len(row.words) for row in rows)
    names = max(len(row.names) for row in rows)
    ids, parts = np.full((len(rows), length), PAD), np.zeros((len(rows), length), np.int64)
    there, pool = np.zeros((len(rows), length), np.bool_), np.zeros((len(rows), words + names, length), np.float32)
    for place, row in enumerate(rows):
        count = len(row.places)
        ids[place, :count], parts[place, :count], there[place, :count] = row.places, row.parts, True
        for spans, first in ((row.words, 0), (row.names, words)):
            for number, (start, end) in enumerate(spans):
                start = min(start, count - 1)
                pool[place, first + number, start : max(end, start + 1)] = 1 / max(end - start, 1)
    return torch.from_numpy(ids), torch.from_numpy(there), torch.from_numpy(pool), torch.from_numpy(parts)


def loss_of(network: Network, some: Sequence[Example], pieces: WordPieces) -> torch.Tensor:
    """Of tags, boundaries, values, links and files."""
    ids, there, pool, parts = packed(some, pieces)
    types = torch.from_numpy(np.stack([told(example.types) for example in some]))
    seen = network.drop(network.states(ids, there, types, pool, parts))
    words = max(len(example.units) for example in some)
    states, named = seen[:, :words], seen[:, words:]
    tags, ports = (_filled([getattr(e, name) for e in some], words) for name in ("tags", "ports"))
    begins = _filled([tuple(int(b) for b in e.begins) for e in some], words).clamp(0).float()
    known = (tags != UNTOLD).float()
    total = nn.functional.cross_entropy(
        network.tool(states).flatten(0, 1), tags.flatten(), ignore_index=UNTOLD, label_smoothing=_SMOOTHED
    )
    edges = nn.functional.binary_cross_entropy_with_logits(
        network.cut(states)[..., 0], begins, reduction="none", pos_weight=torch.tensor(2.0)
    )
    total = total + 0.7 * (edges * known).sum() / known.sum()
    logits = network.port(states)
    weight = torch.full((logits.shape[-1],), _VALUE)
    weight[0] = 1.0
    total = total + 0.7 * nn.functional.cross_entropy(
        logits.flatten(0, 1), ports.flatten(), weight, ignore_index=UNTOLD
    )
    links = [(network.links(states[row], e), [pair[2] for pair in e.links]) for row, e in enumerate(some) if e.links]
    takes = [
        (network.takes(states[row], named[row], e), [pair[2] for pair in e.takes])
        for row, e in enumerate(some)
        if e.takes and e.names
    ]
    for pairs in (links, takes):
        if pairs:
            found, wanted = torch.cat([one for one, _ in pairs]), torch.tensor([y for _, own in pairs for y in own])
            total = total + 0.5 * nn.functional.binary_cross_entropy_with_logits(found, wanted)
    return total


def _filled(rows: Sequence[tuple[int, ...]], words: int) -> torch.Tensor:
    found = np.full((len(rows), words), UNTOLD)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return torch.from_numpy(found)


def batches(
    tools: Mapping[str, ToolSpec], pieces: WordPieces, marked: Sequence[Example], seed: int
) -> Iterator[list[Example]]:
    """Without end; each of requests of about one length, most of them `marked` ones."""
    composer, chance = Composer(tools, pieces, seed), random.Random(seed + 1)
    several, branches, reader = SeveralFiles(tools, seed), Branches(tools, seed), Marked(tools, pieces)
    exchange = Exchange(marked)

    def natural() -> Example:
        example = chance.choice(marked)
        while chance.random() < _EXCHANGED:
            example = exchange.exchanged(example, chance)
        return varied(example, chance)

    def any_kind() -> Example:
        which = chance.random()
        if which < _SEVERAL + _BRANCHES:
            return reader.example((several if which < _SEVERAL else branches).row()) or natural()
        return natural() if chance.random() < _NATURAL else composer.compose()

    while True:
        some = [any_kind() for _ in range(6 * BATCH)]
        some.sort(key=lambda example: len(example.units))
        groups = [some[start : start + BATCH] for start in range(0, len(some), BATCH)]
        chance.shuffle(groups)
        yield from groups


@dataclass(frozen=True)
class Start:
    """What training begins from: the pieces of words with their scores and packed vectors, and the vectors of places,
    all of which stay as they are; and the network.
    """

    pieces: Sequence[str]
    scores: NDArray[np.float16]
    words: NDArray[np.uint8]
    network: Network


def from_base(tools: Mapping[str, ToolSpec]) -> Start:
    """The base model, with the pieces that the data need."""
    base = BaseModel()
    own = [text for tool in tools.values() for text in (tool.title, tool.description, *tool.examples, *tool.words)]
    kept = base.chosen([*texts(), *own])
    network = _network(tools, unpacked(np.ascontiguousarray(base.words[kept])), positions(base))
    network.begin_from(base)
    return Start([base.pieces[n] for n in kept], base.scores[kept].astype(np.float16), base.words[kept], network)


def from_stored(tools: Mapping[str, ToolSpec]) -> Start:
    """The weights that are there; tools and inputs that they do not know begin from chance."""
    with np.load(RESOURCES / "planner" / "tagger.npz", allow_pickle=False) as file:
        held = {name: file[name] for name in file.files}
    stored, words = stored_weights(held), rows_of(held["words"])
    network = _network(tools, unpacked(words), stored["pos"])
    old = {"tool": [*held["ids"], "-", "?"], "port": ["", *held["ports"]]}
    new = {"tool": [*sorted(tools), "-", "?"], "port": ["", *port_names(tools)]}
    weights = network.state_dict()
    for name, value in weights.items():
        known = torch.from_numpy(stored[name])
        head = name.partition(".")[0]
        if head in old:
            there = [n for n, one in enumerate(new[head]) if one in old[head]]
            value[there] = known[[old[head].index(new[head][n]) for n in there]]
        elif value.shape == known.shape:  # the head for files is of another size there, and begins from chance
            value.copy_(known)
    network.load_state_dict(weights)
    return Start(str(held["pieces"]).split("\n"), held["scores"], words, network)


def _network(tools: Mapping[str, ToolSpec], words: NDArray[np.float32], pos: NDArray[np.float32]) -> Network:
    some = next(iter(tools.values()))
    told_of = len(facts(0, 1, some, some, (), 2))
    told_of_files = len(file_facts(0, 1, some, 0, [Given("", "image")], FileWords("", (0, 0), (0, 0), (0, 0)), False))
    return Network(words, pos, len(tools) + 2, len(port_names(tools)) + 1, told_of, told_of_files)


def train(
    tools: Mapping[str, ToolSpec],
    start: Start,
    steps: int = STEPS,
    rates: tuple[float, float] = RATES,
    newest: int = 0,
) -> None:
    """Trains and writes the weights; `rates` are the highest of learning, of the layers and of the heads; the `newest`
    rows are seen more often.
    """
    torch.manual_seed(0)
    torch.set_num_threads(1)
    network = start.network
    pieces = WordPieces({piece: n for n, piece in enumerate(start.pieces)}, tuple(start.scores.tolist()))
    marked = Marked(tools, pieces).weighed_examples(newest)
    body = [value for name, value in network.named_parameters() if name.startswith(("layers", "ln"))]
    heads = [value for name, value in network.named_parameters() if not name.startswith(("layers", "ln"))]
    groups = [{"params": some, "lr": rate} for some, rate in zip((body, heads), rates, strict=True)]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, list(rates), steps, pct_start=0.1)
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    total, watched = 0.0, _watched(tools, pieces)
    for step, group in zip(range(1, steps + 1), batches(tools, pieces, marked, steps), strict=False):
        for layer in network.layers:
            layer.rounded = step > _ROUNDED * steps  # type: ignore[assignment]
        loss = loss_of(network, group, pieces)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        pace.step()
        for name, value in network.state_dict().items():
            mean[name].lerp_(value, 1 - min(_KEPT, (1 + step) / (10 + step)))
        total += loss.item()
        if step % 100 == 0:
            held = f", of requests held back {_held_loss(network, watched, pieces):.3f}" if step % 500 == 0 else ""
            print(f"{step} of {steps} steps, loss {total / 100:.3f}{held}", flush=True)
            total = 0.0
    network.load_state_dict(mean)
    save(network, start, tools)


def _watched(tools: Mapping[str, ToolSpec], pieces: WordPieces) -> list[list[Example]]:
    found = sorted(Marked(tools, pieces).examples(held=True), key=lambda example: len(example.units))
    some = found[:: max(1, len(found) // _WATCHED)]
    return [some[start : start + BATCH] for start in range(0, len(some), BATCH)]


def _held_loss(network: Network, groups: Sequence[Sequence[Example]], pieces: WordPieces) -> float:
    network.eval()
    with torch.inference_mode():
        losses = [loss_of(network, group, pieces).item() for group in groups]
    network.train()
    return sum(losses) / len(losses)


def save(network: Network, start: Start, tools: Mapping[str, ToolSpec]) -> None:
    """Writes resources/planner/tagger.npz: the matrices of the layers in four bits, the rest in sixteen."""
    held: dict[str, Any] = {
        "pieces": np.array("\n".join(start.pieces)),
        "scores": start.scores,
        "words": start.words,
        "ids": np.array(sorted(tools)),
        "ports": np.array(port_names(tools)),
        **weights_of(network),
    }
    np.savez_compressed(RESOURCES / "planner" / "tagger.npz", **held)


def weights_of(network: Network) -> dict[str, Any]:
    """By the names that desktop_app.plan.language.tagger knows."""
    held: dict[str, Any] = {"w.pos": network.get_buffer("pos").numpy().astype(np.float16)}
    for name, value in network.state_dict().items():
        plain = value.numpy()
        if name.startswith("layers.") and plain.ndim == 2:
            held["q4." + name] = packed_weights(plain)
        else:
            held["w." + name] = plain.astype(np.float16)
    return held


def packed_weights(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The opposite of tagger.unpacked, of the scales tried the one with the least error for each block."""
    blocks = weights.reshape(len(weights), -1, BLOCK)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[..., None], -1)
    best: tuple[NDArray[Any], ...] = ()
    for most in _SCALES:
        scale = (largest / most).astype(np.float16).astype(np.float32)
        steps = np.clip(np.round(blocks / np.where(scale == 0, 1, scale)), -8, 7)
        error = ((steps * scale - blocks) ** 2).sum(-1, keepdims=True)
        now = (error, steps, scale)
        best = (
            now if not best else tuple(np.where(error < best[0], new, old) for new, old in zip(now, best, strict=True))
        )
    _, steps, scale = best
    halves = (steps + 8).astype(np.uint8)
    scales = np.ascontiguousarray(scale.astype(np.float16)).view(np.uint8).reshape(*scale.shape[:2], 2)
    packed_halves = halves[..., : BLOCK // 2] | (halves[..., BLOCK // 2 :] << 4)
    return np.concatenate([scales, packed_halves], -1).reshape(len(weights), -1)
