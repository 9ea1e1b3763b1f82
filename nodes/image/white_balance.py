"""Take a colour cast out of a picture, or make it warmer or cooler."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, in_bands
from nodes.api import Image, Mask, Number, Port, ResourceType, Text, tool

_WARMTH = {"neutral": 0.0, "warmer": 0.35, "cooler": -0.35}


@tool(
    id="white_balance",
    title="White balance",
    domain="image",
    description="Corrects the colour cast of a picture, or makes its colours warmer or cooler.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is changed", default=None),
        Port(
            "tone",
            ResourceType.TEXT,
            "neutral takes the cast out; warmer and cooler start from the colours as they are",
            default="neutral",
            choices=tuple(_WARMTH),
            question="Should it look warmer or cooler?",
        ),
        Port(
            "warmth",
            ResourceType.NUMBER,
            "adds to it: -1 is icy, 1 like candle light",
            default=0.0,
            minimum=-1,
            maximum=1,
            question="How much warmer should it be, from -1 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the corrected picture"),),
    backend="numpy",
    backend_title="Shades of gray",
    quality=0.6,
    examples=("Fix the white balance", "Remove the yellow cast from this photo", "Make the picture warmer"),
    words=("white balance", "colour cast", "color cast", "tint", "too yellow", "too blue", "warmer", "cooler"),
    icon="thermometer",
    result_by="tone",
    result_signs=(("warmth", "cooler", "warmer"),),
)
def white_balance(image: Image, mask: Mask | None = None, tone: Text = "neutral", warmth: Number = 0.0) -> Image:
    """Gains for red and blue, in linear light. Alpha is kept. Raises NodeError naming `mask`.

    "neutral" measures the cast (of the selected part) with the Minkowski mean of order 6, "Shades of Gray" of
    Finlayson and Trezzi (CIC 2004), leaving out clipped pixels, and corrects at most a factor of two.
    """
    gains = np.ones(3, np.float32)
    if tone == "neutral" and warmth == 0:
        gains = _neutral(image[:, :, :3] if mask is None or mask.shape != image.shape[:2] else image[mask > 127, :3])
    shift = float(np.clip(_WARMTH[tone] + warmth, -1, 1))
    gains = gains * np.array([1 + 0.35 * shift, 1, 1 - 0.35 * shift], np.float32)
    return filtered(image, mask, lambda rgb: in_bands(rgb, lambda band: _balanced(band, gains)))


def _neutral(pixels: np.ndarray) -> np.ndarray:
    """The gains that make what is picked gray on the whole; ones when there is nothing to measure."""
    values = pixels.reshape(-1, 3)[:: max(1, pixels.size // 3_000_000)]
    values = values[(values.max(axis=1) < 250) & (values.min(axis=1) > 4)].astype(np.float32)
    if len(values) < 16:
        return np.ones(3, np.float32)
    light = ((values / 255) ** (2.2 * 6)).mean(axis=0) ** (1 / 6)
    return np.clip(light[1] / np.maximum(light, 1e-6), 0.5, 2).astype(np.float32)


def _balanced(rgb: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Gains on linear light, scaled so that the luminance stays about the same."""
    gains = gains / float(gains @ np.array([0.2126, 0.7152, 0.0722], np.float32))
    return rgb * gains ** (1 / 2.2)
