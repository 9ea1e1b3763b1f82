"""Choose some of the names that a picture or text was given."""

from __future__ import annotations

from nodes._support.language import kinds
from nodes.api import Labels, NodeError, Number, Port, ResourceType, Text, tool


@tool(
    id="select_labels",
    title="Choose labels",
    domain="image",
    description="Chooses among labels those of a kind.",
    inputs=(
        Port("labels", ResourceType.LABELS, "the labels"),
        Port("which", ResourceType.TEXT, "the kind that is meant; plurals and synonyms count", said=True,
             question="Which ones do you mean?"),
        Port("least_score", ResourceType.NUMBER, "labels with a lower score are left out", default=0.0, minimum=0,
             maximum=1, advanced=True),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "the chosen ones; none when there is no such"),),
    quality=0.9,
    examples=("Choose the labels that are dogs", "Keep only the label cat among the labels"),
    words=("choose labels", "select category", "keep the label"),
    icon="list-filter",
    does="chooses",
)  # fmt: skip
def select_labels(labels: Labels, which: Text, least_score: Number = 0.0) -> Labels:
    """In their order; () when none fits. NodeError naming `which` when it is empty."""
    wanted = kinds.words_of(which)
    if not wanted:
        raise NodeError("Nothing says which labels are meant.", "which", 'Name a kind, such as "dog".')
    return tuple(label for label in labels if label.score >= least_score and kinds.fits(wanted, label.name))
