"""Press a picture into a surface, as a relief."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, luminance, smooth, to_bytes, unit
from nodes.api import Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="emboss",
    title="Emboss",
    domain="image",
    description="Turns a picture into a gray relief, as if pressed into metal and lit from the top left.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is embossed", default=None),
        Port(
            "depth",
            ResourceType.NUMBER,
            "of the relief",
            default=1.0,
            minimum=0.1,
            maximum=5,
            question="How strong should it be? 1 is usual.",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the relief"),),
    backend="opencv",
    backend_title="Directional slope",
    quality=0.9,
    examples=("Emboss this picture", "Make the logo look embossed", "Turn the photo into a relief"),
    words=("emboss", "embossed", "relief", "engraved"),
    icon="stamp",
)
def emboss(image: Image, mask: Mask | None = None, depth: Number = 1.0) -> Image:
    """Middle gray plus the slope of the lightness from the top left to the bottom right; edges become ridges.

    The width of the ridges follows the picture's size. Alpha is kept. Raises NodeError naming `mask`.
    """
    return filtered(image, mask, lambda rgb: _relief(rgb, depth))


def _relief(rgb: np.ndarray, depth: float) -> np.ndarray:
    import cv2

    width = unit(rgb, 0.0015, least=0.5)
    light = smooth(luminance(rgb), width)
    slope = cv2.Sobel(light, cv2.CV_32F, 1, 0) + cv2.Sobel(light, cv2.CV_32F, 0, 1)
    return cv2.cvtColor(to_bytes(128 - 0.9 * depth * width * slope), cv2.COLOR_GRAY2RGB)
