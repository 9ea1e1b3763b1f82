"""Write labels as text."""

from __future__ import annotations

from nodes.api import Integer, Labels, Port, ResourceType, Text, tool


@tool(
    id="label_text",
    title="Labels to text",
    domain="text",
    description="Writes labels as text: the best one, or several with their scores.",
    inputs=(
        Port("labels", ResourceType.LABELS, "the labels", question="Between which words should be decided?"),
        Port(
            "count",
            ResourceType.NUMBER,
            "how many at most",
            default=3,
            minimum=1,
            maximum=100,
            integer=True,
            question="How many should be named at most?",
        ),
        Port(
            "form",
            ResourceType.TEXT,
            "names alone in a row, or one per line with the score",
            default="names",
            choices=("names", "scores"),
            question="Names alone, or with how sure it is?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text; empty when there are no labels"),),
    quality=1.0,
    examples=("Write the labels as text", "List the labels with their scores"),
    words=("labels as text", "list the labels", "name the labels"),
    icon="tags",
)
def label_text(labels: Labels, count: Integer = 3, form: Text = "names") -> Text:
    """The best `count` labels: "dog, puppy", or lines such as "dog (87 %)"."""
    best = sorted(labels, key=lambda label: -label.score)[:count]
    if form == "names":
        return ", ".join(label.name for label in best)
    return "\n".join(f"{label.name} ({label.score:.0%})".replace("%", " %") for label in best)
