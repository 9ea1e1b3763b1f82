"""The point picker, driven with real clicks, drags and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from desktop_app.ui.pointing.pointing_view import PointPicker
from nodes.api import Point
from tests.ui.conftest import use_theme

WIDTH, HEIGHT = 301, 203
Left, Right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def picker(qtbot, qapp):
    use_theme(qapp)
    made = PointPicker()
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor("#335577"))
    made.point_at(image, "Point at the cup", "photo.png")
    qtbot.waitExposed(made)
    return made


def screen(picker: PointPicker, x: float, y: float) -> QPoint:
    """The viewport pixel that shows the middle of a pixel of the picture."""
    place = picker.view.viewportTransform().map(QPointF(x + 0.5, y + 0.5))
    return QPoint(int(place.x()), int(place.y()))


def click(picker: PointPicker, place: QPoint, button=Left, keys=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(picker.view.viewport(), button, keys, place)


def test_left_click_includes_and_right_click_excludes(picker):
    click(picker, screen(picker, 20, 30))
    click(picker, screen(picker, 200, 150), Right)
    click(picker, screen(picker, 100, 50), Left, Qt.KeyboardModifier.AltModifier)
    assert picker.points == (Point(20, 30, True), Point(200, 150, False), Point(100, 50, False))


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0, 3.7, 8.0, 16.0])
@pytest.mark.parametrize("pixel", [(0, 0), (WIDTH - 1, HEIGHT - 1), (WIDTH - 1, 0), (0, HEIGHT - 1), (123, 77)])
def test_clicked_pixel_is_exact_at_every_zoom(picker, zoom, pixel):
    picker.view.set_zoom(zoom)
    picker.view.centerOn(pixel[0] + 0.5, pixel[1] + 0.5)
    click(picker, screen(picker, *pixel))
    assert picker.points[-1][:2] == pixel


def test_every_screen_pixel_of_the_last_column_gives_the_last_column(picker):
    picker.view.set_zoom(4.0)
    picker.view.centerOn(WIDTH, HEIGHT)
    edge = picker.view.viewportTransform().map(QPointF(WIDTH, HEIGHT))
    for back in range(1, 4):
        place = QPointF(edge.x() - back, edge.y() - back)
        assert picker.view.pixel(place) == (WIDTH - 1, HEIGHT - 1)
    assert picker.view.pixel(QPointF(edge.x() - 5, edge.y() - 5)) == (WIDTH - 2, HEIGHT - 2)


def test_click_beside_the_picture_counts_for_the_nearest_pixel(picker):
    corner = picker.view.viewportTransform().map(QPointF(0, 0))
    click(picker, QPoint(int(corner.x()) - 8, int(corner.y()) - 8))
    corner = picker.view.viewportTransform().map(QPointF(WIDTH, HEIGHT))
    click(picker, QPoint(int(corner.x()) + 8, int(corner.y()) + 8))
    assert [p[:2] for p in picker.points] == [(0, 0), (WIDTH - 1, HEIGHT - 1)]


def test_zoomed_out_clicks_stay_inside_and_close(picker):
    picker.view.set_zoom(0.25)
    for pixel in ((0, 0), (WIDTH - 1, HEIGHT - 1), (160, 90)):
        got = picker.view.pixel(QPointF(screen(picker, *pixel)))
        assert abs(got[0] - pixel[0]) <= 4 and abs(got[1] - pixel[1]) <= 4
        assert 0 <= got[0] < WIDTH and 0 <= got[1] < HEIGHT


def test_wheel_keeps_the_pixel_under_the_pointer(picker, qtbot):
    place = QPointF(screen(picker, 250, 40))
    before = picker.view.pixel(place)
    for _ in range(6):
        picker.view.set_zoom(picker.view.zoom * 1.4, place)
    after = picker.view.place(place)
    assert abs(after.x() - before[0] - 0.5) < 1.5 and abs(after.y() - before[1] - 0.5) < 1.5


def drag(picker: PointPicker, start: QPoint, end: QPoint) -> None:
    viewport = picker.view.viewport()
    QTest.mousePress(viewport, Left, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(viewport, (start + end) / 2)
    QTest.mouseMove(viewport, end)
    QTest.mouseRelease(viewport, Left, Qt.KeyboardModifier.NoModifier, end)


def test_dragging_a_marker_moves_it_as_one_undo_step(picker):
    click(picker, screen(picker, 40, 40))
    drag(picker, screen(picker, 40, 40), screen(picker, 90, 120))
    assert picker.points == (Point(90, 120, True),)
    picker.undo()
    assert picker.points == (Point(40, 40, True),)
    picker.redo()
    assert picker.points == (Point(90, 120, True),)


def test_dragging_past_the_edge_stops_at_the_edge(picker):
    click(picker, screen(picker, 40, 40))
    drag(picker, screen(picker, 40, 40), screen(picker, WIDTH + 30, -20))
    assert picker.points == (Point(WIDTH - 1, 0, True),)


def test_delete_removes_the_chosen_point_and_undo_brings_it_back(picker):
    click(picker, screen(picker, 40, 40))
    click(picker, screen(picker, 240, 140))
    QTest.keyClick(picker.view, Qt.Key.Key_Delete)
    assert picker.points == (Point(40, 40, True),)
    picker.undo()
    assert len(picker.points) == 2


def test_arrow_keys_move_by_one_and_with_shift_by_ten(picker):
    click(picker, screen(picker, 40, 40))
    QTest.keyClick(picker.view, Qt.Key.Key_Right)
    QTest.keyClick(picker.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert picker.points == (Point(41, 50, True),)
    for _ in range(6):
        QTest.keyClick(picker.view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert picker.points == (Point(0, 50, True),)


def test_numbers_can_be_typed(picker):
    QTest.mouseClick(picker.list.add, Left)
    shown = picker.list.rows[0]
    shown.x_field.selectAll()
    QTest.keyClicks(shown.x_field, "7")
    QTest.keyClick(shown.x_field, Qt.Key.Key_Return)
    assert picker.points == (Point(7, HEIGHT // 2, True),)
    QTest.mouseClick(shown.kind, Left)
    assert picker.points == (Point(7, HEIGHT // 2, False),)


def test_numbers_outside_the_picture_cannot_be_typed(picker):
    QTest.mouseClick(picker.list.add, Left)
    shown = picker.list.rows[0]
    shown.x_field.selectAll()
    QTest.keyClicks(shown.x_field, "999")
    QTest.keyClick(shown.x_field, Qt.Key.Key_Return)
    assert picker.points[0].x < WIDTH


def test_use_points_emits_them_and_needs_one(picker, qtbot):
    assert not picker.use.isEnabled()
    click(picker, screen(picker, 5, 6))
    with qtbot.waitSignal(picker.accepted) as got:
        QTest.mouseClick(picker.use, Left)
    assert got.args == [(Point(5, 6, True),)]


def test_escape_cancels(picker, qtbot):
    with qtbot.waitSignal(picker.cancelled):
        QTest.keyClick(picker.view, Qt.Key.Key_Escape)


def test_given_points_are_shown_and_clamped(picker):
    image = QImage(50, 40, QImage.Format.Format_RGB32)
    picker.point_at(image, "Again", "", (Point(10, 10), Point(400, 400, False)))
    assert picker.points == (Point(10, 10, True), Point(49, 39, False))
    assert not picker.view.marker_at(QPointF(screen(picker, 49, 39))) < 0
