"""`python -m tests.training.newest TOOL... [--inputs NAME...]`: teaches the tagger more of tools that came last.

A tool that some dozen requests name is hardly learnt in a training of all. This trains only the rows of these tools and
these inputs, in the two layers that say which tool a word asks for and which input it is the value of, on what the
network finds at each word as it is: nothing that rests on the tagger has to be made again. Two minutes on two cores.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tagger import TYPES, _read, tagger
from desktop_app.plan.language.word_pieces import units_of
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import ToolSpec
from nodes import load_tools
from tests.training.composed import is_held
from tests.training.marked import Marked, Row, rows
from tests.training.readings import pack

_OTHERS, _HELD = 7000, 1200
"""So many requests that name none of the tools are looked at, and so many of those held back."""
_STEPS, _RATE, _CALM_RATE, _CALM = 700, 6e-3, 1.5e-3, 0.7
_NEW, _OLD, _SHARE = 512, 2048, 0.25
"""Words of each step, and the share of the loss that is of the new ones: with .5 three times as many words of other
requests were given to new tools.
"""
_FILE = RESOURCES / "planner" / "tagger.npz"


@dataclass(frozen=True)
class Words:
    """What is found at words (n, WIDTH), and what they are: the places of their tags and of their marks, or less than
    0 where that is not told.
    """

    states: NDArray[np.float32]
    tags: NDArray[np.int64]
    marks: NDArray[np.int64]


def main() -> None:
    """Trains, prints how well words held back are told before and after, and writes tagger.npz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="+")
    parser.add_argument("--inputs", nargs="*", default=[])
    options = parser.parse_args()
    torch.manual_seed(0)
    every = {tool.id: tool for tool in from_tools(load_tools().tools)}
    unknown = [id for id in options.tools if id not in tagger().ids]
    unnamed = [name for name in options.inputs if name not in tagger().ports]
    if unknown or unnamed:
        np.savez_compressed(_FILE, **_with_inputs(_with_rows(dict(np.load(_FILE)), unknown), unnamed))
        _read.cache_clear()
    known = {id: every[id] for id in tagger().ids}
    marked = Marked(known, tagger().pieces)
    marked.ports = {name: place for place, name in enumerate(tagger().ports, 1)}
    own = [row for row in rows() if _is_of(row, options.tools, options.inputs)]
    others = [row for row in rows() if not _is_of(row, options.tools, options.inputs)]
    random.Random(1).shuffle(others)
    new = _joined(_words(marked, _kept(own, False)), _told_by([known[id] for id in options.tools]))
    old = _words(marked, _kept(others, False)[:_OTHERS])
    held = {"of them": _words(marked, _kept(own, True)), "of others": _words(marked, _kept(others, True)[:_HELD])}
    file = dict(np.load(_FILE))
    tools = [tagger().ids.index(id) for id in options.tools]
    _train(file, "w.tool", tools, new.tags, new, old.tags, old, {name: (w.tags, w) for name, w in held.items()})
    if options.inputs:
        inputs = [tagger().ports.index(name) + 1 for name in options.inputs]
        _train(file, "w.port", inputs, new.marks, new, old.marks, old, {name: (w.marks, w) for name, w in held.items()})
    np.savez_compressed(_FILE, **file)
    pack(_FILE)


