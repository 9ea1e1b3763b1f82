"""Tell the plain facts about a video."""

from __future__ import annotations

from nodes._support.media import movies
from nodes.api import Port, ResourceType, Table, TableValue, Video, tool


@tool(
    id="video_facts",
    title="Video facts",
    domain="video",
    description="Lists the facts about a video: duration, size, frame rate, coding, whether it has sound, file size.",
    inputs=(Port("video", ResourceType.VIDEO, "the video"),),
    outputs=(Port("table", ResourceType.TABLE, "fact, value and unit"),),
    backend="pyav",
    backend_title="PyAV",
    examples=("How long is the video?", "What resolution and frame rate has clip.mp4?", "Show the video properties"),
    words=("duration of the video", "resolution", "fps", "codec", "video metadata", "length of the video"),
    icon="info",
)
def video_facts(video: Video) -> TableValue:
    """Width and height are as the video is shown: turned upright, with square pixels. The frame rate is a mean."""
    known = movies.facts(video)
    rows = (
        ("duration", round(known.seconds, 3), "s"),
        ("width", known.width, "px"),
        ("height", known.height, "px"),
        ("frame rate", round(known.fps, 3), "1/s"),
        ("rotation", known.rotation, "degrees"),
        ("video coding", known.video_codec, ""),
        ("sound", "yes" if known.rate else "no", ""),
        ("audio coding", known.audio_codec or None, ""),
        ("sample rate", known.rate or None, "Hz"),
        ("channels", known.channels or None, ""),
        ("file size", video.stat().st_size, "bytes"),
    )
    return Table(("fact", "value", "unit"), rows)
