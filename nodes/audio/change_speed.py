"""Play a sound faster or slower at the same pitch."""

from __future__ import annotations

from nodes._support.media import sound
from nodes.api import AudioValue, Number, Port, ResourceType, RunContext, tool


@tool(
    id="change_speed",
    title="Change speed",
    domain="audio",
    description="Makes a sound or speech faster or slower and keeps its pitch.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("speed", ResourceType.NUMBER, "2 = twice as fast", default=1.5, minimum=0.1, maximum=10, unit="x"),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound at the new speed"),),
    backend="ffmpeg",
    backend_title="FFmpeg atempo",
    examples=("Play this recording twice as fast", "Slow down the speech in talk.mp3", "Speed up the audio 1.5 times"),
    words=("faster", "slower", "tempo", "speed up", "slow down", "playback rate", "time stretch"),
    icon="gauge",
)
def change_speed(audio: AudioValue, speed: Number = 1.5, *, context: RunContext) -> AudioValue:
    """Time stretching by overlap-add. The result lasts `seconds / speed`, to the sample; rate and channels stay."""
    return sound.stretched(sound.checked(audio), speed, context)
