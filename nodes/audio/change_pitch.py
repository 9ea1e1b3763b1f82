"""Make a sound higher or lower without changing how long it lasts."""

from __future__ import annotations

from nodes._support.media import sound
from nodes.api import AudioValue, Number, Port, ResourceType, RunContext, tool


@tool(
    id="change_pitch",
    title="Change pitch",
    domain="audio",
    description="Makes a sound or voice higher or lower in pitch; it lasts as long as before.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "semitones", ResourceType.NUMBER, "12 = one octave higher, -12 = one octave lower",
            default=4.0, minimum=-36, maximum=36, unit="semitones", offered=(-12, -4, 4, 12),
            question="How many semitones higher should it sound? A number below 0 makes it lower.",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound at the new pitch"),),
    backend="ffmpeg",
    backend_title="FFmpeg resampling + atempo",
    examples=("Make the voice higher", "Pitch this song down by 3 semitones", "Raise the pitch by an octave"),
    words=("higher pitch", "lower pitch", "transpose", "octave", "semitone", "pitch shift"),
    icon="arrow-up-down",
)  # fmt: skip
def change_pitch(audio: AudioValue, semitones: Number = 4.0, *, context: RunContext) -> AudioValue:
    """Resampling by 2 ** (semitones / 12), then time stretching back. Formants move with the pitch."""
    return sound.repitched(sound.checked(audio), semitones, context)
