"""Answer a question about a picture."""

from __future__ import annotations

from nodes._support.inference import asking, connected
from nodes._support.vision.seeing import opaque
from nodes.api import Image, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="ask_image",
    title="Ask about picture",
    domain="image",
    description="Answers a question about what a picture shows, such as its colours, things, places and people.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        asking.question_port("it"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    families=asking.OF_PICTURE,
    examples=(
        "What colour is the car in this picture?",
        "Is the man in photo.jpg wearing a hat?",
        "Answer a question about the picture: what is the weather like?",
    ),
    words=(
        "visual question answering",
        "question about the picture",
        "ask the image",
        "vqa",
        "what is he doing",
    ),
    icon="message-square",
    result="answer",
    does="answers",
)
def ask_image(image: Image, question: Text, *, context: RunContext) -> Text:
    """A word or two by models made for questions, sentences by chat models. NodeError when nothing is asked."""
    return asking.answer(opaque(image), question, context)


@backend_of(ask_image, **connected.SEEING)
def by_connected_model(image: Image, question: Text, *, context: RunContext) -> Text:
    """In sentences; the picture is sent."""
    return asking.answer_of_connected(opaque(image), question, context)
