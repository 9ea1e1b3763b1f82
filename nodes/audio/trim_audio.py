"""Keep only a part of a sound."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, tool


@tool(
    id="trim_audio",
    title="Trim audio",
    domain="audio",
    description="Cuts a part out of a sound: keeps what lies between two times, in seconds.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("start", ResourceType.NUMBER, "where the part begins; below 0 before the end", default=0.0,
             unit="s", question="At which second should it begin?"),
        Port("end", ResourceType.NUMBER, "where the part ends; the end of the sound if not given, below 0 before it",
             default=None, unit="s", question="At which second should it end?"),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the part"),),
    backend_title="Sample-exact cut",
    examples=("Keep the first 10 seconds of song.mp3", "Trim the recording from 0:05 to 0:20", "Cut the audio clip"),
    words=("cut the audio", "shorten the audio", "excerpt of the sound", "first seconds", "from second to second"),
    icon="scissors",
)  # fmt: skip
def trim_audio(audio: AudioValue, start: Number = 0.0, end: Number | None = None) -> AudioValue:
    """Exact to the sample. An end past the sound means its end; NodeError when nothing lies in between."""
    dry = sound.checked(audio)
    first, last = sound.part(dry, start, end)
    return Audio(samples.mapped(dry.samples[first:last], np.copy), dry.rate)
