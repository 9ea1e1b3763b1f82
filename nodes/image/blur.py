"""Blur a picture, or the part of it under a mask."""

from __future__ import annotations

import numpy as np

from nodes.api import Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="blur",
    title="Blur",
    domain="image",
    description="Blurs a whole picture softly, or only the part of it under a mask.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is blurred", default=None),
        Port("radius", ResourceType.NUMBER, "strength", default=8.0, minimum=0.1, maximum=200, unit="px"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the blurred picture"),),
    backend="opencv",
    backend_title="OpenCV Gaussian",
    examples=("Blur this picture", "Make the background of photo.jpg blurry"),
    words=("blurry", "soften", "out of focus"),
    icon="droplet",
)
def blur(image: Image, mask: Mask | None = None, radius: Number = 8.0) -> Image:
    """Gaussian blur with a standard deviation of `radius` pixels. Alpha is kept as it was.

    Returns uint8 of the same shape. Soft edges of the mask blend.
    """
    import cv2

    blurred = image.copy()
    blurred[:, :, :3] = cv2.GaussianBlur(image[:, :, :3], (0, 0), radius, borderType=cv2.BORDER_REFLECT_101)
    if mask is None:
        return blurred
    weight = (mask.astype(np.float32) / 255)[:, :, None]
    return np.round(blurred * weight + image * (1 - weight)).astype(np.uint8)
