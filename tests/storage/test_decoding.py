"""Files of strangers are decoded in another process: what happens to it there is a sentence here."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from desktop_app.core.errors import BadRequest
from desktop_app.storage import decoding
from desktop_app.storage.decoding import child, confined, process
from desktop_app.storage.resources import Store, attach
from nodes import confinement
from nodes._support.files import codecs
from nodes.api import Audio, ResourceType
from tests.nodes.numbered_films import PATCH, film, read

T = ResourceType
MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def own_decoders(monkeypatch):
    """None is left over from another test, and none is left behind."""
    mine = process._Decoders(2)
    monkeypatch.setattr(process, "_decoders", mine)
    yield mine
    mine.end()


def saved(tmp_path, array, name="x.png", **more) -> Path:
    path = tmp_path / name
    Image.fromarray(array).save(path, **more)
    return path


def shown(path, type=T.IMAGE, longest=None) -> np.ndarray:
    width, height, channels, data = decoding.picture(path, type, longest)
    return np.frombuffer(data, np.uint8).reshape(height, width, channels)


def test_a_picture_comes_as_it_is(tmp_path):
    array = np.random.default_rng(1).integers(0, 255, (20, 30, 3), np.uint8)
    assert (shown(saved(tmp_path, array)) == array).all()


def test_a_mask_stays_grey_and_a_cutout_transparent(tmp_path):
    grey = np.full((4, 5), 77, np.uint8)
    assert shown(saved(tmp_path, grey), T.MASK).shape == (4, 5, 1)
    coloured = np.full((4, 5, 3), 77, np.uint8)
    assert shown(saved(tmp_path, coloured, "c.png"), T.MASK).shape == (4, 5, 1)
    clear = np.full((4, 5, 4), 7, np.uint8)
    assert (shown(saved(tmp_path, clear)) == clear).all()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I", "F", "CMYK"])
@pytest.mark.parametrize("longest", [None, 64])
def test_every_kind_of_pixels_is_shown(tmp_path, mode, longest):
    path = tmp_path / ("x.tiff" if mode in ("CMYK", "I", "F") else "x.png")
    Image.new("RGB", (300, 200), (250, 250, 250)).convert("I" if mode == "I;16" else mode).convert(mode).save(path)
    array = shown(path, T.IMAGE, longest)
    assert array.shape[:2] == ((43, 64) if longest else (200, 300))
    assert array.shape[2] in (1, 3, 4)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photo_is_upright_also_when_it_is_made_smaller(tmp_path, turn):
    array = np.zeros((80, 160, 3), np.uint8)
    array[:40, :80] = 255
    exif = Image.Exif()
    exif[0x0112] = turn
    path = saved(tmp_path, array, "x.jpg", exif=exif, quality=95)
    whole = codecs.decode(path, T.IMAGE)
    assert (shown(path) == whole).all()
    small = shown(path, longest=40).astype(int)
    step = 4
    assert small.shape == whole[::step, ::step].shape
    assert np.abs(small - whole[step // 2 :: step, step // 2 :: step]).mean() < 20


def test_label_maps_are_coloured(tmp_path):
    labels = np.array([[0, 1], [2, 300]], np.uint16)
    assert len(np.unique(shown(saved(tmp_path, labels), T.SEGMENTATION).reshape(-1, 3), axis=0)) == 4


def test_a_picture_of_very_many_pixels_is_refused_with_little_memory(tmp_path, own_decoders):
    path = tmp_path / "huge.png"
    Image.new("L", (13_000, 13_000)).save(path)
    with pytest.raises(decoding.Unreadable, match=r"13,000 × 13,000 pixels, and only pictures of up to 100 million"):
        decoding.picture(path, T.IMAGE, 640)
    child = psutil.Process(own_decoders._free[0]._process.pid)
    assert child.memory_info().rss < 300 * MEGABYTE
    assert decoding.facts_of(path, T.IMAGE) == {"width": 13_000, "height": 13_000}  # tools may still work on it


def test_a_photo_of_very_many_pixels_is_decoded_small(tmp_path, own_decoders):
    path = tmp_path / "huge.jpg"
    Image.new("L", (13_000, 13_000)).save(path)
    assert shown(path, longest=640).shape == (640, 640, 1)
    assert psutil.Process(own_decoders._free[0]._process.pid).memory_info().rss < 300 * MEGABYTE


def test_the_outline_of_a_sound_is_found_piece_by_piece(tmp_path):
    samples = np.zeros((44_100, 2), np.float32)
    samples[22_050:, 1] = 0.5
    path = tmp_path / "x.wav"
    path.write_bytes(codecs.encode(Audio(samples, 44_100), T.AUDIO)[0])
    peaks, seconds = decoding.outline(path, 10)
    assert (peaks, seconds) == ((0.0,) * 5 + (1.0,) * 5, 1.0)
    short = tmp_path / "short.wav"
    short.write_bytes(codecs.encode(Audio(samples[22_045:22_055], 44_100), T.AUDIO)[0])
    assert decoding.outline(short, 400)[0] == (0.0,) * 5 + (1.0,) * 5


# What goes wrong there


def held(path: Path, do: str = "facts", seconds: float = 30.0):
    """Asks on a thread; what was raised comes in the list."""
    raised: list[Exception] = []

    def work():
        try:
            process.ask(do, path, {"type": "text"}, seconds)
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, raised


@pytest.mark.skipif(os.name != "posix", reason="a named pipe holds the decoder up")
def test_a_decoder_that_hangs_is_ended_and_the_next_file_is_read(tmp_path, own_decoders):
    pipe = tmp_path / "x.txt"
    os.mkfifo(pipe)
    thread, raised = held(pipe, seconds=1.0)
    thread.join()
    assert str(raised[0]) == "it takes longer than 1 seconds to read"
    assert own_decoders._free == []
    (tmp_path / "y.txt").write_text("abc")
    assert decoding.facts_of(tmp_path / "y.txt", T.TEXT) == {"characters": 3}


def test_a_decoder_that_was_killed_meanwhile_is_replaced(tmp_path, own_decoders):
    (tmp_path / "y.txt").write_text("abc")
    decoding.facts_of(tmp_path / "y.txt", T.TEXT)
    child = own_decoders._free[0]._process
    child.kill()
    child.wait()
    assert decoding.facts_of(tmp_path / "y.txt", T.TEXT) == {"characters": 3}


@pytest.mark.skipif(os.name != "posix", reason="a named pipe holds the decoder up")
def test_a_decoder_that_dies_as_it_is_asked_is_replaced(tmp_path, own_decoders, monkeypatch):
    path = saved(tmp_path, np.zeros((4, 4), np.uint8))
    shown(path)
    child = psutil.Process(own_decoders._free[0]._process.pid)
    child.kill()
    monkeypatch.setattr(process._Decoder, "lives", lambda _: True)  # as it is until the system has told of its death
    assert shown(path).shape == (4, 4, 1)
    assert own_decoders._free[0]._process.pid != child.pid


def test_the_end_of_the_program_does_not_wait_for_a_decoder_that_hangs(tmp_path):
    pipe = tmp_path / "x.txt"
    os.mkfifo(pipe)
    thread, raised = held(pipe, seconds=600.0)
    with pipe.open("wb"):  # opens when the decoder has it open for reading
        decoding.stop()
        thread.join(60)
    assert not thread.is_alive()
    assert str(raised[0]) == "the program that reads such files stopped at it"


@pytest.mark.skipif(os.name != "posix", reason="a named pipe holds the start up")
def test_the_start_of_a_decoder_takes_nothing_from_the_time_of_the_first_file(tmp_path, monkeypatch):
    gate, given = tmp_path / "gate", []
    os.mkfifo(gate)
    (tmp_path / "y.txt").write_text("abc")
    (tmp_path / "held_up.py").write_text(f"open({str(gate)!r}).read()\nfrom {child.__name__} import main\nmain()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    start, timer = confined.start, threading.Timer
    monkeypatch.setattr(confined, "start", lambda _: start("held_up"))
    monkeypatch.setattr(process.threading, "Timer", lambda seconds, call: given.append(seconds) or timer(seconds, call))
    thread, raised = held(tmp_path / "y.txt", seconds=31.0)
    with gate.open("w"):  # opens when the process waits there
        assert given == [process._START_SECONDS]
    thread.join()
    assert raised == [] and given == [process._START_SECONDS, 31.0]


@pytest.mark.skipif(os.name != "posix", reason="a named pipe holds the decoder up")
def test_a_decoder_that_crashes_is_a_sentence_and_the_next_file_is_read(tmp_path):
    (tmp_path / "y.txt").write_text("abc")
    before = {child.pid for child in psutil.Process().children()}
    decoding.facts_of(tmp_path / "y.txt", T.TEXT)
    pipe = tmp_path / "x.txt"
    os.mkfifo(pipe)
    thread, raised = held(pipe)
    killed: set[int] = set()
    with pipe.open("wb"):  # opens when the decoder has it open for reading
        while thread.is_alive():  # one that answered before is replaced: it might have died of something else
            for pid in {child.pid for child in psutil.Process().children()} - before - killed:
                os.kill(pid, signal.SIGSEGV)
                killed.add(pid)
            thread.join(0.01)
    assert len(killed) == 2
    assert str(raised[0]) == "the program that reads such files stopped at it"
    assert decoding.facts_of(tmp_path / "y.txt", T.TEXT) == {"characters": 3}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps to the bound")
def test_a_decoder_that_wants_too_much_memory_is_a_sentence(tmp_path):
    path = tmp_path / "x.txt"
    with path.open("wb") as file:
        file.truncate(4 << 30)
        file.seek(0)
        file.write(b"a" * 5000)
    with pytest.raises(decoding.Unreadable, match="memory"):
        decoding.facts_of(path, T.TEXT)


BREAKOUT = """
import socket, sys
from desktop_app.storage.decoding import confined
confined.narrow()
for name, attempt in {
    "read": lambda: open(sys.argv[1]).close(),
    "write": lambda: open(sys.argv[1], "w"),
    "make": lambda: open(sys.argv[1] + ".new", "w"),
    "connect": lambda: socket.socket().connect(("127.0.0.1", 9)),
    "datagram": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
}.items():
    try:
        attempt()
        print(name, "went through")
    except PermissionError:
        print(name, "refused")
