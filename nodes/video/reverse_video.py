"""Play a video backwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes._support.media.movies import Facts, Picture
from nodes.api import Audio, Port, ResourceType, RunContext, Video, tool

_HELD_BYTES = 256_000_000


@tool(
    id="reverse_video",
    title="Reverse video",
    domain="video",
    description="Reverses a video, so that pictures and sound play backwards.",
    inputs=(Port("video", ResourceType.VIDEO, "the video"),),
    outputs=(Port("video", ResourceType.VIDEO, "the video backwards, MP4"),),
    backend="pyav",
    backend_title="PyAV, H.264",
    examples=("Play the video backwards", "Reverse clip.mp4"),
    words=("backwards video", "in reverse", "rewind effect", "boomerang"),
    icon="rewind",
)
def reverse_video(video: Video, *, context: RunContext) -> Video:
    """Pictures are read in stretches of at most 256 MB, from the last to the first; each stays as long as before."""
    known = movies.facts(video)
    rate, channels = writer.sound_form(known)
    heard = ()
    if rate:
        forward = writer.for_writing(movies.whole_sound(video, context=context))
        heard = writer.pieces(Audio(forward.samples[::-1], forward.rate))
    return writer.write_movie(
        context.new_file(".mp4"), _shown(video, known, context), (known.width, known.height), known.fps,
        heard, rate, channels, known.picture_seconds, context,
    )  # fmt: skip


def _shown(video: Path, known: Facts, context: RunContext) -> Iterator[Picture]:
    """A picture that was seen from a to b is seen from end - b to end - a."""
    times = movies.picture_times(video)
    end = max(known.picture_seconds, times[-1] + 1e-3)
    until = dict(zip(times, [*times[1:], end], strict=True))
    size = max(_HELD_BYTES // (known.width * known.height * 3), 2)
    for last in range(len(times), 0, -size):
        first = max(last - size, 0)
        stop = times[last] if last < len(times) else end + 1
        held = list(movies.pictures(video, start=times[first], end=stop, context=context))
        while held:  # each leaves the memory when it is written
            picture = held.pop()
            yield Picture(end - until.get(picture.seconds, picture.seconds), picture.pixels)
