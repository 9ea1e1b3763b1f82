"""A film without its silences: what is left of pictures and sound, and that both stay together."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from nodes._support.media import movies
from nodes.api import Audio, NodeError
from tests.nodes.av_media import decoded, movie, noise, run, silence, stream_facts, tone

RATE = 44_100
EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"


def talk(path: Path, *spans: tuple[float, float], seconds: float = 4.0, heard: Audio | None = None, **more) -> Path:
    """25 pictures a second, in which a square moves; a noise in the spans, else silence."""
    sound = np.zeros((round(seconds * RATE), 1), np.float32)
    hiss = (heard or noise(seconds, RATE, 0.3)).samples
    for begin, end in spans:
        sound[round(begin * RATE) : round(end * RATE)] = hiss[round(begin * RATE) : round(end * RATE)]
    return movie(path, round(seconds * 25), size=(160, 64), sound=Audio(sound, RATE), **more)


def numbers(path: Path) -> list[tuple[float, int]]:
    """When each picture is seen, and which of `talk` it is."""
    rows = ((at, picture[24].astype(int).min(axis=1) > 200) for at, picture in decoded(path))
    return [(at, int(np.flatnonzero(row)[0]) - 8) for at, row in rows]


def test_silence_goes_out_of_picture_and_sound_and_both_stay_in_time(tmp_path: Path):
    given = talk(tmp_path / "given.mp4", (0.5, 1.3), (2.6, 3.4))
    made = run("cut_video_silence", given, 0.2, folder=tmp_path)
    told = stream_facts(made)
    assert told["seconds"] == pytest.approx(2.0, abs=0.17) and told["audio_seconds"] == pytest.approx(
        told["seconds"], abs=0.03
    )
    shown = numbers(made)
    assert np.diff([at for at, _ in shown]) == pytest.approx(0.04, abs=0.001), "an even frame rate stays one"
    whole, heard = (run("extract_audio", film) for film in (given, made))
    for at, number in shown:
        if any(begin + 0.08 < number / 25 < end - 0.08 for begin, end in ((0.5, 1.3), (2.6, 3.4))):
            piece = heard.samples[round(at * RATE) : round(at * RATE) + 2000, 0]
            match = int(np.correlate(whole.samples[:, 0], piece, "valid").argmax())
            assert abs(match / RATE - number / 25) < 0.005
    seen = [number for _, number in shown]
    assert seen[0] == pytest.approx(0.4 * 25, abs=2) and seen[-1] == pytest.approx(3.5 * 25, abs=2)
    cut = int(np.argmax(np.diff(seen)))
    assert (seen[cut], seen[cut + 1]) == (pytest.approx(1.4 * 25, abs=2), pytest.approx(2.5 * 25, abs=2))
    assert set(np.diff(seen)) == {1, seen[cut + 1] - seen[cut]}, "no other picture is lost"


@pytest.mark.parametrize(
    ("where", "first", "last"), [("beginning", 0.4, 3.96), ("end", 0.0, 3.5), ("both ends", 0.4, 3.5)]
)
def test_only_the_silence_that_is_named_goes_out_of_a_film(tmp_path: Path, where: str, first: float, last: float):
    given = talk(tmp_path / "given.mp4", (0.5, 1.3), (2.6, 3.4))
    seen = [number for _, number in numbers(run("cut_video_silence", given, 0.2, where=where, folder=tmp_path))]
    assert (seen[0], seen[-1]) == (pytest.approx(first * 25, abs=2), pytest.approx(last * 25, abs=2))
    assert set(np.diff(seen)) == {1}, "the pause inside stays"


def test_nothing_that_is_heard_is_lost(tmp_path: Path):
    given = talk(tmp_path / "given.mp4", (0.5, 1.3), (1.5, 1.7), (2.6, 3.4), heard=tone(440, 4.0, RATE))
    made = run("extract_audio", run("cut_video_silence", given, folder=tmp_path))
    before = run("extract_audio", given)
    assert np.sum(np.abs(made.samples) > 0.1) == pytest.approx(np.sum(np.abs(before.samples) > 0.1), rel=0.01)


def test_pictures_of_uneven_length_and_one_that_stands_through_a_cut_stay_in_time(tmp_path: Path):
    times = [0.0, 0.5, 1.0, 1.1, 3.0, 3.1, 3.2]
    pictures = [np.full((48, 64, 3), 10 + 30 * number, np.uint8) for number in range(7)]
    sound = np.vstack([noise(1.5, RATE, 0.3).samples, silence(1.0, RATE).samples, noise(1.0, RATE, 0.3).samples])
    given = movie(tmp_path / "a.mkv", times=times, pictures=pictures, sound=Audio(sound, RATE), options={"bf": "0"})
    made = run("cut_video_silence", given, 0.1, folder=tmp_path)
    shown = [(round(at, 2), round((picture.mean() - 10) / 30)) for at, picture in decoded(made)]
    heard = run("extract_audio", made)
    assert heard.seconds == pytest.approx(3.5, abs=0.05), "the picture that stands through the silence is one piece"
    assert [number for _, number in shown] == list(range(7))
    assert [at for at, _ in shown] == pytest.approx(times, abs=0.05)


def test_a_film_that_tells_no_times_is_cut_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(movies, "told_times", lambda path: [])
    given = talk(tmp_path / "given.mp4", (0.5, 1.3), (2.6, 3.4))
    made = run("cut_video_silence", given, 0.21, folder=tmp_path)
    whole, heard = (run("extract_audio", film) for film in (given, made))
    middle = [(at, number) for at, number in numbers(made) if 0.7 < number / 25 < 1.1 or 2.8 < number / 25 < 3.2]
    assert len(middle) >= 18
    for at, number in middle:
        piece = heard.samples[round(at * RATE) : round(at * RATE) + 2000, 0]
        match = int(np.correlate(whole.samples[:, 0], piece, "valid").argmax())
        assert abs(match / RATE - number / 25) < 0.005


def test_a_film_without_silence_is_copied_bit_by_bit(tmp_path: Path):
    given = talk(tmp_path / "given.mp4", (0.0, 2.0), seconds=2.0)
    made = run("cut_video_silence", given, folder=tmp_path)
    assert packets(made) == packets(given) and stream_facts(made)["seconds"] == pytest.approx(2.0, abs=0.01)


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(video=0) if packet.size]


@pytest.mark.parametrize(("sound", "message"), [(None, "has no sound"), (silence(1.0, RATE), "is silent")])
def test_a_film_in_which_nothing_is_heard_names_the_port(tmp_path: Path, sound: Audio | None, message: str):
    with pytest.raises(NodeError, match=message) as told:
        run("cut_video_silence", movie(tmp_path / "given.mp4", 25, sound=sound), folder=tmp_path)
    assert told.value.port == "video" and told.value.fix


def test_the_noise_of_a_room_is_silence_in_a_film_of_speech(tmp_path: Path):
    given = tmp_path / "given.mp4"
    with open(EXAMPLES / "talk.wav", "rb") as file:
        samples, rate = soundfile.read(file, dtype="float32", always_2d=True)
    hiss = np.random.default_rng(3).normal(0, float(samples[: rate // 10].std()), (round(1.5 * rate), 1))
    heard = Audio(np.concatenate((hiss, samples, hiss)).astype(np.float32), rate)
    movie(given, round(heard.seconds * 25), size=(640, 64), sound=heard)
    made = run("cut_video_silence", given, folder=tmp_path)
    assert stream_facts(given)["seconds"] - stream_facts(made)["seconds"] > 2 * 1.5 - 0.6
