"""Put a frame around a picture."""

from __future__ import annotations

from nodes._support.imaging.pixels import check_pixels, colour_of, unit
from nodes.api import Image, Integer, Port, ResourceType, Text, tool

_WIDTH = 0.04


@tool(
    id="border",
    title="Border",
    domain="image",
    description="Adds a plain coloured border or frame around a picture.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "width",
            ResourceType.NUMBER,
            "of the border; follows the picture's size when left empty",
            default=None,
            minimum=1,
            maximum=5000,
            integer=True,
            unit="px",
            usual_share=_WIDTH,
            question="How wide should the border be, in pixels?",
        ),
        Port(
            "colour",
            ResourceType.TEXT,
            "name of the colour or #rrggbb",
            default="white",
            question="Which colour should it have?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the framed picture"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=("Add a white border to this picture", "Put a 20 pixel red frame around photo.jpg"),
    words=("border", "frame around", "framed", "polaroid", "passe-partout"),
    icon="frame",
)
def border(image: Image, width: Integer | None = None, colour: Text = "white") -> Image:
    """The picture, unchanged, with `width` opaque pixels of `colour` on each side.

    Raises NodeError naming `colour`, or `width` when the result would be too large.
    """
    import cv2

    side = round(unit(image, _WIDTH, least=1)) if width is None else width
    check_pixels(image.shape[1] + 2 * side, image.shape[0] + 2 * side, "width")
    value = (*colour_of(colour), 255)
    return cv2.copyMakeBorder(image, side, side, side, side, cv2.BORDER_CONSTANT, value=value)
