"""Make room around a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import SILENT, check_pixels, colour_of, join_alpha, mix, smooth, split_alpha, unit
from nodes._support.inference import repainting
from nodes.api import DIFFUSERS, Family, Image, Integer, NodeError, Port, ResourceType, RunContext, Text, tool

_SIDES = ("left", "right", "top", "bottom")


def _side(name: str) -> Port:
    doc = f"added on the {name}; a quarter of the picture on every side when none is given"
    asked = "How much should be added there, in pixels?"
    return Port(name, ResourceType.NUMBER, doc, default=None, minimum=0, integer=True, unit="px", question=asked)


@tool(
    id="extend_canvas",
    title="Extend canvas",
    domain="image",
    description="Extends a picture beyond its edges with a painted, mirrored, blurred or plain continuation.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        *(_side(name) for name in _SIDES),
        Port(
            "fill",
            ResourceType.TEXT,
            "what the new room shows: painted by a model or mirrored and getting blurred, sharp mirror, or a colour",
            default="blur",
            choices=("blur", "reflect", "colour"),
            question="What should the new room show?",
        ),
        Port("colour", ResourceType.TEXT, "name of the colour or #rrggbb", default="white"),
        Port(
            "prompt",
            ResourceType.TEXT,
            "what a model paints there",
            default="",
            advanced=True,
            by_hand=True,
        ),
        Port(
            "seed", ResourceType.NUMBER, "another number gives another picture, by a model", default=0, minimum=0,
            maximum=2**32 - 1, integer=True, advanced=True, by_hand=True,
        ),
        Port(
            "steps", ResourceType.NUMBER, "how long a model works at it; as long as it needs if not given",
            default=None, minimum=1, maximum=200, integer=True, advanced=True, by_hand=True,
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the larger picture"),),
    backend="opencv",
    backend_title="OpenCV mirror and blur",
    quality=0.3,
    families=(Family("diffusers pipeline", "inpaint", DIFFUSERS),),
    examples=(
        "Extend the picture by 200 pixels to the left",
        "Make the canvas larger on all sides",
        "Outpaint this photo to the right",
        "Uncrop the image",
    ),
    words=("extend", "outpaint", "expand the canvas", "widen the picture", "uncrop", "more space around"),
    icon="expand",
)  # fmt: skip
def extend_canvas(
    image: Image,
    left: Integer | None = None,
    right: Integer | None = None,
    top: Integer | None = None,
    bottom: Integer | None = None,
    fill: Text = "blur",
    colour: Text = "white",
    prompt: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    context: RunContext = SILENT,
) -> Image:
    """The picture, unchanged, inside a larger one; alpha is continued too (opaque for a colour).

    A model paints what `fill` "blur" would show, from that on: each pixel of the picture stays as it was.

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
    room = (north, south, west, east)
    larger = _extended(image, room, fill, colour, context)
    if context.model is None or fill != "blur":
        return larger
    return _painted(image, larger, room, repainting.Wish(prompt.strip(), seed=seed, steps=steps), context)


def _painted(
    image: np.ndarray, larger: np.ndarray, room: tuple[int, int, int, int], wish: repainting.Wish, context: RunContext
) -> np.ndarray:
    """The larger picture with all but `image` painted anew."""
    north, _, west, _ = room
    inside = np.s_[north : north + image.shape[0], west : west + image.shape[1]]
    mask = np.full(larger.shape[:2], 255, np.uint8)
    mask[inside] = 0
    result = repainting.part(larger, mask, wish, context)
    result[inside] = image
    return result


def _extended(
    image: np.ndarray, room: tuple[int, int, int, int], fill: str, colour: str, context: RunContext
) -> np.ndarray:
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
    result = _blurred_away(wide, distance, unit(image, 0.01, least=1), context)
    result[inside] = image
    return result


def _mirrored(image: np.ndarray, room: tuple[int, int, int, int]) -> np.ndarray:
    """Mirrored over and over, also when the room is larger than the picture."""
    north, south, west, east = room
    rows = np.pad(np.arange(image.shape[0]), (north, south), "symmetric")
    columns = np.pad(np.arange(image.shape[1]), (west, east), "symmetric")
    return np.ascontiguousarray(image[rows[:, None], columns])


def _blurred_away(wide: np.ndarray, distance: np.ndarray, start: float, context: RunContext) -> np.ndarray:
    """Sharp at the old edge, more blurred the farther away: blurs of doubling strength, one over the other."""
    import cv2

    rgb, alpha = split_alpha(wide)
    result, sigma = rgb, start
    farthest = float(distance.max()) * 0.5 + start
    while sigma < farthest:
        context.progress(sigma / farthest)
        share = cv2.convertScaleAbs(np.clip(distance, sigma, 3 * sigma), alpha=127.5 / sigma, beta=-127.5)
        result = mix(result, smooth(rgb, sigma), share)
        sigma *= 2
    return join_alpha(result, alpha)
