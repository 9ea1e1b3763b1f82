"""Make room around a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.pixels import check_pixels, colour_of, join_alpha, mix, smooth, split_alpha, unit
from nodes.api import Image, Integer, NodeError, Port, ResourceType, Text, tool

_SIDES = ("left", "right", "top", "bottom")


def _side(name: str) -> Port:
    doc = f"added on the {name}; a quarter of the picture on every side when none is given"
    return Port(name, ResourceType.NUMBER, doc, default=None, minimum=0, integer=True, unit="px")


@tool(
    id="extend_canvas",
    title="Extend canvas",
    domain="image",
    description="Extends a picture beyond its edges with a mirrored, blurred or plain continuation.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        *(_side(name) for name in _SIDES),
        Port(
            "fill",
            ResourceType.TEXT,
            "what the new room shows: mirror of the picture getting blurred, sharp mirror, or a colour",
            default="blur",
            choices=("blur", "reflect", "colour"),
        ),
        Port("colour", ResourceType.TEXT, "name of the colour or #rrggbb", default="white"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the larger picture"),),
    backend="opencv",
    backend_title="OpenCV mirror and blur",
    quality=0.3,
    examples=(
        "Extend the picture by 200 pixels to the left",
        "Make the canvas larger on all sides",
        "Outpaint this photo to the right",
        "Uncrop the image",
    ),
    words=("extend", "outpaint", "expand the canvas", "widen the picture", "uncrop", "more space around"),
    icon="expand",
)
def extend_canvas(
    image: Image,
    left: Integer | None = None,
    right: Integer | None = None,
    top: Integer | None = None,
    bottom: Integer | None = None,
    fill: Text = "blur",
    colour: Text = "white",
) -> Image:
    """The picture, unchanged, inside a larger one; alpha is continued too (opaque for a colour).

    Raises NodeError naming `left` when no side grows or the result would be too large, or naming `colour`.
    """
    height, width = image.shape[:2]
    given = (left, right, top, bottom)
    if all(side is None for side in given):
        given = (max(1, width // 4),) * 2 + (max(1, height // 4),) * 2
    west, east, north, south = (side or 0 for side in given)
    if west + east + north + south == 0:
        raise NodeError("No side of the picture would grow.", "left", "Give the pixels to add on some side.")
    check_pixels(width + west + east, height + north + south, "left")
    return _extended(image, (north, south, west, east), fill, colour)


def _extended(image: np.ndarray, room: tuple[int, int, int, int], fill: str, colour: str) -> np.ndarray:
    import cv2

    if fill == "colour":
        value = (*colour_of(colour), 255)
        return cv2.copyMakeBorder(image, *room, cv2.BORDER_CONSTANT, value=value)
    wide = _mirrored(image, room)
    if fill == "reflect":
        return wide
    inside = (slice(room[0], room[0] + image.shape[0]), slice(room[2], room[2] + image.shape[1]))
    away = np.ones(wide.shape[:2], np.uint8)
    away[inside] = 0
    distance = cv2.distanceTransform(away, cv2.DIST_L2, 3)
    result = _blurred_away(wide, distance, unit(image, 0.01, least=1))
    result[inside] = image
    return result


def _mirrored(image: np.ndarray, room: tuple[int, int, int, int]) -> np.ndarray:
    """Mirrored over and over, also when the room is larger than the picture."""
    north, south, west, east = room
    rows = np.pad(np.arange(image.shape[0]), (north, south), "symmetric")
    columns = np.pad(np.arange(image.shape[1]), (west, east), "symmetric")
    return np.ascontiguousarray(image[rows[:, None], columns])


def _blurred_away(wide: np.ndarray, distance: np.ndarray, start: float) -> np.ndarray:
    """Sharp at the old edge, more blurred the farther away: blurs of doubling strength, one over the other."""
    import cv2

    rgb, alpha = split_alpha(wide)
    result, sigma = rgb, start
    while sigma < float(distance.max()) * 0.5 + start:
        share = cv2.convertScaleAbs(np.clip(distance, sigma, 3 * sigma), alpha=127.5 / sigma, beta=-127.5)
        result = mix(result, smooth(rgb, sigma), share)
        sigma *= 2
    return join_alpha(result, alpha)
