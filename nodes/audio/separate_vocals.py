"""Take a song apart: the singing, and the music without it."""

from __future__ import annotations

import numpy as np

from nodes._support import samples, separation, sound
from nodes.api import Audio, AudioValue, Family, Phrase, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="separate_vocals",
    title="Separate vocals",
    domain="audio",
    description="Vocal separation: takes a song apart into the singing alone and the music without it.",
    inputs=(Port("audio", ResourceType.AUDIO, "the song"),),
    outputs=(
        Port("vocals", ResourceType.AUDIO, "the singing alone"),
        Port("music", ResourceType.AUDIO, "the music without the singing"),
    ),
    backend="repetition",
    backend_title="What repeats (rough)",
    quality=0.25,
    examples=("Extract the vocals from song.mp3", "Separate the vocals and the instruments of this song",
              "Isolate the singer's voice"),
    words=("stem separation", "vocal isolation", "vocals only", "acapella", "vocals and instruments",
           "isolate the voice"),
    icon="split",
)  # fmt: skip
def separate_vocals(audio: AudioValue, *, context: RunContext) -> tuple[AudioValue, AudioValue]:
    """Two sounds that together are the song again. Rough without a model: what repeats counts as music, all else as
    singing, so that solos and fills come with the voice."""
    song = sound.audible(audio, "audio", Phrase("take apart"))
    return _apart(song, separation.by_repetition(song, context))


@backend_of(
    separate_vocals, families=(Family("onnx mdx-net", "separate vocals", ("python:onnxruntime",), device="cpu"),)
)
def by_model(audio: AudioValue, *, context: RunContext) -> tuple[AudioValue, AudioValue]:
    """At 44.1 kHz in stereo, which the networks are made for."""
    song = sound.resampled(sound.audible(audio, "audio", Phrase("take apart")), separation.RATE)
    song = Audio(sound.with_channels(song.samples, 2), separation.RATE)
    return _apart(song, separation.by_model(song, context))


def _apart(song: Audio, singing: np.ndarray) -> tuple[AudioValue, AudioValue]:
    def rest(begin: int, end: int) -> np.ndarray:
        return song.samples[begin:end] - singing[begin:end]

    return Audio(singing, song.rate), Audio(samples.composed(len(singing), rest, song.samples, singing), song.rate)
