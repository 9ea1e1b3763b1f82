"""Make a simple piece of music from a score, or for a mood."""

from __future__ import annotations

import math
import re
import zlib

import numpy as np

from nodes._support.inference import sound_models
from nodes._support.inference.repainting import SEED
from nodes._support.language.words import given_words
from nodes._support.media import composing, instruments, music, sound
from nodes.api import (
    DIFFUSERS,
    Audio,
    AudioValue,
    Family,
    Integer,
    NodeError,
    Number,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)  # fmt: skip
from nodes.audio.reverb import reverb

_LONGEST_SECONDS = 30.0
_LOUDNESS, _PEAK_DB = -16.0, -1.0
_FADE_SECONDS = 1.5
_PART = re.compile(r"^[ \t]*\[[^\]\n]+\][ \t]*$", re.MULTILINE)
"""The mark of a part of a song, on a line of its own: [verse]."""
_MOOD_WORDS = {
    "happy": ("happy", "cheerful", "joyful", "upbeat", "fun", "bright", "birthday", "dance", "pop"),
    "calm": ("calm", "relax", "peaceful", "soft", "quiet", "gentle", "ambient", "background", "lo-fi", "lofi", "slow"),
    "sad": ("sad", "melanchol", "sorrow", "lonely", "blue", "rain"),
    "tense": ("tense", "scary", "horror", "dark", "suspense", "danger", "nervous"),
    "epic": ("epic", "heroic", "battle", "cinematic", "grand", "dramatic", "adventure"),
    "dreamy": ("dream", "space", "floating", "magic", "night", "lullaby", "fairy"),
}


