"""Select what a text describes."""

from __future__ import annotations

import numpy as np

from nodes._support.language import kinds
from nodes._support.language.naming import things
from nodes._support.models import models
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Image, Mask, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="segment_described",
    title="Select by description",
    domain="mask",
    description="Segments what is named or described: the part of a picture that shows it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "what",
            ResourceType.TEXT,
            "what to select, several things with commas between",
            said=True,
            question="What should be selected?",
        ),
        Port(
            "threshold",
            ResourceType.NUMBER,
            "how sure it must be",
            default=0.4,
            minimum=0,
            maximum=1,
            question="How sure should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("mask", ResourceType.MASK, "what fits; nothing is selected when nothing does"),),
    families=(Family("transformers clipseg", "segment by words"),),
    examples=("Segment by description the wooden chair", "Make a mask by description: the clouds"),
    words=("segment by description", "referring segmentation", "clipseg"),
    icon="lasso",
    result="mask",
)
def segment_described(image: Image, what: Text, threshold: Number = 0.4, *, context: RunContext) -> Mask:
    """uint8 (height, width), 255 where a thing fits at least by `threshold`, else 0.

    CLIPSeg (Lüddecke and Ecker 2022) sees 352 x 352 pixels: edges are rough. NodeError naming `what` when it is empty.
    """
    fit = probability(opaque(image), things(what, "what"), context)
    return np.where(fit >= threshold, 255, 0).astype(np.uint8)


def probability(rgb: np.ndarray, named: tuple[str, ...], context: RunContext, needed: str = "") -> np.ndarray:
    """How well the best of the names fits each pixel, float32 (height, width), 0..1; for other tools too."""
    import cv2

    def look(loaded: models.Loaded, device: str) -> np.ndarray:
        inputs = loaded.processor(
            text=[kinds.in_english(name).strip() for name in named], images=[rgb] * len(named), padding=True,
            return_tensors="pt", input_data_format="channels_last", **models.as_long_as_read(loaded.network),
        ).to(device)  # fmt: skip
        values = loaded.network(**inputs).logits.float().sigmoid()
        return values.reshape(len(named), *values.shape[-2:]).amax(0).cpu().numpy()

    small = models.apply(context, "CLIPSegForImageSegmentation", "CLIPSegProcessor", look, needed)
    height, width = rgb.shape[:2]
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
