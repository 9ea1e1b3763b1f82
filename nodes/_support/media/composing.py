"""Composes a tune for a mood: its form, harmony with voice leading, melody, bass and drums. Makes no sound."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nodes._support.media.instruments import Note

SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
}
_BAR = 4
_RING = 3.0
"""Beats that the last chord rings at least."""
_LEAP = 5
"""Semitones that a voice of the chords moves at most, where there is another way."""
_CHORD_RANGE = (52, 77)
_BASS_RANGE = (33, 52)
_TEXTURES: dict[str, tuple[tuple[float, float, tuple[int, ...]], ...]] = {
    "held": ((0, 4, (0, 1, 2)),),
    "halves": ((0, 2, (0, 1, 2)), (2, 2, (0, 1, 2))),
    "offbeats": tuple((beat + 0.5, 0.4, (0, 1, 2)) for beat in range(4)),
    "broken": tuple((at / 2, 1.0, (voice,)) for at, voice in enumerate((0, 1, 2, 1, 0, 1, 2, 1))),
    "rolled": tuple((float(at), 2.0, (voice,)) for at, voice in enumerate((0, 1, 2, 1))),
    "pulses": tuple((at / 2, 0.4, (0, 1, 2)) for at in range(8)),
}
"""How the three voices of a bar's chord are played: begin and length in beats, and which of them."""
_BASSES = {
    "held": ((0, 4, 0),),
    "halves": ((0, 2, 0), (2, 2, 7)),
    "steps": ((0, 1, 0), (1, 1, 7), (2, 1, 0), (3, 1, 7)),
    "eighths": tuple((at / 2, 0.45, 0) for at in range(8)),
    "beats": tuple((float(at), 0.8, 0) for at in range(4)),
}
"""The same of the bass: begin, length, and semitones above the root."""
_DRUMS = {
    "": {},
    "pop": {"kick": "x.......x.x.....", "snare": "....x.......x...", "hat": "x.x.x.x.x.x.x.x."},
    "drive": {"kick": "x...x...x...x...", "hat": "x.x.x.x.x.x.x.x."},
    "march": {"kick": "x.......x.......", "tom": "x..x..x.x..x..x.", "snare": "....x.......x..."},
}
_DRUM_LEVEL = {"kick": 0.55, "snare": 0.32, "hat": 0.12, "tom": 0.32, "cymbal": 0.2}
_RHYTHMS = {
    1: ((2, 2), (3, 1), (1.5, 0.5, 2), (4,)),
    2: ((1, 1, 2), (1.5, 0.5, 1, 1), (1, 0.5, 0.5, 2)),
    3: ((0.5, 0.5, 1, 0.5, 0.5, 1), (1, 0.5, 0.5, 1, 1), (1.5, 0.5, 1, 0.5, 0.5)),
}
"""Lengths of the melody's notes in a bar, by how dense it is."""


class Mood(NamedTuple):
    """How a tune is composed: scale, tonic (MIDI key near middle C), tempo, the degrees of the chords of its parts A
    and B, density of the melody (1..3), lead instrument and how many octaves above the tonic it plays, the chords'
    instrument and texture, that of the bass, the drums, and the share of the room in the sound.
    """

    mode: str
    tonic: int
    tempo: float
    first: tuple[int, ...]
    second: tuple[int, ...]
    density: int
    lead: str
    octave: int
    chords: str
    texture: str
    bass: str
    drums: str
    room: float


MOODS = {
    "happy": Mood("major", 62, 124, (1, 5, 6, 4), (4, 1, 2, 5), 3, "lead", 1, "guitar", "offbeats", "steps", "pop",
                  0.1),
    "calm": Mood("major", 60, 72, (1, 6, 4, 5), (4, 1, 2, 5), 1, "flute", 1, "electric piano", "rolled", "held", "",
                 0.25),
    "sad": Mood("minor", 57, 63, (1, 4, 6, 5), (6, 4, 1, 5), 1, "violin", 1, "piano", "broken", "halves", "", 0.25),
    "tense": Mood("minor", 52, 132, (1, 2, 1, 5), (6, 2, 4, 5), 2, "short strings", 0, "short strings", "pulses",
                  "eighths", "drive", 0.15),
    "epic": Mood("minor", 62, 96, (1, 6, 4, 5), (6, 7, 1, 5), 2, "brass", 0, "strings", "held", "beats", "march",
                 0.3),
    "dreamy": Mood("lydian", 65, 80, (1, 2, 1, 5), (6, 2, 3, 1), 2, "bell", 1, "pad", "held", "held", "", 0.4),
}  # fmt: skip


