"""Make a picture from a normal map and a description."""

from __future__ import annotations

import numpy as np

from nodes._support import control
from nodes.api import DIFFUSERS, Family, Image, Integer, Normal, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="normal_to_image",
    title="Normals to image",
    domain="image",
    description="Makes a new picture of what a text describes with the surfaces of a normal map.",
    inputs=(
        Port("normal", ResourceType.NORMAL, "directions of surfaces as colours"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "normal to image", DIFFUSERS),),
    examples=(
        "Make a picture of a bronze bust from this normal map",
        "Generate an image of a stone fountain with the surface normals of vase.jpg",
    ),
    words=("normal map to image", "normals to picture", "same surfaces", "controlnet normal"),
    icon="wand-sparkles",
)
def normal_to_image(
    normal: Normal,
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

    ControlNet (Zhang et al. 2023) on Stable Diffusion 1.5. It learned from maps whose red is to the left.
    NodeError when the description is empty, or the map
    is the same everywhere.
    """
    return control.paint(
        _as_learned(normal), prompt, strength, side, negative, seed, steps, guidance, context, "normal"
    )


def _as_learned(normal: np.ndarray) -> np.ndarray:
    """Our red is to the right; that of ControlNet 1.1 to the left. Blue to the front and green to the top are alike."""
    return np.dstack((255 - normal[:, :, 0], normal[:, :, 1:]))
