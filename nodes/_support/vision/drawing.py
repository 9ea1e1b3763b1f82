"""Soft outlines of a picture, which several maps are drawn from. Must not know tools."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import smooth
from nodes._support.vision.seeing import lab, opaque, shrunk

_LONGEST = 1024


def soft_edges(image: np.ndarray, detail: float) -> np.ndarray:
    """Edges by their strength, uint8 (height, width): 255 on the strongest. `detail` 0..1: 0 leaves texture out."""
    import cv2

    small, _ = shrunk(opaque(image), _LONGEST)
    values = lab(small)
    size = float(np.sqrt(small.shape[0] * small.shape[1]))
    strength = np.zeros(small.shape[:2], np.float32)
    for share, weight in ((0.002, detail), (0.005, 1.0), (0.011, 1.5 - detail)):
        sigma = max(0.7, share * size)
        strength += weight * sigma * _gradient(cv2.GaussianBlur(values, (0, 0), sigma))
    ridge = strength * _is_ridge(strength)
    ridge = cv2.GaussianBlur(ridge, (0, 0), max(0.8, 0.0015 * size)) * 2
    # A plain picture has no edges: its noise must not be stretched to full brightness.
    top = max(float(np.quantile(ridge, 0.995)), 12.0)
    drawn = (np.clip(ridge / top, 0, 1) * 255).astype(np.uint8)
    if drawn.shape == image.shape[:2]:
        return drawn
    large = cv2.resize(drawn, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC)
    return smooth(large, 1.0)


def _gradient(values: np.ndarray) -> np.ndarray:
    """Length of the colour gradient per pixel (Di Zenzo's is close to this sum over channels)."""
    import cv2

    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=0.125)
    return np.sqrt((across**2 + down**2).sum(axis=2))


def _is_ridge(strength: np.ndarray) -> np.ndarray:
    """Near 1 on the crest of an edge, 0 on its slopes: how far it stands out from its surroundings."""
    import cv2

    around = cv2.GaussianBlur(strength, (0, 0), 3)
    return np.clip((strength - 0.8 * around) / (0.4 * around + 1e-3), 0, 1)
