"""Several things in one picture, the readings of one, and pointing by keys alone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.ui.pointing.drawing import Drawing, MarkedObject, restored
from desktop_app.ui.pointing.marks import Stroke
from nodes.api import Box, Point
from tests.ui.conftest import until
from tests.ui.pointing.test_picker import HEIGHT, WIDTH, Left, click, screen
from tests.ui.pointing.test_picker_tools import Squares, draw, make, result

__all__ = ["make"]
SHIFT = Qt.KeyboardModifier.ShiftModifier


def settle(picker, loop) -> None:
    async def act():
        await until(lambda: not picker._mask.pending)

    loop.run_until_complete(act())


def test_each_thing_has_its_own_marks_and_all_together_are_the_mask(make, loop):
    preview = Squares()
    picker = make(preview)
    click(picker, screen(picker, 50, 50))
    QTest.keyClick(picker.view, "N")
    assert picker.points == () and len(picker.strip.chips) == 2
    click(picker, screen(picker, 200, 150))
    QTest.mouseClick(picker.strip.add, Left)
    QTest.keyClick(picker.view, "B")
    draw(picker, [(100, 20), (110, 20)])
    mask = result(picker, loop)
    assert mask[50, 50] == mask[150, 200] == mask[20, 105] == 255 and mask[100, 125] == 0
    assert {asked for asked, _ in preview.asked} == {(Point(50, 50),), (Point(200, 150),)}


def test_a_chip_shows_the_marks_of_its_thing_again(make):
    picker = make()
    click(picker, screen(picker, 50, 50))
    picker.add_thing()
    click(picker, screen(picker, 200, 150))
    QTest.mouseClick(picker.strip.chips[0].choose, Left)
    assert picker.points == (Point(50, 50),) and len(picker.list.rows) == 1
    click(picker, screen(picker, 60, 60))
    assert [len(t.marks) for t in picker.drawing.things] == [2, 1]
    assert "2" in picker.strip.chips[0]._count.text()


def test_a_thing_without_marks_is_not_added_twice(make):
    picker = make()
    picker.add_thing()
    assert len(picker.drawing.things) == 1
    click(picker, screen(picker, 50, 50))
    picker.add_thing()
    picker.add_thing()
    assert len(picker.drawing.things) == 2


def test_things_are_told_apart_by_number_and_by_colour(make, loop):
    picker = make()
    for x in (40, 120, 200):
        picker.add_thing()
        click(picker, screen(picker, x, 50))
    settle(picker, loop)
    shown = picker.view._mask.pixmap().toImage()
    colours = {shown.pixelColor(x, 50).name() for x in (40, 120, 200)}
    assert len(colours) == 3
    assert [chip.choose.text() for chip in picker.strip.chips] == ["Object 1", "Object 2", "Object 3"]


def test_a_thing_is_removed_in_one_undo_step(make):
    picker = make()
    click(picker, screen(picker, 50, 50))
    picker.add_thing()
    click(picker, screen(picker, 200, 150))
    QTest.mouseClick(picker.strip.chips[0].drop, Left)
    assert [t.number for t in picker.drawing.things] == [2] and picker.points == (Point(200, 150),)
    picker.undo()
    assert [t.number for t in picker.drawing.things] == [1, 2]


def test_three_readings_are_offered_and_keys_take_one(make, loop, qtbot):
    preview = Squares()
    picker = make(preview, readings=True)
    click(picker, screen(picker, 100, 100))

    async def act():
        await until(lambda: picker.strip.cards)

    loop.run_until_complete(act())
    assert [card.chosen for card in picker.strip.cards] == [False, True, False]
    QTest.keyClick(picker.view, "3")
    assert [card.chosen for card in picker.strip.cards] == [False, False, True]
    asked = len(preview.asked)
    mask = result(picker, loop)
    assert (mask > 0).sum() == 61 * 61 and len(preview.asked) == asked
    picker.undo()
    with qtbot.waitSignal(picker.accepted):
        QTest.mouseClick(picker.use, Left)
    QTest.mouseClick(picker.strip.cards[0], Left)
    assert picker.drawing.thing.reading == "small"


def test_where_their_pictures_have_no_room_readings_are_offered_by_name(make, loop):
    picker = make(readings=True)
    picker.resize(1000, 500)
    click(picker, screen(picker, 100, 100))

    async def act():
        await until(lambda: picker.strip.names)

    loop.run_until_complete(act())
    part, thing, group = picker.strip.names
    assert not picker.strip.cards[0].isVisible() and group.isVisible() and thing.isChecked()
    QTest.mouseClick(group, Left)
    assert picker.drawing.thing.reading == "large" and group.isChecked() and not thing.isChecked()
    picker.resize(1000, 900)
    assert picker.strip.cards[0].isVisible() and not part.isVisible()


async def test_other_clicks_have_other_readings(make, loop):
    picker = make(readings=True)
    click(picker, screen(picker, 100, 100))
    await until(lambda: picker.strip.cards)
    picker.add_thing()
    assert picker.strip.cards == []
    click(picker, screen(picker, 30, 30))
    await until(lambda: picker.strip.cards)


async def test_a_click_during_the_readings_comes_first(make, loop):
    preview = Squares()
    picker = make(preview, readings=True)
    click(picker, screen(picker, 100, 100))
    await until(lambda: "small" in [r for _, r in preview.asked])
    click(picker, screen(picker, 30, 30))
    await until(lambda: picker.strip.cards)
    assert preview.asked[-1][0] == (Point(100, 100), Point(30, 30))


def test_points_are_set_with_the_keyboard_alone(make, qtbot):
    picker = make()
    picker.view.setFocus()
    QTest.keyClick(picker.view, Qt.Key.Key_Right)
    x, y = picker.view.cross
    QTest.keyClick(picker.view, Qt.Key.Key_Right)
    QTest.keyClick(picker.view, Qt.Key.Key_Up, SHIFT)
    QTest.keyClick(picker.view, Qt.Key.Key_Return)
    QTest.keyClick(picker.view, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(picker.view, Qt.Key.Key_Return, SHIFT)
    assert picker.points == (Point(x + 1, y - 10, True), Point(x + 1, y, False))
    QTest.keyClick(picker.view, Qt.Key.Key_Escape)
    assert picker.view.cross is None
    with qtbot.waitSignal(picker.accepted):
        QTest.keyClick(picker.view, Qt.Key.Key_Return)


def test_the_cross_stops_at_the_edges(make):
    picker = make()
    QTest.keyClick(picker.view, "C")
    for _ in range(40):
        QTest.keyClick(picker.view, Qt.Key.Key_Left, SHIFT)
        QTest.keyClick(picker.view, Qt.Key.Key_Down, SHIFT)
    assert picker.view.cross == (0, HEIGHT - 1)
    for _ in range(40):
        QTest.keyClick(picker.view, Qt.Key.Key_Right, SHIFT)
    assert picker.view.cross == (WIDTH - 1, HEIGHT - 1)


@pytest.mark.parametrize(("key", "kind"), [("B", Stroke), ("L", Stroke), ("S", Stroke), ("R", Box)])
def test_strokes_and_boxes_are_drawn_with_the_keyboard_alone(make, key, kind):
    picker = make()
    QTest.keyClick(picker.view, key)
    QTest.keyClick(picker.view, "C")
    start = picker.view.cross
    QTest.keyClick(picker.view, Qt.Key.Key_Return)
    for way in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(picker.view, way, SHIFT)
    QTest.keyClick(picker.view, Qt.Key.Key_Return)
    (mark,) = picker.points
    assert isinstance(mark, kind)
    if isinstance(mark, Box):
        assert mark == Box(start[0], start[1], start[0] + 11, start[1] + 11)
    else:
        assert mark.path == (start, (start[0] + 10, start[1]), (start[0] + 10, start[1] + 10))


def test_escape_drops_what_the_cross_began(make, qtbot):
    picker = make()
    QTest.keyClick(picker.view, "B")
    QTest.keyClick(picker.view, "C")
    QTest.keyClick(picker.view, Qt.Key.Key_Return)
    QTest.keyClick(picker.view, Qt.Key.Key_Escape)
    assert picker.points == () and picker.view.cross is None
    with qtbot.waitSignal(picker.cancelled):
        QTest.keyClick(picker.view, Qt.Key.Key_Escape)


def test_a_drawing_is_shown_again_as_it_was_kept(make):
    drawing = Drawing((
        MarkedObject(1, (Point(5, 6), Stroke("eraser", ((1, 1), (9, 9)), False, 4)), "large"),
        MarkedObject(3, (Stroke("lasso", ((1, 1), (9, 1), (9, 9))),)),
    ), 1)  # fmt: skip
    again = restored(drawing.to_json())
    assert again == drawing
    picker = make(drawing=again)
    assert picker.drawing == drawing and len(picker.strip.chips) == 2
    assert restored([{"number": "x"}]) is None and restored([]) is None


def test_a_mask_wanted_is_given_even_for_points(make, loop):
    picker = make(mask_wanted=True)
    click(picker, screen(picker, 50, 50))
    assert "mask" in picker.use.text()
    mask = result(picker, loop)
    assert mask.dtype == np.uint8 and (mask > 0).sum() == 21 * 21


async def test_every_control_has_a_name_and_is_large_enough(make, loop):
    from PySide6.QtWidgets import QAbstractButton

    picker = make(readings=True)
    click(picker, screen(picker, 50, 50))
    await until(lambda: picker.strip.cards)
    seen = [b for b in picker.findChildren(QAbstractButton) if b.isVisible()]
    assert len(seen) > 15
    for button in (*seen, *picker.strip.cards):
        assert button.accessibleName(), button
        assert min(button.width(), button.height()) >= 24, button.accessibleName()
