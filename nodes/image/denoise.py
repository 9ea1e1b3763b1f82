"""Take grain and noise out of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, filtered, in_tiles, luminance, smooth, to_bytes
from nodes._support.inference import onnx_pictures
from nodes.api import Family, Image, Mask, Number, Port, ResourceType, RunContext, backend_of, tool

_DOTS, _BETWEEN_DOTS = 60.0, 1.2
"""More than 50 is not measured of the strongest noise: these are dots of black and white, as in faxes (126 to 189), of
which non-local means keep the dark ones. A blur of so many pixels makes greys of them."""


@tool(
    id="denoise",
    title="Denoise picture",
    domain="image",
    description="Removes noise and grain from a picture and keeps its edges; measures how noisy it is.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is cleaned", default=None),
        Port(
            "strength",
            ResourceType.NUMBER,
            "against the measured noise",
            default=1.0,
            minimum=0.1,
            maximum=5,
            question="How strong should it be? 1 is usual.",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with less noise"),),
    backend="nlmeans",
    backend_title="OpenCV non-local means",
    quality=0.6,
    examples=("Remove the noise from this photo", "Denoise the image", "This night picture is grainy, clean it up"),
    words=("denoise the picture", "noisy photo", "grainy", "grain", "image noise"),
    icon="sparkles",
)
def denoise(image: Image, mask: Mask | None = None, strength: Number = 1.0, context: RunContext = SILENT) -> Image:
    """Non-local means of lightness and colour (Buades, Coll and Morel 2005) in tiles, by `strength` times the noise.

    A picture without measurable noise comes back as it was; one of black and white dots in grey. Alpha is kept. Raises
    NodeError naming `mask`.
    """
    noise = noise_of(image[:, :, :3])
    if noise > _DOTS:
        return filtered(image, mask, lambda rgb: to_bytes(smooth(rgb.astype(np.float32), _BETWEEN_DOTS)))
    sigma = noise * strength
    if sigma < 0.5:
        return filtered(image, mask, np.copy)
    return filtered(image, mask, lambda rgb: in_tiles(rgb, lambda tile: _cleaned(tile, sigma), 14, context, 512))


@backend_of(denoise, families=(Family("onnx restoration", "denoise", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, mask: Mask | None, *, context: RunContext) -> Image:
    """As the network cleans it, by however much noise it sees itself. Alpha is kept. Raises NodeError naming `mask`."""
    return filtered(image, mask, lambda rgb: onnx_pictures.restored(rgb, context, 256, 32))


def noise_of(rgb: np.ndarray) -> float:
    """Standard deviation of the noise in levels of 255, by the method of Immerkaer (CVIU 1996), robustly.

    The Laplacian difference is measured as a median over the picture, so that edges hardly count.
    """
    import cv2

    if min(rgb.shape[:2]) < 3:
        return 0.0
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    middle = rgb[:4096, :4096]
    answer = cv2.filter2D(luminance(np.ascontiguousarray(middle)), cv2.CV_32F, kernel)[1:-1, 1:-1]
    return float(np.median(np.abs(answer)) / 0.6745 / 6)


def _cleaned(rgb: np.ndarray, sigma: float) -> np.ndarray:
    import cv2

    light = sigma * min(1.5, 0.6 + 0.04 * sigma)  # faint noise is mostly texture of the picture itself
    return cv2.fastNlMeansDenoisingColored(rgb, None, light, light + 0.5 * sigma, 5, 17)
