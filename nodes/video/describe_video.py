"""Say in words what a video shows."""

from __future__ import annotations

from nodes._support.inference import asking, connected
from nodes._support.media import movies
from nodes._support.models import models
from nodes.api import Family, Integer, NodeError, Port, ResourceType, RunContext, Text, Video, backend_of, tool


@tool(
    id="describe_video",
    title="Describe video",
    domain="video",
    description="Describes what happens in a video, or answers a question about it, from pictures of it.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("question", ResourceType.TEXT, "a question about it; empty for a description", default="", said=True),
        Port("frames", ResourceType.NUMBER, "how many pictures of it are looked at", default=8, minimum=1, maximum=16,
             integer=True, advanced=True, question="How many pictures should be taken?"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the description, or the answer"),),
    **connected.ALONE_SEEING,
    examples=("Describe this video", "What happens in clip.mp4?", "Write a caption for the video"),
    words=("video captioning", "video description", "what happens in the video", "video question answering"),
    icon="captions",
)  # fmt: skip
def describe_video(video: Video, question: Text = "", frames: Integer = 8, *, context: RunContext) -> Text:
    """In some sentences; `frames` pictures, evenly spread, are sent, and no sound. What it says may be wrong."""
    times, pictures = movies.spread(video, frames, context)
    when = ", ".join(f"{at:.1f}" for at in times)
    asked = f"answer this question about it: {question.strip()}" if question.strip() else "describe what happens in it"
    order = f"These are pictures of a video in order, taken at {when} seconds. In a few sentences, {asked}"
    return connected.write(order, context, images=pictures)


@backend_of(
    describe_video,
    families=(Family("transformers captioning", "describe image"), Family("transformers image chat", "describe image")),
)
def by_pictures(video: Video, question: Text, frames: Integer, *, context: RunContext) -> Text:
    """A line for each picture that differs from the one before, with its time: the model sees one at a time."""
    chats = models.kind_of(models.model_folder(context)) != "blip"
    if question.strip() and not chats:
        raise NodeError("This model only describes.", "question", "Ask nothing, or choose another back end.")
    lines: list[tuple[str, str]] = []
    for at, picture in zip(*movies.spread(video, frames, context), strict=True):
        ask = question.strip()
        said = asking.answer(picture, ask, context) if ask else asking.describe(picture, False, context)
        if not lines or lines[-1][1] != said:
            lines.append((f"{int(at) // 60}:{int(at) % 60:02d}", said))
    return "\n".join(f"{at} {said}" for at, said in lines)
