"""Keep a rectangle of a video."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.cropping import SHAPES, kept
from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes.api import Integer, Port, ResourceType, RunContext, Text, Video, tool

_PLACE = {"default": None, "minimum": 0, "integer": True, "unit": "px"}
_SIDE = {"default": None, "minimum": 2, "integer": True, "unit": "px"}


@tool(
    id="crop_video",
    title="Crop video",
    domain="video",
    description="Crops a video: cuts its edges off, to a square, an upright or another shape, or to a rectangle.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("shape", ResourceType.TEXT, "keep the largest part of this shape (width:height)", default="free",
             choices=("free", *SHAPES), question="Which shape should the video get?"),
        Port("left", ResourceType.NUMBER, "so much goes at the left; in the middle if not given", **_PLACE,
             question="How many pixels from the left should it begin?"),
        Port("top", ResourceType.NUMBER, "so much goes at the top; in the middle if not given", **_PLACE,
             question="How many pixels from the top should it begin?"),
        Port("width", ResourceType.NUMBER, "width of what is kept", **_SIDE,
             question="How wide should it be, in pixels?"),
        Port("height", ResourceType.NUMBER, "height of what is kept", **_SIDE,
             question="How high should it be, in pixels?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the part of the picture as a video, with its sound, MP4"),),
    backend="numpy",
    backend_title="PyAV, H.264",
    examples=(
        "Crop the video to a square",
        "Crop clip.mp4 to 9:16",
        "Cut 100 pixels off the top of the video",
        "Crop the film to 640 x 360 pixels",
    ),
    words=("square video", "vertical for TikTok", "crop the film", "black bars", "upright video", "aspect ratio"),
    icon="crop",
    any_of=("shape", "left", "top", "width", "height"),
)  # fmt: skip
def crop_video(
    video: Video,
    shape: Text = "free",
    left: Integer | None = None,
    top: Integer | None = None,
    width: Integer | None = None,
    height: Integer | None = None,
    *,
    context: RunContext,
) -> Video:
    """The rectangle as `cropping.kept` finds it in the upright picture; in the middle without a corner. Sides are made
    even, as H.264 needs them, by a pixel less, or by a repeated one where they are given.

    NodeError naming `left` or `top` when that is outside, `width` when nothing says how much to keep.
    """
    known = movies.facts(video)
    whole = known.width, known.height
    rows, columns = kept(whole, (left, top), (width, height), shape, ("left", "top"))
    high, wide = (_even(span, given) for span, given in ((rows, height), (columns, width)))

    def part(pixels: np.ndarray, _: float) -> np.ndarray:
        return np.ascontiguousarray(pixels[high, wide])

    return writer.rewritten(video, context, part, (wide.stop - wide.start, high.stop - high.start))


def _even(span: slice, given: int | None) -> slice:
    length = span.stop - span.start
    return slice(span.start, span.stop - (length % 2 if given is None and length > 2 else 0))
