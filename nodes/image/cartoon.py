"""Redraw a picture as a cartoon."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, bands, filtered, smooth, to_bytes, unit
from nodes.api import Image, Integer, Mask, Port, ResourceType, RunContext, tool


@tool(
    id="cartoon",
    title="Cartoon",
    domain="image",
    description="Turns a picture into a cartoon with flat colours and dark outlines.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is redrawn", default=None),
        Port(
            "tones",
            ResourceType.NUMBER,
            "steps of lightness",
            default=8,
            minimum=3,
            maximum=24,
            integer=True,
            question="How many shades should there be?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the cartoon"),),
    backend="opencv",
    backend_title="Bilateral filter and outlines",
    quality=0.6,
    examples=("Make a cartoon of this photo", "Cartoonify the picture", "Make me look like a comic book character"),
    words=("cartoon", "cartoonify", "comic", "comic book", "animated look", "toon"),
    icon="smile",
)
def cartoon(image: Image, mask: Mask | None = None, tones: Integer = 8, context: RunContext = SILENT) -> Image:
    """Abstraction as in Winnemoeller et al., "Real-time video abstraction" (SIGGRAPH 2006).

    Repeated edge-keeping smoothing, soft steps of lightness, stronger colours, and outlines from a difference of
    Gaussians. Widths follow the picture's size. Alpha is kept. Raises NodeError naming `mask`.
    """
    return filtered(image, mask, lambda rgb: _redrawn(rgb, tones, context))


def _redrawn(rgb: np.ndarray, tones: int, context: RunContext) -> np.ndarray:
    import cv2

    context.progress(0.0, "flattening")
    flat = _flattened(rgb)
    context.progress(0.5, "drawing outlines")
    width = unit(rgb, 0.0017, least=0.6)
    light = cv2.cvtColor(flat, cv2.COLOR_RGB2LAB)[:, :, 0].astype(np.float32)
    fine, broad = smooth(light, width), smooth(light, width * 1.6)
    context.progress(0.8, "colouring")
    for band in bands(rgb.shape):
        lines = 0.15 + 0.85 * np.clip(1 + np.tanh(0.55 * (fine[band] - 0.985 * broad[band] + 0.4)), 0, 1)
        flat[band] = to_bytes(_stepped(flat[band], tones) * lines[:, :, None])
    return flat


def _stepped(rgb: np.ndarray, tones: int) -> np.ndarray:
    """Lightness in soft steps, colours a quarter stronger."""
    import cv2

    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB).astype(np.float32)
    step = 255 / tones
    nearest = np.floor(lab[:, :, 0] / step) * step + step / 2
    lab[:, :, 0] = nearest + step / 2 * np.tanh((lab[:, :, 0] - nearest) / step * 5)
    lab[:, :, 1:] = 128 + (lab[:, :, 1:] - 128) * 1.25
    return cv2.cvtColor(to_bytes(lab), cv2.COLOR_LAB2RGB)


def _flattened(rgb: np.ndarray) -> np.ndarray:
    """Smooth inside of regions. Worked out at about a megapixel; edges are put back at full size."""
    import cv2

    height, width = rgb.shape[:2]
    shrink = max(1.0, (height * width / 700_000) ** 0.5)
    size = max(1, round(width / shrink)), max(1, round(height / shrink))
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    diameter = int(unit(small, 0.012, least=2)) | 1
    for _ in range(4):
        small = cv2.bilateralFilter(small, diameter, 28, diameter)
    if shrink == 1:
        return small
    return _upsampled(small, rgb)


def _upsampled(small: np.ndarray, rgb: np.ndarray) -> np.ndarray:
    """`small` at the size of `rgb`, with the edges of `rgb`: locally a straight line of its lightness."""
    import cv2

    size = rgb.shape[1::-1]
    guide = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32)
    low = cv2.resize(guide, small.shape[1::-1], interpolation=cv2.INTER_AREA)[:, :, None]
    values = small.astype(np.float32)
    box = (5, 5)
    mean_low, mean = cv2.blur(low, box)[:, :, None], cv2.blur(values, box)
    variance = cv2.blur(low * low, box)[:, :, None] - mean_low**2
    slope = (cv2.blur(low * values, box) - mean_low * mean) / (variance + 30.0)
    start = mean - slope * mean_low
    slope, start = cv2.resize(cv2.blur(slope, box), size), cv2.resize(cv2.blur(start, box), size)
    result = np.empty_like(rgb)
    for band in bands(rgb.shape):
        result[band] = to_bytes(slope[band] * guide[band, :, None] + start[band])
    return result
