"""Trains what tells that something has to be asked before the plan can run; adds it to tagger.npz.

It is told what the tagger and its other heads find in a request, as in planning: which values are said, which files may
be meant, whether any tool does it. So it has to be trained last.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from desktop_app.plan.arguments.value_marks import ValueMarks
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tagger import FILES, Tagger
from desktop_app.plan.ranking.joint_selection import said_values
from desktop_app.plan.ranking.missing_input import KINDS, Said, facts, is_silent
from desktop_app.plan.ranking.wish_files import Likeness, may_work_on, said_of
from desktop_app.plan.ranking.wish_files import facts as file_facts
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, main_inputs
from desktop_app.plan.types import Given, ToolSpec
from tests.training.marked import Row, values_of, wishes_of
from tests.training.readings import Read, add

_WIDTH, _STEPS, _BATCH, _DROPPED, _RATE = 32, 6000, 64, 0.5, 2e-3
_FEW, _DRAWN = 3.0, 0.3
"""A tool's habit counts so many further requests, of which so many asked."""
_OFTEN = 0.35
"""The share of examples in training in which something has to be asked."""
_SEVERAL, _ORDINARY = 4_000, 4_500
_FOR_SEVERAL, _FOR_OTHERS = 1.6, 4.3
"""So many requests with several files of a type, and so many others, stand for all in which nothing has to be asked:
each for so many of them."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What the tagger finds in a request, the facts, the place in KINDS of what has to be asked, and for how many
    requests it stands.
    """

    state: NDArray[np.float32]
    facts: Sequence[float]
    kind: int
    worth: float


class Count(NamedTuple):
    """In how many requests a tool stands, and in how many of these it had to be asked about."""

    all: float = 0.0
    asked: float = 0.0


def chosen(some: Sequence[Row]) -> list[Row]:
    """Those in which something has to be asked, those that nothing does, and some of the others."""
    replies = [row for row in some if {"ask", "refuse"} & {*row["gold"]}]
    rest = [row for row in some if not {"ask", "refuse"} & {*row["gold"]}]
    random.Random(5).shuffle(rest)
    several = [row for row in rest if _has_several(row)][:_SEVERAL]
    return [*replies, *several, *[row for row in rest if not _has_several(row)][:_ORDINARY]]


def _has_several(row: Row) -> bool:
    return max(Counter(file["type"] for file in row["resources"]).values(), default=0) > 1


def _worth(row: Row) -> float:
    if {"ask", "refuse"} & {*row["gold"]}:
        return 1.0
    return _FOR_SEVERAL if _has_several(row) else _FOR_OTHERS


def examples(
    tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read], counts: Mapping[str, Count]
) -> list[Asked]:
    """Of all marked requests; `counts` as `counted` gives them, each request's own left out. Nothing has to be asked
    where no tool does it.
    """
    found: list[Asked] = []
    for one in read:
        asked, kind = tools_of(one, tools), "" if one.row["gold"].get("refuse") else kind_of(one, tools)
        own = Count(_worth(one.row), (kind == "text") * _worth(one.row)) if not one.held else Count()
        about = found_in(tagger, tools, one)
        silent = [tool for tool in asked if is_silent(tool, about.values)]
        habits = {tool.id: habit_of(counts[tool.id], own if len(silent) == 1 else Count()) for tool in silent}
        found.append(Asked(seen(one.states), facts(asked, about, habits), KINDS.index(kind), _worth(one.row)))
    return found


def found_in(tagger: Tagger, tools: Mapping[str, ToolSpec], one: Read) -> Said:
    """What the networks find in the request beside its tools."""
    marks = ValueMarks(one.words, tagger.marks(one.states), tagger.ports, one.states)
    values = {
        (tool, port)
        for (first, end), ids in one.wishes
        for id in ids
        if id in tools
        for tool, port, _ in said_values(tools[id], marks, first, end)
    }
    outside = float(np.exp(tagger.tags(one.states)[0][:, -1]).max())
    followed = bool(one.row.get("history"))
    taken = taken_in(tagger, tools, one)
    return Said(one.row["request"], one.given, len(one.words), values, followed, taken, outside)


