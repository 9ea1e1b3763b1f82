"""Give a black and white picture colours."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import join_alpha, smooth, split_alpha, unit
from nodes._support.inference import repainting
from nodes.api import DIFFUSERS, Family, Image, Integer, Port, ResourceType, RunContext, Text, tool

_WISH = "Colourise this black and white photograph with natural colours."


@tool(
    id="colourise",
    title="Colourise",
    domain="image",
    description="Colourises a black and white photo: adds likely colours to it and keeps every detail as it is.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture without colours"),
        Port("hint", ResourceType.TEXT, "which colours, if they are known: a red car, a blue dress", default=""),
        repainting.SEED,
        repainting.STEPS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture in colours"),),
    families=(Family("diffusers pipeline", "edit by instruction", DIFFUSERS),),
    examples=("Colourise this black and white photo", "Add colours to the old photograph old.jpg"),
    words=("colorize", "colourize", "colorise", "colourise", "add colours to the old photo", "bring colour into"),
    icon="palette",
)
def colourise(
    image: Image, hint: Text = "", seed: Integer = 0, steps: Integer | None = None, *, context: RunContext
) -> Image:
    """The light and dark of the picture with the colours that the model paints; alpha stays. The colours are guessed.

    What is painted is blurred a little before its colours are taken, so that its own outlines do not show.
    """
    import cv2

    wish = repainting.Wish(f"{_WISH} {hint.strip()}".strip(), seed=seed, steps=steps)
    rgb, alpha = split_alpha(image)
    painted = repainting.anew(rgb, wish, context, "")
    own, other = (cv2.cvtColor(picture, cv2.COLOR_RGB2LAB) for picture in (rgb, painted))
    colours = smooth(other, unit(image, 0.003, least=1))
    both = np.dstack((own[:, :, 0], colours[:, :, 1:]))
    return join_alpha(cv2.cvtColor(both, cv2.COLOR_LAB2RGB), alpha)
