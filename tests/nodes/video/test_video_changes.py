"""What the video tools do to a video: times, pictures and sound, read back by PyAV."""

from __future__ import annotations

import itertools
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence
from skimage import data

from nodes._support.media import captions, frames
from nodes.api import Audio, NodeError, RunContext
from tests.nodes.av_media import (
    band_db,
    decoded,
    gradient,
    movie,
    noise,
    peak_frequency,
    rms,
    run,
    silence,
    sound_of,
    stream_facts,
    tone,
)


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> Path:
    """2 s, 25 pictures a second, 96 x 64, with a tone of 440 Hz: in frame n a white square has moved n pixels."""
    return movie(tmp_path_factory.mktemp("clip") / "clip.mp4", 50, sound=tone(440, 2.0, 44_100))


def moved(picture: np.ndarray) -> int:
    """By how many pixels the white square of `gradient` has moved."""
    height = picture.shape[0]
    row = picture[height * 3 // 8].astype(int).min(axis=1) > 200
    return int(np.flatnonzero(row)[0]) - 8 if row.any() else -1


def test_extracted_sound_is_that_of_the_video(clip: Path, tmp_path: Path):
    heard = run("extract_audio", clip, folder=tmp_path)
    assert heard.rate == 44_100 and heard.seconds == pytest.approx(2.0, abs=0.01)
    assert abs(peak_frequency(heard) - 440) < 1 and rms(heard.samples) == pytest.approx(0.354, abs=0.02)


def test_trim_is_exact_in_pictures_and_sound(tmp_path: Path):
    beep = silence(2.0, 44_100).samples.copy()
    beep[44_100:] = tone(880, 1.0, 44_100).samples
    given = movie(tmp_path / "given.mp4", 50, sound=type(tone())(beep, 44_100))
    made = run("trim_video", given, 0.8, 1.4, folder=tmp_path)
    shown, heard = decoded(made), sound_of(made)
    assert stream_facts(made)["seconds"] == pytest.approx(0.6, abs=0.01)
    assert [moved(picture) for _, picture in shown] == list(range(20, 35))
    assert [at for at, _ in shown] == pytest.approx([n / 25 for n in range(15)], abs=0.001)
    assert heard is not None
    start = np.flatnonzero(np.abs(heard.samples[:, 0]) > 0.2)[0] / heard.rate
    assert start == pytest.approx(0.2, abs=0.01)


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(video=0) if packet.size]


@pytest.mark.parametrize("options", [{"g": "10", "bf": "0"}, {"g": "10", "bf": "2", "b-adapt": "0"}])
def test_trim_copies_the_pictures_where_they_stand_alone(tmp_path: Path, options):
    hiss = noise(2.0, 44_100, 0.1)
    given = movie(tmp_path / "given.mp4", 50, sound=hiss, options={**options, "sc_threshold": "0"})
    for start, end, said in ((0.0, 1.2, (0.0, -0.8)), (0.4, 1.6, (0.4, 1.6)), (0.8, None, (-1.2, None))):
        made = run("trim_video", given, *said, folder=tmp_path)
        first, after = round(start * 25), round((end or 2) * 25)
        assert set(packets(made)) <= set(packets(given)), "not one picture is coded again"
        assert [moved(picture) for _, picture in decoded(made)] == list(range(first, after))
        assert [at for at, _ in decoded(made)] == pytest.approx([n / 25 for n in range(after - first)], abs=0.002)
        assert stream_facts(made)["seconds"] == pytest.approx((after - first) / 25, abs=0.01)
        whole, heard = run("extract_audio", given, folder=tmp_path), run("extract_audio", made, folder=tmp_path)
        assert abs(heard.seconds - (after - first) / 25) < 0.04
        place, piece = round(start * 44_100) + 4410, heard.samples[4410:8820]
        apart = [rms(piece - whole.samples[place + n : place + n + 4410]) for n in range(-1100, 1101)]
        assert abs(int(np.argmin(apart)) - 1100) < 0.005 * 44_100, "sound and pictures stay together"


@pytest.mark.parametrize(
    ("options", "rotation", "again"),
    [({"bf": "0"}, 0, 6), ({"bf": "2", "b-adapt": "0"}, 90, 6 + 4), ({"bf": "0", "profile": "baseline"}, 0, 6)],
)
def test_trim_between_key_frames_codes_only_the_ends_again(tmp_path: Path, options, rotation: int, again: int):
    given = movie(tmp_path / "given.mp4", 60, sound=noise(2.4, 44_100, 0.1), rotation=rotation,
                  options={"g": "10", "sc_threshold": "0", **options})  # fmt: skip
    made = run("trim_video", given, 0.56, 1.36, folder=tmp_path)
    assert len(set(packets(made)) - set(packets(given))) == again, "14 to 19, and with B-frames 30 to 33"
    shown = decoded(made)
    assert [moved(picture) for _, picture in shown] == list(range(14, 34))
    assert [at for at, _ in shown] == pytest.approx([n / 25 for n in range(20)], abs=0.002)
    before = decoded(given)
    assert all(np.array_equal(shown[n - 14][1], before[n][1]) for n in range(20, 30))
    assert all(np.abs(shown[n - 14][1].astype(int) - before[n][1]).mean() < 2 for n in range(14, 34))
    with av.open(str(made)) as container:
        assert next(container.decode(video=0)).rotation == rotation
        sound = container.streams.audio[0]
        assert float((sound.duration or 0) * (sound.time_base or 0)) == pytest.approx(0.8, abs=0.03)
        container.seek(0)
        times = [packet.dts or 0 for packet in container.demux(video=0) if packet.size]
        assert times == sorted(set(times))


