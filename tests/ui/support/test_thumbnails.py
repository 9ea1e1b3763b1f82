"""Small pictures take a bounded part of the memory, however many results a day has, and what is seen stays seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from desktop_app.storage.resources import Resource
from desktop_app.ui.support import thumbnails
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.picture import Picture
from nodes.api import ResourceType
from tests.ui.conftest import served

SIDE = 64
BYTES = SIDE * SIDE * 4


@pytest.fixture
def many(session, monkeypatch) -> list[Resource]:
    """Eight pictures of one colour each, of which four are kept."""
    monkeypatch.setattr(thumbnails, "_MOST_BYTES", 4 * BYTES)
    colours = np.arange(8, dtype=np.uint8) * 30
    return [
        session.put(f"{n}.png", np.full((SIDE, SIDE, 3), n, np.uint8), ResourceType.IMAGE, width=SIDE, height=SIDE)
        for n in colours
    ]


def read(qtbot, ui, resources: Sequence[Resource]) -> None:
    for one in resources:
        qtbot.waitUntil(lambda one=one: ui.thumbnails.image(one) is not None)


def test_the_oldest_make_room_when_all_are_larger_than_the_limit(qtbot, ui, many):
    read(qtbot, ui, many)
    kept = ui.thumbnails._images
    assert sum(image.sizeInBytes() for image in kept.values()) <= 4 * BYTES
    assert list(kept) == [one.digest for one in many[-len(kept) :]]


def test_one_that_is_larger_than_the_limit_is_still_shown(qtbot, ui, many, monkeypatch):
    monkeypatch.setattr(thumbnails, "_MOST_BYTES", 1)
    read(qtbot, ui, many[:1])
    assert len(ui.thumbnails._images) == 1


def test_a_picture_that_was_seen_needs_its_thumbnail_no_more(qtbot, ui, many):
    shown = Picture(ui, many[0])
    qtbot.addWidget(shown)
    shown.resize(100, 100)
    shown.show()
    qtbot.waitUntil(lambda: shown._cache is not None)
    before = shown.grab().toImage()
    read(qtbot, ui, many[1:])
    assert many[0].digest not in ui.thumbnails._images
    assert shown.grab().toImage() == before
    assert shown.heightForWidth(50) == 50
    served()
    assert not ui.thumbnails._asked, "it was read again to be laid out"


def test_more_pictures_in_sight_than_are_kept_come_to_rest(qtbot, ui, many):
    shown = [Picture(ui, one) for one in many]
    for picture in shown:
        qtbot.addWidget(picture)
        picture.resize(80, 80)
        picture.show()
    qtbot.waitUntil(lambda: all(picture._cache is not None for picture in shown))
    asked = list[str]()
    ui.thumbnails.ready.connect(asked.append)
    for picture in shown:
        picture.updateGeometry()
        picture.update()
    served()
    ui.loader.wait()
    served()
    assert asked == []


@pytest.mark.parametrize("name", ["dark", "light"])
def test_a_white_picture_ends_somewhere_on_a_white_ground(qtbot, qapp, ui, session, name):
    """A white frame, asked for and made, was not to be seen in the light theme."""
    white = session.put("w.png", np.full((SIDE, SIDE, 3), 255, np.uint8), ResourceType.IMAGE, width=SIDE, height=SIDE)
    theme.apply(qapp, name)
    shown = Picture(ui, white, plate=False)
    qtbot.addWidget(shown)
    shown.resize(100, 100)
    shown.show()
    qtbot.waitUntil(lambda: shown._cache is not None)
    seen = shown.grab().toImage()
    theme.apply(qapp, "dark")
    assert seen.pixelColor(50, 50).lightness() == 255
    assert seen.pixelColor(0, 50).lightness() < 240


def test_the_name_of_a_tall_picture_goes_on_beside_it(qtbot, ui, session, monkeypatch):
    """Of "portrait.png · 300 × 900" it said "po…ng"."""
    tall = np.full((900, 300, 3), 90, np.uint8)
    told = session.put("portrait.png", tall, ResourceType.IMAGE, width=300, height=900)
    shown, rooms = Picture(ui, told, cut=False), []
    monkeypatch.setattr(
        "desktop_app.ui.widgets.picture.paint_plate", lambda painter, room, text: rooms.append(room.width())
    )
    qtbot.addWidget(shown)
    shown.resize(260, 220)
    shown.show()
    qtbot.waitUntil(lambda: bool(rooms))
    assert rooms[-1] == 260
