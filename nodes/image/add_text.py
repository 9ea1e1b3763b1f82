"""Write text on a picture, or in a strip above or below it."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.layout import PLACES, over, place_of
from nodes._support.imaging.lettering import lettered
from nodes._support.imaging.pixels import colour_of, unit
from nodes.api import Image, Number, Port, ResourceType, Text, tool

_LETTER = 0.065


@tool(
    id="add_text",
    title="Add text",
    domain="image",
    description="Writes text on a picture, as a title, caption or meme, or in a strip above or below it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "text",
            ResourceType.TEXT,
            "what to write; long text is broken into lines",
            question="What should be written on the picture?",
        ),
        Port(
            "position",
            ResourceType.TEXT,
            "where; above and below add a strip to the picture",
            default="bottom",
            choices=(*PLACES, "above", "below"),
            question="Where should it be?",
        ),
        Port("colour", ResourceType.TEXT, "of the letters", default="white", question="Which colour should it have?"),
        Port(
            "size",
            ResourceType.NUMBER,
            "height of the letters; follows the picture's size when left empty",
            default=None,
            minimum=4,
            maximum=2000,
            unit="px",
            usual_share=_LETTER,
            question="How large should the letters be, in pixels?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the text"),),
    backend="pillow",
    backend_title="Pillow",
    quality=0.9,
    examples=(
        'Write "Happy birthday" on this picture',
        'Add the text "Summer 2024" at the top of photo.jpg',
        'Put a caption below the picture that says "Our cat"',
    ),
    words=("write on the picture", "add text", "add a title", "meme", "caption below", "lettering", "put the words"),
    icon="type",
    result="with-text",
)
def add_text(
    image: Image, text: Text, position: Text = "bottom", colour: Text = "white", size: Number | None = None
) -> Image:
    """The text with an outline that sets it off; it shrinks until it fits into the picture. Alpha is kept.

    "above" and "below" make the picture higher by a strip in black or white, whichever the colour reads better on.
    Raises NodeError naming `text` or `colour`.
    """
    paint = colour_of(colour)
    ground = (0, 0, 0) if sum(paint) > 380 else (255, 255, 255)
    letter = unit(image, _LETTER, least=8) if size is None else size
    if position in ("above", "below"):
        return _in_strip(image, text, letter, paint, ground, position)
    height, width = image.shape[:2]
    margin = round(min(0.03 * min(height, width), letter))
    align = "left" if "left" in position else "right" if "right" in position else "center"
    letters, edge = lettered(text, letter, width - 2 * margin, height - 2 * margin, align, outline=0.07)
    x, y = place_of(position, letters.shape[::-1], (width, height), margin)
    return over(over(image, _painted(edge, ground), x, y), _painted(letters, paint), x, y)


def _in_strip(
    image: np.ndarray, text: str, size: float, paint: tuple[int, ...], ground: tuple[int, ...], side: str
) -> np.ndarray:
    height, width = image.shape[:2]
    margin = round(size / 2)
    letters, _ = lettered(text, size, max(1, width - 2 * margin), max(8, height))
    strip = np.full((letters.shape[0] + 2 * margin, width, image.shape[2]), 255, np.uint8)
    strip[:, :, :3] = ground
    strip = over(strip, _painted(letters, paint), (width - letters.shape[1]) // 2, margin)
    return np.concatenate((strip, image) if side == "above" else (image, strip))


def _painted(mask: np.ndarray, colour: tuple[int, ...]) -> np.ndarray:
    """RGBA of one colour seen through the mask."""
    result = np.empty((*mask.shape, 4), np.uint8)
    result[:, :, :3], result[:, :, 3] = colour, mask
    return result
