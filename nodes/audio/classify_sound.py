"""Say what is heard in a recording, with names that a model knows."""

from __future__ import annotations

from nodes._support.inference import sound_models
from nodes.api import AudioValue, Family, Integer, Labels, Port, ResourceType, RunContext, tool


@tool(
    id="classify_sound",
    title="Classify sound",
    domain="audio",
    description="Tells what kind of sound a recording holds, such as speech, music, rain, a siren or a barking dog.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        Port(
            "most",
            ResourceType.NUMBER,
            "how many kinds are named",
            default=5,
            minimum=1,
            maximum=100,
            integer=True,
            question="How many should be named at most?",
        ),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "the likeliest kinds of sound, best first", unit="%"),),
    families=(Family("transformers sound classification", "classify sound"),),
    examples=("Classify the sound in street.wav", "What kind of sound is this?", "Which noises are in the recording?"),
    words=("audio classification", "sound classification", "sound event", "recognise the sound", "kind of sound"),
    icon="tags",
)
def classify_sound(audio: AudioValue, most: Integer = 5, *, context: RunContext) -> Labels:
    """The model's names with scores 0..1, a mean over the whole recording. NodeError when it is empty or silent."""
    return sound_models.kinds(audio, most, context)
