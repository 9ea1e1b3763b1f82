"""Play several videos one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nodes._support.media import frames, movies
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Facts, Picture
from nodes.api import NodeError, Number, Port, ResourceType, RunContext, Text, Video, tool

_USUAL_FADE = 1.0


@tool(
    id="join_videos",
    title="Join videos",
    domain="video",
    description="Joins several videos into one, one after the other, with their sound.",
    inputs=(
        Port("videos", ResourceType.VIDEO, "the videos, in order", many=True, least=2),
        Port("fade", ResourceType.NUMBER, "length of the cross-fades; 0 for hard cuts", default=0.0, minimum=0,
             maximum=30, unit="s", usual=_USUAL_FADE, question="How many seconds should one run into the next?"),
        Port("background", ResourceType.TEXT, "around videos of another shape", default="black",
             choices=frames.BACKGROUNDS, advanced=True),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "all of them in a row, MP4"),),
    backend="pyav",
    backend_title="PyAV, H.264",
    examples=(
        "Join the two videos",
        "Put intro.mp4 before talk.mp4",
        "Merge these clips into one video",
        "Join the clips with a cross-fade of one second",
    ),
    words=(
        "concatenate videos",
        "append the video",
        "combine clips",
        "stitch videos",
        "one after another",
        "cross-fade between the videos",
    ),
    icon="between-horizontal-start",
)  # fmt: skip
def join_videos(
    videos: tuple[Video, ...], fade: Number = 0.0, background: Text = "black", *, context: RunContext
) -> Video:
    """The first one gives the size; others are fitted in whole. Each keeps its frame rate; silence where one has no
    sound. `fade` seconds of each end are seen and heard together with the beginning of the next, at most half of the
    shortest film. NodeError naming `videos` when there is none or one is broken.
    """
    if not videos:
        raise NodeError("There is no video to join.", "videos", "Add at least one video.")
    known = [movies.facts(video, "videos") for video in videos]
    size = known[0].width, known[0].height
    rate = writer.sound_rate(max(facts.rate for facts in known)) if any(facts.rate for facts in known) else 0
    counts = {facts.channels for facts in known if facts.rate}
    # One film in 5.1 does not make six channels of all.
    channels = writer.sound_channels(counts.pop() if len(counts) == 1 else 2) if rate else 0
    fade = min(fade, *(facts.seconds / 2 for facts in known)) if len(known) > 1 else 0.0
    shown = _shown(videos, known, size, background, fade, context)
    heard = _heard(videos, known, fade, rate, channels) if rate else ()
    seconds = sum(facts.seconds for facts in known) - fade * (len(known) - 1)
    fps = max(facts.fps for facts in known)
    return writer.write_movie(context.new_file(".mp4"), shown, size, fps, heard, rate, channels, seconds, context)


def _shown(
    videos: tuple[Path, ...],
    known: list[Facts],
    size: tuple[int, int],
    background: str,
    fade: float,
    context: RunContext,
) -> Iterator[Picture]:
    begin, fps = 0.0, max(facts.fps for facts in known)
    before: _Pictures | None = None
    for number, (video, facts) in enumerate(zip(videos, known, strict=True)):
        film = _Pictures(video, size, background, context)
        if before is not None and fade:
            yield from _blended(before, known[number - 1].seconds - fade, film, begin, fade, fps)
        end = facts.seconds - (fade if number < len(videos) - 1 else 0.0)
        for at, pixels in film.between(fade if number else 0.0, end):
            yield Picture(begin + at, pixels)
        begin, before = begin + facts.seconds - fade, film


def _blended(
    before: _Pictures, ending: float, film: _Pictures, begin: float, fade: float, fps: float
) -> Iterator[Picture]:
    """`fps` pictures a second, from the one film's `ending` on mixed with the next one, which begins at `begin`."""
    import cv2

    for number in range(math.ceil(fade * fps - 1e-6)):
        since = number / fps
        share = since / fade
        yield Picture(begin + since, cv2.addWeighted(before.at(ending + since), 1 - share, film.at(since), share, 0))


class _Pictures:
    """The pictures of a film, fitted into the size of the whole; looked at from its beginning to its end only."""

    def __init__(self, video: Path, size: tuple[int, int], background: str, context: RunContext) -> None:
        self._coming = movies.pictures(video, "videos", context=context)
        self._size, self._background = size, background
        self._next = next(self._coming, None)
        self._seen: np.ndarray | None = None

    def at(self, seconds: float) -> np.ndarray:
        """The picture that is seen at that time; the first before the beginning."""
        while self._next is not None and (self._seen is None or self._next.seconds <= seconds + 1e-6):
            self._seen = self._fitted()
        assert self._seen is not None  # `movies.pictures` gives one at least
        return self._seen

    def between(self, start: float, end: float) -> Iterator[Picture]:
        """What is seen at `start`, where that is after the beginning, and what appears from then until `end`."""
        if start > 0:
            yield Picture(start, self.at(start))
        while self._next is not None and self._next.seconds < end:
            yield Picture(self._next.seconds, self._fitted())

    def _fitted(self) -> np.ndarray:
        assert self._next is not None
        self._seen = frames.fitted(self._next.pixels, self._size, self._background)
        self._next = next(self._coming, None)
        return self._seen


def _heard(videos: tuple[Path, ...], known: list[Facts], fade: float, rate: int, channels: int) -> Iterator[np.ndarray]:
    """The sounds, each cut or filled up with silence to the length of its video."""
    begin, tail = 0.0, np.zeros((0, channels), np.float32)
    for number, (video, facts) in enumerate(zip(videos, known, strict=True)):
        film = _Samples(movies.chunks(video, rate, channels) if facts.rate else iter(()), channels)
        if len(tail):
            ramp = (np.arange(len(tail), dtype=np.float32)[:, None] + 0.5) / len(tail)
            yield np.clip(tail * np.sqrt(1 - ramp) + film.next(len(tail)) * np.sqrt(ramp), -1, 1)
        end = begin + facts.seconds
        begin = end - (fade if number < len(videos) - 1 else 0.0)
        rest = round(begin * rate) - round((end - facts.seconds) * rate) - len(tail)
        for first in range(0, rest, rate // 4):
            yield film.next(min(rate // 4, rest - first))
        tail = film.next(round(end * rate) - round(begin * rate))


class _Samples:
    """The samples of a sound, taken one after the other in any number, with silence after its end."""

    def __init__(self, coming: Iterator[np.ndarray], channels: int) -> None:
        self._coming = coming
        self._held = np.zeros((0, channels), np.float32)

    def next(self, count: int) -> np.ndarray:
        """The next `count` frames."""
        parts, missing = [self._held[:count]], count - len(self._held)
        self._held = self._held[count:]
        while missing > 0 and (piece := next(self._coming, None)) is not None:
            parts.append(piece[:missing])
            self._held = piece[missing:]
            missing -= len(piece)
        parts.append(np.zeros((max(missing, 0), self._held.shape[1]), np.float32))
        return np.concatenate(parts)
