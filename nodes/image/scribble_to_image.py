"""Make a picture from a scribble and a description."""

from __future__ import annotations

from nodes._support.inference import control
from nodes.api import Image, Port, ResourceType, Scribble


@control.to_image(
    Port("scribble", ResourceType.SCRIBBLE, "strokes, white on black"),
    task="scribble to image",
    title="Scribble to image",
    description="Makes a new picture of what a text describes from a scribble or rough sketch of it.",
    examples=(
        "Turn the scribble into a photo of a dog",
        "Make a picture of a castle from this scribble",
        "Generate an image of a sailing boat from my scribble",
    ),
    words=("scribble to image", "sketch to picture", "doodle to picture", "controlnet scribble"),
)
def scribble_to_image(scribble: Scribble) -> Image:
    """The ControlNet learned from such maps."""
    return scribble
