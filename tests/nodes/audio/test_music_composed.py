"""Music that is made up for a mood: measured on the sound that comes out, and on the harmony beneath it."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest

from nodes._support.media import composing, sound
from nodes.api import Audio
from tests.nodes.av_media import run

SECONDS = 16.0
MOODS = tuple(composing.MOODS)
DRUMMED = tuple(name for name, mood in composing.MOODS.items() if mood.drums)
MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
"""How well each pitch class fits a key, from its tonic on (Krumhansl and Kessler 1982)."""


@cache
def made(mood: str) -> Audio:
    return run("make_music", mood=mood, seconds=SECONDS)


def spectrum(audio: Audio) -> tuple[np.ndarray, np.ndarray]:
    """Mean strength in windows of 16,384 frames, and the frequencies."""
    size = 16_384
    heard = audio.samples.mean(1)
    windows = [heard[at : at + size] * np.hanning(size) for at in range(0, len(heard) - size, size // 2)]
    return np.abs(np.fft.rfft(windows)).mean(0), np.fft.rfftfreq(size, 1 / audio.rate)


def chroma_of(audio: Audio) -> np.ndarray:
    """How strong each of the twelve pitch classes is."""
    strength, frequency = spectrum(audio)
    heard = (frequency > 60) & (frequency < 2000)
    classes = np.round(69 + 12 * np.log2(frequency[heard] / 440)).astype(int) % 12
    return np.bincount(classes, strength[heard], 12)


def key_of(audio: Audio) -> tuple[int, str]:
    """Pitch class of the tonic and mode that fit the sound best."""
    chroma = chroma_of(audio)
    fits = {(tonic, mode): np.corrcoef(chroma, np.roll(profile, tonic))[0, 1]
            for mode, profile in (("major", MAJOR), ("minor", MINOR)) for tonic in range(12)}  # fmt: skip
    return max(fits, key=lambda key: fits[key])


@pytest.mark.parametrize("mood", MOODS)
def test_length_loudness_and_peak_are_right(mood: str):
    audio = made(mood)
    assert audio.seconds == pytest.approx(SECONDS, abs=0.001) and audio.samples.shape[1] == 2
    assert sound.loudness(audio) == pytest.approx(-16, abs=0.5)
    assert np.abs(audio.samples).max() < 10 ** (-0.9 / 20)


@pytest.mark.parametrize("seconds", [0.3, 2.0, 7.3])
def test_short_pieces_have_their_length_too(seconds: float):
    audio = run("make_music", mood="happy", seconds=seconds)
    assert audio.seconds == pytest.approx(seconds, abs=0.001) and sound.loudness(audio) == pytest.approx(-16, abs=2)


@pytest.mark.parametrize("mood", MOODS)
def test_key_that_is_heard_is_the_key_that_was_meant(mood: str):
    meant = composing.MOODS[mood]
    assert key_of(made(mood)) == (meant.tonic % 12, "minor" if meant.mode == "minor" else "major")


@pytest.mark.parametrize("mood", DRUMMED)
def test_tempo_that_is_heard_is_the_tempo_that_was_meant(mood: str):
    assert run("detect_tempo", made(mood)) == pytest.approx(composing.MOODS[mood].tempo, rel=0.04)
    asked = run("make_music", mood=mood, seconds=SECONDS, tempo=110.0)
    assert run("detect_tempo", asked) == pytest.approx(110, rel=0.04)


def test_each_mood_sounds_unlike_each_other():
    """In brightness, in how much the level moves, or in the notes that are heard."""

    def features(mood: str) -> tuple[float, float]:
        strength, frequency = spectrum(made(mood))
        level = np.sqrt(np.square(made(mood).samples.mean(1)[: 44_100 * 15].reshape(-1, 2205)).mean(1))
        return float(np.log2((strength * frequency).sum() / strength.sum())), float(4 * level.std() / level.mean())

    heard = {mood: features(mood) for mood in MOODS}
    for one, other in combinations(MOODS, 2):
        notes = 1 - np.corrcoef(chroma_of(made(one)), chroma_of(made(other)))[0, 1]
        apart = max(*(abs(a - b) for a, b in zip(heard[one], heard[other], strict=True)), notes)
        assert apart > 0.3, (one, other)


def test_drums_are_where_the_mood_asks_for_them():
    def hiss(mood: str) -> float:
        strength, frequency = spectrum(made(mood))
        return float(strength[frequency > 8000].sum() / strength.sum())

    assert DRUMMED == ("happy", "tense", "epic")
    assert min(hiss(mood) for mood in DRUMMED) > 2 * max(hiss(mood) for mood in ("calm", "dreamy"))


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("beats", [2.0, 9.0, 31.0, 66.0, 300.0])
def test_voices_are_led_without_leaps_and_parallels(mood: str, beats: float):
    chords = composing.harmony(composing.MOODS[mood], beats)
    assert chords[0].start == 0 and chords[-1].start + chords[-1].beats == beats
    for before, after in pairwise(chords):
        assert before.start + before.beats == after.start
        assert composing.parallels(before, after) == 0
        assert max(abs(a - b) for a, b in zip(before.voices, after.voices, strict=True)) <= 5
        assert after.bass < after.voices[0]


def test_parallels_are_counted():
    def chord(*keys: int) -> composing.Chord:
        return composing.Chord("A", 0, 0, 4, 1, keys[0], keys[1:])

    assert composing.parallels(chord(36, 55, 60, 64), chord(38, 57, 62, 66)) == 2  # a fifth and an octave with the bass
    assert composing.parallels(chord(36, 55, 60, 64), chord(36, 55, 60, 64)) == 0  # what stays is none


@pytest.mark.parametrize(("bars", "parts"), [(0, ""), (1, "A"), (3, "ABA"), (6, "ABA"), (7, "iABA"), (13, "iABA"),
                                             (20, "iAABA"), (36, "iAABAAABA")])  # fmt: skip
def test_form_begins_with_an_intro_and_comes_back_to_its_theme(bars: int, parts: str):
    found = composing.form(bars)
    assert "".join(part[0] for part, _ in found) == parts and sum(length for _, length in found) == bars


@pytest.mark.parametrize("mood", MOODS)
def test_theme_comes_again_and_the_end_is_the_tonic(mood: str):
    of = composing.MOODS[mood]
    beats = 23 * 4.0
    notes, chords = composing.composed(of, beats, 3), composing.harmony(of, beats)
    lead = [note for note in notes if note.instrument == of.lead and note.side == 0.15]
    first, second = sorted({chord.start for chord in chords if chord.part == "A"})[:5:4]

    def theme(begin: float) -> list[tuple[float, float]]:
        return [(note.start - begin, note.key) for note in lead if begin <= note.start < begin + 12]

    assert theme(first) and theme(first) == theme(second)
    assert chords[-1].degree == 1 and chords[-1].bass % 12 == of.tonic % 12 == lead[-1].key % 12
    assert lead[-1].start == chords[-1].start
    leaps = [abs(after.key - before.key) for before, after in pairwise(lead)]
    assert max(leaps) <= 12 and np.mean(leaps) < 5


def test_ends_softly():
    for mood in MOODS:
        samples = made(mood).samples
        last, middle = (float(np.sqrt(np.square(part).mean())) for part in (samples[-4410:], samples[200_000:400_000]))
        assert last < 0.1 * middle, mood


def test_key_tempo_and_drums_are_as_the_words_ask():
    words = "happy music in F# minor with 100 bpm and no drums"
    audio = run("make_music", words, seconds=SECONDS)
    assert key_of(audio) == (6, "minor")
    assert composing.wished(composing.MOODS["happy"], words)[1:3] == (66, 100.0)
    strength, frequency = spectrum(audio)
    drummed, same = spectrum(run("make_music", words.replace("no ", ""), seconds=SECONDS))
    assert drummed[same > 8000].sum() / drummed.sum() > 2 * strength[frequency > 8000].sum() / strength.sum()


@pytest.mark.parametrize(("words", "tonic", "mode", "drums"), [
    ("calm", 60, "major", ""), ("calm, in Bb minor", 58, "minor", ""), ("a minor calm thing", 60, "major", ""),
    ("calm with a soft beat", 60, "major", "pop"), ("calm, without any percussion", 60, "major", ""),
    ("calm E flat major", 63, "major", "")])  # fmt: skip
def test_wishes_are_read_from_words(words: str, tonic: int, mode: str, drums: str):
    found = composing.wished(composing.MOODS["calm"], words)
    assert (found.tonic, found.mode, found.drums) == (tonic, mode, drums)


def test_a_score_is_not_faded():
    beats = run("make_music", "A4 A4 A4 A4", tempo=120.0).samples.reshape(4, -1, 2)
    first, last = (float(np.sqrt(np.square(beat[11_025:]).mean())) for beat in (beats[0], beats[-1]))
    assert last > 0.9 * first
