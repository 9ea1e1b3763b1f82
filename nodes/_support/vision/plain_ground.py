"""The ground of a picture where it is smooth, such as a studio's wall or the sky, and what stands out from it.

Must not know tools. Pictures are uint8 (height, width, 3) RGB, small (about 400 pixels), and never modified.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_ROUNDS = 6
_BORDER = 0.06
"""The ground is sought from this share of the shorter side on inward."""
_MOST_GRAIN, _LEAST_FIT, _LEAST_APART = 1.5, 0.88, 30.0
"""From these a ground counts as smooth: in a studio .4 to .7, .97 and 45 to 100; brick .9, .72 and 25."""

_MOST_OF_EVEN, _LEAST_OF_EVEN = 4.0, 0.85
"""Coins 3 and .93, stars .6 and .86, grass, of which blades are counted, 6 and .97; a cat's face 10."""


class Standing(NamedTuple):
    """What stands out, bool (height, width); whether the ground is smooth, so that this alone tells the object; and
    whether it is at least so even that things on it can be counted."""

    mask: np.ndarray
    is_smooth: bool
    is_even: bool


def standing_out(rgb: np.ndarray) -> Standing:
    """A surface of the second degree is laid through the colours (Lab) of the border, then through all that fits it;
    what is off it by four times the grain, and a fifth of what the most is off, stands out. Holes are filled.
    """
    import cv2

    lab = cv2.cvtColor(cv2.GaussianBlur(rgb, (0, 0), 1.0).astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    height, width = lab.shape[:2]
    down, across = (np.mgrid[:height, :width] / np.array([[[height]], [[width]]]) * 2 - 1).astype(np.float32)
    terms = np.stack((np.ones_like(down), down, across, down**2, across**2, down * across), axis=-1).reshape(-1, 6)
    edge = max(2, round(_BORDER * min(height, width)))
    border = np.ones((height, width), bool)
    border[edge : height - edge, edge : width - edge] = False
    border, colours = border.ravel(), lab.reshape(-1, 3)
    fitting, off, grain = border, np.zeros(len(border)), 0.0
    for _ in range(_ROUNDS):
        surface = np.linalg.lstsq(terms[fitting], colours[fitting], rcond=None)[0]
        off = np.linalg.norm(colours - terms @ surface, axis=1)
        grain = float(np.median(off[border]))
        fitting = off < max(2.0, 3 * grain)
    least = max(4 * float(np.median(off[fitting])), 3.0)
    if not (off > least).any():
        return Standing(np.zeros((height, width), bool), False, grain <= _MOST_OF_EVEN)
    most = float(np.percentile(off[off > least], 90))
    mask = off.reshape(height, width) > max(least, 0.2 * most)
    grain_inside = float(np.median(off[fitting]))
    fit = float((off[border] < max(3.0, 4 * grain)).mean())
    is_smooth = grain_inside <= _MOST_GRAIN and fit >= _LEAST_FIT and most >= _LEAST_APART * max(grain_inside, 0.3)
    return Standing(_filled(mask), is_smooth, grain_inside <= _MOST_OF_EVEN and fit >= _LEAST_OF_EVEN)


def _filled(mask: np.ndarray) -> np.ndarray:
    import cv2

    outside = np.pad(mask.astype(np.uint8), 1)
    cv2.floodFill(outside, None, (0, 0), 2)
    return outside[1:-1, 1:-1] != 2
