"""Tell the pitch of a tone or voice."""

from __future__ import annotations

import numpy as np

from nodes._support.media import sound
from nodes.api import Audio, AudioValue, NodeError, Number, Phrase, Port, ResourceType, tool

_LOWEST, _HIGHEST = 50.0, 2000.0


@tool(
    id="detect_pitch",
    title="Detect pitch",
    domain="audio",
    description="Measures the pitch of a single voice, tone or instrument, in Hz.",
    inputs=(Port("audio", ResourceType.AUDIO, "one voice or instrument"),),
    outputs=(Port("pitch", ResourceType.NUMBER, "median pitch in Hz, 50 to 2000", unit="Hz"),),
    backend="yin",
    backend_title="YIN",
    examples=("What pitch does this tone have?", "How high is the voice in Hz?"),
    words=("fundamental frequency", "which note", "tuner", "f0"),
    icon="ruler",
)
def detect_pitch(audio: AudioValue) -> Number:
    """Median over voiced frames, each by the cumulative mean normalised difference (de Cheveigné and Kawahara 2002).

    NodeError for silence and for sounds without a pitch, such as noise.
    """
    voice = sound.audible(audio, purpose=Phrase("measure"))
    pitches = _pitches(Audio(sound.mono(voice.samples)[:, None], voice.rate))
    if not pitches:
        raise NodeError("This sound has no clear pitch.", "audio", "Choose a tone, a voice or one instrument.")
    return round(float(np.median(pitches)), 2)


def _pitches(voice: Audio) -> list[float]:
    heard = voice.samples[:, 0]
    longest, shortest = int(voice.rate / _LOWEST) + 2, max(int(voice.rate / _HIGHEST), 2)
    window = longest
    starts = np.arange(0, max(len(heard) - window - longest, 0) + 1, max(int(voice.rate * 0.02), 1))
    if len(starts) > 1500:  # half a minute of frames tells the median of any sound
        starts = starts[np.linspace(0, len(starts) - 1, 1500).astype(int)]
    floor = sound.peak(voice.samples) * 0.05
    found = []
    for start in starts:
        frame = heard[start : start + window + longest].astype(np.float64)
        if len(frame) >= window + longest and np.abs(frame).max() > floor:
            lag = _period(frame, window, shortest, longest)
            if lag:
                found.append(voice.rate / lag)
    return found


def _period(frame: np.ndarray, window: int, shortest: int, longest: int) -> float:
    """The period of a frame in samples, 0 when it has none."""
    from scipy.signal import correlate

    squares = np.concatenate(([0.0], np.cumsum(frame**2)))
    energy = squares[window : window + longest] - squares[:longest]
    cross = correlate(frame, frame[:window], "valid")[:longest]
    difference = np.maximum(energy[0] + energy - 2 * cross, 0)
    total = np.cumsum(difference)
    normal = np.ones(longest)
    normal[1:] = difference[1:] * np.arange(1, longest) / np.maximum(total[1:], 1e-12)
    below = np.flatnonzero(normal[shortest:-1] < 0.15)
    if not len(below):
        return 0.0
    lag = shortest + int(below[0])
    while lag + 1 < longest - 1 and normal[lag + 1] < normal[lag]:
        lag += 1
    left, middle, right = normal[lag - 1], normal[lag], normal[lag + 1]
    bend = left - 2 * middle + right
    return lag + (0.5 * (left - right) / bend if bend > 0 else 0.0)
