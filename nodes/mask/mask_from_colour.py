"""Select everything of one colour."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import split_alpha
from nodes._support.vision.colour_ground import of_colour
from nodes.api import Image, Mask, Number, Port, ResourceType, Text, tool


@tool(
    id="mask_from_colour",
    title="Mask from colour",
    domain="mask",
    description="Selects everything in a picture that has a given colour, such as red, dark blue or #ff8800.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "colour",
            ResourceType.TEXT,
            'a colour word ("green", "light blue"), a colour name or "#ff8800"',
            question="Which colour do you mean?",
        ),
        Port(
            "tolerance",
            ResourceType.NUMBER,
            "how far a colour may be from an exact one such as #ff8800; colour words have their own range",
            default=20.0,
            minimum=0,
            maximum=100,
            advanced=True,
        ),
    ),
    outputs=(Port("mask", ResourceType.MASK, "white where the colour is; empty when it is nowhere"),),
    backend="lab",
    backend_title="Lab colour distance",
    quality=0.8,
    examples=("Select everything red in the picture", "Mask the green parts", "Select the blue sky by its colour"),
    words=("select by colour", "colour range", "everything red", "all green parts", "color mask", "chroma key"),
    icon="pipette",
    result="mask",
)
def mask_from_colour(image: Image, colour: Text, tolerance: Number = 20.0) -> Mask:
    """uint8 (height, width), 255 or 0. Transparent pixels are never selected; single stray pixels are dropped.

    For an exact colour, `tolerance` is the CIE 1976 distance (about 2.3 is just visible). Raises NodeError naming
    `colour` when it is not known.
    """
    import cv2

    rgb, alpha = split_alpha(image)
    mask = of_colour(rgb, colour, max(tolerance, 0.01)).astype(np.uint8)
    if min(mask.shape) > 2:
        mask = cv2.medianBlur(mask, 3)
    return np.where((mask > 0) & (True if alpha is None else alpha > 127), 255, 0).astype(np.uint8)
