"""Where the cards of a workflow go: columns by depth, rows that line up. Plain numbers, no Qt.

After Sugiyama, Tagawa and Toda 1981: longest-path layers, barycentre sweeps against crossings (the fewest seen
wins), then rows as whole numbers, each layer fitted to its neighbours by pooling adjacent violators (Ayer et al.
1955). Links that skip columns count through one chain of dummies for each source. Nothing is random and nothing
recursive: the same workflow gives the same picture.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop_app.graph.workflow import Workflow

COLUMN_GAP = 48
ROW_GAP = 48
SNAP = 8
DEFAULT_SIZE = (192.0, 232.0)
_SWEEPS = 6  # chosen: more change hardly anything
_MOST_DUMMIES = 4000  # chosen: beyond that long links bend where they like

Layers = list[list[str]]


@dataclass
class _Graph:
    """Cards and dummies with the neighbours before and after each; every edge goes from one layer to the next."""

    layers: Layers
    before: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    after: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def layout(workflow: Workflow, sizes: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The top left corner of every card, by node id and resource name; the first column begins at (0, 0).

    `sizes` holds (width, height) of the cards; cards that are not in it are taken as a plain node card.
    Resources stand in the first column, near what takes them. A circle of links is cut, not refused.
    """
    edges = _edges(workflow)
    cards = [*(r.name for r in workflow.resources), *workflow.ids()]
    if not cards:
        return {}
    depth = _depths(workflow, edges)
    graph = _with_dummies(cards, edges, depth)
    real = set(cards)
    layers = [[id for id in layer if id in real] for layer in _untangle(graph)]
    rows = _rows(layers, edges, depth)
    return _positions([layer for layer in layers if layer], rows, sizes)


def _edges(workflow: Workflow) -> list[tuple[str, str]]:
    known = {*(r.name for r in workflow.resources), *workflow.ids()}
    pairs = ((k.source, k.target) for k in workflow.links if k.source in known and k.target in known)
    return list(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))


