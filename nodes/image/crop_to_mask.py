"""Cut a picture to the part under a mask."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected
from nodes.api import Image, Mask, Number, Port, ResourceType, tool


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
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the part of the picture"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Crop the picture to the selected object", "Zoom in on the selection"),
    words=("crop to the object", "crop to selection", "zoom in on it", "tight crop"),
    icon="crop",
)
def crop_to_mask(image: Image, mask: Mask, margin: Number = 0.05) -> Image:
    """The smallest rectangle that holds the mask, `margin` of its longer side wider, cut to the picture; alpha kept.

    Raises NodeError naming `mask` when it is empty or of another size.
    """
    check_selected(mask, image)
    strong = mask > 127 if (mask > 127).any() else mask > 0
    y, x = np.flatnonzero(strong.any(axis=1)), np.flatnonzero(strong.any(axis=0))
    more = round(margin * max(y[-1] - y[0] + 1, x[-1] - x[0] + 1))
    top, left = max(0, int(y[0]) - more), max(0, int(x[0]) - more)
    return np.ascontiguousarray(image[top : int(y[-1]) + 1 + more, left : int(x[-1]) + 1 + more])
