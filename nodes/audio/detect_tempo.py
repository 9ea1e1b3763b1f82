"""Estimate the tempo of music."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, NodeError, Number, Phrase, Port, ResourceType, RunContext, tool

_STEP_SECONDS = 0.01

_STEADY = 2.0
"""How far the best tempo stands out of all: music made here 4.3 to 28, speech and hiss 1.1 to 1.6."""


@tool(
    id="detect_tempo",
    title="Detect tempo",
    domain="audio",
    description="Estimates the tempo of music in beats per minute (BPM).",
    inputs=(Port("audio", ResourceType.AUDIO, "the music, at least 4 seconds"),),
    outputs=(Port("tempo", ResourceType.NUMBER, "beats per minute, 50 to 200", unit="BPM"),),
    backend="autocorrelation",
    backend_title="Onset autocorrelation",
    examples=("What is the tempo of this song?", "How many beats per minute has the track?"),
    words=("bpm", "beats per minute", "rhythm", "how fast is the music"),
    icon="timer",
)
def detect_tempo(audio: AudioValue, *, context: RunContext) -> Number:
    """Autocorrelation of the rising spectral energy, weighted towards 120 BPM, as octaves are ambiguous. Tells where
    no tempo stands out, as in speech and noise.

    NodeError for less than 4 seconds, silence, or a sound without any onsets.
    """
    music = _middle(sound.audible(audio, purpose=Phrase("count")))
    if music.seconds < 4:
        raise NodeError(
            Phrase("{seconds} s are too short to hear a tempo.", seconds=f"{music.seconds:.1f}"),
            "audio",
            "Choose at least 4 seconds.",
        )
    rise = _onsets(music)
    lags = np.arange(int(60 / 200 / _STEP_SECONDS), int(60 / 50 / _STEP_SECONDS) + 2)
    match = np.array([np.dot(rise[lag:], rise[:-lag]) / (len(rise) - lag) for lag in lags])
    if match.max() <= 1e-12:
        raise NodeError("There are no beats in this sound.", "audio", "Choose music with a rhythm.")
    if match.max() < _STEADY * np.median(match):
        context.tell("no steady beat was heard: the tempo is a guess")
    weight = np.exp(-0.5 * (np.log2(60 / (lags * _STEP_SECONDS) / 120) / 0.9) ** 2)
    best = int(np.argmax((match * weight)[1:-1])) + 1
    left, middle, right = match[best - 1 : best + 2]
    bend = left - 2 * middle + right
    lag = lags[best] + (0.5 * (left - right) / bend if bend < 0 else 0.0)
    return round(float(60 / (lag * _STEP_SECONDS)), 1)


def _middle(music: Audio) -> Audio:
    """At most two minutes: more of it would not tell more."""
    spare = max(len(music.samples) - 120 * music.rate, 0)
    return Audio(music.samples[spare // 2 : len(music.samples) - spare // 2], music.rate)


def _onsets(music: Audio) -> np.ndarray:
    """How much louder the spectrum gets every 10 ms, with its mean taken away."""
    size = 1 << max(round(np.log2(music.rate * 0.04)), 6)
    hop = max(round(music.rate * _STEP_SECONDS), 1)
    rises, before = [], None
    for spectrum in samples.spectra(sound.mono(music.samples), size, hop):
        loud = np.log1p(1000 * spectrum)
        rises.append(np.maximum(np.diff(loud, axis=0, prepend=loud[:1] if before is None else before), 0).mean(axis=1))
        before = loud[-1:]
    rise = np.concatenate(rises)[1:]
    return np.maximum(rise - rise.mean(), 0)
