"""Take pictures out of a video at even distances."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.media import movies
from nodes.api import Image, Integer, NodeError, Number, Phrase, Port, ResourceType, RunContext, Video, tool

_SEEK_SECONDS = 4
_MOST = 300


@tool(
    id="video_frames",
    title="Video frames",
    domain="video",
    description="Takes several still pictures out of a video, evenly spread over its length.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("count", ResourceType.NUMBER, "how many", default=8, minimum=1, maximum=_MOST, integer=True,
             question="How many pictures should be taken?"),
        Port("every", ResourceType.NUMBER, "from one picture to the next, instead of a number of them", default=None,
             minimum=0.01, maximum=86_400, unit="s", question="How many seconds should lie between the pictures?"),
    ),
    outputs=(Port("images", ResourceType.IMAGE, "the pictures, in order", many=True),),
    backend="pyav",
    backend_title="PyAV",
    examples=("Extract 10 frames from the video", "Give me the key frames of clip.mp4"),
    words=("frames", "stills", "key frames", "screenshots of the video", "video to images"),
    icon="film",
)  # fmt: skip
def video_frames(
    video: Video, count: Integer = 8, every: Number | None = None, *, context: RunContext
) -> tuple[Image, ...]:
    """The picture in the middle of each of `count` equal parts, uint8 RGB, upright. A video of fewer pictures gives
    some of them more than once. With `every` the pictures at 0 s, at so many seconds, at twice as many and so on.

    NodeError naming `every` for more than 300 pictures.
    """
    known = movies.facts(video)
    times = _times(known.picture_seconds, count, every)
    count = len(times)
    if known.picture_seconds / count > _SEEK_SECONDS:
        return tuple(_one(video, at, number / count, context) for number, at in enumerate(times))
    found: list[np.ndarray] = []
    before: np.ndarray | None = None
    for picture in movies.pictures(video, context=context):
        while len(found) < count and before is not None and picture.seconds > times[len(found)]:
            found.append(before)
        before = picture.pixels
        context.progress(min(picture.seconds / max(known.picture_seconds, 1e-6), 1))
    return (*found, *[before] * (count - len(found)))  # type: ignore[return-value]


def _times(seconds: float, count: int, every: float | None) -> list[float]:
    if every is None:
        return [seconds * (number + 0.5) / count for number in range(count)]
    count = max(math.ceil(seconds / every - 1e-6), 1)
    if count > _MOST:
        said = Phrase("A picture every {every} s would be {n} pictures; {most} is the most.", every=f"{every:g}",
                      n=f"{count:,}", most=_MOST)  # fmt: skip
        raise NodeError(said, "every", Phrase("Choose at least {n} s.", n=f"{seconds / _MOST:.2g}"))
    return [number * every for number in range(count)]


def _one(video, at: float, fraction: float, context: RunContext) -> np.ndarray:
    context.progress(fraction)
    return movies.picture_at(video, at)
