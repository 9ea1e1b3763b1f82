"""A sound or a film cut into several: how many parts, how long, and that nothing is lost between them."""

from __future__ import annotations

import numpy as np
import pytest

from nodes.api import Audio, NodeError
from tests.nodes.av_media import noise, run, silence, tone


def lengths(parts: tuple[Audio, ...]) -> list[float]:
    return [round(part.seconds, 2) for part in parts]


def whole(parts: tuple[Audio, ...]) -> np.ndarray:
    return np.concatenate([part.samples for part in parts])


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(1.0, [1, 1, 1, 0.5]), (0.7, [0.7] * 5), (1.15, [1.15, 1.15, 1.2]), (0.1, [0.1] * 35)],
)
def test_a_sound_is_split_every_so_many_seconds(seconds: float, told: list[float]):
    given = noise(3.5)
    parts = run("split_audio", given, seconds)
    assert lengths(parts) == told and {part.rate for part in parts} == {22_050}
    assert np.array_equal(whole(parts), given.samples)


def test_a_sound_is_split_into_equal_parts_of_all_its_channels():
    given = tone(440, 1.0, 44_100, channels=2)
    parts = run("split_audio", given, parts=7)
    assert len(parts) == 7 and {len(part.samples) for part in parts} == {6300}
    assert np.array_equal(whole(parts), given.samples)
    assert {len(part.samples) for part in run("split_audio", given, parts=8)} == {5512, 5513}


def test_a_sound_is_split_in_the_middle_of_its_pauses():
    word, short, long = tone(440, 0.5).samples, silence(0.2).samples, silence(1.0).samples
    given = Audio(np.vstack((long, word, short, word, long, word, long, word, long)), 22_050)
    parts = run("split_audio", given)
    assert lengths(parts) == pytest.approx([1 + 1.2 + 0.5, 0.5 + 1.0, 0.5 + 0.5 + 1.0], abs=0.03)
    assert np.array_equal(whole(parts), given.samples)
    assert len(run("split_audio", given, pause=0.1)) == 4
    with pytest.raises(NodeError, match="no pause of 2 s") as told:
        run("split_audio", given, pause=2.0)
    assert told.value.port == "pause" and told.value.fix


def test_a_noisy_pause_is_one_below_the_threshold():
    hiss = noise(1.0, level=0.02).samples
    given = Audio(np.vstack((tone().samples, hiss, tone().samples)), 22_050)
    with pytest.raises(NodeError, match="no pause"):
        run("split_audio", given)
    assert lengths(run("split_audio", given, threshold=-20.0)) == pytest.approx([1.5, 1.5], abs=0.03)


@pytest.mark.parametrize(
    ("values", "port", "message"),
    [
        ({"seconds": 1.0, "parts": 2}, "seconds", "Both"),
        ({"seconds": 9.0}, "seconds", "lasts only 3.00 s"),
        ({"parts": 900}, "parts", "lasts only 3.00 s"),
    ],
)
def test_how_a_sound_cannot_be_split_names_the_port(values: dict, port: str, message: str):
    with pytest.raises(NodeError, match=message) as told:
        run("split_audio", noise(3.0), **values)
    assert told.value.port == port and told.value.fix


def test_more_than_a_thousand_parts_are_refused():
    given = Audio(np.full((1000 * 150, 1), 0.1, np.float32), 1000)
    with pytest.raises(NodeError, match="more than 1000 parts") as told:
        run("split_audio", given, 0.1)
    assert told.value.port == "seconds"


def test_the_parts_of_a_long_sound_take_no_memory_of_their_own():
    given = noise(10.0)
    assert all(np.shares_memory(part.samples, given.samples) for part in run("split_audio", given, 1.0))
