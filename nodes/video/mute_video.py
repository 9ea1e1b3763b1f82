"""Take the sound off a video."""

from __future__ import annotations

from nodes._support.media import remux
from nodes.api import Port, ResourceType, RunContext, Video, tool


@tool(
    id="mute_video",
    title="Mute video",
    domain="video",
    description="Removes the sound from a video; the pictures stay as they are.",
    inputs=(Port("video", ResourceType.VIDEO, "the video"),),
    outputs=(Port("video", ResourceType.VIDEO, "the silent video, MP4"),),
    backend="pyav",
    backend_title="PyAV, stream copy",
    examples=("Mute the video", "Remove the sound from clip.mp4"),
    words=("silent video", "without sound", "strip the audio", "no audio"),
    icon="volume-x",
)
def mute_video(video: Video, *, context: RunContext) -> Video:
    """Copies the pictures bit by bit where MP4 takes their coding, otherwise codes them anew."""
    return remux.with_sound(video, None, context)
