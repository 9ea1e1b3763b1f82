"""Put the object of a picture in front of another background."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.layout import canvas
from nodes._support.imaging.pixels import SILENT, check_selected, colour_of, cover, mix, on_colour, split_alpha
from nodes._support.inference import onnx_pictures
from nodes._support.vision.foreground import clean_edge, main_object
from nodes.api import Family, Image, Mask, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="replace_background",
    title="Replace background",
    domain="image",
    description="Replaces the background behind an object with another picture or a plain colour.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture with the object"),
        Port("background", ResourceType.IMAGE, "the new background; a plain colour when left empty", default=None),
        Port("mask", ResourceType.MASK, "the object to keep; it is looked for when left empty", default=None),
        Port(
            "colour",
            ResourceType.TEXT,
            "of the new background, when there is no picture for it",
            default="white",
            question="Which colour should it have?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the object on its new background"),),
    backend="grabcut",
    backend_title="Mask, MediaPipe, or OpenCV GrabCut",
    quality=0.6,
    examples=(
        "Replace the background with beach.jpg",
        "Put the person in front of a blue background",
        "Change the background of this photo to white",
        "Use the second picture as background",
    ),
    words=(
        "replace the background",
        "change the background",
        "new background",
        "white background",
        "different background",
        "green screen",
    ),
    icon="image",
)
def replace_background(
    image: Image,
    background: Image | None = None,
    mask: Mask | None = None,
    colour: Text = "white",
    context: RunContext = SILENT,
) -> Image:
    """RGB of the size of `image`; the new background is scaled and cut to it. Inside the mask nothing changes.

    A picture that is partly transparent needs no mask: its alpha tells the object. Raises NodeError naming `mask`
    or `colour`.
    """
    rgb, old = split_alpha(image)
    if mask is not None:
        check_selected(mask, image)
        alpha = mask if old is None else np.minimum(mask, old)
    elif old is not None and old.min() < 255:
        alpha = old
    else:
        alpha = main_object(rgb, "mask", context)
    height, width = rgb.shape[:2]
    if background is None:
        behind = canvas(width, height, colour_of(colour))
    else:
        behind = on_colour(cover(background, width, height), (255, 255, 255))
    return mix(behind, clean_edge(rgb, alpha), alpha)


@backend_of(
    replace_background, families=(Family("onnx matte", "remove background", onnx_pictures.RUNTIME, device="cpu"),)
)
def by_model(image: Image, background: Image | None, mask: Mask | None, colour: Text, *, context: RunContext) -> Image:
    """As `replace_background`; where neither a mask nor alpha tells the object, the network does."""
    rgb, old = split_alpha(image)
    if mask is None and (old is None or old.min() == 255):
        mask = onnx_pictures.matte(rgb, context)
    return replace_background(image, background, mask, colour, context)
