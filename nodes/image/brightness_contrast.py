"""Change brightness, contrast and saturation of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import filtered, in_bands
from nodes.api import Image, Mask, Number, Port, ResourceType, Text, tool

_LUMINANCE = np.array([0.299, 0.587, 0.114], np.float32)
_CHANGES = {  # brightness, contrast, saturation
    "as set": (0.0, 0.0, 0.0),
    "brighter": (0.3, 0.0, 0.0),
    "darker": (-0.3, 0.0, 0.0),
    "more contrast": (0.0, 0.35, 0.0),
    "less contrast": (0.0, -0.35, 0.0),
    "more colourful": (0.0, 0.0, 0.4),
    "less colourful": (0.0, 0.0, -0.4),
}


def _amount(name: str, doc: str, question: str) -> Port:
    return Port(name, ResourceType.NUMBER, doc, default=0.0, minimum=-1, maximum=1, question=question)


@tool(
    id="brightness_contrast",
    title="Brightness and contrast",
    domain="image",
    description="Makes a picture brighter or darker, changes its contrast, or makes its colours stronger or paler.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "only this part is changed", default=None),
        Port(
            "change",
            ResourceType.TEXT,
            "what to do, in words; the numbers add to it",
            default="as set",
            choices=tuple(_CHANGES),
            question="What should be different?",
        ),
        _amount("brightness", "-1 is black, 0 as it is, 1 white", "How much brighter should it be, from -1 to 1?"),
        _amount(
            "contrast",
            "-1 is plain gray, 0 as it is, 1 the strongest",
            "How much more contrast should it have, from -1 to 1?",
        ),
        _amount(
            "saturation",
            "-1 is without colour, 0 as it is, 1 twice the colour",
            "How much more colour should it have, from -1 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the changed picture"),),
    backend="numpy",
    backend_title="Tone curves",
    quality=1.0,
    examples=(
        "Make the picture brighter",
        "Darken this photo a bit",
        "More contrast please",
        "Make the colors more vivid",
        "Brighten the face",
    ),
    words=(
        "brighter",
        "darker",
        "brighten",
        "darken",
        "lighter",
        "brightness",
        "contrast",
        "saturation",
        "more colourful",
        "vivid",
        "dim",
        "too dark",
        "too bright",
    ),
    icon="sliders-horizontal",
    result="toned",
    result_by="change",
    result_signs=(
        ("brightness", "darker", "brighter"),
        ("contrast", "less-contrast", "more-contrast"),
        ("saturation", "less-colourful", "more-colourful"),
    ),
)
def brightness_contrast(
    image: Image,
    mask: Mask | None = None,
    change: Text = "as set",
    brightness: Number = 0.0,
    contrast: Number = 0.0,
    saturation: Number = 0.0,
) -> Image:
    """Saturation around the luminance, contrast around middle gray, brightness by a gamma curve, in this order.

    Black and white points stay where they are unless an amount is -1 or 1. Alpha is kept. Raises NodeError naming
    `mask`.
    """
    given = zip(_CHANGES[change], (brightness, contrast, saturation), strict=True)
    amounts = [max(-1.0, min(1.0, one + other)) for one, other in given]
    if not any(amounts):
        return filtered(image, mask, np.copy)
    return filtered(image, mask, lambda rgb: in_bands(rgb, lambda band: _adjusted(band, *amounts)))


def _adjusted(rgb: np.ndarray, brightness: float, contrast: float, saturation: float) -> np.ndarray:
    if saturation:
        gray = (rgb @ _LUMINANCE)[:, :, None]
        rgb = np.clip(gray + (1 + saturation) * (rgb - gray), 0, 255)
    if contrast:
        rgb = _contrasted(rgb, contrast)
    if brightness <= -1:
        return np.zeros_like(rgb)
    if brightness >= 1:
        return np.full_like(rgb, 255)
    return 255 * (rgb / 255) ** ((1 - brightness) / (1 + brightness)) if brightness else rgb


def _contrasted(rgb: np.ndarray, contrast: float) -> np.ndarray:
    """Less: towards gray. More: an S-curve that never clips, steeper with `contrast`."""
    centred = rgb / 127.5 - 1
    if contrast < 0:
        return 127.5 + 127.5 * (1 + contrast) * centred
    steep = 6 * contrast
    return 127.5 + 127.5 * np.tanh(steep * centred) / np.tanh(steep)
