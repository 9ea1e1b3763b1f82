"""Select the thing that was clicked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nodes._support.imaging.mask_edge import edged
from nodes._support.imaging.pixels import SILENT, size_text
from nodes._support.inference import sam
from nodes._support.vision import cutout
from nodes._support.vision.seeing import check_side, opaque
from nodes._support.vision.superpixels import READINGS
from nodes.api import (
    Family,
    Image,
    Integer,
    Mask,
    NodeError,
    Phrase,
    Point,
    Points,
    Port,
    ResourceType,
    RunContext,
    Text,
    tool,
)

UNCLEAR = "Its outline is not clear: look at it, and click on what is missing, or on what does not belong."


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
        Port(
            "reading", ResourceType.TEXT, "how much of what was clicked is meant; best: the likeliest",
            default="best", choices=READINGS, advanced=True, by_hand=True,
        ),
        Port(
            "drawn", ResourceType.MASK, "painted by hand: white is selected, black is not, grey as the tool finds it",
            default=None, advanced=True, by_hand=True,
        ),
        Port(
            "grow", ResourceType.NUMBER, "how far the edge is moved outward; negative: inward",
            default=0, minimum=-100, maximum=100, integer=True, unit="px", advanced=True, by_hand=True,
        ),
        Port(
            "feather", ResourceType.NUMBER, "softness of the edge",
            default=0, minimum=0, maximum=100, integer=True, unit="px", advanced=True, by_hand=True,
        ),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the object"),),
    backend="superpixels-grabcut",
    backend_title="Superpixels and GrabCut",
    quality=0.35,
    families=(Family("transformers sam", "segment by points"),),
    examples=(
        "Select the object I click",
        "Segment the thing I point at",
        "Select the cup here",
    ),
    words=("click", "point at", "what i clicked", "select the object", "segment", "mark this object", "this one"),
    icon="mouse-pointer-click",
    result="mask",
    version=4,
)  # fmt: skip
def segment_points(
    image: Image,
    points: Points,
    reading: Text = "best",
    drawn: Mask | None = None,
    grow: Integer = 0,
    feather: Integer = 0,
    context: RunContext = SILENT,
) -> Mask:
    """uint8 (height, width), 255 on the object, with an edge softer than a pixel or two. Clicked places are selected.

    Without a model it works on a copy of at most 512 pixels; the edge is drawn at full size. Deterministic. A picture
    is looked at once; further clicks on it take less. By SAM the mask is 255 or 0, "best" the guess of which it is
    surest, the other readings its three guesses by area. `drawn` counts over what is found: above 191 selected, below
    64 not; where it decides all, nothing is looked for. An outline that is not clear is told
    where nothing is drawn. `grow` and `feather` change the edge of all that is selected, last.

    Raises NodeError naming `points` when neither a point nor `drawn` says what is meant or a point lies outside,
    `drawn` when it is of another size, `image` when that is below 8 pixels.
    """

    def find() -> np.ndarray:
        if context.model is not None:
            return sam.mask_from_points(opaque(image), points, context, reading)
        rgb = opaque(image)
        found = cutout.from_points(rgb, _places(points, True), _places(points, False), reading)
        if drawn is None and not cutout.is_outlined(rgb, found):
            context.tell(UNCLEAR)
        return found

    return _finished(image, points, drawn, (grow, feather), find)


def _places(points: tuple[Point, ...], include: bool) -> np.ndarray:
    """(n, 2) array of x, y."""
    return np.array([(point.x, point.y) for point in points if point.include == include], float).reshape(-1, 2)


def _finished(
    image: np.ndarray,
    points: tuple[Point, ...],
    drawn: np.ndarray | None,
    edge: tuple[int, int],
    find: Callable[[], np.ndarray],
) -> np.ndarray:
    """What `find` gives, with what was painted over it and its edge changed by (grow, feather).

    Nothing is looked for where the painting decides.
    """
    _check(image, points)
    if drawn is not None and drawn.shape != image.shape[:2]:
        height, width = drawn.shape
        raise NodeError(
            Phrase(
                "What was drawn is {width} × {height} pixels, the picture {size}.",
                width=width,
                height=height,
                size=size_text(image),
            ),
            "drawn",
            "Draw on this picture again.",
        )
    wanted = any(point.include for point in points)
    if drawn is None and wanted:
        return edged(find(), *edge)
    selected = drawn > 191 if drawn is not None else np.zeros(image.shape[:2], bool)
    decided = selected | (drawn < 64) if drawn is not None else selected
    if not wanted and not selected.any():
        raise NodeError("No point says what to select.", "points", "Click on the object.")
    found = find() if wanted and not decided.all() else np.zeros(image.shape[:2], np.uint8)
    return edged(np.where(decided, np.where(selected, 255, 0), found).astype(np.uint8), *edge)


def _check(image: np.ndarray, points: tuple[Point, ...]) -> None:
    """Raises NodeError naming the port when the picture is too small or a point lies outside."""
    check_side(image, Phrase("select something in"))
    height, width = image.shape[:2]
    for point in points:
        if not (0 <= point.x < width and 0 <= point.y < height):
            raise NodeError(
                Phrase(
                    "The point ({x}, {y}) lies outside the picture of {size} pixels.",
                    x=f"{point.x:.0f}",
                    y=f"{point.y:.0f}",
                    size=size_text(image),
                ),
                "points",
                "Click inside the picture.",
            )
