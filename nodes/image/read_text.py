"""Read the writing in a picture."""

from __future__ import annotations

from nodes._support import ocr
from nodes.api import Box, Boxes, Image, Port, ResourceType, RunContext, Text, tool


@tool(
    id="read_text",
    title="Read text",
    domain="image",
    description="Reads the text in a picture: signs, receipts, screenshots and scanned pages, in English and Chinese.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture with writing on it"),),
    outputs=(
        Port("text", ResourceType.TEXT, "what is written, line by line"),
        Port("boxes", ResourceType.BOXES, "where each piece of writing stands, labelled with its text"),
    ),
    backend="rapidocr",
    backend_title="RapidOCR",
    memory_bytes=600_000_000,
    quality=0.8,
    requires=("python:rapidocr", "python:onnxruntime"),
    examples=(
        "Read the text in this picture",
        "What does the sign say?",
        "What is written on receipt.jpg?",
        "Extract the text from the screenshot",
        "OCR the scanned page",
    ),
    words=("ocr", "text recognition", "what does it say", "written", "transcribe the picture", "words in the image"),
    icon="scan-text",
)
def read_text(image: Image, context: RunContext) -> tuple[Text, Boxes]:
    """PP-OCR detection and recognition; lines joined by newlines, pieces on one line by spaces.

    Boxes are upright rectangles around each piece, in reading order, scored 0..1 by the recogniser. No writing gives
    an empty text and no boxes, which is a finding, not an error.
    """
    lines = ocr.lines(ocr.pieces(image, context))
    text = "\n".join(" ".join(piece.text for piece in line) for line in lines)
    height, width = image.shape[:2]
    boxes = []
    for piece in (piece for line in lines for piece in line):
        (x0, y0), (x1, y1) = piece.corners.min(axis=0).clip(0), piece.corners.max(axis=0).clip(0, (width, height))
        if x0 < x1 and y0 < y1:
            boxes.append(Box(float(x0), float(y0), float(x1), float(y1), piece.text, piece.score))
    return text, tuple(boxes)
