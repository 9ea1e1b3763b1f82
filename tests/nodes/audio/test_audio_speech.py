"""Speech made by eSpeak NG, cleaned of noise, found in a recording."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from nodes import load_tools
from nodes._support.media import speech
from nodes.api import Audio, Cancelled, NodeError, RunContext
from tests.nodes.av_media import rms, run

SENTENCE = "The quick brown fox jumps over the lazy dog. Then it sleeps for an hour, and dreams."
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="the program espeak-ng is not installed")


@pytest.fixture(scope="module")
def spoken(tmp_path_factory) -> Audio:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the program espeak-ng is not installed")
    return run("text_to_speech", SENTENCE, folder=tmp_path_factory.mktemp("speech"))


def test_speech_lasts_as_a_voice_would_and_is_heard(spoken: Audio):
    assert 3.5 < spoken.seconds < 8 and spoken.rate == 22_050 and spoken.samples.shape[1] == 1
    assert rms(spoken.samples) > 0.02 and np.abs(spoken.samples).max() <= 1


@needs_espeak
def test_speed_pitch_language_and_voice_are_obeyed(tmp_path: Path):
    usual = run("text_to_speech", SENTENCE, folder=tmp_path)
    fast = run("text_to_speech", SENTENCE, speed=330.0, folder=tmp_path)
    assert fast.seconds < 0.65 * usual.seconds
    low, high = (run("text_to_speech", SENTENCE, pitch=p, folder=tmp_path) for p in (0.0, 99.0))
    assert run("detect_pitch", high) > 1.3 * run("detect_pitch", low)
    assert run("detect_pitch", run("text_to_speech", SENTENCE, voice="female", folder=tmp_path)) > 1.2 * run(
        "detect_pitch", usual
    )
    german = run("text_to_speech", SENTENCE, "de", folder=tmp_path)
    assert not np.array_equal(german.samples[:20_000], usual.samples[:20_000])
    assert not list(tmp_path.iterdir())


@needs_espeak
@pytest.mark.parametrize(
    ("text", "language"),
    [("Guten Tag, ich hätte gern zwei Brötchen.", "de"), ("Où est la gare, s'il vous plaît ?", "fr"),
     ("今天天气很好", "zh"), ("OK", "en")],
)  # fmt: skip
def test_a_text_is_spoken_in_its_own_language(text: str, language: str, tmp_path: Path):
    said = run("text_to_speech", text, folder=tmp_path)
    assert np.array_equal(said.samples, run("text_to_speech", text, language, folder=tmp_path).samples)


SUBTITLES = """1
00:00:01,000 --> 00:00:03,000
One cat.

2
00:00:05,500 --> 00:00:06,000
Two dogs and three horses that run over the hills for a long time, far away.

3
00:00:07,000 --> 00:00:12,000
The end.
"""


@needs_espeak
def test_subtitles_are_spoken_each_at_its_time(tmp_path: Path):
    said = run("text_to_speech", SUBTITLES, "en", folder=tmp_path)
    assert said.samples.shape[1] == 1 and said.seconds >= 12
    levels = np.abs(said.samples[:, 0])

    def silent(start: float, end: float) -> bool:
        return levels[round(start * said.rate) : round(end * said.rate)].max() < 0.005

    assert silent(0, 1) and not silent(1, 1.5) and silent(3, 5.5) and not silent(5.5, 6.5)
    assert silent(11, 12), "a line that is said too late still ends"
    long = run("text_to_speech", SUBTITLES.split("\n")[6], "en", folder=tmp_path)
    late = 5.5 + long.seconds / speech.HASTE
    assert late > 7 and not silent(late + 0.05, late + 0.6), "the next begins when the one before has ended"


@pytest.fixture
def program(tmp_path: Path, monkeypatch):
    """Puts a program of that name and code first on the PATH."""
    if os.name == "nt":
        pytest.skip("a script is no program here")

    def put(name: str, code: str) -> None:
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{sys.executable}\n{code}", "utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")

    return put


PIPER = """import sys, wave
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert given["--model"].endswith("de_DE-x-low.onnx") and sys.stdin.read() == "Guten Tag, wie geht es Ihnen?"
with wave.open(given["--output_file"], "wb") as out:
    out.setparams((1, 2, 16000, 0, "NONE", ""))
    out.writeframes(b"\\0\\x40" * round(8000 * float(given["--length_scale"])))
