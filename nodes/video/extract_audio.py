"""Take the sound out of a video."""

from __future__ import annotations

from nodes._support.media import movies
from nodes.api import AudioValue, Port, ResourceType, RunContext, Video, tool


@tool(
    id="extract_audio",
    title="Extract audio",
    domain="video",
    description="Takes the sound track out of a video, as audio of its own.",
    inputs=(Port("video", ResourceType.VIDEO, "a video with sound"),),
    outputs=(Port("audio", ResourceType.AUDIO, "its sound"),),
    backend="pyav",
    backend_title="PyAV",
    examples=("Extract the audio track from the video", "Get the sound of clip.mp4", "Convert the video to audio"),
    words=("video to audio", "sound track", "audio track", "rip the sound", "mp3 of the video"),
    icon="file-audio",
)
def extract_audio(video: Video, *, context: RunContext) -> AudioValue:
    """The first sound track in its own rate and channels; a late start is filled with silence, as in the video.

    NodeError naming `video` when it has no sound or cannot be read.
    """
    return movies.whole_sound(video, context=context)
