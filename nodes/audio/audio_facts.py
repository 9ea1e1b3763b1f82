"""Tell the plain facts about a sound."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.imaging.pixels import SILENT
from nodes._support.media import sound, sound_tags
from nodes.api import AudioValue, Port, ResourceType, RunContext, Table, TableValue, tool


@tool(
    id="audio_facts",
    title="Audio facts",
    domain="audio",
    description="Lists the facts about a sound: duration, sample rate, channels, peak, loudness, share of silence;"
    " title, artist, album and other tags of its file.",
    inputs=(Port("audio", ResourceType.AUDIO, "the sound"),),
    outputs=(Port("table", ResourceType.TABLE, "fact, value and unit"),),
    backend_title="Measurement",
    examples=("How long is this recording?", "How loud is the song, in LUFS?", "Show the properties of audio.wav",
              "Who sings this song, by its tags?"),
    words=("duration", "sample rate", "audio properties", "length of the sound", "loudness", "metadata",
           "read the tags", "which artist and album"),
    version=2,
    icon="info",
)  # fmt: skip
def audio_facts(audio: AudioValue, *, context: RunContext = SILENT) -> TableValue:
    """Rows: duration (s), sample rate (Hz), channels, peak (dBFS), loudness (LUFS; empty for silence), silence (%);
    then what the file says itself, as far as it does: title, artist, album, year, track, genre, comment, and the size
    of its cover picture in pixels.

    Silent is a frame of 20 ms below -60 dBFS.
    """
    recording = sound.checked(audio)
    levels, _ = sound.frame_levels(recording)
    level = sound.loudness(recording)
    rows = (
        ("duration", round(recording.seconds, 3), "s"),
        ("sample rate", recording.rate, "Hz"),
        ("channels", recording.samples.shape[1], ""),
        ("peak", round(sound.peak_db(recording.samples), 2) + 0.0, "dBFS"),
        ("loudness", round(level, 2) if math.isfinite(level) else None, "LUFS"),
        ("silence", round(100 * float(np.mean(levels < -60)), 1), "%"),
    )
    file = context.file_of("audio")
    tags = sound_tags.read(file) if file is not None else {}
    said = ((name, value, "px" if name == "cover" else "") for name, value in tags.items())
    return Table(("fact", "value", "unit"), (*rows, *said))
