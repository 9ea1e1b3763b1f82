"""Make a picture from a map of straight lines and a description."""

from __future__ import annotations

from nodes._support import control
from nodes.api import DIFFUSERS, Family, Image, Integer, Line, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="line_to_image",
    title="Lines to image",
    domain="image",
    description="Makes a new picture of what a text describes along the straight lines of a line map.",
    inputs=(
        Port("line", ResourceType.LINE, "straight lines, white on black"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "line to image", DIFFUSERS),),
    examples=(
        "Make a picture of a modern kitchen from this line map",
        "Generate an image of an office building with the straight lines of house.jpg",
    ),
    words=("line map to image", "mlsd to image", "straight lines to picture", "controlnet mlsd"),
    icon="wand-sparkles",
)
def line_to_image(
    line: Line,
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
    return control.paint(line, prompt, strength, side, negative, seed, steps, guidance, context, "line")
