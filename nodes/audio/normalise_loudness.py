"""Bring a sound to a given loudness."""

from __future__ import annotations

from nodes._support.media import sound
from nodes.api import AudioValue, Number, Phrase, Port, ResourceType, tool


@tool(
    id="normalise_loudness",
    title="Normalise loudness",
    domain="audio",
    description="Brings a sound to a standard loudness (LUFS) without clipping; an even volume for every recording.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "target", ResourceType.NUMBER, "-23 for broadcast, -16 for podcasts, -14 for streaming",
            default=-16.0, minimum=-50, maximum=-5, unit="LUFS", offered=(-23, -16, -14),
            question="How loud should it be? Podcasts have -16, streaming has -14.",
        ),
        Port(
            "peak", ResourceType.NUMBER, "highest true peak", default=-1.0, minimum=-20, maximum=0, unit="dB",
            advanced=True,
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound at the target loudness"),),
    backend="pyloudnorm",
    backend_title="BS.1770 loudness",
    examples=("Normalise the loudness of podcast.wav", "Even out the volume", "Bring the audio to -14 LUFS"),
    words=("normalize", "loudness normalization", "lufs", "too quiet", "same volume", "volume level"),
    icon="volume-2",
    result="levelled",
)  # fmt: skip
def normalise_loudness(audio: AudioValue, target: Number = -16.0, peak: Number = -1.0) -> AudioValue:
    """Gain to the target (ITU-R BS.1770-4), then a look-ahead limiter on the true peak; repeated as limiting costs
    loudness. A sound with very high peaks may stay below the target: the peak goes first. Silence: NodeError.
    """
    dry = sound.audible(audio, purpose=Phrase("bring to a loudness"))
    level = sound.loudness(dry)
    if level == float("-inf"):  # below the meter's gate of -70 LUFS
        level = sound.loudness(dry, 1000) - 60
    gain, result = target - level, dry
    for _ in range(6):
        result = sound.limited(dry, sound.amplitude(peak), sound.amplitude(gain))
        missing = target - sound.loudness(result)
        if abs(missing) < 0.05:
            break
        gain = min(gain + missing, target - level + 12)
    return result