def _depths(workflow: Workflow, edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Longest path from a source; resources are 0, nodes at least 1 when there are resources."""
    first = 1 if workflow.resources else 0
    depth = {r.name: 0 for r in workflow.resources} | dict.fromkeys(workflow.ids(), first)
    after: dict[str, list[str]] = defaultdict(list)
    waiting = dict.fromkeys(depth, 0)
    for source, target in edges:
        after[source].append(target)
        waiting[target] += 1
    ready = deque(id for id in depth if waiting[id] == 0)
    done: set[str] = set()
    left = deque(depth)
    while len(done) < len(depth):
        if not ready:  # only a circle is left: cut it at its first card
            id = next(id for id in iter(left.popleft, None) if id not in done)
            ready.append(id)
        id = ready.popleft()
        if id in done:
            continue
        done.add(id)
        for target in after[id]:
            if target in done:
                continue
            depth[target] = max(depth[target], depth[id] + 1)
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    return depth


def _with_dummies(cards: Sequence[str], edges: Sequence[tuple[str, str]], depth: Mapping[str, int]) -> _Graph:
    layers: Layers = [[] for _ in range(max(depth.values()) + 1)]
    for id in cards:
        layers[depth[id]].append(id)
    graph = _Graph(layers)
    chains: dict[str, list[str]] = {}
    dummies = 0
    for source, target in edges:
        span = depth[target] - depth[source]
        if span < 1:
            continue  # the cut link of a circle
        chain = chains.setdefault(source, [source])
        if dummies + span - len(chain) > _MOST_DUMMIES:
            continue
        while len(chain) < span:
            dummy = f"\0{source}\0{len(chain)}"
            layers[depth[source] + len(chain)].append(dummy)
            _join(graph, chain[-1], dummy)
            chain.append(dummy)
            dummies += 1
        _join(graph, chain[span - 1], target)
    return graph


def _join(graph: _Graph, source: str, target: str) -> None:
    graph.after[source].append(target)
    graph.before[target].append(source)


def _untangle(graph: _Graph) -> Layers:
    """The layers in the order with the fewest crossings of those that the sweeps go through."""
    best = [list(layer) for layer in graph.layers]
    fewest = _crossings(best, graph)
    layers = [list(layer) for layer in best]
    for sweep in range(_SWEEPS):
        if fewest == 0:
            break
        down = sweep % 2 == 0
        indexes = range(1, len(layers)) if down else range(len(layers) - 2, -1, -1)
        for index in indexes:
            fixed = layers[index - 1 if down else index + 1]
            _sort_by_neighbours(layers[index], fixed, graph.before if down else graph.after)
        crossings = _crossings(layers, graph)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return best


def _sort_by_neighbours(layer: list[str], fixed: list[str], neighbours: Mapping[str, list[str]]) -> None:
    place = {id: i for i, id in enumerate(fixed)}
    keys = {}
    for i, id in enumerate(layer):
        near = [place[n] for n in neighbours.get(id, ()) if n in place]
        keys[id] = sum(near) / len(near) if near else float(i)
    layer.sort(key=keys.__getitem__)


def _crossings(layers: Layers, graph: _Graph) -> int:
    total = 0
    for upper, lower in itertools.pairwise(layers):
        place = {id: i for i, id in enumerate(lower)}
        seen: list[int] = []
        for id in upper:
            ends = sorted(place[n] for n in graph.after.get(id, ()) if n in place)
            total += sum(len(seen) - bisect.bisect_right(seen, end) for end in ends)
            for end in ends:
                bisect.insort(seen, end)
    return total


def _rows(layers: Layers, edges: Sequence[tuple[str, str]], depth: Mapping[str, int]) -> dict[str, int]:
    """A row for every card, so that a card stands level with what feeds it where there is room."""
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        if depth[source] < depth[target]:
            before[target].append(source)
            after[source].append(target)
    rows = {id: i for layer in layers for i, id in enumerate(layer)}
    for layer in layers[1:]:
        _fit(layer, before, rows)
    for layer in reversed(layers[:-1]):
        _fit(layer, after, rows)
    for layer in layers[1:]:
        _fit(layer, before, rows)
    used = {row: i for i, row in enumerate(sorted(set(rows.values())))}
    return {id: used[row] for id, row in rows.items()}


def _fit(layer: list[str], neighbours: Mapping[str, list[str]], rows: dict[str, int]) -> None:
    """Sets the rows of a layer: its order kept, each a row of its own, as near to its neighbours as can be."""
    blocks: list[list[float]] = []  # [sum of wishes, count]
    for i, id in enumerate(layer):
        near = sorted(rows[n] for n in neighbours.get(id, ()))
        wish = near[(len(near) - 1) // 2] if near else rows[id]
        blocks.append([wish - i, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            wishes, count = blocks.pop()
            blocks[-1][0] += wishes
            blocks[-1][1] += count
    i = 0
    for wishes, count in blocks:
        start = math.floor(wishes / count + 0.5)  # of two, the first stands level and the second below it
        for _ in range(int(count)):
            rows[layer[i]] = start + i
            i += 1


def _positions(
    layers: Layers, rows: Mapping[str, int], sizes: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    heights: dict[int, float] = defaultdict(float)
    for id, row in rows.items():
        heights[row] = max(heights[row], sizes.get(id, DEFAULT_SIZE)[1])
    tops, top = {}, 0.0
    for row in sorted(heights):
        tops[row] = top
        top = snap(top + heights[row] + ROW_GAP)
    places, left = {}, 0.0
    for layer in layers:
        for id in layer:
            places[id] = (left, tops[rows[id]])
        left = snap(left + max(sizes.get(id, DEFAULT_SIZE)[0] for id in layer) + COLUMN_GAP)
    return places


def snap(value: float) -> float:
    return float(-(-value // SNAP) * SNAP)
