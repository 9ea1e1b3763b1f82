"""Cut a rectangle out of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.cropping import SHAPES, kept
from nodes.api import Image, Integer, Port, ResourceType, Text, tool


@tool(
    id="crop",
    title="Crop",
    domain="image",
    description="Crops a picture to a rectangle in pixels, or from its middle to a square or another shape.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("x", ResourceType.NUMBER, "left edge", default=None, minimum=0, integer=True, unit="px"),
        Port("y", ResourceType.NUMBER, "top edge", default=None, minimum=0, integer=True, unit="px"),
        Port("width", ResourceType.NUMBER, "width of the rectangle", default=None, minimum=1, integer=True, unit="px"),
        Port(
            "height", ResourceType.NUMBER, "height of the rectangle", default=None, minimum=1, integer=True, unit="px"
        ),
        Port(
            "shape",
            ResourceType.TEXT,
            "cut the largest middle part of this shape (width:height), when no rectangle is given",
            default="free",
            choices=("free", *SHAPES),
            question="Which shape should the picture get?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the part"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=(
        "Crop this picture to a square",
        "Crop photo.jpg to 400 by 300 pixels",
        "Cut the image to 16:9",
        "Trim the picture to its top left corner, 200 x 200",
    ),
    words=("crop", "cut to size", "trim the edges", "cut off", "square format", "aspect ratio"),
    version=2,
    icon="crop",
    any_of=("shape", "width", "height", "x", "y"),
)
def crop(
    image: Image,
    x: Integer | None = None,
    y: Integer | None = None,
    width: Integer | None = None,
    height: Integer | None = None,
    shape: Text = "free",
) -> Image:
    """The rectangle with its corner at (x, y); what sticks out of the picture is left away.

    Without corner the rectangle lies in the middle; a side that is not given follows from the shape, or reaches to the
    edge. Raises NodeError naming `x` or `y` when the corner is outside, `width` when nothing says how much to keep.
    """
    rows, columns = kept((image.shape[1], image.shape[0]), (x, y), (width, height), shape)
    return np.ascontiguousarray(image[rows, columns])
