"""Make a picture from a depth map and a description."""

from __future__ import annotations

from nodes._support.inference import control
from nodes.api import Depth, Image, Port, ResourceType


@control.to_image(
    Port("depth", ResourceType.DEPTH, "how near each place is, white = near"),
    task="depth to image",
    title="Depth to image",
    description="Makes a new picture of what a text describes in the space and shapes of a depth map.",
    examples=(
        "Make a picture of a snowy forest from this depth map",
        "Generate an image of a cosy kitchen with the depth of this room",
    ),
    words=("depth map to image", "depth to picture", "controlnet depth", "same layout"),
)
def depth_to_image(depth: Depth) -> Image:
    """The ControlNet learned from such maps."""
    return depth
