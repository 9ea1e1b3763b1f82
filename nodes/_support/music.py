"""Reads simple scores, composes a tune for a mood, and plays notes by additive synthesis. Knows no files."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

RATE = 44_100
_STEPS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11, "h": 11}
_CHORDS = {
    "": (0, 4, 7), "maj": (0, 4, 7), "m": (0, 3, 7), "min": (0, 3, 7), "dim": (0, 3, 6), "aug": (0, 4, 8),
    "sus2": (0, 2, 7), "sus4": (0, 5, 7), "5": (0, 7), "6": (0, 4, 7, 9), "m6": (0, 3, 7, 9), "7": (0, 4, 7, 10),
    "maj7": (0, 4, 7, 11), "m7": (0, 3, 7, 10), "min7": (0, 3, 7, 10), "dim7": (0, 3, 6, 9), "9": (0, 4, 7, 10, 14),
    "add9": (0, 4, 7, 14),
}  # fmt: skip
_SPOKEN = {"major": "maj", "minor": "m"}
_NOTE = re.compile(r"([A-Ga-gH])([#b♯♭]?)(-?\d)$")
_CHORD = re.compile(r"([A-GH])([#b♯♭]?)(maj7|maj|min7|min|m7|m6|m|dim7|dim|aug|sus2|sus4|add9|5|6|7|9)?$")
_REST = {"r", "rest", "-", "_", "p"}


class Note(NamedTuple):
    """One sounding key: `key` as in MIDI (69 = A4 = 440 Hz); `start` and `beats` in beats; `loud` 0..1."""

    key: float
    start: float
    beats: float
    loud: float = 0.7


class Mood(NamedTuple):
    """How a tune is composed: scale degrees of the chords, minor or not, beats a minute, notes to a beat, timbre."""

    chords: tuple[int, ...]
    minor: bool
    tempo: float
    density: int
    base: int
    brightness: float


MOODS = {
    "happy": Mood((1, 5, 6, 4), False, 126, 2, 60, 1.0),
    "calm": Mood((1, 6, 4, 5), False, 72, 1, 60, 0.5),
    "sad": Mood((1, 6, 3, 7), True, 66, 1, 57, 0.45),
    "tense": Mood((1, 2, 1, 7), True, 112, 2, 52, 1.2),
    "epic": Mood((1, 7, 6, 5), True, 96, 2, 50, 1.1),
    "dreamy": Mood((4, 1, 5, 6), False, 80, 2, 65, 0.4),
}


def parsed(score: str) -> tuple[list[Note], float] | None:
    """The notes of a score and its length in beats; None when a word of it is neither note, chord nor rest.

    Words are separated by blanks, commas or bars: "C4", "F#3", "Bb5" (one beat), chords "Am", "C", "G7" (two beats),
    "C4+E4+G4" together, "R" or "-" a rest; ":2" or ":0.5" behind a word gives its beats. A letter without
    a number is a chord, so "C E G" are three chords, and
    among such "G7" is the chord, otherwise the note.
    """
    notes: list[Note] = []
    at = 0.0
    spoken = re.sub(r"\b([A-G][#b]?)\s+(major|minor)\b", lambda m: m[1] + _SPOKEN[m[2]], score)
    words = [word for word in re.split(r"[\s,;|]+", spoken) if word]
    chords = any(_CHORD.match(word.partition(":")[0]) and not _NOTE.match(word.partition(":")[0]) for word in words)
    for word in words:
        name, _, length = word.partition(":")
        try:
            keys, beats = _keys(name, chords)
            beats = float(length) if length else beats
        except ValueError:
            return None
        if not 0 < beats <= 64:
            return None
        notes += [Note(key, at, beats, 0.8 / max(len(keys), 1) ** 0.5) for key in keys]
        at += beats
    return (notes, at) if at else None


def _keys(name: str, among_chords: bool) -> tuple[list[float], float]:
    """The keys of one word and how long it usually lasts. Raises ValueError for anything else."""
    if name.lower() in _REST:
        return [], 1.0
    if "+" in name:
        return [key for part in name.split("+") for key in _keys(part, among_chords)[0]], 1.0
    seventh = among_chords and name[-1] in "67"
    if (note := _NOTE.match(name)) and not seventh:
        return [_step(note[1], note[2]) + 12 * (int(note[3]) + 1)], 1.0
    if chord := _CHORD.match(name):
        root = _step(chord[1], chord[2]) + 60 - (12 if _step(chord[1], chord[2]) > 6 else 0)
        return [root + interval for interval in _CHORDS[chord[3] or ""]], 2.0
    raise ValueError(name)


def _step(letter: str, sign: str) -> int:
    return _STEPS[letter.lower()] + {"#": 1, "♯": 1, "b": -1, "♭": -1}.get(sign, 0)


def composed(mood: Mood, beats: float, seed: int) -> list[Note]:
    """Chords, a bass and a melody of `beats` beats over the mood's chords; the same `seed` gives the same tune."""
    random = np.random.default_rng(seed)
    scale = (0, 2, 3, 5, 7, 8, 10) if mood.minor else (0, 2, 4, 5, 7, 9, 11)
    notes: list[Note] = []
    melody = 7
    for bar in range(int(np.ceil(beats / 4))):
        degree = mood.chords[bar % len(mood.chords)] - 1
        start = bar * 4.0
        triad = [_degree(scale, degree + third) for third in (0, 2, 4)]
        notes += [Note(mood.base + key, start, 4, 0.28) for key in triad]
        notes += [Note(mood.base - 12 + triad[0], start + half, 2, 0.5) for half in (0, 2)]
        for step in range(4 * mood.density):
            if step and random.random() < 0.25:
                continue
            melody = int(np.clip(melody + random.integers(-2, 3), 5, 13))
            if step % (2 * mood.density) == 0:  # on the strong beats the melody belongs to the chord
                melody = min((degree % 7 + add for add in (0, 2, 4, 7, 9, 11)), key=lambda d: abs(d - melody))
            length = 1 / mood.density
            notes.append(Note(mood.base + _degree(scale, melody), start + step * length, length * 1.4, 0.55))
    return [note._replace(beats=min(note.beats, beats - note.start)) for note in notes if note.start < beats]


