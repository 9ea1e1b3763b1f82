"""Name the main colours of a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected
from nodes._support.vision import colours
from nodes._support.vision.seeing import lab, shrunk
from nodes.api import Image, Integer, Label, Labels, Mask, NodeError, Port, ResourceType, tool

_SIDE = 200
_NEAR = 12
"""Colours closer than this (CIE 1976) count as one."""


@tool(
    id="dominant_colours",
    title="Main colours",
    domain="image",
    description="Names the main colours of a picture and how much of it each covers: a palette.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("count", ResourceType.NUMBER, "how many colours at most", default=5, minimum=1, maximum=16, integer=True),
        Port("mask", ResourceType.MASK, "only the colours of this part", default=None),
    ),
    outputs=(Port("labels", ResourceType.LABELS, 'names with code ("dark green #2f5d34"), scored by their share'),),
    backend="kmeans",
    backend_title="k-means in Lab",
    quality=0.9,
    examples=("What are the main colours of this picture?", "Make a colour palette from photo.jpg"),
    words=("dominant colours", "palette", "main colors", "which colours", "colour scheme"),
    icon="palette",
)
def dominant_colours(image: Image, count: Integer = 5, mask: Mask | None = None) -> Labels:
    """Largest share first; shares sum to 1 over the visible part, or that under the mask, when all colours are listed.
    Deterministic. Raises NodeError naming `image` when nothing of it is visible, or `mask` when it is empty.
    """
    if mask is not None:
        check_selected(mask, image)
        image = np.dstack((image[:, :, :3], np.minimum(mask, image[:, :, 3] if image.shape[2] == 4 else 255)))
    small, _ = shrunk(image, _SIDE)
    pixels = small.reshape(-1, small.shape[2])
    visible = pixels[pixels[:, 3] > 127][:, :3] if small.shape[2] == 4 else pixels
    if not len(visible):
        raise NodeError("The picture is wholly transparent.", "image", "Use a picture with something on it.")
    centres, shares = _clusters(visible, max(count, 8))
    order = np.argsort(-shares)[:count]
    return tuple(_label(centres[i], float(shares[i])) for i in order if shares[i] > 0)


def _label(rgb: np.ndarray, share: float) -> Label:
    red, green, blue = (int(value) for value in np.rint(rgb).clip(0, 255))
    return Label(f"{colours.name_of((red, green, blue))} #{red:02x}{green:02x}{blue:02x}", min(1.0, share))


def _clusters(rgb: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean colours (n, 3) and shares (n,) of at most `count` clusters, near ones joined."""
    import cv2

    points = np.ascontiguousarray(lab(np.ascontiguousarray(rgb)[None])[0])
    groups = min(count, len(np.unique(rgb, axis=0)))
    if groups == 1:
        return rgb[:1].astype(float), np.ones(1)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.2)
    start = np.empty((len(points), 1), np.int32)
    _, found, centres = cv2.kmeans(points, groups, start, stop, 2, cv2.KMEANS_PP_CENTERS)
    owner = _joined(centres)[np.asarray(found, np.int32).ravel()]
    kept = np.unique(owner)
    means = np.array([rgb[owner == k].mean(axis=0) for k in kept])
    return means, np.array([(owner == k).mean() for k in kept])


def _joined(centres: np.ndarray) -> np.ndarray:
    """For each centre, the first one that is near enough to be the same colour."""
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    return np.array([int(np.flatnonzero(row < _NEAR)[0]) for row in away])
