"""Make a picture from a soft edge map and a description."""

from __future__ import annotations

from nodes._support.inference import control
from nodes.api import Image, Port, ResourceType, SoftEdge


@control.to_image(
    Port("soft_edge", ResourceType.SOFT_EDGE, "soft edges, white on black"),
    task="soft edge to image",
    title="Soft edges to image",
    description="Makes a new picture of what a text describes along the soft outlines of a soft edge map (HED).",
    examples=(
        "Make a picture of a marble statue from this soft edge map",
        "Generate an image of a wolf from the soft edges of dog.jpg",
    ),
    words=("soft edge to image", "hed to image", "soft outlines to picture", "controlnet hed"),
)
def soft_edge_to_image(soft_edge: SoftEdge) -> Image:
    """The ControlNet learned from such maps."""
    return soft_edge
