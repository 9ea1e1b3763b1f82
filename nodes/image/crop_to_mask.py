"""Cut a picture to the part under a mask."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.cropping import SHAPES
from nodes._support.imaging.pixels import check_selected
from nodes.api import Image, Mask, Number, Port, ResourceType, Text, tool


@tool(
    id="crop_to_mask",
    title="Crop to mask",
    domain="image",
    description="Crops a picture to the rectangle around the part under a mask.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "what to keep"),
        Port(
            "margin",
            ResourceType.NUMBER,
            "how much to keep around it, as a part of its size",
            default=0.05,
            minimum=0,
            maximum=2,
            question="How much room should be left around, as a part of its size?",
        ),
        Port(
            "shape",
            ResourceType.TEXT,
            "width:height of the rectangle, which grows to it",
            default="free",
            choices=("free", *SHAPES),
            question="Which shape should the picture get?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the part of the picture"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Crop the picture to the selected object", "Zoom in on the selection"),
    words=("crop to the object", "crop to selection", "zoom in on it", "tight crop"),
    icon="crop",
)
def crop_to_mask(image: Image, mask: Mask, margin: Number = 0.05, shape: Text = "free") -> Image:
    """The smallest rectangle that holds the mask, `margin` of its longer side wider, cut to the picture; alpha kept.

    One of a shape has the part in its middle, or as near to it as the picture allows; of a part that is larger than any
    such rectangle in the picture the middle is kept.
    Raises NodeError naming `mask` when it is empty or of another size.
    """
    check_selected(mask, image)
    strong = mask > 127 if (mask > 127).any() else mask > 0
    y, x = np.flatnonzero(strong.any(axis=1)), np.flatnonzero(strong.any(axis=0))
    more = round(margin * max(y[-1] - y[0] + 1, x[-1] - x[0] + 1))
    top, left = max(0, int(y[0]) - more), max(0, int(x[0]) - more)
    bottom, right = min(int(y[-1]) + 1 + more, image.shape[0]), min(int(x[-1]) + 1 + more, image.shape[1])
    if shape != "free":
        across, up = SHAPES[shape]
        width = max(right - left, round((bottom - top) * across / up))
        width = max(1, min(width, image.shape[1], int(image.shape[0] * across / up)))
        height = max(1, min(round(width * up / across), image.shape[0]))
        left, right = _placed(left, right, width, image.shape[1])
        top, bottom = _placed(top, bottom, height, image.shape[0])
    return np.ascontiguousarray(image[top:bottom, left:right])


def _placed(first: int, last: int, length: int, whole: int) -> tuple[int, int]:
    """Where a stretch of that length begins and ends, around the middle of another, inside of the whole."""
    start = min(max((first + last - length) // 2, 0), whole - length)
    return start, start + length
