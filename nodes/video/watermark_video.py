"""Lay a picture, such as a logo, over a video."""

from __future__ import annotations

import numpy as np

from nodes._support.media import frames, movies
from nodes._support.media import movie_writer as writer
from nodes.api import Image, NodeError, Number, Port, ResourceType, RunContext, Text, Video, tool


@tool(
    id="watermark_video",
    title="Watermark video",
    domain="video",
    description="Lays a picture, such as a logo or a watermark, over a corner or the middle of a video.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("image", ResourceType.IMAGE, "the picture; transparent parts stay so"),
        Port("position", ResourceType.TEXT, "where it lies", default="bottom right", choices=frames.PLACES,
             question="Where should it be?"),
        Port("size", ResourceType.NUMBER, "its width in percent of the width of the video", default=18.0, minimum=1,
             maximum=100, unit="%", question="How wide should it be, in percent of the whole?"),
        Port("opacity", ResourceType.NUMBER, "0 = invisible, 1 = solid", default=0.85, minimum=0, maximum=1,
             question="How clearly should it be seen, from 0 to 1?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video with the picture, MP4"),),
    backend="numpy",
    backend_title="Alpha blending",
    examples=("Put the logo on the video", "Add logo.png as a watermark to clip.mp4"),
    words=("logo", "watermark", "overlay a picture on the video", "brand"),
    icon="stamp",
)  # fmt: skip
def watermark_video(
    video: Video,
    image: Image,
    position: Text = "bottom right",
    size: Number = 18.0,
    opacity: Number = 0.85,
    *,
    context: RunContext,
) -> Video:
    """The picture keeps its proportions and is made smaller if it would be higher than the video."""
    if not image.size:
        raise NodeError("The picture is empty.", "image", "Choose another picture.")
    known = movies.facts(video)
    scale = min(known.width * size / 100 / image.shape[1], known.height / image.shape[0])
    inner = max(round(image.shape[1] * scale), 1), max(round(image.shape[0] * scale), 1)
    small = frames.resized(np.ascontiguousarray(image), inner)
    margin = min(round(known.width * 0.02), (known.width - inner[0]) // 2, (known.height - inner[1]) // 2)
    left, top = frames.place(position, (known.width, known.height), inner, max(margin, 0))
    return writer.rewritten(video, context, lambda pixels, _: frames.laid_over(pixels, small, left, top, opacity))
