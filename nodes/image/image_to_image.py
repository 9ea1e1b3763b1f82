"""Paint a picture anew after a picture and a description."""

from __future__ import annotations

from nodes._support.inference import diffusion, repainting
from nodes.api import DIFFUSERS, Family, File, Image, Integer, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="image_to_image",
    title="Picture to picture",
    domain="image",
    description="Makes a new picture like a given one after a description: a variation of it, or it in another look.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture to begin with"),
        Port("prompt", ResourceType.TEXT, "what the new picture should show", question="What should the picture show?"),
        Port("change", ResourceType.NUMBER, "how far from the picture it may go", default=0.6, minimum=0.05, maximum=1),
        repainting.NEGATIVE,
        repainting.SEED,
        repainting.STEPS,
        repainting.GUIDANCE,
        repainting.LORA,
        repainting.LORA_WEIGHT,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the new picture, as large as the first"),),
    families=(Family("diffusers pipeline", "image to image", DIFFUSERS),),
    examples=(
        "Make a variation of this picture as a fantasy landscape",
        "Image to image: the same scene painted by Van Gogh",
    ),
    words=("image to image", "img2img", "variation", "variation of this picture", "same scene as"),
    icon="images",
)
def image_to_image(
    image: Image,
    prompt: Text,
    change: Number = 0.6,
    negative: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number | None = None,
    lora: File | None = None,
    lora_weight: Number = 1.0,
    *,
    context: RunContext,
) -> Image:
    """Painted at the model's own size, then brought to the picture's; alpha stays. NodeError without a description."""
    wish = repainting.Wish(
        diffusion.check_prompt(prompt), negative, seed, steps, guidance, (("strength", float(change)),)
    )
    return repainting.anew(image, wish, context, lora=diffusion.Lora.of(lora, lora_weight))
