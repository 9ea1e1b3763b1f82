"""Play two sounds at the same time."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Flag, Number, Port, ResourceType, tool


@tool(
    id="mix_audio",
    title="Mix audio",
    domain="audio",
    description="Mixes two sounds, so that both are heard at the same time, such as music under a voice.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the first sound"),
        Port("other", ResourceType.AUDIO, "the sound that is laid over or under it"),
        Port("other_gain", ResourceType.NUMBER, "how much louder the other sound is than the first; both as they were "
             "if not given", default=None, minimum=-80, maximum=40, unit="dB", usual=12.0,
             question="How much louder should the second sound be, in decibels? A number below 0 makes it quieter."),
        Port("loop", ResourceType.FLAG, "repeat the other sound as long as the first lasts, and end with it",
             default=False),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the mix, as long as the longer one"),),
    backend_title="Sum with a limit",
    examples=("Mix the voice with background music", "Put music.mp3 quietly under the speech",
              "Combine the two audio files so that both play together"),
    words=("overlay sound", "background music", "blend sounds", "combine audio", "merge audio", "layer"),
    icon="blend",
)  # fmt: skip
def mix_audio(audio: AudioValue, other: AudioValue, other_gain: Number | None = None, loop: Flag = False) -> AudioValue:
    """At the higher rate, with the larger number of channels. Turned down as a whole if the sum would clip. A gain
    of -12 makes the other sound 12 LU quieter than the first, however loud both were.
    """
    first, second = sound.checked(audio), sound.checked(other, "other")
    rate = max(first.rate, second.rate)
    channels = max(first.samples.shape[1], second.samples.shape[1])
    one, two = (sound.with_channels(sound.resampled(part, rate).samples, channels) for part in (first, second))
    length = max(len(one), 0 if loop else len(two))
    gain = np.float32(1 if other_gain is None else sound.beside(second, first, other_gain))

    def made(begin: int, end: int) -> np.ndarray:
        again = two[np.arange(begin, end) % len(two)] if loop else samples.stretch(two, begin, end)
        return samples.stretch(one, begin, end) + again * gain

    mixed = samples.composed(length, made, one, two)
    return Audio(sound.within_range(mixed), rate)
