"""Cut out what lies in boxes."""

from __future__ import annotations

import numpy as np

from nodes._support.vision.seeing import check_boxes
from nodes.api import Boxes, Image, Number, Port, ResourceType, tool


@tool(
    id="crop_to_boxes",
    title="Cut out boxes",
    domain="image",
    description="Cuts each found thing out of a picture as a picture of its own.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("boxes", ResourceType.BOXES, "what to cut out"),
        Port(
            "margin",
            ResourceType.NUMBER,
            "how much to keep around each, as a part of its size",
            default=0.1,
            minimum=0,
            maximum=2,
            question="How much room should be left around, as a part of its size?",
        ),
    ),
    outputs=(Port("images", ResourceType.IMAGE, "one picture per box", many=True),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Crop out every face", "Cut the found objects out as separate pictures", "Give me each face alone"),
    words=("crop each", "cut out the faces", "separate pictures", "crop to the box", "thumbnails of each"),
    icon="scissors",
)
def crop_to_boxes(image: Image, boxes: Boxes, margin: Number = 0.1) -> tuple[Image, ...]:
    """Pictures in the order of the boxes, `margin` of the longer side wider on each side, alpha kept.

    Raises NodeError naming `boxes` when there is none in the picture.
    """
    wider = tuple(
        box._replace(x0=box.x0 - m, y0=box.y0 - m, x1=box.x1 + m, y1=box.y1 + m)
        for box in boxes
        for m in (margin * max(box.x1 - box.x0, box.y1 - box.y0),)
    )
    return tuple(np.ascontiguousarray(image[y0:y1, x0:x1]) for x0, y0, x1, y1 in check_boxes(wider, image))
