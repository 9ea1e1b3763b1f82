"""Shorten the pauses of a video."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nodes._support.media import cutting, movies, sound, voice
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Picture
from nodes.api import Audio, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, Video, tool

_FADE = 0.005  # seconds, at either side of a cut
_TICK = 1e-4  # seconds: what is shorter is not seen


@tool(
    id="cut_video_silence",
    title="Video without silence",
    domain="video",
    description="Takes silence out of a video, picture and sound: pauses, and the quiet around it all, or only this.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        *voice.SETTINGS,
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video without long pauses, MP4"),),
    backend="pyav",
    backend_title="Energy threshold, Silero VAD, PyAV",
    quality=0.8,
    examples=(
        "Cut the silence out of the video",
        "Remove the long pauses from lecture.mp4",
        "Take the pauses out of the film in which nobody speaks",
        "Cut off only the silence at the start of the video",
    ),
    words=("jump cuts", "silence in a video", "silent parts", "silences", "dead air in a video",
           "silent beginning of a video"),
    icon="unfold-horizontal",
)  # fmt: skip
def cut_video_silence(
    video: Video, pause: Number = 0.3, threshold: Number = -40.0, where: Text = "everywhere", *, context: RunContext
) -> Video:
    """Levels are measured in frames of 20 ms; where someone speaks, the background noise of the pauses is silence, too.
    Half of `pause` stays on either side of a cut, and a little more, so that it lies between two pictures; the sound
    is cut at the same times to the sample and faded over 5 ms. All is coded anew; a video in which nothing is to be
    cut is copied bit by bit.

    NodeError naming `video` where it has no sound, or is silent.
    """
    known = movies.facts(video)
    heard = movies.whole_sound(video, context)
    if sound.peak_db(heard.samples) <= -90:
        raise NodeError(Phrase("{path} is silent: nothing would be left.", path=video.name), "video",
                        "Choose a video with sound.")  # fmt: skip
    heard = writer.for_writing(heard)
    stretches = [
        (a / heard.rate, b / heard.rate) for a, b in voice.without_pauses(heard, pause, threshold, context, where)
    ]
    kept = _between_pictures(stretches, movies.told_times(video), known.seconds)
    seconds = sum(end - begin for begin, end in kept)
    if seconds > known.seconds - 1e-3:
        return cutting.trimmed(video, known, 0.0, known.seconds, context)
    return writer.write_movie(
        context.new_file(".mp4"), _shown(video, kept, context), (known.width, known.height), known.fps,
        _heard(heard, kept), heard.rate, heard.samples.shape[1], seconds, context,
    )  # fmt: skip


def _between_pictures(
    stretches: list[tuple[float, float]], times: list[float], seconds: float
) -> list[tuple[float, float]]:
    """The same in seconds, each from when a picture appears to when one does; those that touch then are one."""
    bounds, kept = [0.0, *times, max(seconds, 0.0, *times)], list[tuple[float, float]]()
    for begin, end in stretches:
        if times:
            begin = bounds[max(bisect_right(bounds, begin) - 1, 0)]
            end = bounds[min(bisect_left(bounds, end), len(bounds) - 1)]
        if kept and begin <= kept[-1][1]:
            kept[-1] = (kept[-1][0], end)
        elif end > begin:
            kept.append((begin, end))
    return kept


def _shown(video: Path, kept: list[tuple[float, float]], context: RunContext) -> Iterator[Picture]:
    """The pictures that are seen in each stretch, moved to follow on from the one before."""
    starts = [0.0, *itertools.accumulate(end - begin for begin, end in kept)]
    place = 0
    for picture, until in _with_ends(movies.pictures(video, context=context, unchanged=True)):
        while place < len(kept):
            begin, end = kept[place]
            first = max(picture.seconds, begin)
            if min(until, end) - first > _TICK:
                yield Picture(starts[place] + first - begin, picture.pixels)
            if end > until + _TICK:
                break
            place += 1


def _with_ends(pictures: Iterator[Picture]) -> Iterator[tuple[Picture, float]]:
    """Each with the time at which the next one appears; the last stands for ever."""
    last: Picture | None = None
    for picture in pictures:
        if last is not None:
            yield last, picture.seconds
        last = picture
    if last is not None:
        yield last, math.inf


def _heard(heard: Audio, kept: list[tuple[float, float]]) -> Iterator[np.ndarray]:
    """The sound of each stretch, faded at either end, with as many samples in all as its time has."""
    done, passed, fade = 0, 0.0, max(round(_FADE * heard.rate), 1)
    for begin, end in kept:
        passed += end - begin
        first, count = round(begin * heard.rate), round(passed * heard.rate) - done
        done, at = done + count, 0
        for piece in writer.pieces(Audio(heard.samples[first : first + count], heard.rate)):
            place = np.arange(at, at + len(piece))
            gain = np.minimum(np.minimum(place + 1, count - place) / fade, 1).astype(np.float32)
            yield piece * gain[:, None]
            at += len(piece)
