"""Show a video small in a corner of another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nodes._support.media import frames, movies
from nodes._support.media import movie_writer as writer
from nodes.api import Number, Port, ResourceType, RunContext, Text, Video, tool


@tool(
    id="picture_in_picture",
    title="Picture in picture",
    domain="video",
    description="Shows a second video small in a corner of the first; the sound of the first is kept.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the large video"),
        Port("other", ResourceType.VIDEO, "the small video"),
        Port("position", ResourceType.TEXT, "where the small one lies", default="bottom right", choices=frames.PLACES,
             question="Where should it be?"),
        Port("size", ResourceType.NUMBER, "its width in percent of the large one", default=30.0, minimum=2, maximum=100,
             unit="%", question="How wide should it be, in percent of the whole?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "both in one, MP4, as long as the large one"),),
    backend="numpy",
    backend_title="PyAV, H.264",
    examples=("Put the webcam video in the corner of the screen recording", "Picture in picture of both videos"),
    words=("pip", "video in video", "corner video", "overlay a video", "inset"),
    icon="picture-in-picture-2",
    result="inset",
)  # fmt: skip
def picture_in_picture(
    video: Video, other: Video, position: Text = "bottom right", size: Number = 30.0, *, context: RunContext
) -> Video:
    """A small video that ends earlier disappears. Both start together; times are kept."""
    known, small = movies.facts(video), movies.facts(other, "other")
    scale = min(known.width * size / 100 / small.width, known.height / small.height)
    inner = max(round(small.width * scale), 2), max(round(small.height * scale), 2)
    margin = min(round(known.width * 0.03), (known.width - inner[0]) // 2, (known.height - inner[1]) // 2)
    left, top = frames.place(position, (known.width, known.height), inner, max(margin, 0))
    seen = _Seen(other, small.picture_seconds, inner)

    def both(pixels: np.ndarray, seconds: float) -> np.ndarray:
        corner = seen.at(seconds)
        return pixels if corner is None else frames.laid_over(pixels, corner, left, top)

    return writer.rewritten(video, context, both)


class _Seen:
    """What a video shows at ever later times, in a given size."""

    def __init__(self, video: Path, seconds: float, size: tuple[int, int]) -> None:
        self._pictures: Iterator[movies.Picture] = movies.pictures(video, "other")
        self._seconds, self._size = seconds, size
        self._shown: np.ndarray | None = None
        self._next = next(self._pictures, None)

    def at(self, seconds: float) -> np.ndarray | None:
        """The picture at `seconds`, None after the end."""
        newest = None
        while self._next is not None and self._next.seconds <= seconds + 1e-6:
            newest, self._next = self._next, next(self._pictures, None)
        if newest is not None:
            self._shown = frames.resized(newest.pixels, self._size)
        return self._shown if seconds < self._seconds else None
