"""Round the corners of a picture."""

from __future__ import annotations

from nodes._support.imaging.cropping import rounded
from nodes._support.imaging.pixels import colour_of, on_colour, unit
from nodes.api import Image, Integer, Port, ResourceType, Text, tool

_RADIUS = 0.08


@tool(
    id="round_corners",
    title="Round corners",
    domain="image",
    description="Rounds the corners of a picture: what is cut off becomes transparent, or gets a colour.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "radius",
            ResourceType.NUMBER,
            "of the corners; follows the picture's size when left empty",
            default=None,
            minimum=1,
            maximum=10000,
            integer=True,
            unit="px",
            usual_share=_RADIUS,
            question="How round should the corners be, in pixels?",
        ),
        Port("colour", ResourceType.TEXT, "of what is cut off; transparent when left empty", default=""),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with round corners"),),
    backend="numpy",
    backend_title="numpy",
    quality=1.0,
    examples=(
        "Make the corners of the picture round",
        "Round the corners of photo.jpg with a radius of 40 pixels",
        "Give the screenshot rounded corners on white",
    ),
    words=("rounded corners", "round corners", "rounded edges", "soften the corners", "corner radius"),
    icon="radius",
    result="rounded",
)
def round_corners(image: Image, radius: Integer | None = None, colour: Text = "") -> Image:
    """The picture, of the same size, with corners that are quarters of circles with smooth edges: RGBA, or RGB where
    `colour` is given. A radius of more than half the shorter side is that half. Raises NodeError naming `colour`.
    """
    ground = colour_of(colour) if colour.strip() else None
    side = unit(image, _RADIUS, least=1) if radius is None else float(radius)
    side = min(side, min(image.shape[:2]) / 2)
    made = rounded(image, side, side)
    return made if ground is None else on_colour(made, ground)
