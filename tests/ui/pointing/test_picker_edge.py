"""Growing and feathering the mask, and changing what finds it, while pointing: by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionSlider

from desktop_app.ui.pointing.drawing import BEST, Drawing, MarkedObject
from desktop_app.ui.pointing.mask_preview import shown
from nodes.api import Point
from tests.ui.conftest import until
from tests.ui.pointing.test_picker import HEIGHT, WIDTH, Left, click, screen
from tests.ui.pointing.test_picker_tools import Squares, draw, make, result
from tests.ui.pointing.test_pointing_drawn import TOOLS, opened, used, world
from tests.waiting import turns

__all__ = ["make", "world"]
FURTHEST = (100, 100)
PLAIN = Qt.KeyboardModifier.NoModifier


def area(picker) -> int:
    return int(picker.mask_card.area.text().split(" px")[0].replace("\N{NARROW NO-BREAK SPACE}", ""))


def settle(picker, loop) -> None:
    async def act():
        await until(lambda: not picker._mask.pending)

    loop.run_until_complete(act())


def place_of(slider, value: int) -> QPoint:
    """Where the middle of the handle is for that value."""
    option, part = QStyleOptionSlider(), QStyle.SubControl
    slider.initStyleOption(option)
    groove, handle = (
        slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, which, slider)
        for which in (part.SC_SliderGroove, part.SC_SliderHandle)
    )
    at = QStyle.sliderPositionFromValue(slider.minimum(), slider.maximum(), value, groove.width() - handle.width())
    return QPoint(groove.x() + at + handle.width() // 2, slider.height() // 2)


def slide(slider, value: int) -> None:
    """Drags the handle there."""
    start, end = place_of(slider, slider.value()), place_of(slider, value)
    QTest.mousePress(slider, Left, PLAIN, start)
    for step in range(1, 5):
        QTest.mouseMove(slider, start + (end - start) * step / 4)
    QTest.mouseRelease(slider, Left, PLAIN, end)


def type_number(spin, text: str) -> None:
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, text)
    QTest.keyClick(spin, Qt.Key.Key_Return)


@pytest.fixture
def pointed(make, loop):
    """A picker in which a square of 21 pixels is selected."""
    picker = make(edge=FURTHEST)
    click(picker, screen(picker, 100, 80))
    settle(picker, loop)
    assert area(picker) == 21 * 21
    return picker


def test_dragging_a_slider_grows_the_mask_while_it_is_dragged_and_is_one_step(pointed, loop):
    edge = pointed.mask_card.edge
    seen = []
    pointed._mask.came.connect(lambda found, *_: found and seen.append(found.area))

    async def act():
        slider = edge.grow.slider
        QTest.mousePress(slider, Left, PLAIN, place_of(slider, 0))
        for value in (2, 4, 8):
            QTest.mouseMove(slider, place_of(slider, value))
            await until(lambda value=value: pointed.drawing.grow == value and not pointed._mask.pending)
        QTest.mouseRelease(slider, Left, PLAIN, place_of(slider, 8))

    loop.run_until_complete(act())
    assert len(seen) >= 3 and seen == sorted(seen) and pointed.drawing.grow == 8
    assert 37 * 37 * 0.92 < area(pointed) < 37 * 37  # round corners
    pointed.undo()
    settle(pointed, loop)
    assert pointed.drawing.grow == 0 and area(pointed) == 21 * 21 and edge.grow.spin.value() == 0
    pointed.redo()
    assert pointed.drawing.grow == 8 and edge.grow.slider.value() == 8


def test_a_handle_that_is_pressed_and_not_moved_is_no_step(pointed):
    slider = pointed.mask_card.edge.grow.slider
    QTest.mouseClick(slider, Left, PLAIN, place_of(slider, 0))
    pointed.undo()
    assert pointed.points == ()


def test_keys_shrink_the_mask_and_a_number_can_be_typed_beyond_the_slider(pointed, loop):
    edge = pointed.mask_card.edge
    edge.grow.slider.setFocus()
    for _ in range(3):
        QTest.keyClick(edge.grow.slider, Qt.Key.Key_Left)
    settle(pointed, loop)
    assert pointed.drawing.grow == -3 and area(pointed) == 15 * 15
    type_number(edge.grow.spin, "60")
    settle(pointed, loop)
    assert pointed.drawing.grow == 60 and edge.grow.slider.value() == edge.grow.slider.maximum() < 60
    assert area(pointed) > 100 * 100
    pointed.undo()
    assert pointed.drawing.grow == -3


def test_feathering_makes_the_edge_pale_on_both_pictures(pointed, loop):
    slide(pointed.mask_card.edge.feather.slider, 6)
    settle(pointed, loop)
    overlay = pointed.view._mask.pixmap().toImage()
    alphas = [overlay.pixelColor(x, 80).alpha() for x in (100, 114, 140)]
    assert alphas[0] > alphas[1] > alphas[2] == 0
    plain = pointed.mask_card.picture._image
    assert 0 < plain.pixelColor(114, 80).lightness() < 200


def test_a_click_after_growing_keeps_what_the_edge_was_set_to(pointed, loop):
    slide(pointed.mask_card.edge.grow.slider, 5)
    click(pointed, screen(pointed, 200, 150))
    settle(pointed, loop)
    assert pointed.drawing.grow == 5 and area(pointed) > 2 * 29 * 29
    pointed.add_thing()
    pointed.strip.removed.emit(0)
    assert pointed.drawing.grow == 5


def test_points_with_an_edge_are_used_without_waiting_for_their_mask(make):
    picker = make(edge=FURTHEST)
    got = []
    picker.drawn.connect(got.append)
    click(picker, screen(picker, 100, 80))
    type_number(picker.mask_card.edge.grow.spin, "6")
    assert "mask" in picker.use.text()
    QTest.mouseClick(picker.use, Left)
    assert got[0].mask is None and got[0].drawing.grow == 6


def test_the_mask_of_several_things_is_handed_over_before_its_edge_is_changed(make, loop):
    """The tool changes it: twice would be too far."""
    picker = make(edge=FURTHEST)
    click(picker, screen(picker, 100, 80))
    QTest.keyClick(picker.view, Qt.Key.Key_N)
    click(picker, screen(picker, 200, 150))
    slide(picker.mask_card.edge.grow.slider, 5)
    assert (result(picker, loop) > 127).sum() == 2 * 21 * 21


def test_without_a_tool_that_can_there_are_no_sliders(make):
    assert not make().mask_card.edge.isVisible()
    assert make(edge=FURTHEST).mask_card.edge.isVisible()
    assert not make(boxes=True, edge=FURTHEST).mask_card.edge.isVisible()


def test_things_keep_their_colours_where_grown_ones_touch():
    masks = {}
    for number, x in ((1, 40), (2, 62)):
        masks[number] = np.zeros((60, 120), np.uint8)
        masks[number][20:40, x : x + 20] = 255
    things = (MarkedObject(1, marks=(Point(45, 30),)), MarkedObject(2, marks=(Point(70, 30),)))
    found = shown(Drawing(things, grow=4), masks, 120, 60)
    image = found.overlay
    assert image.pixelColor(50, 30) != image.pixelColor(75, 30)
    assert image.pixelColor(61, 30).alpha() and image.pixelColor(36 - 2, 30).alpha() == 0
    less = shown(Drawing(things, grow=-4), masks, 120, 60)
    assert less.overlay.pixelColor(42, 30).alpha() == 0 and less.area == 2 * 12 * 12


def test_a_large_picture_is_worked_at_as_large_as_a_screen_and_counted_in_its_own_pixels():
    mask = np.zeros((1000, 1500), np.uint8)
    mask[:500] = 255
    found = shown(Drawing((MarkedObject(1, marks=(Point(3000, 1000),)),)), {1: mask}, 6000, 4000)
    assert found.whole.shape == (1000, 1500) and found.step == 4
    assert found.area == 12_000_000 and found.fraction == 0.5
    assert found.overlay.width() == 1500


# In the window's session


def test_growing_goes_to_the_node_in_one_step_and_comes_back(world):
    session, picker, *_ = world
    opened(world, "seg", "points")
    assert picker.mask_card.edge.isVisible()
    click(picker, screen(picker, 100, 100))
    picker.mask_card.edge.grow.slider.setFocus()
    for _ in range(6):
        QTest.keyClick(picker.mask_card.edge.grow.slider, Qt.Key.Key_Right)
    type_number(picker.mask_card.edge.feather.spin, "2")
    before = len(session.past)
    what = used(world)
    assert (what.grow, what.feather, what.mask) == (6, 2, None) and what.points == (Point(100, 100),)
    assert session.workflow.node("seg").values == {"points": [[100, 100, True]], "grow": 6, "feather": 2}
    assert len(session.past) == before + 1
    opened(world, "seg", "points")
    assert (picker.drawing.grow, picker.drawing.feather) == (6, 2) and picker.points == (Point(100, 100),)
    assert picker.mask_card.edge.values == (6, 2)
    for control in (picker.mask_card.edge.grow, picker.mask_card.edge.feather):
        type_number(control.spin, "0")
    used(world)
    assert session.workflow.node("seg").values == {"points": [[100, 100, True]]}


def test_what_is_seen_while_pointing_is_what_the_tool_makes(world):
    """Clicks, a stroke and an edge: the picker's mask against that of the node with the values it was given."""
    session, picker, _, loop = world
    opened(world, "seg", "points")
    click(picker, screen(picker, 100, 100))
    QTest.keyClick(picker.view, Qt.Key.Key_B)
    draw(picker, [(200, 200), (240, 220)])
    type_number(picker.mask_card.edge.grow.spin, "-2")
    type_number(picker.mask_card.edge.feather.spin, "3")
    settle(picker, loop)
    seen = picker.mask_card.picture._image
    what = used(world)
    from nodes._support.imaging.mask_edge import edged

    stroke = np.where(what.mask == 128, 0, what.mask)
    square = np.zeros_like(stroke)
    square[95:105, 95:105] = 255
    wanted = edged(np.maximum(stroke, square), what.grow, what.feather)
    shown_there = np.array([[seen.pixelColor(x, y).red() for x in range(80, 260)] for y in range(80, 240)])
    assert np.abs(shown_there - wanted[80:240, 80:260]).max() <= 1
    assert session.workflow.node("seg").values["grow"] == -2


