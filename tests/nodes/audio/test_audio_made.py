"""Tones, music, pictures of sound and facts about it."""

from __future__ import annotations

import numpy as np
import pytest

from nodes._support.media import music, sound_plot
from nodes.api import Audio, NodeError, RunContext
from tests.nodes.av_media import band_db, noise, peak_frequency, run, silence, tone


@pytest.mark.parametrize("shape", ["sine", "triangle", "square", "sawtooth"])
def test_tone_has_its_frequency_and_length(shape: str):
    made = run("make_tone", 523.25, 1.5, shape)
    assert made.seconds == 1.5 and made.rate == 44_100
    assert abs(peak_frequency(made) - 523.25) < 1
    assert np.abs(made.samples).max() == pytest.approx(0.5, abs=0.02)


def test_square_has_odd_harmonics_only():
    made = run("make_tone", 500.0, 2.0, "square")
    assert band_db(made, 1490, 1510) > band_db(made, 990, 1010) + 40


def test_score_is_played_as_written():
    made = run("make_music", "A4 E5 R A5:2", tempo=120.0)
    assert made.seconds == pytest.approx(2.5, abs=0.001)
    cuts = [Audio(made.samples[int(a * 44_100) : int(b * 44_100)], 44_100) for a, b in ((0, 0.5), (0.7, 1), (1.6, 2.5))]
    assert [peak_frequency(cut) for cut in cuts] == pytest.approx([440, 659.3, 880], rel=0.01)


@pytest.mark.parametrize(
    ("word", "keys"),
    [("C4", [60]), ("Bb3", [58]), ("F#5", [78]), ("Am", [57, 60, 64]), ("C", [60, 64, 67]), ("G7", [103]),
     ("C4+E4", [60, 64])],
)  # fmt: skip
def test_notes_and_chords_are_read(word: str, keys: list[int]):
    notes, _ = music.parsed(word) or ([], 0)
    assert [note.key for note in notes] == keys


def test_seventh_among_chords_is_a_chord():
    notes, beats = music.parsed("C, Am G7:4") or ([], 0)
    assert [note.key for note in notes[6:]] == [55, 59, 62, 65] and beats == 8


def test_score_is_repeated_to_fill_the_seconds():
    assert run("make_music", "C4 E4 G4", seconds=7.0).seconds == pytest.approx(7.0, abs=0.001)


def test_moods_differ_and_repeat():
    happy, again, sad = (run("make_music", mood=mood, seconds=4.0) for mood in ("happy", "happy", "sad"))
    assert np.array_equal(happy.samples, again.samples)
    assert happy.seconds == sad.seconds == pytest.approx(4, abs=0.001)
    assert not np.allclose(happy.samples, sad.samples, atol=0.05)
    assert happy.samples.shape[1] == 2 and 0.5 < np.abs(happy.samples).max() <= 1


def test_mood_is_understood_from_words_and_unknown_words_are_refused():
    told = run("make_music", "some relaxing music for the evening", seconds=2.0)
    assert told.seconds == pytest.approx(2, abs=0.001)
    with pytest.raises(NodeError) as refused:
        run("make_music", "zzz qqq")
    assert refused.value.port == "score"


@pytest.mark.parametrize("tempo", [72.0, 100.0, 140.0])
def test_tempo_of_made_music_is_found(tempo: float):
    assert run("detect_tempo", run("make_music", "C4 E4 G4 E4", seconds=10.0, tempo=tempo)) == pytest.approx(
        tempo, 0.02
    )


@pytest.mark.parametrize("frequency", [82.4, 440.0, 1318.5])
def test_pitch_of_a_tone_is_found(frequency: float):
    assert run("detect_pitch", tone(frequency)) == pytest.approx(frequency, rel=0.003)


def test_facts_are_right():
    given = Audio(np.vstack((tone(1000, 3.0, 48_000, 2).samples, silence(1.0, 48_000, 2).samples)), 48_000)
    facts = {row[0]: row[1] for row in run("audio_facts", given).rows}
    assert facts["duration"] == 4.0 and facts["sample rate"] == 48_000 and facts["channels"] == 2
    assert facts["peak"] == pytest.approx(-6.02, abs=0.01) and facts["silence"] == 25.0
    assert facts["loudness"] == pytest.approx(-6.0, abs=0.4)  # a sine of -6 dBFS at 1 kHz on both sides: -6.0 LUFS
    assert {row[0]: row[1] for row in run("audio_facts", silence()).rows}["loudness"] is None


