"""Make a film of what a text describes."""

from __future__ import annotations

from nodes._support.inference import diffusion, films
from nodes._support.inference.repainting import GUIDANCE, LORA, LORA_WEIGHT, NEGATIVE, SEED, STEPS
from nodes.api import (
    DIFFUSERS,
    Family,
    File,
    Integer,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    Video,
    tool,
)  # fmt: skip


@tool(
    id="text_to_video",
    title="Text to video",
    domain="video",
    description="Makes a short film of what a text describes.",
    inputs=(
        Port("prompt", ResourceType.TEXT, "what the film should show", question="What should the film show?"),
        Port("seconds", ResourceType.NUMBER, "length", default=5.0, minimum=0, maximum=films.LONGEST_SECONDS, unit="s",
             question="How many seconds should it last?"),
        Port("width", ResourceType.NUMBER, "width of the film", default=832, minimum=64, maximum=1280, integer=True,
             unit="px", question="How wide should it be, in pixels?"),
        Port("height", ResourceType.NUMBER, "height of the film", default=480, minimum=64, maximum=1280, integer=True,
             unit="px", question="How high should it be, in pixels?"),
        NEGATIVE,
        SEED,
        STEPS,
        GUIDANCE,
        LORA,
        LORA_WEIGHT,
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the film, MP4, without sound"),),
    families=(Family("diffusers film", "text to video", DIFFUSERS),),
    examples=(
        "Generate a video of a dog running on the beach",
        "Make a film of waves at night from this description",
        "Create a short clip that shows a rocket taking off",
    ),
    words=("text to video", "video generation", "generate a film", "film from a description"),
    icon="clapperboard",
)  # fmt: skip
def text_to_video(
    prompt: Text, seconds: Number = 5.0, width: Integer = 832, height: Integer = 480, negative: Text = "",
    seed: Integer = 0, steps: Integer | None = None, guidance: Number | None = None,
    lora: File | None = None, lora_weight: Number = 1.0, *, context: RunContext,
) -> Video:  # fmt: skip
    """As many pictures a second as the model makes, 16 or 25. Tells each step with the first picture so far, stops
    within a step; the same seed gives the same film. NodeError when the description is empty, or naming `lora`. Sides
    are taken up to multiples of 16 or 32.
    """
    prompt = diffusion.check_prompt(prompt)
    films.check_seconds(seconds)
    with diffusion.leased(context, lora=diffusion.Lora.of(lora, lora_weight)) as entry:
        words = {"prompt": prompt, "negative_prompt": negative or None, "guidance_scale": guidance}
        made, fps = films.film(entry, (width, height), seconds, steps, seed, words, context)
    return films.written(made, fps, seconds, context)
