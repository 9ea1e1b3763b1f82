"""Take the colours out of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered
from nodes.api import Image, Mask, Port, ResourceType, tool


@tool(
    id="black_and_white",
    title="Black and white",
    domain="image",
    description="Turns a picture, or only the part of it under a mask, into shades of gray.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part becomes gray", default=None),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the gray picture"),),
    backend="opencv",
    backend_title="OpenCV luminance",
    quality=1.0,
    examples=(
        "Make this picture black and white",
        "Convert photo.jpg to grayscale",
        "Make everything but the cup gray",
        "Remove the color from the image",
    ),
    words=("black and white", "grayscale", "greyscale", "gray", "grey", "monochrome", "desaturate", "without color"),
    icon="contrast",
)
def black_and_white(image: Image, mask: Mask | None = None) -> Image:
    """Each pixel by its luminance (Rec. 601), still as RGB. Alpha is kept. Raises NodeError naming `mask`."""
    return filtered(image, mask, _gray)


def _gray(rgb: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
