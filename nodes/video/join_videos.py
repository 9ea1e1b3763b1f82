"""Play several videos one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nodes._support import frames, movies
from nodes._support import movie_writer as writer
from nodes._support.movies import Facts, Picture
from nodes.api import NodeError, Port, ResourceType, RunContext, Text, Video, tool


@tool(
    id="join_videos",
    title="Join videos",
    domain="video",
    description="Joins several videos into one, one after the other, with their sound.",
    inputs=(
        Port("videos", ResourceType.VIDEO, "the videos, in order", many=True, least=2),
        Port("background", ResourceType.TEXT, "around videos of another shape", default="black",
             choices=frames.BACKGROUNDS, advanced=True),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "all of them in a row, MP4"),),
    backend="pyav",
    backend_title="PyAV, H.264",
    examples=("Join the two videos", "Put intro.mp4 before talk.mp4", "Merge these clips into one video"),
    words=("concatenate videos", "append the video", "combine clips", "stitch videos", "one after another"),
    icon="between-horizontal-start",
)  # fmt: skip
def join_videos(videos: tuple[Video, ...], background: Text = "black", *, context: RunContext) -> Video:
    """The first one gives the size; others are fitted in whole. Each keeps its frame rate; silence where one has no
    sound. NodeError naming `videos` when there is none or one is broken.
    """
    if not videos:
        raise NodeError("There is no video to join.", "videos", "Add at least one video.")
    known = [movies.facts(video, "videos") for video in videos]
    size = known[0].width, known[0].height
    rate = writer.sound_rate(max(facts.rate for facts in known)) if any(facts.rate for facts in known) else 0
    counts = {facts.channels for facts in known if facts.rate}
    # One film in 5.1 does not make six channels of all.
    channels = writer.sound_channels(counts.pop() if len(counts) == 1 else 2) if rate else 0
    shown = _shown(videos, known, size, background, context)
    heard = _heard(videos, known, rate, channels) if rate else ()
    seconds = sum(facts.seconds for facts in known)
    fps = max(facts.fps for facts in known)
    return writer.write_movie(context.new_file(".mp4"), shown, size, fps, heard, rate, channels, seconds, context)


def _shown(
    videos: tuple[Path, ...], known: list[Facts], size: tuple[int, int], background: str, context: RunContext
) -> Iterator[Picture]:
    begin = 0.0
    for video, facts in zip(videos, known, strict=True):
        for picture in movies.pictures(video, "videos", context=context):
            if picture.seconds < facts.seconds:
                yield Picture(begin + picture.seconds, frames.fitted(picture.pixels, size, background))
        begin += facts.seconds


def _heard(videos: tuple[Path, ...], known: list[Facts], rate: int, channels: int) -> Iterator[np.ndarray]:
    """The sounds, each cut or filled up with silence to the length of its video."""
    begin, done = 0.0, 0
    for video, facts in zip(videos, known, strict=True):
        begin += facts.seconds
        wanted = round(begin * rate)
        for piece in movies.chunks(video, rate, channels) if facts.rate else ():
            part = piece[: wanted - done]
            done += len(part)
            yield part
        while done < wanted:
            length = min(wanted - done, math.ceil(rate / 4))
            done += length
            yield np.zeros((length, channels), np.float32)