"""


@pytest.mark.skipif(not confinement.landlock_version(), reason="this kernel has no Landlock")
def test_a_decoder_can_read_and_nothing_else(tmp_path):
    path = tmp_path / "victim.txt"
    path.write_text("safe")
    done = subprocess.run([sys.executable, "-c", BREAKOUT, path], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "read went through", "write refused", "make refused", "connect refused", "datagram refused",
    ]  # fmt: skip
    assert path.read_text() == "safe"


def test_a_file_that_is_no_picture_is_refused_when_it_is_attached(tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n")
    with pytest.raises(BadRequest, match=r"photo\.jpg is named like an image, but cannot be read as one: .*"):
        attach(path, Store(tmp_path / "store"))


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("a")
    path.chmod(0)
    with pytest.raises(BadRequest, match="may not be read"):
        attach(path, Store(tmp_path / "store"))


LIES = [
    {"width": 3, "height": 2, "channels": 3, "size": 17},
    {"width": -3, "height": -2, "channels": 3, "size": 18},
    {"width": 3.0, "height": 2, "channels": 3, "size": 18},
    {"width": 3, "height": 2, "channels": 2, "size": 12},
    {"width": 1 << 20, "height": 1 << 20, "channels": 1, "size": 0},
    {"width": 3, "size": 0},
    {"size": 1 << 60},
    {"size": -1},
    {"size": True},
    {},
    [],
    None,
]


@pytest.mark.parametrize("said", LIES, ids=str)
def test_a_decoder_that_was_taken_over_is_not_believed(tmp_path, monkeypatch, said):
    answer = json.dumps(said).encode() + b"\n" + b"x" * 18
    program = f"import sys; print(flush=True); sys.stdin.readline(); sys.stdout.buffer.write({answer!r})"
    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **more: real([command[0], "-c", program], **more))
    with pytest.raises(decoding.Unreadable):
        decoding.picture(tmp_path / "x.png", T.IMAGE)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_a_decoder_sees_no_keys_and_writes_no_files(tmp_path, monkeypatch, own_decoders):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-mine")
    (tmp_path / "y.txt").write_text("abc")
    decoding.facts_of(tmp_path / "y.txt", T.TEXT)
    pid = own_decoders._free[0]._process.pid
    assert b"secret-of-mine" not in Path(f"/proc/{pid}/environ").read_bytes()
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert [line.split()[3:5] for line in limits.splitlines() if line.startswith("Max file size")] == [["0", "0"]]
    assert [line.split()[3] for line in limits.splitlines() if line.startswith("Max address")] == [str(3 << 30)]


def test_decoders_end_with_their_input(tmp_path, own_decoders):
    (tmp_path / "y.txt").write_text("abc")
    decoding.facts_of(tmp_path / "y.txt", T.TEXT)
    decoder = own_decoders._free.pop()
    decoder._process.stdin.close()
    assert decoder._process.wait(20) == 0
    decoder.end()


def test_the_process_that_decodes_knows_neither_the_window_nor_models():
    program = (
        "import sys, desktop_app.storage.decoding.child\n"
        "print([n for n in ('PySide6', 'torch', 'av', 'cv2', 'desktop_app.storage.resources') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# Who decodes


DECODERS = {"PIL", "av", "soundfile", "cv2", "pypdf", "docx", "lxml"}
QT = {"QImageReader", "QMovie", "QMediaPlayer", "fromData", "loadFromData", "imageData"}
MAY_DECODE = {
    "storage/decoding/child.py": "it is that process",
    "storage/decoding/player_child.py": "so is it",
    "run/workers/worker_main.py": "runs in a lane",
    "ui/start/example_preview.py": "the example pictures, which are shipped",
    "ui/support/incoming.py": "pixels of the clipboard, where nobody offers them encoded",
    "ui/help/guide_panel.py": "the pictures of the guide, which are shipped",
    "services/connected_model.py": "makes pictures of one colour, and opens none",
}


def test_the_window_decodes_nothing_of_strangers_itself():
    folder = Path(decoding.__file__).parents[2]
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                {alias.name.partition(".")[0] for alias in node.names} & DECODERS if isinstance(node, ast.Import)
                else {(node.module or "").partition(".")[0]} & DECODERS if isinstance(node, ast.ImportFrom)
                else {getattr(node.func, "id", getattr(node.func, "attr", ""))} & QT if isinstance(node, ast.Call)
                else set()
            )  # fmt: skip
            if names:
                found.add(path.relative_to(folder).as_posix())
    assert found <= MAY_DECODE.keys(), "have it read through desktop_app.storage.decoding"
    assert {"storage/decoding/child.py", "ui/start/example_preview.py"} <= found


@pytest.mark.parametrize("rotation", [0, 90, 180])
def test_a_film_that_is_turned_is_shown_and_told_of_as_players_show_it(tmp_path, rotation):
    path = film(tmp_path / "a.mp4", seconds=0.2, rotation=rotation, audio="")
    facts = decoding.facts_of(path, T.VIDEO)
    assert (facts["width"], facts["height"]) == (192, 108)
    shown = decoding.frame(path)
    assert (shown.width, shown.height) == (192, 108)
    pixels = np.frombuffer(shown.data, np.uint8).reshape(108, 192, -1)[:, :, :3]
    assert read(pixels)[2] == pytest.approx(PATCH, abs=12), "below on the right"
    small = decoding.frame(path, 96)
    assert (small.width, small.height) == (96, 54)
