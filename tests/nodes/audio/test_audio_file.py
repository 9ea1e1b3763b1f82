"""Sounds as files: in the form that is asked for, whole, and never larger than is asked for."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from nodes._support.files import codecs
from nodes.api import Audio, NodeError, ResourceType, RunContext
from nodes.audio.audio_facts import audio_facts
from nodes.audio.audio_file import audio_file
from tests.nodes.av_media import noise, peak_frequency, run, tone

FORMS = {"mp3": "mp3float", "wav": "pcm_s16le", "flac": "flac", "ogg": "vorbis", "m4a": "aac"}
HISS = noise(8.0, 44_100)


def facts(path):
    with av.open(str(path)) as container:
        track = container.streams.audio[0]
        return track.codec_context.name, track.rate, track.codec_context.channels


@pytest.mark.parametrize("format", FORMS)
@pytest.mark.parametrize(("rate", "channels"), [(44_100, 2), (22_050, 1), (96_000, 2)])
def test_the_file_is_in_its_form_and_sounds_the_same(tmp_path, format, rate, channels):
    path = run("audio_file", tone(440, 2.0, rate, channels), format, folder=tmp_path)
    assert path.suffix == f".{format}" and facts(path)[::2] == (FORMS[format], channels)
    heard = codecs.decode(path, ResourceType.AUDIO)
    assert heard.seconds == pytest.approx(2.0, abs=0.08) and peak_frequency(heard) == pytest.approx(440, abs=1)
    assert np.abs(heard.samples[len(heard.samples) // 4 :]).max() == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("format", ["mp3", "ogg", "m4a"])
def test_the_voices_of_surround_sound_stay_as_loud_in_stereo(tmp_path, format):
    voice = tone(440, 2.0, 48_000, 1, level=0.3).samples[:, 0]
    surround = np.zeros((len(voice), 6), np.float32)
    surround[:, 2] = voice  # the one in the middle, in which people speak
    heard = codecs.decode(run("audio_file", Audio(surround, 48_000), format, folder=tmp_path), ResourceType.AUDIO)
    level = np.abs(heard.samples[24_000:72_000]).max()
    assert heard.samples.shape[1] == 2 and level == pytest.approx(0.3 * 0.707, abs=0.03)


@pytest.mark.parametrize("format", ["wav", "flac"])
def test_forms_that_keep_all_keep_every_sample(tmp_path, format):
    heard = codecs.decode(run("audio_file", HISS, format, folder=tmp_path), ResourceType.AUDIO)
    assert heard.rate == 44_100 and np.abs(heard.samples - HISS.samples).max() < 1 / 32_000


@pytest.mark.parametrize("format", ["mp3", "m4a"])
@pytest.mark.parametrize("kbits", [320, 64, 24])
def test_the_bit_rate_is_about_what_was_asked_for(tmp_path, format, kbits):
    path = run("audio_file", noise(8.0, 44_100), format, kbits, folder=tmp_path)
    assert 0.3 * kbits < path.stat().st_size * 8 / 8000 < 1.25 * kbits


@pytest.mark.parametrize("format", ["mp3", "m4a"])
@pytest.mark.parametrize("megabytes", [0.1, 0.04, 0.022])
def test_a_size_is_kept_to(tmp_path, format, megabytes):
    path = run("audio_file", HISS, format, None, megabytes, folder=tmp_path)
    assert 0.4 * megabytes * 1e6 < path.stat().st_size <= megabytes * 1e6
    assert codecs.decode(path, ResourceType.AUDIO).seconds == pytest.approx(8.0, abs=0.2)


def test_nothing_is_given_away_where_the_size_allows_it(tmp_path):
    free = run("audio_file", HISS, folder=tmp_path).read_bytes()
    assert run("audio_file", HISS, "mp3", None, 50, folder=tmp_path).read_bytes() == free
    assert run("audio_file", HISS, folder=tmp_path).read_bytes() == free


@pytest.mark.parametrize("format", FORMS)
def test_six_channels_and_what_is_too_loud_are_written(tmp_path, format):
    path = run("audio_file", tone(440, 0.5, 48_000, 6, level=3.0), format, folder=tmp_path)
    heard = codecs.decode(path, ResourceType.AUDIO)
    assert heard.samples.shape[1] == (6 if format in ("wav", "flac") else 2)
    assert 0.5 < np.abs(heard.samples).max() < 1.25


def test_a_size_that_cannot_be_had_is_refused_in_words(tmp_path):
    with pytest.raises(NodeError, match=r"smaller than 0\.002 MB") as refused:
        run("audio_file", HISS, "mp3", None, 0.002, folder=tmp_path)
    assert refused.value.port == "size_mb" and "Choose" in refused.value.fix


@pytest.mark.parametrize("format", ["wav", "flac", "ogg"])
@pytest.mark.parametrize(("port", "values"), [("bitrate", (128, None)), ("size_mb", (None, 50))])
def test_a_bit_rate_or_size_of_other_forms_is_refused_in_words(tmp_path, format, port, values):
    with pytest.raises(NodeError, match="Only mp3 and m4a") as refused:
        run("audio_file", HISS, format, *values, folder=tmp_path)
    assert refused.value.port == port and "Choose" in refused.value.fix


def test_bad_sounds_are_refused_in_words(tmp_path):
    with pytest.raises(NodeError, match="empty") as refused:
        run("audio_file", Audio(np.zeros((0, 1), np.float32), 44_100), folder=tmp_path)
    assert refused.value.port == "audio"
    with pytest.raises(NodeError, match="cannot be saved as flac") as refused:
        run("audio_file", Audio(np.zeros((100, 9), np.float32), 44_100), "flac", folder=tmp_path)
    assert refused.value.port == "format"


@pytest.mark.parametrize("format", FORMS)
def test_the_shortest_sound_is_written(tmp_path, format):
    assert run("audio_file", Audio(np.full((1, 1), 0.1, np.float32), 8_000), format, folder=tmp_path).stat().st_size


class Brought(RunContext):
    """As in a run where the sound was read from a file that the user brought, or that a step kept."""

    def __init__(self, folder: Path, file: Path, by_user: bool = True) -> None:
        super().__init__(folder)
        self.file, self.by_user = file, by_user

    def file_of(self, port: str) -> Path | None:
        return self.file

    def kinds(self, port: str) -> tuple[ResourceType | None, ...]:
        return (None if self.by_user else ResourceType.AUDIO,)


@pytest.mark.parametrize("format", ["wav", "flac"])
@pytest.mark.parametrize(
    ("kind", "by_user", "bits"),
    [("PCM_24", True, 24), ("FLOAT", True, 24), ("PCM_16", True, 16), ("FLOAT", False, 16)],
)
def test_a_file_of_more_than_16_bits_loses_none_of_them(tmp_path, format, kind, by_user, bits):
    given = tmp_path / "given.wav"
    soundfile.write(given, HISS.samples, HISS.rate, subtype=kind)
    heard = codecs.decode(given, ResourceType.AUDIO)
    made = audio_file(heard, format, context=Brought(tmp_path, given, by_user))
    assert soundfile.info(made).subtype == f"PCM_{bits}"
    again = codecs.decode(made, ResourceType.AUDIO)
    assert np.abs(again.samples - heard.samples).max() < 1.01 / 2 ** (bits - 1)


def test_a_peak_at_full_scale_is_no_negative_zero():
    full = Audio(np.full((800, 1), 0.99999, np.float32), 8000)
    assert [str(value) for name, value, _ in audio_facts(full).rows if name == "peak"] == ["0.0"]
