"""Make a picture grey but for one colour."""

from __future__ import annotations

import numpy as np

from nodes._support import colours
from nodes._support.pixels import colour_of, join_alpha, mix, smooth, split_alpha, unit
from nodes._support.seeing import lab
from nodes.api import Image, Port, ResourceType, RunContext, Text, tool

_NEAR = 24.0
"""CIE 1976 distance from an exact colour that still counts as it."""


@tool(
    id="keep_colour",
    title="Keep one colour",
    domain="image",
    description="Makes a picture black and white except for one colour, which stays: selective colour, colour splash.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "colour",
            ResourceType.TEXT,
            'the colour that stays: a colour word ("red", "light blue"), a colour name or "#ff8800"',
            question="Which colour should stay?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, gray but where it has this colour"),),
    backend="lab",
    backend_title="Lab colour distance",
    quality=0.8,
    examples=(
        "Make it black and white but keep the red",
        "Everything gray except the yellow umbrella's colour",
        "Keep only the blue in photo.jpg, the rest in grayscale",
    ),
    words=("selective colour", "selective color", "colour splash", "color splash", "color pop", "only the red stays",
           "black and white except red", "keep the colour", "all grey but the red"),
    icon="pipette",
    result="one-colour",
)  # fmt: skip
def keep_colour(image: Image, colour: Text, *, context: RunContext) -> Image:
    """Grey by luminance (Rec. 601) elsewhere, with a soft edge between. Alpha is kept; a colour that is nowhere leaves
    all of it grey, and a note says so. Raises NodeError naming `colour` when it is not known.
    """
    import cv2

    rgb, alpha = split_alpha(image)
    word = colours.spoken(colour)
    if word:
        has = colours.fits(rgb, *word)
    else:
        exact = lab(np.array([[colour_of(colour)]], np.uint8))[0, 0]
        has = np.linalg.norm(lab(rgb) - exact, axis=2) <= _NEAR
    if not has.any():
        context.progress(1.0, "the picture has this colour nowhere: all of it is gray")
    weight = smooth(np.where(has, np.uint8(255), np.uint8(0)), unit(image, 0.0015, 0.5))
    gray = cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return join_alpha(mix(gray, rgb, weight), alpha)
