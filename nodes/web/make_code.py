"""Make a QR code."""

from __future__ import annotations

from typing import Any

import numpy as np

from nodes._support.language.words import given
from nodes.api import Image, Integer, NodeError, Phrase, Port, ResourceType, Text, tool

_QUIET = 4
# WORKAROUND: no reader understands the codes of version 21 (101 modules) that OpenCV 4.14 writes, whatever they hold;
# the next larger version is taken. May go when such a code can be read back.
_BROKEN = 101
_MOST_BYTES = {"low": 2953, "medium": 2331, "high": 1273}


@tool(
    id="make_code",
    title="Make QR code",
    domain="web",
    description="Makes a QR code picture that holds a link or a short text.",
    inputs=(
        Port("text", ResourceType.TEXT, "the link or text",
             question="What should the code hold: a web address, or some words?"),
        Port("size", ResourceType.NUMBER, "least width and height", default=512, minimum=21, maximum=4000, integer=True,
             unit="px"),
        Port("safety", ResourceType.TEXT, "how much damage it survives", default="medium",
             choices=("low", "medium", "high"), advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the code, black on white"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=0.9,
    examples=("Make a QR code for https://example.com", "Turn this link into a QR code"),
    words=("qr", "barcode", "code to scan"),
    icon="qr-code",
)  # fmt: skip
def make_code(text: Text, size: Integer = 512, safety: Text = "medium") -> Image:
    """uint8 (n, n, 3), black modules of whole pixels on white with the margin of four modules that readers need.

    The side is the next multiple of the code's modules at or above `size`. Raises NodeError for more text than a code
    holds (2,331 bytes of UTF-8 at medium safety).
    """
    import cv2

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
    return np.repeat(framed.repeat(scale, 0).repeat(scale, 1)[:, :, None], 3, axis=2)


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
