"""The edge of a mask moved outward or inward, and softened. Must not know tools."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import smooth


def edged(mask: np.ndarray, grow: float, feather: float) -> np.ndarray:
    """The mask (uint8, height x width) with its edge moved and softened; the mask itself where both are 0.

    Every place within `grow` pixels of the mask (above 127) is added, or when negative of its outside taken away; round
    corners. `feather` is the standard deviation of the blur afterwards, in pixels. Beyond the picture's border counts
    as it does inside.
    """
    if grow > 0:
        mask = _within(mask > 127, grow)
    elif grow < 0:
        mask = 255 - _within(mask <= 127, -grow)
    return smooth(mask, feather) if feather > 0 else mask


def _within(selected: np.ndarray, distance: float) -> np.ndarray:
    """255 where a selected place is at most `distance` pixels away."""
    import cv2

    if not selected.any():
        return np.zeros(selected.shape, np.uint8)
    away = cv2.distanceTransform((~selected).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.where(away <= distance + 1e-3, 255, 0).astype(np.uint8)