def test_trim_codes_all_where_the_stream_is_of_a_kind_that_is_not_coded_like_it(tmp_path: Path):
    given = movie(tmp_path / "given.mp4", 60, pixels="yuv444p", options={"g": "10", "bf": "0"})
    made = run("trim_video", given, 0.56, 1.72, folder=tmp_path)
    assert not set(packets(made)) & set(packets(given)) and stream_facts(made)["pixels"] == "yuv420p"
    assert [moved(picture) for _, picture in decoded(made)] == list(range(14, 43))


def test_trim_of_pictures_that_lean_on_what_is_cut_codes_them_again(tmp_path: Path):
    given = movie(tmp_path / "given.mp4", 50, options={"g": "10", "bf": "2", "b-adapt": "0", "sc_threshold": "0"})
    made = run("trim_video", given, 0.0, 0.48, folder=tmp_path)
    assert [moved(picture) for _, picture in decoded(made)] == list(range(12))


def test_trim_between_two_pictures_begins_with_the_one_that_is_seen(clip: Path, tmp_path: Path):
    shown = decoded(run("trim_video", clip, 0.5, 1.0, folder=tmp_path))
    assert moved(shown[0][1]) == 12 and shown[0][0] == 0 and shown[1][0] == pytest.approx(0.02, abs=0.001)


def test_no_frame_of_an_avi_with_b_frames_is_lost(tmp_path: Path):
    given = movie(tmp_path / "given.avi", 48, options={"bf": "3", "b-adapt": "0"})
    told = [at for at, _ in decoded(given)]
    assert told != sorted(told), "AVI tells times in another order than the pictures are shown in"
    made = decoded(run("video_effect", given, "invert", folder=tmp_path))
    assert [moved(255 - picture) for _, picture in made] == list(range(48))
    assert np.diff([at for at, _ in made]) == pytest.approx(np.full(47, 0.04), abs=0.001)
    assert made[0][0] == pytest.approx(0, abs=0.001)
    trimmed = decoded(run("trim_video", given, folder=tmp_path))
    assert len(trimmed) == 48 and moved(trimmed[-1][1]) == 47
    joined = decoded(run("join_videos", (given, given), folder=tmp_path))
    assert [moved(picture) for _, picture in joined] == [*range(48), *range(48)]


@pytest.mark.parametrize("tool", ["reverse_video", "join_videos"])
def test_a_recording_that_begins_late_on_its_clock_is_as_long_as_it_lasts(tool: str, tmp_path: Path):
    given = movie(tmp_path / "late.mkv", 25, late=5.0, sound=tone(440, 1.0, 44_100))
    made = run(tool, (given, given) if tool == "join_videos" else given, folder=tmp_path)
    shown = decoded(made)
    seconds = 2.0 if tool == "join_videos" else 1.0
    assert shown[0][0] == pytest.approx(0, abs=0.001) and shown[-1][0] == pytest.approx(seconds - 0.04, abs=0.045)


