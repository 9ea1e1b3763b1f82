"""Symbols that are drawn: a smiley, a heart, ... and how large they are on what they cover. Must not know tools."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import mix
from nodes.api import Box

NAMES = ("smiley", "heart", "star", "sunglasses", "eye bar", "hat", "blush", "bar", "circle")
_ROUND = 1.06
"""Diameter of what is round, against the diagonal of the box, which it hides whole."""
_LARGER = {"heart": 1.5, "star": 1.55}
"""These are narrower somewhere: so much larger they hide the oval in the box."""
_HIGHER = {"heart": 0.19}
"""By this part of the box, for its notch."""
_BESIDE = {"bar": 1.12, "picture": 1.25}
"""Sides of what is square, against those of the box."""
_ON_FACES = {
    "sunglasses": (1.16, 0.42, 0.4), "eye bar": (1.3, 0.3, 0.4), "hat": (1.7, 1.1, -0.42), "blush": (0.72, 0.19, 0.66),
}  # fmt: skip
"""Width and height against the width of the box of a face (from brow to chin), and their middle in its height."""
_SEE_THROUGH = {"blush": 0.6}
_FINE = 4
"""cv2 takes places in parts of a pixel, of so many bits."""
_YELLOW, _AMBER, _BROWN = (255, 213, 61), (240, 160, 20), (74, 46, 18)
_PINK, _GREY = (244, 120, 140), (70, 70, 78)
_RED, _GOLD, _BLACK, _WHITE = (229, 41, 62), (255, 190, 30), (12, 12, 14), (255, 255, 255)


def place(box: Box, name: str) -> tuple[int, int, int, int]:
    """Left, top, width and height in pixels of the symbol that covers the box, or of a "picture" that does."""
    width, height = box.x1 - box.x0, box.y1 - box.y0
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    if name in _ON_FACES:
        across, down, middle = _ON_FACES[name]
        across, down, y = width * across, width * down, box.y0 + middle * height
    elif name in _BESIDE:
        across, down = width * _BESIDE[name], height * _BESIDE[name]
    else:
        across = down = math.hypot(width, height) * _ROUND * _LARGER.get(name, 1)
        y -= _HIGHER.get(name, 0) * height
    left, top = math.floor(x - across / 2), math.floor(y - down / 2)
    return left, top, max(1, math.ceil(x + across / 2) - left), max(1, math.ceil(y + down / 2) - top)


def drawn(name: str, width: int, height: int, part: tuple[int, int, int, int] | None = None) -> np.ndarray:
    """The `part` (x0, y0, x1, y1; None for all) of the symbol of that size as RGBA, with smooth edges; everything
    around it is transparent."""
    x0, y0, x1, y1 = part or (0, 0, width, height)
    if name in ("bar", "eye bar"):
        result = np.empty((y1 - y0, x1 - x0, 4), np.uint8)
        result[:] = (*_BLACK, 255)
        return result
    pen = _Pen(width, height, (x0, y0, x1, y1))
    _DRAWN[name](pen)
    result = np.dstack((pen.colours, pen.alpha))
    result[:, :, 3] = result[:, :, 3] * _SEE_THROUGH.get(name, 1)
    return result


class _Pen:
    """Paints plain shapes on each other, of which only a part (x0, y0, x1, y1) is kept. Places are -1..1 across and
    down."""

    def __init__(self, width: int, height: int, part: tuple[int, int, int, int]) -> None:
        x0, y0, x1, y1 = part
        self.colours = np.zeros((y1 - y0, x1 - x0, 3), np.uint8)
        self.alpha = np.zeros((y1 - y0, x1 - x0), np.uint8)
        self._half, self._corner = np.array([width / 2, height / 2]), np.array([x0, y0])

    def shape(self, outline: np.ndarray, colour: tuple[int, int, int], share: float = 1.0) -> None:
        """Fills a closed outline, float (n, 2)."""
        import cv2

        places = self._half * (1 + outline) - 0.5 - self._corner
        height, width = self.alpha.shape
        x0, y0 = np.clip(np.floor(places.min(axis=0)).astype(int) - 1, 0, (width - 1, height - 1))
        x1, y1 = np.clip(np.ceil(places.max(axis=0)).astype(int) + 2, (x0 + 1, y0 + 1), (width, height))
        covered = np.zeros((y1 - y0, x1 - x0), np.uint8)
        exact = np.rint((places - (x0, y0)) * (1 << _FINE)).astype(np.int32)
        cv2.fillPoly(covered, [exact], (255,), cv2.LINE_AA, _FINE)
        if not self.alpha.any():
            self.colours[:] = colour
        below = self.colours[y0:y1, x0:x1]
        plain = np.empty_like(below)
        plain[:] = colour
        below[:] = mix(below, plain, covered if share >= 1 else (covered * share).astype(np.uint8))
        np.maximum(self.alpha[y0:y1, x0:x1], covered, out=self.alpha[y0:y1, x0:x1])

    def round(self, x: float, y: float, across: float, down: float, colour: tuple[int, int, int]) -> None:
        """An ellipse by its middle and half axes."""
        self.shape(_ellipse(x, y, across, down), colour)


def _ellipse(x: float, y: float, across: float, down: float, first: float = 0, last: float = 360) -> np.ndarray:
    """Points of an ellipse, from one angle in degrees to another, clockwise from the right."""
    turn = np.radians(np.linspace(first, last, 181))
    return np.column_stack((x + across * np.cos(turn), y + down * np.sin(turn)))


def _circle(pen: _Pen) -> None:
    pen.round(0, 0, 0.99, 0.99, _YELLOW)


def _smiley(pen: _Pen) -> None:
    pen.round(0, 0, 0.99, 0.99, _AMBER)
    pen.round(0, 0, 0.94, 0.94, _YELLOW)
    for side in (-1, 1):
        pen.round(side * 0.33, -0.24, 0.105, 0.17, _BROWN)
    outer, inner = _ellipse(0, 0.08, 0.62, 0.6, 8, 172), _ellipse(0, 0.08, 0.53, 0.42, 172, 8)
    pen.shape(np.concatenate((outer, inner)), _BROWN)
    for side in (-1, 1):
        pen.round(side * 0.575, 0.15, 0.07, 0.07, _BROWN)


def _heart(pen: _Pen) -> None:
    turn = np.linspace(0, 2 * np.pi, 400)
    x = np.sin(turn) ** 3
    y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 17
    pen.shape(np.column_stack((x * 0.99, (y - 0.01) * 0.99)), _RED)


def _star(pen: _Pen) -> None:
    turn = np.radians(np.arange(10) * 36 - 90)
    far = np.where(np.arange(10) % 2 == 0, 0.99, 0.56)
    pen.shape(np.column_stack((far * np.cos(turn), far * np.sin(turn))), _AMBER)
    pen.shape(np.column_stack((far * np.cos(turn), far * np.sin(turn))) * 0.92, _GOLD)


def _sunglasses(pen: _Pen) -> None:
    bridge = np.array([(-1, -0.82), (1, -0.82), (0.98, -0.4), (0.2, -0.35), (-0.2, -0.35), (-0.98, -0.4)])
    pen.shape(bridge, _BLACK)
    for side in (-1, 1):
        lens = _super_ellipse(side * 0.52, 0.06, 0.44, 0.88)
        pen.shape(lens, _BLACK)
        shine = np.array([(-0.24, -0.44), (-0.1, -0.44), (-0.24, 0.41), (-0.34, 0.26)])
        pen.shape(shine + np.array([side * 0.52, 0]), _WHITE, 0.22)


def _super_ellipse(x: float, y: float, across: float, down: float) -> np.ndarray:
    """Between an ellipse and a rectangle."""
    turn = np.linspace(0, 2 * np.pi, 200)
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.column_stack((
        x + across * np.sign(cosine) * np.abs(cosine) ** 0.6, y + down * np.sign(sine) * np.abs(sine) ** 0.75
    ))  # fmt: skip


def _hat(pen: _Pen) -> None:
    """A top hat."""
    crown = np.array([(-0.62, -0.98), (0.62, -0.98), (0.54, 0.66), (-0.54, 0.66)])
    pen.shape(crown, _BLACK)
    pen.round(0, 0.72, 0.98, 0.25, _BLACK)
    pen.shape(np.array([(-0.565, 0.2), (0.565, 0.2), (0.545, 0.56), (-0.545, 0.56)]), _RED)
    pen.shape(np.array([(-0.46, -0.86), (-0.3, -0.86), (-0.26, 0.08), (-0.4, 0.08)]), _GREY)


def _blush(pen: _Pen) -> None:
    for side in (-1, 1):
        pen.round(side * 0.72, 0, 0.27, 0.95, _PINK)


_DRAWN = {
    "smiley": _smiley, "heart": _heart, "star": _star, "sunglasses": _sunglasses, "hat": _hat, "blush": _blush,
    "circle": _circle,
}  # fmt: skip
