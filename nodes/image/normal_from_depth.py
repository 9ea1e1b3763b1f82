"""Turn a depth map into a map of surface directions."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import to_bytes
from nodes.api import Depth, Normal, Number, Port, ResourceType, tool


@tool(
    id="normal_from_depth",
    title="Normals from depth",
    domain="image",
    description="Computes a normal map, the direction each surface faces, from a depth map.",
    inputs=(
        Port("depth", ResourceType.DEPTH, "the depth map, near is bright"),
        Port(
            "strength",
            ResourceType.NUMBER,
            "how steep slopes look",
            default=1.0,
            minimum=0.05,
            maximum=20,
            question="How strong should it be? 1 is usual.",
        ),
    ),
    outputs=(Port("normal", ResourceType.NORMAL, "directions as colours"),),
    backend="sobel",
    backend_title="Gradient of the depth",
    quality=0.6,
    examples=("Make a normal map from this depth map", "Compute the surface normals of depth.png"),
    words=("normal map", "surface normals", "bump map"),
    icon="mountain",
    result="normals",
)
def normal_from_depth(depth: Depth, strength: Number = 1.0) -> Normal:
    """uint8 (height, width, 3): x to the right, y up, z to the viewer, -1..1 as 0..255 each.

    What is flat is (128, 128, 255). A slope over the whole range across the picture's size counts as 45 degrees
    at `strength` 1.
    """
    import cv2

    size = float(np.sqrt(depth.shape[0] * depth.shape[1]))
    near = cv2.GaussianBlur(depth.astype(np.float32) / 255, (0, 0), max(0.8, 0.002 * size))
    slope = strength * size / 8
    across = cv2.Sobel(near, cv2.CV_32F, 1, 0) * slope
    down = cv2.Sobel(near, cv2.CV_32F, 0, 1) * slope
    # Nearer to the right means that the surface faces left; y of the picture runs down, that of the map up.
    direction = np.dstack((-across, down, np.ones_like(near)))
    direction /= np.linalg.norm(direction, axis=2, keepdims=True)
    return to_bytes((direction + 1) * 127.5)
