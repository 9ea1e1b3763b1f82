"""Draw the straight lines of a picture."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import unit
from nodes._support.vision import line_segments
from nodes._support.vision.seeing import grey, shrunk
from nodes.api import Image, Line, Number, Port, ResourceType, tool


@tool(
    id="line_map",
    title="Line map",
    domain="image",
    description="Draws the straight lines of a picture, such as walls, roads and furniture, as white on black.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "shortest",
            ResourceType.NUMBER,
            "shorter lines are left out, as a part of the picture's size",
            default=0.04,
            minimum=0,
            maximum=1,
            question="How short may lines be, from 0 to 1 of the picture?",
        ),
    ),
    outputs=(Port("line", ResourceType.LINE, "white on the lines"),),
    backend="lsd",
    backend_title="OpenCV line segments",
    quality=0.7,
    examples=("Find the straight lines in this room", "Make a line map of house.jpg"),
    words=("straight lines", "line segments", "mlsd", "lsd", "line detection", "wireframe"),
    icon="ruler",
)
def line_map(image: Image, shortest: Number = 0.04) -> Line:
    """Line segment detector (von Gioi et al. 2010), at 1500 pixels at most. uint8 (height, width), 255 on lines."""
    import cv2

    small, scale = shrunk(grey(image), 1500)
    lines = np.zeros(image.shape[:2], np.uint8)
    thick = max(1, round(unit(image, 0.0015)))
    for x0, y0, x1, y1 in line_segments.found(small) / scale:
        if math.hypot(x1 - x0, y1 - y0) >= unit(image, shortest):
            cv2.line(lines, (round(x0), round(y0)), (round(x1), round(y1)), 255, thick, cv2.LINE_AA)
    return lines
