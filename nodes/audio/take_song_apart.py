"""Take a song apart: the singing, and the music without it."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import separation
from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Family, Phrase, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="take_song_apart",
    title="Take song apart",
    domain="audio",
    description="Takes a song apart into two sounds: the singing, and the music under it.",
    inputs=(Port("audio", ResourceType.AUDIO, "the song"),),
    outputs=(
        Port("vocals", ResourceType.AUDIO, "the singing"),
        Port("music", ResourceType.AUDIO, "the music without the singing"),
    ),
    backend="repetition",
    backend_title="What repeats (rough)",
    quality=0.25,
    examples=("Take song.mp3 apart into singing and music", "Make stems of this song"),
    words=("stems", "take apart", "singing and accompaniment"),
    icon="split",
    result="vocals",
)  # fmt: skip
def take_song_apart(audio: AudioValue, *, context: RunContext) -> tuple[AudioValue, AudioValue]:
    """Two sounds that together are the song again. Rough without a model: what repeats counts as music, all else as
    singing, so that solos and fills come with the voice."""
    song = sound.audible(audio, "audio", Phrase("take apart"))
    return _apart(song, separation.by_repetition(song, context))


@backend_of(
    take_song_apart, families=(Family("onnx mdx-net", "take song apart", ("python:onnxruntime",), device="cpu"),)
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
