"""Cut a rectangle out of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.pixels import size_text
from nodes.api import Image, Integer, NodeError, Phrase, Port, ResourceType, Text, tool

_SHAPES = {"square": (1, 1), "4:3": (4, 3), "3:2": (3, 2), "16:9": (16, 9), "3:4": (3, 4), "9:16": (9, 16)}


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
            choices=("free", *_SHAPES),
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
    if x is y is width is height is None:
        if shape == "free":
            raise NodeError(
                "Nothing says how much of the picture to keep.", "width", "Give a width and height, or a shape."
            )
        return _middle(image, *_SHAPES[shape])
    across, down = _SHAPES.get(shape, (0, 0))
    if across and (width is None) != (height is None):
        width, height = width or max(1, (height or 1) * across // down), height or max(1, (width or 1) * down // across)
    columns = _span(image, image.shape[1], x, width, "x")
    rows = _span(image, image.shape[0], y, height, "y")
    return np.ascontiguousarray(image[rows, columns])


def _middle(image: np.ndarray, across: int, down: int) -> np.ndarray:
    height, width = image.shape[:2]
    kept_width = max(1, min(width, height * across // down))
    kept_height = max(1, min(height, width * down // across))
    x, y = (width - kept_width) // 2, (height - kept_height) // 2
    return np.ascontiguousarray(image[y : y + kept_height, x : x + kept_width])


def _span(image: np.ndarray, side: int, start: int | None, length: int | None, port: str) -> slice:
    """Where to cut along one side of the picture."""
    if start is None:
        start = 0 if length is None else max(0, (side - length) // 2)
    if not 0 <= start < side:
        raise NodeError(
            Phrase(
                "{port} = {start} lies outside the picture, which is {size} pixels.",
                port=Phrase(port, "ports"),
                start=start,
                size=size_text(image),
            ),
            port,
            Phrase("Choose {port} from 0 to {side}.", port=Phrase(port, "ports"), side=side - 1),
        )
    return slice(start, side if length is None else min(side, start + length))
