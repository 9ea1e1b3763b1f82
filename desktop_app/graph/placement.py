"""Where cards stand: those without a place, next to those that have one; lined up; spread evenly. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.graph.layout import COLUMN_GAP, DEFAULT_SIZE, ROW_GAP, layout, snap
from desktop_app.graph.workflow import Workflow

Place = tuple[float, float]
Sizes = Mapping[str, tuple[float, float]]
_TRIES = 400  # chosen: so many places, each further down, are tried


def saved_places(workflow: Workflow) -> dict[str, Place]:
    of_nodes = {n.id: n.position for n in workflow.nodes if n.position is not None}
    names = {r.name for r in workflow.resources}
    return {name: place for name, place in workflow.positions.items() if name in names} | of_nodes


def places(workflow: Workflow, before: Workflow, shown: Mapping[str, Place], sizes: Sizes) -> dict[str, Place]:
    """The place of every card: the saved one, else where it is shown, else next to what feeds it; those without a saved
    one cover no other.

    A workflow without any saved place that is not `before` with some changes is laid out afresh.
    """
    cards = [*(r.name for r in workflow.resources), *workflow.ids()]
    saved = saved_places(workflow)
    kept = {id: place for id, place in {**shown, **saved}.items() if id in set(cards)}
    if not saved and (not kept or not _grew(workflow, before)):
        return layout(workflow, sizes)
    fixed = {id: place for id, place in saved.items() if shown.get(id) != place}
    for id in cards:
        if id not in kept:
            kept[id] = _free_place(id, workflow, kept, sizes)
        elif id not in saved and _hit(*kept[id], sizes.get(id, DEFAULT_SIZE), fixed, sizes) is not None:
            others = {other: place for other, place in kept.items() if other != id}
            kept[id] = _below_others(*kept[id], sizes.get(id, DEFAULT_SIZE), others, sizes)
    return {id: kept[id] for id in cards}


def free_near(place: Place, shown: Mapping[str, Place], sizes: Sizes) -> Place:
    """Where a new card covers no other: at that place or below it."""
    return _below_others(*place, DEFAULT_SIZE, shown, sizes)


def _grew(workflow: Workflow, before: Workflow) -> bool:
    """True when most nodes are still there, with the same tools: an edit, not another solution."""
    now, then = ({n.id: n.tool for n in w.nodes} for w in (workflow, before))
    shared = now.keys() & then.keys()
    most = 2 * len(shared) >= max(len(now), len(then))
    return bool(shared) and most and all(now[id] == then[id] for id in shared)


def _free_place(id: str, workflow: Workflow, kept: Mapping[str, Place], sizes: Sizes) -> Place:
    sources = [k.source for k in workflow.links if k.target == id and k.source in kept]
    targets = [k.target for k in workflow.links if k.source == id and k.target in kept]
    size = sizes.get(id, DEFAULT_SIZE)
    if sources:
        last = max(sources, key=lambda s: kept[s][0])
        x = kept[last][0] + max(sizes.get(last, DEFAULT_SIZE)[0], DEFAULT_SIZE[0]) + COLUMN_GAP  # as columns lie apart
        y = kept[last][1]
    elif targets:
        first = min(targets, key=lambda t: kept[t][0])
        x, y = kept[first][0] - max(size[0], DEFAULT_SIZE[0]) - COLUMN_GAP, kept[first][1]
    else:
        x = min((place[0] for place in kept.values()), default=0.0)
        y = max((p[1] + sizes.get(other, DEFAULT_SIZE)[1] + ROW_GAP for other, p in kept.items()), default=0.0)
    return _below_others(snap(x), snap(y), size, kept, sizes)


def _below_others(x: float, y: float, size: tuple[float, float], kept: Mapping[str, Place], sizes: Sizes) -> Place:
    for _ in range(_TRIES):
        hit = _hit(x, y, size, kept, sizes)
        if hit is None:
            break
        y = snap(hit + ROW_GAP)
    return x, y


def _hit(x: float, y: float, size: tuple[float, float], kept: Mapping[str, Place], sizes: Sizes) -> float | None:
    """The bottom of the first card that one of that size would cover there, None when it would cover none."""
    return next(
        (
            top + sizes.get(id, DEFAULT_SIZE)[1]
            for id, (left, top) in kept.items()
            if left < x + size[0] and x < left + sizes.get(id, DEFAULT_SIZE)[0]
            and top < y + size[1] and y < top + sizes.get(id, DEFAULT_SIZE)[1]
        ),
        None,
    )  # fmt: skip


def aligned(places: Mapping[str, Place], sizes: Mapping[str, Place], edge: str) -> dict[str, Place]:
    """The cards with the same left, right, top or bottom edge, on one vertical line through their middles ("centre")
    or on one horizontal line ("middle"). The outermost edge counts, or the middle of them all.
    """
    axis = 0 if edge in ("left", "right", "centre") else 1
    low = {id: place[axis] for id, place in places.items()}
    high = {id: place[axis] + sizes[id][axis] for id, place in places.items()}
    found = {}
    for id, place in places.items():
        size = sizes[id][axis]
        if edge in ("left", "top"):
            at = min(low.values())
        elif edge in ("right", "bottom"):
            at = max(high.values()) - size
        else:
            at = (min(low.values()) + max(high.values()) - size) / 2
        found[id] = (at, place[1]) if axis == 0 else (place[0], at)
    return found


def with_room(
    places: Mapping[str, Place], sizes: Mapping[str, Place], after: str, size: Place, gap: float
) -> tuple[Place, dict[str, Place]]:
    """A place right of the card `after` for one of that size, and the places of the cards that make room for it: where
    others stand there, all that begin right of `after` move on.
    """
    left = places[after][0] + sizes[after][0]
    x, y = left + gap, places[after][1]
    taken = any(
        px < x + size[0] + gap and x < px + sizes[id][0] and py < y + size[1] and y < py + sizes[id][1]
        for id, (px, py) in places.items()
        if id != after
    )
    far = size[0] + gap
    moved = {id: (px + far, py) for id, (px, py) in places.items() if taken and px >= left}
    return (x, y), moved


def spread(places: Mapping[str, Place], sizes: Mapping[str, Place], axis: int) -> dict[str, Place]:
    """The cards with the same gap between neighbours, across (axis 0) or down (axis 1); the outermost two stay.

    Where they have not room for a gap they touch, from the first one on. Fewer than three come back as they are.
    """
    ids = sorted(places, key=lambda id: (places[id][axis] + sizes[id][axis] / 2, id))
    if len(ids) < 3:
        return dict(places)
    start = places[ids[0]][axis]
    end = places[ids[-1]][axis] + sizes[ids[-1]][axis]
    gap = max(0.0, (end - start - sum(sizes[id][axis] for id in ids)) / (len(ids) - 1))
    found, at = {}, start
    for id in ids:
        x, y = places[id]
        found[id] = (at, y) if axis == 0 else (x, at)
        at += sizes[id][axis] + gap
    return found
