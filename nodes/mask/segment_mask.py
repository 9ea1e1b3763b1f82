"""Select the thing that a rough mask covers."""

from __future__ import annotations

from nodes._support.imaging.pixels import check_selected
from nodes._support.inference import sam
from nodes._support.vision import cutout
from nodes._support.vision.seeing import check_side, opaque
from nodes.api import Family, Image, Mask, Phrase, Port, ResourceType, RunContext, tool


@tool(
    id="segment_mask",
    title="Select by mask",
    domain="mask",
    description="Selects the object that a rough mask covers, along its outline.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "roughly where the object is"),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the object"),),
    backend="grabcut",
    backend_title="OpenCV GrabCut",
    quality=0.4,
    families=(Family("transformers sam", "segment by mask"),),
    examples=("Segment the object that the rough mask covers", "Refine the mask to the outline of the object"),
    words=("segment by mask", "segmentation by mask", "refine the mask", "mask prompt"),
    icon="box-select",
    result="mask",
)
def segment_mask(image: Image, mask: Mask, context: RunContext) -> Mask:
    """uint8 (height, width), 255 on the object. Without a model the edge moves by a few hundredths of the longer side
    at most; SAM is shown the mask and its box, and its surest guess counts.

    Raises NodeError naming `mask` when it is empty or of another size, `image` when it is below 8 pixels.
    """
    check_side(image, Phrase("select something in"))
    check_selected(mask, image)
    if context.model is not None:
        return sam.mask_from_mask(opaque(image), mask, context)
    return cutout.from_mask(opaque(image), mask)
