"""Say in words what a video shows."""

from __future__ import annotations

from nodes._support import connected, movies
from nodes._support.seeing import opaque
from nodes.api import Integer, Port, ResourceType, RunContext, Text, Video, tool


@tool(
    id="describe_video",
    title="Describe video",
    domain="video",
    description="Describes what happens in a video, or answers a question about it, from pictures of it.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("question", ResourceType.TEXT, "a question about it; empty for a description", default="", said=True),
        Port("frames", ResourceType.NUMBER, "how many pictures of it are looked at", default=8, minimum=1, maximum=16,
             integer=True, advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the description, or the answer"),),
    **connected.ALONE_SEEING,
    examples=("Describe this video", "What happens in clip.mp4?", "Write a caption for the video"),
    words=("video captioning", "video description", "what happens in the video", "video question answering"),
    icon="captions",
)  # fmt: skip
def describe_video(video: Video, question: Text = "", frames: Integer = 8, *, context: RunContext) -> Text:
    """In some sentences; `frames` pictures, evenly spread, are sent, and no sound. What it says may be wrong."""
    seconds = movies.facts(video).picture_seconds
    times = [seconds * (number + 0.5) / frames for number in range(frames)]
    pictures = []
    for number, at in enumerate(times):
        context.progress(0.5 * number / frames)
        pictures.append(opaque(movies.picture_at(video, at)))
    when = ", ".join(f"{at:.1f}" for at in times)
    asked = f"answer this question about it: {question.strip()}" if question.strip() else "describe what happens in it"
    order = f"These are pictures of a video in order, taken at {when} seconds. In a few sentences, {asked}"
    return connected.write(order, context, images=pictures)
