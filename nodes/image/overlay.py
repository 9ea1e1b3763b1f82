"""Put one picture on another."""

from __future__ import annotations

from nodes._support.imaging.layout import PLACES, over, place_of
from nodes._support.imaging.pixels import check_pixels, resized, size_text
from nodes.api import Image, Integer, NodeError, Number, Phrase, Port, ResourceType, Text, tool


@tool(
    id="overlay",
    title="Overlay picture",
    domain="image",
    description="Puts one picture, such as a logo or a cut-out, on top of another at a place of it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture below"),
        Port("top", ResourceType.IMAGE, "the picture put on it; its transparency counts"),
        Port(
            "position",
            ResourceType.TEXT,
            "where, when x and y are empty",
            default="centre",
            choices=PLACES,
            question="Where should it be?",
        ),
        Port(
            "x",
            ResourceType.NUMBER,
            "left edge of the upper picture",
            default=None,
            integer=True,
            unit="px",
            question="How many pixels from the left should it begin?",
        ),
        Port(
            "y",
            ResourceType.NUMBER,
            "top edge of the upper picture",
            default=None,
            integer=True,
            unit="px",
            question="How many pixels from the top should it begin?",
        ),
        Port(
            "opacity",
            ResourceType.NUMBER,
            "0 is invisible",
            default=1.0,
            minimum=0,
            maximum=1,
            question="How clearly should it be seen, from 0 to 1?",
        ),
        Port(
            "scale",
            ResourceType.NUMBER,
            "size against its own",
            default=1.0,
            minimum=0.01,
            maximum=20,
            question="How many times its own size should it have?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "both pictures"),),
    backend="numpy",
    backend_title="Alpha compositing",
    quality=1.0,
    examples=(
        "Put logo.png on photo.jpg in the top right corner",
        "Paste the cut-out dog onto the beach picture",
        "Overlay the second picture on the first",
    ),
    words=("overlay", "put on top", "paste onto", "superimpose", "place the logo", "picture in picture"),
    icon="layers-2",
)
def overlay(
    image: Image,
    top: Image,
    position: Text = "centre",
    x: Integer | None = None,
    y: Integer | None = None,
    opacity: Number = 1.0,
    scale: Number = 1.0,
) -> Image:
    """`image` with `top` over it; what sticks out is left away. Has alpha when `image` has.

    Raises NodeError naming `x` when nothing of it would be seen, or `scale` when it would be too large.
    """
    width, height = max(1, round(top.shape[1] * scale)), max(1, round(top.shape[0] * scale))
    check_pixels(width, height, "scale")
    upper = resized(top, width, height)
    named = place_of(position, (width, height), (image.shape[1], image.shape[0]))
    left, upside = named[0] if x is None else x, named[1] if y is None else y
    if not (-width < left < image.shape[1] and -height < upside < image.shape[0]):
        raise NodeError(
            Phrase(
                "At x = {left}, y = {upside} nothing of it lies on the picture, which is {size} pixels.",
                left=left,
                upside=upside,
                size=size_text(image),
            ),
            "x",
            "Choose a place inside the picture.",
        )
    return over(image, upper, left, upside, opacity)
