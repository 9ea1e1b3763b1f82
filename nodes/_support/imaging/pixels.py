"""What the picture tools share: alpha, masks, colours, tiles, and strengths that follow the picture's size.

Pictures are uint8 (height, width, 3) RGB or (height, width, 4) RGBA and are never modified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from nodes.api import NodeError, Phrase, RunContext

MAXIMUM_PIXELS = 200_000_000
SILENT = RunContext(Path())  # for calls from elsewhere than a workflow: nobody listens, no files are made
_BAND_PIXELS = 1 << 20
Change = Callable[[np.ndarray], np.ndarray]


def size_text(picture: np.ndarray) -> str:
    """Width and height in words: "640 × 480"."""
    return f"{picture.shape[1]} × {picture.shape[0]}"


def check_mask(mask: np.ndarray, image: np.ndarray, port: str = "mask") -> None:
    """Raises NodeError naming `port` when the mask is not as large as the picture."""
    if mask.shape[:2] != image.shape[:2]:
        raise NodeError(
            Phrase("The mask is {size} pixels, the picture {size2}.", size=size_text(mask), size2=size_text(image)),
            port,
            "Use a mask made on this picture.",
        )


def check_selected(mask: np.ndarray, image: np.ndarray) -> None:
    """Like `check_mask`, and raises when nothing at all is selected."""
    check_mask(mask, image)
    if not mask.any():
        raise NodeError("The mask is empty: no part of the picture is selected.", "mask", "Select what is meant.")


def check_pixels(width: int, height: int, port: str) -> None:
    """Raises NodeError naming `port` when a picture of that size would be empty or too large to handle."""
    if width < 1 or height < 1:
        raise NodeError(
            Phrase("The result would be {width} × {height} pixels.", width=width, height=height),
            port,
            "Choose a larger size.",
        )
    if width * height > MAXIMUM_PIXELS:
        raise NodeError(
            Phrase(
                "The result would be {width} × {height} pixels, more than {maximum_pixels} megapixels.",
                width=width,
                height=height,
                maximum_pixels=MAXIMUM_PIXELS // 1_000_000,
            ),
            port,
            "Choose a smaller size.",
        )


def split_alpha(image: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Colours (height, width, 3) without gaps in memory, and alpha (height, width) or None."""
    if image.shape[2] == 4:
        return np.ascontiguousarray(image[:, :, :3]), image[:, :, 3]
    return np.ascontiguousarray(image), None


def join_alpha(rgb: np.ndarray, alpha: np.ndarray | None) -> np.ndarray:
    """The reverse of `split_alpha`."""
    return rgb if alpha is None else np.dstack((rgb, alpha))


def with_alpha(image: np.ndarray) -> np.ndarray:
    """The picture as RGBA; one without alpha becomes opaque."""
    if image.shape[2] == 4:
        return image
    return np.dstack((image, np.full(image.shape[:2], 255, np.uint8)))


