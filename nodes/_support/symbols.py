"""Symbols that are drawn: a smiley, a heart, ... and how large they are on what they cover. Must not know tools."""

from __future__ import annotations

import math

import numpy as np

from nodes.api import Box

NAMES = ("smiley", "heart", "star", "sunglasses", "bar", "circle")
_MARGIN = 1.06


def place(box: Box, name: str) -> tuple[int, int, int, int]:
    """Left, top, width and height in pixels of the symbol that covers the box."""
    width, height = box.x1 - box.x0, box.y1 - box.y0
    if name in ("bar", "picture"):
        size = width * 1.1, height * 1.1
    else:
        side = math.hypot(width, height) * _MARGIN * {"heart": 1.25, "star": 1.5}.get(name, 1)
        size = side, side
    left, top = (box.x0 + box.x1 - size[0]) / 2, (box.y0 + box.y1 - size[1]) / 2
    return math.floor(left), math.floor(top), max(1, math.ceil(size[0])), max(1, math.ceil(size[1]))


def drawn(name: str, width: int, height: int) -> np.ndarray:
    """The symbol as RGBA of that size."""
    import cv2

    result = np.zeros((height, width, 4), np.uint8)
    if name == "bar":
        result[:] = (0, 0, 0, 255)
        return result
    middle, radius = (width // 2, height // 2), min(width, height) // 2
    cv2.circle(result, middle, radius, (255, 205, 40, 255), -1, cv2.LINE_AA)
    if name == "smiley":
        for side in (-1, 1):
            eye = middle[0] + side * radius // 3, middle[1] - radius // 4
            cv2.circle(result, eye, max(1, radius // 8), (60, 40, 20, 255), -1, cv2.LINE_AA)
        cv2.ellipse(result, middle, (radius // 2, radius // 2), 0, 20, 160, (60, 40, 20, 255), max(1, radius // 10))
    return result
