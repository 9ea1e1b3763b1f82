"""Make a sound louder or softer."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, tool

_RAMP = 0.005  # seconds


@tool(
    id="change_volume",
    title="Change volume",
    domain="audio",
    description="Makes a sound, or a part of it, louder or softer by some decibels; peaks are limited, not clipped.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "gain", ResourceType.NUMBER, "6 = twice the amplitude, -6 = half",
            default=6.0, minimum=-80, maximum=60, unit="dB", offered=(-12, -6, 6, 12),
            question="How much louder should it be, in decibels? A number below 0 makes it quieter.",
        ),
        Port("start", ResourceType.NUMBER, "where the part begins; below 0 before the end", default=0.0,
             unit="s", advanced=True),
        Port("end", ResourceType.NUMBER, "where the part ends; the end of the sound if not given, below 0 before it",
             default=None, unit="s", advanced=True),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the louder or softer sound"),),
    backend_title="Gain and limiter",
    examples=("Make the sound louder", "Turn the music down by 10 dB", "Increase the volume of this recording",
              "Make the sound quieter from second 10 to 20"),
    words=("louder", "softer", "quieter", "volume up", "volume down", "turn up", "turn down", "amplify", "boost"),
    icon="volume-1",
    result_signs=(("gain", "quieter", "louder"),),
)  # fmt: skip
def change_volume(audio: AudioValue, gain: Number = 6.0, start: Number = 0.0, end: Number | None = None) -> AudioValue:
    """Multiplies by 10 ** (gain / 20); when that goes beyond full scale, a limiter keeps true peaks at -0.1 dB. Inside
    of a part the gain comes and goes within 5 ms. NodeError naming `start` or `end` when nothing lies between.
    """
    dry = sound.checked(audio)
    first, last = sound.part(dry, start, end)
    if last - first == len(dry.samples):
        return _changed(dry, gain)
    part = _changed(Audio(dry.samples[first:last], dry.rate), gain).samples
    ramp = max(min(int(_RAMP * dry.rate), (last - first) // 2), 1)

    def made(begin: int, end: int) -> np.ndarray:
        block, place = samples.stretch(dry.samples, begin, end), np.arange(begin, end)
        rise = (place - first + 1) / ramp if first else 1.0
        fall = (last - place) / ramp if last < len(dry.samples) else 1.0
        inside = (place >= first) & (place < last)
        share = (inside * np.clip(np.minimum(rise, fall), 0, 1)).astype(np.float32)[:, None]
        return block + (samples.stretch(part, begin - first, end - first) - block) * share

    return Audio(samples.composed(len(dry.samples), made, dry.samples, part), dry.rate)


def _changed(dry: AudioValue, gain: float) -> AudioValue:
    ratio = sound.amplitude(gain)
    if sound.peak(dry.samples) * ratio > 1:
        return sound.limited(dry, sound.amplitude(-0.1), ratio)
    return Audio(samples.mapped(dry.samples, lambda block: block * np.float32(ratio)), dry.rate)