def plot_of(picture: np.ndarray) -> np.ndarray:
    return picture[sound_plot.TOP : -sound_plot.BOTTOM, sound_plot.LEFT : -sound_plot.RIGHT].astype(int)


def test_waveform_shows_where_it_is_loud():
    given = Audio(np.vstack((silence(1.0).samples, tone(440, 1.0).samples)), 22_050)
    picture = run("waveform", given, 800, 300)
    assert picture.shape == (300, 800, 3) and picture.dtype == np.uint8
    plot = plot_of(picture)
    coloured = (plot[:, :, 1] - plot[:, :, 0] > 50).sum(axis=0)
    middle = len(coloured) // 2
    assert coloured[: middle - 3].max() <= 2 and coloured[middle + 3 :].min() > 0.9 * len(plot)


def test_stereo_waveform_has_two_lanes():
    given = Audio(np.hstack((tone().samples, silence().samples)), 22_050)
    plot = plot_of(run("waveform", given, 600, 300))
    coloured = (plot[:, :, 1] - plot[:, :, 0] > 50).sum(axis=1)
    half = len(plot) // 2
    assert coloured[:half].sum() > 20 * coloured[half + 2 :].sum()


@pytest.mark.parametrize("scale", ["linear", "logarithmic"])
def test_spectrogram_is_brightest_at_the_frequency_of_the_tone(scale: str):
    picture = run("spectrogram", tone(2000, 2.0), scale, 700, 500)
    assert picture.shape == (500, 700, 3)
    plot = plot_of(picture)
    row = int(plot[:, 50:-50].sum(axis=(1, 2)).argmax())
    fraction = 1 - row / (len(plot) - 1)
    top = 11_025
    hertz = fraction * top if scale == "linear" else 40 * (top / 40) ** fraction
    assert hertz == pytest.approx(2000, rel=0.05)


def test_spectrogram_of_a_long_sound_keeps_a_short_click():
    samples = noise(60.0, 8000, level=1e-5).samples.copy()
    samples[240_000:240_040] = 0.9
    plot = plot_of(run("spectrogram", Audio(samples, 8000), "linear", 400, 300))
    bright = plot.sum(axis=(0, 2))
    assert int(bright.argmax()) == pytest.approx(plot.shape[1] // 2, abs=3) and bright.max() > 2 * np.median(bright)


def test_axis_steps_are_round():
    assert sound_plot.steps(0, 4.7, 10) == pytest.approx([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5])
    assert sound_plot.steps(0, 11_025, 6) == pytest.approx([0, 2000, 4000, 6000, 8000, 10_000])


def test_a_tempo_of_what_has_no_beat_is_called_a_guess(tmp_path):
    music, hiss = RunContext(tmp_path), RunContext(tmp_path)
    run("detect_tempo", run("make_music", "", "happy", 12.0, 120.0, folder=tmp_path), context=music)
    run("detect_tempo", noise(8.0), context=hiss)
    assert music.told == [] and hiss.told == ["no steady beat was heard: the tempo is a guess"]


def test_the_voices_of_surround_stay_as_loud_in_mono(tmp_path):
    voice = tone(440, 1.0)
    centre = np.repeat(voice.samples, 6, axis=1) * np.array([0, 0, 1, 0, 0, 0], np.float32)
    mono = run("audio_to_mono", Audio(centre, voice.rate), folder=tmp_path)
    assert mono.samples.shape[1] == 1
    assert 0.6 < float(np.std(mono.samples) / np.std(voice.samples)) <= 1.0


def test_an_equaliser_without_a_gain_says_so(tmp_path):
    context, dry = RunContext(tmp_path), tone(440, 1.0)
    assert np.array_equal(run("equalise", dry, context=context).samples, dry.samples) and len(context.told) == 1