def test_where_a_mask_is_wanted_itself_its_edge_is_not_offered(world):
    picker = opened(world, "rem", "mask")
    assert not picker.mask_card.edge.isVisible()
    assert picker.backend.isVisible() and not picker.backend.change.isVisible()


def test_the_back_end_is_told_with_its_cost_and_changed_in_the_node(world, loop):
    session, picker, *_ = world
    opened(world, "seg", "points")
    choice = picker.backend
    assert choice.title.accessibleName() == "Superpixels and GrabCut" and "no download" in choice.facts.text()
    click(picker, screen(picker, 100, 100))
    settle(picker, loop)
    asked = []
    keep = session.preview_mask

    async def preview(name, marks, node="", reading=""):
        asked.append((node, session.workflow.node(node).backend, reading))
        return await keep(name, marks, node, reading)

    session.preview_mask = preview

    async def act():
        QTest.mouseClick(choice.change, Left)
        menu = next(m for m in choice.findChildren(QMenu) if m.isVisible())
        texts = [action.text() for action in menu.actions()]
        assert "SAM base" in texts[1] and "375 MB" in texts[1] and menu.actions()[0].isChecked()
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        await until(lambda: asked and not picker._mask.pending)

    loop.run_until_complete(act())
    assert session.workflow.node("seg").backend == "sam-vit-base" and asked[0] == ("seg", "sam-vit-base", "")
    assert choice.title.accessibleName() == "SAM base" and picker.points == (Point(100, 100),)
    session.undo()
    assert session.workflow.node("seg").backend is None


