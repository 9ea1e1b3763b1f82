"""Fold a sound to one channel."""

from __future__ import annotations

from nodes._support.media import sound
from nodes.api import Audio, AudioValue, Port, ResourceType, tool


@tool(
    id="audio_to_mono",
    title="To mono",
    domain="audio",
    description="Mixes stereo or surround sound down to one channel.",
    inputs=(Port("audio", ResourceType.AUDIO, "the sound"),),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound in mono"),),
    backend_title="Mean of the channels",
    examples=("Convert the recording to mono", "Mix the stereo track down to a single channel"),
    words=("mono", "single channel", "one channel", "downmix"),
    icon="merge",
)
def audio_to_mono(audio: AudioValue) -> AudioValue:
    """The mean of all channels; mono stays as it is. 5.1 is folded as in ITU-R BS.775, with the voices of its centre
    about as loud as they were, and turned down only where it would clip.
    """
    dry = sound.checked(audio)
    return Audio(sound.folded(dry.samples, 1), dry.rate)