_KEY = re.compile(r"\b([A-G])(?:\s?(#|♯|b|♭|sharp|flat))?[ -](major|minor)\b")
_TEMPO = re.compile(r"\b(\d{2,3})\s?(?:bpm|beats (?:per|a) minute)\b", re.IGNORECASE)
_NO_DRUMS = re.compile(r"\b(?:without|no)\s+(?:any\s+)?(?:drums?|beat|percussion)\b", re.IGNORECASE)
_SOME_DRUMS = re.compile(r"\b(?:drums?|beat|percussion)\b", re.IGNORECASE)
_PITCHES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_SIGNS = {"#": 1, "♯": 1, "sharp": 1, "b": -1, "♭": -1, "flat": -1}


def wished(mood: Mood, words: str) -> Mood:
    """The mood in the key, at the tempo and with or without the drums that these words name: "in F# minor, 90 bpm"."""
    if key := _KEY.search(words):
        tonic = _PITCHES[key[1]] + _SIGNS.get(key[2] or "", 0)
        tonic = mood.tonic + (tonic - mood.tonic + 5) % 12 - 5  # the nearest to where the mood has it
        mood = mood._replace(tonic=tonic, mode=key[3])
    if (tempo := _TEMPO.search(words)) and 20 <= int(tempo[1]) <= 400:
        mood = mood._replace(tempo=float(tempo[1]))
    if _NO_DRUMS.search(words):
        return mood._replace(drums="")
    return mood._replace(drums=mood.drums or "pop") if _SOME_DRUMS.search(words) else mood


class Chord(NamedTuple):
    """A chord of a part of the form ("intro", "A", "B", "end"), in the phrase of that number, from a beat on, for so
    many beats: its degree, the key of the bass and those of the three voices above it, from below.
    """

    part: str
    phrase: int
    start: float
    beats: float
    degree: int
    bass: int
    voices: tuple[int, ...]


def composed(mood: Mood, beats: float, seed: int) -> list[Note]:
    """A tune of `beats` beats that ends on the tonic; the same `seed` gives the same one."""
    random = np.random.default_rng(seed)
    chords = harmony(mood, beats)
    notes = [note for chord in chords for note in _accompanied(mood, chord)]
    notes += _melody(mood, chords, random)
    notes += _drummed(mood, chords)
    return [note._replace(beats=min(note.beats, beats - note.start)) for note in notes if note.start < beats]


def form(bars: int) -> list[tuple[str, int]]:
    """The parts before the last chord, each with its bars: an intro where there is room for one, A, B, A and on."""
    unit = 4 if bars >= 13 else 2 if bars >= 6 else 1
    phrases, intro = divmod(bars, unit)
    if not intro and phrases > 3:
        phrases, intro = phrases - 1, unit
    rounds, rest = divmod(phrases, 4)
    parts = "AABA" * rounds + ("", "A", "BA" if rounds else "AA", "ABA")[rest]
    return [("intro", intro)] * bool(intro) + [(part, unit) for part in parts]


def harmony(mood: Mood, beats: float) -> list[Chord]:
    """The chords of a tune of `beats` beats, the last of which is the tonic and rings to the end."""
    told = list(_progression(mood, beats))
    chords = [tuple(pitch % 12 for pitch in triad(mood, degree)) for _, _, degree, _, _ in told]
    settings = _led(chords)
    return [
        Chord(part, phrase, start, length, degree, bass, tuple(voices))
        for (part, phrase, degree, start, length), (bass, *voices) in zip(told, settings, strict=True)
    ]


def triad(mood: Mood, degree: int) -> tuple[int, ...]:
    """The keys of a chord in close position above the tonic."""
    return tuple(mood.tonic + pitch(mood, degree - 1 + third, degree) for third in (0, 2, 4))


