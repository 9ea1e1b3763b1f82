"""Put a sound into a room: reverberation."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, Text, tool

_DECAY_SECONDS = {"small room": 0.4, "room": 0.8, "hall": 2.0, "cathedral": 4.5}


@tool(
    id="reverb",
    title="Reverb",
    domain="audio",
    description="Adds reverb, so that a sound seems to be heard in a room, a hall or a cathedral.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the dry sound"),
        Port(
            "room",
            ResourceType.TEXT,
            "how large the room is",
            default="hall",
            choices=tuple(_DECAY_SECONDS),
            question="How large should the room sound?",
        ),
        Port(
            "amount",
            ResourceType.NUMBER,
            "share of the room in the sound",
            default=0.35,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound with reverb; it rings on longer"),),
    backend_title="Convolution with a modelled room",
    examples=("Add reverb to the voice", "Make it sound like in a cathedral", "Apply a reverb effect to this song"),
    words=("reverberation", "concert hall", "church", "room sound", "spacious", "audio effect"),
    icon="church",
)
def reverb(audio: AudioValue, room: Text = "hall", amount: Number = 0.35) -> AudioValue:
    """Convolves with decaying noise that loses its treble first. Stereo or mono stays so; the tail is added."""
    dry = sound.checked(audio)
    if amount <= 0:
        return dry
    from scipy.signal import oaconvolve

    response = room_response(_DECAY_SECONDS[room], dry.rate, dry.samples.shape[1])
    reach = len(response) - 1

    def made(begin: int, end: int) -> np.ndarray:
        heard = samples.stretch(dry.samples, begin - reach, end)
        return heard[reach:] * (1 - amount) + oaconvolve(heard, response, "valid", axes=0) * amount

    block = max(samples.BLOCK, 2 * len(response))
    mixed = samples.composed(len(dry.samples) + reach, made, dry.samples, block=block)
    return Audio(sound.within_range(mixed), dry.rate)


def room_response(decay_seconds: float, rate: int, channels: int) -> np.ndarray:
    """Impulse response (frames, channels) that falls by 60 dB in `decay_seconds`; each channel has the energy 1."""
    from scipy.signal import butter, sosfilt

    random = np.random.default_rng(20)
    length = max(int(rate * decay_seconds), 16)
    time = np.arange(length) / rate
    noise = random.standard_normal((length, channels))
    dull = sosfilt(butter(1, min(2500, rate * 0.4), fs=rate, output="sos"), noise, axis=0)
    late = np.minimum(time / (0.3 * decay_seconds), 1)[:, None]
    response = (noise * (1 - late) + 2 * dull * late) * 10 ** (-3 * time / decay_seconds)[:, None]
    response[: int(rate * 0.008)] *= 0.1  # the walls answer after the direct sound
    return (response / np.sqrt((response**2).sum(axis=0))).astype(np.float32)
