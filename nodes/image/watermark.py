"""Mark a picture as one's own with faint text."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.layout import CORNERS, over, place_of
from nodes._support.imaging.lettering import lettered
from nodes._support.imaging.pixels import unit
from nodes.api import Image, Number, Port, ResourceType, Text, tool


@tool(
    id="watermark",
    title="Watermark",
    domain="image",
    description="Adds a faint text watermark, such as a name or copyright notice, to a picture.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("text", ResourceType.TEXT, "the mark, for instance a name", question="What should the watermark say?"),
        Port(
            "position",
            ResourceType.TEXT,
            "where; tiled repeats it all over",
            default="bottom right",
            choices=(*CORNERS, "centre", "tiled"),
            question="Where should it be?",
        ),
        Port(
            "opacity",
            ResourceType.NUMBER,
            "0 is invisible",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How clearly should it be seen, from 0 to 1?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the marked picture"),),
    backend="pillow",
    backend_title="Pillow",
    quality=1.0,
    examples=('Add a watermark "© Ana" to this picture', 'Watermark all my photos with "DRAFT"'),
    words=("watermark", "copyright notice", "signature in the corner", "mark as mine"),
    icon="copyright",
)
def watermark(image: Image, text: Text, position: Text = "bottom right", opacity: Number = 0.5) -> Image:
    """White letters with a dark rim, mixed in by `opacity`; readable on light and dark. Alpha is kept.

    Raises NodeError naming `text`.
    """
    height, width = image.shape[:2]
    margin = round(0.02 * min(height, width))
    size = unit(image, 0.1 if position == "centre" else 0.04, least=6)
    letters, edge = lettered(text, size, max(1, width - 2 * margin), max(1, height - 2 * margin), outline=0.06)
    mark = np.dstack((letters, letters, letters, edge))  # white in the letters, black in the rim
    if position == "tiled":
        return over(image, _tiled(mark, width, height), 0, 0, opacity)
    x, y = place_of(position, letters.shape[::-1], (width, height), margin)
    return over(image, mark, x, y, opacity)


def _tiled(mark: np.ndarray, width: int, height: int) -> np.ndarray:
    """The mark repeated all over, every other row shifted by half a step."""
    step_x, step_y = round(mark.shape[1] * 1.6) + 1, mark.shape[0] * 4 + 1
    row = np.zeros((step_y, step_x, 4), np.uint8)
    row[: mark.shape[0], : mark.shape[1]] = mark
    both = np.concatenate((row, np.roll(row, step_x // 2, axis=1)))
    repeats = -(-height // both.shape[0]), -(-width // both.shape[1]), 1
    return np.tile(both, repeats)[:height, :width]
