"""What the tools that look at pictures share: one form of picture to look at, sizes, boxes, close regions.

Pictures are uint8 (height, width, 3) RGB or (height, width, 4) RGBA and are never modified.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nodes._support.imaging.pixels import on_colour
from nodes.api import Box, NodeError, Phrase


def opaque(image: np.ndarray) -> np.ndarray:
    """The picture as RGB without gaps in memory; what is transparent becomes black or white, whichever shows more.

    White writing on a transparent ground stays readable on black, dark writing on white.
    """
    if image.shape[2] == 3:
        return np.ascontiguousarray(image)
    alpha = image[:, :, 3]
    if alpha.min() == 255:
        return np.ascontiguousarray(image[:, :, :3])
    visible = image[alpha > 127][:, :3]
    bright = len(visible) > 0 and float(visible.mean()) > 127
    return on_colour(image, (0, 0, 0) if bright else (255, 255, 255))


def grey(image: np.ndarray) -> np.ndarray:
    """Brightness, uint8 (height, width)."""
    import cv2

    return cv2.cvtColor(opaque(image), cv2.COLOR_RGB2GRAY)


def shrunk(picture: np.ndarray, longest: int) -> tuple[np.ndarray, float]:
    """The picture (or mask) with its longer side at most `longest`, and the scale (at most 1) from old to new."""
    import cv2

    height, width = picture.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return picture, 1.0
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA), scale


def check_side(image: np.ndarray, purpose: Phrase) -> None:
    """Raises NodeError naming the port `image` when a side of the picture is shorter than 8 pixels."""
    height, width = image.shape[:2]
    if min(height, width) < 8:
        raise NodeError(
            Phrase(
                "The picture is {width} × {height} pixels, too small to {purpose}.",
                width=width,
                height=height,
                purpose=purpose,
            ),
            "image",
            "Use a larger picture.",
        )


def inside(boxes: tuple[Box, ...], image: np.ndarray) -> list[tuple[Box, tuple[int, int, int, int]]]:
    """Each box that touches the picture, with its whole pixels (x0, y0, x1, y1) cut to the picture."""
    height, width = image.shape[:2]
    kept = []
    for box in boxes:
        x0, y0 = max(0, int(np.floor(box.x0))), max(0, int(np.floor(box.y0)))
        x1, y1 = min(width, int(np.ceil(box.x1))), min(height, int(np.ceil(box.y1)))
        if x0 < x1 and y0 < y1:
            kept.append((box, (x0, y0, x1, y1)))
    return kept


def reading_order(boxes: Sequence[Box]) -> list[Box]:
    """Row by row from above, each from the left; in one row are those whose middle is beside the highest one of it."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: box.y0 + box.y1):
        if rows and (box.y0 + box.y1) / 2 < rows[-1][0].y1:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [box for row in rows for box in sorted(row, key=lambda box: box.x0 + box.x1)]


def check_boxes(boxes: tuple[Box, ...], image: np.ndarray) -> list[tuple[int, int, int, int]]:
    """The boxes as whole pixels inside the picture. Raises NodeError naming the port `boxes` when there is none."""
    if not boxes:
        raise NodeError("There are no boxes: nothing was found or marked.", "boxes", "Mark a box on the picture.")
    found = [corners for _, corners in inside(boxes, image)]
    if not found:
        raise NodeError("All boxes lie outside the picture.", "boxes", "Use boxes made on this picture.")
    return found


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE Lab, float32 (height, width, 3): L 0..100, a and b about -128..127."""
    import cv2

    return cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2Lab)
