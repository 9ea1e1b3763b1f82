"""Make a picture grey but for one colour."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import bands, colour_of, join_alpha, mix, odd, smooth, split_alpha, unit
from nodes._support.vision import colours
from nodes._support.vision.seeing import lab
from nodes.api import Image, Port, ResourceType, RunContext, Text, tool

_NEAR = 24.0
"""CIE 1976 distance from an exact colour that still counts as it."""
_BESIDE, _FEATHER = 0.02, 0.0015
"""Of the picture's size: what is alike stays so near to what is sure, and so soft is the edge."""
_LEAST_CHROMA = 12.0
_WITHOUT_HUE = frozenset({"black", "grey", "white"})


@tool(
    id="keep_colour",
    title="Keep one colour",
    domain="image",
    description="Makes a picture black and white except for one colour, which stays: selective colour, colour splash.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "colour",
            ResourceType.TEXT,
            'the colour that stays: a colour word ("red", "light blue"), a colour name or "#ff8800"',
            question="Which colour should stay?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, gray but where it has this colour"),),
    backend="lab",
    backend_title="Lab colour distance",
    quality=0.8,
    examples=(
        "Make it black and white but keep the red",
        "Selective colour: only the yellow stays, all the rest gray",
        "Keep only the blue in photo.jpg, the rest in grayscale",
    ),
    words=("selective colour", "selective color", "colour splash", "color splash", "color pop", "only the red stays",
           "black and white except red", "keep the colour", "all grey but the red"),
    icon="pipette",
    result="one-colour",
)  # fmt: skip
def keep_colour(image: Image, colour: Text, *, context: RunContext) -> Image:
    """Grey by luminance (Rec. 601) elsewhere, with a soft edge between. Alpha is kept. What has almost that colour and
    lies beside it stays too: the light and the shadow on a thing belong to it. A colour that is nowhere leaves all of
    it gray, and a note says so. Raises NodeError naming `colour` when it is not known.
    """
    import cv2

    rgb, alpha = split_alpha(image)
    has = _where(rgb, colour)
    if not has.any():
        context.tell("the picture has this colour nowhere: all of it is gray")
    weight = smooth(has, unit(image, _FEATHER, 0.5))
    gray = cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return join_alpha(mix(gray, rgb, weight), alpha)


def _where(rgb: np.ndarray, colour: str) -> np.ndarray:
    """255 where the picture has the colour, or almost, beside it; else 0. Single stray pixels are dropped."""
    import cv2

    word = colours.spoken(colour)
    exact = None if word else lab(np.array([[colour_of(colour)]], np.uint8))[0, 0]
    sure = np.zeros(rgb.shape[:2], np.uint8)
    for band in bands(rgb.shape):
        sure[band] = colours.fits(rgb[band], *word) if word else np.linalg.norm(lab(rgb[band]) - exact, axis=2) <= _NEAR
    if min(sure.shape) > 2:
        sure = np.asarray(cv2.medianBlur(sure, 3))
    if not sure.any() or (word and word[0] in _WITHOUT_HUE):
        return sure * np.uint8(255)
    reach = odd(unit(rgb, _BESIDE), 3)
    near = cv2.dilate(sure, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    return np.where((sure > 0) | ((near > 0) & (_alike(rgb, sure) > 0)), np.uint8(255), np.uint8(0))


def _alike(rgb: np.ndarray, sure: np.ndarray) -> np.ndarray:
    """1 where a pixel has about the hue that most of those have that are sure."""
    some = lab(rgb[sure > 0][:: max(1, int(sure.sum()) // 50_000)][None])[0]
    hue = np.arctan2(some[:, 2], some[:, 1])
    middle = np.arctan2(np.sin(hue).mean(), np.cos(hue).mean())
    spread = float(np.percentile(np.abs(np.angle(np.exp(1j * (hue - middle)))), 80))
    widest = min(max(spread, np.radians(8)), np.radians(25))
    result = np.zeros(sure.shape, np.uint8)
    for band in bands(rgb.shape):
        values = lab(rgb[band])
        away = np.abs((np.arctan2(values[:, :, 2], values[:, :, 1]) - middle + np.pi) % (2 * np.pi) - np.pi)
        result[band] = (away < widest) & (np.hypot(values[:, :, 1], values[:, :, 2]) > _LEAST_CHROMA)
    return result
