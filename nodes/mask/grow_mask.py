"""Make a mask larger, smaller or softer."""

from __future__ import annotations

from nodes._support.imaging.mask_edge import edged
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
            question="How far should it grow, in pixels? A number below 0 shrinks it.",
        ),
        Port(
            "feather",
            ResourceType.NUMBER,
            "softness of the edge",
            default=0.0,
            minimum=0,
            maximum=200,
            unit="px",
            question="How soft should the edge be, in pixels?",
        ),
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
    return edged(mask.copy(), pixels, feather)
