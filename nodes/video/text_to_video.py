"""Make a film of what a text describes."""

from __future__ import annotations

import numpy as np

from nodes._support import diffusion
from nodes._support import movie_writer as writer
from nodes._support.movies import Picture
from nodes._support.repainting import LORA, LORA_WEIGHT, NEGATIVE, SEED, STEPS
from nodes.api import (
    DIFFUSERS,
    Family,
    File,
    Integer,
    NodeError,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    Video,
    tool,
)  # fmt: skip

FPS = 16
_LONGEST_SECONDS = 10.0


@tool(
    id="text_to_video",
    title="Text to video",
    domain="video",
    description="Makes a short film of what a text describes.",
    inputs=(
        Port("prompt", ResourceType.TEXT, "what the film should show"),
        Port("seconds", ResourceType.NUMBER, "length", default=5.0, minimum=0, maximum=_LONGEST_SECONDS, unit="s"),
        Port("width", ResourceType.NUMBER, "width of the film", default=832, minimum=64, maximum=1280, integer=True,
             unit="px"),
        Port("height", ResourceType.NUMBER, "height of the film", default=480, minimum=64, maximum=1280, integer=True,
             unit="px"),
        NEGATIVE,
        SEED,
        STEPS,
        Port("guidance", ResourceType.NUMBER, "how closely it follows the words", default=5.0, minimum=0, maximum=30,
             advanced=True),
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
    seed: Integer = 0, steps: Integer | None = None, guidance: Number = 5.0,
    lora: File | None = None, lora_weight: Number = 1.0, *, context: RunContext,
) -> Video:  # fmt: skip
    """16 pictures a second. Tells each step with the first picture so far, stops within a step; the same seed gives the
    same film. NodeError when the description is empty, or naming `lora`. Sides are taken up to multiples of 16.
    """
    prompt = diffusion.check_prompt(prompt)
    check_seconds(seconds)
    with diffusion.leased(context, lora=diffusion.Lora.of(lora, lora_weight)) as entry:
        words = {"prompt": prompt, "negative_prompt": negative or None, "guidance_scale": float(guidance)}
        count = max(2, round(seconds * FPS))
        made = diffusion.film(entry, (width, height), count, steps, seed, words, context)
    return film_written(made, seconds, context)


def check_seconds(seconds: float) -> None:
    """Raises NodeError for a length that a model cannot make."""
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise NodeError("A model makes films of up to 10 seconds.", "seconds", "Choose a length of 1 to 10 seconds.")


def film_written(pictures: np.ndarray, seconds: float, context: RunContext) -> Video:
    """The pictures, uint8 (pictures, height, width, 3), as a film of that length."""
    count = max(2, round(seconds * FPS))
    shown = (Picture(number / FPS, writer.even(picture)) for number, picture in enumerate(pictures[:count]))
    height, width = writer.even(pictures[0]).shape[:2]
    return writer.write_movie(context.new_file(".mp4"), shown, (width, height), FPS, seconds=count / FPS)
