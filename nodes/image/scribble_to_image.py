"""Make a picture from a scribble and a description."""

from __future__ import annotations

from nodes._support import control
from nodes.api import DIFFUSERS, Family, Image, Integer, Number, Port, ResourceType, RunContext, Scribble, Text, tool


@tool(
    id="scribble_to_image",
    title="Scribble to image",
    domain="image",
    description="Makes a new picture of what a text describes from a scribble or rough sketch of it.",
    inputs=(
        Port("scribble", ResourceType.SCRIBBLE, "strokes, white on black"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "scribble to image", DIFFUSERS),),
    examples=(
        "Turn the scribble into a photo of a dog",
        "Make a picture of a castle from this scribble",
        "Generate an image of a sailing boat from my scribble",
    ),
    words=("scribble to image", "sketch to picture", "doodle to picture", "controlnet scribble"),
    icon="wand-sparkles",
)
def scribble_to_image(
    scribble: Scribble,
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
    return control.paint(scribble, prompt, strength, side, negative, seed, steps, guidance, context, "scribble")
