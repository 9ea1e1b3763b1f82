"""Make edges in a picture crisper."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, in_tiles
from nodes.api import Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="sharpen",
    title="Sharpen",
    domain="image",
    description="Sharpens a picture: makes its edges and fine detail crisper.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is sharpened", default=None),
        Port(
            "amount",
            ResourceType.NUMBER,
            "strength",
            default=0.8,
            minimum=0,
            maximum=5,
            question="How strong should it be? 1 is usual.",
        ),
        Port(
            "radius",
            ResourceType.NUMBER,
            "width of the edges",
            default=1.5,
            minimum=0.3,
            maximum=20,
            unit="px",
            question="How wide should the edges be that are sharpened, in pixels?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the sharpened picture"),),
    backend="opencv",
    backend_title="Unsharp mask",
    quality=0.8,
    examples=("Sharpen this picture", "Make photo.jpg sharper", "Make the eyes crisper"),
    words=("sharper", "crisper", "more detail", "unsharp mask", "crisp"),
    icon="triangle",
)
def sharpen(image: Image, mask: Mask | None = None, amount: Number = 0.8, radius: Number = 1.5) -> Image:
    """Unsharp masking of the lightness with a Gaussian of `radius`; colours do not fringe. Alpha is kept.

    What differs by less than two levels is taken for noise and left alone. Raises NodeError naming `mask`.
    """
    change = lambda tile: _sharpened(tile, amount, radius)  # noqa: E731
    return filtered(image, mask, lambda rgb: in_tiles(rgb, change, overlap=int(4 * radius) + 2))


def _sharpened(rgb: np.ndarray, amount: float, radius: float) -> np.ndarray:
    import cv2

    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)
    light = lab[:, :, 0].astype(np.float32)
    detail = light - cv2.GaussianBlur(light, (0, 0), radius)
    kept = np.sign(detail) * np.maximum(np.abs(detail) - 2, 0)
    lab[:, :, 0] = np.clip(np.rint(light + amount * kept), 0, 255)
    return np.where(kept[:, :, None] == 0, rgb, cv2.cvtColor(lab, cv2.COLOR_LAB2RGB))
