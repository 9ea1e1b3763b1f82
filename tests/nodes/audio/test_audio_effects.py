"""What the audio tools do to a sound, measured."""

from __future__ import annotations

import numpy as np
import pytest

from nodes._support.media import sound
from nodes.api import Audio, NodeError
from tests.nodes.av_media import band_db, noise, peak_frequency, rms, run, silence, tone


def test_octave_up_doubles_the_frequency_and_keeps_the_length():
    given = tone(440)
    higher = run("change_pitch", given, 12.0)
    assert abs(peak_frequency(higher) - 880) < 5
    assert len(higher.samples) == len(given.samples) and higher.rate == given.rate


@pytest.mark.parametrize("semitones", [-12.0, -5.0, 7.0])
def test_pitch_moves_by_semitones(semitones: float):
    assert peak_frequency(run("change_pitch", tone(600), semitones)) == pytest.approx(
        600 * 2 ** (semitones / 12), rel=0.01
    )


@pytest.mark.parametrize("speed", [0.3, 0.8, 2.0, 5.0])
def test_speed_changes_the_length_and_keeps_the_pitch(speed: float):
    given = tone(440, 2.0)
    faster = run("change_speed", given, speed)
    assert len(faster.samples) == round(len(given.samples) / speed)
    assert abs(peak_frequency(faster) - 440) < 8
    assert 0.2 < rms(faster.samples) < 0.5


