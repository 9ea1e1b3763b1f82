"""Sounds that are empty, silent, tiny, broken or unusual: a clear error that names the port, or a sound result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nodes import load_tools
from nodes.api import Audio, NodeError, ResourceType
from tests.nodes.av_media import noise, run, silence, tone

EFFECTS = sorted(
    tool.id
    for tool in load_tools().tools.values()
    if tool.domain == "audio" and any(port.type is ResourceType.AUDIO for port in tool.inputs)
    and all(backend.kind == "built-in" for backend in tool.backends[:1])
)  # fmt: skip


def values(tool: str, audio: Audio) -> list:
    ports = load_tools().tools[tool].inputs
    return [(audio,) if port.many else audio for port in ports if port.type is ResourceType.AUDIO]


def sensible(result) -> bool:
    if isinstance(result, Audio):
        return (
            result.samples.dtype == np.float32 and len(result.samples) > 0 and bool(np.isfinite(result.samples).all())
        )
    return result is not None


@pytest.mark.parametrize("tool", EFFECTS)
def test_empty_sound_names_the_port(tool: str, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run(tool, *values(tool, Audio(np.zeros((0, 1), np.float32), 16_000)), folder=tmp_path)
    assert told.value.port in [port.name for port in load_tools().tools[tool].inputs]


BROKEN = {
    "silence": silence(1.0),
    "one sample": Audio(np.full((1, 1), 0.5, np.float32), 44_100),
    "five samples": Audio(np.full((5, 2), 0.5, np.float32), 44_100),
    "not a number": Audio(np.where(np.arange(8000)[:, None] % 7, tone(rate=8000).samples, np.nan), 8000),
    "infinite": Audio(np.where(np.arange(8000)[:, None] % 999, tone(rate=8000).samples, np.inf), 8000),
    "six channels": tone(440, 0.5, 48_000, channels=6),
    "8 kHz": noise(1.0, 8000),
    "odd rate": tone(440, 0.5, 37_123, channels=2),
    "far too loud": Audio(tone().samples * 50, 22_050),
}


@pytest.mark.parametrize("sound", BROKEN)
@pytest.mark.parametrize("tool", EFFECTS)
def test_unusual_sound_gives_a_result_or_names_the_port(tool: str, sound: str, tmp_path: Path):
    given = BROKEN[sound]
    before = given.samples.copy()
    refused: NodeError | None = None
    result = None
    try:
        result = run(tool, *values(tool, given), folder=tmp_path)
    except NodeError as told:
        refused = told
    if refused is None:
        assert sensible(result)
    else:
        assert refused.port in [port.name for port in load_tools().tools[tool].inputs] and refused.fix
    assert np.array_equal(given.samples, before, equal_nan=True)


@pytest.mark.parametrize("tool", ["reverb", "equalise", "change_speed", "change_pitch", "fade", "clean_audio"])
def test_channels_and_rate_stay(tool: str, tmp_path: Path):
    result = run(tool, tone(440, 0.5, 48_000, channels=6), folder=tmp_path)
    assert result.samples.shape[1] == 6 and result.rate == 48_000


def test_silence_cannot_be_normalised_or_cut():
    for tool in ("normalise_loudness", "cut_silence", "detect_pitch"):
        with pytest.raises(NodeError, match="silent") as told:
            run(tool, silence())
        assert told.value.port == "audio"


def test_joining_nothing_names_the_port():
    with pytest.raises(NodeError) as told:
        run("join_audio", ())
    assert told.value.port == "audios"


def test_noise_has_no_pitch_and_a_short_sound_no_tempo():
    for tool, given in (("detect_pitch", noise(1.0)), ("detect_tempo", tone(seconds=1.0))):
        with pytest.raises(NodeError) as told:
            run(tool, given)
        assert told.value.port == "audio"


def test_zero_seconds_of_sound_name_the_port():
    for tool in ("make_tone", "make_music"):
        with pytest.raises(NodeError) as told:
            run(tool, seconds=0.0)
        assert told.value.port == "seconds"


@pytest.mark.parametrize("rate", [0, 1, 50, 1 << 30])
@pytest.mark.parametrize("tool", ["change_pitch", "change_speed", "reverb", "waveform"])
def test_a_rate_that_no_sound_has_is_refused_and_does_not_end_the_process(tool: str, rate: int, tmp_path: Path):
    with pytest.raises(NodeError, match="sample rate") as told:
        run(tool, Audio(np.full((1000, 1), 0.1, np.float32), rate), folder=tmp_path)
    assert told.value.port == "audio"
