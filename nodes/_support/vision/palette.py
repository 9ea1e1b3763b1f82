"""The main colours of a picture and how much of it each covers. Must not know tools."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected
from nodes._support.vision.seeing import lab, shrunk
from nodes.api import NodeError, Port, ResourceType

INPUTS = (
    Port("image", ResourceType.IMAGE, "the picture"),
    Port(
        "count",
        ResourceType.NUMBER,
        "how many colours at most",
        default=5,
        minimum=1,
        maximum=16,
        integer=True,
        question="How many colours should be shown at most?",
    ),
    Port("mask", ResourceType.MASK, "only the colours of this part", default=None),
)
"""Those of the tools that name and show the main colours."""

_SIDE = 200
_NEAR = 12
"""Colours closer than this (CIE 1976) count as one."""


def main_colours(
    image: np.ndarray, count: int, mask: np.ndarray | None = None
) -> list[tuple[tuple[int, int, int], float]]:
    """At most `count` colours with the share of each of the visible part, or that under the mask, largest first. The
    same for the same picture. Raises NodeError naming `image` when nothing is visible, or `mask` when it is empty.
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
    return [(_whole(centres[i]), float(shares[i])) for i in order if shares[i] > 0]


def code_of(rgb: tuple[int, int, int]) -> str:
    """The colour as web pages write it, "#ff8800"; each of `rgb` 0 to 255."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _whole(rgb: np.ndarray) -> tuple[int, int, int]:
    red, green, blue = (int(value) for value in np.rint(rgb).clip(0, 255))
    return red, green, blue


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
