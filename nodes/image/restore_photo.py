"""Restore an old or damaged photo, or the faces in one."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import repainting
from nodes._support.vision import people
from nodes.api import DIFFUSERS, Box, Family, Image, Integer, NodeError, Port, ResourceType, RunContext, Text, tool

_WISHES = {
    "photo": "Restore this old photograph: remove scratches, dust, stains and noise, make it sharp, and change nothing "
    "else in it.",
    "faces": "Restore this blurred or damaged face: make it sharp and clear, and keep who it is, the expression, the "
    "light and everything else.",
}
_AROUND = 0.4
"""So much of a face's size around it is painted with it: hair and chin are part of it."""


@tool(
    id="restore_photo",
    title="Restore photo",
    domain="image",
    description="Restores an old, damaged or blurred photo: the whole of it, or the faces in it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the photo"),
        Port(
            "part",
            ResourceType.TEXT,
            "what is restored",
            default="photo",
            choices=("photo", "faces"),
            question="Which part should be restored?",
        ),
        repainting.SEED,
        repainting.STEPS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the restored photo"),),
    families=(Family("diffusers pipeline", "edit by instruction", DIFFUSERS),),
    examples=("Restore the old photo", "Repair this damaged photograph", "Restore the faces in family.jpg"),
    words=("restore", "repair the photo", "old photograph", "face restoration", "restore the faces", "scratches"),
    icon="sparkles",
)
def restore_photo(
    image: Image, part: Text = "photo", seed: Integer = 0, steps: Integer | None = None, *, context: RunContext
) -> Image:
    """As large as the photo; alpha stays. What was lost is guessed: a restored face may be another person's.

    Of "faces" each is painted by itself at the model's size and put back with a soft edge; all else stays as it was.
    NodeError naming `image` when there is no face.
    """
    wish = repainting.Wish(_WISHES[part], seed=seed, steps=steps)
    if part == "photo":
        return repainting.anew(image, wish, context, "")
    found = people.faces(image)
    if not found:
        raise NodeError("There is no face in the picture.", "image", "Restore the whole photo.")
    for box in found:
        image = repainting.put_back(image, _around(box, image), lambda rgb, _: repainting.anew(rgb, wish, context, ""))
    return image


def _around(box: Box, image: np.ndarray) -> np.ndarray:
    """The oval around a face as a mask."""
    import cv2

    mask = np.zeros(image.shape[:2], np.uint8)
    middle = round((box.x0 + box.x1) / 2), round((box.y0 + box.y1) / 2)
    half = [max(1, round(side * (0.5 + _AROUND / 2))) for side in (box.x1 - box.x0, box.y1 - box.y0)]
    return cv2.ellipse(mask, middle, half, 0, 0, 360, 255, -1)
