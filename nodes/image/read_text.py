"""Read the writing in a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.models import models
from nodes._support.vision import ocr
from nodes._support.vision.seeing import opaque
from nodes.api import TRANSFORMERS, Box, Boxes, Family, Image, Port, ResourceType, RunContext, Text, tool

_FINDER = ("python:rapidocr", "python:onnxruntime")
_MOST_TOKENS = 128


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
    requires=_FINDER,
    families=(Family("transformers line reading", "read text", (*TRANSFORMERS, *_FINDER)),),
    examples=(
        "Read the text in this picture",
        "What does the sign say?",
        "What is written on receipt.jpg?",
        "Extract the text from the screenshot",
        "OCR the scanned page",
    ),
    words=("ocr", "text recognition", "what does it say", "written", "transcribe the picture", "words in the image"),
    does="reads",
    icon="scan-text",
    result="text",
)
def read_text(image: Image, context: RunContext) -> tuple[Text, Boxes]:
    """PP-OCR detection and recognition; lines joined by newlines, pieces on one line by spaces.

    Boxes are upright rectangles around each piece, in reading order, scored 0..1 by the recogniser. No writing gives
    an empty text and no boxes, which is a finding, not an error. With a model (TrOCR, Li et al. 2021) each piece that
    was found is read by it.
    """
    found = ocr.pieces(image, context)
    if context.model is not None and found:
        found = _read_by_model(opaque(image), found, context)
    lines = ocr.lines(found)
    text = "\n".join(" ".join(piece.text for piece in line) for line in lines)
    height, width = image.shape[:2]
    boxes = []
    for piece in (piece for line in lines for piece in line):
        (x0, y0), (x1, y1) = piece.corners.min(axis=0).clip(0), piece.corners.max(axis=0).clip(0, (width, height))
        if x0 < x1 and y0 < y1:
            boxes.append(Box(float(x0), float(y0), float(x1), float(y1), piece.text, piece.score))
    return text, tuple(boxes)


def _read_by_model(rgb: np.ndarray, found: list[ocr.Piece], context: RunContext) -> list[ocr.Piece]:
    def read(loaded: models.Loaded, device: str) -> list[ocr.Piece]:
        done = []
        for number, piece in enumerate(found):
            context.progress(number / len(found))
            pixels = loaded.processor(images=upright(rgb, piece.corners), return_tensors="pt",
                                      input_data_format="channels_last").pixel_values  # fmt: skip
            told = loaded.network.generate(
                pixels.to(device, loaded.network.dtype), max_new_tokens=_MOST_TOKENS, do_sample=False, num_beams=1,
                output_scores=True, return_dict_in_generate=True,
            )  # fmt: skip
            sure = loaded.network.compute_transition_scores(told.sequences, told.scores, normalize_logits=True)
            text = loaded.processor.batch_decode(told.sequences, skip_special_tokens=True)[0].strip()
            if text:
                done.append(piece._replace(text=text, score=float(sure[0].exp().mean())))
        return done

    return models.apply(context, "VisionEncoderDecoderModel", "TrOCRProcessor", read, note="reading")


def upright(rgb: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The quadrilateral of a piece of writing, corners (4, 2) from its top left, as a picture of its own."""
    import cv2

    width = round(max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3]), 1))
    height = round(max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1]), 1))
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turned = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    return cv2.warpPerspective(rgb, turned, (width, height), borderMode=cv2.BORDER_REPLICATE)