def taken_in(tagger: Tagger, tools: Mapping[str, ToolSpec], one: Read) -> Mapping[str, float]:
    """How probable each of several files of a type is for the first wish that may work on any of them; {} for none."""
    files, text, asked = one.given[:FILES], one.row["request"], [ids for _, ids in one.wishes]
    types = Counter(file.type for file in files)
    if max(types.values(), default=0) < 2:
        return {}
    said = said_of(text, [(one.words[first].start, one.words[end - 1].end) for (first, end), _ in one.wishes])
    like = Likeness(text, one.words, files, sentence_encoder().encode)
    for wish, ((first, end), ids) in enumerate(one.wishes):
        takers = [(place, tool) for place, file in enumerate(files)
                  if types[file.type] > 1 and (tool := _taker(tools, ids, file))]  # fmt: skip
        told = [
            file_facts(wish, len(asked), tool, place, files, said[wish], bool(one.row.get("history")),
                       like.of(place, said[wish]))
            for place, tool in takers
        ]  # fmt: skip
        if told:
            pairs = [(0, place) for place, _ in takers]
            shares = tagger.takes(one.states, one.named, [(first, end)], pairs, told)
            return {files[place].name: float(row[0]) for (place, _), row in zip(takers, shares, strict=True)}
    return {}


def _taker(tools: Mapping[str, ToolSpec], ids: Sequence[str], file: Given) -> ToolSpec | None:
    """The one of the tools that takes the file, or what reads it for one of them."""
    own = [tools[id] for id in ids if id in tools]
    reads = any(port.type == "text" and port.required and not port.choices for tool in own for port in tool.inputs)
    found = next((tool for tool in own if may_work_on(tool, file)), None)
    return found or (tools.get("read_document") if reads and file.type in DOCUMENTS else None)


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


def counted(tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> dict[str, Count]:
    """By tool, of the requests to train on in which it is the only one whose settings nobody says: in how many one has
    to be asked for.
    """
    found: dict[str, Count] = defaultdict(Count)
    for one in read:
        said = said_in(one)
        silent = [tool for tool in tools_of(one, tools) if is_silent(tool, said)]
        if len(silent) == 1 and not one.held and one.given and not one.row["gold"].get("refuse"):
            count, worth = found[silent[0].id], _worth(one.row)
            found[silent[0].id] = Count(count.all + worth, count.asked + (kind_of(one, tools) == "text") * worth)
    return found


def habit_of(count: Count, own: Count) -> float:
    """How often it had to be asked for (0..1), without `own`."""
    return (max(0.0, count.asked - own.asked) + _DRAWN) / (max(0.0, count.all - own.all) + _FEW)


def seen(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """As Tagger.asks looks at them."""
    return np.concatenate([states.mean(axis=0), states.max(axis=0)])


def train(tagger: Tagger, tools: Mapping[str, ToolSpec], read: Sequence[Read]) -> None:
    """Trains, prints how well it does on what is held back, and writes the weights."""
    sentence_encoder().is_ready()
    counts = counted(tools, read)
    own, held = (examples(tagger, tools, [one for one in read if one.held == kept], counts) for kept in (False, True))
    torch.manual_seed(0)
    chance = random.Random(0)
    few, rest = [one for one in own if one.kind], [one for one in own if not one.kind]
    often = list(accumulate(one.worth for one in rest))
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
        asks = sum(chance.random() < _OFTEN for _ in range(_BATCH))
        some = [*chance.choices(few, k=asks), *chance.choices(rest, cum_weights=often, k=_BATCH - asks)]
        optimiser.zero_grad()
        nn.functional.cross_entropy(worth(some), torch.tensor([one.kind for one in some])).backward()
        optimiser.step()
        pace.step()
    usual = len(few) / sum(one.worth for one in own)
    shift = torch.tensor([0.0] + [np.log(usual / (1 - usual) * (1 - _OFTEN) / _OFTEN)] * (len(KINDS) - 1))
    drop.eval()
    with torch.no_grad():
        last.bias += shift  # as often as in the requests
        shares = worth(held).softmax(-1)
    wanted, worths = np.array([one.kind for one in held]), np.array([one.worth for one in held])
    guess, ask = shares[:, 1:].argmax(-1).numpy() + 1, 1 - shares[:, 0].numpy()
    for least in (0.3, 0.5, 0.7):
        likely, none = ask > least, wanted == 0
        found, vain = (likely & (wanted == guess)).sum(), (likely & none) @ worths / (none @ worths)
        print(f"asking from {least}: {found} of {(wanted > 0).sum()} rightly, of the others {100 * vain:.1f} % in vain")
    add({
        "asked": np.array([habit_of(counts[id], Count()) for id in tagger.ids], np.float16),
    } | {
        f"w.{name}.{part}": value.detach().numpy().astype(np.float16)
        for name, layer in zip(("a0", "a1", "a2"), layers, strict=True)
        for part, value in (("weight", layer.weight), ("bias", layer.bias))
    })  # fmt: skip
