"""Make a test tone."""

from __future__ import annotations

import numpy as np

from nodes.api import Audio, AudioValue, NodeError, Number, Port, ResourceType, Text, tool

_RATE = 44_100
_SHAPES = ("sine", "triangle", "square", "sawtooth", "noise")


@tool(
    id="make_tone",
    title="Make a tone",
    domain="audio",
    description="Makes a plain tone of a given frequency in Hz, a beep, or noise.",
    inputs=(
        Port(
            "frequency",
            ResourceType.NUMBER,
            "pitch",
            default=440.0,
            minimum=1,
            maximum=20_000,
            unit="Hz",
            question="How high should the tone be, in hertz? An orchestra tunes to 440.",
        ),
        Port(
            "seconds",
            ResourceType.NUMBER,
            "length",
            default=2.0,
            minimum=0,
            maximum=3600,
            unit="s",
            question="How many seconds should it last?",
        ),
        Port(
            "shape",
            ResourceType.TEXT,
            "form of the wave",
            default="sine",
            choices=_SHAPES,
            question="Which shape should it have?",
        ),
        Port("level", ResourceType.NUMBER, "peak", default=-6.0, minimum=-80, maximum=0, unit="dB", advanced=True),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the tone, mono"),),
    backend_title="Synthesis",
    examples=("Make 5 seconds of white noise", "Make a 440 Hz tone", "Generate a beep of 1 kHz for 3 seconds"),
    words=("beep", "sine wave", "test tone", "hertz", "white noise", "tone generator"),
    icon="activity",
)
def make_tone(
    frequency: Number = 440.0, seconds: Number = 2.0, shape: Text = "sine", level: Number = -6.0
) -> AudioValue:
    """44.1 kHz, mono, with edges of 5 ms against clicks. Harmonics above 22 kHz are left out. 0 seconds: NodeError."""
    length = round(seconds * _RATE)
    if not length:
        raise NodeError("A tone of 0 seconds cannot be heard.", "seconds", "Choose a length above 0.")
    wave = _wave(shape, frequency, length)
    edge = min(_RATE // 200, length // 2)
    ramp = np.linspace(0, 1, edge, dtype=np.float32)
    wave[:edge] *= ramp
    wave[length - edge :] *= ramp[::-1]
    return Audio((wave * 10 ** (level / 20))[:, None].astype(np.float32), _RATE)


def _wave(shape: str, frequency: float, length: int) -> np.ndarray:
    """Peak about 1, float64 (length,). Built from its harmonics, so nothing is mirrored at half the rate."""
    if shape == "noise":
        return np.random.default_rng(1).uniform(-1, 1, length)
    turn = 2 * np.pi * frequency * np.arange(length) / _RATE
    if shape == "sine":
        return np.sin(turn)
    step = 1 if shape == "sawtooth" else 2
    wave = np.zeros(length)
    for harmonic in range(1, min(int(_RATE / 2 / frequency), 200) + 1, step):
        if shape == "triangle":
            wave += (-1) ** (harmonic // 2) / harmonic**2 * np.sin(harmonic * turn)
        else:
            wave += np.sin(harmonic * turn) / harmonic
    return wave / max(np.abs(wave).max(), 1e-9)
