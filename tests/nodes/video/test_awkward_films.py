"""Films as cameras, recorders and broadcasts leave them: each picture once, in time, upright, with its sound."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from nodes._support.media import high_range, movies
from nodes.api import NodeError
from tests.nodes.av_media import noise, run, stream_facts, tone
from tests.nodes.numbered_films import PATCH, clicks, film, flashes, picture, read, seen

_B = {"bf": "2", "b-adapt": "0"}
_VARIABLE = [0.0, 0.04, 0.08, 0.2, 0.21, 0.22, 0.32, 0.4, 0.48, 0.56, 0.76, 0.96, 1.0, 1.08, 1.1, 1.18]
_QUICK = {"deadline": "realtime", "cpu-used": "8"}
FILMS: dict[str, Callable[[Path], Path]] = {
    "avi with b-frames": lambda at: film(at / "a.avi", options=_B, audio="libmp3lame"),
    "avi of divx": lambda at: film(at / "a.avi", video="mpeg4", options={"bf": "2"}, audio="libmp3lame"),
    "transport stream": lambda at: film(at / "a.ts", video="mpeg2video", options={"bf": "2", "b": "2M"}, audio="mp2"),
    "program stream": lambda at: film(at / "a.mpg", video="mpeg2video", options={"bf": "2", "b": "2M"}, audio="mp2"),
    "turned by 90": lambda at: film(at / "a.mp4", rotation=90),
    "turned by 180": lambda at: film(at / "a.mp4", rotation=180),
    "turned by 270": lambda at: film(at / "a.mov", rotation=270),
    "variable rate": lambda at: film(at / "a.mp4", times=_VARIABLE),
    "odd size": lambda at: film(at / "a.webm", size=(321, 181), video="libvpx-vp9", options=_QUICK, audio="libopus"),
    "59.94 a second, 5.1": lambda at: film(at / "a.mp4", fps=Fraction(60_000, 1001), layout="5.1"),
    "flac in matroska": lambda at: film(at / "a.mkv", audio="flac", rate=96_000),
    "hevc of 10 bits": lambda at: film(
        at / "a.mkv", video="libx265", pixels="yuv420p10le", options={"x265-params": "log-level=none"}
    ),
    "av1": lambda at: film(at / "a.mp4", video="libsvtav1", options={"preset": "11", "svtav1-params": "lp=1"}),
    "begins at 5 s": lambda at: film(at / "a.mkv", late=5.0),
}
_DOT = "1\n00:00:00,100 --> 00:00:00,140\n.\n"
KEPT: dict[str, Callable[[Path, Path], Path]] = {
    "video_effect": lambda v, at: run("video_effect", v, "contrast", 0.0, folder=at),
    "rotate_video": lambda v, at: run("rotate_video", run("rotate_video", v, "180", folder=at), "180", folder=at),
    "dub_video": lambda v, at: run("dub_video", v, noise(1.0, 48_000, 0.001), "mix", folder=at),
    "mute_video": lambda v, at: run("mute_video", v, folder=at),
    "add_subtitle_track": lambda v, at: run("add_subtitle_track", v, _DOT, folder=at),
    "video_file mp4": lambda v, at: run("video_file", v, "mp4", folder=at),
    "video_file mkv": lambda v, at: run("video_file", v, "mkv", folder=at),
}


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def one(kind: str) -> Path:
        return made.get(kind) or made.setdefault(kind, FILMS[kind](tmp_path_factory.mktemp("films")))

    return one


def wanted(kind: str, video: Path) -> list[float]:
    """When each picture appears: as written, after the beginning of a sound that begins before them."""
    fps = Fraction(60_000, 1001) if "59.94" in kind else Fraction(25)
    times = _VARIABLE if kind == "variable rate" else [float(n / fps) for n in range(round(1.2 * fps))]
    begin = next(movies.pictures(video)).seconds
    assert begin < 0.05
    return [begin + at for at in times]


def numbers(shown) -> list[int]:
    return [read(pixels)[0] for _, pixels in shown]


@pytest.mark.parametrize("tool", KEPT)
@pytest.mark.parametrize("kind", FILMS)
def test_every_picture_is_there_once_in_time_and_upright(given, kind: str, tool: str, tmp_path: Path):
    video = given(kind)
    times = wanted(kind, video)
    made = KEPT[tool](video, tmp_path)
    shown = seen(made)
    assert numbers(shown) == list(range(len(times)))
    assert [at for at, _ in shown] == pytest.approx(times, abs=0.002)
    if made.suffix == ".mp4" and kind not in ("avi of divx", "avi with b-frames", "variable rate"):
        near = 0.03 if tool == "dub_video" else 0.005  # the last picture stands as long as the sound goes on
        assert stream_facts(made)["seconds"] + shown[0][0] == pytest.approx(2 * times[-1] - times[-2], abs=near)
    if "avi" not in kind:  # it does not say what its colours are
        assert np.abs(read(shown[5][1])[2] - PATCH).max() < 8
    if tool != "mute_video":
        lit, heard = flashes(shown), clicks(made)
        assert len(lit) == len(heard) == 2
        assert [abs(one - other) < 0.04 for one, other in zip(lit, heard, strict=True)] == [True, True]


@pytest.mark.parametrize("kind", FILMS)
def test_a_part_begins_and_ends_at_the_picture_that_is_asked_for(given, kind: str, tmp_path: Path):
    video = given(kind)
    times = wanted(kind, video)
    begin = max(n for n, at in enumerate(times) if at <= 0.3 + 1e-4)
    inside = [n for n, at in enumerate(times) if begin <= n and at < 1.1 - 1e-4]
    shown = seen(made := run("trim_video", video, 0.3, 1.1, folder=tmp_path))
    assert numbers(shown) == inside
    assert [at for at, _ in shown] == pytest.approx([max(times[n] - 0.3, 0) for n in inside], abs=0.002)
    assert [abs(one - other) < 0.04 for one, other in zip(flashes(shown), clicks(made), strict=True)] == [True, True]


@pytest.mark.parametrize("kind", FILMS)
def test_backwards_joined_and_slow_each_picture_is_there_once(given, kind: str, tmp_path: Path):
    video = given(kind)
    count = len(wanted(kind, video))
    assert numbers(seen(run("reverse_video", video, folder=tmp_path))) == list(reversed(range(count)))
    assert numbers(seen(run("video_speed", video, 0.5, folder=tmp_path))) == list(range(count))
    joined = seen(made := run("join_videos", (video, video), folder=tmp_path))
    assert numbers(joined) == 2 * list(range(count))
    assert [abs(one - other) < 0.04 for one, other in zip(flashes(joined), clicks(made), strict=True)] == [True] * 4
    parts = run("split_video", video, None, 2, folder=tmp_path)
    assert list(itertools.chain.from_iterable(numbers(seen(part)) for part in parts)) == list(range(count))


def test_codings_are_named_and_copied_whichever_decoder_reads_them(given, tmp_path: Path):
    assert movies.facts(given("av1")).video_codec == "av1"
    assert movies.facts(given("avi of divx")).audio_codec == "mp3"
    assert stream_facts(run("mute_video", given("av1"), folder=tmp_path))["video"] == "libdav1d", "not coded again"


def test_pictures_of_matroska_end_where_they_end_and_not_with_a_longer_sound(tmp_path: Path):
    part = film(tmp_path / "part.mp4", seconds=0.8, audio="")
    longer = run("dub_video", part, tone(seconds=2.0), length="sound", folder=tmp_path)
    assert movies.facts(run("video_file", longer, "mkv", folder=tmp_path)).seconds == pytest.approx(2.0, abs=0.05)
    video = film(tmp_path / "given.mkv", seconds=1.2)
    assert movies.facts(video).picture_seconds == pytest.approx(1.2, abs=0.001)


@pytest.mark.parametrize("told", [True, False])
def test_large_films_that_do_not_tell_their_colours_keep_them_as_players_show_them(tmp_path: Path, told: bool):
    video = film(tmp_path / "given.mp4", seconds=0.2, size=(1280, 720), audio="", told=told)
    assert np.abs(read(run("video_frame", video, 0.0))[2] - PATCH).max() < 6
    assert np.abs(read(seen(run("video_effect", video, "contrast", 0.0, folder=tmp_path))[0][1])[2] - PATCH).max() < 8


def _signal(colour: tuple[int, int, int], curve: str) -> np.ndarray:
    """What a camera writes for a colour of a screen, white at 203 cd/m2: BT.2020 in HLG or PQ (BT.2100), 0 to 1."""
    to_709 = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]])
    light = 203 * np.linalg.inv(to_709) @ (np.array(colour) / 255) ** 2.4
    if curve == "hlg":
        scene = light / 1000 * (light @ (0.2627, 0.678, 0.0593) / 1000) ** (1 / 1.2 - 1)
        bright = 0.17883277 * np.log(np.maximum(12 * scene - 0.28466892, 1e-9)) + 0.55991073
        return np.where(scene <= 1 / 12, np.sqrt(3 * scene), bright)
    power = (light / 10_000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375


@pytest.mark.parametrize(("curve", "number"), [("hlg", 18), ("pq", 16)])
@pytest.mark.parametrize("rotation", [0, 90])
def test_films_of_high_dynamic_range_have_the_colours_that_screens_show(tmp_path: Path, curve, number, rotation: int):
    colours = [(200, 60, 40), (120, 120, 120), (30, 90, 160)]
    pixels = np.vstack([np.full((32, 128, 3), np.round(_signal(one, curve) * 65_535), np.uint16) for one in colours])
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        stream: Any = container.add_stream("libx265", rate=25, options={"x265-params": "log-level=none:crf=6"})
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p10le"
        for name, value in (("colorspace", 9), ("color_primaries", 9), ("color_trc", number), ("color_range", 1)):
            setattr(stream.codec_context, name, value)
        if rotation:
            stream.set_display_rotation(rotation)
        for at in range(3):
            frame = av.VideoFrame.from_ndarray(pixels, "rgb48le")
            frame = frame.reformat(format="yuv420p10le", dst_colorspace=9, dst_color_range="MPEG")
            frame.pts, frame.time_base, frame.colorspace = at, Fraction(1, 25), 9
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    for tool, more in (("video_effect", ("contrast", 0.0)), ("video_file", ("webm",))):
        (_, shown), *_ = seen(run(tool, tmp_path / "a.mp4", *more, folder=tmp_path))
        upright = np.rot90(shown, -1) if rotation else shown
        means = [upright[row : row + 8, 40:88].reshape(-1, 3).mean(axis=0) for row in (12, 44, 76)]
        assert np.abs(np.array(means) - colours).max() < 7


def test_light_above_white_is_pressed_and_never_grows_darker():
    rising = high_range._pressed(np.linspace(0, 6, 2000))
    assert (np.diff(rising) >= 0).all() and rising[-1] == 1 and rising[200] == pytest.approx(0.6, abs=0.01)


def test_a_moving_webp_is_named_and_what_helps(tmp_path: Path):
    from PIL import Image

    shown = [Image.fromarray(picture(number)) for number in range(3)]
    shown[0].save(tmp_path / "a.webp", save_all=True, append_images=shown[1:], duration=100)
    with pytest.raises(NodeError, match=r"a WebP picture.*GIF or MP4"):
        run("video_file", tmp_path / "a.webp", "mp4", folder=tmp_path)
    (tmp_path / "a.mp4").write_text("no film")
    with pytest.raises(NodeError, match=r"^a\.mp4 cannot be read as a video: Invalid data found") as told:
        run("mute_video", tmp_path / "a.mp4", folder=tmp_path)
    assert str(tmp_path) not in told.value.message
