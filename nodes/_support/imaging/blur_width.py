"""How blurred a picture is, told by its sharpest edges. Must not know tools."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nodes._support.imaging.pixels import luminance

_FIRST, _AGAIN = 1.0, 1.5
_SHARPEST = 25
"""Percentile of the widths of edges: those of shadows are wide in sharp pictures too."""
_SHORT = 0.5
"""By so much it is measured too small, of 1.5 to 5 pixels in seven photographs."""
_MOST_PIXELS = 1600
_DIRECTIONS, _LEAST_EDGES = 8, 15
_WIDER, _MUCH = 1.2, 2.0
"""Blur of one direction: its edges are so many pixels, and so many times, wider than those across. Defocus: .8."""


class Blur(NamedTuple):
    """`radius`: standard deviation in pixels of the Gaussian it is like, 0 where the picture is sharp; whether it runs
    in one direction, as of a moving camera."""

    radius: float
    is_streaked: bool


def measured(rgb: np.ndarray) -> Blur:
    """Edges are blurred again, and how much weaker they get tells how wide they were (Zhuo and Sim, Pattern Recognition
    2011). `rgb` is uint8 (height, width, 3); of a large picture the middle is looked at.
    """
    import cv2

    top, left = (max(0, side - _MOST_PIXELS) // 2 for side in rgb.shape[:2])
    light = luminance(np.ascontiguousarray(rgb[top : top + _MOST_PIXELS, left : left + _MOST_PIXELS]))
    once = cv2.GaussianBlur(light.astype(np.float32), (0, 0), _FIRST)
    again = cv2.GaussianBlur(once, (0, 0), _AGAIN)
    (across, down), (across2, down2) = ((cv2.Sobel(v, -1, 1, 0), cv2.Sobel(v, -1, 0, 1)) for v in (once, again))
    strong, less = np.hypot(across, down), np.hypot(across2, down2)
    edge = (strong >= cv2.dilate(strong, np.ones((3, 3)))) & (strong > max(2.0, float(np.percentile(strong, 95))))
    ratio = strong[edge] / np.maximum(less[edge], 1e-3)
    told = ratio > 1.01
    if told.sum() < _LEAST_EDGES:
        return Blur(0.0, False)
    width = np.sqrt(np.maximum(_AGAIN**2 / (ratio[told] ** 2 - 1) - _FIRST**2, 0))
    turned = np.arctan2(down[edge], across[edge])[told] % np.pi
    place = np.round(turned / np.pi * _DIRECTIONS).astype(int) % _DIRECTIONS
    by_place = [width[place == number] for number in range(_DIRECTIONS)]
    widths = [float(np.percentile(each, _SHARPEST)) for each in by_place if len(each) > _LEAST_EDGES]
    is_streaked = len(widths) > 1 and max(widths) > max(min(widths) + _WIDER, _MUCH * min(widths))
    all_round = float(np.percentile(width, _SHARPEST))
    return Blur(all_round + _SHORT if all_round > 0.1 else 0.0, is_streaked)
