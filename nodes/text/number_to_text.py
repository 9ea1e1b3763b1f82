"""Write a number as text."""

from __future__ import annotations

import math

from nodes.api import Integer, NodeError, Number, Port, ResourceType, Text, tool


@tool(
    id="number_to_text",
    title="Number to text",
    domain="text",
    description="Writes a number as text, by itself or in a sentence of your own.",
    inputs=(
        Port("number", ResourceType.NUMBER, "the number", question="Which number should be put into words?"),
        Port(
            "sentence",
            ResourceType.TEXT,
            'a sentence with {} where the number goes: "I see {} faces."',
            default="{}",
        ),
        Port("digits", ResourceType.NUMBER, "digits after the point at most", default=2, minimum=0, maximum=12,
             integer=True, advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text"),),
    quality=1.0,
    examples=("Write the count as a sentence", 'Say "I see {} faces" with the number'),
    words=("number as text", "write the number", "say the number", "number in a sentence"),
    icon="type",
)  # fmt: skip
def number_to_text(number: Number, sentence: Text = "{}", digits: Integer = 2) -> Text:
    """Whole numbers without a point, others rounded to `digits` without trailing zeros.

    Raises NodeError naming `sentence` when it has no {}, naming `number` when that is not finite.
    """
    if "{}" not in sentence:
        raise NodeError("The sentence has no place for the number.", "sentence", "Write {} where the number goes.")
    if not math.isfinite(number):
        raise NodeError("The number is not finite.", "number", "Give an ordinary number.")
    shown = f"{number:.{digits}f}"
    if "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    return sentence.replace("{}", "0" if shown == "-0" else shown)
