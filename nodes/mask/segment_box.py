"""Select the thing inside a box."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import sam
from nodes._support.vision import cutout, people
from nodes._support.vision.foreground import follow_edges
from nodes._support.vision.seeing import check_boxes, check_side, opaque
from nodes.api import Boxes, Family, Image, Mask, Phrase, Port, ResourceType, RunContext, tool


@tool(
    id="segment_box",
    title="Select in box",
    domain="mask",
    description="Selects the object that fills each box, along its outline. Good where object and ground differ.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("boxes", ResourceType.BOXES, "boxes drawn closely around the objects"),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the objects"),),
    backend="grabcut",
    backend_title="OpenCV GrabCut",
    quality=0.45,
    families=(Family("transformers sam", "segment by box"),),
    examples=(
        "Select the object in the box",
        "Select the outline of the detected dog",
        "Segment what was found",
    ),
    words=("segment the box", "object in the box", "outline of the object", "exact shape", "precise mask"),
    icon="box-select",
    result="mask",
)
def segment_box(image: Image, boxes: Boxes, context: RunContext) -> Mask:
    """uint8 (height, width), 255 on the objects, never outside the boxes; a box with no clear object is filled whole.
    By SAM a mask may reach a little out of its box.

    Raises NodeError naming `boxes` when there is none in the picture, naming `image` when it is below 8 pixels.
    """
    check_side(image, Phrase("select something in"))
    corners = check_boxes(boxes, image)
    rgb = opaque(image)
    if context.model is not None:
        return sam.mask_from_boxes(rgb, corners, context)
    mask = np.zeros(image.shape[:2], np.uint8)
    for done, box in enumerate(corners):
        context.progress(done / len(corners))
        np.maximum(mask, _in_box(rgb, box), out=mask)
    return mask


def _in_box(rgb: np.ndarray, corners: tuple[int, int, int, int]) -> np.ndarray:
    """The person whose face lies in the box, or what else fills it; uint8 (height, width)."""
    x0, y0, x1, y1 = corners
    part = np.ascontiguousarray(rgb[y0:y1, x0:x1])
    seen = people.faces(part)
    if not seen:
        return cutout.from_box(rgb, corners)
    mask = np.zeros(rgb.shape[:2], np.uint8)
    mask[y0:y1, x0:x1] = follow_edges(people.person_mask(part, seen[:1]), part)
    return mask
