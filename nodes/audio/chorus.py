"""Make one voice or instrument sound like several."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, tool

_VOICES = ((0.020, 0.003, 0.7, 0.0), (0.027, 0.004, 1.1, 2.1), (0.034, 0.0035, 0.9, 4.2))


@tool(
    id="chorus",
    title="Chorus",
    domain="audio",
    description="Chorus effect: one voice or instrument sounds like several at once, fuller and wider.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "amount",
            ResourceType.NUMBER,
            "share of the added voices",
            default=0.5,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the fuller sound"),),
    backend_title="Moving delays",
    examples=("Add a chorus effect to the guitar", "Make the singer sound like a choir"),
    words=("chorus", "choir", "doubling", "fuller sound", "audio effect"),
    icon="users",
)
def chorus(audio: AudioValue, amount: Number = 0.5) -> AudioValue:
    """Three copies, delayed by 20 to 34 ms that swing by 3 to 4 ms about once a second. Length and channels stay."""
    dry = sound.checked(audio)
    if amount <= 0:
        return dry
    latest = math.ceil(max(delay + depth for delay, depth, _, _ in _VOICES) * dry.rate) + 1

    def made(begin: int, end: int) -> np.ndarray:
        heard = np.arange(begin - latest, end)
        before = samples.stretch(dry.samples, begin - latest, end)
        added = np.zeros((end - begin, dry.samples.shape[1]))
        for delay, depth, speed, phase in _VOICES:
            swing = delay + depth * np.sin(2 * np.pi * speed * heard[latest:] / dry.rate + phase)
            place = heard[latest:] - swing * dry.rate
            for channel, line in enumerate(before.T):
                added[:, channel] += np.where(place < 0, 0, np.interp(place, heard, line))
        return before[latest:] * (1 - amount / 2) + added * (amount / len(_VOICES) ** 0.5 / 1.5)

    mixed = samples.composed(len(dry.samples), made, dry.samples)
    return Audio(sound.within_range(mixed), dry.rate)