"""


def test_piper_speaks_with_the_voice_of_the_language(program, tmp_path: Path, monkeypatch):
    program("piper", PIPER)
    monkeypatch.setenv("PIPER_VOICES", str(tmp_path))
    for name in ("de_DE-x-low.onnx", "de_DE-x-low.onnx.json", "en_US-y-low.onnx"):
        (tmp_path / name).touch()
    piper = load_tools().tools["text_to_speech"].backend("piper")
    assert piper is not None
    said = piper.run(text="Guten Tag,\nwie geht es Ihnen?", context=RunContext(tmp_path))
    assert said.rate == 16_000 and len(said.samples) == 8000 and rms(said.samples) > 0.4
    fast = piper.run(text="Guten Tag, wie geht es Ihnen?", speed=330.0, context=RunContext(tmp_path))
    assert len(fast.samples) == 4000
    with pytest.raises(NodeError, match="no voice for English") as told:
        piper.run(text="Good day.", language="en", context=RunContext(tmp_path))
    assert str(tmp_path) in str(told.value.fix)
    with pytest.raises(NodeError, match=r"(?s)Piper failed.*AssertionError"):
        piper.run(text="Etwas anderes.", language="de", context=RunContext(tmp_path))


APERTIUM = """import sys
if sys.argv[1:] == ["-l"]:
    print("eng-spa\\nspa-cat")
else:
    assert sys.argv[1:] == ["-u", "eng-spa"]
    print(sys.stdin.read().replace("house", "casa"))
