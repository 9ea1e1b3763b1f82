"""Play a video faster or slower."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies, sound
from nodes._support.media.movies import Picture
from nodes.api import Number, Port, ResourceType, RunContext, Video, tool


@tool(
    id="video_speed",
    title="Video speed",
    domain="video",
    description="Changes the playback speed of a video: time lapse or slow motion; the voice keeps its pitch.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("speed", ResourceType.NUMBER, "2 = twice as fast, 0.5 = slow motion", default=2.0, minimum=0.05,
             maximum=100, unit="x", offered=(0.5, 1.5, 2, 4), question="How many times as fast should it play?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video at the new speed, MP4"),),
    backend="pyav",
    backend_title="PyAV, FFmpeg atempo",
    examples=("Play the video twice as fast", "Slow the video down to half the speed", "Make a time lapse of clip.mp4"),
    words=("speed up the video", "slow motion", "time-lapse", "faster video", "slower video", "playback speed"),
    icon="fast-forward",
)  # fmt: skip
def video_speed(video: Video, speed: Number = 2.0, *, context: RunContext) -> Video:
    """The video lasts `seconds / speed`. Pictures are left out where there would be more a second than before; none
    are made up for slow motion.
    """
    known = movies.facts(video)
    rate, channels = writer.sound_form(known)
    heard = _heard(video, rate, channels, speed) if rate else ()
    return writer.write_movie(
        context.new_file(".mp4"), _shown(video, speed, known.fps, context), (known.width, known.height),
        min(known.fps, known.fps * speed), heard, rate, channels, known.picture_seconds / speed, context,
    )  # fmt: skip


def _shown(video: Path, speed: float, fps: float, context: RunContext) -> Iterator[Picture]:
    step, due = 1 / fps, 0.0
    for picture in movies.pictures(video, context=context):
        at = picture.seconds / speed
        if speed > 1 and at < due - step / 100:
            continue
        yield Picture(at, picture.pixels)
        due = max(due + step, at)


def _heard(video: Path, rate: int, channels: int, speed: float) -> Iterator[np.ndarray]:
    filters = sound.FilterStream(rate, channels, *sound.tempo_filters(speed))
    for piece in movies.chunks(video, rate, channels):
        yield filters.push(piece)
    yield filters.finish()
