"""Make a picture larger or smaller."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_pixels, cover, fit_inside, resized
from nodes.api import Image, Integer, Number, Port, ResourceType, Text, tool


@tool(
    id="resize",
    title="Resize",
    domain="image",
    description="Changes the size of a picture in pixels or per cent; keeps its proportions unless told to stretch.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "width",
            ResourceType.NUMBER,
            "new width",
            default=None,
            minimum=1,
            integer=True,
            unit="px",
            offered=(640, 1280, 1920),
            question="How wide should it be, in pixels?",
        ),
        Port(
            "height",
            ResourceType.NUMBER,
            "new height",
            default=None,
            minimum=1,
            integer=True,
            unit="px",
            question="How high should it be, in pixels?",
        ),
        Port(
            "percent",
            ResourceType.NUMBER,
            "new size against the old one, when neither width nor height is given",
            default=50.0,
            minimum=0.1,
            maximum=2000,
            unit="%",
            question="What percent of its size should it have?",
        ),
        Port(
            "fit",
            ResourceType.TEXT,
            "when width and height are given: whole picture inside them, stretched, or cut to fill them",
            default="inside",
            choices=("inside", "stretch", "fill"),
            question="What should happen where its shape is another?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture in its new size"),),
    backend="opencv",
    backend_title="OpenCV area mean, Lanczos",
    quality=1.0,
    examples=(
        "Resize this picture to 800 pixels wide",
        "Make photo.png half the size",
        "Scale the image to 1920x1080",
        "Shrink the picture to 25%",
        "Make a thumbnail of the picture 128 pixels high",
    ),
    words=("resize", "scale down", "shrink", "smaller", "change the size", "half the size", "pixels wide"),
    icon="scaling",
)
def resize(
    image: Image,
    width: Integer | None = None,
    height: Integer | None = None,
    percent: Number = 50.0,
    fit: Text = "inside",
) -> Image:
    """The picture at a new size: from one side the other follows, from none `percent` counts.

    With both, "inside" gives the largest size that fits into them, "stretch" and "fill" give exactly them. Smaller by
    area mean, larger by Lanczos; transparent colours do not bleed. Raises NodeError naming `width` or `percent`.
    """
    old_height, old_width = image.shape[:2]
    if width is None and height is None:
        return _sized(image, old_width * percent / 100, old_height * percent / 100, "percent")
    if width is None or height is None:
        scale = width / old_width if width is not None else (height or 1) / old_height
        return _sized(image, width or old_width * scale, height or old_height * scale, "width" if width else "height")
    check_pixels(width, height, "width")
    if fit == "inside":
        return fit_inside(image, width, height)
    return cover(image, width, height) if fit == "fill" else resized(image, width, height)


def _sized(image: np.ndarray, width: float, height: float, port: str) -> np.ndarray:
    size = max(1, round(width)), max(1, round(height))
    check_pixels(*size, port)
    return resized(image, *size)
