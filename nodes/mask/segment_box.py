"""Select the thing inside a box."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import sam
from nodes._support.vision import cutout, people
from nodes._support.vision.foreground import UNSURE, follow_edges
from nodes._support.vision.seeing import check_boxes, check_side, opaque
from nodes.api import Boxes, Family, Image, Mask, Phrase, Port, ResourceType, RunContext, tool

_LEAST_REACH, _MOST_FILLED = 0.82, 0.9
"""What is boxed closely reaches to its sides, and is no rectangle: else something else was selected. Of 68 pictures
made for it, with objects and grounds of both halves, this tells of 10 of the 14 wrong ones and of no right one."""


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
    Where it is doubtful whether the object was found it is told. By SAM a mask may reach a little out of its box.

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
        found, is_sure = _in_box(rgb, box)
        if not is_sure and UNSURE not in context.told:
            context.tell(UNSURE)
        np.maximum(mask, found, out=mask)
    return mask


def _is_sure(found: np.ndarray, corners: tuple[int, int, int, int]) -> bool:
    x0, y0, x1, y1 = corners
    inside = found[y0:y1, x0:x1] > 127
    if not inside.any():
        return False
    high, wide = (int(np.ptp(np.flatnonzero(inside.any(axis=axis)))) + 1 for axis in (1, 0))
    return high * wide >= _LEAST_REACH * inside.size and inside.mean() <= _MOST_FILLED


def _in_box(rgb: np.ndarray, corners: tuple[int, int, int, int]) -> tuple[np.ndarray, bool]:
    """The person whose face lies in the box, or what else fills it, uint8 (height, width); and whether that is sure."""
    x0, y0, x1, y1 = corners
    part = np.ascontiguousarray(rgb[y0:y1, x0:x1])
    seen = people.faces(part)
    if not seen:
        found = cutout.from_box(rgb, corners)
        return found, _is_sure(found, corners)
    mask = np.zeros(rgb.shape[:2], np.uint8)
    mask[y0:y1, x0:x1] = follow_edges(people.person_mask(part, seen[:1]), part)
    return mask, True
