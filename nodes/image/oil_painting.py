"""Repaint a picture in oil."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, filtered, in_tiles, luminance, to_bytes, unit
from nodes.api import Image, Mask, Number, Port, ResourceType, RunContext, tool

_TONES = 14


@tool(
    id="oil_painting",
    title="Oil painting",
    domain="image",
    description="Turns a picture into an oil painting with visible dabs of paint.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is painted", default=None),
        Port(
            "brush",
            ResourceType.NUMBER,
            "width of the brush against the usual",
            default=1.0,
            minimum=0.3,
            maximum=5,
            question="How strong should it be? 1 is usual.",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the painting"),),
    backend="opencv",
    backend_title="Most common tone",
    quality=0.5,
    examples=(
        "Turn this photo into an oil painting",
        "Paint the picture in oil",
        "Make it look like a painting by Van Gogh",
    ),
    words=("oil painting", "painting", "painted", "brush strokes", "impressionist"),
    icon="brush",
)
def oil_painting(image: Image, mask: Mask | None = None, brush: Number = 1.0, context: RunContext = SILENT) -> Image:
    """Each pixel takes the mean colour of the most common tone under a round brush, then light falls on the paint.

    The brush follows the picture's size. Alpha is kept. Raises NodeError naming `mask`.
    """
    radius = max(1, round(unit(image, 0.007) * brush))
    paint = lambda tile: _painted_small(tile, radius)  # noqa: E731
    return filtered(image, mask, lambda rgb: in_tiles(rgb, paint, 3 * radius + 4, context))


def _painted_small(rgb: np.ndarray, radius: int) -> np.ndarray:
    """With a wide brush there is no detail to lose: painted smaller, with a brush of about ten pixels."""
    import cv2

    shrink = radius // 10
    if shrink < 2 or min(rgb.shape[:2]) < shrink:
        return _painted(rgb, radius)
    size = max(1, rgb.shape[1] // shrink), max(1, rgb.shape[0] // shrink)
    small = _painted(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), max(1, round(radius / shrink)))
    return cv2.resize(small, rgb.shape[1::-1], interpolation=cv2.INTER_CUBIC)


def _painted(rgb: np.ndarray, radius: int) -> np.ndarray:
    import cv2

    light = cv2.GaussianBlur(luminance(rgb), (0, 0), max(0.5, radius / 4))
    tone = np.minimum((light * (_TONES / 256)).astype(np.int32), _TONES - 1)
    most = np.zeros(light.shape, np.float32)
    colour = np.zeros((*light.shape, 3), np.float32)
    for number in range(_TONES):
        here = (tone == number).astype(np.float32)
        if not here.any():
            continue
        sums = _under_brush(np.dstack((rgb * here[:, :, None], here)), radius)
        share = sums[:, :, 3] ** 6  # soft vote: neighbouring tones do not tear
        colour += sums[:, :, :3] / np.maximum(sums[:, :, 3:], 1e-6) * share[:, :, None]
        most += share
    colour /= np.maximum(most, 1e-12)[:, :, None]
    return _lit(colour, radius)


def _under_brush(values: np.ndarray, radius: int) -> np.ndarray:
    """Mean under a round brush: two box means one over the other are near enough and quick."""
    import cv2

    side = 2 * radius + 1
    first = cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT)
    return cv2.blur(first, (radius | 1, radius | 1), borderType=cv2.BORDER_REFLECT)


def _lit(colour: np.ndarray, radius: int) -> np.ndarray:
    """A little relief, as of thick paint under light from the top left, and stronger colours."""
    import cv2

    light = colour.mean(axis=2)
    relief = cv2.GaussianBlur(light, (0, 0), max(0.5, radius / 5))
    shift = max(1, round(radius / 5))
    slope = relief - np.roll(relief, (shift, shift), axis=(0, 1))
    slope[:shift], slope[:, :shift] = 0, 0
    colour = light[:, :, None] + (colour - light[:, :, None]) * 1.2
    return to_bytes(colour + np.clip(slope * 0.35, -14, 14)[:, :, None])