def pitch(mood: Mood, step: int, degree: int) -> int:
    """Semitones of a step of the scale (0: the tonic) over a chord; the dominant in minor has the leading note."""
    scale = SCALES[mood.mode]
    leading = mood.mode == "minor" and degree == 5 and step % 7 == 6
    return scale[step % 7] + 12 * (step // 7) + leading


def _progression(mood: Mood, beats: float) -> Iterator[tuple[str, int, int, float, float]]:
    """Part, number of the phrase, degree, begin and length of each chord."""
    bars = max(int((beats - _RING) // _BAR), 0)
    parts = form(bars)
    at = 0.0
    for place, (part, length) in enumerate(parts):
        degrees = mood.second if part == "B" else mood.first
        if place == len(parts) - 1:
            degrees = (*degrees[:-1], 5)
        if part == "intro":
            degrees = (mood.first[0],) * 2
        elif length == 1:
            degrees = (degrees[0], degrees[-1])
        span = length * _BAR / len(degrees)
        for degree in degrees:
            yield part, place, degree, at, span
            at += span
    yield "end", len(parts), 1, at, beats - at


def _led(chords: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """A setting of each of the chords, given as pitch classes from the root on: bass and three voices, in keys, that
    move least over the whole of it (Viterbi 1967), without parallels and leaps where that can be.
    """
    settings = {chord: _settings(chord) for chord in chords}
    moves = {pair: _move_costs(settings[pair[0]], settings[pair[1]]) for pair in itertools.pairwise(chords)}
    places = {chord: _place_costs(found, chord) for chord, found in settings.items()}
    cost, ways = places[chords[0]], []
    for pair in itertools.pairwise(chords):
        whole = cost[:, None] + moves[pair]
        ways.append(whole.argmin(0))
        cost = whole.min(0) + places[pair[1]]
    best = int((cost + 4 * (settings[chords[-1]][:, -1] % 12 != chords[-1][0])).argmin())  # the root on top at the end
    path = [best]
    for way in reversed(ways):
        path.append(int(way[path[-1]]))
    return [settings[chord][place].tolist() for chord, place in zip(chords, reversed(path), strict=True)]


def _settings(chord: Sequence[int]) -> np.ndarray:
    """Every setting of a chord, int (settings, 4): its root in the bass, and three voices above that."""
    root, third, fifth = ([key for key in range(*_CHORD_RANGE) if key % 12 == each] for each in chord)
    basses = [key for key in range(*_BASS_RANGE) if key % 12 == chord[0]]
    spread = itertools.chain(itertools.product(root, third, fifth), itertools.product(root, third, root))
    voiced = sorted({tuple(sorted(keys)) for keys in spread if len(set(keys)) == 3 and max(keys) - min(keys) <= 16})
    return np.array([(bass, *voices) for bass in basses for voices in voiced])


def _place_costs(settings: np.ndarray, chord: Sequence[int]) -> np.ndarray:
    """How far settings are from the middle of the range, and more where the fifth is left out."""
    off = np.abs(settings[:, 1:].mean(1) - np.mean(_CHORD_RANGE)) + np.abs(settings[:, 0] - np.mean(_BASS_RANGE)) / 2
    return off / 3 + 3 * (settings[:, 1:] % 12 != chord[2]).all(1)


def _move_costs(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """How far the voices move from each setting to each, much more where they leap or go in parallels."""
    moves = np.abs(after[None] - before[:, None])
    costs = moves[..., 1:].sum(-1) + 0.4 * moves[..., 0] + 30 * (moves[..., 1:] > _LEAP).sum(-1)
    for low, high in itertools.combinations(range(4), 2):
        old, new = (before[:, high] - before[:, low]) % 12, (after[:, high] - after[:, low]) % 12
        same = old[:, None] == new[None]
        costs += 100 * (same & np.isin(old, (0, 7))[:, None] & (moves[..., low] > 0))
    return costs


def parallels(before: Chord, after: Chord) -> int:
    """How many pairs of voices go on in parallel fifths or octaves."""
    old, new = (before.bass, *before.voices), (after.bass, *after.voices)
    return sum(
        (old[high] - old[low]) % 12 == (new[high] - new[low]) % 12 in (0, 7) and old[low] != new[low]
        for low, high in itertools.combinations(range(4), 2)
    )


def _accompanied(mood: Mood, chord: Chord) -> Iterator[Note]:
    """Chords and bass of one chord."""
    loud = {"intro": 0.8, "B": 1.1}.get(chord.part, 1.0)
    if chord.part == "end":
        yield Note(chord.bass, chord.start, chord.beats, 0.4, "bass")
        for voice, key in enumerate(chord.voices):
            yield Note(key, chord.start, chord.beats, 0.2, mood.chords, 0.3 * (voice - 1))
        return
    for start, beats, which in _TEXTURES[mood.texture]:
        length = min(beats, chord.beats - start)
        for voice in which if length > 0 else ():
            level = loud * (0.2 if len(which) > 1 else 0.28)
            yield Note(chord.voices[voice], chord.start + start, length, level, mood.chords, 0.35 * (voice - 1))
    for start, beats, above in _BASSES[mood.bass]:
        if start < chord.beats:
            length = min(beats, chord.beats - start)
            yield Note(chord.bass + _within_bass(above, chord), chord.start + start, length, 0.4 * loud, "bass")


def _within_bass(above: int, chord: Chord) -> int:
    """A fifth above the bass, or a fourth below where that is too high; the root where the chord has no pure one."""
    if (chord.bass + above) % 12 not in {key % 12 for key in chord.voices}:
        return 0
    return above if chord.bass + above < _BASS_RANGE[1] else above - 12


def _melody(mood: Mood, chords: Sequence[Chord], random: np.random.Generator) -> Iterator[Note]:
    """A theme for A and one for B, which come again as they were; the last note is the tonic."""
    themes: dict[tuple[str, tuple[int, ...]], list[tuple[float, float, int]]] = {}
    step = 4
    for part, phrase in _phrases(chords):
        if part == "end":
            at = phrase[0]
            home = min((-7, 0, 7, 14), key=lambda tonic: abs(tonic - step))
            yield Note(_lead_key(mood, home, 1), at.start, at.beats, 0.4, mood.lead, 0.15)
            continue
        if part == "intro":
            continue
        named = (part, tuple(chord.degree for chord in phrase[:-1]))
        if named not in themes:
            themes[named] = _theme(mood, phrase, random, 4 if part == "A" else 6)
        begin = phrase[0].start
        for start, beats, step in themes[named]:
            chord = next(each for each in reversed(phrase) if each.start - begin <= start)
            accent = 0.04 if start % 2 == 0 else 0.0
            yield Note(_lead_key(mood, step, chord.degree), begin + start, beats * 0.95, 0.38 + accent, mood.lead, 0.15)


def _phrases(chords: Sequence[Chord]) -> list[tuple[str, list[Chord]]]:
    """The chords by phrases: the intro, each time that A or B is played, the end."""
    grouped = [list(group) for _, group in itertools.groupby(chords, key=lambda chord: chord.phrase)]
    return [(group[0].part, group) for group in grouped]


def _theme(
    mood: Mood, phrase: Sequence[Chord], random: np.random.Generator, step: int
) -> list[tuple[float, float, int]]:
    """Begin, length and step of the scale of the notes of a melody over these chords: tones of the chord on strong
    beats, small steps between them, the rhythm of the first bar again in the third, a long note at the end.
    """
    whole = sum(chord.beats for chord in phrase)
    bars = int(whole // _BAR)
    offered = _RHYTHMS[mood.density]
    first, other = random.permutation(len(offered))[:2]
    rhythms = [offered[first if bar % 2 == 0 else other] for bar in range(bars)]
    if bars > 1:
        rhythms[-1] = (1, 3) if mood.density > 1 else (4,)
    notes: list[tuple[float, float, int]] = []
    at = 0.0
    for beats in itertools.chain(*rhythms):
        chord = next(each for each in reversed(phrase) if each.start - phrase[0].start <= at)
        step = int(np.clip(step + random.choice((-2, -1, -1, 1, 1, 2)), 0, 9))
        if at % 2 == 0 or beats >= 1.5:
            tones = [chord.degree - 1 + third + octave for third in (0, 2, 4) for octave in (-7, 0, 7)]
            step = min((tone for tone in tones if 0 <= tone <= 9), key=lambda tone: abs(tone - step))
        notes.append((at, beats, step))
        at += beats
    return notes


def _lead_key(mood: Mood, step: int, degree: int) -> int:
    return mood.tonic + 12 * mood.octave + pitch(mood, step, degree)


def _drummed(mood: Mood, chords: Sequence[Chord]) -> Iterator[Note]:
    """The beat of the mood below A and B, cymbals where a part begins, one hit on the last chord."""
    if not _DRUMS[mood.drums]:
        return
    end = chords[-1]
    yield from (Note(0, end.start, 1, _DRUM_LEVEL[drum], drum) for drum in ("kick", "cymbal"))
    begins = {phrase[0].start for part, phrase in _phrases(chords) if part in "AB"}
    first = min(begins, default=0.0)
    for bar in range(math.ceil(first / _BAR), round(end.start / _BAR)):
        start = bar * float(_BAR)
        if start in begins:
            yield Note(0, start, 1, _DRUM_LEVEL["cymbal"], "cymbal", 0.3)
        for drum, hits in _DRUMS[mood.drums].items():
            for place in (place for place, hit in enumerate(hits) if hit == "x"):
                weak = 0.8 if place % 4 else 1.0
                side = {"hat": -0.3, "tom": 0.2}.get(drum, 0.0)
                yield Note(0, start + place / 4, 1, _DRUM_LEVEL[drum] * weak, drum, side)
