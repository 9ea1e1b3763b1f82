"""The average of numbers."""

from __future__ import annotations

import statistics

from nodes.api import NodeError, Number, Port, ResourceType, Text, tool


@tool(
    id="average_numbers",
    title="Average",
    domain="text",
    description="Takes the average of numbers, or their median, smallest or largest.",
    inputs=(
        Port("numbers", ResourceType.NUMBER, "the numbers", many=True, question="Of which numbers?"),
        Port(
            "how",
            ResourceType.TEXT,
            "what to take",
            default="mean",
            choices=("mean", "median", "least", "most"),
            question="What should be taken of the numbers?",
        ),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "the result"),),
    quality=1.0,
    examples=("What is the average of these numbers?", "How many are there per picture on average?"),
    words=("average", "mean", "median", "on average", "per picture"),
    icon="divide",
)
def average_numbers(numbers: tuple[Number, ...], how: Text = "mean") -> Number:
    """mean, median, least or most of the numbers. Raises NodeError naming `numbers` when there is none."""
    if not numbers:
        raise NodeError("There are no numbers to average.", "numbers", "Give at least one number.")
    take = {"mean": statistics.fmean, "median": statistics.median, "least": min, "most": max}[how]
    return float(take(numbers))
