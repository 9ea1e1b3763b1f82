"""Make a picture from a depth map and a description."""

from __future__ import annotations

from nodes._support import control
from nodes.api import DIFFUSERS, Depth, Family, Image, Integer, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="depth_to_image",
    title="Depth to image",
    domain="image",
    description="Makes a new picture of what a text describes in the space and shapes of a depth map.",
    inputs=(
        Port("depth", ResourceType.DEPTH, "how near each place is, white = near"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "depth to image", DIFFUSERS),),
    examples=(
        "Make a picture of a snowy forest from this depth map",
        "Generate an image of a cosy kitchen with the depth of this room",
    ),
    words=("depth map to image", "depth to picture", "controlnet depth", "same layout"),
    icon="wand-sparkles",
)
def depth_to_image(
    depth: Depth,
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
    NodeError when the description is empty, or the map is the same everywhere.
    """
    return control.paint(depth, prompt, strength, side, negative, seed, steps, guidance, context, "depth")
