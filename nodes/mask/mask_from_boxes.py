"""Make a mask that covers boxes."""

from __future__ import annotations

import numpy as np

from nodes._support.vision.seeing import check_boxes
from nodes.api import Box, Boxes, Image, Mask, Number, Port, ResourceType, Text, tool


@tool(
    id="mask_from_boxes",
    title="Mask from boxes",
    domain="mask",
    description="Makes a mask that covers the boxes, so that another tool works only on what was found.",
    inputs=(
        Port("boxes", ResourceType.BOXES, "what to cover"),
        Port("image", ResourceType.IMAGE, "the picture they belong to; it gives the size"),
        Port(
            "shape",
            ResourceType.TEXT,
            "form of each part",
            default="rectangle",
            choices=("rectangle", "ellipse"),
            question="Which shape should it have?",
        ),
        Port(
            "grow",
            ResourceType.NUMBER,
            "how much larger than the box, as a part of its size; negative is smaller",
            default=0.1,
            minimum=-0.45,
            maximum=2,
            question="How much room should be left around, as a part of its size?",
        ),
    ),
    outputs=(Port("mask", ResourceType.MASK, "white on the boxes"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=("Select the boxes", "Make a mask of the detected faces", "Cover the found objects with ellipses"),
    words=("mask from boxes", "boxes to mask", "select the boxes"),
    icon="square-dashed",
    result="mask",
)
def mask_from_boxes(boxes: Boxes, image: Image, shape: Text = "rectangle", grow: Number = 0.1) -> Mask:
    """uint8 (height, width) as large as `image`: 255 on every box, `grow` of its sides wider at each edge's half.

    No boxes give an empty mask: nothing found means nothing selected. Raises NodeError naming `boxes` when there are
    boxes and all lie outside the picture.
    """
    import cv2

    mask = np.zeros(image.shape[:2], np.uint8)
    if not boxes:
        return mask
    grown = tuple(_grown(box, grow) for box in boxes)
    for x0, y0, x1, y1 in check_boxes(grown, image):
        if shape == "rectangle":
            mask[y0:y1, x0:x1] = 255
    if shape == "ellipse":
        for box in grown:
            centre = (box.x0 + box.x1 - 1) / 2, (box.y0 + box.y1 - 1) / 2
            cv2.ellipse(mask, (centre, (box.x1 - box.x0, box.y1 - box.y0), 0), 255, cv2.FILLED)
    return mask


def _grown(box: Box, grow: float) -> Box:
    wide, high = (box.x1 - box.x0) * grow / 2, (box.y1 - box.y0) * grow / 2
    return box._replace(x0=box.x0 - wide, y0=box.y0 - high, x1=box.x1 + wide, y1=box.y1 + high)
