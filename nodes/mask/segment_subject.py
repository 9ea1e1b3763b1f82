"""Select what a picture is of: the people, or the main object."""

from __future__ import annotations

from nodes._support.foreground import main_object
from nodes._support.seeing import opaque
from nodes.api import Image, Mask, Port, ResourceType, tool


@tool(
    id="segment_subject",
    title="Select the subject",
    domain="mask",
    description="Selects what is in front in a picture, the people or the main object, apart from the background.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("mask", ResourceType.MASK, "the people, or else the main object"),),
    backend="grabcut",
    backend_title="MediaPipe, or OpenCV GrabCut",
    quality=0.6,
    examples=(
        "Select the subject of the photo",
        "Make a mask of the person in front",
        "Separate the foreground from the background",
    ),
    words=("subject", "foreground", "main object", "the person in front", "portrait mode", "subject mask"),
    icon="focus",
    result="mask",
)
def segment_subject(image: Image) -> Mask:
    """uint8 (height, width), soft at the edges. NodeError naming `image` where none stands out: see `main_object`."""
    return main_object(opaque(image), "image")
