"""Bring out detail in flat, dull or dark pictures."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered
from nodes.api import Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="auto_contrast",
    title="Enhance contrast",
    domain="image",
    description="Enhances a dull, flat or foggy picture automatically: spreads its tones and lifts local contrast.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is enhanced", default=None),
        Port(
            "strength",
            ResourceType.NUMBER,
            "0 changes nothing, 1 strongly",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the enhanced picture"),),
    backend="opencv",
    backend_title="OpenCV CLAHE",
    quality=0.7,
    examples=(
        "Enhance this photo automatically",
        "Improve the contrast of this foggy picture",
        "Auto-enhance photo.jpg",
    ),
    words=("enhance", "auto contrast", "improve the photo", "dull", "foggy", "hazy", "washed out", "levels"),
    icon="wand-sparkles",
)
def auto_contrast(image: Image, mask: Mask | None = None, strength: Number = 0.5) -> Image:
    """Spreads the lightness of CIE Lab to its full range (0.5 % clipped at each end), then CLAHE on 8 x 8 tiles.

    Colours keep their hue. A picture of one single colour stays as it is. Alpha is kept. Raises NodeError naming
    `mask`.
    """
    return filtered(image, mask, lambda rgb: _enhanced(rgb, strength) if strength else rgb.copy())


def _enhanced(rgb: np.ndarray, strength: float) -> np.ndarray:
    import cv2

    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)
    light = np.ascontiguousarray(lab[:, :, 0])
    low, high = np.percentile(light, (0.5, 99.5))
    if high - low < 1:
        return rgb.copy()
    scale = np.clip((np.arange(256) - low) * 255 / (high - low), 0, 255)
    table = np.rint(np.arange(256) + strength * (scale - np.arange(256))).astype(np.uint8)
    local = cv2.createCLAHE(clipLimit=1 + 3 * strength, tileGridSize=(8, 8)).apply(table[light])
    lab[:, :, 0] = cv2.addWeighted(local, strength, table[light], 1 - strength, 0)
    return cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)
