"""Cut an object out of a video that was selected in its first picture."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from nodes._support.imaging.pixels import check_selected, colour_of, mix
from nodes._support.inference import sam
from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes._support.vision.cutout import guided
from nodes.api import Family, Mask, Port, ResourceType, RunContext, Text, Video, backend_of, tool

_FLOW_SIDE, _LEAST_SIDE = 480, 16
"""Pixels of the longer side of what motion is looked for in, and of the shorter at least."""


@tool(
    id="segment_video",
    title="Cut out of a video",
    domain="video",
    description="Cuts an object out of a video: follows what was selected in its first picture through all of it.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("mask", ResourceType.MASK, "the object in the first picture"),
        Port(
            "show",
            ResourceType.TEXT,
            "what the new video shows",
            default="object",
            choices=("object", "mask"),
            question="What should the new video show?",
        ),
        Port("colour", ResourceType.TEXT, "what is around the object: a name or #rrggbb", default="black"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the object on one colour, or white on black, MP4"),),
    backend="optical-flow",
    backend_title="Optical flow",
    quality=0.3,
    examples=(
        "Cut the dog out of clip.mp4 and follow it through the video",
        "Segment the person through the whole video",
        "Make a mask video of what I click on in clip.mp4",
    ),
    words=("cut out of the video", "track the object", "video segmentation", "mask video", "follow through the video"),
    icon="scissors",
    result="cutout",
)
def segment_video(
    video: Video, mask: Mask, show: Text = "object", colour: Text = "black", *, context: RunContext
) -> Video:
    """The object on `colour`, or white on black, as long and as large as the video, with its sound.

    Without a model the mask moves with what was under it (dense inverse search, Kroeger et al. 2016) and keeps to the
    edges of each picture: fair for seconds, while nothing passes in front. Raises NodeError naming `mask` when it is
    not as large as the first picture or selects nothing, or naming `colour`.
    """
    return _followed(video, mask, show, colour, lambda: _flowing(mask), context)


@backend_of(segment_video, families=(Family("transformers sam", "follow in a film"),))
def by_model(video: Video, mask: Mask, show: Text, colour: Text, *, context: RunContext) -> Video:
    """SAM 2 (Ravi et al. 2024) finds the object anew in each picture, by what it remembers of the last ones."""
    return _followed(video, mask, show, colour, lambda: sam.following(mask, context), context)


_Finder = Callable[[np.ndarray], np.ndarray]


def _followed(
    video: Video,
    mask: np.ndarray,
    show: str,
    colour: str,
    follow: Callable[[], AbstractContextManager[_Finder]],
    context: RunContext,
) -> Video:
    """The new video, by what finds the mask in each picture, the first one first."""
    around = colour_of(colour)
    check_selected(mask, movies.picture_at(video, 0.0))
    with follow() as find:

        def changed(pixels: np.ndarray, _: float) -> np.ndarray:
            found = find(pixels)
            if show == "mask":
                return np.repeat(found[:, :, None], 3, axis=2)
            return mix(np.full_like(pixels, around), pixels, found)

        return writer.rewritten(video, context, changed)


@contextmanager
def _flowing(mask: np.ndarray) -> Any:
    import cv2

    motion: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    before: np.ndarray | None = None
    current = mask

    def find(pixels: np.ndarray) -> np.ndarray:
        nonlocal before, current
        scale = max(min(1.0, _FLOW_SIDE / max(pixels.shape[:2])), _LEAST_SIDE / min(pixels.shape[:2]))
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
        if before is not None:
            back = cv2.resize(motion.calc(grey, before, None), pixels.shape[1::-1]) / scale
            rows, columns = np.indices(pixels.shape[:2], np.float32)
            moved = cv2.remap(current, columns + back[:, :, 0], rows + back[:, :, 1], cv2.INTER_LINEAR)
            edge = guided(pixels, moved.astype(np.float32) / 255, max(2, round(max(pixels.shape[:2]) / 200)))
            current = np.where(edge > 0.5, 255, 0).astype(np.uint8)
        before = grey
        return current

    yield find
