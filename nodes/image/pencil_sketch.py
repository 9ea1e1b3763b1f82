"""Redraw a picture in pencil."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, luminance, smooth, to_bytes, unit
from nodes.api import Flag, Image, Mask, Number, Port, ResourceType, tool


@tool(
    id="pencil_sketch",
    title="Pencil sketch",
    domain="image",
    description="Turns a picture into a pencil drawing, gray or with coloured pencils.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is drawn", default=None),
        Port(
            "coloured",
            ResourceType.FLAG,
            "with coloured pencils",
            default=False,
            question="Should it be drawn with coloured pencils?",
        ),
        Port(
            "darkness",
            ResourceType.NUMBER,
            "of the strokes",
            default=0.6,
            minimum=0,
            maximum=1,
            question="How dark should the strokes be, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the drawing"),),
    backend="dodge",
    backend_title="Colour dodge",
    quality=0.6,
    examples=(
        "Turn this photo into a pencil sketch",
        "Draw the picture in pencil",
        "Make a coloured pencil drawing of it",
    ),
    words=("pencil sketch", "pencil drawing", "sketch", "hand drawn", "drawing"),
    icon="pencil",
)
def pencil_sketch(image: Image, mask: Mask | None = None, coloured: Flag = False, darkness: Number = 0.6) -> Image:
    """Strokes where the picture is darker than its surroundings, on paper with a grain, over a light shading.

    The width of the strokes follows the picture's size, so that it looks the same at any size. Alpha is kept. Raises
    NodeError naming `mask`.
    """
    return filtered(image, mask, lambda rgb: _drawn(rgb, coloured, darkness))


def _drawn(rgb: np.ndarray, coloured: bool, darkness: float) -> np.ndarray:
    import cv2

    light = luminance(rgb)
    fine, broad = unit(rgb, 0.003, least=0.6), unit(rgb, 0.02, least=1.0)
    strokes = _dodged(light, fine) * _dodged(light, broad)
    shade = smooth(light, fine * 2) / 255
    tone = strokes ** (1 + 2 * darkness) * (1 - 0.45 * darkness * (1 - shade) ** 1.5)
    tone *= 1 - 0.25 * darkness * (1 - tone) * _grain(light.shape, unit(rgb, 0.0012, least=0.5))
    if not coloured:
        return cv2.cvtColor(to_bytes(tone * 255), cv2.COLOR_GRAY2RGB)
    pale = 255 - (255 - smooth(rgb, fine).astype(np.float32)) * 0.75
    return to_bytes(pale / np.maximum(pale.max(axis=2, keepdims=True), 1) * 255 * tone[:, :, None])


def _dodged(light: np.ndarray, sigma: float) -> np.ndarray:
    """1 where a pixel is as light as its surroundings or lighter, less the darker it is; 0..1."""
    return np.clip((light + 12) / (smooth(light, sigma) + 12), 0, 1)


def _grain(shape: tuple[int, ...], size: float) -> np.ndarray:
    """The tooth of the paper, 0..1, the same every time."""
    import cv2

    small = max(2, int(shape[0] / size / 2)), max(2, int(shape[1] / size / 2))
    noise = np.random.default_rng(7).random(small, np.float32)
    return cv2.resize(noise, shape[1::-1], interpolation=cv2.INTER_LINEAR)
