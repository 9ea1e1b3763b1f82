"""Sound and film in the window: what is played is decoded in another process, from the first click on play on."""

from __future__ import annotations

import ast
from dataclasses import replace

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.core.paths import PROJECT
from desktop_app.ui.chat.result_card import NamedFacts, ResultCard
from desktop_app.ui.results.result_view import FileCard, ResultView
from desktop_app.ui.support import media_reader
from desktop_app.ui.widgets.basic import IconButton
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


@pytest.mark.parametrize(("made", "suffix", "kind"), [("film", ".mp4", FilmView), ("sound", ".wav", SoundView)])
def test_a_film_or_sound_that_is_a_file_is_played_where_it_stands_and_told_once(made, suffix, kind, qtbot, ui, request):
    resource = replace(request.getfixturevalue(made), type=T.FILE, suffix=suffix)
    card = ResultCard(ui, resource)
    qtbot.addWidget(card)
    assert card.findChildren(kind) and len(card.findChildren(FileCard)) == 1
    assert [one.text() for one in card.findChildren(QLabel)].count(resource.name) <= 1
    assert not card.findChildren(NamedFacts)
    assert [one for one in card.findChild(FileCard).findChildren(IconButton) if "Save" in one.accessibleName()]


@machine_noise
def test_play_plays_and_says_when_nothing_can_be_heard(qtbot, ui, sound):
    view = SoundView(ui, sound)
    qtbot.addWidget(view)
    view.show()
    QTest.mouseClick(view._play, Left)
    assert ("no sound device" in view._note.text()) == (view._player._speaker is None)
    qtbot.waitUntil(lambda: view._player.position() == 1000 and not view._player.isPlaying())
    assert view._time.text() == "0:01 / 0:01"


def test_nothing_but_the_sound_device_is_asked_of_qts_multimedia():
    """Its players decode in the process that asks."""
    found = {}
    for path in (PROJECT / "desktop_app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "PySide6.QtMultimedia":
                found[path.name] = {alias.name for alias in node.names}
    assert found == {"player.py": {"QAudioFormat", "QAudioSink", "QMediaDevices"}}


def test_a_film_that_cannot_be_played_says_so(qtbot, ui, film, session):
    session.path_of(film).write_bytes(b"#EXTM3U\nfile:///etc/passwd\n")
    view = FilmView(ui, film)
    qtbot.addWidget(view)
    view.show()
    view._toggle()
    qtbot.waitUntil(lambda: "This video cannot be played: it is no sound or film" in view._note.text())
    assert view._note.isVisibleTo(view)


@machine_noise
def test_a_film_shows_its_first_picture_and_plays_in_place(qtbot, ui, film):
    view = FilmView(ui, film)
    qtbot.addWidget(view)
    view.resize(300, 260)
    view.show()
    qtbot.waitUntil(lambda: ui.thumbnails.image(film) is not None)
    assert ui.thumbnails.image(film).width() == 64
    QTest.mouseClick(view._picture, Left)
    qtbot.waitUntil(lambda: view._picture._override is not None)
    view._player.pause()


def test_a_film_whose_name_stands_below_has_it_once(qtbot, ui, film):
    made = [ResultView(ui, film, plate=plate) for plate in (True, False)]
    for view in made:
        qtbot.addWidget(view)
    assert [view.findChild(FilmView)._picture._plate for view in made] == [True, False]


def test_a_sound_that_cannot_be_read_says_so(qtbot, ui, sound, session):
    session.path_of(sound).write_bytes(b"no sound at all")
    view = SoundView(ui, sound)
    qtbot.addWidget(view)
    qtbot.waitUntil(lambda: "cannot be shown" in view._note.text())


def test_a_picture_that_cannot_be_read_is_no_crash(qtbot, ui, session):
    broken = session.put("broken.png", np.zeros((4, 4, 3), np.uint8), T.IMAGE, width=4, height=4)
    session.path_of(broken).write_bytes(b"not a picture")
    assert ui.thumbnails.image(broken) is None
    qtbot.waitUntil(lambda: bool(ui.thumbnails.trouble(broken)))


def test_label_maps_are_shown_in_colours(session):
    regions = np.zeros((6, 8), np.uint16)
    regions[:, 4:] = 3
    made = session.put("regions.png", regions, T.SEGMENTATION)
    shown = media_reader.picture(session.path_of(made), T.SEGMENTATION)
    assert shown.pixelColor(0, 0) != shown.pixelColor(7, 0)
