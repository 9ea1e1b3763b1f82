"""Make a picture from edges, lines or a scribble, and a description."""

from __future__ import annotations

import numpy as np

from nodes._support import control
from nodes._support.seeing import grey, opaque
from nodes.api import DIFFUSERS, Family, Image, Integer, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="map_to_image",
    title="Map to image",
    domain="image",
    description="Makes a new picture of what a text describes along the edges of an edge map.",
    inputs=(
        Port("map", ResourceType.IMAGE, "white edges or lines on black; of any other picture the edges are drawn"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "canny to image", DIFFUSERS),),
    examples=(
        "Make a picture of a red brick house from this edge map",
        "Generate an image of a robot that follows these edges",
    ),
    words=("edges to image", "canny to image", "edge map to picture", "controlnet", "colour in"),
    icon="wand-sparkles",
)
def map_to_image(
    map: Image,
    prompt: Text,
    strength: Number = 1.0,
    side: Integer = 768,
    negative: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number = 7.0,
    *,
    context: RunContext,
) -> Image:
    """RGB as large as the map. Painted with its longer side at most `side`, then enlarged smoothly to that size.

    ControlNet (Zhang et al. 2023) on Stable Diffusion 1.5. Tells each step with a preview; stops within a step.
    NodeError when the description is empty, or nothing is drawn on the map.
    """
    return control.paint(_lines(map), prompt, strength, side, negative, seed, steps, guidance, context)


def _lines(picture: np.ndarray) -> np.ndarray:
    """White lines on black, uint8 (height, width): the picture if it is such a map, hard or soft, else its edges."""
    flat = grey(opaque(picture))
    colourless = int(np.ptp(opaque(picture).astype(np.int16), axis=2).max()) < 8
    if colourless and float((flat < 32).mean()) > 0.5:
        return flat
    from nodes.image.edge_map import edge_map

    return edge_map(picture)
