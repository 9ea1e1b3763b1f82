"""A sound or a film cut into several: how many parts, how long, and that nothing is lost between them."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from nodes.api import Audio, Cancelled, NodeError, RunContext
from tests.nodes.av_media import decoded, movie, noise, run, silence, stream_facts, tone


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
        ({"every": 1.0, "parts": 2}, "every", "Both"),
        ({"every": 9.0}, "every", "lasts only 3.00 s"),
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
    assert told.value.port == "every"


def test_the_parts_of_a_long_sound_take_no_memory_of_their_own():
    given = noise(10.0)
    assert all(np.shares_memory(part.samples, given.samples) for part in run("split_audio", given, 1.0))


# Films

FEW_KEYS = {"g": "10", "sc_threshold": "0", "bf": "2", "b-adapt": "0"}


def shown(path: Path) -> list[int]:
    """By how many pixels the white square of each picture has moved: the number of the picture."""
    rows = (picture[24].astype(int).min(axis=1) > 200 for _, picture in decoded(path))
    return [int(np.flatnonzero(row)[0]) - 8 for row in rows]


def clip(folder: Path, ending: str = "mp4", frames: int = 50, **more) -> Path:
    """25 pictures a second; its sound is a noise, of which each piece tells where it was."""
    if ending == "mp4":
        more = {"options": FEW_KEYS, "sound": noise(frames / 25, 44_100), **more}
    return movie(folder / f"given.{ending}", frames, **more)


def early(part: Audio, whole: Audio, begin: float) -> float:
    """By how many seconds the middle of a part that should begin there is heard too early."""
    first, length = len(part.samples) // 2 - 1500, 3000
    match = np.correlate(whole.samples[:, 0], part.samples[first : first + length, 0], "valid")
    return begin + first / part.rate - int(match.argmax()) / whole.rate


@pytest.mark.parametrize(
    ("values", "counts"),
    [({"every": 0.6}, [15, 15, 15, 5]), ({"parts": 4}, [13, 12, 13, 12]), ({"parts": 2}, [25, 25]),
     ({"every": 0.65}, [16, 17, 17])],
)  # fmt: skip
def test_a_film_is_split_and_has_each_picture_once_and_its_sound_in_time(tmp_path: Path, values, counts):
    given = clip(tmp_path)
    parts = run("split_video", given, **values, folder=tmp_path)
    assert [len(decoded(part)) for part in parts] == counts
    assert [number for part in parts for number in shown(part)] == list(range(50))
    assert sum(stream_facts(part)["seconds"] for part in parts) == pytest.approx(2.0, abs=0.01)
    begin, heard = 0.0, run("extract_audio", given)
    for part, count in zip(parts, counts, strict=True):
        told = stream_facts(part)
        assert told["seconds"] == pytest.approx(count / 25, abs=0.005)
        assert told["audio_seconds"] == pytest.approx(count / 25, abs=0.04)
        assert abs(early(run("extract_audio", part), heard, begin)) < 0.005
        begin += count / 25


def test_the_parts_of_a_film_are_copied_bit_by_bit_but_for_the_pictures_at_the_cuts(tmp_path: Path):
    given = clip(tmp_path)
    parts = run("split_video", given, 0.8, folder=tmp_path)
    assert {packet for part in parts for packet in packets(part)} <= packets(given)
    parts = run("split_video", given, 0.72, folder=tmp_path)
    assert len({packet for part in parts for packet in packets(part)} & packets(given)) >= 20


def packets(path: Path) -> set[bytes]:
    with av.open(str(path)) as container:
        return {bytes(packet) for packet in container.demux(video=0) if packet.size}


@pytest.mark.parametrize(("ending", "codec"), [("avi", "mpeg4"), ("webm", "libvpx-vp9"), ("mkv", "ffv1")])
def test_a_film_of_another_coding_is_split_too(tmp_path: Path, ending: str, codec: str):
    parts = run("split_video", clip(tmp_path, ending, 30, codec=codec), parts=3, folder=tmp_path)
    assert [shown(part) for part in parts] == [list(range(10)), list(range(10, 20)), list(range(20, 30))]


def test_pictures_that_stand_of_different_length_are_split_where_they_appear(tmp_path: Path):
    times = [0, 0.04, 0.08, 0.2, 0.21, 0.22, 0.3, 0.5, 0.9, 1.0]
    given = movie(tmp_path / "given.mp4", 10, times=times, options={"bf": "0"})
    parts = run("split_video", given, 0.34, folder=tmp_path)
    assert [len(decoded(part)) for part in parts] == [6, 1, 3]
    assert [number for part in parts for number in shown(part)] == list(range(10))


def scenes(folder: Path, *lengths: int) -> Path:
    colours = ((200, 30, 30), (30, 200, 30), (30, 30, 200))
    pictures = [
        np.full((64, 96, 3), colours[number % 3], np.uint8) for number, n in enumerate(lengths) for _ in range(n)
    ]
    return movie(folder / "scenes.mp4", pictures=pictures, sound=tone(440, sum(lengths) / 25, 44_100))


def test_a_film_is_split_at_its_scene_cuts(tmp_path: Path):
    parts = run("split_video", scenes(tmp_path, 20, 30, 25), folder=tmp_path)
    assert [len(decoded(part)) for part in parts] == [20, 30, 25]
    for part, colour in zip(parts, ((200, 30, 30), (30, 200, 30), (30, 30, 200)), strict=True):
        assert all(np.abs(picture.mean(axis=(0, 1)) - colour).max() < 12 for _, picture in decoded(part))


@pytest.mark.parametrize(
    ("values", "port", "message"),
    [
        ({}, "video", "no scene cut in given.mp4"),
        ({"every": 1.0, "parts": 2}, "every", "Both"),
        ({"every": 5.0}, "every", "lasts only 2.0"),
        ({"parts": 120}, "parts", "shorter than a picture"),
    ],
)
def test_how_a_film_cannot_be_split_names_the_port(tmp_path: Path, values: dict, port: str, message: str):
    with pytest.raises(NodeError, match=message) as told:
        run("split_video", clip(tmp_path), **values, folder=tmp_path)
    assert told.value.port == port and told.value.fix


def test_progress_of_the_parts_is_one_and_they_stop_when_told_to(tmp_path: Path):
    class Watched(RunContext):
        stop = False

        def __init__(self, folder: Path) -> None:
            super().__init__(folder)
            self.told: list[float] = []

        def progress(self, fraction: float, note: str = "", preview=None) -> None:
            if self.stop:
                raise Cancelled
            self.told.append(fraction)

    given = clip(tmp_path)
    context = Watched(tmp_path)
    run("split_video", given, parts=4, context=context)
    assert context.told == sorted(context.told) and 0.5 < context.told[-1] <= 1
    context.stop = True
    with pytest.raises(Cancelled):
        run("split_video", given, parts=4, context=context)
