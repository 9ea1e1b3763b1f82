"""Put a box around each separate part of a mask."""

from __future__ import annotations

import numpy as np

from nodes.api import Box, Boxes, Integer, Mask, Port, ResourceType, tool


@tool(
    id="boxes_from_mask",
    title="Boxes from mask",
    domain="mask",
    description="Puts a box around each separate part of a mask.",
    inputs=(
        Port("mask", ResourceType.MASK, "the mask"),
        Port(
            "smallest",
            ResourceType.NUMBER,
            "parts with fewer pixels are left out",
            default=16,
            minimum=1,
            integer=True,
            unit="px",
            question="How small may a part be, in pixels?",
        ),
    ),
    outputs=(Port("boxes", ResourceType.BOXES, "the boxes, largest part first; none for an empty mask"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=("Put boxes around the selected parts", "Get the bounding boxes of the mask"),
    words=("bounding box", "mask to boxes", "boxes around the selection"),
    icon="vector-square",
    result="boxes",
)
def boxes_from_mask(mask: Mask, smallest: Integer = 16) -> Boxes:
    """Boxes of the 8-connected parts where the mask is above 127, scored by their share of the largest part."""
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats((mask > 127).astype(np.uint8))
    parts = sorted((part for part in stats[1:count].tolist() if part[4] >= smallest), key=lambda part: -part[4])
    return tuple(_box(x, y, w, h, pixels, parts[0][4]) for x, y, w, h, pixels in parts)


def _box(x: int, y: int, width: int, height: int, pixels: int, most: int) -> Box:
    return Box(float(x), float(y), float(x + width), float(y + height), "part", pixels / most)
