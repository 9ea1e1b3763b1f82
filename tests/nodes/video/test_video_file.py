"""Films as files: in the form and of at most the size that is asked for, as long as before, with their sound."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from nodes._support.media import movies
from nodes.api import NodeError
from tests.nodes.av_media import decoded, gradient, movie, peak_frequency, run, sound_of, stream_facts, tone

CONTAINERS = {"mp4": "mp4", "mov": "mov", "mkv": "matroska", "webm": "webm"}


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> Path:
    """2 s, 25 pictures a second, 96 x 64, H.264 and AAC, a tone of 440 Hz."""
    return movie(tmp_path_factory.mktemp("clip") / "clip.mp4", 50, sound=tone(440, 2.0, 44_100))


@pytest.fixture(scope="module")
def busy(tmp_path_factory) -> Path:
    """2 s of pictures that are hard to compress, 320 x 192, with a tone."""
    random = np.random.default_rng(0)
    soft = np.array(Image.fromarray(random.integers(0, 255, (48, 80, 3), np.uint8)).resize((320, 192)))
    shown = [np.roll(soft, 3 * number, 1) // 2 + random.integers(0, 90, soft.shape, np.uint8) for number in range(50)]
    return movie(tmp_path_factory.mktemp("busy") / "busy.mp4", pictures=shown, sound=tone(440, 2.0, 44_100))


def packets(path: Path, kind: str) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(**{kind: 0}) if packet.size]


def check(made: Path, seconds: float = 2.0, count: int = 50) -> None:
    """As long as before to a picture, and with the tone."""
    shown, heard = decoded(made), sound_of(made)
    assert len(shown) == count and shown[0][0] == pytest.approx(0, abs=0.005)
    assert np.diff([at for at, _ in shown]) == pytest.approx(np.full(count - 1, 0.04), abs=0.002)
    assert movies.facts(made).picture_seconds == pytest.approx(seconds, abs=0.04)
    assert heard is not None and abs(peak_frequency(heard) - 440) < 2
    assert heard.seconds == pytest.approx(seconds, abs=0.08)


@pytest.mark.parametrize("form", ["mp4", "mov", "mkv"])
def test_another_container_holds_the_same_packets(clip: Path, tmp_path: Path, form: str):
    made = run("video_file", clip, form, folder=tmp_path)
    assert made.suffix == f".{form}"
    with av.open(str(made)) as container:
        assert CONTAINERS[form] in container.format.name
    before = packets(clip, "audio")[form == "mkv" :]  # Matroska has no time before 0, where AAC starts its decoder
    assert packets(made, "video") == packets(clip, "video") and packets(made, "audio") == before
    check(made)


def test_what_webm_cannot_hold_is_coded_anew_and_back(clip: Path, tmp_path: Path):
    made = run("video_file", clip, "webm", folder=tmp_path)
    told = movies.facts(made)
    assert (told.video_codec, told.audio_codec, told.width, told.height) == ("vp9", "opus", 96, 64)
    check(made)
    back = run("video_file", made, "mp4", folder=tmp_path)
    assert (stream_facts(back)["video"], stream_facts(back)["audio"]) == ("h264", "aac")
    check(back)


@pytest.mark.parametrize(("form", "megabytes"), [("mp4", 0.3), ("mp4", 0.06), ("mp4", 0.015), ("webm", 0.05)])
def test_a_size_is_kept_to_and_made_use_of(busy: Path, tmp_path: Path, form: str, megabytes: float):
    assert busy.stat().st_size > megabytes * 1e6
    made = run("video_file", busy, form, megabytes, folder=tmp_path)
    assert 0.3 * megabytes * 1e6 < made.stat().st_size <= megabytes * 1e6
    check(made)
    known = movies.facts(made)
    assert (known.width, known.height) == (320, 192) if megabytes == 0.3 else known.width <= 320
    assert known.width / known.height == pytest.approx(320 / 192, rel=0.05)


def test_a_film_that_is_small_enough_is_copied(clip: Path, tmp_path: Path):
    assert packets(run("video_file", clip, "mp4", 1.0, folder=tmp_path), "video") == packets(clip, "video")


def test_a_size_that_cannot_be_had_names_the_port(busy: Path, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run("video_file", busy, "mp4", 0.001, folder=tmp_path)
    assert told.value.port == "size_mb" and "0.001" in told.value.message


def test_an_animated_gif_becomes_a_film(tmp_path: Path):
    given = tmp_path / "given.gif"
    pictures = [Image.fromarray(gradient(shift=5 * number)) for number in range(10)]
    pictures[0].save(given, save_all=True, append_images=pictures[1:], duration=100, loop=0)
    made = run("video_file", given, folder=tmp_path)
    assert stream_facts(made)["video"] == "h264" and stream_facts(made)["size"] == (96, 64)
    assert [at for at, _ in decoded(made)] == pytest.approx([n / 10 for n in range(10)], abs=0.002)
    assert stream_facts(made)["seconds"] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("form", ["mov", "mkv"])
def test_a_turned_film_stays_upright(tmp_path: Path, form: str):
    given = movie(tmp_path / "given.mp4", 5, rotation=90, sound=tone(440, 0.2, 44_100))
    known = movies.facts(run("video_file", given, form, folder=tmp_path))
    assert (known.width, known.height) == (64, 96)