@tool(
    id="make_music",
    title="Make music",
    domain="audio",
    description="Makes a simple piece of music from notes and chords such as 'C4 E4 G4' or 'Am F C G', or for a mood.",
    inputs=(
        Port("score", ResourceType.TEXT, "notes (C4, F#3), chords (Am, G7), R for a rest, ':2' for two beats; or a "
             "few words about the mood", default=""),
        Port("mood", ResourceType.TEXT, "mood of a tune that is made up", default="auto",
             choices=("auto", *composing.MOODS), question="Which mood should the music have?"),
        Port("seconds", ResourceType.NUMBER, "length; that of the score, or 15 s, if not given", default=None,
             minimum=0, maximum=1800, unit="s", question="How many seconds should it last?"),
        Port("tempo", ResourceType.NUMBER, "beats per minute", default=None, minimum=20, maximum=400, unit="bpm",
             question="How many beats a minute should it have?"),
        SEED,
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the music, stereo"),),
    backend="synthesis",
    backend_title="Additive synthesis",
    quality=0.25,
    examples=("Make a calm melody of 20 seconds", "Play the chords Am F C G", "Compose cheerful background music"),
    words=("generate music", "text to music", "melody", "tune", "compose", "soundtrack", "jingle", "play the notes"),
    icon="music",
)  # fmt: skip
def make_music(
    score: Text = "", mood: Text = "auto", seconds: Number | None = None, tempo: Number | None = None,
    seed: Integer = 0,
) -> AudioValue:  # fmt: skip
    """A score is played as written, and repeated to fill `seconds`. Without one a tune is made up by rules for the
    mood, which may be told in words, as may its key, tempo and drums: it ends on its tonic and fades. 44.1 kHz stereo,
    -16 LUFS without clipping. NodeError when the score is neither.
    """
    if seconds is not None and seconds <= 0:
        raise NodeError("Music of 0 seconds cannot be heard.", "seconds", "Choose a length above 0.")
    written = music.parsed(score) if score.strip() else None
    chosen = composing.wished(composing.MOODS[_mood(score, mood, written is not None)], score if not written else "")
    pace = tempo or (100.0 if written else chosen.tempo)
    if written is None:
        beats = (15.0 if seconds is None else seconds) * pace / 60
        notes = composing.composed(chosen, beats, zlib.crc32(score.encode(), seed))
    else:
        notes, length = written
        beats = length if seconds is None else seconds * pace / 60
        rounds = range(math.ceil(beats / length))
        notes = [note._replace(start=note.start + length * turn) for turn in rounds for note in notes]
        notes = [note for note in notes if note.start < beats]
    dry = Audio(instruments.played(notes, beats, pace), instruments.RATE)
    return _levelled(dry if written else _finished(dry, chosen.room))


def _finished(dry: Audio, room: float) -> Audio:
    """The music in a room, faded at its end, as long as it was."""
    wet = reverb(dry, "hall", room).samples[: len(dry.samples)]
    fade = min(len(wet) // 5, int(_FADE_SECONDS * dry.rate))
    made = np.array(wet, np.float32)
    made[len(made) - fade :] *= (np.linspace(1, 0, fade, dtype=np.float32) ** 1.5)[:, None]
    return Audio(made, dry.rate)


def _levelled(made: Audio) -> Audio:
    """The music at the loudness of what is published, without a peak that would clip; silence as it is."""
    level, gain = sound.loudness(made), 0.0
    if level == -math.inf:
        return made
    result = made
    for _ in range(3):  # limiting costs loudness
        gain += _LOUDNESS - sound.loudness(result)
        result = sound.limited(made, sound.amplitude(_PEAK_DB), sound.amplitude(gain))
    return result


def _mood(words: str, mood: str, written: bool) -> str:
    """The mood by name, or the first one that the words speak of. Raises NodeError when they speak of none."""
    if mood != "auto":
        return mood
    for name, hints in _MOOD_WORDS.items():
        if not written and any(hint in words.lower() for hint in hints):
            return name
    if words.strip() and not written:
        raise NodeError(
            Phrase("“{words}” is neither a score nor a mood that is known.", words=words.strip()[:60]), "score",
            "Write notes such as C4 E4 G4, chords such as Am F C G, or choose a mood.",
        )  # fmt: skip
    return "happy" if written else "calm"


@backend_of(make_music, families=(Family("transformers music", "make music"),))
def by_model(
    score: Text, mood: Text, seconds: Number | None, tempo: Number | None, seed: Integer, *, context: RunContext
) -> AudioValue:
    """Music after a few words, of at most half a minute, as MusicGen makes it. NodeError for a score of notes."""
    wanted = 15.0 if seconds is None else seconds
    if not 0 < wanted <= _LONGEST_SECONDS:
        raise NodeError("This model makes music of up to 30 seconds.", "seconds", "Choose a length of 1 to 30 seconds.")
    said, sung = _described(score, mood)
    if sung:
        raise sound_models.sings_not()
    said = f"{said}, {tempo:g} bpm" if tempo else said
    return sound_models.music(said, wanted, zlib.crc32(said.encode(), seed), context)


@backend_of(make_music, families=(Family("diffusers music", "make music", (*DIFFUSERS, "python:torchsde")),))
def by_diffusion(
    score: Text, mood: Text, seconds: Number | None, tempo: Number | None, seed: Integer, *, context: RunContext
) -> AudioValue:
    """Music or a sound after a few words, as Stable Audio makes it, or ACE-Step, which sings the lines below a mark
    such as [verse]. Tells each step, and stops within one. NodeError for a score of notes, or more than it can make.
    """
    wanted = 15.0 if seconds is None else seconds
    if wanted <= 0:
        raise NodeError("Music of 0 seconds cannot be heard.", "seconds", "Choose a length above 0.")
    said, sung = _described(score, mood)
    return sound_models.diffused(said, sung, wanted, tempo, seed, context)


def _described(score: str, mood: str) -> tuple[str, str]:
    """What to tell a model, and what it is to sing: the lines from the first mark in square brackets on. NodeError."""
    if score.strip() and music.parsed(score) is not None:
        raise NodeError(
            "This model plays no notes.", "score", "Describe the music in words, or choose the built-in way."
        )
    mark = _PART.search(score)
    words, sung = (score[: mark.start()], score[mark.start() :]) if mark else (score, "")
    wished = [words.strip(), "" if mood == "auto" else f"{mood} mood"]
    said = ", ".join(filter(None, wished)) or ("song" if sung else "calm background music")
    return given_words(said, "score"), sung.strip()
