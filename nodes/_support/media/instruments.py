"""Plays notes and drums by additive and noise synthesis. Knows no files, no keys and no forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

RATE = 44_100
_RELEASE_SECONDS = 0.12
_HELD_TONES = 400
"""As many tones are kept to be heard again: about 60 MB."""


class Note(NamedTuple):
    """One sounding key: `key` as in MIDI (69 = A4 = 440 Hz); `start` and `beats` in beats; `loud` 0..1; `instrument`
    one of INSTRUMENTS or DRUMS (whose `key` is 0); `side` from -1 (left) to 1.
    """

    key: float
    start: float
    beats: float
    loud: float = 0.7
    instrument: str = "pluck"
    side: float = 0.0


class Instrument(NamedTuple):
    """A timbre: the strengths of its partials, their ratios to the first (none: 1, 2, 3 and on), how fast the tone and
    each further partial dies away (1/s; 0 is sustained), attack and release in seconds, vibrato in semitones.
    """

    partials: tuple[float, ...]
    decay: float
    damping: float
    attack: float
    release: float = _RELEASE_SECONDS
    vibrato: float = 0.0
    ratios: tuple[float, ...] = ()


def _falling(count: int, power: float, odd: float = 1.0) -> tuple[float, ...]:
    """Partials that fall by a power of their number, the even ones times `odd`."""
    return tuple((1.0 if n % 2 else odd) / n**power for n in range(1, count + 1))


INSTRUMENTS = {
    "pluck": Instrument((1.0, *(0.8 ** (n - 1) / n**1.5 for n in range(2, 9))), 1.7, 0.9, 0.008),
    "piano": Instrument(_falling(10, 1.6), 1.3, 0.7, 0.004, 0.2),
    "electric piano": Instrument((1.0, 0.28, 0.05, 0.0, 0.03), 1.1, 1.2, 0.012, 0.25),
    "guitar": Instrument(_falling(12, 1.1), 2.4, 1.1, 0.003, 0.1),
    "flute": Instrument((1.0, 0.2, 0.1, 0.03), 0.0, 0.0, 0.07, 0.15, 0.12),
    "violin": Instrument(_falling(12, 1.25), 0.0, 0.0, 0.12, 0.2, 0.2),
    "strings": Instrument(_falling(9, 1.5), 0.0, 0.0, 0.3, 0.5, 0.06),
    "short strings": Instrument(_falling(12, 1.0), 6.0, 0.3, 0.01, 0.06),
    "brass": Instrument(_falling(12, 0.9), 0.25, 0.1, 0.06, 0.15, 0.05),
    "lead": Instrument(_falling(9, 1.0, 0.25), 2.2, 0.35, 0.006, 0.08),
    "bell": Instrument((1.0, 0.5, 0.3, 0.16), 1.4, 0.8, 0.003, 0.8, 0.0, (1.0, 2.0, 3.01, 5.43)),
    "pad": Instrument((1.0, 0.35, 0.18, 0.06), 0.0, 0.0, 0.6, 0.9, 0.04),
    "bass": Instrument((1.0, 0.55, 0.25, 0.1, 0.05), 0.9, 0.8, 0.01, 0.1),
}  # fmt: skip


def played(notes: Iterable[Note], beats: float, tempo: float) -> np.ndarray:
    """The notes as float32 (frames, 2) at 44.1 kHz, `beats` long at `tempo` beats a minute, not yet of any loudness."""
    sound = np.zeros((max(round(beats * 60 / tempo * RATE), 1), 2), np.float32)
    kept: dict[tuple[str, float, float], np.ndarray] = {}
    for note in notes:
        first = round(note.start * 60 / tempo * RATE)
        which = (note.instrument, note.key, round(note.beats * 60 / tempo, 4))
        if which not in kept:
            if len(kept) >= _HELD_TONES:
                kept.clear()
            kept[which] = tone(*which)
        heard = kept[which][: len(sound) - first]
        turned = (note.side + 1) * np.pi / 4  # of constant power
        sides = np.sqrt(2) * note.loud * np.array((np.cos(turned), np.sin(turned)), np.float32)
        sound[first : first + len(heard)] += heard * sides
    return sound


def tone(instrument: str, key: float, seconds: float) -> np.ndarray:
    """One note or drum with attack, decay and release, float32 (frames, 2). Partials stop below half the rate."""
    if instrument in DRUMS:
        return np.repeat(DRUMS[instrument]()[:, None], 2, axis=1).astype(np.float32)
    of = INSTRUMENTS[instrument]
    time = np.arange(int((seconds + of.release) * RATE)) / RATE
    frequency = 440 * 2 ** ((key - 69) / 12)
    late = np.clip((time - 0.25) / 0.4, 0, 1)  # vibrato sets in after the tone
    bend = of.vibrato / 12 * np.log(2) * np.cumsum(late * np.sin(2 * np.pi * 5.3 * time)) / RATE
    wave = np.zeros((len(time), 2))
    for number, strength in enumerate(of.partials):
        ratio = of.ratios[number] if of.ratios else number + 1
        if frequency * ratio > RATE * 0.45:
            break
        decay = strength * np.exp(-time * (of.decay + of.damping * number))
        for side, detune in ((0, 0.9996), (1, 1.0004)):
            wave[:, side] += decay * np.sin(2 * np.pi * frequency * detune * ratio * (time + bend))
    envelope = np.minimum(time / of.attack, 1) * np.clip((seconds + of.release - time) / of.release, 0, 1)
    level = 1 / np.sqrt(np.square(of.partials).sum())
    return (wave * envelope[:, None] * level).astype(np.float32)


def _swept(high: float, low: float, seconds: float) -> np.ndarray:
    """A skin: a sine that falls from one frequency to another while it dies away."""
    time = np.arange(int(seconds * RATE)) / RATE
    pitch = low + (high - low) * np.exp(-time * 28)
    return np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * np.exp(-time * 4.5 / seconds) * _faded(time, seconds)


def _hissed(above: float, seconds: float) -> np.ndarray:
    """Noise above a frequency that dies away, always the same."""
    length = int(seconds * RATE)
    time = np.arange(length) / RATE
    spectrum = np.fft.rfft(np.random.default_rng(7).standard_normal(length))
    spectrum *= np.clip(np.fft.rfftfreq(length, 1 / RATE) / above, 0, 1) ** 3
    noise = np.fft.irfft(spectrum, length)
    return noise / np.abs(noise).max() * np.exp(-time * 5 / seconds) * _faded(time, seconds)


def _faded(time: np.ndarray, seconds: float) -> np.ndarray:
    return np.minimum(time / 0.001, 1) * np.clip((seconds - time) / 0.01, 0, 1)


def _snare() -> np.ndarray:
    skin, wires = _swept(260, 180, 0.2), _hissed(1500, 0.2)
    return 0.5 * skin + 0.8 * wires


DRUMS: dict[str, Callable[[], np.ndarray]] = {
    "kick": partial(_swept, 150, 48, 0.32),
    "tom": partial(_swept, 140, 72, 0.6),
    "snare": _snare,
    "hat": partial(_hissed, 7000, 0.07),
    "cymbal": partial(_hissed, 5000, 1.6),
}
