"""Give a video another size."""

from __future__ import annotations

import numpy as np

from nodes._support.media import frames, movies
from nodes._support.media import movie_writer as writer
from nodes.api import Integer, NodeError, Phrase, Port, ResourceType, RunContext, Text, Video, tool

_SIDE = {"minimum": 2, "maximum": 8192, "integer": True, "unit": "px"}
_FITS = ("pad", "crop", "stretch")


@tool(
    id="resize_video",
    title="Resize video",
    domain="video",
    description="Changes the width and height of a video; its proportions stay unless both are given.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("width", ResourceType.NUMBER, "new width", default=None, **_SIDE, offered=(640, 1280, 1920),
             question="How wide should the video be, in pixels?"),
        Port("height", ResourceType.NUMBER, "new height", default=None, **_SIDE,
             question="How high should it be, in pixels?"),
        Port("fit", ResourceType.TEXT, "when both are given: pad with black, crop the edges, or stretch",
             default="pad", choices=_FITS, question="What should happen where its shape is another?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video in its new size, MP4"),),
    backend="opencv",
    backend_title="OpenCV",
    examples=("Resize the video to 640 x 360", "Make clip.mp4 720 pixels high", "Scale the video down"),
    words=("scale the video", "smaller video", "video resolution", "vertical video", "square video", "720p", "1080p"),
    icon="scaling",
    any_of=("width", "height"),
)  # fmt: skip
def resize_video(
    video: Video, width: Integer | None = None, height: Integer | None = None, fit: Text = "pad", *, context: RunContext
) -> Video:
    """Sizes are rounded up to even ones, as H.264 needs them. NodeError naming `width` when neither is given."""
    if width is None and height is None:
        raise NodeError("Neither a width nor a height is given.", "width", "Give at least one of them.")
    known = movies.facts(video)
    size = _size(width, height, known.width, known.height)
    changes = {"pad": frames.fitted, "crop": frames.covering, "stretch": frames.resized}
    change = changes[fit if width and height else "stretch"]

    def resized(pixels: np.ndarray, _: float) -> np.ndarray:
        return change(pixels, size)

    return writer.rewritten(video, context, resized, size)


def _size(width: int | None, height: int | None, own_width: int, own_height: int) -> tuple[int, int]:
    wide = width or round((height or 0) * own_width / own_height)
    high = height or round((width or 0) * own_height / own_width)
    size = max(wide + wide % 2, 2), max(high + high % 2, 2)
    if max(size) > 8192:
        raise NodeError(
            Phrase("{width} × {height} pixels are too many for a video.", width=size[0], height=size[1]),
            "width" if width else "height",
            "Choose a smaller size.",
        )
    return size
