"""Paint a selected part of a picture anew."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import resized
from nodes._support.inference import diffusion, repainting
from nodes._support.web import hosted
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    Integer,
    Mask,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)


@tool(
    id="inpaint",
    title="Inpaint",
    domain="image",
    description="Inpaints a picture: paints the masked part anew as a text describes, and leaves the rest.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the part to paint anew"),
        Port("prompt", ResourceType.TEXT, "what that part should show", question="What should be there instead?"),
        repainting.NEGATIVE,
        repainting.SEED,
        repainting.STEPS,
        repainting.GUIDANCE,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the new part"),),
    families=(Family("diffusers pipeline", "inpaint", DIFFUSERS),),
    examples=(
        "Inpaint the masked part with a wooden door",
        "Inpaint flowers where the mask is",
        "Repaint the masked part as a brick wall",
    ),
    words=("inpainting", "inpaint", "generative fill", "repaint"),
    icon="paintbrush",
    does="hides",
)
def inpaint(
    image: Image,
    mask: Mask,
    prompt: Text,
    negative: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number | None = None,
    *,
    context: RunContext,
) -> Image:
    """As large as the picture; alpha and every pixel away from the mask stay as they were.

    What lies around the mask is shown to the model at its own size. NodeError when the description is empty, or
    nothing is selected.
    """
    wish = repainting.Wish(diffusion.check_prompt(prompt), negative, seed, steps, guidance)
    return repainting.part(image, mask, wish, context)


@backend_of(inpaint, **hosted.service("edits", 0.9))
def by_service(image: Image, mask: Mask, prompt: Text, *, context: RunContext) -> Image:
    """The part around the mask is sent, with what to paint; pixels away from the mask stay as they were."""
    prompt = diffusion.check_prompt(prompt)

    def paint(rgb: np.ndarray, mask: np.ndarray) -> np.ndarray:
        scale = 1024 / max(rgb.shape[:2])
        size = [max(16, round(side * scale / 16) * 16) for side in rgb.shape[1::-1]]
        shown, hole = resized(rgb, *size), resized(np.dstack((mask,) * 3), *size)
        clear = np.dstack((shown, 255 - hole[:, :, 0]))  # what is clear is painted
        given = {"prompt": prompt, "image": hosted.png(shown), "mask": hosted.png(clear)}
        return hosted.picture("edits", given, context)

    return repainting.put_back(image, mask, paint)
