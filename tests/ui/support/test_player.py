"""The player: what another process decodes is shown and heard at its time; what goes wrong there is a sentence.

Time goes on by hand, so nothing depends on how fast this machine is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from desktop_app.storage.decoding import playback
from desktop_app.storage.decoding.playback import Playback, SoundForm
from desktop_app.ui.support.player import Player
from nodes import confinement
from nodes._support.files import codecs
from nodes.api import Audio, ResourceType
from tests.waiting import PATIENCE

RATE, FPS = 8000, 25
FORM = SoundForm(RATE, 1, "s16")
SYNC = 0.040
"""Seconds by which picture and sound may be apart."""


def ramp(seconds: float, rate: int = RATE) -> np.ndarray:
    """Samples that say when they are: float32 from 0 to 1."""
    return (np.arange(round(seconds * rate)) / rate / 10).astype("f4")


def film(path: Path, seconds: float = 4.0, sound: bool = True, size: tuple[int, int] = (64, 48)) -> Path:
    """Each picture shows its number as bars of light and dark, 25 a second; the sound is a ramp."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=FPS, options={"g": "50", "qp": "0"})
        video.width, video.height, video.pix_fmt = *size, "yuv444p"
        codec = "pcm_s16le" if path.suffix == ".mkv" else "aac"
        audio = container.add_stream(codec, rate=RATE, layout="mono") if sound else None
        for index in range(round(seconds * FPS)):
            bars = np.array([index >> bit & 1 for bit in range(8)], np.uint8) * 255
            picture = np.tile(bars.repeat(size[0] // 8)[None, :, None], (size[1], 1, 3))
            container.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(video.encode())
        if audio is not None:
            for begin in range(0, round(seconds * RATE), 800):
                samples = (ramp(seconds)[None, begin : begin + 800] * 32767).astype("i2")
                frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
                frame.rate, frame.pts = RATE, begin
                container.mux(audio.encode(frame))
            container.mux(audio.encode())
    return path


def wave(path: Path, seconds: float = 2.0) -> Path:
    path.write_bytes(codecs.encode(Audio(ramp(seconds)[:, None], RATE), ResourceType.AUDIO)[0])
    return path


def wait_for(true: Callable[[], object]) -> None:
    """Waits until `true()` is, however long a busy machine takes for it."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.001)


class Time:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Speaker:
    """A loudspeaker that plays at `speed` times what it should, and tells its place in steps of 20 ms."""

    def __init__(self, time: Time, speed: float = 1.0) -> None:
        self.form, self._time, self.speed = FORM, time, speed
        self.heard, self._waiting, self._since, self.going = bytearray(), bytearray(), 0.0, False

    def start(self) -> None:
        self._since, self.going = self._time(), True

    def stop(self) -> None:
        self._advance()
        self._waiting.clear()
        self.going = False

    def pause(self) -> None:
        self._advance()
        self.going = False

    resume = start

    def room(self) -> int:
        self._advance()
        return 3200 - len(self._waiting)

    def waiting(self) -> int:
        self._advance()
        return len(self._waiting)

    def write(self, data: bytes) -> int:
        self._waiting += data
        return len(data)

    def _advance(self) -> None:
        steps = int((self._time() - self._since) * self.speed / 0.02 + 1e-9) if self.going else 0
        self._since += steps * 0.02 / self.speed
        size = round(steps * 0.02 * FORM.bytes_a_second)
        self.heard += self._waiting[:size]
        del self._waiting[:size]

    def place(self) -> float:
        """What is heard now, by the samples."""
        self._advance()
        return float(np.frombuffer(bytes(self._waiting[:2] or self.heard[-2:]), "<i2")[0]) / 32767 * 10


class Seen:
    """What a player told."""

    def __init__(self, player: Player) -> None:
        self.pictures: list[tuple[int, QImage]] = []
        self.places: list[int] = []
        self.troubles: list[str] = []
        player.pictureChanged.connect(lambda image: self.pictures.append((player.position(), image)))
        player.positionChanged.connect(self.places.append)
        player.failed.connect(self.troubles.append)

    def number(self) -> int:
        """Of the last picture."""
        image = self.pictures[-1][1]
        bars = [image.pixelColor(round((bar + 0.5) * image.width() / 8), 5).green() for bar in range(8)]
        return sum((bright > 127) << bit for bit, bright in enumerate(bars))


@pytest.fixture
def time_() -> Time:
    return Time()


@pytest.fixture
def make(qapp, time_):
    made: list[Player] = []

    def player(path: Path, size: QSize | None = None, speaker=None) -> tuple[Player, Seen]:
        made.append(Player(path, None, size, speaker, time_))
        made[-1]._timer.timeout.disconnect()  # only `run` lets time go on
        return made[-1], Seen(made[-1])

    yield player
    for each in made:
        each._close()


def filled(player: Player) -> None:
    """Waits until all that was asked for has come, and what was waited for is shown."""
    if not player._process:
        return
    process = player._process[0]

    def full() -> bool:
        player.tick() if player._filling else process.look()
        owed = any(process._owed[kind] and process.last(kind) is None for kind in process.kinds)
        return bool(process.trouble) or (process.opened and not player._filling and not owed)

    wait_for(full)


def run(player: Player, time: Time, seconds: float, each=lambda: None) -> None:
    """Lets time go on by steps of 10 ms; the process that decodes is always fast enough."""
    for _ in range(round(seconds * 100)):
        filled(player)
        time.seconds += 0.01
        player.tick()
        each()


SIZE = QSize(64, 48)


def test_pictures_come_at_their_time(make, time_, tmp_path):
    player, seen = make(film(tmp_path / "a.mp4", sound=False), SIZE)
    player.play()
    apart: list[float] = []
    run(player, time_, 2.98, lambda: apart.append(player.position() / 1000 - seen.number() / FPS))
    assert min(apart) + 1e-3 >= 0 and max(apart) < 1 / FPS + SYNC
    assert len(seen.pictures) == 75 and player.duration() == 4000
    assert seen.places == sorted(seen.places) and len(seen.places) > 40


@pytest.mark.parametrize("speed", [1.0, 0.98, 1.03])
def test_sound_is_the_clock_of_a_film(make, time_, tmp_path, speed):
    """Sound devices have clocks of their own."""
    speaker = Speaker(time_, speed)
    player, seen = make(film(tmp_path / "a.mkv"), SIZE, speaker)
    player.play()
    apart: list[float] = []
    run(player, time_, 3.0, lambda: apart.append(speaker.place() - seen.number() / FPS))
    assert min(apart) > -SYNC and max(apart) < 1 / FPS + SYNC
    assert player.position() == pytest.approx(3000 * speed, abs=40)


def test_picture_and_sound_are_together_after_a_seek_too(make, time_, tmp_path):
    speaker = Speaker(time_)
    player, seen = make(film(tmp_path / "a.mkv"), SIZE, speaker)
    player.play()
    run(player, time_, 0.5)
    for target in (3300, 1010):
        player.setPosition(target)
        apart: list[float] = []
        filled(player)
        assert seen.number() == target * FPS // 1000
        run(player, time_, 0.4, lambda apart=apart: apart.append(speaker.place() - seen.number() / FPS))
        assert min(apart) > -SYNC and max(apart) < 1 / FPS + SYNC
        assert player.position() == pytest.approx(target + 400, abs=40)


def test_what_is_heard_is_the_sound_without_gap(make, time_, tmp_path):
    speaker = Speaker(time_)
    player, _ = make(wave(tmp_path / "a.wav"), None, speaker)
    player.play()
    run(player, time_, 2.3)
    heard = np.frombuffer(bytes(speaker.heard), "<i2")
    assert heard == pytest.approx(ramp(2.0) * 32767, abs=2)
    assert not player.isPlaying() and player.position() == 2000


def test_it_rests_and_goes_on_where_it_was(make, time_, tmp_path):
    speaker = Speaker(time_)
    player, _ = make(wave(tmp_path / "a.wav"), None, speaker)
    player.play()
    run(player, time_, 0.7)
    player.pause()
    place = player.position()
    run(player, time_, 5.0)
    assert player.position() == place == pytest.approx(700, abs=40)
    player.play()
    run(player, time_, 1.6)
    assert np.frombuffer(bytes(speaker.heard), "<i2") == pytest.approx(ramp(2.0) * 32767, abs=2)


def test_without_a_device_a_sound_plays_silently_by_the_clock(make, time_, tmp_path):
    player, seen = make(wave(tmp_path / "a.wav"))
    player.play()
    run(player, time_, 1.0)
    assert player.isPlaying() and player.position() == pytest.approx(1000, abs=20) and player.duration() == 2000
    run(player, time_, 1.2)
    assert not player.isPlaying() and seen.places[-1] == 2000


def test_at_the_end_it_begins_anew(make, time_, tmp_path):
    player, seen = make(film(tmp_path / "a.mp4", 1.0, sound=False), SIZE)
    player.play()
    run(player, time_, 1.2)
    assert (player.isPlaying(), player.position(), seen.number()) == (False, 1000, 24)
    player.play()
    run(player, time_, 0.1)
    assert player.isPlaying() and player.position() == pytest.approx(100, abs=20) and seen.number() == 2


def test_a_place_can_be_seen_without_playing(make, time_, tmp_path):
    player, seen = make(film(tmp_path / "a.mp4"), SIZE)
    for target in (3000, 60_000, 40):
        player.setPosition(target)
        filled(player)
        assert seen.number() == min(99, target * FPS // 1000) and not player.isPlaying()
    assert player.position() == 40


def test_a_film_is_upright_in_its_proportions_and_no_larger_than_shown(make, time_, tmp_path):
    player, seen = make(film(tmp_path / "a.mp4", 1.0, False, (640, 480)), QSize(200, 100))
    player.setPosition(0)
    filled(player)
    assert seen.pictures[-1][1].size() == QSize(133, 100)
    player.fit(QSize(320, 320))
    player.setPosition(500)
    filled(player)
    assert seen.pictures[-1][1].size() == QSize(320, 240)


def test_a_player_that_rests_for_long_has_no_process_and_goes_on_where_it_was(make, time_, tmp_path):
    player, seen = make(film(tmp_path / "a.mp4", sound=False), SIZE)
    player.play()
    run(player, time_, 1.0)
    player.pause()
    player._resting.timeout.emit()
    assert player._process == []
    player.play()
    run(player, time_, 0.5)
    assert player.position() == pytest.approx(1500, abs=20) and seen.number() == 37


# The process


def child_of(player: Player) -> psutil.Process:
    wait_for(lambda: player._process[0]._process is not None)
    return psutil.Process(player._process[0]._process.pid)


def test_another_process_has_the_file_open_not_this_one(make, time_, tmp_path):
    path = film(tmp_path / "a.mp4")
    player, _ = make(path, SIZE)
    player.play()
    filled(player)
    assert str(path) in {file.path for file in child_of(player).open_files()}
    assert str(path) not in {file.path for file in psutil.Process().open_files()}


@pytest.mark.skipif(not confinement.landlock_version(), reason="this kernel has no Landlock")
def test_that_process_is_confined_and_knows_no_key(make, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-mine")
    player, _ = make(wave(tmp_path / "a.wav"))
    player.play()
    filled(player)
    pid = child_of(player).pid
    assert b"secret-of-mine" not in Path(f"/proc/{pid}/environ").read_bytes()
    status = Path(f"/proc/{pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert [line.split()[3:5] for line in limits.splitlines() if line.startswith("Max file size")] == [["0", "0"]]


def test_it_ends_when_the_widget_is_gone(qapp, tmp_path):
    import shiboken6

    player = Player(wave(tmp_path / "a.wav"))
    player.play()
    filled(player)
    child = child_of(player)
    shiboken6.delete(player)
    wait_for(lambda: not child.is_running())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV] if os.name == "posix" else [])
def test_a_process_that_dies_is_a_sentence_and_play_begins_again(make, time_, tmp_path, number):
    player, seen = make(film(tmp_path / "a.mp4", sound=False), SIZE)
    player.play()
    run(player, time_, 0.5)
    os.kill(child_of(player).pid, number)
    wait_for(lambda: player.tick() or seen.troubles)
    assert seen.troubles == ["the program that plays such files stopped at it"] and not player.isPlaying()
    player.play()
    run(player, time_, 0.2)
    assert player.isPlaying() and len(seen.troubles) == 1 and player.position() == pytest.approx(700, abs=30)


BROKEN = {
    "playlist.mp4": b"#EXTM3U\nfile:///etc/passwd\n",
    "concat.mp4": b"ffconcat version 1.0\nfile /etc/passwd\n",
    "list.mp4": b"[playlist]\nFile1=http://127.0.0.1/x",
    "dash.mp4": b'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>',
    "empty.mp4": b"",
    "words.mp4": b"only words" * 400,
    "nul.wav": b"RIFF\0\0\0\0WAVE",
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_film_is_a_sentence(make, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    player, seen = make(path, SIZE)
    player.play()
    wait_for(lambda: player.tick() or seen.troubles)
    assert len(seen.troubles) == 1 and seen.troubles[0] and "rgument" not in seen.troubles[0]
    assert not player.isPlaying() and player._process == []


def test_a_film_that_breaks_off_plays_as_far_as_it_goes(make, time_, tmp_path):
    path = film(tmp_path / "a.mkv", sound=False)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    player, seen = make(path, SIZE)
    player.play()
    run(player, time_, 5.0)
    assert not player.isPlaying() and len(seen.pictures) > 20 and seen.troubles == []


LIES = {
    "flood": "while True: out(b'p', 1, 0, 1, 16, 16, 64, 0, b'x' * 1024)",
    "flood of old ones": "while True: out(b'p', 0, 0, 1, 16, 16, 64, 0, b'x' * 1024)",
    "flood of sound": "while True: out(b's', 1, 0, 1, 0, 0, 0, 0, b'x' * 16000)",
    "larger than shown": "out(b'p', 1, 0, 1, 60000, 60000, 240000, 0, b'x')",
    "size of another": "out(b'p', 1, 0, 1, 16, 16, 64, 0, b'x' * 1023)",
    "narrow lines": "out(b'p', 1, 0, 1, 16, 16, 4, 0, b'x' * 64)",
    "no time": "out(b'p', 1, float('nan'), 1, 16, 16, 64, 0, b'x' * 1024)",
    "unknown kind": "out(b'?', 1, 0, 1, 0, 0, 0, 0, b'')",
    "opened again": "out(b'o', 1, 0, 1, 0, 0, 0, 0, json.dumps(GOOD).encode())",
    "half a message": "sys.stdout.buffer.write(b'p'); sys.stdout.flush(); sys.exit()",
}
GOOD = object()
OPENINGS = [
    {}, [], None, {"seconds": "x", "kinds": []}, {"seconds": 1e300, "kinds": []}, {"seconds": 1, "kinds": ["x"]},
    {"seconds": 1, "kinds": 5}, {"seconds": 1, "kinds": [[]]},
]  # fmt: skip
PROGRAM = """
import json, struct, sys
HEAD = struct.Struct("<cIddIIIBI")
GOOD = {"seconds": 5.0, "kinds": ["pictures", "sound"]}
def out(*parts):
    sys.stdout.buffer.write(HEAD.pack(*parts[:-1], len(parts[-1])) + parts[-1])
    sys.stdout.buffer.flush()
sys.stdin.readline()
out(b"o", 0, 0, 0, 0, 0, 0, 0, json.dumps(OPENING).encode())
LIE
sys.stdin.read()
"""


def hostile(monkeypatch, opening: object, lie: str, path: Path) -> Playback:
    program = PROGRAM.replace("OPENING", "GOOD" if opening is GOOD else repr(opening)).replace("LIE", lie)
    command = [sys.executable, "-c", program]
    popen = subprocess.Popen
    monkeypatch.setattr(playback.confined, "start", lambda module: popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ))  # fmt: skip
    return Playback(path, (64, 48), FORM)


@pytest.mark.parametrize("lie", LIES)
def test_a_process_that_was_taken_over_is_ended(monkeypatch, tmp_path, lie):
    made = hostile(monkeypatch, GOOD, LIES[lie], tmp_path / "x.mp4")
    wait_for(lambda: made.trouble)
    assert made.trouble == "the program that plays such files stopped at it"
    assert len(made._waiting["pictures"]) <= 4 and len(made._waiting["sound"]) <= 12
    wait_for(lambda: made._process.poll() is not None)


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_what_it_says_of_the_file_is_not_believed(monkeypatch, tmp_path, opening):
    made = hostile(monkeypatch, opening, "", tmp_path / "x.mp4")
    wait_for(lambda: made.trouble)
    assert not made.opened


def test_one_that_does_not_listen_is_ended_and_nobody_waits(monkeypatch, tmp_path):
    made = hostile(monkeypatch, GOOD, "import time; time.sleep(1000)", tmp_path / "x.mp4")
    wait_for(lambda: made.opened)
    while not made.trouble:
        made.seek(1.0)  # would block once the pipe is full
    assert made.trouble == "the program that plays such files stopped at it"


def test_one_that_does_not_answer_is_ended(monkeypatch, tmp_path):
    made = hostile(monkeypatch, GOOD, "", tmp_path / "x.mp4")
    wait_for(lambda: made.opened)
    made.look()
    assert made.trouble == ""
    made._heard_of -= 21
    made.look()
    assert made.trouble == "it takes longer than 20 seconds to read"
