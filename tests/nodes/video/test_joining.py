"""Overlapping photographs become a panorama; a separate recording is laid under a film in time."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from desktop_app.core.paths import PROJECT
from nodes._support.files import codecs
from nodes.api import Audio, NodeError, ResourceType, RunContext
from nodes.image.panorama import panorama
from nodes.video.align_sound import align_sound
from tests.nodes.av_media import movie, noise, sound_of, tone

_SCENE = PROJECT / "resources" / "examples" / "coffee.jpg"


@pytest.fixture(scope="module")
def scene():
    return codecs.decode(_SCENE, ResourceType.IMAGE)


def test_overlapping_parts_become_the_whole_again_in_any_order(scene, tmp_path):
    height, width = scene.shape[:2]
    parts = tuple(scene[:, round(width * a) : round(width * b)] for a, b in ((0.5, 1.0), (0.0, 0.5), (0.25, 0.75)))
    made = panorama(parts, True, context=RunContext(tmp_path))
    assert abs(made.shape[1] - width) < 0.05 * width and abs(made.shape[0] - height) < 0.05 * height
    import cv2

    same = cv2.resize(made, (width, height))
    assert np.abs(same.astype(int) - scene).mean() < 20


@pytest.mark.parametrize("count", [0, 1])
def test_one_photograph_is_no_panorama(scene, tmp_path, count):
    with pytest.raises(NodeError, match="two photographs") as raised:
        panorama((scene,) * count, context=RunContext(tmp_path))
    assert raised.value.port == "images"


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 40, 3), (40, 1, 4)])
def test_pictures_of_a_few_pixels_are_refused_in_words(tmp_path, shape):
    with pytest.raises(NodeError, match="cannot be joined") as told:
        panorama((np.full(shape, 90, np.uint8),) * 2, context=RunContext(tmp_path))
    assert told.value.port == "images"


def test_photographs_of_nothing_in_common_are_said_to_be_so(tmp_path):
    plain = np.full((200, 300, 3), 90, np.uint8)
    with pytest.raises(NodeError, match="cannot be joined: They do not overlap"):
        panorama((plain, plain // 2), context=RunContext(tmp_path))


@pytest.mark.parametrize("shift", [0.73, -0.41, 0.0])
def test_a_recording_is_shifted_to_the_sound_of_the_film(tmp_path, shift):
    rate, told = 16_000, noise(4.0, 16_000, level=0.3, seed=3).samples
    camera = Audio(told[16_000:48_000] * 0.5 + noise(2.0, rate, level=0.02, seed=4).samples, rate)
    begin = 16_000 + round(shift * rate)
    film = movie(tmp_path / "a.mp4", frames=50, sound=camera)
    made, found = align_sound(film, Audio(told[begin : begin + 24_000], rate), RunContext(tmp_path))
    assert found == pytest.approx(shift, abs=0.04)  # AAC begins up to 0.04 s late
    heard = sound_of(made)
    assert heard is not None and heard.seconds == pytest.approx(2.0, abs=0.1)
    quiet = heard.samples[: round((shift - 0.1) * heard.rate)] if shift > 0.2 else heard.samples[-round(0.05 * rate) :]
    assert np.abs(quiet).max() < 0.05 or shift <= 0.0


def _talk(seconds: float, rate: int) -> np.ndarray:
    """Bursts of noise and pauses, (frames, 1)."""
    random = np.random.default_rng(8)
    loud = np.repeat(random.uniform(0, 1, round(seconds * 5)) ** 3, rate // 5)
    return (0.3 * loud * random.standard_normal(len(loud))).astype(np.float32)[:, None]


@pytest.mark.parametrize(("begin", "clock"), [(12.3, 0.0), (-8.6, 0.0), (-8.6, 60e-6)])
def test_long_sounds_are_aligned_although_another_clock_ran_faster(tmp_path, begin, clock):
    rate, told = 16_000, _talk(90.0, 16_000)
    first = round(abs(begin) * rate)
    own, other = (told, told[first:]) if begin > 0 else (told[first:], told)
    film = movie(tmp_path / "a.mp4", frames=50, sound=Audio(own, rate))
    places = np.arange(0, len(other) - 1, 1 + clock)
    heard = np.interp(places, np.arange(len(other)), other[:, 0]).astype(np.float32)[:, None]
    _, found = align_sound(film, Audio(heard, rate), RunContext(tmp_path))
    assert found == pytest.approx(begin, abs=0.04 + 90 * clock)


def test_longer_sounds_take_no_more_memory(tmp_path):
    def most(seconds: float) -> int:
        heard = Audio(_talk(seconds, 8000), 8000)
        film = movie(tmp_path / f"{seconds:g}.mp4", frames=50, sound=heard)
        tracemalloc.start()
        align_sound(film, heard, RunContext(tmp_path))
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return held

    most(5)  # imports
    assert most(600) < 1.5 * most(120)


def test_what_cannot_be_aligned_is_said(tmp_path):
    silent = movie(tmp_path / "b.mp4")
    with pytest.raises(NodeError, match="no sound") as raised:
        align_sound(silent, tone(), RunContext(tmp_path))
    assert raised.value.port == "video"
    film = movie(tmp_path / "c.mp4", frames=50, sound=noise(2.0, 16_000, seed=5))
    with pytest.raises(NodeError, match="nothing in common") as raised:
        align_sound(film, noise(1.5, 16_000, seed=6), RunContext(tmp_path))
    assert raised.value.port == "audio"
