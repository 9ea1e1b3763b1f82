"""Select what is not selected."""

from __future__ import annotations

import numpy as np

from nodes.api import Mask, Port, ResourceType, tool


@tool(
    id="invert_mask",
    title="Invert mask",
    domain="mask",
    description="Turns a mask around: the background is selected instead of the object.",
    inputs=(Port("mask", ResourceType.MASK, "the mask"),),
    outputs=(Port("mask", ResourceType.MASK, "everything else"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Invert the mask", "Select the background instead of the object", "Everything except the selection"),
    words=("inverse", "everything but", "everything except", "all but", "the rest", "the background of the object"),
    does="inverts",
    icon="contrast",
)
def invert_mask(mask: Mask) -> Mask:
    """255 minus each value, so that soft edges stay soft. uint8 (height, width)."""
    return np.subtract(255, mask, dtype=np.uint8)
