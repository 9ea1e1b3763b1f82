"""Read QR codes and barcodes in a picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nodes._support.vision.seeing import grey, shrunk
from nodes.api import Box, Boxes, Image, Port, ResourceType, Text, tool


@tool(
    id="read_codes",
    title="Read codes",
    domain="image",
    description="Reads all QR codes and barcodes in a picture and gives what they say, one per line.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture with the codes"),),
    outputs=(
        Port("text", ResourceType.TEXT, "what the codes say, from top to bottom; empty when there is none"),
        Port("boxes", ResourceType.BOXES, "where the codes are, labelled with what they say"),
    ),
    backend="opencv",
    backend_title="OpenCV",
    quality=0.7,
    examples=(
        "What does this QR code say?",
        "Read the barcode on package.jpg",
        "Scan the QR codes in the picture",
        "Which link is in the QR code?",
    ),
    words=("qr", "qr code", "barcode", "bar code", "ean", "scan a code", "decode"),
    icon="qr-code",
)
def read_codes(image: Image) -> tuple[Text, Boxes]:
    """OpenCV's QR and barcode (EAN, UPC) readers, tried at several sizes and with light and dark exchanged.

    Boxes are upright, in pixels of the picture. A code that is found but cannot be read is left out.
    """
    if min(image.shape[:2]) < 16:
        return "", ()
    found: dict[str, Box] = {}
    for picture, scale in _looks(grey(image)):
        for text, corners in (*_qr_codes(picture), *_barcodes(picture)):
            (x0, y0), (x1, y1) = corners.min(axis=0) / scale, corners.max(axis=0) / scale
            box = Box(float(x0), float(y0), float(x1), float(y1), text)
            if not any(_same(box, other) for other in found.values()):
                found[f"{text} {len(found)}"] = box
    boxes = sorted(found.values(), key=lambda box: (box.y0 + box.y1, box.x0))
    return "\n".join(box.label for box in boxes), tuple(boxes)


def _looks(brightness: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """The picture as it is, softened, enlarged or shrunk, and inverted, with the scale of each."""
    import cv2

    picture, scale = shrunk(brightness, 2400)
    yield picture, scale
    yield cv2.GaussianBlur(picture, (0, 0), 1), scale  # bars drawn by a program are too hard-edged for the reader
    yield cv2.bitwise_not(picture), scale
    if max(brightness.shape) < 800:
        yield cv2.resize(brightness, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), 2.0
    else:
        yield shrunk(brightness, max(brightness.shape) // 2)


def _qr_codes(picture: np.ndarray) -> list[tuple[str, np.ndarray]]:
    import cv2

    # A clear margin: codes are often cut out right at their edge, where the finder marks need light around them.
    margin = 16
    framed = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=255)
    _, texts, corners, _ = cv2.QRCodeDetector().detectAndDecodeMulti(framed)
    if corners is None:
        return []
    return [(text, place - margin) for text, place in zip(texts, corners, strict=True) if text]


def _barcodes(picture: np.ndarray) -> list[tuple[str, np.ndarray]]:
    import cv2

    _, texts, _, corners = cv2.barcode.BarcodeDetector().detectAndDecodeWithType(picture)
    if corners is None:
        return []
    return [(text, place) for text, place in zip(texts, corners, strict=True) if text]


def _same(one: Box, other: Box) -> bool:
    """Two readings of one code: the same text with centres closer than half its side."""
    reach = max(one.x1 - one.x0, one.y1 - one.y0) / 2
    near = (
        abs(one.x0 + one.x1 - other.x0 - other.x1) < 2 * reach
        and abs(one.y0 + one.y1 - other.y0 - other.y1) < 2 * reach
    )
    return near and one.label == other.label
