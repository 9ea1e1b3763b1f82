"""By how much what should be level in a picture is not. Must not know tools."""

from __future__ import annotations

import numpy as np

from nodes._support.seeing import grey, shrunk

MOST = 20.0
"""Degrees: what is more aslant is meant so, or is no horizon."""
_LONGEST = 1200


def of_lines(image: np.ndarray) -> float | None:
    """Degrees, clockwise, by which the level and the upright lines of the picture are turned; None where no lines
    agree.
    """
    import cv2

    small, _ = shrunk(grey(image), _LONGEST)
    if min(small.shape) < 16:
        return None
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    if found is None:
        return None
    x0, y0, x1, y1 = found.reshape(-1, 4).T
    length = np.hypot(x1 - x0, y1 - y0)
    aslant = (np.degrees(np.arctan2(y1 - y0, x1 - x0)) + 45) % 90 - 45
    near = (np.abs(aslant) <= MOST) & (length > 0.03 * max(small.shape))
    if not near.any():
        return None
    steps = np.arange(-MOST, MOST + 0.05, 0.1)
    votes = (length[near, None] ** 2 * np.exp(-(((steps - aslant[near, None]) / 0.4) ** 2) / 2)).sum(axis=0)
    best = steps[votes.argmax()]
    close = near & (np.abs(aslant - best) < 1)
    if length[close].sum() < 0.3 * max(small.shape):
        return None
    return float(np.average(aslant[close], weights=length[close] ** 2))
