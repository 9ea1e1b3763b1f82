"""Mirror a picture."""

from __future__ import annotations

import numpy as np

from nodes.api import Image, Port, ResourceType, Text, tool


@tool(
    id="flip",
    title="Flip",
    domain="image",
    description="Mirrors a picture: left and right swapped, or top and bottom.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "direction",
            ResourceType.TEXT,
            "horizontally swaps left and right, vertically swaps top and bottom",
            default="horizontally",
            choices=("horizontally", "vertically"),
            question="Should it be mirrored left to right, or top to bottom?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the mirrored picture"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Flip the picture horizontally", "Mirror this image", "Flip photo.jpg vertically"),
    words=("flip", "mirror", "mirror image", "reversed", "swap left and right"),
    icon="flip-horizontal-2",
)
def flip(image: Image, direction: Text = "horizontally") -> Image:
    """The mirrored picture, of the same shape; alpha is mirrored with it. Flipping twice gives the original."""
    return np.ascontiguousarray(image[:, ::-1] if direction == "horizontally" else image[::-1])
