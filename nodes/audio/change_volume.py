"""Make a sound louder or softer."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, tool


@tool(
    id="change_volume",
    title="Change volume",
    domain="audio",
    description="Makes a sound louder or softer by some decibels; peaks are limited, not clipped.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "gain", ResourceType.NUMBER, "6 = twice the amplitude, -6 = half",
            default=6.0, minimum=-80, maximum=60, unit="dB",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the louder or softer sound"),),
    backend_title="Gain and limiter",
    examples=("Make the sound louder", "Turn the music down by 10 dB", "Increase the volume of this recording"),
    words=("louder", "softer", "quieter", "volume up", "volume down", "turn up", "turn down", "amplify", "boost"),
    icon="volume-1",
    result_signs=(("gain", "quieter", "louder"),),
)  # fmt: skip
def change_volume(audio: AudioValue, gain: Number = 6.0) -> AudioValue:
    """Multiplies by 10 ** (gain / 20); when that goes beyond full scale, a limiter keeps true peaks at -0.1 dB."""
    dry = sound.checked(audio)
    ratio = sound.amplitude(gain)
    if sound.peak(dry.samples) * ratio > 1:
        return sound.limited(dry, sound.amplitude(-0.1), ratio)
    return Audio(samples.mapped(dry.samples, lambda block: block * np.float32(ratio)), dry.rate)
