"""Make a picture from a soft edge map and a description."""

from __future__ import annotations

from nodes._support import control
from nodes.api import DIFFUSERS, Family, Image, Integer, Number, Port, ResourceType, RunContext, SoftEdge, Text, tool


@tool(
    id="soft_edge_to_image",
    title="Soft edges to image",
    domain="image",
    description="Makes a new picture of what a text describes along the soft outlines of a soft edge map (HED).",
    inputs=(
        Port("soft_edge", ResourceType.SOFT_EDGE, "soft edges, white on black"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "soft edge to image", DIFFUSERS),),
    examples=(
        "Make a picture of a marble statue from this soft edge map",
        "Generate an image of a wolf from the soft edges of dog.jpg",
    ),
    words=("soft edge to image", "hed to image", "soft outlines to picture", "controlnet hed"),
    icon="wand-sparkles",
)
def soft_edge_to_image(
    soft_edge: SoftEdge,
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

    ControlNet (Zhang et al. 2023) on Stable Diffusion 1.5. NodeError when the description is empty, or the map
    is the same everywhere.
    """
    return control.paint(soft_edge, prompt, strength, side, negative, seed, steps, guidance, context, "soft_edge")
