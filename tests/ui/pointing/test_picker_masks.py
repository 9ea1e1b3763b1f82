"""The live mask in the picker, and boxes drawn by dragging."""

from __future__ import annotations

import asyncio
import itertools

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from desktop_app.core.errors import BadRequest
from desktop_app.ui.pointing import mask_preview
from desktop_app.ui.pointing.pointing_view import PointPicker
from nodes.api import Box, Point
from tests.ui.conftest import until, use_theme
from tests.ui.pointing.test_picker import HEIGHT, WIDTH, Left, click, drag, screen
from tests.waiting import turns


@pytest.fixture
def make(qtbot, qapp, loop):
    pickers = []

    def build(preview=None, **more) -> PointPicker:
        use_theme(qapp)
        made = PointPicker()
        qtbot.addWidget(made)
        made.resize(1100, 700)
        made.show()
        image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
        image.fill(QColor("#335577"))
        made.point_at(image, "Point at the cup", "photo.png", preview=preview, **more)
        qtbot.waitExposed(made)
        pickers.append(made)
        return made

    yield build
    for picker in pickers:  # what was asked last would come when the loop is gone
        picker._mask.use(None, (1, 1))


class Preview:
    """Gives a square of ten pixels at the last point; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    async def __call__(self, marks):
        self.asked.append(marks)
        if len(marks) > 3:
            raise BadRequest("Four clicks are too many.", "Take one away.")
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        x, y = int(marks[-1][0]), int(marks[-1][1])
        mask[y : y + 10, x : x + 10] = 255
        return mask


def masked(picker: PointPicker) -> bool:
    return not picker.view._mask.pixmap().isNull()


async def test_the_mask_follows_the_clicks_with_its_area(make, loop):
    preview = Preview()
    picker = make(preview)
    click(picker, screen(picker, 20, 30))
    await until(lambda: masked(picker))
    overlay = picker.view._mask.pixmap().toImage()
    assert overlay.pixelColor(25, 35).alpha() > 80 and overlay.pixelColor(5, 5).alpha() == 0
    assert picker.mask_card.area.text() == "100 px · 0.2 % of the picture".replace("100 ", "100 ")


async def test_quick_clicks_ask_once_for_the_last_state(make, loop):
    preview = Preview()
    picker = make(preview)
    for x in (20, 60, 100):
        click(picker, screen(picker, x, 30))
    await until(lambda: masked(picker))
    assert [len(marks) for marks in preview.asked] == [3]


def test_an_answer_that_comes_late_is_not_shown(make, loop, monkeypatch):
    monkeypatch.setattr(mask_preview, "FIRST_PATIENCE_SECONDS", 0.05)
    first, answers, came = asyncio.Event(), [], []

    async def preview(marks):
        answers.append(len(marks))
        if len(marks) == 1:
            try:
                await first.wait()
            finally:
                came.append(True)
        return np.full((HEIGHT, WIDTH), 255 if len(marks) == 1 else 0, np.uint8)

    picker = make(preview)

    async def act():
        click(picker, screen(picker, 20, 30))
        await until(lambda: answers == [1])
        click(picker, screen(picker, 90, 30))
        await until(lambda: masked(picker))
        first.set()
        await until(lambda: came)
        await turns()

    loop.run_until_complete(act())
    assert picker.mask_card.area.text().startswith("0 px")


def test_a_mask_that_cannot_be_found_is_explained_and_pointing_goes_on(make, loop, qtbot):
    picker = make(Preview())

    async def act():
        for x in (20, 60, 100, 140):
            click(picker, screen(picker, x, 30))
        await until(lambda: picker.mask_card.trouble)
        said = picker.mask_card.trouble
        QTest.keyClick(picker.view, Qt.Key.Key_Delete)
        await until(lambda: masked(picker))
        return said

    assert loop.run_until_complete(act()) == "Four clicks are too many. Take one away."
    assert picker.mask_card.trouble == ""
    with qtbot.waitSignal(picker.accepted):
        QTest.mouseClick(picker.use, Left)


async def most_of_it(marks, reading=""):
    """Nine tenths of the picture, or by the smallest reading one."""
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[: HEIGHT // 10 if reading == "small" else HEIGHT * 9 // 10] = 255
    return mask


def test_clicks_that_select_most_of_the_picture_are_doubted_and_less_is_one_click_away(make, loop):
    picker = make(most_of_it, readings=True)
    card = picker.mask_card

    async def act():
        click(picker, screen(picker, 20, 3))
        await until(lambda: masked(picker) and picker.strip.cards)
        doubted = card.doubt.isVisibleTo(picker), card.smaller.text().strip().strip()
        QTest.mouseClick(card.smaller, Left)
        await until(lambda: picker._found is not None and picker._found.fraction < 0.2)
        return doubted

    assert loop.run_until_complete(act()) == (True, "Take less: 9.9 %")
    assert picker.drawing.thing.reading == "small"
    assert not card.doubt.isVisibleTo(picker) and not card.smaller.isVisibleTo(picker)


async def test_a_small_thing_is_not_doubted(make, loop):
    picker = make(Preview())
    click(picker, screen(picker, 20, 30))
    await until(lambda: masked(picker))
    assert not picker.mask_card.doubt.isVisibleTo(picker)


async def test_without_points_there_is_no_mask(make, loop):
    picker = make(Preview())
    click(picker, screen(picker, 20, 30))
    await until(lambda: masked(picker))
    picker.undo()
    assert not masked(picker) and not picker.use.isEnabled()


def test_without_a_preview_no_mask_is_promised(make):
    assert not make().mask_card.isVisibleTo(None)


def test_dragging_draws_a_box_of_the_pixels_dragged_over(make, qtbot):
    picker = make(boxes=True)
    drag(picker, screen(picker, 20, 30), screen(picker, 119, 89))
    assert picker.points == (Box(20, 30, 120, 90),)
    with qtbot.waitSignal(picker.accepted) as got:
        QTest.mouseClick(picker.use, Left)
    assert got.args == [(Box(20, 30, 120, 90),)]


def test_a_box_drawn_backwards_and_past_the_edge_stays_inside(make):
    picker = make(boxes=True)
    drag(picker, screen(picker, 100, 100), screen(picker, -30, -30))
    assert picker.points == (Box(0, 0, 101, 101),)


def test_a_click_alone_makes_no_box(make):
    picker = make(boxes=True)
    click(picker, screen(picker, 100, 100))
    click(picker, screen(picker, 100, 100), Qt.MouseButton.RightButton)
    assert picker.points == () and not picker.use.isEnabled()


def test_a_box_is_moved_whole_by_its_corner_and_by_keys(make):
    picker = make(boxes=True)
    drag(picker, screen(picker, 20, 30), screen(picker, 119, 89))
    drag(picker, screen(picker, 20, 30), screen(picker, 60, 50))
    assert picker.points == (Box(60, 50, 160, 110),)
    QTest.keyClick(picker.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert picker.points == (Box(70, 50, 170, 110),)
    for _ in range(30):
        QTest.keyClick(picker.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert picker.points == (Box(WIDTH - 100, 50, WIDTH, 110),)


def test_a_box_can_be_made_by_keyboard_alone(make):
    picker = make(boxes=True)
    QTest.keyClick(picker.list.add, Qt.Key.Key_Space)
    shown = picker.list.rows[0]
    for field, number in zip(shown.fields, ("10", "20", "110", "90"), strict=True):
        field.selectAll()
        QTest.keyClicks(field, number)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert picker.points == (Box(10, 20, 110, 90),)
    picker.undo()
    assert picker.points[0].y1 != 90


def test_going_from_boxes_back_to_points(make):
    picker = make(boxes=True)
    drag(picker, screen(picker, 20, 30), screen(picker, 119, 89))
    image = QImage(50, 40, QImage.Format.Format_RGB32)
    picker.point_at(image, "Again", "", (Point(10, 10),))
    assert picker.points == (Point(10, 10, True),)
    assert "oint" in picker.use.text() and len(picker.list.rows) == 1


def test_a_click_waits_for_the_first_look_at_the_picture_and_does_not_stop_it(make, loop):
    seen, order = asyncio.Event(), []

    async def look():
        order.append("look")
        await seen.wait()
        order.append("seen")

    preview = Preview()

    async def act():
        picker = make(preview, look=look)
        await until(lambda: order == ["look"])
        click(picker, screen(picker, 20, 30))
        await turns()
        order.append(len(preview.asked))
        seen.set()
        await until(lambda: masked(picker))

    loop.run_until_complete(act())
    assert order == ["look", 0, "seen"]


def test_while_a_marker_is_dragged_masks_are_seen(make, loop):
    """Each step asks for another mask; none is stopped for the next, so that something is shown on the way.

    A mask takes as long as two steps of the mouse.
    """
    answers, moved = [], asyncio.Semaphore(2)

    async def preview(marks):
        await moved.acquire()
        await moved.acquire()
        answers.append(marks)
        return np.full((HEIGHT, WIDTH), 255, np.uint8)

    picker = make(preview)
    shown = []
    picker._mask.came.connect(lambda found, *_: shown.append(found))

    async def act():
        click(picker, screen(picker, 20, 30))
        await until(lambda: masked(picker))
        QTest.mousePress(picker.view.viewport(), Left, Qt.KeyboardModifier.NoModifier, screen(picker, 20, 30))
        steps = itertools.cycle(range(22, 80, 2))

        def further() -> bool:
            QTest.mouseMove(picker.view.viewport(), screen(picker, next(steps), 30))
            moved.release()
            return len(shown) > 3

        await until(further)  # the mouse goes on until they came, for however long the machine takes for that
        on_the_way = len(shown)
        QTest.mouseMove(picker.view.viewport(), screen(picker, 78, 30))
        for _ in range(200):
            moved.release()
        QTest.mouseRelease(picker.view.viewport(), Left, Qt.KeyboardModifier.NoModifier, screen(picker, 78, 30))
        await until(lambda: not picker._mask.pending)
        return on_the_way

    assert loop.run_until_complete(act()) >= 3
    assert answers[-1] == (Point(78, 30),)


async def test_the_readings_of_a_box_stay_within_it(make, loop):
    picker = make(most_of_it, readings=True)
    QTest.keyClick(picker, Qt.Key.Key_R)
    drag(picker, screen(picker, 20, 30), screen(picker, 59, 59))
    await until(lambda: masked(picker) and picker.strip.cards)
    shown = picker._found.fraction
    assert [card.reading.fraction <= shown for card in picker.strip.cards] == [True] * 3
    assert next(card for card in picker.strip.cards if card.chosen).reading.fraction == pytest.approx(shown)
