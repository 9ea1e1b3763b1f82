"""Play a sound backwards."""

from __future__ import annotations

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Port, ResourceType, tool


@tool(
    id="reverse_audio",
    title="Reverse audio",
    domain="audio",
    description="Reverses a sound, so that it plays backwards.",
    inputs=(Port("audio", ResourceType.AUDIO, "the sound"),),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound backwards"),),
    backend_title="Samples in reverse",
    examples=("Play the sound backwards", "Reverse this audio file"),
    words=("backwards", "reversed sound", "in reverse"),
    icon="rewind",
)
def reverse_audio(audio: AudioValue) -> AudioValue:
    """The samples in reverse order; nothing else changes."""
    dry = sound.checked(audio)
    heard, length = dry.samples, len(dry.samples)
    return Audio(samples.composed(length, lambda a, b: heard[length - b : length - a][::-1], heard), dry.rate)
