"""Remove what is under a mask from a picture, and fill the place with what is around."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import patch_fill
from nodes._support.imaging.pixels import SILENT, check_selected, join_alpha, split_alpha, unit
from nodes._support.inference import repainting
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    Mask,
    NodeError,
    Number,
    Port,
    ResourceType,
    RunContext,
    backend_of,
    tool,
)

WISH = repainting.Wish("the empty background, continued without a seam", "an object, a person, text")


@tool(
    id="remove_object",
    title="Remove object",
    domain="image",
    description="Removes an object under a mask from a picture and fills the hole so that it looks as if never there.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the object to remove"),
        Port(
            "grow",
            ResourceType.NUMBER,
            "so far around the mask is filled too; follows the picture's size when left empty",
            default=None,
            minimum=0,
            maximum=200,
            unit="px",
            advanced=True,
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture without the object"),),
    backend="patches",
    backend_title="Patches from the surroundings",
    quality=0.6,
    families=(Family("diffusers pipeline", "inpaint", DIFFUSERS),),
    examples=(
        "Remove the dog from this picture",
        "Erase the person in the background",
        "Get rid of the trash can in street.jpg",
        "Take the car out of the photo",
        "Delete the stain on the wall",
    ),
    words=("remove", "erase", "get rid of", "delete", "take away", "wipe out", "inpaint", "clean up the photo"),
    icon="eraser",
    does="hides",
)
def remove_object(image: Image, mask: Mask, grow: Number | None = None, context: RunContext = SILENT) -> Image:
    """Fills the masked part with matching patches of the surroundings (see `nodes._support.imaging.patch_fill`).

    Continues texture, shading and edges; invents nothing that is not elsewhere in the picture. Pixels outside the
    grown mask, and alpha, stay as they were. With a model what may lie behind is painted, which is invented. Raises
    NodeError naming `mask`.
    """
    rgb, alpha = split_alpha(image)
    hole = _hole(image, mask, grow)
    if context.model is not None:
        return repainting.part(image, hole.astype(np.uint8) * 255, WISH, context)
    return join_alpha(patch_fill.fill(rgb, hole, context), alpha)


@backend_of(remove_object, id="telea", title="OpenCV Telea", quality=0.3)
def remove_object_telea(image: Image, mask: Mask, grow: Number | None) -> Image:
    """Telea's inpainting: quick, right for scratches, dust and thin lines; smears wide holes."""
    rgb, alpha = split_alpha(image)
    hole = _hole(image, mask, grow)
    result = rgb.copy()
    result[hole] = patch_fill.smooth_fill(rgb, hole)[hole]
    return join_alpha(result, alpha)


def _hole(image: np.ndarray, mask: np.ndarray, grow: float | None) -> np.ndarray:
    """The mask, soft edges included, grown by `grow` pixels all around, as bool."""
    import cv2

    check_selected(mask, image)
    radius = round(unit(image, 0.007, least=2) if grow is None else grow)
    hole = (mask > 25).astype(np.uint8)
    if radius:
        hole = cv2.dilate(hole, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)))
    if hole.all():
        raise NodeError(
            "The mask covers the whole picture, so there is nothing to fill it from.", "mask", "Select less."
        )
    return hole.astype(bool)
