"""Take the picture at a given time out of a video."""

from __future__ import annotations

from nodes._support.media import movies
from nodes.api import Image, NodeError, Number, Phrase, Port, ResourceType, Video, tool


@tool(
    id="video_frame",
    title="Frame at a time",
    domain="video",
    description="Takes the still picture that a video shows at a given time.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port(
            "seconds",
            ResourceType.NUMBER,
            "the time",
            default=0.0,
            minimum=0,
            unit="s",
            question="Which second of the video should it be?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend="pyav",
    backend_title="PyAV",
    examples=("Show the frame at 5 seconds of the video", "Take the first frame of clip.mp4"),
    words=("frame at", "screenshot at", "first frame", "moment of the video"),
    icon="square-play",
)
def video_frame(video: Video, seconds: Number = 0.0) -> Image:
    """uint8 RGB, upright. NodeError naming `seconds` for a time after the end."""
    known = movies.facts(video)
    if seconds > known.seconds:
        raise NodeError(
            Phrase(
                "The video ends at {seconds} s, before {seconds2} s.",
                seconds=f"{known.seconds:.2f}",
                seconds2=f"{seconds:g}",
            ),
            "seconds",
            "Choose an earlier time.",
        )
    return movies.picture_at(video, seconds)
