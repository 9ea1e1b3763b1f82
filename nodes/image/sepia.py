"""Give a picture the brown tone of an old photograph."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, in_bands
from nodes.api import Image, Mask, Number, Port, ResourceType, tool

_LUMINANCE = np.array([0.299, 0.587, 0.114], np.float32)
_DARK, _MIDDLE, _LIGHT = (np.array(tone, np.float32) for tone in ((22, 12, 4), (152, 116, 78), (255, 244, 220)))


@tool(
    id="sepia",
    title="Sepia",
    domain="image",
    description="Gives a picture the warm brown tone of an old photograph.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is toned", default=None),
        Port(
            "strength",
            ResourceType.NUMBER,
            "0 leaves the colours, 1 tones fully",
            default=1.0,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the toned picture"),),
    backend="numpy",
    backend_title="Tone curve",
    quality=1.0,
    examples=(
        "Make it sepia",
        "Give this photo an old-fashioned brown look",
        "Make the picture look like a vintage photo",
    ),
    words=("sepia", "vintage", "old photo look", "antique", "nostalgic", "retro"),
    icon="sun-medium",
)
def sepia(image: Image, mask: Mask | None = None, strength: Number = 1.0) -> Image:
    """Luminance on a curve from dark brown to cream, mixed with the colours by `strength`. Alpha is kept.

    Raises NodeError naming `mask`.
    """
    return filtered(image, mask, lambda rgb: in_bands(rgb, lambda band: _toned(band, strength)))


def _toned(rgb: np.ndarray, strength: float) -> np.ndarray:
    light = (rgb @ _LUMINANCE)[:, :, None] / 127.5 - 1
    toned = np.where(light < 0, _MIDDLE + light * (_MIDDLE - _DARK), _MIDDLE + light * (_LIGHT - _MIDDLE))
    return rgb + strength * (toned - rgb)
