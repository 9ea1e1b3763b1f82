"""Count the names that a picture or text was given."""

from __future__ import annotations

from nodes.api import Integer, Labels, Number, Port, ResourceType, tool


@tool(
    id="count_labels",
    title="Count labels",
    domain="image",
    description="Counts labels: the different names among them.",
    inputs=(
        Port("labels", ResourceType.LABELS, "the labels"),
        Port("least_score", ResourceType.NUMBER, "labels with a lower score are not counted", default=0.0, minimum=0,
             maximum=1, advanced=True),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "how many there are", integer=True),),
    quality=1.0,
    examples=("Count the labels", "Count the labels of the picture"),
    words=("count labels", "label count"),
    icon="hash",
)  # fmt: skip
def count_labels(labels: Labels, least_score: Number = 0.0) -> Integer:
    """The number of different names with a score of at least `least_score`; 0 for none."""
    return len({label.name for label in labels if label.score >= least_score})
