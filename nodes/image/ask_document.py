"""Answer a question about a page: a scan, a receipt, a form, a screenshot."""

from __future__ import annotations

from nodes._support.imaging.pixels import SILENT
from nodes._support.inference import asking, connected
from nodes._support.vision import ocr
from nodes._support.vision.seeing import opaque
from nodes.api import TRANSFORMERS, Family, Image, NodeError, Port, ResourceType, RunContext, Text, backend_of, tool

_READER = ("python:rapidocr", "python:onnxruntime")


@tool(
    id="ask_document",
    title="Look up in scan",
    domain="image",
    description="Looks up in the writing on a scanned page, a receipt, a form or a screenshot what one wants to know.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the page as a picture"),
        Port(
            "question",
            ResourceType.TEXT,
            "the question about it",
            said=True,
            question="What do you want to know about it?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    backend="ocr-bm25",
    backend_title="RapidOCR and the best passage",
    memory_bytes=600_000_000,
    quality=0.4,
    requires=_READER,
    families=(Family("transformers image chat", "answer about document"),),
    examples=("What is the total on the scanned receipt?", "Who signed the form in scan.png?"),
    words=("docvqa", "what the scan says", "what the receipt says", "look it up on the form"),
    icon="scan-text",
    result="answer",
    does="answers",
)
def ask_document(image: Image, question: Text, context: RunContext = SILENT) -> Text:
    """Without a model what is written is read, and the passage that fits the question is given word for word.

    NodeError naming `question` when nothing is asked, `image` when nothing is written on it.
    """
    question = asking.asked(question)
    if context.model is not None:
        return asking.answer(opaque(image), question, context)
    from nodes.image.read_text import read_text
    from nodes.text.answer_from_text import answer_from_text

    text, _ = read_text(image, context)
    if not text.strip():
        raise _nothing_written()
    return answer_from_text(text, question)


@backend_of(
    ask_document, families=(Family("transformers page question", "answer about document", (*TRANSFORMERS, *_READER)),)
)
def by_layout(image: Image, question: Text, *, context: RunContext) -> Text:
    """What is written is read, and a model that knows where each word stands finds those that answer. Word for word."""
    question = asking.asked(question)
    words = ocr.words(opaque(image), context)
    if not words:
        raise _nothing_written()
    return asking.answer_on_page(words, question, context)


@backend_of(ask_document, **connected.SEEING)
def by_connected_model(image: Image, question: Text, *, context: RunContext) -> Text:
    """In a sentence or two; the picture is sent."""
    order = f"Answer from what is written on this page, in a sentence or two: {asking.asked(question)}"
    return connected.write(order, context, images=[opaque(image)])


def _nothing_written() -> NodeError:
    return NodeError("No writing was found in the picture.", "image", "Use a sharper or larger picture.")
