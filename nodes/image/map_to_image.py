"""Make a picture from edges, lines or a scribble, and a description."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import control
from nodes._support.vision.seeing import grey, opaque
from nodes.api import Image, Port, ResourceType


@control.to_image(
    Port("map", ResourceType.IMAGE, "white edges or lines on black; of any other picture the edges are drawn"),
    task="canny to image",
    title="Map to image",
    description="Makes a new picture of what a text describes along the edges of an edge map.",
    examples=(
        "Make a picture of a red brick house from this edge map",
        "Generate an image of a robot that follows these edges",
    ),
    words=("edges to image", "canny to image", "edge map to picture", "controlnet", "colour in"),
)
def map_to_image(map: Image) -> Image:
    """White lines on black: the map if it is such a one, hard or soft, else its edges."""
    flat = grey(opaque(map))
    colourless = int(np.ptp(opaque(map).astype(np.int16), axis=2).max()) < 8
    if colourless and float((flat < 32).mean()) > 0.5:
        return flat
    from nodes.image.edge_map import edge_map

    return edge_map(map)
