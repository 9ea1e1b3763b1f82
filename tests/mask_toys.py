"""Tools that make masks of clicks at once, for the tests of the mask finder."""

from __future__ import annotations

import time

import numpy as np

from nodes.api import (
    Boxes,
    Image,
    Mask,
    NodeError,
    Number,
    Points,
    Port,
    ResourceType,
    RunContext,
    Text,
    Tool,
    tool,
)

_T = ResourceType


@tool(
    id="squares", title="Squares", domain="mask", description="A square of five pixels around each click.",
    inputs=(
        Port("image", _T.IMAGE, "the picture"),
        Port("points", _T.POINTS, "clicks", picked_on="image"),
        Port("mark", _T.TEXT, "a file that gets a line for each call", default=""),
        Port("seconds", _T.NUMBER, "how long it takes", default=0.0),
    ),
    outputs=(Port("mask", _T.MASK, "squares"),), quality=0.2,
)  # fmt: skip
def squares(image: Image, points: Points, context: RunContext, mark: Text = "", seconds: Number = 0.0) -> Mask:
    """255 in the squares. Raises NodeError for more than four clicks."""
    if mark:
        with open(mark, "a", encoding="utf-8") as file:
            file.write(f"{len(points)}\n")
    if len(points) > 4:
        raise NodeError("Five clicks are too many.", "points", "Take one away.")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        context.check()
        time.sleep(0.002)
    mask = np.zeros(image.shape[:2], np.uint8)
    for x, y, include in points:
        mask[max(0, int(y) - 2) : int(y) + 3, max(0, int(x) - 2) : int(x) + 3] = 255 if include else 0
    return mask


@tool(
    id="frames", title="Frames", domain="mask", description="What is in the boxes.",
    inputs=(Port("image", _T.IMAGE, "the picture"), Port("boxes", _T.BOXES, "boxes")),
    outputs=(Port("mask", _T.MASK, "what is in them"),),
)  # fmt: skip
def frames(image: Image, boxes: Boxes) -> Mask:
    """255 inside of the boxes."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for box in boxes:
        mask[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] = 255
    return mask


@tool(
    id="halve", title="Halve", domain="image", description="Every second pixel.",
    inputs=(Port("image", _T.IMAGE, "the picture"),), outputs=(Port("image", _T.IMAGE, "the small one"),),
)  # fmt: skip
def halve(image: Image) -> Image:
    """Half as wide and high."""
    return np.ascontiguousarray(image[::2, ::2])


TOOLS: dict[str, Tool] = {function.tool.id: function.tool for function in (squares, frames, halve)}  # type: ignore[attr-defined]
