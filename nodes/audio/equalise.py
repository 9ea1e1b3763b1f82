"""Raise or lower bass, middle and treble."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, RunContext, tool

_GAIN = {"minimum": -30, "maximum": 30, "unit": "dB", "usual": 6.0, "offered": (-6, 6)}


@tool(
    id="equalise",
    title="Equaliser",
    domain="audio",
    description="Equaliser: boosts or cuts the bass, the middle and the treble of a sound.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "bass",
            ResourceType.NUMBER,
            "gain below about 200 Hz",
            default=0.0,
            **_GAIN,
            question="How many decibels of bass should be added? A number below 0 takes some away.",
        ),
        Port(
            "middle",
            ResourceType.NUMBER,
            "gain around 1 kHz",
            default=0.0,
            **_GAIN,
            question="How many decibels of the middle should be added? A number below 0 takes some away.",
        ),
        Port(
            "treble",
            ResourceType.NUMBER,
            "gain above about 4 kHz",
            default=0.0,
            **_GAIN,
            question="How many decibels of treble should be added? A number below 0 takes some away.",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the equalised sound"),),
    backend_title="Shelving filters",
    examples=("Equalise the song, less treble", "Boost the bass by 6 dB", "Apply equalization to example.wav"),
    words=("equalize", "equalizer", "eq", "more bass", "brighter sound", "muffled", "tone control", "audio effect"),
    icon="sliders-vertical",
)
def equalise(
    audio: AudioValue, bass: Number = 0.0, middle: Number = 0.0, treble: Number = 0.0, *, context: RunContext
) -> AudioValue:  # fmt: skip
    """Second-order shelves and a bell, after R. Bristow-Johnson's formulas. Turned down if it would clip. Tells where
    no gain is set."""
    from scipy.signal import sosfilt

    dry = sound.checked(audio)
    if not (bass or middle or treble):
        context.tell("no gain is set: the sound is as it was")
        return dry
    top = 0.45 * dry.rate
    sections = [
        _shelf(bass, min(200.0, top), dry.rate, low=True),
        _bell(middle, min(1000.0, top), dry.rate),
        _shelf(treble, min(4000.0, top), dry.rate, low=False),
    ]
    state = np.zeros((len(sections), 2, dry.samples.shape[1]))

    def change(block: np.ndarray) -> np.ndarray:
        nonlocal state
        changed, state = sosfilt(np.array(sections), block.astype(np.float64), axis=0, zi=state)
        return changed

    return Audio(sound.within_range(samples.mapped(dry.samples, change)), dry.rate)


def _shelf(gain_db: float, frequency: float, rate: int, low: bool) -> list[float]:
    a, w = 10 ** (gain_db / 40), 2 * math.pi * frequency / rate
    sign, cos, root = (1 if low else -1), math.cos(w), math.sqrt(2 * a) * math.sin(w)
    b = [
        a * ((a + 1) - sign * (a - 1) * cos + root),
        sign * 2 * a * ((a - 1) - sign * (a + 1) * cos),
        a * ((a + 1) - sign * (a - 1) * cos - root),
    ]
    c = [
        (a + 1) + sign * (a - 1) * cos + root,
        -sign * 2 * ((a - 1) + sign * (a + 1) * cos),
        (a + 1) + sign * (a - 1) * cos - root,
    ]
    return [value / c[0] for value in b + c]


def _bell(gain_db: float, frequency: float, rate: int) -> list[float]:
    a, w = 10 ** (gain_db / 40), 2 * math.pi * frequency / rate
    alpha, cos = math.sin(w) / (2 * 0.7), math.cos(w)
    values = [1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a]
    return [value / values[3] for value in values]
