"""Keep only a part of a video."""

from __future__ import annotations

from nodes._support.media import cutting, movies
from nodes.api import Number, Port, ResourceType, RunContext, Video, tool


@tool(
    id="trim_video",
    title="Trim video",
    domain="video",
    description="Cuts a part out of a video: keeps what lies between two times, in seconds.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("start", ResourceType.NUMBER, "where the part begins; below 0 before the end", default=0.0,
             unit="s", question="At which second should it begin?"),
        Port("end", ResourceType.NUMBER, "where the part ends; the end of the video if not given, below 0 before it",
             default=None, unit="s", question="At which second should it end?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the part, MP4"),),
    backend="pyav",
    backend_title="PyAV, exact to the picture",
    examples=("Keep the first 10 seconds of the video", "Trim clip.mp4 from 5 s to 12 s", "Cut the video at 0:30"),
    words=("cut the video", "shorten the video", "excerpt of the video", "first seconds of the video"),
    icon="scissors",
)  # fmt: skip
def trim_video(video: Video, start: Number = 0.0, end: Number | None = None, *, context: RunContext) -> Video:
    """Copies pictures and sound bit by bit, but for the pictures before the first key frame and those that need one
    after the end, which are coded anew, so that a part may begin and end with any picture; where that cannot be done,
    all are. An end past the video means its end.

    NodeError naming `start` or `end` when nothing lies between them.
    """
    known = movies.facts(video)
    start, last = movies.part(known, start, end)
    return cutting.trimmed(video, known, start, last, context)
