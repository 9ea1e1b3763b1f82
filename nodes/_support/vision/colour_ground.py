"""The ground of a logo or a drawing: what has one colour, and is connected with the border."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import bands, colour_of
from nodes._support.vision import colours
from nodes._support.vision.foreground import clean_edge
from nodes._support.vision.seeing import lab
from nodes.api import NodeError, Phrase

_NEAR = 20.0
"""CIE 1976 distance to an exact colour; colour words have their own range."""
_RIM = 2
"""Pixels beside the ground that may be a mixture of it and the object."""


def found(
    rgb: np.ndarray, alpha: np.ndarray | None, colour: str, everywhere: bool, port: str
) -> tuple[np.ndarray, bool]:
    """Bool (height, width): all of the colour if `everywhere`, else what of it is connected with the border, sides
    touching; and whether none of it was, which then counts as all. What is clear already connects.

    Raises NodeError naming `port` where the picture has none of it, or the colour is not known.
    """
    import cv2

    fits = of_colour(rgb, colour, port=port)
    clear = np.zeros(fits.shape, bool) if alpha is None else alpha == 0
    if not (fits & ~clear).any():
        said = Phrase("The picture has {colour} nowhere.", colour=Phrase(colour, "colours"))
        raise NodeError(said, port, "Choose another colour.")
    if everywhere:
        return fits, False
    count, labels = cv2.connectedComponents((fits | clear).astype(np.uint8), connectivity=4)
    parts = labels.astype(np.int64)
    outer = np.zeros(count, bool)
    for line in (parts[0], parts[-1], parts[:, 0], parts[:, -1]):
        outer[line] = True
    outer[0] = False
    ground = outer[parts]
    inside = not (ground & fits & ~clear).any()
    return (fits if inside else ground), inside


def of_colour(rgb: np.ndarray, colour: str, near: float = _NEAR, port: str = "colour") -> np.ndarray:
    """Bool (height, width): what people call by the colour word, or what is `near` an exact colour.

    Raises NodeError naming `port` when it is not known.
    """
    word = colours.spoken(colour)
    exact = None if word else lab(np.array([[colour_of(colour, port)]], np.uint8))[0, 0]
    result = np.zeros(rgb.shape[:2], bool)
    for band in bands(rgb.shape):
        if word:
            result[band] = colours.fits(rgb[band], *word)
        else:
            result[band] = np.linalg.norm(lab(rgb[band]) - exact, axis=2) <= near
    return result


def opacity(rgb: np.ndarray, ground: np.ndarray) -> np.ndarray:
    """Alpha, uint8 (height, width): 0 on the ground, 255 on the object; in the rim the part of the object's colour."""
    import cv2

    if ground.all() or not ground.any():
        return np.where(ground, 0, 255).astype(np.uint8)
    near = cv2.dilate(ground.astype(np.uint8), np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)) > 0
    rim = near & ~ground
    alpha = np.where(ground, 0, 255).astype(np.uint8)
    behind = np.median(rgb[ground], axis=0).astype(np.float32)
    own = clean_edge(rgb, np.where(rim, 128, alpha).astype(np.uint8))[rim].astype(np.float32) - behind
    length = (own**2).sum(axis=1)
    share = ((rgb[rim].astype(np.float32) - behind) * own).sum(axis=1) / np.maximum(length, 1)
    alpha[rim] = np.where(length > 1, np.clip(np.rint(share * 255), 0, 255), 255)
    return alpha
