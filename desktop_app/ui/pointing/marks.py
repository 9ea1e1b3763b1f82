"""Marks on a picture - points, boxes, strokes: kept inside it, moved, where their handle is, what they say to a tool.

All in whole pixels of the picture, origin top left.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from nodes.api import Box, Point

Place = tuple[int, int]


class Stroke(NamedTuple):
    """What was drawn in one go, from press to release.

    `kind` is "brush", "eraser", "lasso" (the inside of the closed line) or "scribble" (a line over what is meant, which
    is left to the tool). `include` False takes away. `size` is the width of brush and eraser in pixels.
    """

    kind: str
    path: tuple[Place, ...]
    include: bool = True
    size: int = 1


Mark = Point | Box | Stroke
LEAST_SIDE = 2
_SCRIBBLED_MOST = 9


def clamped(mark: Mark, width: int, height: int) -> Mark:
    """The mark in whole pixels inside a picture of that size; a box keeps a side of two pixels at least."""
    if isinstance(mark, Box):
        x0, x1 = _span(mark.x0, mark.x1, width)
        y0, y1 = _span(mark.y0, mark.y1, height)
        return Box(x0, y0, x1, y1, mark.label, mark.score)
    if isinstance(mark, Stroke):
        path = ((int(_inside(x, width - 1)), int(_inside(y, height - 1))) for x, y in mark.path)
        return mark._replace(path=tuple(path))
    return Point(_inside(mark.x, width - 1), _inside(mark.y, height - 1), bool(mark.include))


def moved(mark: Mark, x: float, y: float, width: int, height: int) -> Mark:
    """The mark with its handle at the pixel (x, y), or as near as the picture allows; boxes and strokes keep their
    size."""
    if isinstance(mark, Box):
        across, down = mark.x1 - mark.x0, mark.y1 - mark.y0
        x0, y0 = _inside(x, width - across), _inside(y, height - down)
        return Box(x0, y0, x0 + across, y0 + down, mark.label, mark.score)
    if isinstance(mark, Stroke):
        columns, rows = zip(*mark.path, strict=True)
        right = min(max(int(x) - columns[0], -min(columns)), width - 1 - max(columns))
        down = min(max(int(y) - rows[0], -min(rows)), height - 1 - max(rows))
        return mark._replace(path=tuple((a + right, b + down) for a, b in mark.path))
    return clamped(Point(x, y, mark.include), width, height)


def handle(mark: Mark) -> tuple[float, float]:
    """The pixel at which the mark is taken hold of: the point itself, the upper left corner of a box, the beginning
    of a stroke."""
    if isinstance(mark, Stroke):
        return mark.path[0]
    return (mark.x0, mark.y0) if isinstance(mark, Box) else (mark.x, mark.y)


def between(start: Place, end: Place) -> Box | None:
    """The box from one pixel to another, both inside; None when it is too small to be meant."""
    x0, x1 = sorted((start[0], end[0]))
    y0, y1 = sorted((start[1], end[1]))
    if x1 - x0 < LEAST_SIDE or y1 - y0 < LEAST_SIDE:
        return None
    return Box(float(x0), float(y0), float(x1 + 1), float(y1 + 1))


def plain(mark: Point | Box) -> list[float | bool]:
    """As it stands in a workflow: [x, y, include], or [x0, y0, x1, y1]."""
    return list(mark[:4]) if isinstance(mark, Box) else [mark.x, mark.y, mark.include]


def clicks(marks: Sequence[Mark]) -> tuple[Point, ...]:
    """What the marks say in points: the points, places along each scribble, and the middle of a box that holds none."""
    found = [mark for mark in marks if isinstance(mark, Point)]
    for mark in marks:
        if isinstance(mark, Stroke) and mark.kind == "scribble":
            found += [Point(float(x), float(y), mark.include) for x, y in along(mark.path)]
    for box in (mark for mark in marks if isinstance(mark, Box)):
        if not any(p.include and box.x0 <= p.x < box.x1 and box.y0 <= p.y < box.y1 for p in found):
            found.append(Point((box.x0 + box.x1) // 2, (box.y0 + box.y1) // 2))
    return tuple(found)


def along(path: Sequence[Place]) -> list[Place]:
    """Up to nine places of the path, as far from each other along it, its beginning and end among them."""
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(path)]
    total = sum(lengths)
    count = min(_SCRIBBLED_MOST, 2 + int(total // 25))
    if total < 3:
        return [path[0]]
    found, gone, at = [path[0]], 0.0, 0
    for step in range(1, count):
        wanted = total * step / (count - 1)
        while at < len(lengths) - 1 and gone + lengths[at] < wanted:
            gone, at = gone + lengths[at], at + 1
        share = min(1.0, (wanted - gone) / max(lengths[at], 1e-9))
        (x0, y0), (x1, y1) = path[at], path[at + 1]
        found.append((round(x0 + share * (x1 - x0)), round(y0 + share * (y1 - y0))))
    return list(dict.fromkeys(found))


def paints(marks: Sequence[Mark]) -> bool:
    """True when the marks decide over pixels themselves, and do not only say to a tool what is meant."""
    return any(isinstance(m, Box) or (isinstance(m, Stroke) and m.kind != "scribble") for m in marks)


def to_json(mark: Mark) -> dict[str, Any]:
    if isinstance(mark, Stroke):
        flat = [n for place in mark.path for n in place]
        return {"kind": mark.kind, "path": flat, "include": mark.include, "size": mark.size}
    return {"kind": "box" if isinstance(mark, Box) else "point", "at": plain(mark)}


def from_json(data: Any) -> Mark:
    """Raises KeyError, TypeError or ValueError for data of another form."""
    if data["kind"] == "point":
        x, y, include = data["at"]
        return Point(float(x), float(y), bool(include))
    if data["kind"] == "box":
        x0, y0, x1, y1 = map(float, data["at"])
        return Box(x0, y0, x1, y1)
    flat = [int(n) for n in data["path"]]
    path = tuple(zip(flat[::2], flat[1::2], strict=True))
    if not path:
        raise ValueError("a stroke without a place")
    return Stroke(str(data["kind"]), path, bool(data["include"]), int(data["size"]))


def _inside(value: float, most: float) -> float:
    return float(min(max(value // 1, 0), max(0, most)))


def _span(low: float, high: float, size: int) -> tuple[float, float]:
    low, high = sorted((low // 1, high // 1))
    low = min(max(low, 0), max(0, size - LEAST_SIDE))
    return float(low), float(min(max(high, low + LEAST_SIDE), size))
