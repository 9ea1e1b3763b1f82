"""Lay a separate recording under a film, in time with the film's own sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from nodes._support.media import movies, remux, sound
from nodes._support.media.samples import composed, stretch
from nodes.api import Audio, AudioValue, NodeError, Number, Port, ResourceType, RunContext, Video, tool

_FASTEST, _SLOWEST = 8000, 2000
_SAMPLES = 10_000_000
"""Of both sounds together, which take 0.2 GB: those of over 20 minutes are compared at a lower rate, down to half a
millisecond."""
_LEAST_SHARE = 0.05


@tool(
    id="align_sound",
    title="Align sound",
    domain="video",
    description="Lines up a separate recording with a film by their sounds, and lays it under the film in sync.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the film, with the camera's own sound"),
        Port("audio", ResourceType.AUDIO, "the better recording, begun earlier or later"),
    ),
    outputs=(
        Port("video", ResourceType.VIDEO, "the film with the recording"),
        Port("shift", ResourceType.NUMBER, "how many seconds after the film the recording begins; below 0 before it"),
    ),
    backend="cross-correlation",
    backend_title="Cross-correlation",
    quality=0.8,
    examples=(
        "Synchronise recorder.wav with the sound of clip.mp4",
        "Line up the recorder's track with clip.mp4 by their sounds",
    ),
    words=("synchronise by sound", "line up the recording", "external recorder", "in sync with the film"),
    icon="align-start-vertical",
)
def align_sound(video: Video, audio: AudioValue, context: RunContext) -> tuple[Video, Number]:
    """Within a millisecond: the peak of the correlation of both sounds, their spectra made equal in loudness (PHAT).

    NodeError naming `video` when it has no sound, `audio` when the two have nothing in common.
    """
    known = movies.facts(video)
    if not known.rate:
        raise NodeError("The film has no sound to go by.", "video", "Use 'Dub video' to lay the sound at its start.")
    own = movies.whole_sound(video, context=context)
    context.progress(0.3)
    rate = int(min(max(_SAMPLES / (own.seconds + sound.checked(audio).seconds), _SLOWEST), _FASTEST))
    first, second = _signal(own, rate), _signal(sound.checked(audio), rate)
    context.progress(0.5)
    shift = _shift(first, second) / rate
    context.progress(0.7)
    return remux.with_sound(video, _moved(audio, shift, known.seconds), context), round(shift, 3)


def _signal(audio: Audio, rate: int) -> np.ndarray:
    """One channel, float32; nothing of it is the same for a while, so that only the sounds themselves agree."""
    samples = sound.mono(sound.resampled(audio, rate).samples).ravel()
    return np.diff(samples, prepend=np.float32(0))


def _shift(own: np.ndarray, other: np.ndarray) -> int:
    """Samples by which `other` begins after `own`."""
    from scipy import fft

    size = int(fft.next_fast_len(len(own) + len(other), real=True) or 0)
    cross, second = np.asarray(fft.rfft(own, size)), np.asarray(fft.rfft(other, size))
    cross *= np.conj(second, out=second)
    del second
    loud = np.abs(cross)
    cross /= np.maximum(loud, 1e-12 + 1e-3 * loud.max(), out=loud)
    del loud
    match: Any = fft.irfft(cross, size, overwrite_x=True)
    best = int(np.argmax(match))
    if match[best] < _LEAST_SHARE or not np.any(own) or not np.any(other):
        raise NodeError(
            "The recording and the film's sound have nothing in common.",
            "audio",
            "Give a recording of the same moment.",
        )
    return best - size if best >= len(own) else best


def _moved(audio: Audio, shift: float, seconds: float) -> Audio:
    """As long as the film, silent where the recording does not reach."""
    length, start = max(1, round(seconds * audio.rate)), round(shift * audio.rate)
    moved = composed(length, lambda begin, end: stretch(audio.samples, begin - start, end - start), audio.samples)
    return Audio(moved, audio.rate)