"""


def test_apertium_translates_with_the_pairs_that_are_here(program, tmp_path: Path):
    program("apertium", APERTIUM)
    way = load_tools().tools["translate"].backend("apertium")
    assert way is not None and way.quality < 0.25
    text = "This is the house\nof my father."
    assert way.run(text=text, language="Spanish", context=RunContext(tmp_path)) == "This is the casa\nof my father."
    assert way.run(text=text, language="English", context=RunContext(tmp_path)) == text
    with pytest.raises(NodeError, match="no pair from English to German") as told:
        way.run(text=text, language="German", context=RunContext(tmp_path))
    assert told.value.port == "language" and "apertium-eng-spa" in told.value.fix


@needs_espeak
@pytest.mark.parametrize("language", speech.LANGUAGES)
def test_every_language_speaks(language: str, tmp_path: Path):
    assert run("text_to_speech", "1 2 3", language, folder=tmp_path).seconds > 0.5


@needs_espeak
def test_long_text_with_every_kind_of_sign_is_spoken_whole(tmp_path: Path):
    once = run("text_to_speech", "Hello $(ls) `x` -v \"quoted\" & | ; <b> [[hE]] 'yes' \x01\x00", folder=tmp_path)
    assert once.seconds > 2
    long = run("text_to_speech", "These are a few words. " * 400, speed=450.0, folder=tmp_path)
    assert long.seconds > 150


@pytest.mark.parametrize("text", ["", "  \n ", "...", "\x00"])
def test_nothing_to_say_names_the_text(text: str, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run("text_to_speech", text, folder=tmp_path)
    assert told.value.port == "text"


def test_without_any_program_the_error_says_what_to_install(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(speech.shutil, "which", lambda name: None)
    monkeypatch.setattr(speech.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NodeError) as told:
        run("text_to_speech", "Hello", folder=tmp_path)
    assert "espeak-ng" in told.value.fix and "espeakng-loader" in told.value.fix


@pytest.mark.skipif(speech.importlib.util.find_spec("espeakng_loader") is None, reason="espeakng-loader is missing")
def test_the_wheel_speaks_in_a_process_of_its_own(tmp_path: Path):
    wheel = load_tools().tools["text_to_speech"].backend("espeak-wheel")
    assert wheel is not None and wheel.requires == ("python:espeakng_loader",)
    said = wheel.run(SENTENCE, context=RunContext(tmp_path))
    assert 3.5 < said.seconds < 8 and rms(said.samples) > 0.02
    assert "espeakng_loader" not in sys.modules


@needs_espeak
def test_speaking_can_be_stopped(tmp_path: Path):
    class Stopped(RunContext):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        run("text_to_speech", "Many words are said here. " * 60_000, context=Stopped(tmp_path))


def _with_noise(speech: Audio, kind: str, snr_db: float) -> Audio:
    length = len(speech.samples)
    time = np.arange(length) / speech.rate
    waves = {
        "white": np.random.default_rng(3).standard_normal(length),
        "hum": sum(np.sin(2 * np.pi * 50 * k * time) / k for k in range(1, 9)),
    }
    noise = np.asarray(waves[kind])
    noise = noise / rms(noise) * rms(speech.samples) / 10 ** (snr_db / 20)
    return Audio((speech.samples + noise[:, None]).astype(np.float32), speech.rate)


def _snr(clean: Audio, heard: Audio) -> float:
    return 20 * np.log10(rms(clean.samples) / rms(heard.samples - clean.samples))


@pytest.mark.parametrize("kind", ["white", "hum"])
@pytest.mark.parametrize("snr_db", [3.0, 10.0, 18.0])
def test_cleaning_gains_three_decibels_and_keeps_the_speech(spoken: Audio, kind: str, snr_db: float):
    noisy = _with_noise(spoken, kind, snr_db)
    cleaned = run("clean_audio", noisy)
    assert _snr(spoken, cleaned) >= snr_db + 3
    assert np.corrcoef(spoken.samples[:, 0], cleaned.samples[:, 0])[0, 1] > 0.9
    assert len(cleaned.samples) == len(noisy.samples)


def test_cleaning_does_little_to_a_clean_voice_and_nothing_at_strength_zero(spoken: Audio):
    assert _snr(spoken, run("clean_audio", spoken)) > 20
    noisy = _with_noise(spoken, "white", 10.0)
    assert np.array_equal(run("clean_audio", noisy, 0.0).samples, noisy.samples)


def test_stronger_cleaning_leaves_less_in_the_pauses(spoken: Audio):
    noisy = _with_noise(spoken, "white", 10.0)
    noisy = Audio(np.vstack((noisy.samples, noisy.samples[-4000:])), noisy.rate)
    rest = [rms(run("clean_audio", noisy, strength).samples[-3000:-500]) for strength in (0.2, 0.5, 1.0)]
    assert rest[0] > rest[1] > rest[2]


def test_spoken_parts_are_found_within_noise(spoken: Audio):
    quiet = np.zeros((2 * spoken.rate, 1), np.float32)
    recording = np.vstack((quiet, spoken.samples, quiet, spoken.samples, quiet))
    recording = recording + 0.002 * np.random.default_rng(0).standard_normal(recording.shape).astype(np.float32)
    table = run("detect_speech", Audio(recording, spoken.rate), 1.0)
    assert table.columns == ("start", "end", "seconds") and len(table.rows) == 2
    assert table.rows[0][0] == pytest.approx(2.0, abs=0.15)
    assert table.rows[1][0] == pytest.approx(4.0 + spoken.seconds, abs=0.15)
    assert table.rows[0][1] == pytest.approx(2.0 + spoken.seconds, abs=0.5)


def _music(seconds: float, rate: int = 22_050) -> np.ndarray:
    """Chords of plucked harmonics with a drum on each beat, between 100 and 4000 Hz, as loud as a voice."""
    random, out = np.random.default_rng(1), np.zeros(round(seconds * rate), np.float32)
    at = np.arange(round(0.5 * rate)) / rate
    for beat, start in enumerate(range(0, len(out) - len(at), len(at))):
        for note in ((220, 277, 330), (196, 247, 294), (175, 220, 262), (247, 311, 370))[beat // 4 % 4]:
            for harmonic in (1, 2, 3, 4, 5):
                wave = np.sin(2 * np.pi * note * harmonic * at) * np.exp(-4 * at) / harmonic
                out[start : start + len(at)] += (0.08 * wave).astype(np.float32)
        drum = random.standard_normal(len(at)) * np.exp(-40 * at)
        out[start : start + len(at)] += (0.15 * drum).astype(np.float32)
    return out[:, None]


def test_music_is_no_speech_and_speech_within_music_is_found(spoken: Audio):
    music = _music(20.0, spoken.rate)
    assert sum(row[2] for row in run("detect_speech", Audio(music, spoken.rate)).rows) < 1.0
    begin = 8 * spoken.rate
    both = 0.4 * music
    both[begin : begin + len(spoken.samples)] += spoken.samples
    found = run("detect_speech", Audio(both, spoken.rate), 1.0).rows
    heard = sum(max(0.0, min(row[1], 8 + spoken.seconds) - max(row[0], 8.0)) for row in found)
    assert heard > 0.7 * spoken.seconds and sum(row[2] for row in found) < spoken.seconds + 1.5


def test_silence_has_no_speech():
    assert run("detect_speech", Audio(np.zeros((16_000, 1), np.float32), 16_000)).rows == ()


def in_a_noisy_room(spoken: Audio, pauses: tuple[float, ...], level: float = 0.004) -> tuple[Audio, int]:
    """A sentence between pauses of so many seconds in steady noise, 20 to 30 dB below it; and the sentence's frames."""
    loud = np.flatnonzero(np.abs(spoken.samples[:, 0]) > 0.02)
    words = spoken.samples[loud[0] : loud[-1]]
    quiet = [np.zeros((round(seconds * spoken.rate), 1), np.float32) for seconds in pauses]
    rows = [part for pause in quiet for part in (pause, words)][:-1]
    samples = np.concatenate(rows)
    hiss = np.random.default_rng(3).normal(0, level, samples.shape).astype(np.float32)
    return Audio(samples + hiss, spoken.rate), len(words)