@pytest.mark.parametrize(("start", "end", "port"), [(1.5, 1.0, "end"), (1.0, 1.0, "end"), (2.0, None, "start")])
@pytest.mark.parametrize("tool", ["trim_video", "video_to_gif"])
def test_empty_part_names_its_port(tool: str, start: float, end: float | None, port: str, clip: Path, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run(tool, clip, start=start, end=end, folder=tmp_path)
    assert told.value.port == port


def test_joined_videos_last_as_long_as_all_and_silence_fills_in(clip: Path, tmp_path: Path):
    mute = movie(tmp_path / "mute.mp4", 10, fps=10, size=(64, 64))
    made = run("join_videos", (clip, mute, clip), folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(5.0, abs=0.02) and told["audio_seconds"] == pytest.approx(5.0, abs=0.02)
    assert told["size"] == (96, 64) and len(decoded(made)) == 50 + 10 + 50
    heard = sound_of(made)
    assert heard is not None
    levels = [
        rms(heard.samples[int(a * heard.rate) : int(b * heard.rate)]) for a, b in ((0.2, 1.8), (2.2, 2.8), (3.2, 4.8))
    ]
    assert levels[0] > 0.3 and levels[1] < 0.005 and levels[2] > 0.3
    inserted = decoded(made)[55][1]
    assert inserted[:, :10].max() < 20 and inserted[:, 48].max() > 60


def test_films_of_different_sound_are_joined_in_stereo(tmp_path: Path):
    films = [movie(tmp_path / f"{n}.mp4", 10, fps=10, sound=tone(440, 1.0, 48_000, n)) for n in (6, 2, 6)]
    for some, channels in ((films[:2], 2), (films[::2], 6)):
        heard = sound_of(run("join_videos", tuple(some), folder=tmp_path))
        assert heard is not None and heard.samples.shape[1] == channels


def plain(
    path: Path, level: int, frequency: float, fps: int = 25, seconds: float = 2.0, size: tuple[int, int] = (64, 48)
):
    """A film of one grey and one tone."""
    picture = np.full((size[1], size[0], 3), level, np.uint8)
    heard = tone(frequency, seconds, 48_000, 2)
    return movie(path, pictures=[picture] * round(seconds * fps), fps=fps, sound=heard)


def test_joined_videos_fade_into_each_other_with_picture_and_sound(tmp_path: Path):
    films = (
        plain(tmp_path / "dark.mp4", 40, 440),
        plain(tmp_path / "bright.mp4", 200, 1000, fps=10),
        plain(tmp_path / "middle.mp4", 120, 2000),
    )
    made = run("join_videos", films, fade=0.5, folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(5.0, abs=0.02) and told["audio_seconds"] == pytest.approx(5.0, abs=0.02)
    levels = {at: float(picture.mean()) for at, picture in decoded(made)}

    def level(at: float) -> float:
        return levels[max(time for time in levels if time <= at + 1e-3)]

    assert level(1.44) == pytest.approx(40, abs=4) and level(2.04) == pytest.approx(200, abs=4)
    assert level(1.76) == pytest.approx(120, abs=8) and level(3.28) == pytest.approx(157, abs=8)
    between = [levels[at] for at in sorted(levels) if 1.5 <= at < 2.0]
    assert len(between) >= 12 and between == sorted(between)  # smooth, though one of the two has 10 pictures a second
    heard = sound_of(made)
    assert heard is not None

    def part(begin: float, end: float) -> Audio:
        return Audio(heard.samples[int(begin * heard.rate) : int(end * heard.rate)], heard.rate)

    assert abs(peak_frequency(part(0.2, 1.4)) - 440) < 6 and abs(peak_frequency(part(2.1, 2.9)) - 1000) < 6
    change = part(1.65, 1.85)
    assert abs(band_db(change, 400, 480) - band_db(change, 960, 1040)) < 3  # both are heard in its middle
    assert rms(change.samples) == pytest.approx(rms(part(0.5, 1.0).samples), rel=0.15)


def test_a_fade_takes_at_most_half_of_the_shortest_film_and_mute_films_fade_into_sound(clip: Path, tmp_path: Path):
    mute = movie(tmp_path / "mute.mp4", 10, fps=10, size=(64, 64))
    made = run("join_videos", (clip, mute, clip), fade=20, folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(4.0, abs=0.02) and told["audio_seconds"] == pytest.approx(4.0, abs=0.02)
    heard = sound_of(made)
    assert heard is not None and rms(heard.samples[int(1.97 * heard.rate) : int(2.03 * heard.rate)]) < 0.1


@pytest.mark.parametrize(("speed", "frames"), [(2.0, 25), (0.5, 50), (4.0, 13)])
def test_speed_changes_the_length_and_not_the_pitch(speed: float, frames: int, clip: Path, tmp_path: Path):
    made = run("video_speed", clip, speed, folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(2 / speed, abs=0.03) and told["frames"] == frames
    assert told["audio_seconds"] == pytest.approx(2 / speed, abs=0.05)
    heard = sound_of(made)
    assert heard is not None and abs(peak_frequency(heard) - 440) < 6
    middle = decoded(made)[frames // 2]
    assert moved(middle[1]) == pytest.approx(middle[0] * speed * 25, abs=1)


def test_reversed_video_ends_where_it_began(tmp_path: Path):
    sound = np.vstack((tone(440, 1.0, 44_100).samples, tone(1000, 1.0, 44_100).samples))
    given = movie(tmp_path / "given.mp4", 50, sound=type(tone())(sound, 44_100))
    made = run("reverse_video", given, folder=tmp_path)
    shown, heard = decoded(made), sound_of(made)
    assert [moved(picture) for _, picture in shown] == list(range(49, -1, -1))
    assert stream_facts(made)["seconds"] == pytest.approx(2.0, abs=0.01) and heard is not None
    assert abs(peak_frequency(type(heard)(heard.samples[:40_000], heard.rate)) - 1000) < 4


def test_reversal_in_stretches_is_the_same(clip: Path, tmp_path: Path, monkeypatch):
    from nodes.video import reverse_video

    monkeypatch.setattr(reverse_video, "_HELD_BYTES", 96 * 64 * 3 * 7)
    shown = decoded(run("reverse_video", clip, folder=tmp_path))
    assert [moved(picture) for _, picture in shown] == list(range(49, -1, -1))


@pytest.mark.parametrize(
    ("values", "size"),
    [({"width": 48}, (48, 32)), ({"height": 33}, (50, 34)), ({"width": 64, "height": 64}, (64, 64)),
     ({"width": 192, "height": 64, "fit": "crop"}, (192, 64)),
     ({"width": 50, "height": 90, "fit": "stretch"}, (50, 90))],
)  # fmt: skip
def test_resized_video_has_its_size_and_all_its_pictures(values: dict, size: tuple, clip: Path, tmp_path: Path):
    made = run("resize_video", clip, **values, folder=tmp_path)
    told = stream_facts(made)
    assert told["size"] == size and told["frames"] == 50 and told["audio_seconds"] == pytest.approx(2.0, abs=0.03)


def test_padding_shows_the_whole_video_and_cropping_fills(clip: Path, tmp_path: Path):
    padded = decoded(run("resize_video", clip, 64, 64, folder=tmp_path))[0][1]
    assert padded[:8].max() < 24 and padded[20:44].max() > 200
    cropped = decoded(run("resize_video", clip, 64, 64, "crop", folder=tmp_path))[0][1]
    assert cropped[:4].mean() > 40


def test_resize_without_a_size_names_the_port(clip: Path, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run("resize_video", clip, folder=tmp_path)
    assert told.value.port == "width"


@pytest.mark.parametrize(
    ("values", "size", "corner"),
    [
        ({"shape": "square"}, (64, 64), (16, 0)),
        ({"shape": "9:16"}, (36, 64), (30, 0)),
        ({"shape": "square", "left": 0}, (64, 64), (0, 0)),
        ({"left": 6, "top": 10, "width": 40, "height": 30}, (40, 30), (6, 10)),
        ({"top": 12}, (96, 52), (0, 12)),
        ({"left": 5}, (90, 64), (5, 0)),
        ({"width": 20, "shape": "4:3"}, (20, 14), (38, 24)),
        ({"left": 80, "width": 90}, (16, 64), (80, 0)),
    ],
)
def test_cropped_film_is_that_part_with_its_sound(clip: Path, tmp_path: Path, values, size, corner):
    made = run("crop_video", clip, **values, folder=tmp_path)
    told, shown, before = stream_facts(made), decoded(made), decoded(clip)
    assert told["size"] == size and told["frames"] == 50
    assert told["seconds"] == pytest.approx(2.0, abs=0.001)
    left, top = corner
    for number in (0, 20, 49):
        part = before[number][1][top : top + size[1], left : left + size[0]].astype(int)
        assert np.abs(shown[number][1][: len(part)].astype(int) - part).mean() < 4
    heard = sound_of(made)
    assert heard is not None and abs(peak_frequency(heard) - 440) < 1 and heard.seconds == pytest.approx(2, abs=0.05)


def test_a_crop_is_of_the_upright_picture(tmp_path: Path):
    made = run("crop_video", movie(tmp_path / "given.mp4", 5, rotation=90), top=0, height=20, folder=tmp_path)
    upright = np.rot90(gradient())[:20].astype(int)
    assert np.abs(decoded(made)[0][1].astype(int) - upright).mean() < 8


@pytest.mark.parametrize(
    ("values", "port"),
    [
        ({}, "width"),
        ({"left": 96}, "left"),
        ({"top": 70, "shape": "square"}, "top"),
        ({"left": 99, "width": 9}, "left"),
    ],
)
def test_a_crop_that_keeps_nothing_names_the_port(clip: Path, tmp_path: Path, values, port):
    with pytest.raises(NodeError) as told:
        run("crop_video", clip, **values, folder=tmp_path)
    assert told.value.port == port


@pytest.mark.parametrize(
    ("turn", "change"),
    [("90 clockwise", lambda p: np.rot90(p, -1)), ("90 counterclockwise", np.rot90), ("180", lambda p: p[::-1, ::-1]),
     ("mirror left-right", lambda p: p[:, ::-1]), ("mirror up-down", lambda p: p[::-1])],
)  # fmt: skip
def test_turned_video_is_turned(turn: str, change, clip: Path, tmp_path: Path):
    shown = decoded(run("rotate_video", clip, turn, folder=tmp_path))
    wanted = change(gradient(shift=10))
    assert shown[10][1].shape == wanted.shape and np.abs(shown[10][1].astype(int) - wanted).mean() < 8


def test_muted_video_has_the_same_pictures_bit_by_bit(clip: Path, tmp_path: Path):
    made = run("mute_video", clip, folder=tmp_path)
    assert stream_facts(made)["audio"] is None
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(decoded(made), decoded(clip), strict=True))


def test_dubbing_replaces_the_sound_and_copies_the_pictures(clip: Path, tmp_path: Path):
    made = run("dub_video", clip, tone(1000, 2.0, 22_050), folder=tmp_path)
    heard = sound_of(made)
    assert heard is not None and abs(peak_frequency(heard) - 1000) < 3
    assert band_db(heard, 420, 460) < band_db(heard, 980, 1020) - 50
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(decoded(made), decoded(clip), strict=True))


def test_mixing_keeps_both_sounds(clip: Path, tmp_path: Path):
    heard = sound_of(run("dub_video", clip, tone(1000, 2.0, 22_050), "mix", folder=tmp_path))
    assert heard is not None and abs(band_db(heard, 420, 460) - band_db(heard, 980, 1020)) < 2


@pytest.mark.parametrize("level", [0.05, 0.9])
def test_how_much_quieter_than_the_film_the_music_is_does_not_depend_on_how_loud_it_was(level, clip, tmp_path):
    heard = sound_of(run("dub_video", clip, tone(1000, 2.0, level=level), "mix", gain=-14, folder=tmp_path))
    assert heard is not None
    assert band_db(heard, 420, 460) - band_db(heard, 980, 1020) == pytest.approx(14, abs=1.5)


@pytest.mark.parametrize("seconds", [0.5, 2.0, 5.5, 30.0])
def test_a_dubbed_film_keeps_its_length_and_speed(seconds: float, clip: Path, tmp_path: Path):
    context = RunContext(tmp_path)
    made = run("dub_video", clip, tone(500, seconds, 8000), context=context)
    facts = stream_facts(made)
    assert facts["seconds"] == pytest.approx(2.0, abs=0.03) == facts["audio_seconds"]
    assert [at for at, _ in decoded(made)] == [at for at, _ in decoded(clip)]
    words = {0.5: "followed by silence", 5.5: "cut to the 2.0 s", 30.0: "cut to the 2.0 s"}.get(seconds, "")
    assert (words in context.told[0]) if words else not context.told


def test_the_last_picture_stands_until_the_end_of_a_longer_sound_where_that_is_wanted(clip: Path, tmp_path: Path):
    for length, seconds, lasts in (("auto", 5.5, 5.5), ("auto", 30.0, 2.0), ("sound", 13.0, 13.0)):
        made = stream_facts(run("dub_video", clip, tone(500, seconds, 8000), length=length, folder=tmp_path))
        assert made["seconds"] == pytest.approx(lasts, abs=0.03) == made["audio_seconds"]


def test_the_new_sound_fades_at_the_end_of_the_film_and_not_at_its_own(clip: Path, tmp_path: Path):
    made = run("dub_video", clip, tone(500, 5.5), fade_in=0.5, fade_out=1.0, folder=tmp_path)
    heard = sound_of(made)
    assert heard is not None
    level = [rms(part) for part in np.array_split(heard.samples[: 2 * heard.rate], 20)]
    assert all(np.diff(level[:5]) > 0) and all(np.diff(level[10:]) < 0)
    assert level[0] < 0.03 and level[-1] < 0.01 and np.ptp(level[5:10]) < 0.03


def test_a_shorter_sound_fades_at_its_own_end(clip: Path, tmp_path: Path):
    heard = sound_of(run("dub_video", clip, tone(500, 1.0), fade_out=0.5, folder=tmp_path))
    assert heard is not None and heard.seconds == pytest.approx(2.0, abs=0.05)
    early, late = (rms(heard.samples[round(at * heard.rate) :][: heard.rate // 20]) for at in (0.3, 0.9))
    assert early > 0.3 > 0.06 > late > 0 and rms(heard.samples[-heard.rate // 2 :]) < 0.001


def test_short_sound_can_be_repeated(clip: Path, tmp_path: Path):
    heard = sound_of(run("dub_video", clip, tone(500, 0.5), loop=True, folder=tmp_path))
    assert heard is not None and heard.seconds == pytest.approx(2.0, abs=0.05) and rms(heard.samples[-8000:]) > 0.2


def test_video_without_sound_can_be_dubbed_and_mixed(tmp_path: Path):
    mute = movie(tmp_path / "mute.mp4", 25)
    for mode in ("replace", "mix"):
        heard = sound_of(run("dub_video", mute, tone(500, 1.0), mode, folder=tmp_path))
        assert heard is not None and abs(peak_frequency(heard) - 500) < 3


def test_effects_change_the_pictures(clip: Path, tmp_path: Path):
    before = decoded(clip)[5][1].astype(int)
    grey = decoded(run("video_effect", clip, folder=tmp_path))[5][1].astype(int)
    assert (grey.max(axis=2) - grey.min(axis=2)).mean() < 3
    assert decoded(run("video_effect", clip, "brighter", folder=tmp_path))[5][1].mean() > before.mean() + 15
    assert decoded(run("video_effect", clip, "darker", folder=tmp_path))[5][1].mean() < before.mean() - 15
    inverted = decoded(run("video_effect", clip, "invert", folder=tmp_path))[5][1].astype(int)
    assert np.abs(inverted + before - 255).mean() < 6
    assert (
        np.abs(decoded(run("video_effect", clip, "sepia", 0.0, folder=tmp_path))[5][1].astype(int) - before).mean() < 4
    )


def test_a_picture_every_half_second_begins_at_0_and_as_many_as_the_film_lasts(clip: Path, tmp_path: Path):
    images = run("video_frames", clip, every=0.5, folder=tmp_path)
    assert [moved(image) for image in images] == [moved(decoded(clip)[at][1]) for at in (0, 12, 25, 37)]
    assert len(run("video_frames", clip, every=30.0, folder=tmp_path)) == 1
    with pytest.raises(NodeError, match="400 pictures; 300 is the most") as told:
        run("video_frames", clip, every=0.005, folder=tmp_path)
    assert told.value.port == "every"


def test_frames_are_evenly_spread_and_exact(clip: Path, tmp_path: Path):
    images = run("video_frames", clip, 5, folder=tmp_path)
    assert [moved(image) for image in images] == [5, 15, 25, 35, 45]
    assert len(run("video_frames", clip, 60, folder=tmp_path)) == 60
    assert moved(run("video_frames", clip, 1, folder=tmp_path)[0]) == 25


def test_frames_of_a_long_video_are_found_by_seeking(tmp_path: Path):
    given = movie(tmp_path / "long.mp4", 40, fps=1)
    assert [moved(image) for image in run("video_frames", given, 4, folder=tmp_path)] == [5, 15, 25, 35]


def test_frame_at_a_time_is_the_one_that_is_seen(clip: Path, tmp_path: Path):
    assert [moved(run("video_frame", clip, at)) for at in (0.0, 0.05, 1.0, 1.99, 2.0)] == [0, 1, 25, 49, 49]
    with pytest.raises(NodeError) as told:
        run("video_frame", clip, 2.5)
    assert told.value.port == "seconds"


def test_thumbnail_is_neither_black_nor_blurred(tmp_path: Path):
    import cv2

    sharp = np.random.default_rng(0).integers(0, 255, (8, 12, 3), dtype=np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    pictures = [np.zeros_like(sharp)] * 20 + [cv2.GaussianBlur(sharp, (0, 0), 6)] * 20 + [sharp] * 6
    pictures += [np.full_like(sharp, 255)] * 20
    given = movie(tmp_path / "given.mp4", pictures=pictures)
    best = run("video_thumbnail", given, folder=tmp_path)
    assert np.abs(best.astype(int) - sharp).mean() < 12


def test_scenes_are_cut_where_the_pictures_change(tmp_path: Path):
    first = [gradient(shift=n) for n in range(30)]
    second = [255 - gradient(shift=n) for n in range(20)]
    third = [np.full((64, 96, 3), (200, 30, 30), np.uint8)] * 25
    given = movie(tmp_path / "given.mp4", pictures=[*first, *second, *third])
    rows = run("detect_scenes", given, folder=tmp_path).rows
    assert [row[1] for row in rows] == pytest.approx([0, 1.2, 2.0], abs=0.001)
    assert rows[-1][2] == pytest.approx(3.0, abs=0.01)


def test_video_without_cuts_is_one_scene(clip: Path, tmp_path: Path):
    assert len(run("detect_scenes", clip, folder=tmp_path).rows) == 1


def test_facts_are_right(clip: Path):
    facts = {row[0]: row[1] for row in run("video_facts", clip).rows}
    assert (facts["width"], facts["height"], facts["duration"], facts["frame rate"]) == (96, 64, 2.0, 25.0)
    assert facts["sound"] == "yes" and facts["sample rate"] == 44_100 and facts["video coding"] == "h264"


def test_gif_has_the_pictures_and_repeats(clip: Path, tmp_path: Path):
    made = run("video_to_gif", clip, 48, 10.0, folder=tmp_path)
    with Image.open(made) as opened:
        assert opened.format == "GIF" and opened.size == (48, 32) and opened.info["loop"] == 0
        assert opened.n_frames == 20
        opened.seek(10)
        middle = np.asarray(opened.convert("RGB").resize((96, 64)))
        total = sum(opened.info["duration"] for n in range(20) if opened.seek(n) is None)
    assert moved(middle) == pytest.approx(25, abs=2) and total == pytest.approx(2000, abs=100)


def test_a_webp_has_the_pictures_the_time_and_the_colours_and_is_smaller(tmp_path: Path):
    given = [np.roll(data.astronaut()[:222, :302], 3 * number, 1) for number in range(12)]
    film = movie(tmp_path / "film.mp4", pictures=[one for one in given for _ in range(5)])
    made = run("video_to_gif", film, 151, 5.0, format="webp", folder=tmp_path)
    gif = run("video_to_gif", film, 151, 5.0, folder=tmp_path)
    with Image.open(made) as opened:
        assert opened.format == "WEBP" and opened.n_frames == 12 and opened.info["loop"] == 0
        pictures, times = [], []
        for one in ImageSequence.Iterator(opened):
            pictures.append(np.asarray(one.convert("RGB"), float))
            times.append(opened.info["duration"])
        assert sum(times) == pytest.approx(2400, abs=5)
    seen = [np.asarray(Image.fromarray(one).resize(pictures[0].shape[1::-1]), float) for one in given]
    assert max(np.abs(a - b).mean() for a, b in zip(seen, pictures, strict=True)) < 8
    assert made.stat().st_size < gif.stat().st_size / 2


@pytest.mark.parametrize(("most", "told"), [(10_000_000, 0), (3_000, 1)])
def test_how_large_a_gif_is_is_told_where_it_is_large(clip: Path, tmp_path: Path, monkeypatch, most: int, told: int):
    monkeypatch.setattr(frames, "LARGE_GIF", most)
    context = RunContext(tmp_path)
    run("video_to_gif", clip, 48, 10.0, context=context)
    assert len(context.told) == told and all("large" in one and "smaller" in one for one in context.told)


SRT = """1
00:00:00,400 --> 00:00:01,000
<i>Hello</i> &amp; welcome

2
00:00:01,200 --> 00:00:01,800 align:start
Second line
and third
"""


def test_the_subtitle_track_of_a_film_is_written_into_its_gif(tmp_path: Path):
    given = movie(tmp_path / "dark.mp4", pictures=[np.full((180, 320, 3), 40, np.uint8)] * 50)
    made = run("video_to_gif", run("add_subtitle_track", given, SRT, folder=tmp_path), 320, 10.0, 0.2, folder=tmp_path)
    with Image.open(made) as opened:
        pictures = [np.asarray(picture.convert("L")) for picture in ImageSequence.Iterator(opened)]
    times = [0.2 + number / 10 for number in range(len(pictures))]
    shown = [bool((picture[90:] > 200).sum() > 20) for picture in pictures]
    assert shown == [0.35 < time < 0.95 or 1.15 < time < 1.75 for time in times]


def test_subtitles_are_seen_only_in_their_time(tmp_path: Path):
    given = movie(tmp_path / "dark.mp4", pictures=[np.full((180, 320, 3), 40, np.uint8)] * 50, sound=tone(seconds=2.0))
    made = run("burn_subtitles", given, SRT, folder=tmp_path)
    seen = [bool((picture[120:] > 200).sum() > 20) for _, picture in decoded(made)]
    assert seen == [10 <= n < 25 or 30 <= n < 45 for n in range(50)]
    assert not any((picture[:100] > 200).any() for _, picture in decoded(made))
    assert sound_of(made) is not None
    top = decoded(run("burn_subtitles", given, "A caption at the top", position="top", folder=tmp_path))
    assert all((picture[:60] > 200).sum() > 20 and (picture[90:] < 90).all() for _, picture in top)


def test_letters_have_the_colour_that_is_said_and_an_edge_that_sets_them_off():
    yellow, black, plain = (
        captions.drawn("Hello", 400, 200, 40, paint=p) for p in ((255, 255, 0), (0, 0, 0), (255,) * 3)
    )
    inside = plain[:, :, :3].min(2) == 255
    assert (yellow[inside][:, :3] == (255, 255, 0)).all() and (black[inside][:, :3] == 0).all()
    edge = (plain[:, :, 3] == 255) & (plain[:, :, :3].max(2) < 20)
    assert (black[edge][:, :3] > 240).all() and edge.sum() > 100


def test_srt_and_vtt_and_plain_text_are_read():
    assert captions.read(SRT, 9.0) == [
        captions.Caption(0.4, 1.0, "Hello & welcome"), captions.Caption(1.2, 1.8, "Second line\nand third"),
    ]  # fmt: skip
    vtt = captions.read("WEBVTT\n\n00:01.500 --> 00:02.000\nOne\n\nname\n00:03.000 --> 00:04.000\nTwo", 9.0)
    assert vtt == [captions.Caption(1.5, 2.0, "One"), captions.Caption(3.0, 4.0, "Two")]
    plain = captions.read("First sentence. Second one! " + "word " * 40, 12.0)
    assert plain[0].start == 0 and plain[-1].end == pytest.approx(12.0) and plain[0].text == "First sentence."
    assert all(len(caption.text) <= 84 for caption in plain)
    assert all(a.end == b.start for a, b in itertools.pairwise(plain))
    assert captions.read("  \n ", 5.0) == []
    assert captions.read(captions.srt(plain), 1.0)[1].text == plain[1].text


def test_long_caption_is_broken_into_lines_within_the_width():
    drawn = captions.drawn("A rather long caption that cannot stand on one line", 200, 400, 20)
    assert drawn.shape[1] <= 200 and drawn.shape[0] > 2 * 18 and drawn.shape[2] == 4


def test_long_caption_without_spaces_is_broken_within_the_width():
    try:
        drawn = captions.drawn("一二三四五六七八九十" * 4, 200, 400, 20)
    except NodeError:
        pytest.skip("no font on this computer has Chinese letters")
    assert drawn.shape[1] <= 200


def test_letters_that_no_font_has_are_left_out_and_told(clip: Path, tmp_path: Path):
    context = RunContext(tmp_path)
    made, plain = (
        run("burn_subtitles", clip, text, context=context) for text in ("Hello \U0010fffd there", "Hello there")
    )
    assert np.array_equal(decoded(made)[5][1], decoded(plain)[5][1]) and len(context.told) == 1
    assert "\U0010fffd" in context.told[0]
    with pytest.raises(NodeError, match="No font on this computer"):
        run("burn_subtitles", clip, "\U0010fffd", folder=tmp_path)


def test_empty_subtitles_name_the_text(clip: Path, tmp_path: Path):
    for tool in ("burn_subtitles", "add_subtitle_track"):
        with pytest.raises(NodeError) as told:
            run(tool, clip, "  ", folder=tmp_path)
        assert told.value.port == "text"


def test_subtitle_track_holds_the_words_and_leaves_the_rest(clip: Path, tmp_path: Path):
    made = run("add_subtitle_track", clip, SRT.replace("Hello", "Grüß"), "de", folder=tmp_path)
    with av.open(str(made)) as container:
        track = container.streams.subtitles[0]
        assert track.codec_context.name == "mov_text" and track.metadata["language"] == "deu"
        said = [(p.pts, p.duration, bytes(p)[2:].decode()) for p in container.demux(track) if p.size > 2]
    assert said == [(400, pytest.approx(600, abs=2), "Grüß & welcome"),
                    (1200, pytest.approx(600, abs=2), "Second line\nand third")]  # fmt: skip
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(decoded(made), decoded(clip), strict=True))
    assert stream_facts(made)["audio"] == "aac"


@pytest.mark.parametrize(
    ("said", "language", "told"),
    [
        ("Guten Morgen, wie war die Reise gestern?", "auto", "deu"),
        ("Kus on lähim apteek? Ma olen haige.", "auto", "est"),
        ("أين أقرب صيدلية من فضلك؟", "auto", "ara"),
        ("Hvor er nærmeste apotek?", "nb", "nob"),
        ("Mm hm.", "auto", "und"),
    ],
)
def test_a_subtitle_track_tells_the_language_of_its_words(clip: Path, tmp_path: Path, said, language, told):
    subtitles = f"1\n00:00:00,400 --> 00:00:01,000\n{said}\n"
    made = run("add_subtitle_track", clip, subtitles, language, folder=tmp_path)
    with av.open(str(made)) as container:
        assert container.streams.subtitles[0].metadata.get("language", "und") == told


def test_logo_lies_in_its_corner(clip: Path, tmp_path: Path):
    logo = np.zeros((10, 20, 4), np.uint8)
    logo[:, 10:] = (255, 0, 255, 255)
    made = decoded(run("watermark_video", clip, logo, "top left", 40.0, 1.0, folder=tmp_path))[30][1].astype(int)
    before = decoded(clip)[30][1].astype(int)
    assert made[8:14, 26:36].mean(axis=(0, 1)) == pytest.approx([255, 0, 255], abs=25)
    assert np.abs(made[8:14, 4:16] - before[8:14, 4:16]).mean() < 12
    assert np.abs(made[40:, 50:] - before[40:, 50:]).mean() < 6


def test_small_video_plays_in_the_corner_and_goes_when_it_ends(clip: Path, tmp_path: Path):
    red = movie(tmp_path / "red.mp4", pictures=[np.full((64, 96, 3), (230, 20, 20), np.uint8)] * 10, fps=10)
    shown = decoded(run("picture_in_picture", clip, red, "bottom right", 40.0, folder=tmp_path))
    assert len(shown) == 50
    assert shown[20][1][50, 75].tolist() == pytest.approx([230, 20, 20], abs=25)
    assert np.abs(shown[40][1][50, 75].astype(int) - gradient(shift=40)[50, 75]).max() < 30


def test_stabilised_video_moves_less(tmp_path: Path):
    import cv2

    random = np.random.default_rng(5)
    scene = cv2.GaussianBlur(random.integers(0, 255, (60, 80, 3), dtype=np.uint8).repeat(6, 0).repeat(6, 1), (0, 0), 2)
    shake = np.round(random.normal(0, 3, (40, 2))).astype(int)
    pictures = [scene[60 + y : 220 + y, 80 + x : 320 + x] for x, y in shake]
    given = movie(tmp_path / "shaky.mp4", pictures=[np.ascontiguousarray(p) for p in pictures])
    made = run("stabilise_video", given, folder=tmp_path)

    def shaking(path: Path) -> float:
        grey = [cv2.cvtColor(p, cv2.COLOR_RGB2GRAY)[20:-20, 20:-20].astype(np.float32) for _, p in decoded(path)]
        return float(np.mean([np.hypot(*cv2.phaseCorrelate(a, b)[0]) for a, b in itertools.pairwise(grey)]))

    assert len(decoded(made)) == 40 and stream_facts(made)["size"] == (240, 160)
    assert shaking(made) < 0.25 * shaking(given)


def test_stabilising_what_cannot_be_tracked_changes_nothing(tmp_path: Path):
    flat = movie(tmp_path / "flat.mp4", pictures=[np.full((64, 96, 3), 120, np.uint8)] * 5)
    assert np.abs(decoded(run("stabilise_video", flat, folder=tmp_path))[3][1].astype(int) - 120).max() < 4


def test_noise_survives_as_sound_of_a_rewritten_video(tmp_path: Path):
    given = movie(tmp_path / "given.mp4", 25, sound=noise(1.0, 44_100))
    heard = sound_of(run("resize_video", given, 40, folder=tmp_path))
    assert heard is not None and rms(heard.samples) == pytest.approx(0.1, abs=0.02)


def test_letters_of_every_line_lie_within_their_edge():
    drawn = captions.drawn("One line\nanother line\na third", 400, 300, 24)
    white = drawn[:, :, 0] > 128
    assert white.any() and (drawn[:, :, 3][white] > 128).all()
    rows = np.flatnonzero(white.any(axis=1))
    assert (np.diff(rows) > 1).sum() >= 2
