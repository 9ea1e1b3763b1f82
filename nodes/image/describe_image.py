"""Say in words what a picture shows."""

from __future__ import annotations

from nodes._support.inference import asking, connected
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Flag, Image, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="describe_image",
    title="Describe picture",
    domain="image",
    description="Describes a picture in words: writes a caption for it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "detailed",
            ResourceType.FLAG,
            "several sentences in place of one, where the model can",
            default=False,
            question="Should the description be long?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the description"),),
    families=(
        Family("transformers captioning", "describe image"),
        Family("transformers image chat", "describe image"),
    ),
    examples=("Describe this picture", "Write a caption for photo.jpg", "Caption the photo"),
    words=("caption", "image captioning", "describe", "description of the picture", "alt text"),
    icon="text-quote",
)
def describe_image(image: Image, detailed: Flag = False, *, context: RunContext) -> Text:
    """English. One line from models of captions; BLIP knows no `detailed`. What it says may be wrong."""
    return asking.describe(opaque(image), detailed, context)


@backend_of(describe_image, **connected.SEEING)
def by_connected_model(image: Image, detailed: Flag, *, context: RunContext) -> Text:
    """One sentence, or several; the picture is sent."""
    length = "in detail: what it shows, where, and how it looks" if detailed else "in one sentence"
    return connected.write(f"Describe the picture {length}.", context, images=[opaque(image)])
