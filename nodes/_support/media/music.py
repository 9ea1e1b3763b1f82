"""Reads simple scores of notes and chords. Makes no sound."""

from __future__ import annotations

import re

from nodes._support.media.instruments import Note

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