def test_fade_begins_and_ends_in_silence_and_keeps_the_middle():
    faded = run("fade", tone(440, 4.0), 1.0, 1.0)
    rate = faded.rate
    assert rms(faded.samples[: rate // 20]) < 0.01 and rms(faded.samples[-rate // 20 :]) < 0.01
    assert np.array_equal(faded.samples[rate + 10 : 3 * rate - 10], tone(440, 4.0).samples[rate + 10 : 3 * rate - 10])


def test_one_fade_alone_leaves_the_other_end_as_it_is():
    given = tone(440, 4.0)
    out = run("fade", given, None, 1.0)
    assert np.array_equal(out.samples[: 2 * out.rate], given.samples[: 2 * out.rate])
    assert rms(out.samples[-out.rate // 20 :]) < 0.01


def test_fades_longer_than_the_sound_are_shortened():
    faded = run("fade", tone(440, 1.0), 8.0, 8.0)
    assert len(faded.samples) == 22_050 and np.argmax(np.abs(faded.samples)) == pytest.approx(11_025, abs=200)


@pytest.mark.parametrize("target", [-30.0, -23.0, -14.0])
def test_loudness_reaches_the_target_and_the_peak_holds(target: float):
    given = Audio(np.vstack((tone(440, 2.0, level=0.05).samples, tone(300, 2.0, level=0.3).samples)), 22_050)
    result = run("normalise_loudness", given, target)
    assert sound.loudness(result) == pytest.approx(target, abs=0.2)
    assert 20 * np.log10(sound.true_peak(result.samples).max()) <= -0.95


def test_loudness_of_very_short_and_very_soft_sounds_is_reached():
    short = run("normalise_loudness", tone(440, 0.05), -20.0)
    assert sound.loudness(short) == pytest.approx(-20, abs=0.5) and len(short.samples) == 1102
    assert sound.loudness(run("normalise_loudness", tone(440, 1.0, level=0.00005), -20.0)) == pytest.approx(-20, abs=1)


def test_peaky_sound_stays_under_the_peak_even_below_the_target():
    clicks = np.zeros((44_100, 1), np.float32)
    clicks[::4410] = 0.9
    result = run("normalise_loudness", Audio(clicks, 44_100), -6.0)
    assert sound.true_peak(result.samples).max() <= sound.amplitude(-1.0) * 1.001


def test_volume_changes_by_decibels_and_never_clips():
    assert rms(run("change_volume", tone(level=0.5), -6.0).samples) == pytest.approx(rms(tone().samples) / 1.995, 0.01)
    loud = run("change_volume", tone(level=0.5), 20.0)
    assert np.abs(loud.samples).max() <= 1.0 and rms(loud.samples) > 0.6


@pytest.mark.parametrize(
    ("start", "end", "part"),
    [
        (1.0, 2.0, (1.0, 2.0)),
        (0.0, 1.0, (0.0, 1.0)),
        (2.0, None, (2.0, 3.0)),
        (-1.0, -0.5, (2.0, 2.5)),
        (2.5, 9.0, (2.5, 3.0)),
    ],
)
def test_a_part_is_read_alike_by_the_tools_that_change_one(start, end, part):
    given = noise(3.0, level=0.2)
    first, last = (round(at * given.rate) for at in part)
    assert np.array_equal(run("trim_audio", given, start, end).samples, given.samples[first:last])

    quiet = run("change_volume", given, -20.0, start, end).samples
    outside = np.ones(len(quiet), bool)
    outside[first:last] = False
    assert np.array_equal(quiet[outside], given.samples[outside])
    ramp = round(0.005 * given.rate) + 1
    inner = slice(first + ramp, last - ramp)
    assert quiet[inner] == pytest.approx(given.samples[inner] * 0.1, abs=1e-6)

    slow = run("change_speed", given, 0.5, start, end).samples
    assert len(slow) == pytest.approx(len(given.samples) + last - first, abs=2)
    assert np.array_equal(slow[:first], given.samples[:first])
    assert np.array_equal(slow[len(slow) - (len(quiet) - last) :], given.samples[last:])


@pytest.mark.parametrize("tool", ["trim_audio", "change_volume", "change_speed"])
@pytest.mark.parametrize(("start", "end", "port"), [(3.5, None, "start"), (2.0, 1.0, "end")])
def test_a_part_that_is_not_there_names_its_port(tool, start, end, port):
    with pytest.raises(NodeError) as caught:
        run(tool, noise(3.0), start=start, end=end)
    assert caught.value.port == port


def test_the_volume_of_a_part_changes_without_a_click():
    steady = Audio(np.full((44_100, 1), 0.5, np.float32), 44_100)
    assert np.abs(np.diff(run("change_volume", steady, -40.0, 0.3, 0.6).samples[:, 0])).max() < 0.01


def test_trim_keeps_exactly_the_part():
    given = noise(3.0)
    result = run("trim_audio", given, 0.5, 1.2)
    assert np.array_equal(result.samples, given.samples[11_025 : 11_025 + 15_435])
    assert run("trim_audio", given, 2.0, 99.0).seconds == pytest.approx(1.0)
    assert np.array_equal(run("trim_audio", given, -1.0).samples, given.samples[-given.rate :])
    assert np.array_equal(run("trim_audio", given, 0.0, -1.0).samples, given.samples[: -given.rate])


@pytest.mark.parametrize(("start", "end", "port"), [(2.0, 1.0, "end"), (1.0, 1.0, "end"), (5.0, 9.0, "start")])
def test_trim_of_nothing_names_the_port(start: float, end: float, port: str):
    with pytest.raises(NodeError) as told:
        run("trim_audio", noise(3.0), start, end)
    assert told.value.port == port


def test_long_pauses_are_cut_and_short_ones_stay():
    word, pause = tone(440, 0.5).samples, silence(2.0).samples
    given = Audio(np.vstack((pause, word, pause, word, silence(0.1).samples, word, pause)), 22_050)
    result = run("cut_silence", given, 0.3)
    assert result.seconds == pytest.approx(1.5 + 0.1 + 0.3 * 2, abs=0.08)
    assert np.sum(np.abs(result.samples) > 0.4) == pytest.approx(np.sum(np.abs(given.samples) > 0.4), rel=0.02)


def test_join_adds_the_lengths_at_the_highest_rate():
    first, second = tone(440, 1.0, 8000), tone(880, 0.5, 44_100, channels=2)
    joined = run("join_audio", (first, second))
    assert joined.rate == 44_100 and joined.samples.shape == (66_150, 2)
    half = Audio(joined.samples[:44_100], 44_100)
    assert abs(peak_frequency(half) - 440) < 2
    assert abs(peak_frequency(Audio(joined.samples[44_100:], 44_100)) - 880) < 4


def test_joined_sounds_fade_into_each_other_or_towards_the_silence_between_them():
    low, high = tone(300, 2.0, level=0.4), tone(3000, 2.0, level=0.4)
    faded = run("join_audio", (low, high), fade=1.0)
    assert faded.seconds == pytest.approx(3.0, abs=0.001)
    parts = [Audio(part, faded.rate) for part in np.array_split(faded.samples[faded.rate : 2 * faded.rate], 5)]
    assert all(np.diff([band_db(part, 250, 350) for part in parts]) < 0)
    assert all(np.diff([band_db(part, 2900, 3100) for part in parts]) > 0)
    apart = run("join_audio", (low, high), 1.0, 0.5)
    level = [rms(part) for part in np.array_split(apart.samples, 50)]  # of 0.1 s
    assert apart.seconds == pytest.approx(5.0, abs=0.001) and max(level[20:30]) == 0
    assert all(np.diff(level[15:20]) < 0) and all(np.diff(level[30:35]) > 0)
    assert level[0] == pytest.approx(level[-1], abs=0.01) and level[0] > 0.25, "the outer ends stay as they are"


def test_join_with_gap_and_with_crossfade():
    three = (tone(), tone(), tone())
    assert run("join_audio", three, 0.5).seconds == pytest.approx(4.0, abs=0.001)
    faded = run("join_audio", (tone(level=0.4), tone(level=0.4)), -0.5)
    assert faded.seconds == pytest.approx(1.5, abs=0.001) and np.abs(faded.samples).max() <= 0.6


@pytest.mark.parametrize("level", [0.05, 0.5])
def test_mix_has_both_sounds_and_lasts_as_the_longer(level):
    mixed = run("mix_audio", tone(440, 2.0), tone(1000, 1.0, level=level), -20.0)
    assert mixed.seconds == 2.0
    start = Audio(mixed.samples[:22_050], 22_050)
    assert band_db(start, 420, 460) - band_db(start, 980, 1020) == pytest.approx(20, abs=1)


def test_looped_other_fills_the_first():
    mixed = run("mix_audio", silence(2.5), tone(1000, 1.0), loop=True)
    assert mixed.seconds == 2.5 and rms(mixed.samples[-5000:]) > 0.3


def test_mix_never_clips():
    assert np.abs(run("mix_audio", tone(level=0.9), tone(level=0.9)).samples).max() <= 1.0


def test_reverse_twice_is_the_sound_again():
    given = noise(0.5)
    once = run("reverse_audio", given)
    assert np.array_equal(once.samples[0], given.samples[-1])
    assert np.array_equal(run("reverse_audio", once).samples, given.samples)


def test_echo_comes_after_its_delay_at_its_loudness():
    click = np.zeros((8000, 1), np.float32)
    click[0] = 0.8
    echoed = run("echo", Audio(click, 8000), 0.5, 0.5, 2).samples[:, 0]
    assert np.flatnonzero(echoed).tolist() == [0, 4000, 8000]
    assert echoed[[0, 4000, 8000]] == pytest.approx([0.8, 0.4, 0.2])


def test_reverb_rings_on_and_decays():
    burst = tone(440, 0.2)
    wet = run("reverb", burst, "hall", 0.5)
    assert wet.seconds == pytest.approx(2.2, abs=0.01)
    after = [rms(wet.samples[int(at * 22_050) : int((at + 0.2) * 22_050)]) for at in (0.3, 0.9, 1.5)]
    assert after[0] > 3 * after[1] > 9 * after[2] > 0
    assert run("reverb", burst, "cathedral").seconds > wet.seconds


@pytest.mark.parametrize(("gain", "low", "high"), [("bass", 40, 90), ("middle", 950, 1050), ("treble", 8000, 10_000)])
def test_equaliser_moves_its_own_band(gain: str, low: float, high: float):
    given = noise(2.0, level=0.02)
    changed = run("equalise", given, **{gain: 12.0})
    for name, (a, b) in {"bass": (40, 90), "middle": (950, 1050), "treble": (8000, 10_000)}.items():
        moved = band_db(changed, a, b) - band_db(given, a, b)
        assert moved == pytest.approx(12 if name == gain else 0, abs=1.3), name


def test_flat_equaliser_changes_nothing():
    given = noise(0.5)
    assert np.allclose(run("equalise", given).samples, given.samples, atol=1e-6)


def test_vocals_in_the_centre_go_and_the_sides_stay():
    left, right, voice = tone(500).samples, tone(900).samples, tone(1500).samples
    song = Audio(np.hstack((0.5 * left + 0.5 * voice, 0.5 * right + 0.5 * voice)), 22_050)
    result = Audio(run("remove_vocals", song).samples[:, :1], 22_050)
    assert band_db(result, 1450, 1550) < band_db(Audio(song.samples[:, :1], 22_050), 1450, 1550) - 40
    assert band_db(result, 480, 520) > band_db(Audio(song.samples[:, :1], 22_050), 480, 520) - 7


def test_without_vocals_a_song_sounds_on_one_loudspeaker_too():
    left, right, voice = tone(500).samples, tone(900).samples, tone(1500).samples
    song = Audio(np.hstack((0.5 * left + 0.5 * voice, 0.5 * right + 0.5 * voice)), 22_050)
    result = run("remove_vocals", song)
    together = Audio(result.samples.mean(axis=1, keepdims=True), 22_050)
    assert band_db(together, 480, 520) > band_db(Audio(song.samples[:, :1], 22_050), 480, 520) - 7


def test_vocals_of_mono_cannot_be_removed():
    for song in (tone(), tone(channels=2)):
        with pytest.raises(NodeError) as told:
            run("remove_vocals", song)
        assert told.value.port == "audio"


def test_mono_is_the_mean():
    stereo = Audio(np.hstack((tone(440).samples, silence().samples)), 22_050)
    assert np.allclose(run("audio_to_mono", stereo).samples, tone(440).samples / 2)


def test_telephone_keeps_only_the_telephone_band():
    given = noise(2.0)
    phone = run("voice_effect", given, "telephone")
    kept = [band_db(phone, a, b) - band_db(given, a, b) for a, b in ((50, 150), (800, 2000), (6000, 10_000))]
    assert kept[1] - kept[0] > 20 and kept[1] - kept[2] > 15


@pytest.mark.parametrize("effect", ["robot", "whisper", "deep", "chipmunk", "male", "female"])
def test_voice_effects_change_the_sound_and_keep_its_length(effect: str):
    given = tone(220, 1.0)
    changed = run("voice_effect", given, effect)
    assert changed.samples.shape == given.samples.shape and rms(changed.samples) > 0.02
    assert not np.allclose(changed.samples, given.samples, atol=0.1)


def test_chipmunk_is_higher_and_deep_is_lower():
    assert peak_frequency(run("voice_effect", tone(300), "chipmunk")) > 450
    assert peak_frequency(run("voice_effect", tone(300), "deep")) < 230


def test_robot_speaks_on_one_note():
    swept = Audio(np.sin(np.cumsum(2 * np.pi * np.linspace(200, 400, 44_100) / 22_050))[:, None].astype("f4"), 22_050)
    robot = run("voice_effect", swept, "robot").samples[8000:36_000, 0]
    power = np.abs(np.fft.rfft(robot * np.hanning(len(robot)))) ** 2
    note = 22_050 / 256
    away = np.abs((np.fft.rfftfreq(len(robot), 1 / 22_050) + note / 2) % note - note / 2)
    assert power[away < 4].sum() > 0.98 * power.sum()


def test_chorus_makes_sidebands():
    given = tone(1000, 3.0)
    fuller = run("chorus", given)
    assert len(fuller.samples) == len(given.samples)
    assert band_db(fuller, 1002, 1030) > band_db(given, 1002, 1030) + 15


def test_blocks_of_a_long_sound_leave_no_seams():
    given = noise(70.0, 8000)
    same = sound.spectral(given, lambda spectrum, _: spectrum)
    assert np.abs(same.samples - given.samples).max() < 1e-5
    smooth = sound.spectral(
        tone(200, 70.0, 8000), lambda spectrum, _: np.abs(spectrum) * np.exp(1j * np.angle(spectrum))
    )
    assert np.abs(np.diff(smooth.samples[:, 0])).max() < 0.08


def test_true_peak_lies_between_the_samples():
    between = Audio(np.sin(np.pi / 4 + np.pi / 2 * np.arange(400))[:, None].astype(np.float32), 8000)
    assert np.abs(between.samples).max() == pytest.approx(0.7071, abs=0.001)
    assert sound.true_peak(between.samples)[50:-50].max() == pytest.approx(1.0, abs=0.02)
    assert sound.true_peak(between.samples, 0.9)[50:-50].max() == pytest.approx(1.0, abs=0.02)
