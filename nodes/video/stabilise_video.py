"""Take the shake out of a video."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes.api import Number, Port, ResourceType, RunContext, Video, tool

_LONGEST = 640
_LARGEST_ZOOM = 1.25


@tool(
    id="stabilise_video",
    title="Stabilise video",
    domain="video",
    description="Stabilises a shaky video, so that the camera seems to move smoothly.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the shaky video"),
        Port(
            "smoothness",
            ResourceType.NUMBER,
            "over how long the movement is evened out",
            default=1.0,
            minimum=0.1,
            maximum=10,
            unit="s",
            question="Over how many seconds should it be steadied?",
        ),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the steadier video, MP4"),),
    backend="optical-flow",
    backend_title="Tracked points",
    examples=("Stabilise the shaky video", "Remove the camera shake from clip.mp4", "Stabilize the video"),
    words=("stabilize", "stabilizer", "camera shake", "shaky", "steady", "smooth the footage"),
    icon="vibrate-off",
)
def stabilise_video(video: Video, smoothness: Number = 1.0, *, context: RunContext) -> Video:
    """Shift, turn and scale between pictures come from tracked corners (Lucas and Kanade, then RANSAC).

    Their sum is smoothed by a Gaussian. The picture is enlarged by up to a quarter so that few edges show; what is
    still missing repeats the edge. Where nothing can be tracked, the picture is left as it is.
    """
    known = movies.facts(video)
    path = _path(video, known, context)
    wanted = _smoothed(path, max(smoothness * known.fps / 2, 0.5))
    correction = wanted - path
    zoom = _zoom(correction, known.width, known.height)
    number = -1

    def steady(pixels: np.ndarray, _: float) -> np.ndarray:
        import cv2

        nonlocal number
        number = min(number + 1, len(correction) - 1)
        matrix = _matrix(correction[number], zoom, known.width, known.height)
        size = known.width, known.height
        return cv2.warpAffine(pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    return writer.rewritten(video, context, steady)


def _path(video: Path, known: movies.Facts, context: RunContext) -> np.ndarray:
    """Where the camera has got to at each picture: x, y (pixels), angle (radians), log of scale; float64 (n, 4)."""
    import cv2

    moves = [np.zeros(4)]
    before: np.ndarray | None = None
    scale = max(known.width, known.height) / min(_LONGEST, max(known.width, known.height))
    for picture in movies.pictures(video, context=context, longest=_LONGEST):
        grey = cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY)
        if before is not None:
            moves.append(_move(before, grey) * (scale, scale, 1, 1))
        before = grey
        context.progress(0.4 * min(picture.seconds / max(known.picture_seconds, 1e-6), 1))
    return np.cumsum(moves, axis=0)


def _move(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """How the content moved about the middle of the picture; zeros when it cannot be told."""
    import cv2

    corners = cv2.goodFeaturesToTrack(before, 200, 0.01, 12)
    if corners is None or len(corners) < 6:
        return np.zeros(4)
    found, good, _ = cv2.calcOpticalFlowPyrLK(before, now, corners, np.zeros_like(corners))
    kept = good[:, 0] == 1
    if kept.sum() < 6:
        return np.zeros(4)
    middle = np.array((before.shape[1] / 2, before.shape[0] / 2), np.float32)
    matrix, _ = cv2.estimateAffinePartial2D(corners[kept] - middle, found[kept] - middle, ransacReprojThreshold=1.5)
    if matrix is None:
        return np.zeros(4)
    scale = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if not 0.8 < scale < 1.25 or np.abs(matrix[:, 2]).max() > 0.3 * max(before.shape):
        return np.zeros(4)  # a cut, not a movement
    return np.array((matrix[0, 2], matrix[1, 2], np.arctan2(matrix[1, 0], matrix[0, 0]), np.log(scale)))


def _smoothed(path: np.ndarray, sigma: float) -> np.ndarray:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(path, sigma, axis=0, mode="nearest")


def _zoom(correction: np.ndarray, width: int, height: int) -> float:
    """The enlargement that hides the edges of 95 in 100 pictures."""
    turned = np.abs(np.sin(correction[:, 2]))
    wide = 2 * (np.abs(correction[:, 0]) + turned * height / 2) / width
    high = 2 * (np.abs(correction[:, 1]) + turned * width / 2) / height
    needed = 1 + np.maximum(wide, high) + np.maximum(-correction[:, 3], 0)
    return float(min(np.percentile(needed, 95), _LARGEST_ZOOM))


def _matrix(correction: np.ndarray, zoom: float, width: int, height: int) -> np.ndarray:
    """Turns, scales and shifts about the middle; float64 (2, 3)."""
    x, y, angle, log_scale = correction
    scale = zoom * np.exp(log_scale)
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    cx, cy = width / 2, height / 2
    return np.array(((cos, -sin, cx - cos * cx + sin * cy + x * zoom), (sin, cos, cy - sin * cx - cos * cy + y * zoom)))
