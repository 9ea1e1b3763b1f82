"""Put a symbol on each found thing."""

from __future__ import annotations

from nodes._support.imaging import symbols
from nodes._support.imaging.layout import over
from nodes._support.imaging.pixels import cover
from nodes._support.vision.seeing import inside
from nodes.api import Boxes, Image, Port, ResourceType, Text, tool


@tool(
    id="cover_boxes",
    title="Cover with a symbol",
    domain="image",
    description="Puts a symbol, such as a smiley, a heart, sunglasses or a hat, or a picture of your own over each"
    " found or marked thing in a picture.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("boxes", ResourceType.BOXES, "what to cover"),
        Port("symbol", ResourceType.TEXT, "what is put on each", default="smiley", choices=symbols.NAMES,
             question="What should cover it?"),
        Port("picture", ResourceType.IMAGE, "a picture that is put there instead", default=None),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the symbols"),),
    backend="opencv",
    backend_title="Drawn by OpenCV",
    quality=1.0,
    examples=(
        "Put a smiley over every face",
        "Hearts instead of the heads",
        "Give everybody sunglasses",
        "Put sunglasses on everyone",
        "A black bar over the eyes of all people",
        "Put a hat on each of them",
        "Put logo.png over each licence plate",
    ),
    words=("smiley", "emoji", "sticker", "smiley over each", "emoji on top", "sunglasses on", "with hearts",
           "heart over each", "put a star on", "wear sunglasses", "hat on", "hats on everybody", "bar over the eyes",
           "cover the eyes", "rosy cheeks"),
    icon="sticker",
    result="covered",
    result_by="symbol",
)  # fmt: skip
def cover_boxes(image: Image, boxes: Boxes, symbol: Text = "smiley", picture: Image | None = None) -> Image:
    """A new picture of the same size; each box is hidden whole, with some room around. What people wear, and a bar over
    the eyes, lie where these are in the box of an upright face, of which the rest is seen. The first box lies on top.
    No boxes give the picture unchanged.
    """
    result = image.copy()
    for box, _ in reversed(inside(boxes, image)):
        left, top, width, height = symbols.place(box, "picture" if picture is not None else symbol)
        if picture is not None:
            drawn = _whole(picture, width, height)
            left, top = left - (drawn.shape[1] - width) // 2, top - (drawn.shape[0] - height) // 2
            result = over(result, drawn, left, top)
            continue
        x0, y0 = max(0, -left), max(0, -top)
        x1, y1 = min(width, image.shape[1] - left), min(height, image.shape[0] - top)
        if x0 < x1 and y0 < y1:
            result = over(result, symbols.drawn(symbol, width, height, (x0, y0, x1, y1)), left + x0, top + y0)
    return result


def _whole(picture: Image, width: int, height: int) -> Image:
    """The picture so large that it fills that size; what then is more than twice as wide or high is cut off."""
    scale = max(width / picture.shape[1], height / picture.shape[0])
    across, down = round(picture.shape[1] * scale), round(picture.shape[0] * scale)
    return cover(picture, max(1, min(across, 2 * width)), max(1, min(down, 2 * height)))
