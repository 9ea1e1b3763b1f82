"""Cut a rectangle out of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.cropping import SHAPES, kept, rounded
from nodes.api import Image, Integer, Port, ResourceType, Text, tool


@tool(
    id="crop",
    title="Crop",
    domain="image",
    description="Crops a picture to a rectangle in pixels, or from its middle to a square, a circle or another shape.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "x",
            ResourceType.NUMBER,
            "left edge",
            default=None,
            minimum=0,
            integer=True,
            unit="px",
            question="How many pixels from the left should it begin?",
        ),
        Port(
            "y",
            ResourceType.NUMBER,
            "top edge",
            default=None,
            minimum=0,
            integer=True,
            unit="px",
            question="How many pixels from the top should it begin?",
        ),
        Port(
            "width",
            ResourceType.NUMBER,
            "width of the rectangle",
            default=None,
            minimum=1,
            integer=True,
            unit="px",
            question="How wide should it be, in pixels?",
        ),
        Port(
            "height",
            ResourceType.NUMBER,
            "height of the rectangle",
            default=None,
            minimum=1,
            integer=True,
            unit="px",
            question="How high should it be, in pixels?",
        ),
        Port(
            "shape",
            ResourceType.TEXT,
            "cut the largest middle part of this shape (width:height), when no rectangle is given",
            default="free",
            choices=("free", *SHAPES, "circle"),
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
        "Crop the portrait to a circle",
        "Trim the picture to its top left corner, 200 x 200",
    ),
    words=(
        "crop",
        "cut to size",
        "trim the edges",
        "cut off",
        "square format",
        "aspect ratio",
        "round picture",
        "circle crop",
        "round profile picture",
    ),
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
    edge. A circle, in a rectangle an ellipse, is RGBA, transparent around. Raises NodeError naming `x` or `y` when the
    corner is outside, `width` when nothing says how much to keep.
    """
    is_round = shape == "circle"
    whole = image.shape[1], image.shape[0]
    rows, columns = kept(whole, (x, y), (width, height), "square" if is_round else shape)
    part = np.ascontiguousarray(image[rows, columns])
    return rounded(part, part.shape[1] / 2, part.shape[0] / 2) if is_round else part
