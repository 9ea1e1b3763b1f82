"""Repaint a picture in watercolour."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, bands, filtered, smooth, to_bytes, unit
from nodes.api import Image, Mask, Number, Port, ResourceType, RunContext, tool


@tool(
    id="watercolour",
    title="Watercolour",
    domain="image",
    description="Turns a picture into a watercolour with soft washes, darker rims and paper grain.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is painted", default=None),
        Port(
            "wetness",
            ResourceType.NUMBER,
            "how far the colours run",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the watercolour"),),
    backend="opencv",
    backend_title="Mean shift and paper",
    quality=0.5,
    examples=("Turn this into a watercolour", "Make a watercolor painting of photo.jpg", "Paint it in watercolors"),
    words=("watercolour", "watercolor", "aquarelle", "wash"),
    icon="paintbrush",
)
def watercolour(image: Image, mask: Mask | None = None, wetness: Number = 0.5, context: RunContext = SILENT) -> Image:
    """Washes by edge-keeping smoothing, wobbly as on wet paper, pigment gathered at their rims, on grainy paper.

    After Bousseau et al., "Interactive watercolor rendering" (NPAR 2006), much simplified. Widths follow the
    picture's size; the paper is the same every time. Alpha is kept. Raises NodeError naming `mask`.
    """
    return filtered(image, mask, lambda rgb: _painted(rgb, wetness, context))


def _painted(rgb: np.ndarray, wetness: float, context: RunContext) -> np.ndarray:
    import cv2

    context.progress(0.0, "washes")
    height, width = rgb.shape[:2]
    scale = min(1.0, (1_500_000 / (height * width)) ** 0.5)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    wash = _washed(small, wetness).astype(np.float32)
    rims = _rims(wash)
    if scale < 1:
        wash, rims = (cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC) for part in (wash, rims))
    grain, cloud = _paper((height, width), unit(rgb, 0.0016, 0.5)), _paper((height, width), unit(rgb, 0.05, 1))
    context.progress(0.6, "pigment and paper")
    result = np.empty_like(rgb)
    for band in bands(rgb.shape):
        density = 0.55 * rims[band] + 0.22 * (grain[band] - 0.5) + 0.5 * (cloud[band] - 0.5)
        light = np.clip(wash[band] / 255, 0.02, 1)
        light -= (light - light * light) * density[:, :, None]  # pigment density, ibid. section 4
        result[band] = to_bytes(255 * (0.04 + 0.96 * light) * (0.985 + 0.03 * (grain[band] - 0.5))[:, :, None])
    return result


def _washed(rgb: np.ndarray, wetness: float) -> np.ndarray:
    """Flat, slightly wobbly regions of clear colour."""
    import cv2

    height, width = rgb.shape[:2]
    reach = unit(rgb, 0.004 + 0.008 * wetness, least=1)
    flat = cv2.edgePreservingFilter(rgb, flags=cv2.RECURS_FILTER, sigma_s=min(200, 4 * reach), sigma_r=0.35)
    flat = cv2.medianBlur(flat, min(31, 2 * int(reach / 2) + 1))
    wobble = unit(rgb, 0.006, least=0.5) * (0.5 + wetness)
    down, across = (_paper((height, width), unit(rgb, 0.02, least=1), seed) - 0.5 for seed in (1, 2))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    flat = cv2.remap(flat, x + across * wobble, y + down * wobble, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    hsv = cv2.cvtColor(flat, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[:, :, 1] *= 1.15
    hsv[:, :, 2] = 255 * (hsv[:, :, 2] / 255) ** 0.75
    return cv2.cvtColor(to_bytes(hsv), cv2.COLOR_HSV2RGB)


def _rims(wash: np.ndarray) -> np.ndarray:
    """Where pigment gathers: along the edges of the washes, 0..1."""
    import cv2

    soft = smooth(wash.mean(axis=2), unit(wash, 0.0015, least=0.5))
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.clip(slope / 90, 0, 1)


def _paper(shape: tuple[int, int], size: float, seed: int = 0) -> np.ndarray:
    """Smooth noise with bumps of about `size` pixels, 0..1."""
    import cv2

    few = max(2, round(shape[0] / size)), max(2, round(shape[1] / size))
    noise = np.random.default_rng(seed).random(few, np.float32)
    return np.clip(cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC), 0, 1)
