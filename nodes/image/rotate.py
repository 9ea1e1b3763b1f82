"""Turn a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_pixels, colour_of
from nodes._support.imaging.turning import turned
from nodes.api import Flag, Image, Number, Port, ResourceType, Text, tool

_SIGN = {"right": -1, "clockwise": -1, "left": 1, "counterclockwise": 1}


@tool(
    id="rotate",
    title="Rotate",
    domain="image",
    description="Rotates a picture by any number of degrees to the right or left, or turns it upside down.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "direction",
            ResourceType.TEXT,
            "which way; right is clockwise. Upside down is half a turn, whatever the degrees",
            default="right",
            choices=(*_SIGN, "upside down"),
            offered=("left", "right", "upside down"),
            question="Which way should it be turned?",
        ),
        Port(
            "degrees",
            ResourceType.NUMBER,
            "angle",
            default=90.0,
            minimum=-360,
            maximum=360,
            unit="degrees",
            offered=(90, 180, 270),
            question="How many degrees should it be turned?",
        ),
        Port("expand", ResourceType.FLAG, "grow the picture so that no corner is cut off", default=True),
        Port("colour", ResourceType.TEXT, "of the empty corners; or transparent", default="white", advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the turned picture"),),
    backend="pillow",
    backend_title="Pillow bicubic",
    quality=1.0,
    examples=(
        "Rotate the picture 90 degrees left",
        "Turn this photo by 45 degrees clockwise",
        "Turn scan.png upside down",
        "Rotate it to the right",
    ),
    words=("rotate", "turn around", "tilt", "upside down", "clockwise", "counterclockwise"),
    icon="rotate-cw",
)
def rotate(
    image: Image, direction: Text = "right", degrees: Number = 90.0, expand: Flag = True, colour: Text = "white"
) -> Image:
    """Turned about the middle. Quarter turns only move pixels; other angles interpolate (bicubic).

    Empty corners get `colour`, or are transparent when it is "transparent" or the picture has alpha already.
    Raises NodeError naming `colour`, or `degrees` when the result would be too large.
    """
    angle = 180.0 if direction == "upside down" else degrees * _SIGN[direction] % 360  # counter-clockwise
    if angle % 180 == 0 or (angle % 90 == 0 and expand):
        return np.ascontiguousarray(np.rot90(image, round(angle / 90)))
    if expand:
        height, width = image.shape[:2]
        across, down = abs(np.cos(np.deg2rad(angle))), abs(np.sin(np.deg2rad(angle)))
        check_pixels(round(width * across + height * down), round(width * down + height * across), "degrees")
    clear = colour.strip().lower() == "transparent" or image.shape[2] == 4
    return turned(image, angle, expand, None if clear else colour_of(colour))
