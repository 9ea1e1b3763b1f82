"""Memory of the tools for sound does not grow with the sound, and blocks give what the whole would give."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import resample_poly, stft

from nodes._support.files import codecs
from nodes._support.media import movie_writer, samples, sound
from nodes.api import Audio, ResourceType
from tests.benchmarks.tools import SOUNDS, measured, write_sound
from tests.nodes.av_media import noise, run, tone

RATE = 44_100
_HEAVIEST = ("clean_audio", "normalise_loudness", "chorus", "spectrogram", "voice_effect")
_OF_SOUNDS = [*_HEAVIEST, *(pytest.param(id, marks=pytest.mark.slow) for id in SOUNDS if id not in _HEAVIEST)]


@pytest.fixture(scope="module")
def long_sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three minutes of stereo: 64 MB of samples."""
    path = tmp_path_factory.mktemp("long") / "long.wav"
    write_sound(path, 180)
    return path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux tells of a process")
@pytest.mark.parametrize(
    "id", [*_HEAVIEST, *(pytest.param(i, marks=pytest.mark.slow) for i in SOUNDS if i not in _HEAVIEST)]
)
def test_memory_stays_the_same_however_long_the_sound(id: str, long_sound: Path):
    _, held, *_ = measured(id, long_sound)
    assert held < 160 << 20, "the packages take up to 120 MB, and the sound alone would take 64 more"


def as_mapped(audio: Audio) -> Audio:
    """The same sound in a file."""
    held = samples.Collected()
    held.add_all(audio.samples)
    return Audio(held.whole(), audio.rate)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux tells of a process")
def test_the_sound_of_a_film_leaves_the_memory_as_it_is_written():
    long = as_mapped(Audio(np.full((300 * RATE, 2), 0.1, np.float32), RATE))
    samples.let_go(long.samples)
    before, most = _mapped_bytes(), 0
    for piece in movie_writer.pieces(long):
        assert piece.max() > 0
        most = max(most, _mapped_bytes())
    assert most - before < 20 << 20, "all of it is 106 MB"


def _mapped_bytes() -> int:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("RssFile")).split()[1])


@pytest.fixture(scope="module")
def half_a_minute() -> Audio:
    pair = np.hstack((noise(30.0, RATE, 0.1).samples, tone(300, 30.0, RATE, level=0.9).samples))
    return Audio(pair, RATE)


def test_large_sounds_lie_in_a_file_and_small_ones_do_not(half_a_minute: Audio):
    mapped = as_mapped(half_a_minute).samples
    assert not mapped.flags.writeable and np.array_equal(mapped, half_a_minute.samples)
    assert as_mapped(tone()).samples.flags.writeable
    assert np.array_equal(sound.with_channels(mapped, 1)[:, 0], half_a_minute.samples.mean(axis=1))


def test_stretches_beyond_the_ends_are_silent():
    heard = np.arange(1, 6, dtype=np.float32)[:, None]
    assert samples.stretch(heard, -2, 3)[:, 0].tolist() == [0, 0, 1, 2, 3]
    assert samples.stretch(heard, 3, 8)[:, 0].tolist() == [4, 5, 0, 0, 0]
    assert samples.stretch(heard, 7, 9)[:, 0].tolist() == [0, 0]


@pytest.mark.parametrize("rate", [16_000, 48_000, 22_050])
def test_resampling_by_parts_is_resampling_the_whole(rate: int, half_a_minute: Audio):
    common = math.gcd(RATE, rate)
    whole = resample_poly(half_a_minute.samples, rate // common, RATE // common, axis=0)
    parts = sound.resampled(as_mapped(half_a_minute), rate).samples
    assert np.abs(parts - whole[: len(parts)]).max() < 1e-5


def test_loudness_is_that_of_the_meter_itself(half_a_minute: Audio):
    import pyloudnorm

    loud_then_soft = Audio(half_a_minute.samples * np.repeat([1, 0.01], len(half_a_minute.samples) // 2)[:, None], RATE)
    meter = pyloudnorm.Meter(RATE).integrated_loudness(loud_then_soft.samples.astype(np.float64))
    assert sound.loudness(as_mapped(loud_then_soft)) == pytest.approx(meter, abs=0.01)


def test_spectra_are_those_of_the_whole():
    heard = noise(2.0, 8000).samples[:, 0]
    whole = np.abs(stft(heard, nperseg=512, noverlap=512 - 128)[2]).T
    parts = np.concatenate(list(samples.spectra(heard, 512, 128, 50)))
    assert np.abs(parts[: len(whole)] - whole).max() < 1e-6


@pytest.mark.parametrize("id", ["chorus", "echo", "equalise", "fade", "reverb", "reverse_audio"])
def test_a_block_knows_what_was_before_it(id: str, half_a_minute: Audio, monkeypatch: pytest.MonkeyPatch):
    values: dict[str, Any] = {"bass": 6.0} if id == "equalise" else {}
    by_blocks = run(id, half_a_minute, **values).samples
    monkeypatch.setattr(samples, "BLOCK", 1 << 24)
    assert np.abs(by_blocks - run(id, half_a_minute, **values).samples).max() < 1e-5


def test_a_sound_is_kept_and_read_again_piece_by_piece(half_a_minute: Audio, tmp_path: Path):
    (tmp_path / "a.wav").write_bytes(codecs.encode(half_a_minute, ResourceType.AUDIO)[0])
    again = codecs.decode(tmp_path / "a.wav", ResourceType.AUDIO)
    assert again.rate == RATE and np.array_equal(again.samples, half_a_minute.samples)
    assert max(len(piece) for piece in codecs.encoded(half_a_minute, ResourceType.AUDIO)) < 1 << 20
    assert os.listdir(tmp_path) == ["a.wav"]
