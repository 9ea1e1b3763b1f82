"""Tell the plain facts about a sound."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.media import sound
from nodes.api import AudioValue, Port, ResourceType, Table, TableValue, tool


@tool(
    id="audio_facts",
    title="Audio facts",
    domain="audio",
    description="Lists the facts about a sound: duration, sample rate, channels, peak, loudness, share of silence.",
    inputs=(Port("audio", ResourceType.AUDIO, "the sound"),),
    outputs=(Port("table", ResourceType.TABLE, "fact, value and unit"),),
    backend_title="Measurement",
    examples=("How long is this recording?", "How loud is the song, in LUFS?", "Show the properties of audio.wav"),
    words=("duration", "sample rate", "audio properties", "length of the sound", "loudness", "metadata"),
    icon="info",
)
def audio_facts(audio: AudioValue) -> TableValue:
    """Rows: duration (s), sample rate (Hz), channels, peak (dBFS), loudness (LUFS; empty for silence), silence (%).

    Silent is a frame of 20 ms below -60 dBFS.
    """
    recording = sound.checked(audio)
    levels, _ = sound.frame_levels(recording)
    level = sound.loudness(recording)
    rows = (
        ("duration", round(recording.seconds, 3), "s"),
        ("sample rate", recording.rate, "Hz"),
        ("channels", recording.samples.shape[1], ""),
        ("peak", round(sound.peak_db(recording.samples), 2), "dBFS"),
        ("loudness", round(level, 2) if math.isfinite(level) else None, "LUFS"),
        ("silence", round(100 * float(np.mean(levels < -60)), 1), "%"),
    )
    return Table(("fact", "value", "unit"), rows)
