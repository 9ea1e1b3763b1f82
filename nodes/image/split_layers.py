"""Take a picture apart into transparent layers that lie one over the other."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import resized
from nodes._support.inference import diffusion, repainting
from nodes.api import DIFFUSERS, Family, Image, Integer, Port, ResourceType, RunContext, Text, tool

_SIDE = 640
"""Of the two sizes (of a square) that the model knows the one that its makers recommend."""


@tool(
    id="split_layers",
    title="Split into layers",
    domain="image",
    description="Takes a picture apart into transparent layers, background, things and writing, each of which can be "
    "edited alone.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("layers", ResourceType.NUMBER, "how many", default=4, minimum=2, maximum=10, integer=True,
             question="How many layers should there be?"),
        Port("prompt", ResourceType.TEXT, "what the picture shows, what is hidden too; looked at if not given",
             default="", advanced=True),
        repainting.SEED,
        repainting.STEPS,
    ),
    outputs=(Port("images", ResourceType.IMAGE, "the layers, the hindmost first", many=True),),
    families=(Family("diffusers layers", "split into layers", DIFFUSERS),),
    examples=(
        "Split poster.png into layers",
        "Take the picture apart into 3 transparent layers",
        "Decompose the design into editable RGBA layers",
    ),
    words=("layers", "split into layers", "transparent layers", "layered picture", "separate layers"),
    icon="layers-2",
)  # fmt: skip
def split_layers(
    image: Image, layers: Integer = 4, prompt: Text = "", seed: Integer = 0, steps: Integer | None = None, *,
    context: RunContext,
) -> tuple[Image, ...]:  # fmt: skip
    """RGBA, each as large as the picture. Qwen-Image-Layered (2025). Tells each step, stops within one."""
    from PIL import Image as Pillow

    height, width = image.shape[:2]
    given = {
        "image": Pillow.fromarray(image).convert("RGBA"), "prompt": prompt.strip(), "layers": layers,
        "resolution": _SIDE, "use_en_prompt": True,
    }  # fmt: skip
    with diffusion.leased(context) as entry:
        made = diffusion.paint(entry, *_size(width / height), steps, seed, given, context)
    return tuple(resized(np.ascontiguousarray(layer), width, height) for layer in made)


def _size(form: float) -> tuple[int, int]:
    """Width and height that the pipeline makes of a picture of that form (width over height)."""
    width, height = round(_SIDE * math.sqrt(form) / 32) * 32, round(_SIDE / math.sqrt(form) / 32) * 32
    return max(32, width), max(32, height)
