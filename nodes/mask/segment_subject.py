"""Select what a picture is of: the people, or the main object."""

from __future__ import annotations

from nodes._support.imaging.pixels import SILENT
from nodes._support.inference import onnx_pictures
from nodes._support.vision.foreground import main_object
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Image, Mask, Port, ResourceType, RunContext, backend_of, tool


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
    does="finds front",
    icon="focus",
    result="mask",
)
def segment_subject(image: Image, context: RunContext = SILENT) -> Mask:
    """uint8 (height, width), soft at the edges; where that is doubtful it is told. NodeError naming `image` where none
    stands out: see `main_object`."""
    return main_object(opaque(image), "image", context)


@backend_of(segment_subject, families=(Family("onnx matte", "remove background", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, *, context: RunContext) -> Mask:
    """What the network takes for the object, of any kind, before any background."""
    return onnx_pictures.matte(opaque(image), context, "image")
