"""Draw boxes with their labels or numbers on a picture."""

from __future__ import annotations

import colorsys

import numpy as np

from nodes._support.imaging.pixels import colour_of, join_alpha, split_alpha, unit
from nodes._support.vision.seeing import inside, reading_order
from nodes.api import Boxes, Image, Port, ResourceType, Text, tool

_BEYOND = 0.12
"""By this part of its side an oval reaches beyond a box; through its corners it would go by .2."""


@tool(
    id="draw_boxes",
    title="Draw boxes",
    domain="image",
    description="Draws boxes with their labels on a picture, to show what was found and where, or numbers each thing.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("boxes", ResourceType.BOXES, "what to draw"),
        Port("colour", ResourceType.TEXT, "colour of the boxes; empty gives every kind its own", default=""),
        Port(
            "label",
            ResourceType.TEXT,
            "what is written on each; numbers count from the top left",
            default="name",
            choices=("name", "number", "none"),
            question="What should be written on each?",
        ),
        Port(
            "shape",
            ResourceType.TEXT,
            "what is drawn around each",
            default="rectangle",
            choices=("rectangle", "circle"),
            question="Should boxes be drawn around them, or circles?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the boxes"),),
    backend="pillow",
    backend_title="Pillow",
    quality=1.0,
    examples=(
        "Draw boxes around the faces",
        "Show me where the dogs are",
        "Mark the found objects with red boxes",
        "Write a number on each coin",
        "Number the faces",
    ),
    words=(
        "draw boxes",
        "bounding boxes",
        "mark them",
        "annotate",
        "show where",
        "rectangles around",
    ),
    icon="scan",
)
def draw_boxes(image: Image, boxes: Boxes, colour: Text = "", label: Text = "name", shape: Text = "rectangle") -> Image:
    """A new picture of the same size with a frame for each box, or an oval around it; lines and letters scale with the
    picture.

    Numbers, from 1, go row by row from above, each from the left; they stand inside the upper edge of their box. No
    boxes give the picture unchanged. Raises NodeError naming `colour` when it is not known.
    """
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    fixed = colour_of(colour) if colour.strip() else None
    rgb, alpha = split_alpha(image)
    picture = Pillow.fromarray(rgb.copy())
    pen = ImageDraw.Draw(picture)
    wide = max(1, round(unit(image, 0.004)))
    font = ImageFont.load_default(max(10, unit(image, 0.028)))
    kinds = sorted({box.label for box in boxes})
    places = dict.fromkeys(reading_order([box for box, _ in inside(boxes, image)]))
    numbers = {box: number for number, box in enumerate(places, 1)}
    for box, (x0, y0, x1, y1) in inside(boxes, image):
        ink = fixed or _colour(kinds.index(box.label))
        if shape == "circle":
            pen.ellipse(_around((x0, y0, x1, y1)), outline=ink, width=wide)
        else:
            pen.rectangle((x0, y0, x1 - 1, y1 - 1), outline=ink, width=wide)
        if label == "number":
            _number(pen, numbers[box], (x0, y0, x1, y1), unit(image, 0.05), ink)
        elif box.label and label == "name":
            _write(pen, box.label if len(box.label) <= 40 else box.label[:39] + "…", (x0, y0), ink, font, picture.size)
    drawn = np.asarray(picture).copy()
    if alpha is not None:  # frames must be seen where the picture is transparent, too
        alpha = np.where((drawn != rgb).any(axis=2), np.uint8(255), alpha)
    return join_alpha(drawn, alpha)


def _around(box: tuple[int, int, int, int]) -> tuple[float, float, float, float]:
    """Where an oval goes around a thing that fills its box as most do: a little beyond its sides."""
    x0, y0, x1, y1 = box
    across, down = _BEYOND * (x1 - x0), _BEYOND * (y1 - y0)
    return x0 - across, y0 - down, x1 - 1 + across, y1 - 1 + down


def _write(pen, text: str, corner: tuple[int, int], ink: tuple[int, int, int], font, size: tuple[int, int]) -> None:
    """The label on a plate above the corner, or below it at the top of the picture, pushed inside at the sides."""
    left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
    pad = max(1, (bottom - top) // 4)
    width, height = right - left + 2 * pad, bottom - top + 2 * pad
    x = max(0, min(corner[0], size[0] - width))
    y = corner[1] - height if corner[1] >= height else corner[1]
    pen.rectangle((x, y, x + width, y + height), fill=ink)
    pen.text((x + pad - left, y + pad - top), text, fill=_on(ink), font=font)


def _number(pen, number: int, box: tuple[int, int, int, int], size: float, ink: tuple[int, int, int]) -> None:
    """The number on a disc in the middle of the upper edge, inside; a third of the box at most, but always readable."""
    from PIL import ImageFont

    x0, y0, x1, y1 = box
    radius = max(8.0, min(size, 0.35 * min(x1 - x0, y1 - y0)) * 0.65)
    x, y = (x0 + x1) / 2, y0 + radius
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)
    font = ImageFont.load_default(radius * (1.3, 1.1, 0.8)[min(len(str(number)), 3) - 1])
    pen.text((x, y), str(number), fill=_on(ink), font=font, anchor="mm")


def _on(ink: tuple[int, int, int]) -> tuple[int, int, int]:
    """Black or white, whichever is read better on the colour."""
    return (0, 0, 0) if 0.3 * ink[0] + 0.59 * ink[1] + 0.11 * ink[2] > 140 else (255, 255, 255)


def _colour(index: int) -> tuple[int, int, int]:
    """Well-told-apart colours, one per index: steps of the golden angle around the hues."""
    red, green, blue = colorsys.hsv_to_rgb((0.33 + index * 0.618034) % 1, 0.85, 0.95)
    return round(red * 255), round(green * 255), round(blue * 255)