def ends(audio: Audio) -> tuple[float, float]:
    """The seconds before the first word and after the last."""
    loud = np.flatnonzero(np.abs(audio.samples[:, 0]) > 0.03)
    return loud[0] / audio.rate, (len(audio.samples) - loud[-1]) / audio.rate


@pytest.mark.parametrize("level", [0.001, 0.004, 0.008])
def test_the_noise_of_a_room_is_silence_around_words_and_between_them(spoken: Audio, level: float):
    given, words = in_a_noisy_room(spoken, (1.5, 2.0, 1.5), level)
    made = run("cut_silence", given)
    assert all(0.1 < rest < 0.3 for rest in ends(made)), ends(made)
    assert made.seconds == pytest.approx(2 * words / spoken.rate + 0.7, abs=0.45), "the sentence has pauses of its own"
    before, after = (np.sum(np.abs(each.samples) > 0.05) for each in (given, made))
    assert after == pytest.approx(before, rel=0.01), "no word is lost"


@pytest.mark.parametrize(("where", "cut"), [("beginning", (1, 0)), ("end", (0, 1)), ("both ends", (1, 1))])
def test_only_the_silence_that_is_named_is_cut(spoken: Audio, where: str, cut: tuple[int, int]):
    given, words = in_a_noisy_room(spoken, (1.5, 2.0, 1.2), 0.001)
    made = run("cut_silence", given, where=where)
    for rest, before, is_cut in zip(ends(made), ends(given), cut, strict=True):
        assert 0.1 < rest < 0.3 if is_cut else rest == pytest.approx(before, abs=0.001)
    inside = 2 * words / given.rate + 2.0
    assert made.seconds == pytest.approx(inside + sum(ends(made)), abs=0.1), "the pause inside stays"
    first = round((ends(given)[0] - ends(made)[0]) * given.rate)
    assert np.array_equal(made.samples, given.samples[first : first + len(made.samples)]), "no sample is changed"


def test_speech_in_a_noisy_room_is_split_at_its_pauses(spoken: Audio):
    given, words = in_a_noisy_room(spoken, (1.0, 2.0, 1.0))
    first, second = run("split_audio", given, pause=1.0)
    assert first.seconds == pytest.approx(words / spoken.rate + 2.0, abs=0.1)
    assert first.seconds + second.seconds == pytest.approx(given.seconds, abs=0.001)


def test_a_quiet_beginning_of_music_is_no_silence():
    loud = run("make_music", "", "calm", 6.0, None)
    swell = np.linspace(0.03, 1, len(loud.samples), dtype=np.float32)[:, None]
    given = Audio(loud.samples * swell, loud.rate)
    assert run("cut_silence", given).seconds > given.seconds - 0.5
