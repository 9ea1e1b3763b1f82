"""Make a picture from a description."""

from __future__ import annotations

from nodes._support.inference import diffusion
from nodes._support.inference.repainting import GUIDANCE, LORA, LORA_WEIGHT, NEGATIVE, SEED, STEPS
from nodes._support.web import hosted
from nodes.api import (
    DIFFUSERS,
    Family,
    File,
    Image,
    Integer,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)


@tool(
    id="text_to_image",
    title="Text to image",
    domain="image",
    description="Makes a new picture, photo, painting or drawing of what a text describes.",
    inputs=(
        Port("prompt", ResourceType.TEXT, "what the picture should show", question="What should the picture show?"),
        NEGATIVE,
        Port("width", ResourceType.NUMBER, "width; the model's own if not given", default=None, minimum=64,
             maximum=2048, integer=True, unit="px", question="How wide should it be, in pixels?"),
        Port("height", ResourceType.NUMBER, "height; the model's own if not given", default=None, minimum=64,
             maximum=2048, integer=True, unit="px", question="How high should it be, in pixels?"),
        SEED,
        STEPS,
        GUIDANCE,
        LORA,
        LORA_WEIGHT,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    families=(Family("diffusers pipeline", "text to image", DIFFUSERS),),
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
    guidance: Number | None = None,
    lora: File | None = None,
    lora_weight: Number = 1.0,
    *,
    context: RunContext,
) -> Image:
    """RGB in exactly the size asked for (the model paints in multiples of 8 pixels, the rest is cut off).

    Latent diffusion (Rombach et al. 2022). The same seed gives the same picture on the same machine. Tells each step
    with a preview; stops within a step. A consistency model has no way to heed `negative`. NodeError when the
    description is empty, or naming `lora`.
    """
    prompt = diffusion.check_prompt(prompt)
    with diffusion.leased(context, lora=diffusion.Lora.of(lora, lora_weight)) as entry:
        side = diffusion.own_side(entry.model)
        words = {"prompt": prompt, "negative_prompt": negative or None, "guidance_scale": guidance}
        return diffusion.paint(entry, width or side, height or side, steps, seed, words, context)


@backend_of(text_to_image, **hosted.service("images", 0.9))
def by_service(
    prompt: Text,
    negative: Text,
    width: Integer | None,
    height: Integer | None,
    seed: Integer,
    *,
    context: RunContext,
) -> Image:
    """The words are sent. Painted in the nearest form that the service knows, then cut to the size asked for."""
    given = {"prompt": diffusion.check_prompt(prompt), "negative": negative, "width": width, "height": height}
    return hosted.fitted(hosted.picture("images", given | {"seed": seed}, context), width, height)
