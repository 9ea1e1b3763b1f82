"""Find the picture that shows best what a video looks like."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movies
from nodes.api import Image, Port, ResourceType, RunContext, Video, tool

_TRIED = 24
_SEEK_SECONDS = 1.5


@tool(
    id="video_thumbnail",
    title="Video thumbnail",
    domain="video",
    description="Picks a sharp, well exposed still picture out of a video, as its thumbnail.",
    inputs=(Port("video", ResourceType.VIDEO, "the video"),),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend="sharpness",
    backend_title="Sharpness and exposure",
    examples=("Make a thumbnail for the video", "Extract a still image from clip.mp4", "Get a good frame of the video"),
    words=("still image", "cover picture", "poster", "preview picture", "best frame", "video to image"),
    icon="image-down",
)
def video_thumbnail(video: Video, *, context: RunContext) -> Image:
    """Tries up to 24 moments between 3 and 97 % of the video. uint8 RGB, upright, in full size."""
    known = movies.facts(video)
    best_score, best_at = -1.0, 0.0
    for fraction, at, small in _tried(video, known, context):
        context.progress(fraction)
        value = score(small)
        if value > best_score:
            best_score, best_at = value, at
    return movies.picture_at(video, best_at)


def _tried(video, known: movies.Facts, context: RunContext):
    """Yields (fraction done, seconds, small picture) of the moments that are tried."""
    seconds = known.picture_seconds
    times = [seconds * (0.03 + 0.94 * (number + 0.5) / _TRIED) for number in range(_TRIED)]
    if seconds / _TRIED > _SEEK_SECONDS:
        for number, at in enumerate(times):
            shown = movies.pictures(video, start=at, end=at + 1e-6, context=context, longest=480)
            yield number / _TRIED, at, next(shown).pixels
        return
    step = max(round(known.fps * seconds / _TRIED), 1)
    for number, picture in enumerate(movies.pictures(video, context=context, longest=480)):
        if number % step == step // 2 or number == 0:
            yield min(picture.seconds / max(seconds, 1e-6), 1), picture.seconds, picture.pixels


def score(picture: np.ndarray) -> float:
    """0 and up: sharp edges, a spread of brightness, colours; little for the nearly black, white or flat."""
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    sharp = np.log1p(cv2.Laplacian(cv2.GaussianBlur(grey, (3, 3), 0), cv2.CV_32F).var())
    spread = float(np.percentile(grey, 95) - np.percentile(grey, 5)) / 255
    middle = 1 - abs(float(grey.mean()) / 255 - 0.47) / 0.53
    clipped = float(np.mean((grey < 8) | (grey > 247)))
    colour = float((picture.max(axis=2).astype(int) - picture.min(axis=2)).mean()) / 255
    return float(sharp * (0.2 + spread) * middle * (1 - 0.7 * clipped) * (1 + 0.5 * colour))
