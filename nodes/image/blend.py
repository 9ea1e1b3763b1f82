"""Mix two pictures into one."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import bands, cover, to_bytes, with_alpha
from nodes.api import Image, Number, Port, ResourceType, tool


@tool(
    id="blend",
    title="Blend",
    domain="image",
    description="Blends two pictures into one, as in a double exposure.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the first picture; the result has its size"),
        Port("other", ResourceType.IMAGE, "the second picture; scaled and cut to the size of the first"),
        Port(
            "amount",
            ResourceType.NUMBER,
            "share of the second picture",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How much of the second picture should be seen, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the mixture"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Blend these two pictures", "Make a double exposure of a.jpg and b.jpg", "Mix both photos half and half"),
    words=("blend", "double exposure", "mix the pictures", "morph", "cross-fade two pictures"),
    icon="blend",
)
def blend(image: Image, other: Image, amount: Number = 0.5) -> Image:
    """(1 - `amount`) of the first plus `amount` of the second. With alpha when one of them has."""
    second = cover(other, image.shape[1], image.shape[0])
    first = image
    if 4 in (first.shape[2], second.shape[2]):
        first, second = with_alpha(first), with_alpha(second)
    result = np.empty_like(first)
    for band in bands(first.shape):
        result[band] = _mixed(first[band].astype(np.float32), second[band].astype(np.float32), amount)
    return result


def _mixed(first: np.ndarray, second: np.ndarray, amount: float) -> np.ndarray:
    if first.shape[2] == 3:
        return to_bytes(first * (1 - amount) + second * amount)
    shares = first[:, :, 3:] * (1 - amount), second[:, :, 3:] * amount  # a clear pixel has no colour to give
    alpha = shares[0] + shares[1]
    colour = (first[:, :, :3] * shares[0] + second[:, :, :3] * shares[1]) / np.maximum(alpha, 1e-6)
    return to_bytes(np.dstack((colour, alpha)))
