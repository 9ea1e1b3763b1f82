"""Make a picture from a description."""

from __future__ import annotations

import numpy as np

from nodes._support import diffusion, models
from nodes._support.model_pool import pool
from nodes.api import Image, Integer, Number, Port, ResourceType, RunContext, Text, backend_of, tool

_PACKAGES = ("python:torch", "python:transformers", "python:diffusers")


@tool(
    id="text_to_image",
    title="Text to image",
    domain="image",
    description="Makes a new picture, photo, painting or drawing of what a text describes.",
    inputs=(
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        Port("negative", ResourceType.TEXT, "what it should not show", default="", advanced=True),
        Port("width", ResourceType.NUMBER, "width; the model's own if not given", default=None, minimum=64,
             maximum=2048, integer=True, unit="px"),
        Port("height", ResourceType.NUMBER, "height; the model's own if not given", default=None, minimum=64,
             maximum=2048, integer=True, unit="px"),
        Port("seed", ResourceType.NUMBER, "another number gives another picture", default=0, minimum=0,
             maximum=2**32 - 1, integer=True),
        Port("steps", ResourceType.NUMBER, "how long it works at it; as long as the model needs if not given",
             default=None, minimum=1, maximum=200, integer=True, advanced=True),
        Port("guidance", ResourceType.NUMBER, "how closely it follows the words", default=7.0, minimum=0, maximum=30,
             advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend="sd-1-5",
    backend_title="Stable Diffusion 1.5",
    kind="model",
    device="gpu",
    memory_bytes=6_000_000_000,
    download_bytes=2_134_300_000,
    quality=0.55,
    model="sd-1-5",
    requires=_PACKAGES,
    examples=(
        "Generate an image of a lighthouse in a storm",
        "Draw a picture of a cat in a spacesuit",
        "Make a photo of a mountain lake at sunrise, 768 x 512",
    ),
    words=("generate an image", "create a picture", "paint", "draw", "imagine", "illustration", "text-to-image"),
    icon="image-plus",
)  # fmt: skip
def text_to_image(
    prompt: Text,
    negative: Text = "",
    width: Integer | None = None,
    height: Integer | None = None,
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number = 7.0,
    *,
    context: RunContext,
) -> Image:
    """RGB in exactly the size asked for (the model paints in multiples of 8 pixels, the rest is cut off).

    Latent diffusion (Rombach et al. 2022). The same seed gives the same picture on the same machine. Tells each step
    with a preview; stops within a step. NodeError when the description is empty.
    """
    return _paint(prompt, negative, width, height, seed, steps, guidance, context)


@backend_of(
    text_to_image,
    id="lcm-dreamshaper-7",
    title="LCM Dreamshaper 7",
    kind="model",
    device="gpu",
    memory_bytes=6_000_000_000,
    download_bytes=4_270_000_000,
    quality=0.5,
    model="lcm-dreamshaper-7",
    requires=_PACKAGES,
)
def text_to_image_quickly(
    prompt: Text,
    negative: Text = "",
    width: Integer | None = None,
    height: Integer | None = None,
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number = 7.0,
    *,
    context: RunContext,
) -> Image:
    """As `text_to_image`, by a latent consistency model (Luo et al. 2023), which needs four steps.

    It has no way to heed `negative`.
    """
    return _paint(prompt, negative, width, height, seed, steps, guidance, context)


@backend_of(
    text_to_image,
    id="sdxl-base-1",
    title="Stable Diffusion XL",
    kind="model",
    device="gpu",
    memory_bytes=17_000_000_000,
    download_bytes=6_941_500_000,
    quality=0.75,
    model="sdxl-base-1",
    requires=_PACKAGES,
)
def text_to_image_better(
    prompt: Text,
    negative: Text = "",
    width: Integer | None = None,
    height: Integer | None = None,
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number = 7.0,
    *,
    context: RunContext,
) -> Image:
    """As `text_to_image`, by SDXL (Podell et al. 2023), whose own size is 1024 x 1024 pixels."""
    return _paint(prompt, negative, width, height, seed, steps, guidance, context)


def _paint(
    prompt: str,
    negative: str,
    width: int | None,
    height: int | None,
    seed: int,
    steps: int | None,
    guidance: float,
    context: RunContext,
) -> np.ndarray:
    prompt = diffusion.check_prompt(prompt)
    folder = models.model_folder(context)
    with pool().lease(folder, "pipeline", lambda device: diffusion.load_pipeline(folder, device), context) as entry:
        side = diffusion.own_side(entry.model)
        words = {"prompt": prompt, "negative_prompt": negative or None, "guidance_scale": guidance}
        return diffusion.paint(entry, width or side, height or side, steps, seed, words, context)
