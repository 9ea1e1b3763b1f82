"""Count separate things on a plain ground."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT
from nodes._support.vision import plain_ground
from nodes._support.vision.seeing import check_side, lab, opaque, shrunk
from nodes.api import Box, Boxes, Image, Integer, Number, Phrase, Port, ResourceType, RunContext, tool

_LONGEST = 900
_FAINT = 7.0
"""A picture whose things differ less than this from the ground (CIE 1976) holds none."""

_GROUND_SIDE = 360
_UNEQUAL = 4.5
"""Between the boxes of the largest and the smallest; coins of a collection: 3."""
DOUBTFUL = (
    "This may not be the number of things: the ground is not even, or what was counted touches or differs in size."
)


@tool(
    id="count_blobs",
    title="Count things on plain",
    domain="image",
    description="Counts separate things that lie on a plain background, such as coins, pills, cells, seeds or screws.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture, taken on a plain background"),
        Port(
            "smallest",
            ResourceType.NUMBER,
            "things smaller than this part of the usual size are not counted",
            default=0.25,
            minimum=0.01,
            maximum=1,
            advanced=True,
        ),
    ),
    outputs=(
        Port("number", ResourceType.NUMBER, "how many there are", integer=True),
        Port("boxes", ResourceType.BOXES, "where they are"),
    ),
    backend="watershed",
    backend_title="Threshold and watershed",
    quality=0.6,
    examples=(
        "How many coins are on the table?",
        "Count the pills in this picture",
        "How many cells are there in cells.png?",
        "Count the seeds",
    ),
    words=("coins", "pills", "cells", "seeds", "beads", "screws", "count the blobs", "particles", "grains"),
    icon="shapes",
)
def count_blobs(image: Image, smallest: Number = 0.25, context: RunContext = SILENT) -> tuple[Integer, Boxes]:
    """The number of things and their boxes, in reading order of their tops; 0 and () on an empty ground. Where it is
    doubtful that these are things it is told.

    The ground is fitted as a smooth surface, so that uneven light does not matter; touching round things are told
    apart by a watershed on the distance to the ground. Raises NodeError naming `image` for one below 8 pixels.
    """
    check_side(image, Phrase("count things in"))
    small, scale = shrunk(opaque(image), _LONGEST)
    things, away = _things(small)
    parts = _parts(things)
    sizes = np.bincount(parts.ravel())[1:]
    if not len(sizes):
        return 0, ()
    usual = float(np.median(sizes[sizes >= 0.1 * sizes.max()]))
    large = np.flatnonzero(sizes >= max(6.0, smallest * usual)) + 1
    contrast = {index: float(away[parts == index].mean()) for index in large}
    faint = 0.5 * float(np.median(list(contrast.values()))) if contrast else 0.0
    boxes = []
    for index in large:
        (x, y, w, h), is_solid = _outline(parts == index)
        if is_solid or contrast[index] > faint:  # a faint ragged patch is a shadow, not a thing
            boxes.append(Box(x / scale, y / scale, (x + w) / scale, (y + h) / scale))  # nothing here knows what it is
    if not plain_ground.standing_out(shrunk(small, _GROUND_SIDE)[0]).is_even or _may_be_parts(boxes):
        context.tell(DOUBTFUL)
    return len(boxes), tuple(sorted(boxes, key=lambda box: (box.y0, box.x0)))


def _may_be_parts(boxes: list[Box]) -> bool:
    """Whether some of the boxes touch, or differ much in size."""
    areas = [(box.x1 - box.x0) * (box.y1 - box.y0) for box in boxes]
    near = 0.04 * float(np.sqrt(np.median(areas))) if boxes else 0.0
    return (len(boxes) > 1 and max(areas) > _UNEQUAL * min(areas)) or any(
        one.x0 < other.x1 + near and other.x0 < one.x1 + near and one.y0 < other.y1 + near and other.y0 < one.y1 + near
        for place, one in enumerate(boxes)
        for other in boxes[:place]
    )


def _outline(part: np.ndarray) -> tuple[tuple[int, int, int, int], bool]:
    """The rectangle (x, y, width, height) around a part, and whether it fills its convex hull."""
    import cv2

    hull = cv2.convexHull(np.argwhere(part).astype(np.int32))
    x, y, w, h = cv2.boundingRect(part.astype(np.uint8))
    return (x, y, w, h), float(part.sum()) > 0.9 * cv2.contourArea(hull)


def _things(rgb: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True where something lies on the ground, and how far each pixel's colour is from that of the ground."""
    import cv2
    from scipy.ndimage import binary_fill_holes

    values = cv2.GaussianBlur(lab(rgb), (0, 0), max(1.0, 0.003 * max(rgb.shape[:2])))
    away = np.linalg.norm(values - _ground(values), axis=2)
    top = float(np.quantile(away, 0.995))
    if top < _FAINT:
        return np.zeros(away.shape, bool), away
    scaled = (np.clip(away / top, 0, 1) * 255).astype(np.uint8)
    level, _ = cv2.threshold(scaled, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    # Otsu's level lies in the middle between ground and things; their shaded sides are nearer to the ground.
    found = scaled > max(0.75 * level, 255 * 0.5 * _FAINT / top)
    filled = binary_fill_holes(found)
    return cv2.morphologyEx(np.asarray(filled, np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0, away


def _ground(values: np.ndarray) -> np.ndarray:
    """The colour of the ground at every pixel: a quadratic surface, fitted again and again without what stands out."""
    height, width = values.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1).reshape(-1, 6).astype(np.float32)
    colours = values.reshape(-1, 3)
    step = max(1, len(terms) // 20_000)
    sample, seen = terms[::step], colours[::step]
    border = (np.abs(sample[:, 1]) > 0.93) | (np.abs(sample[:, 2]) > 0.93)
    kept = border
    surface = np.zeros((6, 3), np.float32)
    for _ in range(8):
        surface = np.linalg.lstsq(sample[kept], seen[kept], rcond=None)[0]
        error = np.linalg.norm(seen - sample @ surface, axis=1)
        kept = error <= max(2.0, 2.5 * float(np.median(error[kept])))
        if kept.sum() < 50:
            kept = border
    return (terms @ surface).reshape(values.shape)


def _parts(things: np.ndarray) -> np.ndarray:
    """Numbers the things from 1, int32 (height, width); touching ones get different numbers."""
    import cv2
    from skimage.morphology import h_maxima
    from skimage.segmentation import watershed

    inner = cv2.distanceTransform(things.astype(np.uint8), cv2.DIST_L2, 5)
    inner = cv2.GaussianBlur(inner, (0, 0), 1.0)
    if inner.max() < 1:
        return np.zeros(things.shape, np.int32)
    peaks = h_maxima(inner, max(0.5, 0.12 * float(np.median(inner[things]))))
    _, seeds = cv2.connectedComponents(peaks.astype(np.uint8))
    return watershed(-inner, seeds, mask=things).astype(np.int32)
