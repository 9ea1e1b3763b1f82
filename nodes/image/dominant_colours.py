"""Name the main colours of a picture."""

from __future__ import annotations

from nodes._support.vision import colours
from nodes._support.vision.palette import INPUTS, code_of, main_colours
from nodes.api import Image, Integer, Label, Labels, Mask, Port, ResourceType, tool


@tool(
    id="dominant_colours",
    title="Main colours",
    domain="image",
    description="Names the main colours of a picture and how much of it each covers: a palette.",
    inputs=INPUTS,
    outputs=(
        Port("labels", ResourceType.LABELS, 'names with code ("dark green #2f5d34"), scored by their share', unit="%"),
    ),
    backend="kmeans",
    backend_title="k-means in Lab",
    quality=0.9,
    examples=("What are the main colours of this picture?", "Make a colour palette from photo.jpg"),
    words=("dominant colours", "palette", "main colors", "which colours", "colour scheme"),
    icon="palette",
)
def dominant_colours(image: Image, count: Integer = 5, mask: Mask | None = None) -> Labels:
    """Largest share first; shares sum to 1 over the visible part, or that under the mask, when all colours are listed.
    Deterministic. Raises NodeError naming `image` when nothing of it is visible, or `mask` when it is empty.
    """
    return tuple(
        Label(f"{colours.name_of(rgb)} {code_of(rgb)}", min(1.0, share))
        for rgb, share in main_colours(image, count, mask)
    )
