"""Points and boxes alike: kept inside the picture, moved, where their handle is. Whole pixels, origin top left."""

from __future__ import annotations

from nodes.api import Box, Point

Mark = Point | Box
LEAST_SIDE = 2


def clamped(mark: Mark, width: int, height: int) -> Mark:
    """The mark in whole pixels inside a picture of that size; a box keeps a side of two pixels at least."""
    if isinstance(mark, Box):
        x0, x1 = _span(mark.x0, mark.x1, width)
        y0, y1 = _span(mark.y0, mark.y1, height)
        return Box(x0, y0, x1, y1, mark.label, mark.score)
    return Point(_inside(mark.x, width - 1), _inside(mark.y, height - 1), bool(mark.include))


def moved(mark: Mark, x: float, y: float, width: int, height: int) -> Mark:
    """The mark with its handle at the pixel (x, y), or as near as the picture allows; a box keeps its size."""
    if isinstance(mark, Box):
        across, down = mark.x1 - mark.x0, mark.y1 - mark.y0
        x0, y0 = _inside(x, width - across), _inside(y, height - down)
        return Box(x0, y0, x0 + across, y0 + down, mark.label, mark.score)
    return clamped(Point(x, y, mark.include), width, height)


def handle(mark: Mark) -> tuple[float, float]:
    """The pixel at which the mark is taken hold of: the point itself, the upper left corner of a box."""
    return (mark.x0, mark.y0) if isinstance(mark, Box) else (mark.x, mark.y)


def between(start: tuple[int, int], end: tuple[int, int]) -> Box | None:
    """The box from one pixel to another, both inside; None when it is too small to be meant."""
    x0, x1 = sorted((start[0], end[0]))
    y0, y1 = sorted((start[1], end[1]))
    if x1 - x0 < LEAST_SIDE or y1 - y0 < LEAST_SIDE:
        return None
    return Box(float(x0), float(y0), float(x1 + 1), float(y1 + 1))


def plain(mark: Mark) -> list[float | bool]:
    """As it stands in a workflow: [x, y, include], or [x0, y0, x1, y1]."""
    return list(mark[:4]) if isinstance(mark, Box) else [mark.x, mark.y, mark.include]


def _inside(value: float, most: float) -> float:
    return float(min(max(value // 1, 0), max(0, most)))


def _span(low: float, high: float, size: int) -> tuple[float, float]:
    low, high = sorted((low // 1, high // 1))
    low = min(max(low, 0), max(0, size - LEAST_SIDE))
    return float(low), float(min(max(high, low + LEAST_SIDE), size))
