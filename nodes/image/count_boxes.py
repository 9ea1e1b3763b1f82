"""Count what was found."""

from __future__ import annotations

from nodes.api import Boxes, Integer, Number, Port, ResourceType, tool


@tool(
    id="count_boxes",
    title="Count",
    domain="image",
    description="Counts the things that were found: how many boxes there are.",
    inputs=(
        Port("boxes", ResourceType.BOXES, "what was found"),
        Port(
            "least_score",
            ResourceType.NUMBER,
            "boxes with a lower score are not counted",
            default=0.0,
            minimum=0,
            maximum=1,
            advanced=True,
        ),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "how many there are", integer=True),),
    quality=1.0,
    examples=(
        "How many faces are in this picture?",
        "Count the people",
        "What is the number of detected objects?",
    ),
    words=("how many", "number of", "count", "counting", "how much people", "amount of"),
    icon="hash",
)
def count_boxes(boxes: Boxes, least_score: Number = 0.0) -> Integer:
    """The number of boxes with a score of at least `least_score`; 0 for none."""
    return sum(box.score >= least_score for box in boxes)