def _degree(scale: tuple[int, ...], degree: int) -> int:
    return scale[degree % 7] + 12 * (degree // 7)


def played(notes: list[Note], beats: float, tempo: float, brightness: float = 0.8) -> np.ndarray:
    """The notes as float32 (frames, 2) at 44.1 kHz, `beats` long: a plucked, slightly detuned tone with harmonics."""
    seconds = beats * 60 / tempo
    sound = np.zeros((max(round(seconds * RATE), 1), 2), np.float32)
    for note in notes:
        first = round(note.start * 60 / tempo * RATE)
        tone = _tone(note, note.beats * 60 / tempo, brightness)[: len(sound) - first]
        sound[first : first + len(tone)] += tone * note.loud
    peak = float(np.abs(sound).max(initial=0))
    return sound * np.float32(0.7 / peak) if peak else sound


def _tone(note: Note, seconds: float, brightness: float) -> np.ndarray:
    """One note with attack, decay and release, float32 (frames, 2). Harmonics stop below half the rate."""
    release = 0.12
    time = np.arange(int((seconds + release) * RATE)) / RATE
    frequency = 440 * 2 ** ((note.key - 69) / 12)
    wave = np.zeros((len(time), 2))
    for harmonic in range(1, 9):
        if frequency * harmonic > RATE * 0.45:
            break
        strength = brightness ** (harmonic - 1) / harmonic**1.5 if harmonic > 1 else 1.0
        decay = np.exp(-time * (0.8 + 0.9 * harmonic))
        for side, detune in ((0, 0.9996), (1, 1.0004)):
            wave[:, side] += strength * decay * np.sin(2 * np.pi * frequency * detune * harmonic * time)
    envelope = np.minimum(time / 0.008, 1) * np.clip((seconds + release - time) / release, 0, 1)
    return (wave * envelope[:, None]).astype(np.float32)
