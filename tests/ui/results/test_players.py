"""Sound and film in the window: nothing of Qt's multimedia is loaded before the first click on play."""

from __future__ import annotations

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.ui.support import media_reader
from desktop_app.ui.widgets.media_player import FilmView, SoundView
from nodes.api import Audio, ResourceType

machine_noise = pytest.mark.qt_log_level_fail("CRITICAL")  # drivers that a machine does not have are no fault of ours
Left = Qt.MouseButton.LeftButton
T = ResourceType


@pytest.fixture
def film(tmp_path, session):
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for shade in range(10):
            picture = np.full((48, 64, 3), 20 * shade, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return session.attach(path)


@pytest.fixture
def sound(session):
    tone = np.concatenate([np.zeros(4000), np.sin(np.linspace(0, 600, 4000))]).astype("f4")
    return session.put("tone.wav", Audio(tone[:, None], 8000), T.AUDIO, seconds=1.0)


def test_the_outline_follows_the_loudness(sound, session):
    outline = media_reader.outline(session.path_of(sound), 10)
    assert outline.seconds == pytest.approx(1.0)
    assert max(outline.peaks[:5]) < 0.01 and min(outline.peaks[5:]) > 0.9


@machine_noise
def test_play_plays_or_says_that_there_is_no_device(qtbot, desk, sound):
    view = SoundView(desk, sound)
    qtbot.addWidget(view)
    view.show()
    QTest.mouseClick(view._play, Left)
    if view._player is None:
        assert "no sound device" in view._note.text() and view._note.isVisibleTo(view)
    else:
        qtbot.waitUntil(view._player.isPlaying)
        view._player.stop()


@machine_noise
def test_a_film_shows_its_first_picture_and_plays_in_place(qtbot, desk, film):
    view = FilmView(desk, film)
    qtbot.addWidget(view)
    view.resize(300, 260)
    view.show()
    qtbot.waitUntil(lambda: desk.thumbnails.image(film) is not None)
    assert desk.thumbnails.image(film).width() == 64
    QTest.mouseClick(view._picture, Left)
    qtbot.waitUntil(lambda: view._picture._override is not None)
    view._player.stop()


def test_a_sound_that_cannot_be_read_says_so(qtbot, desk, sound, session):
    session.path_of(sound).write_bytes(b"no sound at all")
    view = SoundView(desk, sound)
    qtbot.addWidget(view)
    qtbot.waitUntil(lambda: "cannot be shown" in view._note.text())


def test_a_picture_that_cannot_be_read_is_no_crash(qtbot, desk, session):
    broken = session.put("broken.png", np.zeros((4, 4, 3), np.uint8), T.IMAGE, width=4, height=4)
    session.path_of(broken).write_bytes(b"not a picture")
    assert desk.thumbnails.image(broken) is None
    qtbot.waitUntil(lambda: bool(desk.thumbnails.trouble(broken)))


def test_label_maps_are_shown_in_colours(session):
    regions = np.zeros((6, 8), np.uint16)
    regions[:, 4:] = 3
    made = session.put("regions.png", regions, T.SEGMENTATION)
    shown = media_reader.picture(session.path_of(made), T.SEGMENTATION)
    assert shown.pixelColor(0, 0) != shown.pixelColor(7, 0)


LISTS = [
    b"#EXTM3U\nfile:///etc/passwd\n",
    b"[playlist]\nFile1=http://x",
    b"ffconcat version 1.0\nfile x",
    b"<?xml ?><MPD/>",
    b"",
]


@pytest.mark.parametrize("content", LISTS)
def test_a_playlist_named_like_a_film_is_not_played(tmp_path, content):
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    assert not media_reader.plays(path)


@pytest.mark.parametrize(
    "content",
    [b"\0\0\0\x20ftypisom", b"RIFF....WAVE", b"OggS", b"\xff\xfb\x90", b"ID3\4", b"\x1a\x45\xdf\xa3", b"\x47\0"],
)
def test_sounds_and_films_are_played(tmp_path, content):
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    assert media_reader.plays(path)
