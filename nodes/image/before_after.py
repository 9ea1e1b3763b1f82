"""Show a picture before and after a change."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.layout import canvas, over
from nodes._support.imaging.lettering import lettered
from nodes._support.imaging.pixels import check_pixels, cover, fit_inside, on_colour, unit
from nodes.api import Flag, Image, Port, ResourceType, Text, tool


@tool(
    id="before_after",
    title="Before and after",
    domain="image",
    description="Compares two versions of a picture, before and after, in one labelled picture.",
    inputs=(
        Port("before", ResourceType.IMAGE, "the earlier version"),
        Port("after", ResourceType.IMAGE, "the later version"),
        Port(
            "layout",
            ResourceType.TEXT,
            "both whole, or one picture divided down the middle",
            default="side by side",
            choices=("side by side", "split"),
            question="Both whole, or one picture divided down the middle?",
        ),
        Port("labels", ResourceType.FLAG, "write Before and After on it", default=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the comparison"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=(
        "Show the picture before and after",
        "Make a before/after comparison of the two photos",
        "Compare the original with the result",
    ),
    words=("before and after", "before/after", "comparison", "compare with the original", "compare both pictures"),
    icon="square-split-horizontal",
)
def before_after(before: Image, after: Image, layout: Text = "side by side", labels: Flag = True) -> Image:
    """RGB, transparent parts on white. The halves have the size of the larger picture; the other is scaled whole.

    "split" shows the left half of the one and the right half of the other, scaled to cover the same frame. Raises
    NodeError naming `after` when the result would be too large.
    """
    white = (255, 255, 255)
    width, height = max((image.shape[1], image.shape[0]) for image in (before, after))
    gap = max(1, round(unit(before, 0.006)))
    if layout == "split":
        left, right = (on_colour(cover(image, width, height), white) for image in (before, after))
        result = left.copy()
        result[:, width // 2 :] = right[:, width // 2 :]
        if width > 4 * gap:
            result[:, width // 2 - gap // 2 : width // 2 - gap // 2 + gap] = white
        halves = [(0, width // 2), (width // 2, width - width // 2)]
    else:
        check_pixels(2 * width + gap, height, "after")
        result = canvas(2 * width + gap, height, white)
        halves = [(0, width), (width + gap, width)]
        for (x, _), image in zip(halves, (before, after), strict=True):
            fitted = fit_inside(image, width, height)
            result = over(result, fitted, x + (width - fitted.shape[1]) // 2, (height - fitted.shape[0]) // 2)
    if labels and width >= 60 and height >= 30:
        for (x, room), word in zip(halves, ("Before", "After"), strict=True):
            result = _labelled(result, word, x, room)
    return result


def _labelled(picture: np.ndarray, word: str, x: int, room: int) -> np.ndarray:
    """White on a dark bar in the top left corner of a half."""
    height = picture.shape[0]
    letters, _ = lettered(word, unit(picture, 0.03, least=9), round(room * 0.7), round(height * 0.5))
    margin = max(2, letters.shape[0] // 2)
    bar = np.zeros((letters.shape[0] + 2 * margin, letters.shape[1] + 2 * margin, 4), np.uint8)
    bar[:, :, 3] = 160
    white = np.dstack((*(np.full_like(letters, 255),) * 3, letters))
    return over(picture, over(bar, white, margin, margin), x + margin, margin)
