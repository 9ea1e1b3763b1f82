"""Add numbers up."""

from __future__ import annotations

import math

from nodes.api import NodeError, Number, Port, ResourceType, tool


@tool(
    id="add_numbers",
    title="Add up",
    domain="text",
    description="Adds numbers up: the total of several counts.",
    inputs=(
        Port(
            "numbers",
            ResourceType.NUMBER,
            "the numbers to add",
            many=True,
            question="Which numbers should be added up?",
        ),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "their sum"),),
    quality=1.0,
    examples=(
        "How many are there altogether in these three pictures?",
        "What is the total of these numbers?",
        "Add the counts up",
    ),
    words=("sum", "total", "altogether", "in total", "add up", "all together"),
    icon="sigma",
    result="sum",
)
def add_numbers(numbers: tuple[Number, ...]) -> Number:
    """The exact sum, rounded once. Raises NodeError naming `numbers` when there is none."""
    if not numbers:
        raise NodeError("There are no numbers to add.", "numbers", "Give at least one number.")
    return math.fsum(numbers)
