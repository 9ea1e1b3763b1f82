"""Turn or mirror a video."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes.api import Port, ResourceType, RunContext, Text, Video, tool

_TURNS = ("90 clockwise", "90 counterclockwise", "180", "mirror left-right", "mirror up-down")


@tool(
    id="rotate_video",
    title="Rotate video",
    domain="video",
    description="Turns a video by 90 or 180 degrees, or mirrors it.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port(
            "turn",
            ResourceType.TEXT,
            "how it is turned",
            default="90 clockwise",
            choices=_TURNS,
            question="Which way should it be turned?",
        ),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the turned video, MP4"),),
    backend="numpy",
    backend_title="PyAV, H.264",
    examples=("Rotate the video by 90 degrees", "Turn clip.mp4 upside down", "Mirror the video"),
    words=("flip the video", "sideways video", "turn the video", "mirror the video"),
    icon="rotate-cw-square",
)
def rotate_video(video: Video, turn: Text = "90 clockwise", *, context: RunContext) -> Video:
    """The pixels are moved, so every player shows it the same; rotation that a camera noted is applied before."""
    known = movies.facts(video)
    changes = {
        "90 clockwise": lambda pixels: np.rot90(pixels, -1),
        "90 counterclockwise": np.rot90,
        "180": lambda pixels: pixels[::-1, ::-1],
        "mirror left-right": lambda pixels: pixels[:, ::-1],
        "mirror up-down": lambda pixels: pixels[::-1],
    }
    change = changes[turn]
    size = (known.height, known.width) if turn.startswith("90") else (known.width, known.height)
    return writer.rewritten(video, context, lambda pixels, _: np.ascontiguousarray(change(pixels)), size)
