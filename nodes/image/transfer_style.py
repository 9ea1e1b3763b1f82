"""Give a picture the look of another."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, join_alpha, split_alpha, to_bytes
from nodes._support.inference import repainting
from nodes._support.vision.seeing import opaque
from nodes.api import DIFFUSERS, Family, Image, Integer, Port, ResourceType, RunContext, tool

_WISH = "Repaint the first picture in the style of the second one: its colours, its strokes and its light. Keep what "\
    "the first picture shows, and where it is."  # fmt: skip


@tool(
    id="transfer_style",
    title="Style of another picture",
    domain="image",
    description="Gives a picture the style of a second one: repaints the first in the look of the other.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the photo that gets the style"),
        Port("style", ResourceType.IMAGE, "the picture with the style"),
        repainting.SEED,
        repainting.STEPS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the first picture in the look of the second"),),
    backend="colours",
    backend_title="Colours of the other picture",
    quality=0.25,
    families=(Family("diffusers pipeline", "edit with pictures", DIFFUSERS),),
    examples=(
        "Style photo.jpg like painting.jpg",
        "Paint the first picture in the style of the second one",
        "Apply the style of painting.jpg to photo.jpg",
    ),
    words=("style transfer", "style of the other picture", "in the style of", "same look as"),
    icon="brush",
)
def transfer_style(
    image: Image, style: Image, seed: Integer = 0, steps: Integer | None = None, context: RunContext = SILENT
) -> Image:
    """As large as the first picture; alpha stays.

    Without a model only colours and contrast are taken over: mean and spread in Lab (Reinhard et al. 2001).
    """
    rgb, alpha = split_alpha(image)
    if context.model is not None:
        return repainting.anew(image, repainting.Wish(_WISH, seed=seed, steps=steps), context, "", (style,))
    return join_alpha(_coloured(rgb, opaque(style)), alpha)


def _coloured(rgb: np.ndarray, other: np.ndarray) -> np.ndarray:
    import cv2

    own, wanted = (cv2.cvtColor(picture, cv2.COLOR_RGB2LAB) for picture in (rgb, other))
    mean, spread = (part.ravel() for part in cv2.meanStdDev(own))
    new_mean, new_spread = (part.ravel() for part in cv2.meanStdDev(wanted))
    levels = np.arange(256, dtype=np.float32)[:, None]
    tables = to_bytes((levels - mean) * (new_spread / np.maximum(spread, 1)) + new_mean)
    return cv2.cvtColor(cv2.LUT(own, np.ascontiguousarray(tables[:, None])), cv2.COLOR_LAB2RGB)