def test_a_mask_that_was_on_its_way_by_the_old_back_end_is_not_shown(make, loop):
    import asyncio

    late, came = asyncio.Event(), []

    async def slow(points, reading=""):
        try:
            await late.wait()
        finally:
            came.append(True)
        return np.full((HEIGHT, WIDTH), 255, np.uint8)

    picker = make(slow)

    async def act():
        click(picker, screen(picker, 100, 80))
        await until(lambda: picker._mask._began is not None)
        picker.find_anew(Squares())
        await until(lambda: not picker._mask.pending)  # without waiting for the other
        late.set()
        await until(lambda: came)
        await turns()

    loop.run_until_complete(act())
    assert area(picker) == 21 * 21


def test_only_this_tool_has_an_edge_that_the_user_sets():
    from desktop_app.graph.workflow import Link, Node, Workflow
    from desktop_app.session.drawn_masks import edge_of, edge_ports

    assert [tool for tool in TOOLS if edge_ports(TOOLS[tool])] == ["segment_points"]
    node = Node("seg", "segment_points", {"grow": 3})
    workflow = Workflow((), (node, Node("n", "grow_mask")), ())
    assert edge_of(workflow, TOOLS["segment_points"], "seg") == (3, 0)
    linked = replace(workflow, links=(Link("n", "mask", "seg", "grow"),))
    assert edge_of(linked, TOOLS["segment_points"], "seg") is None
    assert Drawing((MarkedObject(1, marks=(Point(1, 1),)),), grow=1).plain is False and BEST == "best"


def test_rows_of_marks_that_stay_are_not_made_again(make, loop):
    picker = make()
    for x in (40, 80, 120):
        click(picker, screen(picker, x, 50))
    first, second, _ = picker.list.rows
    picker.remove(1)
    assert picker.list.rows == [first, second] and second.point == Point(120, 50)
    click(picker, screen(picker, 160, 50))
    assert picker.list.rows[:2] == [first, second] and [row.index for row in picker.list.rows] == [0, 1, 2]
    QTest.mouseClick(picker.list.rows[1].drop, Left)
    assert picker.points == (Point(40, 50), Point(160, 50)) and len(picker.list.rows) == 2
