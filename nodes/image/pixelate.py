"""Pixelate a picture, or the part of it under a mask."""

from __future__ import annotations

import numpy as np

from nodes._support.pixels import filtered, unit
from nodes.api import Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="pixelate",
    title="Pixelate",
    domain="image",
    description="Turns a picture, or only the part of it under a mask, into large square blocks, to hide it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is pixelated", default=None),
        Port(
            "block",
            ResourceType.NUMBER,
            "side of a block; follows the picture's size when left empty",
            default=None,
            minimum=2,
            maximum=1000,
            unit="px",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the pixelated picture"),),
    backend="opencv",
    backend_title="OpenCV block means",
    quality=1.0,
    examples=("Pixelate the faces in this photo", "Pixelate the license plate", "Make it look like a mosaic of blocks"),
    words=("pixelated", "mosaic", "censor", "anonymise", "blocky", "pixel art"),
    icon="grid-3x3",
)
def pixelate(image: Image, mask: Mask | None = None, block: Number | None = None) -> Image:
    """Each block of `block` x `block` pixels becomes its mean colour; blocks at the borders may be cut.

    Under a mask the blocks are the same as without. Alpha is kept. Raises NodeError naming `mask`.
    """
    side = max(2, round(unit(image, 0.02) if block is None else block))
    return filtered(image, mask, lambda rgb: _blocks(rgb, side))


def _blocks(rgb: np.ndarray, side: int) -> np.ndarray:
    import cv2

    height, width = rgb.shape[:2]
    down, across = -(-height // side), -(-width // side)
    whole = cv2.copyMakeBorder(rgb, 0, down * side - height, 0, across * side - width, cv2.BORDER_REPLICATE)
    small = cv2.resize(whole, (across, down), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (across * side, down * side), interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(large[:height, :width])
