"""Lining cards up and spreading them evenly: places in, places out. Plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Mapping

Place = tuple[float, float]
EDGES = ("left", "right", "top", "bottom", "centre", "middle")


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
