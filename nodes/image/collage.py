"""Arrange many pictures in a grid."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.layout import grid
from nodes._support.imaging.pixels import check_pixels, colour_of
from nodes.api import Image, Integer, NodeError, Port, ResourceType, Text, tool


@tool(
    id="collage",
    title="Collage",
    domain="image",
    description="Arranges many pictures in a grid on one page; every picture is shown whole.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, row by row", many=True),
        Port(
            "columns",
            ResourceType.NUMBER,
            "pictures side by side; about as many as rows when left empty",
            default=None,
            minimum=1,
            maximum=100,
            integer=True,
        ),
        Port(
            "gap",
            ResourceType.NUMBER,
            "between the pictures",
            default=12,
            minimum=0,
            maximum=1000,
            integer=True,
            unit="px",
        ),
        Port("colour", ResourceType.TEXT, "of the page", default="white"),
        Port(
            "cell",
            ResourceType.NUMBER,
            "longest side of a picture; as the pictures are when left empty",
            default=None,
            minimum=8,
            maximum=10000,
            integer=True,
            unit="px",
            advanced=True,
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the collage"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=0.9,
    examples=(
        "Make a collage of these pictures",
        "Arrange all photos in a grid with 3 columns",
        "Contact sheet of my images",
    ),
    words=("collage", "photo grid", "contact sheet", "mosaic of pictures", "arrange the photos", "montage"),
    icon="layout-grid",
)
def collage(
    images: tuple[Image, ...],
    columns: Integer | None = None,
    gap: Integer = 12,
    colour: Text = "white",
    cell: Integer | None = None,
) -> Image:
    """RGB. Cells have the middle (median) width and height of the pictures; each is scaled into its cell, never cut.

    Raises NodeError naming `images` when there is none, `colour`, or `cell` when the page would be too large.
    """
    if not images:
        raise NodeError("There are no pictures to arrange.", "images", "Add at least one picture.")
    across = columns or math.ceil(math.sqrt(len(images)))
    across = min(across, len(images))
    width = int(np.median([image.shape[1] for image in images]))
    height = int(np.median([image.shape[0] for image in images]))
    if cell is not None:
        scale = cell / max(width, height)
        width, height = max(1, round(width * scale)), max(1, round(height * scale))
    rows = -(-len(images) // across)
    check_pixels(across * (width + gap) + gap, rows * (height + gap) + gap, "cell")
    return grid(images, across, (width, height), gap, colour_of(colour))
