"""Level a slanted picture."""

from __future__ import annotations

from nodes._support.imaging import turning
from nodes._support.vision import tilt
from nodes.api import Image, Port, ResourceType, RunContext, tool

_LEVEL = 0.05
"""Degrees below which a picture is level already: its corners move by less than a pixel of a screen."""


@tool(
    id="straighten",
    title="Straighten",
    domain="image",
    description="Straightens a crooked photo: makes a slanted horizon level or leaning walls upright, and crops the"
    " empty corners away.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("image", ResourceType.IMAGE, "the level picture, without empty corners"),),
    backend="opencv",
    backend_title="Line segments, OpenCV",
    quality=0.8,
    examples=(
        "Straighten this, the horizon is crooked",
        "Level the horizon in beach.jpg",
        "The building leans to the left, make it upright",
    ),
    words=("straighten", "level the horizon", "slanted", "tilted horizon", "leaning", "askew", "lopsided"),
    icon="ruler",
)  # fmt: skip
def straighten(image: Image, *, context: RunContext) -> Image:
    """The largest upright rectangle of the same proportions in the picture, turned by the tilt that most long lines
    near the level and the upright have, at most 20 degrees (`nodes/_support/vision/tilt.py`). Alpha is kept. Where no
    lines agree, the picture as it was, and a note says so.
    """
    found = tilt.of_lines(image)
    if found is None:
        context.tell("no horizon and no upright lines were found: the picture stays as it is")
        return image.copy()
    if abs(found) < _LEVEL:
        context.tell("the picture is level already")
        return image.copy()
    return turning.without_corners(image, found)
