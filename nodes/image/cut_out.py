"""Cut an object out of a picture: everything else becomes transparent."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected, split_alpha
from nodes._support.inference import onnx_pictures
from nodes._support.vision.foreground import clean_edge, main_object
from nodes.api import Family, Image, Mask, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="cut_out",
    title="Cut out",
    domain="image",
    description="Cuts out the object of a picture: removes the background and leaves it transparent.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the object; the main object is looked for when left empty", default=None),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the object on nothing (RGBA)"),),
    backend="grabcut",
    backend_title="Mask, MediaPipe, or OpenCV GrabCut",
    quality=0.6,
    examples=(
        "Remove the background of this picture",
        "Cut out the person",
        "Make the background transparent",
        "Extract the product from the photo as a PNG without background",
    ),
    words=(
        "cut out",
        "cutout",
        "remove the background",
        "transparent background",
        "without background",
        "background removal",
        "sticker",
    ),
    icon="scissors",
)
def cut_out(image: Image, mask: Mask | None = None) -> Image:
    """RGBA of the same size; alpha is the mask (times the alpha there was). Where alpha is full, colours are kept.

    Half-transparent pixels of the edge get the colour of the object beside them, so that no rim of the old
    background remains. Without a mask: one object on a background of few colours. Raises NodeError naming `mask`.
    """
    rgb, old = split_alpha(image)
    if mask is None:
        alpha = main_object(rgb)
    else:
        check_selected(mask, image)
        alpha = mask
    if old is not None:
        alpha = np.rint(alpha.astype(np.float32) * old / 255).astype(np.uint8)
    return np.dstack((clean_edge(rgb, alpha), alpha))


@backend_of(cut_out, families=(Family("onnx matte", "remove background", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, mask: Mask | None, *, context: RunContext) -> Image:
    """As `cut_out`; without a mask, what the network takes for the object, of any kind, before any background."""
    return cut_out(image, onnx_pictures.matte(split_alpha(image)[0], context) if mask is None else mask)
