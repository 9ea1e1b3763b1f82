"""Arrange many pictures in a grid."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.layout import gap_of, grid
from nodes._support.imaging.pixels import check_pixels, colour_of
from nodes.api import Image, Integer, NodeError, Number, Port, ResourceType, Text, tool


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
            question="How many pictures should be side by side?",
        ),
        Port(
            "gap",
            ResourceType.NUMBER,
            "between and around the pictures; none at 0",
            default=12,
            minimum=0,
            maximum=1000,
            integer=True,
            unit="px",
            question="How large should the gaps be, in pixels?",
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
        Port(
            "gap_percent",
            ResourceType.NUMBER,
            "the gap as a part of the shorter side of a picture, instead of pixels",
            default=None,
            minimum=0,
            maximum=100,
            unit="%",
            question="How large should the gaps be, in percent of the picture?",
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
        "Collage of the photos with wide black gaps",
        "Photo grid without gaps",
    ),
    words=(
        "collage",
        "photo grid",
        "contact sheet",
        "mosaic of pictures",
        "arrange the photos",
        "montage",
        "gap between the photos",
        "no gap",
    ),
    icon="layout-grid",
)
def collage(
    images: tuple[Image, ...],
    columns: Integer | None = None,
    gap: Integer = 12,
    colour: Text = "white",
    cell: Integer | None = None,
    gap_percent: Number | None = None,
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
    gap = gap_of(gap, gap_percent, min(width, height))
    rows = -(-len(images) // across)
    check_pixels(across * (width + gap) + gap, rows * (height + gap) + gap, "cell")
    return grid(images, across, (width, height), gap, colour_of(colour))
