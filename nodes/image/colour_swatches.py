"""Show the main colours of a picture as a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import typeset
from nodes._support.imaging.layout import canvas
from nodes._support.vision.palette import INPUTS, code_of, main_colours
from nodes.api import Image, Integer, Mask, Port, ResourceType, tool

_WIDE, _HIGH, _LETTERS = 240, 240, 36
"""Pixels of a swatch, and the height of the letters in it."""


@tool(
    id="colour_swatches",
    title="Colour swatches",
    domain="image",
    description="Makes a picture of the colour palette of a picture: a swatch of each main colour with its hex code.",
    inputs=INPUTS,
    outputs=(Port("image", ResourceType.IMAGE, "the swatches side by side, largest share first"),),
    backend="kmeans",
    backend_title="k-means in Lab",
    quality=0.9,
    examples=(
        "Make a colour palette of photo.jpg as a picture",
        "Show the 6 main colours as swatches with their hex codes",
        "Palette card with the colours of this photo",
    ),
    words=("palette picture", "colour swatches", "color swatches", "swatch", "palette as an image", "hex codes"),
    icon="palette",
    result="palette",
)
def colour_swatches(image: Image, count: Integer = 5, mask: Mask | None = None) -> Image:
    """RGB, 240 pixels high and 240 wide for each colour, each plain but for its code (#rrggbb) in black or white.

    The colours are those of Main colours, in the same order. Raises NodeError naming `image` when nothing of it is
    visible, or `mask` when it is empty.
    """
    from PIL import Image as Pictures
    from PIL import ImageDraw

    found = main_colours(image, count, mask)
    picture = Pictures.fromarray(canvas(_WIDE * len(found), _HIGH, (255, 255, 255)))
    pen = ImageDraw.Draw(picture)
    for number, (rgb, _) in enumerate(found):
        pen.rectangle((number * _WIDE, 0, (number + 1) * _WIDE - 1, _HIGH - 1), fill=rgb)
        ink = (0, 0, 0) if 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2] > 140 else (255, 255, 255)
        place = (number + 0.5) * _WIDE, _HIGH - _LETTERS
        typeset.draw_line(pen, place, code_of(rgb), _LETTERS, ink, align="center")
    return np.asarray(picture).copy()
