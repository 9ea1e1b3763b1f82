"""Colours by the words people use for them: which word fits a colour, and which pixels fit a word.

Hue is that of HSV (degrees), lightness and chroma are those of CIE Lab. Must not know tools.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from nodes._support.vision.seeing import lab

WORDS = (
    "black", "grey", "white", "red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink", "brown",
    "beige",
)  # fmt: skip
_HUES = ((12, "red"), (42, "orange"), (68, "yellow"), (160, "green"), (195, "turquoise"), (258, "blue"))
_MORE_HUES = ((292, "purple"), (344, "pink"), (361, "red"))
_SAME = {
    "gray": "grey", "silver": "grey", "violet": "purple", "lilac": "purple", "magenta": "pink", "cyan": "turquoise",
    "teal": "turquoise", "aqua": "turquoise", "cream": "beige", "tan": "beige", "crimson": "red", "golden": "yellow",
    "scarlet": "red",
}  # fmt: skip
_MIDDLES = {"yellow": 75, "beige": 75, "white": 90, "red": 38, "purple": 32, "blue": 28, "brown": 35, "green": 45}
"""Lightness (0..100) between the dark and the light shades of a word; 50 for the others."""
_LIGHT = frozenset({"light", "pale", "bright", "pastel"})
_DARK = frozenset({"dark", "deep"})
_STEP = 4
"""Colours are looked up in steps of this many of their 256 levels."""


def name_of(rgb: tuple[int, int, int]) -> str:
    """A word for a colour, with "light" or "dark" where it clearly is: "dark green", "white"."""
    one = np.array([[rgb]], np.uint8)
    word = WORDS[int(_words(one)[0, 0])]
    lightness, a, b = (float(value) for value in lab(one)[0, 0])
    if word in ("black", "white", "beige"):
        return word
    if lightness < (62 if word == "yellow" else 30) and max(rgb) < 170:
        return f"dark {word}"
    return f"light {word}" if lightness > 74 and a * a + b * b < 55**2 else word


def spoken(text: str) -> tuple[str, str] | None:
    """The colour word in `text` and "light", "dark" or "": ("blue", "dark"). None when there is no such word."""
    words = text.lower().replace("-", " ").split()
    found = next((_SAME.get(word, word) for word in reversed(words) if _SAME.get(word, word) in WORDS), None)
    rest = {word for word in words if _SAME.get(word, word) != found}
    if found is None or rest - _LIGHT - _DARK:
        return None
    return found, "light" if rest & _LIGHT else "dark" if rest & _DARK else ""


def fits(rgb: np.ndarray, word: str, shade: str = "") -> np.ndarray:
    """True where a pixel of `rgb` (height, width, 3) is what people call `word` (of WORDS), and light or dark."""
    red, green, blue = (rgb[:, :, k] // _STEP for k in range(3))
    chosen = _table()[red, green, blue] == WORDS.index(word)
    if shade:
        lightness = lab(rgb)[:, :, 0]
        middle = _MIDDLES.get(word, 50)
        chosen &= lightness > middle if shade == "light" else lightness < middle
    return chosen


@cache
def _table() -> np.ndarray:
    """Index into WORDS for every colour: uint8 (64, 64, 64), by red, green and blue in steps of four."""
    steps = np.arange(0, 256, _STEP, dtype=np.uint8) + _STEP // 2
    count = len(steps)
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
    return _words(grid.reshape(count, count * count, 3)).reshape(count, count, count)


def _words(rgb: np.ndarray) -> np.ndarray:
    """Index into WORDS of each pixel, uint8 (height, width). The bounds were set by eye on colour charts."""
    import cv2

    values = lab(rgb)
    light, chroma = values[..., 0], np.hypot(values[..., 1], values[..., 2])
    hsv = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
    hue, saturation = hsv[..., 0], hsv[..., 1]
    index = {word: i for i, word in enumerate(WORDS)}
    found = np.full(light.shape, index["red"], np.uint8)
    for limit, word in reversed((*_HUES, *_MORE_HUES)):
        found[hue < limit] = index[word]
    warm = (hue >= 8) & (hue < 50)
    rules = (
        ("orange", (hue >= 6) & (hue < 12) & (light > 52)),
        ("purple", (hue >= 292) & (hue < 322) & (light < 45)),
        ("brown", (hue >= 12) & (hue < 48) & (light < 50)),
        ("brown", warm & (saturation < 0.65) & (light < 68)),
        ("beige", (hue >= 10) & (hue < 62) & (saturation < 0.45) & (light >= 68)),
        ("pink", ((hue < 10) | (hue >= 318)) & (saturation < 0.6) & (light > 62)),
        ("green", (hue >= 50) & (hue < 68) & (light < 58)),
        ("grey", chroma < 9),
        ("white", (light > 88) & (chroma < 9)),
        ("black", (light < 8) | ((light < 22) & (chroma < 8))),
    )
    for word, holds in rules:
        found[holds] = index[word]
    return found
