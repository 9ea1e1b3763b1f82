"""Make a sound of what a text describes."""

from __future__ import annotations

from nodes._support.inference import sound_models
from nodes._support.inference.repainting import SEED
from nodes._support.language.words import given_words
from nodes.api import DIFFUSERS, AudioValue, Family, Integer, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="make_sound",
    title="Make a sound",
    domain="audio",
    description="Makes a sound effect such as rain, footsteps or a siren from a description in words.",
    inputs=(
        Port("what", ResourceType.TEXT, "what is to be heard", said=True, question="What should be heard?"),
        Port("seconds", ResourceType.NUMBER, "length", default=8.0, minimum=0.5, maximum=47, unit="s",
             question="How many seconds should it last?"),
        SEED,
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound, stereo"),),
    families=(Family("diffusers music", "make sound", (*DIFFUSERS, "python:torchsde")),),
    examples=("Make the sound of rain on a tin roof", "Generate a sound effect of a creaking door", "A dog barks"),
    words=("sound effect", "text to sound", "text to audio", "foley", "noise of"),
    icon="audio-waveform",
)  # fmt: skip
def make_sound(what: Text, seconds: Number = 8.0, seed: Integer = 0, *, context: RunContext) -> AudioValue:
    """By Stable Audio, 44.1 kHz. Tells each step, and stops within one. NodeError when nothing is described."""
    return sound_models.diffused(given_words(what, "what"), "", seconds, None, seed, context)
