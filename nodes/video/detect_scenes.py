"""Find the cuts of a video."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movies
from nodes.api import Number, Port, ResourceType, RunContext, Table, TableValue, Video, tool

_LEAST = 8.0
_OVER_NEIGHBOURS = 3.0


@tool(
    id="detect_scenes",
    title="Detect scenes",
    domain="video",
    description="Finds the scenes of a video by its hard cuts: a table with start and end of each scene.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("shortest", ResourceType.NUMBER, "shorter scenes join the one before", default=0.4, minimum=0,
             maximum=600, unit="s", advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "number, start, end and seconds of each scene"),),
    backend="colour-change",
    backend_title="Change of colours",
    examples=("Find the scenes of the video", "When are the cuts in clip.mp4?", "Split the video into scenes"),
    words=("scene cuts", "shots", "shot detection", "scene changes", "chapters"),
    icon="clapperboard",
)  # fmt: skip
def detect_scenes(video: Video, shortest: Number = 0.4, *, context: RunContext) -> TableValue:
    """A cut is where small blurred pictures differ in CIE Lab much more than their neighbours do within half a second.

    Slow fades are not found. A video without cuts gives one row. Times in seconds.
    """
    known = movies.facts(video)
    times, change = _changes(video, known, context)
    cuts = [0.0]
    for number in np.flatnonzero(_stands_out(change)):
        if times[number] - cuts[-1] >= shortest and known.picture_seconds - times[number] > 0:
            cuts.append(times[number])
    ends = [*cuts[1:], known.picture_seconds]
    rows = tuple(
        (number + 1, round(a, 3), round(b, 3), round(b - a, 3))
        for number, (a, b) in enumerate(zip(cuts, ends, strict=True))
    )
    return Table(("scene", "start", "end", "seconds"), rows)


def _changes(video, known: movies.Facts, context: RunContext) -> tuple[list[float], np.ndarray]:
    """The time of each picture, and its mean difference from the one before in Lab (0 for the first)."""
    import cv2

    times, change = [], []
    before: np.ndarray | None = None
    for picture in movies.pictures(video, context=context, longest=96):
        soft = cv2.GaussianBlur(cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2LAB), (5, 5), 0).astype(np.float32)
        change.append(0.0 if before is None else float(np.abs(soft - before).mean()))
        times.append(picture.seconds)
        before = soft
        context.progress(min(picture.seconds / max(known.picture_seconds, 1e-6), 1))
    return times, np.array(change)


def _stands_out(change: np.ndarray, reach: int = 12) -> np.ndarray:
    """True where a change is at least 8 and three times the mean of those around it."""
    padded = np.pad(change, reach)
    window = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    there = np.lib.stride_tricks.sliding_window_view(np.pad(np.ones_like(change), reach), 2 * reach + 1).sum(axis=1)
    around = (np.sort(window, axis=1)[:, :-1].sum(axis=1)) / np.maximum(there - 1, 1)
    return (change >= _LEAST) & (change > _OVER_NEIGHBOURS * around) & (change >= window.max(axis=1))
