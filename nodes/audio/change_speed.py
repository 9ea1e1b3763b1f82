"""Play a sound faster or slower at the same pitch."""

from __future__ import annotations

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, RunContext, tool


@tool(
    id="change_speed",
    title="Change speed",
    domain="audio",
    description="Makes a sound or speech, or a part of it, faster or slower and keeps its pitch.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port(
            "speed",
            ResourceType.NUMBER,
            "2 = twice as fast",
            default=1.5,
            minimum=0.1,
            maximum=10,
            unit="x",
            offered=(0.75, 1.25, 1.5, 2),
            question="How many times as fast should it play?",
        ),
        Port(
            "start",
            ResourceType.NUMBER,
            "where the part begins; below 0 before the end",
            default=0.0,
            unit="s",
            advanced=True,
        ),
        Port(
            "end",
            ResourceType.NUMBER,
            "where the part ends; the end of the sound if not given, below 0 before it",
            default=None,
            unit="s",
            advanced=True,
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound at the new speed"),),
    backend="ffmpeg",
    backend_title="FFmpeg atempo",
    examples=(
        "Play this recording twice as fast",
        "Slow down the speech in talk.mp3",
        "Speed up the audio 1.5 times",
        "Play the part from 0:30 to 1:00 at half speed",
    ),
    words=("faster", "slower", "tempo", "speed up", "slow down", "playback rate", "time stretch"),
    icon="gauge",
)
def change_speed(
    audio: AudioValue, speed: Number = 1.5, start: Number = 0.0, end: Number | None = None, *, context: RunContext
) -> AudioValue:
    """Time stretching by overlap-add. The result, or the part, lasts `seconds / speed`, to the sample; rate, channels
    and all outside of the part stay. NodeError naming `start` or `end` when nothing lies between.
    """
    dry = sound.checked(audio)
    first, last = sound.part(dry, start, end)
    if last - first == len(dry.samples):
        return sound.stretched(dry, speed, context)
    result = samples.Collected()
    result.add_all(dry.samples[:first])
    result.add_all(sound.stretched(Audio(dry.samples[first:last], dry.rate), speed, context).samples)
    result.add_all(dry.samples[last:])
    return Audio(result.whole(), dry.rate)
