"""Say which of some given names fit a recording."""

from __future__ import annotations

from nodes._support.inference import sound_models
from nodes._support.language.naming import LABELS, things
from nodes.api import AudioValue, Family, Labels, Port, ResourceType, RunContext, Text, tool


@tool(
    id="match_sound",
    title="Match sound labels",
    domain="audio",
    description="Scores how well each of the given labels fits a sound.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        LABELS,
    ),
    outputs=(Port("labels", ResourceType.LABELS, "each label with its score, the best first", unit="%"),),
    families=(Family("transformers sound and text", "match sound"),),
    examples=(
        "Which of these labels fits the recording: rain, traffic, birds?",
        "Score the labels 'piano, guitar, drums' against the sound song.wav",
    ),
    words=("zero-shot audio classification", "candidate labels for a sound", "clap"),
    icon="list-filter",
)
def match_sound(audio: AudioValue, labels: Text, *, context: RunContext) -> Labels:
    """Scores 0..1 that sum to 1, a mean over the whole recording. NodeError when it is silent, or for no label."""
    return sound_models.matches(audio, things(labels, "labels"), context)
