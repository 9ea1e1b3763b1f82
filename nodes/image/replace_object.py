"""Put something else in the place of a thing in a picture."""

from __future__ import annotations

import re

import numpy as np

from nodes._support.imaging.pixels import unit
from nodes._support.inference import repainting
from nodes._support.language.naming import things
from nodes._support.vision.seeing import opaque
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    Integer,
    NodeError,
    Number,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    tool,
)
from nodes.mask.segment_described import probability

FINDER = "clipseg-rd64"
"""The catalogue's id of the model that finds the thing."""
_CHANGE = re.compile(
    r"^(?:\W*(?:please|replace|swap|exchange|substitute|turn|change|put|make)\b)*\s*(?P<what>.+?)"
    r"(?:\s+(?:in|on|of)\s+\S+\.\w{3,4})?\s+(?:with|by|for|into|to|->)\s+(?P<prompt>.+?)[.!]?$",
    re.IGNORECASE | re.DOTALL,
)


@tool(
    id="replace_object",
    title="Replace object",
    domain="image",
    description="Replaces a thing in a picture, named in words, by another: the dog by a cat, the sky by a sunset.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("instruction", ResourceType.TEXT, "what to replace by what, in plain words: the dog by a cat", said=True,
             question="What should be replaced, and by what?"),
        Port("threshold", ResourceType.NUMBER, "how sure it must be of the thing", default=0.4, minimum=0, maximum=1,
             advanced=True),
        repainting.NEGATIVE,
        repainting.SEED,
        repainting.STEPS,
        repainting.GUIDANCE,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the other thing"),),
    families=(Family("diffusers pipeline", "inpaint", DIFFUSERS, needs=(FINDER,)),),
    examples=("Replace the dog with a cat", "Replace the sky by a starry night"),
    words=("replace the", "swap the", "substitute", "turn the dog into a cat", "exchange the"),
    icon="replace",
)  # fmt: skip
def replace_object(
    image: Image,
    instruction: Text,
    threshold: Number = 0.4,
    negative: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number | None = None,
    *,
    context: RunContext,
) -> Image:
    """As large as the picture; pixels away from the thing stay as they were.

    CLIPSeg finds the thing, the model paints in its place. NodeError naming `instruction` when it does not name
    two things, or nothing in the picture fits the first.
    """
    import cv2

    what, prompt = _parts(instruction)
    wish = repainting.Wish(prompt, negative, seed, steps, guidance)
    fit = probability(opaque(image), things(what, "instruction"), context, FINDER)
    mask = np.where(fit >= threshold, 255, 0).astype(np.uint8)
    if not mask.any():
        raise NodeError(
            Phrase("Nothing in the picture fits '{what}'.", what=what),
            "instruction",
            "Say it otherwise, or lower the threshold.",
        )
    radius = round(unit(image, 0.01, least=2))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return repainting.part(image, cv2.dilate(mask, around), wish, context)


def _parts(instruction: str) -> tuple[str, str]:
    """What goes and what comes. NodeError naming `instruction` when it does not say both."""
    found = _CHANGE.match(instruction.strip())
    if found is None:
        raise NodeError("It is not said what is to be replaced by what.", "instruction", "Say it so: the dog by a cat.")
    return found["what"].strip(), found["prompt"].strip()
