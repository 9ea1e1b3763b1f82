"""Reduce a picture to few tones, like a poster."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered
from nodes.api import Image, Integer, Mask, Port, ResourceType, tool


@tool(
    id="posterise",
    title="Posterise",
    domain="image",
    description="Reduces a picture to a few flat tones of each colour, like a printed poster.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is reduced", default=None),
        Port(
            "levels",
            ResourceType.NUMBER,
            "tones of each colour",
            default=4,
            minimum=2,
            maximum=64,
            integer=True,
            question="How many shades should there be?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture in few tones"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Posterise this picture", "Reduce the photo to 4 colour levels", "Make it look like a poster"),
    words=("posterise", "posterize", "fewer colours", "flat colors", "pop art"),
    icon="layers",
)
def posterise(image: Image, mask: Mask | None = None, levels: Integer = 4) -> Image:
    """Each of red, green and blue rounded to one of `levels` even steps from 0 to 255. Alpha is kept.

    Raises NodeError naming `mask`.
    """
    steps = np.rint(np.arange(256) / 255 * (levels - 1)) / (levels - 1) * 255
    table = np.rint(steps).astype(np.uint8)
    return filtered(image, mask, lambda rgb: table[rgb])
