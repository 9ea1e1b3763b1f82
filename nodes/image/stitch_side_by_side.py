"""Join pictures in a row or a column."""

from __future__ import annotations

from nodes._support.imaging.layout import canvas, gap_of, over
from nodes._support.imaging.pixels import check_pixels, colour_of, resized
from nodes.api import Image, Integer, NodeError, Number, Port, ResourceType, Text, tool

_USUAL_GAP = 12
"""Pixels of a gap that is asked for without a size."""


@tool(
    id="stitch_side_by_side",
    title="Side by side",
    domain="image",
    description="Joins pictures side by side into one wide picture, or below each other into a tall one.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, in order", many=True, least=2),
        Port(
            "direction",
            ResourceType.TEXT,
            "side by side in a row, or stacked below each other",
            default="side by side",
            choices=("side by side", "stacked"),
            question="Side by side, or one below the other?",
        ),
        Port(
            "gap",
            ResourceType.NUMBER,
            "between the pictures; none when left empty, a thin one where a colour is given",
            default=None,
            minimum=0,
            maximum=1000,
            integer=True,
            unit="px",
            usual=_USUAL_GAP,
            question="How large should the gaps be, in pixels?",
        ),
        Port("colour", ResourceType.TEXT, "of the gap; white when left empty", default=""),
        Port(
            "gap_percent",
            ResourceType.NUMBER,
            "the gap as a part of the height, of the width where they are stacked, instead of pixels",
            default=None,
            minimum=0,
            maximum=100,
            unit="%",
            question="How large should the gaps be, in percent of the picture?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the joined picture"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=(
        "Put these pictures side by side",
        "Stack the two images on top of each other",
        "Join a.png and b.png next to each other",
        "Put the photos side by side with a thin white gap",
        "Both pictures in a row with a black gap of 20 pixels",
    ),
    words=(
        "side by side",
        "next to each other",
        "in a row",
        "stacked",
        "join the pictures",
        "concatenate the images",
        "gap between the pictures",
        "white line between",
    ),
    icon="columns-2",
    result="joined",
)
def stitch_side_by_side(
    images: tuple[Image, ...],
    direction: Text = "side by side",
    gap: Integer | None = None,
    colour: Text = "",
    gap_percent: Number | None = None,
) -> Image:
    """RGB. All get the height (stacked: width) of the largest, so that no pixels are lost; none is cut.
    A gap of a colour is 12 pixels where no size is given.

    Raises NodeError naming `images` when there is none or the result would be too large, or naming `colour`.
    """
    if not images:
        raise NodeError("There are no pictures to join.", "images", "Add at least one picture.")
    row = direction == "side by side"
    side = max(image.shape[0 if row else 1] for image in images)
    thin = _USUAL_GAP if colour.strip() else 0
    gap, sizes = gap_of(thin if gap is None else gap, gap_percent, side), []
    ground = colour_of(colour.strip() or "white")
    for image in images:
        scale = side / image.shape[0 if row else 1]
        other = max(1, round(image.shape[1 if row else 0] * scale))
        sizes.append((other, side) if row else (side, other))
    long = sum(size[0 if row else 1] for size in sizes) + gap * (len(sizes) - 1)
    check_pixels(long, side, "images")
    result = canvas(long, side, ground) if row else canvas(side, long, ground)
    start = 0
    for image, (width, height) in zip(images, sizes, strict=True):
        x, y = (start, 0) if row else (0, start)
        place = result[y : y + height, x : x + width]
        place[:] = over(place, resized(image, width, height), 0, 0)
        start += (width if row else height) + gap
    return result
