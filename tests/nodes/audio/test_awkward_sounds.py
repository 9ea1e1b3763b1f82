"""Sounds at all rates, in all forms and with all channels that people have: read in time, as loud as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import soundfile

from nodes import load_tools
from nodes._support.files import codecs
from nodes._support.media import movies, sound
from nodes.api import Audio, NodeError, ResourceType
from tests.nodes.av_media import run

_BEGINS = (0.3, 0.7)
_LAYOUTS = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}
_MADE = {"a.m4a": "aac", "a.mka": "libopus", "b.mkv": "libmp3lame", "a.flac": "flac", "b.m4a": "alac"}
_LATE = 0.003


def clicks(rate: int, channels: int, level: float = 0.5) -> np.ndarray:
    """A second in which a tone of 20 ms begins at each of _BEGINS, float32 (frames, channels)."""
    samples = np.zeros((rate, channels), np.float32)
    tone = level * np.sin(2 * np.pi * 1000 * np.arange(round(0.02 * rate)) / rate)
    for begin in _BEGINS:
        samples[round(begin * rate) :][: len(tone)] = tone[:, None]
    return samples


def begins(audio: Audio) -> list[float]:
    loud = np.flatnonzero(np.abs(audio.samples[:, 0]) > 0.1) / audio.rate
    return [float(at) for at, before in zip(loud, [-1.0, *loud], strict=False) if at - before > 0.2]


def coded(path: Path, codec: str, rate: int, channels: int) -> Path:
    """Writes `clicks` by PyAV alone."""
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=rate)
        stream.layout = _LAYOUTS[channels]
        resampler = av.AudioResampler(stream.codec_context.format.name, stream.layout, rate)
        frame = av.AudioFrame.from_ndarray(clicks(rate, channels).reshape(1, -1), "flt", _LAYOUTS[channels])
        frame.sample_rate, frame.pts = rate, 0
        for part in resampler.resample(frame):
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("rate", "channels", "subtype"),
    [(8000, 1, "PCM_U8"), (11_025, 1, "PCM_16"), (44_100, 2, "PCM_24"), (96_000, 2, "FLOAT"), (192_000, 6, "PCM_32")],
)
def test_sounds_keep_their_rate_channels_and_length(tmp_path: Path, rate: int, channels: int, subtype: str):
    soundfile.write(tmp_path / "a.wav", clicks(rate, channels), rate, subtype=subtype)
    heard = codecs.decode(tmp_path / "a.wav", ResourceType.AUDIO)
    assert (heard.rate, heard.samples.shape) == (rate, (rate, channels))
    assert begins(heard) == pytest.approx(_BEGINS, abs=_LATE)


@pytest.mark.parametrize("name", _MADE)
def test_coded_sounds_are_in_time_and_not_longer(tmp_path: Path, name: str):
    rate = 48_000 if _MADE[name] == "libopus" else 44_100
    heard = codecs.decode(coded(tmp_path / name, _MADE[name], rate, 2), ResourceType.AUDIO)
    assert (heard.rate, heard.seconds) == (rate, pytest.approx(1.0, abs=0.001))
    assert begins(heard) == pytest.approx(_BEGINS, abs=_LATE)


@pytest.mark.parametrize("name", ["a.wav", "a.mp3"])
def test_what_a_sound_is_called_says_nothing_about_what_it_is(tmp_path: Path, name: str):
    soundfile.write(tmp_path / name, clicks(44_100, 2), 44_100, format="MP3" if name == "a.wav" else "WAV")
    assert begins(codecs.decode(tmp_path / name, ResourceType.AUDIO)) == pytest.approx(_BEGINS, abs=_LATE)


def test_values_beyond_full_scale_stay_until_they_are_written_and_then_do_not_clip(tmp_path: Path):
    soundfile.write(tmp_path / "a.wav", clicks(44_100, 2, level=2.0), 44_100, subtype="FLOAT")
    heard = codecs.decode(tmp_path / "a.wav", ResourceType.AUDIO)
    assert sound.peak(heard.samples) == pytest.approx(2.0, abs=0.01)
    written, _ = soundfile.read(run("audio_file", heard, "wav", folder=tmp_path))
    assert np.abs(written).max() == pytest.approx(1.0, abs=0.01)
    middle = slice(round(0.3 * 44_100), round(0.32 * 44_100))
    assert np.corrcoef(written[middle, 0], heard.samples[middle, 0])[0, 1] > 0.9999, "turned down, not cut off"


@pytest.mark.parametrize("tool", ["change_speed", "change_pitch"])
def test_eight_channels_go_through_the_filters(tool: str):
    given = Audio(clicks(48_000, 8) * np.linspace(0.3, 1, 8, dtype=np.float32), 48_000)
    made = run(tool, given)
    assert made.samples.shape[1] == 8
    levels = np.abs(made.samples).max(axis=0)
    assert levels / levels[-1] == pytest.approx(np.linspace(0.3, 1, 8), abs=0.08)


def test_films_and_files_with_eight_channels_are_heard(tmp_path: Path):
    sound_alone = codecs.decode(coded(tmp_path / "a.mka", "pcm_s16le", 48_000, 8), ResourceType.AUDIO)
    assert begins(sound_alone) == pytest.approx(_BEGINS, abs=_LATE)
    with av.open(str(tmp_path / "a.mkv"), "w") as container:
        video: Any = container.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio: Any = container.add_stream("libopus", rate=48_000)
        audio.layout = "7.1"
        frame = av.AudioFrame.from_ndarray(clicks(48_000, 8).reshape(1, -1), "flt", "7.1")
        frame.sample_rate, frame.pts = 48_000, 0
        for part in av.AudioResampler(audio.codec_context.format.name, "7.1", 48_000).resample(frame):
            container.mux(audio.encode(part))
        container.mux(audio.encode(None))
        for number in range(25):
            shown = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), "rgb24")
            shown.pts = number
            container.mux(video.encode(shown))
        container.mux(video.encode(None))
    assert begins(movies.whole_sound(tmp_path / "a.mkv")) == pytest.approx(_BEGINS, abs=_LATE)
    assert run("extract_audio", tmp_path / "a.mkv", folder=tmp_path).samples.shape[1] == 8


_SHORT = {
    "one sample": Audio(np.full((1, 1), 0.5, np.float32), 44_100),
    "nothing": Audio(np.zeros((0, 2), np.float32), 44_100),
    "not a number": Audio(np.full((4410, 1), np.nan, np.float32), 44_100),
    "seven channels": Audio(np.full((4410, 7), 0.1, np.float32), 44_100),
}
_TOOLS = sorted(
    tool.id
    for tool in load_tools().tools.values()
    if tool.domain == "audio" and [p.type for p in tool.inputs if p.required] == [ResourceType.AUDIO]
    and tool.backends[0].kind == "built-in" and not tool.backends[0].requires
)  # fmt: skip


@pytest.mark.parametrize("kind", _SHORT)
@pytest.mark.parametrize("tool", _TOOLS)
def test_hardly_any_sound_gives_a_result_or_names_the_port(tool: str, kind: str, tmp_path: Path):
    many = load_tools().tools[tool].inputs[0].many
    try:
        made = run(tool, (_SHORT[kind],) if many else _SHORT[kind], folder=tmp_path)
    except NodeError as error:
        told, made = error, None
    else:
        told = None
    assert told is None or (told.port and told.fix)
    assert not isinstance(made, Audio) or np.isfinite(made.samples).all()


def by_ffmpeg(audio: Audio) -> float:
    """Integrated loudness by FFmpeg's own EBU R128 meter."""
    graph, channels = av.filter.Graph(), audio.samples.shape[1]
    given = graph.add_abuffer(sample_rate=audio.rate, format="flt", layout=_LAYOUTS[channels])
    graph.link_nodes(given, graph.add("ebur128", "metadata=1"), graph.add("abuffersink")).configure()
    frame = av.AudioFrame.from_ndarray(audio.samples.reshape(1, -1), "flt", _LAYOUTS[channels])
    frame.sample_rate, frame.pts = audio.rate, 0
    graph.push(frame)
    graph.push(None)
    told = "nan"
    while True:
        try:
            told = graph.pull().metadata.get("lavfi.r128.I", told)  # type: ignore[union-attr]
        except (av.error.BlockingIOError, av.error.EOFError):
            return float(told)


@pytest.mark.parametrize(
    ("rate", "channels"), [(8000, 1), (11_025, 2), (44_100, 1), (44_100, 2), (48_000, 6), (96_000, 2), (192_000, 1)]
)
def test_loudness_is_what_another_meter_measures(rate: int, channels: int):
    random = np.random.default_rng(rate + channels)
    swell = np.repeat(random.uniform(0.02, 1, 12), rate // 2)[:, None]
    audio = Audio((0.12 * swell * random.standard_normal((len(swell), channels))).astype(np.float32), rate)
    assert sound.loudness(audio) == pytest.approx(by_ffmpeg(audio), abs=0.5)
    assert by_ffmpeg(run("normalise_loudness", audio)) == pytest.approx(-16, abs=0.5)
