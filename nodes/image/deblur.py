"""Undo a slight blur in a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging import blur_width
from nodes._support.imaging.pixels import SILENT, filtered, in_tiles, to_bytes
from nodes._support.inference import onnx_pictures
from nodes.api import Family, Image, Mask, Number, Port, ResourceType, RunContext, backend_of, tool

_MOST = 8.0
NO_DEFOCUS = "No blur of a wrong focus was found, at most that of a moving camera: the picture stays as it is."


@tool(
    id="deblur",
    title="Deblur",
    domain="image",
    description="Deblurs a slightly out-of-focus picture by undoing a soft blur of known width.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the blurred picture"),
        Port("mask", ResourceType.MASK, "only this part is deblurred", default=None),
        Port(
            "radius",
            ResourceType.NUMBER,
            "width of the blur to undo; measured when left empty",
            default=None,
            minimum=0.3,
            maximum=10,
            unit="px",
            question="How wide is the blur that should go, in pixels?",
        ),
        Port(
            "noise",
            ResourceType.NUMBER,
            "how noisy the picture is; more gives fewer ripples and less detail",
            default=0.003,
            minimum=0.0001,
            maximum=0.5,
            advanced=True,
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the deblurred picture"),),
    backend="wiener",
    backend_title="Wiener filter",
    quality=0.35,
    examples=("Deblur this photo", "My picture is out of focus, fix it", "Fix the blurry picture"),
    words=("deblur", "fix blurry", "unblur", "refocus", "fix the focus"),
    icon="focus",
)
def deblur(
    image: Image,
    mask: Mask | None = None,
    radius: Number | None = None,
    noise: Number = 0.003,
    context: RunContext = SILENT,
) -> Image:
    """Wiener deconvolution of the lightness, for a Gaussian blur with standard deviation `radius`.

    Left empty, that is measured; where none is found, or the streaks of a moving camera, the picture stays as it is,
    which is told. Alpha is kept. Raises NodeError naming `mask`.
    """
    if radius is None:
        blur = blur_width.measured(image[:, :, :3])
        if blur.is_streaked or not blur.radius:
            context.tell(NO_DEFOCUS)
            return filtered(image, mask, np.copy)
        radius = min(blur.radius, _MOST)
    overlap = int(6 * radius) + 16
    change = lambda tile: _restored(tile, radius, noise)  # noqa: E731
    return filtered(image, mask, lambda rgb: in_tiles(rgb, change, overlap, context))


@backend_of(deblur, families=(Family("onnx restoration", "deblur", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, mask: Mask | None, *, context: RunContext) -> Image:
    """As the network sharpens it, the streaks of a moving camera too. Alpha is kept. Raises NodeError naming `mask`."""
    return filtered(image, mask, lambda rgb: onnx_pictures.restored(rgb, context, 768, 128))


def _restored(rgb: np.ndarray, radius: float, noise: float) -> np.ndarray:
    import cv2
    from scipy import fft

    colours = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2YCrCb)
    height, width = rgb.shape[:2]
    margin = int(6 * radius) + 8
    shape = tuple(int(fft.next_fast_len(side + 2 * margin, real=True) or side) for side in (height, width))
    rows = np.pad(np.arange(height), (margin, shape[0] - height - margin), "symmetric")
    columns = np.pad(np.arange(width), (margin, shape[1] - width - margin), "symmetric")
    down, across = np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1])[None, :]
    blurred = np.exp(-2 * (np.pi * radius) ** 2 * (down**2 + across**2)).astype(np.float32)
    detail = 1 + 20 * (down**2 + across**2)  # pictures have less energy in fine detail, noise has not
    inverse = blurred / (blurred**2 + noise * detail.astype(np.float32))
    inverse /= inverse[0, 0]  # the mean brightness stays
    light = np.asarray(fft.irfft2(fft.rfft2(colours[rows[:, None], columns, 0]) * inverse, shape))
    colours[:, :, 0] = light[margin : margin + height, margin : margin + width]
    return to_bytes(cv2.cvtColor(colours, cv2.COLOR_YCrCb2RGB) * 255)
