"""Make a mask larger, smaller or softer."""

from __future__ import annotations

import numpy as np

from nodes._support.pixels import smooth
from nodes.api import Mask, Number, Port, ResourceType, tool


@tool(
    id="grow_mask",
    title="Grow mask",
    domain="mask",
    description="Makes a mask larger or smaller by some pixels, and feathers its edge.",
    inputs=(
        Port("mask", ResourceType.MASK, "the mask"),
        Port(
            "pixels",
            ResourceType.NUMBER,
            "how far to grow; negative shrinks",
            default=8.0,
            minimum=-500,
            maximum=500,
            unit="px",
        ),
        Port("feather", ResourceType.NUMBER, "softness of the edge", default=0.0, minimum=0, maximum=200, unit="px"),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the changed mask"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=("Grow the mask by 10 pixels", "Shrink the selection a little", "Feather the edge of the mask"),
    words=("expand the selection", "dilate", "erode", "shrink", "soft edge of the mask", "feather", "wider mask"),
    icon="expand",
)
def grow_mask(mask: Mask, pixels: Number = 8.0, feather: Number = 0.0) -> Mask:
    """Every place within `pixels` of the mask (above 127) is added, or of its outside taken away; round corners.

    `feather` is the standard deviation of the blur afterwards. Beyond the picture's border counts as it does inside.
    """
    grown = mask
    if pixels > 0:
        grown = _within(mask > 127, pixels)
    elif pixels < 0:
        grown = 255 - _within(mask <= 127, -pixels)
    return smooth(grown, feather) if feather > 0 else grown.copy()


def _within(selected: np.ndarray, distance: float) -> np.ndarray:
    """255 where a selected place is at most `distance` pixels away."""
    import cv2

    if not selected.any():
        return np.zeros(selected.shape, np.uint8)
    away = cv2.distanceTransform((~selected).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.where(away <= distance + 1e-3, 255, 0).astype(np.uint8)
