"""Drag points of a picture to other places; what is around follows."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import bands, join_alpha, size_text, split_alpha, unit
from nodes.api import Image, NodeError, Number, Phrase, Point, Points, Port, ResourceType, tool


@tool(
    id="warp_points",
    title="Drag points",
    domain="image",
    description="Warps a picture by dragging points of it to new places; its surroundings follow smoothly.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "points",
            ResourceType.POINTS,
            "pairs: a place, then where it shall go; the same place twice is a pin",
            picked_on="image",
        ),
        Port(
            "reach",
            ResourceType.NUMBER,
            "how far around a point follows; chosen by the length of the drag when empty",
            default=None,
            minimum=1,
            maximum=5000,
            unit="px",
            advanced=True,
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the warped picture"),),
    backend="opencv",
    backend_title="Smooth mesh warp",
    quality=0.4,
    examples=(
        "Drag the corner of the mouth upwards",
        "Warp the picture so that this point moves there",
        "Pull the nose to the left",
    ),
    words=("drag the point", "warp", "pull", "liquify", "move this point", "distort", "drag edit"),
    icon="move",
)
def warp_points(image: Image, points: Points, reach: Number | None = None) -> Image:
    """The picture bent so that each first point of a pair comes to lie on the second, and its surroundings with it.

    The shift is a sum of Gaussians around the new places, solved so that every pair is met, and fades to nothing at
    the border. Same size; alpha moves along. Raises NodeError naming `points`.
    """
    starts, ends = _pairs(image, points)
    shifts = starts - ends
    longest = float(np.linalg.norm(shifts, axis=1).max(initial=0))
    if longest == 0:
        return image.copy()
    sigma = max(1.1 * longest, unit(image, 0.06)) if reach is None else float(reach)
    weights = _solved(ends, shifts, sigma, image)
    return _moved(image, ends, weights, sigma)


def _pairs(image: np.ndarray, points: tuple[Point, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Places and goals, float (n, 2) as x, y, each goal once."""
    if not points or len(points) % 2:
        raise NodeError(
            Phrase("{count} points were given, but each drag needs two: from where, to where.", count=len(points)),
            "points",
            "Click the places in pairs.",
        )
    places = np.array([(point.x, point.y) for point in points], np.float64)
    height, width = image.shape[:2]
    if (places < 0).any() or (places[:, 0] > width).any() or (places[:, 1] > height).any():
        raise NodeError(
            Phrase("A point lies outside the picture, which is {size} pixels.", size=size_text(image)),
            "points",
            "Click inside it.",
        )
    starts, ends = places[::2], places[1::2]
    if len(np.unique(np.round(ends), axis=0)) < len(ends):
        raise NodeError("Two drags end at the same place.", "points", "Let every drag end at a place of its own.")
    return starts, ends


def _fade(x: np.ndarray, y: np.ndarray, image: np.ndarray) -> np.ndarray:
    """0 on the border of the picture, 1 from a tenth of its size inwards, smooth between."""
    height, width = image.shape[:2]
    margin = unit(image, 0.1, least=1)
    away = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / margin
    away = np.clip(away, 0, 1)
    return away * away * (3 - 2 * away)


def _solved(ends: np.ndarray, shifts: np.ndarray, sigma: float, image: np.ndarray) -> np.ndarray:
    """Weights (n, 2) of the Gaussians with which every pair is met."""
    squares = ((ends[:, None] - ends[None]) ** 2).sum(axis=2)
    faded = np.maximum(_fade(ends[:, 0], ends[:, 1], image), 0.25)  # a drag at the very border cannot be met
    return np.linalg.solve(np.exp(-squares / (2 * sigma**2)) + 1e-6 * np.eye(len(ends)), shifts / faded[:, None])


def _moved(image: np.ndarray, ends: np.ndarray, weights: np.ndarray, sigma: float) -> np.ndarray:
    import cv2

    rgb, alpha = split_alpha(image)
    height, width = rgb.shape[:2]
    if max(height, width) >= 32_767:  # the limit of OpenCV's remap
        raise NodeError(
            Phrase("The picture is {size} pixels, which is too long to warp.", size=size_text(image)),
            "image",
            "Resize it.",
        )
    result = image.copy()
    for band in bands(rgb.shape):
        y, x = np.mgrid[band, :width].astype(np.float32)
        shift = np.zeros((*x.shape, 2), np.float32)
        for end, weight in zip(ends, weights, strict=True):
            near = np.exp(-((x - end[0]) ** 2 + (y - end[1]) ** 2) / (2 * sigma**2))
            shift += near[:, :, None] * weight.astype(np.float32)
        shift *= _fade(x, y, image)[:, :, None]
        places = x + shift[:, :, 0], y + shift[:, :, 1]
        moved = [
            cv2.remap(part, *places, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            for part in (rgb, alpha)
            if part is not None
        ]
        still = np.abs(shift).max(axis=2) < 1e-3
        result[band] = np.where(
            still[:, :, None], image[band], join_alpha(moved[0], moved[1] if alpha is not None else None)
        )
    return result
