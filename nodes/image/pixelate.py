"""Pixelate a picture, or the part of it under a mask."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_mask, filtered, unit
from nodes._support.vision import people
from nodes.api import Image, Mask, Number, Port, ResourceType, tool

_BLOCK = 0.02


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
            "side of a block; follows the size of what is hidden when left empty",
            default=None,
            minimum=2,
            maximum=1000,
            unit="px",
            usual_share=_BLOCK,
            question="How large should the blocks be, in pixels?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the pixelated picture"),),
    backend="opencv",
    backend_title="OpenCV block means",
    quality=1.0,
    examples=("Pixelate the faces in this photo", "Pixelate the license plate", "Make it look like a mosaic of blocks"),
    words=("pixelated", "mosaic", "censor", "anonymise", "blocky", "pixel art"),
    icon="grid-3x3",
    does="hides",
)
def pixelate(image: Image, mask: Mask | None = None, block: Number | None = None) -> Image:
    """Each block of `block` x `block` pixels becomes its mean colour; blocks at the borders may be cut.

    Left empty, a block is a fiftieth of the picture, a sixth of each separate part of the mask or more, and so large
    that no face is found there any more. Alpha is kept. Raises NodeError naming `mask`.
    """
    if block is not None or mask is None or mask.min() == 255:
        side = max(2, round(unit(image, _BLOCK) if block is None else block))
        return filtered(image, mask, lambda rgb: _blocks(rgb, side))
    check_mask(mask, image)
    share = 1 / 6
    result = _hidden(image, mask, share)
    while share < 1 and people.seen_under(result, mask):
        share *= 1.4
        result = _hidden(image, mask, share)
    return result


def _hidden(image: np.ndarray, mask: np.ndarray, share: float) -> np.ndarray:
    return filtered(image, mask, lambda rgb: _part_by_part(rgb, mask, share))


def _part_by_part(rgb: np.ndarray, mask: np.ndarray, share: float) -> np.ndarray:
    """Blocks over each part of the mask, whose side is `share` of the part's longer one or 2 % of the picture."""
    result = rgb.copy()
    for x, y, wide, high in people.parts(mask):
        side = max(2, round(unit(rgb, 0.02)), round(share * max(wide, high)))
        inner = np.s_[y : y + high, x : x + wide]
        result[inner] = _blocks(rgb[inner], side)
    return result


def _blocks(rgb: np.ndarray, side: int) -> np.ndarray:
    import cv2

    height, width = rgb.shape[:2]
    down, across = -(-height // side), -(-width // side)
    whole = cv2.copyMakeBorder(rgb, 0, down * side - height, 0, across * side - width, cv2.BORDER_REPLICATE)
    small = cv2.resize(whole, (across, down), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (across * side, down * side), interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(large[:height, :width])
