"""Make a picture from a map of straight lines and a description."""

from __future__ import annotations

from nodes._support.inference import control
from nodes.api import Image, Line, Port, ResourceType


@control.to_image(
    Port("line", ResourceType.LINE, "straight lines, white on black"),
    task="line to image",
    title="Lines to image",
    description="Makes a new picture of what a text describes along the straight lines of a line map.",
    examples=(
        "Make a picture of a modern kitchen from this line map",
        "Generate an image of an office building with the straight lines of house.jpg",
    ),
    words=("line map to image", "mlsd to image", "straight lines to picture", "controlnet mlsd"),
)
def line_to_image(line: Line) -> Image:
    """The ControlNet learned from such maps."""
    return line
