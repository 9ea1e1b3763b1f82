"""Steps in which the tagger learns, beside our own tools, to read requests for tools known by their texts alone.

The same words shall tell our tools apart and lie near the texts of tools that nobody knows yet: the towers of
train_described stand on the network while it learns, and what it finds at the words of titles and descriptions is
learned as well. Where wishes begin, and which takes what another makes, is learned of these requests, too.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.batch import request_of
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.language.tagger import FILES, TYPES, WIDTH, rows_of, told, unpacked
from desktop_app.plan.language.word_pieces import WordPieces
from desktop_app.plan.ranking.described_tools import ToolTexts, shared_words, stems_of, tool_words, vectors_of
from desktop_app.plan.ranking.wish_files import name_words
from desktop_app.plan.ranking.wish_links import facts, may_take
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_data
from desktop_app.plan.types import ToolSpec
from tests.training.composed import UNTOLD, Example, described_sets
from tests.training.literal import literal_requests
from tests.training.readings import Row
from tests.training.tagger import Network, packed
from tests.training.train_described import COMPOSED, GONE, Sides, tags_of, worth_of

SHARE = 0.3
"""In so many of the steps such requests are learned, too."""
_REQUESTS, _TOOLS, _OWN = 12, 22, 0.3
"""So many at a time, with about so many tools; in so many of these steps our own."""
_OWN_REQUESTS, _LONGEST, _LONGEST_OWN = 6000, 90, 60
_TOOL, _CUT, _LINK = 0.5, 0.4, 0.3
"""How much it counts which tool is asked for, where a wish begins, and what takes what."""
_BEGINS = torch.tensor(2.0)


@dataclass(frozen=True, eq=False)
class Asked:
    """A request, with its words as described_tools compares them."""

    example: Example
    stems: Sequence[str]
    vectors: NDArray[np.float32]

    @classmethod
    def of(cls, example: Example) -> Asked:
        return cls(example, stems_of(example.units), vectors_of(example.units))


@dataclass(frozen=True, eq=False)
class ToolSet:
    """Tools with the words of their titles and descriptions, and requests for them."""

    texts: ToolTexts
    words: Sequence[tuple[Example, Example]]
    requests: Sequence[Asked]

    @classmethod
    def of(cls, tools: Sequence[ToolSpec], examples: Sequence[Example]) -> ToolSet:
        return cls(ToolTexts(tools), [_texts_of(tool) for tool in tools], [Asked.of(one) for one in examples])


def _texts_of(tool: ToolSpec) -> tuple[Example, Example]:
    types = frozenset({port.type for port in tool.inputs} & {*TYPES})
    title, text = (Example(tuple(words), (), (), types, ()) for words in tool_words(tool))
    return title, text


def described() -> Iterator[ToolSet]:
    """Those of described.columns.xz, each with requests composed of the tools' own texts."""
    for one in described_sets():
        tools = from_data(one)
        graph, composed = ToolGraph(tools), literal_requests(tools, COMPOSED, random.Random(one["name"]))
        found = (_example(row, tools, graph) for row in (*one["requests"], *composed))
        yield ToolSet.of(tools, [example for example in found if example is not None])


def _example(row: Row, tools: Sequence[ToolSpec], graph: ToolGraph) -> Example | None:
    """None for a request too long."""
    request = request_of(row)
    words = words_of(request.text, request.resources)
    if not 0 < len(words) <= _LONGEST:
        return None
    spans = [(word.start, word.end) for word in words]
    tags, asked = tags_of(row, spans, [tool.id for tool in tools]), _asked(row, spans)
    starts = {start for start, _ in asked.values()}
    begins = tuple(n in starts or n == 0 or tags[n] != tags[n - 1] for n in range(len(tags)))
    order = sorted(asked, key=lambda node: asked[node])
    types = [given.type for given in request.resources]
    return Example(
        tuple(word.text for word in words), tuple(tags), begins, frozenset({*types} & {*TYPES}),
        (UNTOLD,) * len(words), tuple(asked[node] for node in order), tuple(_links(row, order, asked, graph, types)),
        tuple(tuple(name_words(given.name)) for given in request.resources[:FILES]),
    )  # fmt: skip


