"""Repeat a sound ever more softly."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Integer, NodeError, Number, Port, ResourceType, tool


@tool(
    id="echo",
    title="Echo",
    domain="audio",
    description="Adds an echo: the sound comes back after a delay, softer each time.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "delay",
            ResourceType.NUMBER,
            "time to the next echo",
            default=0.4,
            minimum=0.01,
            maximum=10,
            unit="s",
            question="After how many seconds should the echo come?",
        ),
        Port(
            "decay",
            ResourceType.NUMBER,
            "loudness of an echo to the one before",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How loud should each echo be, from 0 to 1?",
        ),
        Port(
            "repeats",
            ResourceType.NUMBER,
            "echoes",
            default=3,
            minimum=1,
            maximum=50,
            integer=True,
            question="How many echoes should there be?",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound with its echoes; it lasts longer"),),
    backend_title="Delay line",
    examples=("Add an echo to this sound", "Make the voice echo like in the mountains"),
    words=("delay effect", "repeat softly", "canyon", "audio effect"),
    icon="repeat",
)
def echo(audio: AudioValue, delay: Number = 0.4, decay: Number = 0.5, repeats: Integer = 3) -> AudioValue:
    """Adds copies at `delay`, 2 `delay` ... with amplitude decay, decay ** 2 ...; turned down if it would clip."""
    dry = sound.checked(audio)
    if dry.seconds + delay * repeats > 36_000:
        raise NodeError("The echoes would last more than ten hours.", "repeats", "Choose fewer of them.")
    step = max(round(delay * dry.rate), 1)

    def made(begin: int, end: int) -> np.ndarray:
        heard = np.zeros((end - begin, dry.samples.shape[1]), np.float32)
        for n in range(repeats + 1):
            heard += samples.stretch(dry.samples, begin - n * step, end - n * step) * np.float32(decay**n)
        return heard

    mixed = samples.composed(len(dry.samples) + step * repeats, made, dry.samples)
    return Audio(sound.within_range(mixed), dry.rate)
