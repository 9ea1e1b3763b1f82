"""Brush, eraser, lasso, scribble and box in the picker, by real drags and keys; each stroke is one undo step."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from desktop_app.ui.pointing.marks import Stroke, along, clicks, from_json, moved, to_json
from desktop_app.ui.pointing.pointing_view import PointPicker
from desktop_app.ui.pointing.rasterize import inner_place, over, painted
from nodes.api import Box, Point
from tests.ui.conftest import until, use_theme
from tests.ui.pointing.test_picker import HEIGHT, WIDTH, Left, Right, click, screen

ALT = Qt.KeyboardModifier.AltModifier


class Squares:
    """A back end: a square of 21 pixels around each included point; "large" ones of 61. Keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    async def __call__(self, points, reading=""):
        self.asked.append((points, reading))
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        reach = {"small": 3, "large": 30}.get(reading, 10)
        for x, y, include in points:
            if include:
                x, y = int(x), int(y)
                mask[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = 255
        return mask


@pytest.fixture
def make(qtbot, qapp, loop):
    pickers = []

    def build(preview=None, **more) -> PointPicker:
        use_theme(qapp)
        made = PointPicker()
        qtbot.addWidget(made)
        made.resize(1100, 800)
        made.show()
        image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
        image.fill(QColor("#335577"))
        made.point_at(image, "Point at the cup", "photo.png", preview=preview or Squares(), **more)
        qtbot.waitExposed(made)
        pickers.append(made)
        return made

    yield build
    for picker in pickers:  # what was asked last would come when the loop is gone
        picker._mask.use(None, (1, 1))


def draw(picker: PointPicker, places, button=Left, keys=Qt.KeyboardModifier.NoModifier) -> None:
    """A drag over pixels of the picture."""
    viewport = picker.view.viewport()
    first, *rest = [screen(picker, *place) for place in places]
    QTest.mousePress(viewport, button, keys, first)
    for place in rest:
        QTest.mouseMove(viewport, place)
    QTest.mouseRelease(viewport, button, keys, rest[-1] if rest else first)


def result(picker: PointPicker, loop) -> np.ndarray:
    """The mask that *Use mask* gives."""
    got = []
    picker.drawn.connect(got.append)

    async def act():
        QTest.mouseClick(picker.use, Left)
        await until(lambda: got)

    loop.run_until_complete(act())
    return got[0].mask


@pytest.mark.parametrize(("key", "tool"), [
    ("V", "point"), ("R", "box"), ("B", "brush"), ("E", "eraser"), ("L", "lasso"), ("S", "scribble"), ("H", "pan"),
    ("Z", "zoom"),
])  # fmt: skip
def test_each_tool_has_a_key_and_a_button_with_a_name(make, key, tool):
    picker = make()
    picker.take_tool("pan" if tool != "pan" else "zoom")
    QTest.keyClick(picker.view, key)
    assert picker.view.tool == tool and picker.tools.buttons[tool].isChecked()
    other = "zoom" if tool != "zoom" else "point"
    QTest.mouseClick(picker.tools.buttons[other], Left)
    assert picker.view.tool == other
    button = picker.tools.buttons[tool]
    assert button.accessibleName() and f"({key}" in button.toolTip() and min(button.width(), button.height()) >= 24


def test_the_brush_selects_what_it_paints_and_each_stroke_is_one_undo_step(make, loop):
    picker = make()
    QTest.keyClick(picker.view, "B")
    picker.set_brush(11)
    draw(picker, [(50, 60), (70, 60), (90, 60)])
    draw(picker, [(50, 120), (90, 120)])
    assert [mark.kind for mark in picker.points] == ["brush", "brush"]
    picker.undo()
    assert len(picker.points) == 1 and picker.points[0].path[0] == (50, 60) and picker.points[0].path[-1] == (90, 60)
    mask = result(picker, loop)
    assert mask[60, 50:91].min() == 255 and mask[55:66, 70].min() == 255
    assert not mask[:54].any() and not mask[67:].any() and not mask[:, :44].any()


def test_the_eraser_and_the_right_button_take_away_from_what_was_found(make, loop):
    picker = make()
    click(picker, screen(picker, 100, 100))
    QTest.keyClick(picker.view, "E")
    picker.set_brush(5)
    draw(picker, [(95, 95), (105, 95)])
    QTest.keyClick(picker.view, "B")
    draw(picker, [(95, 105), (105, 105)], Right)
    mask = result(picker, loop)
    assert not mask[95, 95:106].any() and not mask[105, 95:106].any()
    assert mask[100, 100] == 255 and (mask > 0).sum() > 250


def test_later_strokes_go_over_earlier_ones():
    marks = (Stroke("brush", ((50, 50),), True, 21), Stroke("eraser", ((50, 50),), False, 9),
             Stroke("brush", ((50, 50),), True, 3))  # fmt: skip
    by_hand = painted(marks, 100, 100)
    assert by_hand[50, 50] == 255 and by_hand[50, 53] == 0 and by_hand[50, 58] == 255 and by_hand[5, 5] == 128


@pytest.mark.parametrize("size", [1, 2, 3, 10, 50])
def test_a_dab_is_as_wide_as_the_brush(size):
    selected = painted((Stroke("brush", ((60, 60),), True, size),), 121, 121) == 255
    columns = np.flatnonzero(selected.any(axis=0))
    assert columns[-1] - columns[0] + 1 == size and selected[60, 60]


@pytest.mark.parametrize("corner", [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)])
def test_the_brush_reaches_every_corner(make, loop, corner):
    picker = make()
    QTest.keyClick(picker.view, "B")
    draw(picker, [(WIDTH // 2, HEIGHT // 2), corner])
    assert result(picker, loop)[corner[1], corner[0]] == 255


@pytest.mark.parametrize("zoom", [0.5, 1.0, 3.0, 9.0])
def test_a_stroke_is_exact_at_every_zoom(make, zoom):
    picker = make()
    QTest.keyClick(picker.view, "B")
    picker.view.set_zoom(zoom)
    picker.view.centerOn(100, 100)
    draw(picker, [(95, 100), (105, 104)])
    (x0, y0), (x1, y1) = picker.points[0].path[0], picker.points[0].path[-1]
    most = 0 if zoom >= 1 else 2
    assert max(abs(x0 - 95), abs(y0 - 100), abs(x1 - 105), abs(y1 - 104)) <= most


def test_the_lasso_selects_its_inside_and_with_the_right_button_takes_it_away(make, loop):
    picker = make()
    QTest.keyClick(picker.view, "L")
    draw(picker, [(50, 50), (150, 50), (150, 150), (50, 150)])
    draw(picker, [(80, 80), (120, 80), (120, 120), (80, 120)], Right)
    draw(picker, [(10, 10), (10, 10)])
    assert len(picker.points) == 2
    mask = result(picker, loop)
    assert mask[51, 51] == mask[149, 149] == mask[100, 60] == 255 and mask[100, 100] == 0 == mask[160, 100]


async def test_a_scribble_is_asked_for_as_points_along_it(make, loop):
    preview = Squares()
    picker = make(preview)
    QTest.keyClick(picker.view, "S")
    draw(picker, [(40, 60), (80, 60), (140, 60)])
    draw(picker, [(40, 160), (60, 160)], Left, ALT)
    await until(lambda: preview.asked and not picker._mask.pending)
    asked = preview.asked[-1][0]
    assert asked[0] == Point(40, 60) and Point(140, 60) in asked and len([p for p in asked if p.include]) >= 4
    assert {p.y for p in asked if p.include} == {60} and {p.y for p in asked if not p.include} == {160}


def test_scribbles_alone_are_used_as_points(make, qtbot):
    picker = make()
    QTest.keyClick(picker.view, "S")
    draw(picker, [(40, 60), (80, 60)])
    with qtbot.waitSignal(picker.accepted) as got:
        QTest.mouseClick(picker.use, Left)
    assert all(isinstance(point, Point) and point.include for point in got.args[0]) and len(got.args[0]) >= 2


def test_a_box_bounds_what_is_selected_and_points_at_its_middle(make, loop):
    preview = Squares()
    picker = make(preview)
    QTest.keyClick(picker.view, "R")
    draw(picker, [(95, 95), (120, 104)])
    mask = result(picker, loop)
    assert preview.asked[-1][0] == (Point(108, 100),)
    assert mask[100, 108] == 255 and not mask[:95].any() and not mask[105:].any()


def test_brackets_change_the_width_of_the_brush(make):
    picker = make()
    QTest.keyClick(picker.view, "B")
    before = picker.view.brush_size
    QTest.keyClick(picker.view, "]")
    assert picker.view.brush_size > before
    for _ in range(60):
        QTest.keyClick(picker.view, "[")
    assert picker.view.brush_size == 1
    picker._hints.brush.slider.setValue(100)
    assert picker.view.brush_size == 500


def test_a_stroke_in_the_list_is_chosen_by_a_click_moved_by_keys_and_removed(make):
    picker = make()
    click(picker, screen(picker, 200, 30))
    QTest.keyClick(picker.view, "B")
    draw(picker, [(50, 60), (70, 60)])
    click(picker, screen(picker, 250, 30))
    QTest.mouseClick(picker.list.rows[1], Left)
    assert picker.selected == 1
    QTest.keyClick(picker.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert picker.points[1].path[0] == (50, 70)
    QTest.mouseClick(picker.list.rows[1].drop, Left)
    assert [type(mark) for mark in picker.points] == [Point, Stroke]


def test_strokes_are_moved_inside_and_keep_their_form():
    stroke = Stroke("lasso", ((10, 10), (30, 12), (20, 40)))
    far = moved(stroke, 500, -500, 100, 80)
    assert far.path == ((79, 0), (99, 2), (89, 30))


def test_marks_survive_being_kept():
    marks = (Point(3, 4, False), Box(1, 2, 30, 40), Stroke("eraser", ((1, 2), (3, 4)), False, 7))
    assert tuple(from_json(to_json(mark)) for mark in marks) == marks


def test_samples_lie_on_the_path_with_both_ends():
    found = along(((0, 0), (100, 0), (100, 100)))
    assert found[0] == (0, 0) and found[-1] == (100, 100) and len(found) == 9
    assert all(x == 100 or y == 0 for x, y in found)
    assert along(((5, 5),)) == [(5, 5)]
    assert clicks((Stroke("scribble", ((5, 5), (6, 5)), False),)) == (Point(5, 5, False),)


def test_what_was_painted_over_a_soft_mask_keeps_its_softness_elsewhere():
    found = np.full((20, 20), 90, np.uint8)
    by_hand = painted((Stroke("brush", ((5, 5),), True, 1),), 20, 20)
    mask = over(found, by_hand, 20, 20)
    assert mask[5, 5] == 255 and mask[0, 0] == 90
    assert inner_place(by_hand) == Point(5, 5) and inner_place(np.zeros((4, 4))) is None


def test_without_a_tool_that_takes_masks_only_points_are_offered(make):
    picker = make(paint=False)
    QTest.keyClick(picker.view, "B")
    assert picker.view.tool == "point" and not picker.tools.buttons["brush"].isVisible()
    assert not picker.strip.isVisible() and picker.mask_card.isVisible()
