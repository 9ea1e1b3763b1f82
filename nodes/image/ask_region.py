"""Answer a question about a part of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected
from nodes._support.inference import asking, connected
from nodes._support.vision.seeing import opaque
from nodes.api import Image, Mask, Port, ResourceType, RunContext, Text, backend_of, tool

_MARGIN = 0.15
"""So much of the part's longer side is shown around it."""


@tool(
    id="ask_region",
    title="Ask about part",
    domain="image",
    description="Answers a question about the marked part of a picture alone: what lies under the click or the mask.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the part that is meant"),
        asking.question_port("that part"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the answer"),),
    families=asking.OF_PICTURE,
    examples=("What is this that I marked?", "What does the marked part of the picture say?"),
    words=("ask about the selected part", "question about the region", "what did i click", "ask about the mask"),
    icon="message-square",
    result="answer",
    does="answers",
)
def ask_region(image: Image, mask: Mask, question: Text, *, context: RunContext) -> Text:
    """As `ask_image`, of the mask's rectangle with some of what is around. NodeError naming `mask` or `question`."""
    return asking.answer(_shown(image, mask, question), question, context)


@backend_of(ask_region, **connected.SEEING)
def by_connected_model(image: Image, mask: Mask, question: Text, *, context: RunContext) -> Text:
    """In sentences; that part of the picture is sent."""
    return asking.answer_of_connected(_shown(image, mask, question), question, context)


def _shown(image: np.ndarray, mask: np.ndarray, question: str) -> np.ndarray:
    asking.asked(question)
    check_selected(mask, image)
    down, across = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    around = round(max(np.ptp(down), np.ptp(across)) * _MARGIN) + 1
    rows = slice(max(0, down[0] - around), down[-1] + 1 + around)
    columns = slice(max(0, across[0] - around), across[-1] + 1 + around)
    return np.ascontiguousarray(opaque(image)[rows, columns])
