"""Select the thing that was clicked."""

from __future__ import annotations

import numpy as np

from nodes._support import cutout, sam
from nodes._support.pixels import size_text
from nodes._support.seeing import check_side, opaque
from nodes.api import Image, Mask, NodeError, Point, Points, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="segment_points",
    title="Select by clicking",
    domain="mask",
    description=(
        "Selects the object that was clicked in a picture. Fair for clear objects without a model; "
        "more clicks, also on what is not meant, help."
    ),
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("points", ResourceType.POINTS, "clicks on the object, and on what does not belong", picked_on="image"),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the object"),),
    backend="superpixels-grabcut",
    backend_title="Superpixels and GrabCut",
    quality=0.35,
    examples=(
        "Select the object I click",
        "Segment the thing I point at",
        "Select the cup here",
    ),
    words=("click", "point at", "what i clicked", "select the object", "segment", "mark this object", "this one"),
    icon="mouse-pointer-click",
)
def segment_points(image: Image, points: Points) -> Mask:
    """uint8 (height, width), 255 on the object, with an edge softer than a pixel or two. Clicked places are selected.

    Works on a copy of at most 512 pixels; the edge is drawn at full size. Deterministic. Raises NodeError naming
    `points` when no point says what is meant or one lies outside, naming `image` when it is below 8 pixels.
    """
    _check(image, points)
    return cutout.from_points(opaque(image), _places(points, True), _places(points, False))


def _places(points: tuple[Point, ...], include: bool) -> np.ndarray:
    """(n, 2) array of x, y."""
    return np.array([(point.x, point.y) for point in points if point.include == include], float).reshape(-1, 2)


@backend_of(
    segment_points,
    id="sam-vit-base",
    title="SAM base",
    kind="model",
    device="gpu",
    memory_bytes=3_000_000_000,
    download_bytes=375_050_000,
    quality=0.8,
    model="sam-vit-base",
    requires=("python:torch", "python:transformers"),
)
def segment_points_sam(image: Image, points: Points, *, context: RunContext) -> Mask:
    """As `segment_points`, by SAM. A picture is looked at once; further clicks on it take a moment. 255 or 0."""
    _check(image, points)
    return sam.mask_from_points(opaque(image), points, context)


@backend_of(
    segment_points,
    id="sam-vit-large",
    title="SAM large",
    kind="model",
    device="gpu",
    memory_bytes=5_000_000_000,
    download_bytes=1_250_000_000,
    quality=0.88,
    model="sam-vit-large",
    requires=("python:torch", "python:transformers"),
)
def segment_points_sam_better(image: Image, points: Points, *, context: RunContext) -> Mask:
    """As `segment_points_sam`, by a larger SAM."""
    _check(image, points)
    return sam.mask_from_points(opaque(image), points, context)


def _check(image: np.ndarray, points: tuple[Point, ...]) -> None:
    """Raises NodeError naming the port when the picture is too small or the points do not say what is meant."""
    check_side(image, 8, "select something in")
    height, width = image.shape[:2]
    for point in points:
        if not (0 <= point.x < width and 0 <= point.y < height):
            raise NodeError(
                f"The point ({point.x:.0f}, {point.y:.0f}) lies outside the picture of {size_text(image)} pixels.",
                "points",
                "Click inside the picture.",
            )
    if not any(point.include for point in points):
        raise NodeError("No point says what to select.", "points", "Click on the object.")
