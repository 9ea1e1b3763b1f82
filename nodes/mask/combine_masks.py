"""Combine two masks into one."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import size_text
from nodes.api import Mask, NodeError, Phrase, Port, ResourceType, Text, tool


@tool(
    id="combine_masks",
    title="Combine masks",
    domain="mask",
    description="Combines two masks: what is in either, in both, or in the first but not the second.",
    inputs=(
        Port("first", ResourceType.MASK, "one mask"),
        Port("second", ResourceType.MASK, "the other mask"),
        Port(
            "how",
            ResourceType.TEXT,
            "either (or), both (and), or the first without the second (minus)",
            default="or",
            choices=("or", "and", "minus"),
            question="How should the two be joined?",
        ),
    ),
    outputs=(Port("mask", ResourceType.MASK, "the combined mask"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=("Combine the two masks", "Select the person without the face", "Join both selections"),
    words=("union", "intersection", "subtract", "merge masks", "without", "both selections"),
    icon="combine",
)
def combine_masks(first: Mask, second: Mask, how: Text = "or") -> Mask:
    """Soft edges count: the larger, the smaller, or the smaller of the first and the rest. uint8, same size.

    Raises NodeError naming `second` when the sizes differ.
    """
    if first.shape != second.shape:
        raise NodeError(
            Phrase(
                "The masks differ in size: {size} and {size2} pixels.", size=size_text(first), size2=size_text(second)
            ),
            "second",
            "Use two masks of the same picture.",
        )
    if how == "or":
        return np.maximum(first, second)
    return np.minimum(first, second if how == "and" else 255 - second)
