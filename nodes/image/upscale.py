"""Enlarge a picture and keep it crisp."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, check_pixels, join_alpha, resized, split_alpha, to_bytes
from nodes._support.models import models
from nodes.api import Family, Image, Integer, Phrase, Port, ResourceType, RunContext, tool

_TILE, _OVERLAP = 256, 16
"""Pixels of the picture that the model is shown at once, and so many around, which are thrown away."""


@tool(
    id="upscale",
    title="Upscale",
    domain="image",
    description="Upscales a picture to 2, 3 or 4 times its resolution and keeps its edges crisp.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "factor",
            ResourceType.NUMBER,
            "so many times larger",
            default=2,
            minimum=2,
            maximum=4,
            integer=True,
            offered=(2, 3, 4),
            question="How many times larger should it be?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the enlarged picture"),),
    backend="lanczos",
    backend_title="Lanczos, back-projected",
    quality=0.4,
    families=(Family("transformers super resolution", "upscale"),),
    examples=(
        "Upscale this picture 4x",
        "Make the image twice as large",
        "Increase the resolution of photo.jpg",
        "Enlarge this picture",
    ),
    words=("upscale", "enlarge", "super resolution", "higher resolution", "upsample", "bigger", "larger", "hd"),
    icon="maximize",
)
def upscale(image: Image, factor: Integer = 2, context: RunContext = SILENT) -> Image:
    """`factor` times as wide and high, alpha too.

    Lanczos, then corrected until its reduction gives the picture again (Irani and Peleg 1991), which sharpens edges
    without inventing detail, held between the darkest and lightest pixel around; alpha by that too. With a model
    (Swin2SR, Conde et al. 2022) the colours are its own, tile by tile. Raises NodeError naming `factor`.
    """
    height, width = image.shape[0] * factor, image.shape[1] * factor
    check_pixels(width, height, "factor")
    rgb, alpha = split_alpha(image)
    if context.model is not None:
        large = resized(_by_model(rgb, context), width, height)
        return join_alpha(large, None if alpha is None else to_bytes(_enlarged(alpha, factor)))
    if alpha is not None and alpha.min() < 255:
        return _enlarged_clear(rgb, alpha, factor)
    result = np.empty((height, width, 3), np.uint8)
    margin, tile = 8, 512
    starts = [(y, x) for y in range(0, rgb.shape[0], tile) for x in range(0, rgb.shape[1], tile)]
    for done, (y, x) in enumerate(starts):
        context.progress(done / len(starts))
        y0, x0 = max(0, y - margin), max(0, x - margin)
        large = _enlarged(rgb[y0 : y + tile + margin, x0 : x + tile + margin], factor)
        y1, x1 = min(y + tile, rgb.shape[0]), min(x + tile, rgb.shape[1])
        part = large[(y - y0) * factor : (y1 - y0) * factor, (x - x0) * factor : (x1 - x0) * factor]
        result[y * factor : y1 * factor, x * factor : x1 * factor] = to_bytes(part)
    return join_alpha(result, None if alpha is None else np.full((height, width), 255, np.uint8))


def _by_model(rgb: np.ndarray, context: RunContext) -> np.ndarray:
    """As many times larger as the model makes it."""

    def look(loaded: models.Loaded, device: str) -> np.ndarray:
        scale = loaded.network.config.upscale
        height, width = rgb.shape[:2]
        result = np.empty((height * scale, width * scale, 3), np.uint8)
        corners = [(y, x) for y in range(0, height, _TILE) for x in range(0, width, _TILE)]
        for done, (y, x) in enumerate(corners):
            context.progress(done / len(corners), Phrase("part {part} of {parts}", part=done + 1, parts=len(corners)))
            y0, x0 = max(0, y - _OVERLAP), max(0, x - _OVERLAP)
            shown = np.ascontiguousarray(rgb[y0 : y + _TILE + _OVERLAP, x0 : x + _TILE + _OVERLAP])
            inputs = loaded.processor(shown, return_tensors="pt", input_data_format="channels_last").to(device)
            made = loaded.network(**inputs).reconstruction[0].float().clamp(0, 1).cpu().numpy()
            large = to_bytes(made.transpose(1, 2, 0) * 255)
            y1, x1 = min(y + _TILE, height), min(x + _TILE, width)
            part = large[(y - y0) * scale : (y1 - y0) * scale, (x - x0) * scale : (x1 - x0) * scale]
            result[y * scale : y1 * scale, x * scale : x1 * scale] = part
        return result

    return models.apply(context, "AutoModelForImageToImage", "AutoImageProcessor", look)


def _enlarged_clear(rgb: np.ndarray, alpha: np.ndarray, factor: int) -> np.ndarray:
    """Colours weighted by alpha, so that what cannot be seen does not bleed into what can."""
    weight = alpha.astype(np.float32)[:, :, None] / 255
    colours, share = _enlarged(rgb * weight, factor), _enlarged(alpha, factor)
    return np.dstack((to_bytes(colours * 255 / np.maximum(share, 1)[:, :, None]), to_bytes(share)))


def _enlarged(picture: np.ndarray, factor: int) -> np.ndarray:
    """An array of two or three dimensions, `factor` times larger, as float32."""
    import cv2

    low = picture.astype(np.float32)
    size, small = (picture.shape[1] * factor, picture.shape[0] * factor), picture.shape[1::-1]
    large = cv2.resize(low, size, interpolation=cv2.INTER_LANCZOS4)
    for _ in range(3):
        missing = low - cv2.resize(large, small, interpolation=cv2.INTER_AREA)
        large += cv2.resize(missing, size, interpolation=cv2.INTER_CUBIC)
    square = np.ones((3, 3), np.uint8)
    least = cv2.resize(cv2.erode(low, square), size, interpolation=cv2.INTER_NEAREST)
    most = cv2.resize(cv2.dilate(low, square), size, interpolation=cv2.INTER_NEAREST)
    return np.clip(large, least, most)
