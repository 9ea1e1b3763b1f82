"""Paint over what is under a mask, so that nothing of it can be recovered."""

from __future__ import annotations

from nodes._support.imaging.pixels import check_selected, colour_of
from nodes.api import Image, Mask, Port, ResourceType, Text, tool


@tool(
    id="redact",
    title="Black out",
    domain="image",
    description="Covers the part of a picture under a mask with plain black or another colour, beyond recovery.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "the part to cover"),
        Port(
            "colour",
            ResourceType.TEXT,
            "name of the colour or #rrggbb",
            default="black",
            question="Which colour should it have?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the part covered"),),
    quality=1.0,
    examples=(
        "Black out the phone number",
        "Redact the names in this scan",
        "Cover the license plate with a black bar",
    ),
    words=("redact", "black bar", "cover up", "hide the text", "blank out", "paint over"),
    icon="square",
    does="hides",
)
def redact(image: Image, mask: Mask, colour: Text = "black") -> Image:
    """Every pixel of which the mask selects anything becomes exactly `colour`, opaque; soft edges are covered too.

    Raises NodeError naming `mask` (empty, or of another size) or `colour`.
    """
    check_selected(mask, image)
    result = image.copy()
    covered = mask > 0
    result[covered, :3] = colour_of(colour)
    if image.shape[2] == 4:
        result[covered, 3] = 255
    return result
