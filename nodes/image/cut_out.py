"""Cut an object out of a picture: everything else becomes transparent."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected, split_alpha
from nodes._support.inference import onnx_pictures
from nodes._support.vision import colour_ground
from nodes._support.vision.foreground import clean_edge, main_object
from nodes.api import Family, Flag, Image, Mask, Phrase, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="cut_out",
    title="Cut out",
    domain="image",
    description="Cuts out the object of a picture: removes the background and leaves it transparent.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the object; the main object is looked for when left empty", default=None),
        Port(
            "transparent_colour",
            ResourceType.TEXT,
            "what becomes transparent instead of a background, from the border of the picture on: the white of a logo",
            default="",
        ),
        Port(
            "everywhere",
            ResourceType.FLAG,
            "that colour inside the object too, such as white letters, not only from the border on",
            default=False,
        ),
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
def cut_out(
    image: Image,
    mask: Mask | None = None,
    transparent_colour: Text = "",
    everywhere: Flag = False,
    *,
    context: RunContext,
) -> Image:
    """RGBA of the same size; alpha is the mask (times the alpha there was). Where alpha is full, colours are kept.

    Half-transparent pixels of the edge get the colour of the object beside them, so that no rim of the old
    background remains. With a colour all is the object that this colour does not surround; one that nowhere reaches the
    border goes everywhere, which is told. Without both: one object on a background of few colours. Raises NodeError
    naming `mask` or `transparent_colour`.
    """
    rgb, old = split_alpha(image)
    alpha = np.full(rgb.shape[:2], 255, np.uint8)
    if mask is not None:
        check_selected(mask, image)
        alpha = mask
    if transparent_colour:
        ground, inside = colour_ground.found(rgb, old, transparent_colour, everywhere, "transparent_colour")
        alpha = np.minimum(alpha, colour_ground.opacity(rgb, ground))
        if inside and not everywhere:
            context.tell(Phrase("{colour} does not reach the border of the picture, so all of it was made transparent.",
                                colour=Phrase(transparent_colour, "colours")))  # fmt: skip
    elif mask is None:
        alpha = main_object(rgb, "mask", context)
    if old is not None:
        alpha = np.rint(alpha.astype(np.float32) * old / 255).astype(np.uint8)
    return np.dstack((clean_edge(rgb, alpha), alpha))


@backend_of(cut_out, families=(Family("onnx matte", "remove background", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(
    image: Image, mask: Mask | None, transparent_colour: Text, everywhere: Flag, *, context: RunContext
) -> Image:
    """As `cut_out`; without a mask or colour, what the network takes for the object, before any background."""
    if mask is None and not transparent_colour:
        mask = onnx_pictures.matte(split_alpha(image)[0], context)
    return cut_out(image, mask, transparent_colour, everywhere, context=context)
