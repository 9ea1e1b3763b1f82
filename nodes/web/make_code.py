"""Make a QR code."""

from __future__ import annotations

from typing import Any

import numpy as np

from nodes._support.imaging.pixels import colour_of, luminance
from nodes._support.language.words import given
from nodes.api import Image, Integer, NodeError, Phrase, Port, ResourceType, Text, tool

_QUIET = 4
# WORKAROUND: no reader understands the codes of version 21 (101 modules) that OpenCV 4.14 writes, whatever they hold;
# the next larger version is taken. May go when such a code can be read back.
_BROKEN = 101
_LEAST_CONTRAST = 0.3
"""Of black on white: between grades C and D of ISO 15415. Readers look at brightness alone."""
_MOST_BYTES = {"low": 2953, "medium": 2331, "high": 1273}


@tool(
    id="make_code",
    title="Make QR code",
    domain="web",
    description="Makes a QR code picture that holds a link or a short text, black on white or in other colours.",
    inputs=(
        Port("text", ResourceType.TEXT, "the link or text",
             question="What should the code hold: a web address, or some words?"),
        Port("size", ResourceType.NUMBER, "least width and height", default=512, minimum=21, maximum=4000, integer=True,
             unit="px", question="How large should it be at least, in pixels?"),
        Port("safety", ResourceType.TEXT, "how much damage it survives", default="medium",
             choices=("low", "medium", "high"), advanced=True),
        Port("colour", ResourceType.TEXT, "of the code", default="black", question="Which colour should it have?"),
        Port("background", ResourceType.TEXT, "colour of the ground", default="white"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the code"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=0.9,
    examples=("Make a QR code for https://example.com", "Turn this link into a QR code",
              "QR code for https://example.com in dark green", "A blue QR code on a pale yellow background"),
    words=("qr", "code to scan", "coloured qr code", "qr code in colour"),
    icon="qr-code",
)  # fmt: skip
def make_code(
    text: Text, size: Integer = 512, safety: Text = "medium", colour: Text = "black", background: Text = "white"
) -> Image:
    """uint8 (n, n, 3), modules of whole pixels in one colour on another, with the margin of four modules that
    readers need.

    The side is the next multiple of the code's modules at or above `size`. Raises NodeError for more text than a code
    holds (2,331 bytes of UTF-8 at medium safety), and naming `colour` or `background` for no
    colour, and `colour` where both are so alike in brightness that readers would not tell them apart.
    """
    import cv2

    inks = _inks(colour, background)
    text = given(text).strip()
    length = len(text.encode("utf-8"))
    if length > _MOST_BYTES[safety]:
        raise NodeError(
            Phrase(
                "The text has {length} bytes; a code holds {most_bytes}.",
                length=f"{length:,}",
                most_bytes=f"{_MOST_BYTES[safety]:,}",
            ),
            "text",
            "Shorten it, or put it on a web page and give the link.",
        )
    modules = _modules(text, {"low": 0, "medium": 1, "high": 3}[safety], cv2)
    framed = np.pad(modules, _QUIET, constant_values=255)
    scale = -(-size // len(framed))
    return inks[(framed > 127).astype(np.uint8).repeat(scale, 0).repeat(scale, 1)]


def _inks(colour: str, background: str) -> np.ndarray:
    """Both colours, uint8 (2, 3). Raises NodeError."""
    inks = np.array([colour_of(colour), colour_of(background, "background")], np.uint8)
    dark, light = luminance(inks[None])[0]
    if abs(float(light) - float(dark)) < _LEAST_CONTRAST * 255:
        said = Phrase("A code in {colour} on {background} could not be read.", colour=colour, background=background)
        raise NodeError(said, "colour", "Choose a darker colour, or a lighter ground.")
    return inks


def _modules(text: str, level: int, cv2: Any) -> np.ndarray:
    """The code with one pixel for each module, 0 or 255, without margin."""
    parameters = cv2.QRCodeEncoder_Params()
    parameters.correction_level = level
    try:
        code = _cut(cv2.QRCodeEncoder_create(parameters).encode(text))
        if len(code) == _BROKEN:
            parameters.version = 22
            code = _cut(cv2.QRCodeEncoder_create(parameters).encode(text))
    except cv2.error as error:
        raise NodeError("This text cannot be put into a code.", "text", "Shorten it.") from error
    return code


def _cut(code: np.ndarray) -> np.ndarray:
    """Without the white margin of the encoder."""
    dark = np.argwhere(code < 128)
    (top, left), (bottom, right) = dark.min(0), dark.max(0)
    return code[top : bottom + 1, left : right + 1]
