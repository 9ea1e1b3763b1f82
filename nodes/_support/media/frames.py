"""Fits pictures into the frame of a video. Pictures are uint8 (height, width, 3 or 4), never changed in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nodes.api import Phrase, RunContext

LONGEST_SIDE = 3840
USUAL_SIDE = 1920
"""Of films made of stills when no size is asked for: photographs have far more pixels than screens."""
SHORTEST_SIDE = 64
BACKGROUNDS = ("black", "white", "blur")
LARGE_GIF = 8_000_000
"""Bytes: many mailboxes and chats take no more, and pages load such pictures slowly."""


ANIMATED = ("gif", "webp")
"""The forms of pictures that move."""


def tell_of_large_gif(made: Path, context: RunContext) -> None:
    """Leaves a hint at how large the animation is, where that is much, and at what makes it smaller."""
    size = made.stat().st_size
    if size > LARGE_GIF:
        context.tell(
            Phrase(
                "the animation is large, {size} MB: narrower, with fewer pictures or of a shorter part it gets smaller;"
                " as a film (MP4) it would be far smaller",
                size=round(size / 1e6),
            )
        )


def opaque(picture: np.ndarray, background: int = 0) -> np.ndarray:
    """RGB of a picture that may be transparent, over grey of `background` (0..255)."""
    if picture.ndim == 2:
        return np.repeat(picture[:, :, None], 3, axis=2)
    if picture.shape[2] == 3:
        return picture
    weight = picture[:, :, 3:].astype(np.float32) / 255
    return np.round(picture[:, :, :3] * weight + background * (1 - weight)).astype(np.uint8)


def resized(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The picture in `size` (width, height): areas averaged when it shrinks, Lanczos when it grows."""
    import cv2

    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture
    shrinks = size[0] * size[1] < width * height
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LANCZOS4)


def video_size(width: float, height: float, longest: int = LONGEST_SIDE) -> tuple[int, int]:
    """This size, if no side is over `longest` and none under 64; otherwise an even size of about these proportions."""
    scale = min(1.0, longest / max(width, height))
    scale = max(scale, min(SHORTEST_SIDE / min(width, height), longest / max(width, height)))
    if scale == 1 and width == int(width) and height == int(height):
        return int(width), int(height)
    return max(2 * round(width * scale / 2), 2), max(2 * round(height * scale / 2), 2)


def fitted(picture: np.ndarray, size: tuple[int, int], background: str = "black") -> np.ndarray:
    """The whole picture as large as it goes in `size` (width, height), centred; RGB of exactly that size.

    What stays free is black, white, or the picture itself, enlarged, blurred and darkened.
    """
    shown = opaque(picture, 255 if background == "white" else 0)
    height, width = shown.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    inner = tuple(
        side if abs(side - own * scale) < 1.5 else max(round(own * scale), 1)
        for side, own in zip(size, (width, height), strict=True)
    )
    small = resized(shown, (inner[0], inner[1]))
    if inner == size:
        return np.ascontiguousarray(small)
    canvas = _blurred(shown, size) if background == "blur" else np.full(
        (size[1], size[0], 3), 255 if background == "white" else 0, np.uint8
    )  # fmt: skip
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    canvas[top : top + inner[1], left : left + inner[0]] = small
    return canvas


def covering(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The middle of the picture, filling `size` (width, height) without bars."""
    height, width = picture.shape[:2]
    scale = max(size[0] / width, size[1] / height)
    part = min(round(size[0] / scale), width), min(round(size[1] / scale), height)
    left, top = (width - part[0]) // 2, (height - part[1]) // 2
    return resized(np.ascontiguousarray(picture[top : top + part[1], left : left + part[0]]), size)


def _blurred(shown: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    import cv2

    small = covering(shown, (max(size[0] // 8, 2), max(size[1] // 8, 2)))
    soft = cv2.GaussianBlur(small, (0, 0), max(min(small.shape[:2]) / 12, 0.8))
    return (resized(soft, size) * 0.6).astype(np.uint8)


def laid_over(base: np.ndarray, picture: np.ndarray, left: int, top: int, opacity: float = 1.0) -> np.ndarray:
    """A copy of `base` (RGB) with `picture` (RGB or RGBA) at a place in pixels; what lies outside is cut off."""
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + picture.shape[1], base.shape[1]), min(top + picture.shape[0], base.shape[0])
    if x0 >= x1 or y0 >= y1:
        return base
    part = picture[y0 - top : y1 - top, x0 - left : x1 - left]
    weight = part[:, :, 3:].astype(np.float32) * (opacity / 255) if part.shape[2] == 4 else np.float32(opacity)
    result = base.copy()
    below = result[y0:y1, x0:x1]
    result[y0:y1, x0:x1] = np.round(below + (part[:, :, :3].astype(np.float32) - below) * weight).astype(np.uint8)
    return result


PLACES = ("bottom right", "bottom left", "top right", "top left", "centre")


def place(name: str, outer: tuple[int, int], inner: tuple[int, int], margin: int) -> tuple[int, int]:
    """Left and top of `inner` (width, height) at a named place in `outer`, `margin` pixels from the edges."""
    if name == "centre":
        return (outer[0] - inner[0]) // 2, (outer[1] - inner[1]) // 2
    left = margin if "left" in name else outer[0] - inner[0] - margin
    top = margin if "top" in name else outer[1] - inner[1] - margin
    return left, top
