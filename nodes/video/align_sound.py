"""Lay a separate recording under a film, in time with the film's own sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from nodes._support.media import movies, remux, sound
from nodes._support.media.samples import composed, spectra, stretch
from nodes.api import Audio, AudioValue, NodeError, Number, Port, ResourceType, RunContext, Video, tool

_RATE = 8000
_LONGEST = 12 * _RATE
"""Of each sound, what is compared sample by sample: of longer ones the part that agrees most. In a longer part the
clocks of two devices are apart by more than the peak is wide."""
_WINDOW, _HOP, _BANDS = 512, 160, 16
"""Longer sounds are first compared by how their bands swell, every 20 ms: 10 MB for an hour."""
_LEAST_SHARE = 0.04


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
    """Within a millisecond, where they agree most: the peak of the correlation of both sounds, their spectra made
    equal in loudness (PHAT).

    NodeError naming `video` when it has no sound, `audio` when the two have nothing in common.
    """
    known = movies.facts(video)
    if not known.rate:
        raise NodeError("The film has no sound to go by.", "video", "Use 'Dub video' to lay the sound at its start.")
    own = movies.whole_sound(video, context=context)
    context.progress(0.3)
    first, second = _plain(own), _plain(sound.checked(audio))
    context.progress(0.5)
    late, begin = _about(first, second) if max(len(first), len(second)) > _LONGEST else (0, 0)
    parts = (_part(samples, at) for samples, at in ((first, begin), (second, begin - late)))
    shift = (late + _shift(*parts)) / _RATE
    context.progress(0.7)
    return remux.with_sound(video, _moved(audio, shift, known.seconds), context), round(shift, 3)


def _plain(audio: Audio) -> np.ndarray:
    """One channel at _RATE, float32 (frames,)."""
    return sound.resampled(Audio(sound.mono(audio.samples)[:, None], audio.rate), _RATE).samples[:, 0]


def _part(samples: np.ndarray, begin: int) -> np.ndarray:
    """At most _LONGEST of them; nothing of it is the same for a while, so that only the sounds themselves agree."""
    return np.diff(stretch(samples, begin, begin + min(len(samples), _LONGEST)), prepend=np.float32(0))


def _about(own: np.ndarray, other: np.ndarray) -> tuple[int, int]:
    """By how many samples `other` begins after `own`, to a few hundredths of a second, and from which sample of `own`
    on they agree most."""
    from scipy import fft

    first, second = _swelling(own), _swelling(other)
    size = int(fft.next_fast_len(len(first) + len(second), real=True) or 0)
    cross = np.zeros(size // 2 + 1, np.complex64)
    for one, another in zip(first.T, second.T, strict=True):
        cross += np.asarray(fft.rfft(one, size)) * np.conj(np.asarray(fft.rfft(another, size)))
    late = int(np.argmax(np.asarray(fft.irfft(cross, size))))
    late -= size if late >= len(first) else 0
    begin, end = max(late, 0), min(late + len(second), len(first))
    alike = np.einsum("ij,ij->i", first[begin:end], second[begin - late : end - late])
    summed, span = np.cumsum(np.append(np.zeros(1), alike)), _LONGEST // _HOP
    best = int(np.argmax(summed[span:] - summed[:-span])) if span < len(summed) else 0
    return late * _HOP, (begin + best) * _HOP


def _swelling(samples: np.ndarray) -> np.ndarray:
    """By how much each band gets louder from one moment to the next, as far as it stands out in its band: float32
    (moments, bands)."""
    bands = [part[:, 1:].reshape(len(part), _BANDS, -1).sum(axis=2) for part in spectra(samples, _WINDOW, _HOP)]
    levels = np.concatenate(bands)
    louder = np.diff(np.log(levels + 1e-3 * levels.max(axis=0) + 1e-9), axis=0, prepend=np.float32(0))
    louder = np.maximum(louder, 0)
    louder -= louder.mean(axis=0)
    return louder / (louder.std(axis=0) + 1e-9)


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
