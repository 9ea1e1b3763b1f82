"""Darken the corners of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import bands, join_alpha, split_alpha, to_bytes
from nodes.api import Image, Number, Port, ResourceType, tool


@tool(
    id="vignette",
    title="Vignette",
    domain="image",
    description="Darkens a picture softly towards its corners, which draws the eye to the middle.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "strength",
            ResourceType.NUMBER,
            "1 makes the corners black",
            default=0.6,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with dark corners"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Add a vignette to this photo", "Darken the corners of the picture"),
    words=("vignette", "dark corners", "dark edges", "vignetting"),
    icon="aperture",
)
def vignette(image: Image, strength: Number = 0.6) -> Image:
    """Full brightness in the middle, 1 - `strength` in the corners, smooth between. Alpha is kept."""
    rgb, alpha = split_alpha(image)
    height, width = rgb.shape[:2]
    across = ((np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1) ** 2
    down = ((np.arange(height, dtype=np.float32) + 0.5) / height * 2 - 1) ** 2
    result = np.empty_like(rgb)
    for band in bands(rgb.shape):
        away = (down[band, None] + across) / 2  # 0 in the middle, 1 in a corner
        light = 1 - strength * away**1.3
        result[band] = to_bytes(rgb[band] * light[:, :, None])
    return join_alpha(result, alpha)
