"""Blur a picture, or the part of it under a mask."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_mask, filtered, smooth, to_bytes
from nodes._support.vision import people
from nodes.api import Image, Mask, Number, Port, ResourceType, tool

_RADIUS = 8.0


@tool(
    id="blur",
    title="Blur",
    domain="image",
    description="Blurs a whole picture softly, or only the part of it under a mask.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is blurred", default=None),
        Port(
            "radius",
            ResourceType.NUMBER,
            "strength; 8, or enough to hide a face under the mask, when left empty",
            default=None,
            minimum=0.1,
            maximum=200,
            unit="px",
            usual=_RADIUS,
            question="How strong should the blur be, in pixels?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the blurred picture"),),
    backend="opencv",
    backend_title="OpenCV Gaussian",
    quality=0.9,
    examples=("Blur this picture", "Make the background of photo.jpg blurry", "Blur the faces"),
    words=("blurry", "soften", "out of focus", "unsharp background", "bokeh", "gaussian blur"),
    icon="droplet",
    does="hides",
)
def blur(image: Image, mask: Mask | None = None, radius: Number | None = None) -> Image:
    """Gaussian blur with a standard deviation of `radius` pixels. Alpha is kept as it was.

    Left empty it is 8 pixels, and for a mask over faces so many that none is found there any more.

    Under a mask only what is selected is mixed, so that a sharp object leaves no halo in its blurred background.
    Returns uint8 of the same shape. Soft edges of the mask blend. Raises NodeError naming `mask`.
    """
    strength = radius or _RADIUS
    if mask is None or not mask.any():
        return filtered(image, mask, lambda rgb: smooth(rgb, strength))
    check_mask(mask, image)
    result = _under(image, mask, strength)
    while radius is None and strength < min(image.shape[:2]) and people.seen_under(result, mask):
        strength *= 1.4
        result = _under(image, mask, strength)
    return result


def _under(image: np.ndarray, mask: np.ndarray, radius: float) -> np.ndarray:
    """The picture blurred under a mask that is not empty."""
    rows, columns = _around(mask, margin=int(radius) + 1)
    result = image.copy()
    part, selected = image[rows, columns], mask[rows, columns]
    result[rows, columns] = filtered(part, selected, lambda rgb: _blurred_within(rgb, selected, radius))
    return result


def _around(mask: np.ndarray, margin: int) -> tuple[slice, slice]:
    """Rows and columns of the smallest rectangle around the mask, wider by `margin`."""
    y, x = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (
        slice(max(0, int(y[0]) - margin), int(y[-1]) + 1 + margin),
        slice(max(0, int(x[0]) - margin), int(x[-1]) + 1 + margin),
    )


def _blurred_within(rgb: np.ndarray, mask: np.ndarray, radius: float) -> np.ndarray:
    """Each pixel as the Gaussian mean of the selected pixels around it."""
    share = mask.astype(np.float32)[:, :, None] / 255 + 1e-3
    both = smooth(np.dstack((rgb * share, share)), radius)
    return to_bytes(both[:, :, :3] / np.maximum(both[:, :, 3:], 1e-4))
