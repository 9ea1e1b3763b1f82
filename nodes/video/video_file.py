"""Make a file of a video, in a form and of at most a size."""

from __future__ import annotations

from nodes._support.media import film_files
from nodes.api import NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, Video, tool


@tool(
    id="video_file",
    title="Video file",
    domain="video",
    description="Saves a video as an MP4, WebM, MOV or MKV file, compressed to a file size in megabytes when one is"
    " given.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video, or an animated GIF"),
        Port("format", ResourceType.TEXT, "form of the file", default="mp4", choices=tuple(film_files.FORMS),
             question="Which kind of file should it be?"),
        Port("size_mb", ResourceType.NUMBER, "largest file size; a small one costs quality, then pixels", default=None,
             minimum=0.001, maximum=100_000, unit="MB", question="How large may the file be at most, in megabytes?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video in that form and size"),),
    backend="pyav",
    backend_title="FFmpeg, H.264 or VP9",
    examples=(
        "Compress the video to 20 MB",
        "Convert clip.mov to mp4",
        "Make the video smaller for mail",
        "Turn the gif into an mp4",
    ),
    words=("compress video", "make the video smaller for mail", "convert to mp4", "mov to mp4", "gif to mp4",
           "video format", "webm", "mkv", "mov", "file size of the video", "megabytes"),
    icon="film",
    result="",
    does="converts",
)  # fmt: skip
def video_file(video: Video, format: Text = "mp4", size_mb: Number | None = None, *, context: RunContext) -> Video:
    """Of at most `size_mb` million bytes: in less quality where it must be, then with fewer pixels and one channel.

    Pictures, sound and subtitles are copied bit by bit where the form holds their coding; else the first sound only,
    in H.264 and AAC, or VP9 and Opus for WebM. NodeError naming `size_mb` when the size cannot be had.
    """
    made = film_files.saved(video, format, None if size_mb is None else int(size_mb * 1_000_000), context)
    if made is None:
        raise NodeError(
            Phrase(
                "The video cannot be made smaller than {megabytes} MB. Choose a larger file size.",
                megabytes=f"{size_mb:g}",
            ),
            "size_mb",
        )
    return made