def on_colour(image: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """The picture as RGB; where it was transparent `colour` shows."""
    if image.shape[2] == 3:
        return image
    ground = np.empty((*image.shape[:2], 3), np.uint8)
    ground[:] = colour
    return mix(ground, np.ascontiguousarray(image[:, :, :3]), image[:, :, 3])


def mix(below: np.ndarray, above: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """`above` where `weight` (uint8 (height, width)) is 255, `below` where it is 0, a blend between. New array."""
    result = below.copy()
    rows = np.flatnonzero(weight.any(axis=1))
    if not len(rows):
        return result
    for band in bands(weight.shape, int(rows[0]), int(rows[-1]) + 1):
        share = weight[band].astype(np.float32)[:, :, None] / 255
        result[band] = np.rint(above[band] * share + below[band] * (1 - share)).astype(np.uint8)
    return result


def bands(shape: tuple[int, ...], first: int = 0, end: int | None = None) -> Iterator[slice]:
    """Slices of rows of about a megapixel, so that arithmetic in float32 stays small on huge pictures."""
    end = shape[0] if end is None else end
    rows = max(1, _BAND_PIXELS // max(1, shape[1]))
    for start in range(first, end, rows):
        yield slice(start, min(start + rows, end))


def filtered(image: np.ndarray, mask: np.ndarray | None, change: Change) -> np.ndarray:
    """The picture with its colours changed by `change` (RGB to RGB of the same size), only under the mask if given.

    Alpha, and every pixel where the mask is 0, stay as they were. Raises NodeError naming `mask`.
    """
    rgb, alpha = split_alpha(image)
    if mask is None:
        return join_alpha(change(rgb), alpha)
    check_mask(mask, image)
    if not mask.any():
        return image.copy()
    return join_alpha(mix(rgb, change(rgb), mask), alpha)


def in_bands(rgb: np.ndarray, change: Change) -> np.ndarray:
    """Applies a change that looks at each pixel alone, band by band. `change` takes float32 and may return it."""
    result = np.empty_like(rgb)
    for band in bands(rgb.shape):
        result[band] = to_bytes(change(rgb[band].astype(np.float32)))
    return result


def in_tiles(
    rgb: np.ndarray, change: Change, overlap: int, context: RunContext = SILENT, tile: int = 1024
) -> np.ndarray:
    """Applies a change that looks at most `overlap` pixels around, tile by tile, reporting progress."""
    height, width = rgb.shape[:2]
    corners = [(y, x) for y in range(0, height, tile) for x in range(0, width, tile)]
    result = np.empty_like(rgb)
    for done, (y, x) in enumerate(corners):
        context.progress(done / len(corners))
        y0, x0 = max(0, y - overlap), max(0, x - overlap)
        part = np.ascontiguousarray(rgb[y0 : y + tile + overlap, x0 : x + tile + overlap])
        y1, x1 = min(y + tile, height), min(x + tile, width)
        result[y:y1, x:x1] = change(part)[y - y0 : y1 - y0, x - x0 : x1 - x0]
    return result


def to_bytes(values: np.ndarray) -> np.ndarray:
    """Rounded and clipped to uint8."""
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def luminance(rgb: np.ndarray) -> np.ndarray:
    """Brightness as the eye weighs the colours (Rec. 601), float32 (height, width), 0..255."""
    import cv2

    return cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32)


def unit(image: np.ndarray, share: float, least: float = 0.0) -> float:
    """`share` of the picture's size (the root of its area) in pixels, so that a look is the same at any size."""
    return max(least, share * math.sqrt(image.shape[0] * image.shape[1]))


def odd(value: float, least: int = 1) -> int:
    """The odd whole number nearest below or at `value` + 1, at least `least`: a size for a kernel."""
    return max(least, int(value) // 2 * 2 + 1)


def smooth(picture: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian blur with standard deviation `sigma` in pixels, quick for any sigma. Any number of channels."""
    import cv2

    height, width = picture.shape[:2]
    shrink = min(int(sigma / 6), height, width)
    if shrink < 2:
        return cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.01), borderType=cv2.BORDER_REFLECT_101)
    small_size = (max(1, round(width / shrink)), max(1, round(height / shrink)))
    small = cv2.resize(picture, small_size, interpolation=cv2.INTER_AREA)
    rest = math.sqrt(max(0.01, (sigma / shrink) ** 2 - 0.3))  # shrinking and growing blur a little themselves
    small = cv2.GaussianBlur(small, (0, 0), rest, borderType=cv2.BORDER_REFLECT_101)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def resized(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """The picture at another size: area mean when smaller, Lanczos when larger; transparent colours do not bleed."""
    import cv2

    if (image.shape[1], image.shape[0]) == (width, height):
        return image.copy()
    smaller = width < image.shape[1] or height < image.shape[0]
    how = cv2.INTER_AREA if smaller else cv2.INTER_LANCZOS4
    if image.shape[2] == 3:
        return cv2.resize(image, (width, height), interpolation=how)
    share = image[:, :, 3:].astype(np.float32) / 255
    both = cv2.resize(np.dstack((image[:, :, :3] * share, share)), (width, height), interpolation=how)
    visible = np.maximum(both[:, :, 3:], 1e-4)
    return np.dstack((to_bytes(both[:, :, :3] / visible), to_bytes(both[:, :, 3] * 255)))


def fit_inside(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """The whole picture, scaled to the largest size that fits into `width` x `height`."""
    scale = min(width / image.shape[1], height / image.shape[0])
    return resized(image, max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))


def cover(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """The middle of the picture, scaled and cut to exactly `width` x `height`."""
    scale = max(width / image.shape[1], height / image.shape[0])
    above, aside = (max(0, int(image.shape[n] - side / scale) // 2 - 2) for n, side in enumerate((height, width)))
    image = image[above : image.shape[0] - above, aside : image.shape[1] - aside]  # what is cut off is not enlarged
    large = resized(image, max(width, round(image.shape[1] * scale)), max(height, round(image.shape[0] * scale)))
    y, x = (large.shape[0] - height) // 2, (large.shape[1] - width) // 2
    return np.ascontiguousarray(large[y : y + height, x : x + width])


def colour_of(text: str, port: str = "colour") -> tuple[int, int, int]:
    """A colour given as a name ("light blue", "pale sage"), "#ff8800" or "rgb(255, 136, 0)". Raises NodeError naming
    `port`.
    """
    known = _exact(text) or _shaded(text)
    if known is not None:
        return known
    raise NodeError(
        Phrase("'{text}' is not a colour that is known here.", text=text),
        port,
        'Say a name such as "light blue", or "#ff8800".',
    )


_NAMED = {
    "cream": "#fff5d6", "offwhite": "#faf8f0", "sage": "#9caf88", "burgundy": "#800020", "winered": "#722f37",
    "mustard": "#e1ad01", "mint": "#a8e6c1", "peach": "#ffcba4", "lilac": "#c8a2c8", "lavender": "#c9b8e8",
    "charcoal": "#36454f", "rust": "#b7410e", "ochre": "#cc7722", "taupe": "#8b7d6b", "apricot": "#fbceb1",
    "sand": "#d8c49a", "wine": "#722f37", "emerald": "#2e9e6b", "petrol": "#00677a", "copper": "#b87333",
    "bronze": "#a97142", "rose": "#f4a6b8", "kraft": "#c8a165", "anthracite": "#383e42", "mauve": "#b784a7",
    "cherry": "#c21e3a", "brick": "#b5533c", "lemon": "#fff44f", "jade": "#4fa886", "aubergine": "#472c4c",
    "amber": "#ffbf00", "bottle": "#0a4a33", "sky": "#87ceeb", "champagne": "#f7e7ce",
    "terracotta": "#c8694a", "blush": "#f2c4c4", "nude": "#e3bc9a", "camel": "#c19a6b", "denim": "#3b5c8c",
    "caramel": "#c68e4e", "mocha": "#7b5741", "vanilla": "#f3e5ab", "ebony": "#3a322d", "graphite": "#4b4e52",
    "slate": "#708090", "raspberry": "#b3245c", "pistachio": "#a9c97e", "moss": "#7a8450", "pine": "#1f5a46",
    "butter": "#fbeaa0", "honey": "#e0a526", "pearl": "#f0ead6", "eggshell": "#f0ead6", "cognac": "#9a463d",
    }  # fmt: skip
"""What people say and PIL has no name for."""
_SHADES = {"light": 0.5, "pale": 0.65, "pastel": 0.6, "soft": 0.4, "bright": 0.0, "dark": -0.45, "deep": -0.35}
"""By how much of the way to white, or to black below 0, a colour moves."""


def _exact(text: str) -> tuple[int, int, int] | None:
    """A colour with a name of its own, or in figures."""
    from PIL import ImageColor

    plain = text.strip().lower().replace(" ", "").replace("-", "")
    for name in (text.strip(), plain, _NAMED.get(plain, "")):
        try:
            return ImageColor.getrgb(name)[:3]
        except (ValueError, AttributeError):
            continue
    return None


def _shaded(text: str) -> tuple[int, int, int] | None:
    """A colour with a word before it: "pale blue" is nearer to white, "mustard yellow" is mustard."""
    first, _, rest = text.strip().lower().replace("-", " ").partition(" ")
    below = (_exact(rest) or _shaded(rest)) if rest else None
    if below is None:
        return None
    if first not in _SHADES:
        return _exact(first)
    share, goal = abs(_SHADES[first]), 255 if _SHADES[first] > 0 else 0
    red, green, blue = (round(value + share * (goal - value)) for value in below)
    return red, green, blue
