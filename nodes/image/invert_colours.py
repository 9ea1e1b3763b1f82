"""Turn a picture into its negative."""

from __future__ import annotations

from nodes._support.imaging.pixels import filtered
from nodes.api import Image, Mask, Port, ResourceType, tool


@tool(
    id="invert_colours",
    title="Invert colours",
    domain="image",
    description="Inverts the colours of a picture, so that it looks like a photographic negative.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is inverted", default=None),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the negative"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Invert the colors of this image", "Make a negative of photo.jpg"),
    words=("invert the colours", "inverted colors", "negative", "photo negative"),
    icon="circle-slash-2",
)
def invert_colours(image: Image, mask: Mask | None = None) -> Image:
    """255 minus each colour value; doing it twice gives the original. Alpha is kept. Raises NodeError naming `mask`."""
    return filtered(image, mask, lambda rgb: 255 - rgb)
