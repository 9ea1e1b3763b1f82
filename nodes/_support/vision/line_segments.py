"""Straight lines in pictures. Must not know tools."""

from __future__ import annotations

import numpy as np


def found(plain: np.ndarray) -> np.ndarray:
    """Line segments (von Gioi et al. 2010) of a grey picture, uint8 (height, width): float64 (n, 4), x0, y0, x1, y1."""
    import cv2

    segments = None
    if min(plain.shape) > 8:
        segments = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(np.ascontiguousarray(plain))[0]
    return np.zeros((0, 4)) if segments is None else segments.reshape(-1, 4).astype(np.float64)