def _with_rows(file: dict[str, NDArray[np.generic]], ids: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """The network with these tools among those it tells: not yet likely, and asked about as often as the median one."""
    for id in sorted(ids):
        place = int(np.searchsorted(file["ids"], id))
        file["asked"] = np.insert(file["asked"], place, np.median(file["asked"]))
        file["w.tool.weight"] = np.insert(file["w.tool.weight"], place, 0, axis=0)
        file["w.tool.bias"] = np.insert(file["w.tool.bias"], place, file["w.tool.bias"].min())
        file["ids"] = np.array(sorted([*file["ids"].tolist(), id]))
    return file


def _with_inputs(file: dict[str, NDArray[np.generic]], names: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """The network with inputs of these names among those it tells. The first row of that layer is for none."""
    for name in sorted(names):
        place = int(np.searchsorted(file["ports"], name))
        file["w.port.weight"] = np.insert(file["w.port.weight"], place + 1, 0, axis=0)
        file["w.port.bias"] = np.insert(file["w.port.bias"], place + 1, file["w.port.bias"].min())
        file["ports"] = np.array(sorted([*file["ports"].tolist(), name]))
    return file


def _is_of(row: Row, tools: Sequence[str], inputs: Sequence[str]) -> bool:
    named = any(f"|{name}»" in row["marked"] for name in inputs)
    return named or not {*tools}.isdisjoint(row["gold"]["nodes"])


def _kept(some: Iterable[Row], held: bool) -> list[Row]:
    return [row for row in some if is_held(row) == held]


def _words(marked: Marked, some: Iterable[Row]) -> Words:
    states: list[NDArray[np.float32]] = []
    tags: list[int] = []
    marks: list[int] = []
    for row in some:
        example = marked.example(row)
        if example is not None:
            states.append(tagger().states(example.units, example.types, example.names, example.before)[0])
            tags += example.tags
            marks += example.ports
    return Words(np.concatenate(states), np.array(tags), np.array(marks))


def _told_by(tools: Sequence[ToolSpec]) -> Words:
    """What the tools say of themselves, as wishes for them."""
    states: list[NDArray[np.float32]] = []
    tags: list[int] = []
    for tool in tools:
        types = {port.type for port in tool.inputs if port.required} & {*TYPES}
        for text in (*tool.examples, *tool.words, tool.title):
            words = [text[a:b] for a, b in units_of(text, tagger().pieces)]
            states.append(tagger().states(words, types)[0])
            tags += [tagger().ids.index(tool.id)] * len(words)
    return Words(np.concatenate(states), np.array(tags), np.full(len(tags), -1))


def _joined(one: Words, other: Words) -> Words:
    return Words(*(np.concatenate(pair) for pair in zip(vars(one).values(), vars(other).values(), strict=True)))


def _train(
    file: dict[str, NDArray[np.generic]],
    layer: str,
    places: Sequence[int],
    new_told: NDArray[np.int64],
    new: Words,
    old_told: NDArray[np.int64],
    old: Words,
    held: dict[str, tuple[NDArray[np.int64], Words]],
) -> None:
    """Changes the rows at these places of a layer in `file`."""
    weight, bias = (torch.tensor(file[f"{layer}.{name}"].astype(np.float32)) for name in ("weight", "bias"))
    own = torch.tensor(places)
    more = torch.zeros(len(own), weight.shape[1], requires_grad=True)
    shift = torch.zeros(len(own), requires_grad=True)
    optimiser = torch.optim.AdamW([more, shift], lr=_RATE, weight_decay=0.02)

    def logits(states: torch.Tensor) -> torch.Tensor:
        return (states @ weight.T + bias).index_add(1, own, states @ more.T + shift)

    def report(when: str) -> None:
        with torch.no_grad():
            for name, (told, words) in held.items():
                states, wanted = _known(told, words)
                found = logits(states).argmax(1)
                print(f"{layer} {when}: {(found == wanted).float().mean().item():.4f} of words held back {name}")

    pairs = [_known(told, words) for told, words in ((new_told, new), (old_told, old))]
    dice = torch.Generator().manual_seed(0)
    report("before")
    for step in range(_STEPS):
        losses = []
        for (states, wanted), count in zip(pairs, (_NEW, _OLD), strict=True):
            some = torch.randint(len(states), (count,), generator=dice)
            losses.append(cross_entropy(logits(states[some]), wanted[some]))
        loss = _SHARE * losses[0] + 4 * (1 - _SHARE) * losses[1]
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step == int(_CALM * _STEPS):
            optimiser.param_groups[0]["lr"] = _CALM_RATE
    report("after")
    weight[own] += more.detach()
    bias[own] += shift.detach()
    file[f"{layer}.weight"], file[f"{layer}.bias"] = weight.numpy().astype(np.float16), bias.numpy().astype(np.float16)


def _known(told: NDArray[np.int64], words: Words) -> tuple[torch.Tensor, torch.Tensor]:
    kept = told >= 0
    return torch.tensor(words.states[kept]), torch.tensor(told[kept])


if __name__ == "__main__":
    main()
