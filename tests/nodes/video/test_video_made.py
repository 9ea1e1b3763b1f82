"""Videos made of pictures and sounds: their length, size, pictures and sound, read back by PyAV."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nodes.api import Audio, Cancelled, NodeError, RunContext
from nodes.video.slideshow import timetable
from tests.nodes.av_media import decoded, gradient, movie, peak_frequency, rms, run, sound_of, stream_facts, tone


def flat(colour: tuple[int, int, int], width: int = 96, height: int = 64) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


RED, GREEN, BLUE = flat((220, 30, 40)), flat((30, 200, 60)), flat((40, 60, 210))


def close(one: np.ndarray, two: np.ndarray, most: float = 6.0) -> bool:
    return one.shape == two.shape and float(np.abs(one.astype(int) - two).mean()) < most


def test_slideshow_shows_each_picture_in_turn(tmp_path: Path):
    made = run("slideshow", (RED, GREEN, BLUE), None, 2.0, folder=tmp_path)
    told = stream_facts(made)
    assert told["video"] == "h264" and told["pixels"] == "yuv420p" and told["audio"] is None
    assert told["seconds"] == pytest.approx(6.0, abs=0.01) and told["frames"] == 150
    shown = decoded(made)
    assert len(shown) == 150
    for number, picture in ((0, RED), (35, RED), (75, GREEN), (149, BLUE)):
        assert close(shown[number][1], picture), number


def test_the_sound_of_a_slideshow_fades_at_its_end(tmp_path: Path):
    heard = sound_of(run("slideshow", (RED, GREEN), tone(440, 4.0), fade_out=1.0, folder=tmp_path))
    assert heard is not None and heard.seconds == pytest.approx(4.0, abs=0.1)
    level = [rms(part) for part in np.array_split(heard.samples[: 4 * heard.rate], 40)]
    assert np.ptp(level[2:30]) < 0.02 and all(np.diff(level[30:]) < 0) and level[-1] < 0.01


def test_cross_fade_lies_around_the_change(tmp_path: Path):
    shown = decoded(run("slideshow", (RED, GREEN), None, 2.0, fade=1.0, folder=tmp_path))
    assert close(shown[50][1], ((RED.astype(int) + GREEN) // 2).astype(np.uint8), 8)
    assert close(shown[36][1], RED) and close(shown[64][1], GREEN)
    hard = decoded(run("slideshow", (RED, GREEN), None, 1.0, fade=0.0, folder=tmp_path))
    assert close(hard[24][1], RED) and close(hard[25][1], GREEN)


def test_first_frame_is_the_picture(tmp_path: Path):
    picture = gradient(320, 200)
    first = decoded(run("slideshow", (picture,), tone(seconds=1.0), folder=tmp_path))[0][1]
    assert close(first, picture, 3.0)


@pytest.mark.parametrize(("sound", "wanted"), [(0.3, 1.0), (2.35, 2.35), (7.0, 7.0)])
def test_slideshow_lasts_as_long_as_its_sound(sound: float, wanted: float, tmp_path: Path):
    made = run("slideshow", (RED, GREEN), tone(660, sound, 44_100), folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(wanted, abs=0.02)
    assert told["audio"] == "aac" and told["audio_seconds"] == pytest.approx(sound, abs=0.02)
    heard = sound_of(made)
    assert heard is not None and abs(peak_frequency(heard) - 660) < 4


def test_pictures_take_turns_when_the_sound_is_longer():
    turns, seconds = timetable(2, 5.0, 1.5)
    assert [number for _, number in turns] == [0, 1, 0, 1] and seconds == 5.0
    assert timetable(3, None, None) == ([(0.0, 0), (3.0, 1), (6.0, 2)], 9.0)
    assert timetable(4, 2.0, None)[0][1] == (0.5, 1)


def test_pictures_of_another_shape_are_shown_whole(tmp_path: Path):
    tall = flat((250, 250, 20), 40, 120)
    shown = decoded(run("slideshow", (flat((10, 10, 240), 200, 100), tall), None, 1.0, fade=0.0, folder=tmp_path))
    last = shown[-1][1]
    assert last.shape[:2] == (100, 200)
    assert last[50, 100].tolist() == pytest.approx([250, 250, 20], abs=12) and last[50, 30].max() < 20
    assert (last[50, :, 0] > 128).sum() == pytest.approx(33, abs=2)


@pytest.mark.parametrize(("background", "expected"), [("white", 255), ("black", 0)])
def test_transparent_parts_show_the_background(background: str, expected: int, tmp_path: Path):
    picture = np.zeros((64, 64, 4), np.uint8)
    picture[:32] = (200, 0, 0, 255)
    first = decoded(run("slideshow", (picture,), None, 1.0, background=background, folder=tmp_path))[0][1]
    assert first[50, 32].tolist() == pytest.approx([expected] * 3, abs=6)
    assert first[10, 32].tolist() == pytest.approx([200, 0, 0], abs=12)


def test_size_can_be_chosen_and_blur_fills_the_bars(tmp_path: Path):
    made = run("slideshow", (flat((200, 100, 50), 60, 90),), None, 1.0, background="blur", width=160, height=90,
               folder=tmp_path)  # fmt: skip
    first = decoded(made)[0][1]
    assert first.shape == (90, 160, 3) and 30 < first[45, 5, 0] < 160
    narrow = run("slideshow", (gradient(200, 100),), None, 0.5, width=100, folder=tmp_path)
    assert stream_facts(narrow)["size"] == (100, 50)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 101), (97, 65), (640, 2)])
def test_odd_and_tiny_pictures_make_a_playable_video(width: int, height: int, tmp_path: Path):
    picture = np.full((height, width, 3), 200, np.uint8)
    for made in (
        run("slideshow", (picture,), None, 0.4, folder=tmp_path),
        run("image_to_video", picture, 0.4, folder=tmp_path),
    ):
        wide, high = stream_facts(made)["size"]
        assert wide % 2 == 0 and high % 2 == 0 and len(decoded(made)) == 10


def test_picture_of_odd_size_keeps_its_pixels(tmp_path: Path):
    picture = gradient(101, 75)
    first = decoded(run("slideshow", (picture,), None, 0.4, folder=tmp_path))[0][1]
    assert first.shape == (76, 102, 3) and close(np.ascontiguousarray(first[:75, :101]), picture, 3.0)


def test_sounds_of_any_form_fit_into_the_video(tmp_path: Path):
    for sound in (tone(440, 1.5, 37_123), tone(440, 1.5, 8000), tone(440, 1.5, 96_000, 2), tone(440, 1.5, 48_000, 6)):
        heard = sound_of(run("slideshow", (RED,), sound, folder=tmp_path))
        assert heard is not None and abs(peak_frequency(heard) - 440) < 4
        assert heard.samples.shape[1] == sound.samples.shape[1]


def test_camera_zooms_in_and_ends_at_the_zoom(tmp_path: Path):
    picture = gradient(320, 240)
    made = run("image_to_video", picture, 2.0, 2.0, folder=tmp_path)
    shown = decoded(made)
    assert len(shown) == 50 and stream_facts(made)["seconds"] == pytest.approx(2.0, abs=0.01)
    assert close(shown[0][1], picture, 3.0)
    middle = picture[60:180, 80:240].repeat(2, axis=0).repeat(2, axis=1)
    assert close(shown[-1][1], middle, 6.0)


def test_pan_moves_across_the_picture(tmp_path: Path):
    ramp = np.repeat(np.linspace(0, 255, 200).astype(np.uint8)[None, :, None], 100, axis=0).repeat(3, axis=2)
    shown = decoded(run("image_to_video", ramp, 1.0, 2.0, "pan right", folder=tmp_path))
    assert shown[0][1].mean() == pytest.approx(64, abs=6) and shown[-1][1].mean() == pytest.approx(191, abs=6)


@pytest.mark.parametrize(
    ("tool", "values", "port"),
    [
        ("slideshow", ((),), "images"),
        ("slideshow", ((RED,), None, 0.0), "seconds_per_image"),
        ("slideshow", ((RED,), Audio(np.zeros((0, 1), np.float32), 16_000)), "audio"),
        ("image_to_video", (RED, 0.0), "seconds"),
    ],
)
def test_what_cannot_be_shown_names_its_port(tool: str, values: tuple, port: str, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run(tool, *values, folder=tmp_path)
    assert told.value.port == port and told.value.fix


class _StoppedHalfWay(RunContext):
    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        self.fraction = fraction
        if fraction > 0.5:
            raise Cancelled


def test_making_a_video_reports_progress_and_can_be_stopped(tmp_path: Path):
    context = _StoppedHalfWay(tmp_path)
    with pytest.raises(Cancelled):
        run("slideshow", (RED,), None, 4.0, context=context)
    assert 0.5 < context.fraction < 0.6
    given = movie(tmp_path / "given.mp4", 50)
    for tool in ("resize_video", "stabilise_video", "dub_video"):
        with pytest.raises(Cancelled):
            run(tool, given, *{"resize_video": (40,), "dub_video": (tone(),)}.get(tool, ()), context=context)