def _asked(row: Row, words: Sequence[tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The words of each node that words ask for, from the first to before the last."""
    found: dict[int, tuple[int, int]] = {}
    for number, node in enumerate(row["nodes"]):
        start = row["request"].find(node["words"]) if node.get("words") else -1
        own = [n for n, (a, b) in enumerate(words) if start >= 0 and a < start + len(node["words"]) and start < b]
        if own:
            found[number] = own[0], own[-1] + 1
    return found


def _links(
    row: Row, order: Sequence[int], asked: Mapping[int, tuple[int, int]], graph: ToolGraph, types: Sequence[str]
) -> Iterator[tuple[int, int, float, tuple[float, ...]]]:
    """As Example has them; none where two nodes share their words, or other links would do as well."""
    if "links" not in row or row.get("also") or len({*asked.values()}) < len(order):
        return
    makers: dict[int, set[int]] = defaultdict(set)
    for one, other in row["links"]:
        makers[other].add(one)

    def sources(node: int, seen: tuple[int, ...] = ()) -> set[int]:
        """Nodes that words ask for, whose results go into this one by whatever lies between."""
        own = {one for one in makers[node] if one in asked}
        return own.union(*(sources(one, (*seen, one)) for one in makers[node] - own if one not in seen))

    tools = [graph.tools[row["nodes"][node]["tool"]] for node in order]
    for place, other in enumerate(order):
        true = sources(other)
        for giver, one in enumerate(order):
            hit = one in true
            if one != other and (hit or may_take(tools[giver], tools[place], graph)):
                told_of = facts(giver, place, tools[giver], tools[place], types, len(order))
                yield giver, place, float(hit), tuple(told_of)


def stored_sides() -> Sides:
    """The towers as they are in described.npz."""
    sides = Sides()
    with np.load(RESOURCES / "planner" / "described.npz", allow_pickle=False) as held:
        for name, value in sides.state_dict().items():
            known = unpacked(rows_of(held["q4." + name])) if "q4." + name in held else held[name].astype(np.float32)
            known = known[:, : value.shape[1]] if value.ndim > 1 else known  # stored in whole blocks
            value.copy_(torch.from_numpy(np.array(known)))
    return sides


class ByTexts:
    """What such a step costs; `examples` are requests for our own `tools`."""

    def __init__(
        self, network: Network, pieces: WordPieces, examples: Sequence[Example], tools: Sequence[ToolSpec]
    ) -> None:
        self._network, self._pieces, self._chance = network, pieces, random.Random(0)
        self.sides, self._sets = stored_sides(), [*described()]
        short = [one for one in examples if len(one.units) <= _LONGEST_OWN]
        self._own = ToolSet.of(tools, self._chance.sample(short, min(_OWN_REQUESTS, len(short))))

    def loss(self) -> torch.Tensor | None:
        """None in the steps that have none."""
        chance = self._chance
        if chance.random() >= SHARE:
            return None
        whole = self._own if chance.random() < _OWN else chance.choice(self._sets)
        some = chance.sample(whole.requests, min(_REQUESTS, len(whole.requests)))
        kept = self._kept(whole, [one.example for one in some])
        return self._of(whole, some, kept) if kept else None

    def _kept(self, whole: ToolSet, some: Sequence[Example]) -> list[int]:
        """Tools that stand to choose: nearly all that are asked for, and others."""
        count, chance = len(whole.words), self._chance
        asked = {tag for one in some for tag in one.tags if 0 <= tag < count}
        rest = [n for n in range(count) if n not in asked]
        others = chance.sample(rest, min(len(rest), max(4, _TOOLS - len(asked))))
        return sorted([*(tool for tool in sorted(asked) if chance.random() >= GONE), *others])

    def _of(self, whole: ToolSet, some: Sequence[Asked], kept: Sequence[int]) -> torch.Tensor:
        network, examples, count = self._network, [one.example for one in some], len(whole.words)
        texts = whole.texts.of_some(kept)
        titles, told_of = zip(*(whole.words[n] for n in kept), strict=True)
        by_tool = [
            pair
            for first, second in zip(self._states(titles), self._states(told_of), strict=True)
            for pair in (first, second)
        ]
        means = torch.hstack([
            torch.stack([one.mean(0) for one in by_tool[::2]]), torch.stack([one.mean(0) for one in by_tool[1::2]]),
            torch.from_numpy(np.asarray(texts.means[:, 2 * WIDTH :], np.float32)),
        ])  # fmt: skip
        rows = [network.drop(one) for one in self._states(examples)]
        states = torch.cat(rows)
        shared = np.concatenate([shared_words(one.stems, texts, len(kept)) for one in some])
        vectors = np.concatenate([one.vectors for one in some])
        silent = network.tool(states).log_softmax(-1)[:, -2:]
        logits = worth_of(self.sides, states, silent, vectors, shared, texts, torch.cat(by_tool), means)
        places = {UNTOLD: UNTOLD, count: len(kept), **{tool: place for place, tool in enumerate(kept)}}
        tags = torch.tensor([places.get(tag, len(kept) + 1) for one in examples for tag in one.tags])
        total = _TOOL * functional.cross_entropy(logits, tags, ignore_index=UNTOLD, label_smoothing=0.03)
        return total if whole is self._own else total + self._of_wishes(examples, rows)

    def _states(self, examples: Sequence[Example]) -> list[torch.Tensor]:
        """(words, WIDTH) of each."""
        ids, there, pool, parts = packed(examples, self._pieces)
        types = torch.from_numpy(np.stack([told(one.types) for one in examples]))
        found = self._network.states(ids, there, types, pool, parts)
        return [row[: len(one.units)] for row, one in zip(found, examples, strict=True)]

    def _of_wishes(self, examples: Sequence[Example], rows: Sequence[torch.Tensor]) -> torch.Tensor:
        """What it costs where wishes begin, and which takes what another makes."""
        begins = torch.tensor([float(begin) for one in examples for begin in one.begins])
        known = torch.tensor([float(tag != UNTOLD) for one in examples for tag in one.tags])
        edges = functional.binary_cross_entropy_with_logits(
            self._network.cut(torch.cat([*rows]))[:, 0], begins, reduction="none", pos_weight=_BEGINS
        )
        total = _CUT * (edges * known).sum() / known.sum().clamp(1)
        linked = [(row, one) for row, one in zip(rows, examples, strict=True) if one.links]
        if linked:
            found = torch.cat([self._network.links(row, one) for row, one in linked])
            wanted = torch.tensor([hit for _, one in linked for _, _, hit, _ in one.links])
            total = total + _LINK * functional.binary_cross_entropy_with_logits(found, wanted)
        return total
