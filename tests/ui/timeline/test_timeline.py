"""The timeline: looking closer and at all of it again, by mouse, wheel, keys and menu; its height."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Change
from desktop_app.ui.timeline.bars import bars_of
from desktop_app.ui.timeline.time_range import LEAST_SECONDS, Span, between
from desktop_app.ui.timeline.timeline_panel import Timeline
from tests.ui import states

Left = Qt.MouseButton.LeftButton
Plain, Shift, Ctrl = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier,
)  # fmt: skip
Key = Qt.Key
WHOLE = Span(0.0, 10.0)


# Pieces of time


def part(span: Span | None) -> Span:
    """The piece, which is not the whole."""
    assert span is not None
    return span


def test_zooming_leaves_the_time_under_the_cursor_where_it_is():
    span = part(WHOLE.zoomed(2, 2.5, WHOLE))
    assert span == Span(1.25, 6.25) and (2.5 - span.start) / span.seconds == pytest.approx(0.25)


def test_zooming_out_ends_with_the_whole_and_in_with_the_least():
    assert Span(2, 4).zoomed(0.1, 3, WHOLE) is None
    assert part(Span(2, 2.02).zoomed(1000, 2.01, WHOLE)).seconds == pytest.approx(LEAST_SECONDS)


@pytest.mark.parametrize(("by", "start"), [(1, 3), (-1, 1), (-9, 0), (99, 8)])
def test_moving_ends_at_both_ends_of_the_run(by, start):
    assert Span(2, 4).moved(by, WHOLE) == Span(start, start + 2)


def test_an_edge_follows_the_hand_and_the_other_edge_stays():
    span = part(WHOLE.stretched(4.0, 2.0, 8.0, WHOLE))  # the bar of 2 to 4 s gets three times as long
    assert span.seconds == pytest.approx(10 / 3)
    assert (2.0 - span.start) / span.seconds == pytest.approx(0.2)
    assert (4.0 - span.start) / span.seconds == pytest.approx(0.8)


def test_an_edge_drawn_over_the_other_one_does_not_turn_time_round():
    span = part(Span(0, 5).stretched(4.0, 2.0, 0.5, Span(0, 1000)))
    assert span.seconds == pytest.approx(2 / 0.02)  # the bar of 2 s is as narrow as it gets
    assert WHOLE.stretched(3.0, 3.0, 5.0, WHOLE) is None


def test_a_marked_piece_has_no_direction_and_a_least_length():
    assert between(6, 4, WHOLE) == Span(4, 6)
    assert part(between(4, 4, WHOLE)).seconds == pytest.approx(LEAST_SECONDS)
    assert between(-5, 50, WHOLE) is None


# The widget


@pytest.fixture
def ended(session):
    """17.6 s: segment and caption at the beginning, painting from 2.9 to 16.9 s on the GPU."""
    return states.answered(session)


@pytest.fixture
def timeline(qtbot, ui, ended):
    made = Timeline(ui)
    qtbot.addWidget(made)
    made.resize(830, 156)
    with qtbot.waitExposed(made):
        made.show()
    return made


def bar(timeline, node: str):
    return next(bar for bar in timeline.chart.bars if bar.node == node)


def place(chart, seconds: float, y: float | None = None) -> QPoint:
    return QPoint(round(chart.x_of(seconds)), round(8 if y is None else y))


def drag(chart, start: QPoint, *stops: QPoint) -> None:
    QTest.mousePress(chart, Left, Plain, start)
    for stop in stops:
        QTest.mouseMove(chart, stop)
    QTest.mouseRelease(chart, Left, Plain, stops[-1])


def wheel(chart, at: QPoint, notches: float, mods=Plain) -> bool:
    event = QWheelEvent(
        QPointF(at), chart.mapToGlobal(QPointF(at)), QPoint(), QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton, mods, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(chart, event)
    return event.isAccepted()


def close_up(timeline) -> None:
    timeline.chart.look(Span(4.0, 8.0))


def test_dragging_along_the_axis_shows_that_part(timeline):
    chart = timeline.chart
    drag(chart, place(chart, 4.0), place(chart, 6.0), place(chart, 9.0))
    assert chart.span.start == pytest.approx(4.0, abs=0.05) and chart.span.end == pytest.approx(9.0, abs=0.05)
    assert timeline.fit.isVisible() and "is shown" in timeline._words.accessibleName()


def test_the_part_that_is_being_marked_is_painted(timeline):
    chart = timeline.chart
    before = chart.grab().toImage()
    QTest.mousePress(chart, Left, Plain, place(chart, 4.0))
    QTest.mouseMove(chart, place(chart, 9.0))
    chart.grab()
    middle = place(chart, 6.5, chart.height() - 3)
    assert chart.hands.marked is not None and chart.grab().toImage().pixel(middle) != before.pixel(middle)
    QTest.mouseRelease(chart, Left, Plain, place(chart, 9.0))
    assert chart.hands.marked is None


def test_a_click_on_the_axis_changes_nothing(timeline):
    QTest.mouseClick(timeline.chart, Left, Plain, place(timeline.chart, 5.0))
    assert not timeline.chart.zoomed


def test_dragging_the_edge_of_a_bar_makes_it_longer(timeline):
    chart = timeline.chart
    rect = chart.rect_of(bar(timeline, "rem"))  # 1.2 to 2.6 s
    assert 12 < rect.width() < 80
    edge, y = QPoint(round(rect.right()), round(rect.center().y())), round(rect.center().y())
    drag(chart, edge, edge + QPoint(30, 0), QPoint(edge.x() + 120, y))
    after = chart.rect_of(bar(timeline, "rem"))
    assert after.left() == pytest.approx(rect.left(), abs=1.5)
    assert after.right() == pytest.approx(rect.right() + 120, abs=2)


def test_a_click_on_an_edge_does_not_zoom(timeline):
    chart = timeline.chart
    rect = chart.rect_of(bar(timeline, "rem"))
    QTest.mouseClick(chart, Left, Plain, QPoint(round(rect.right()), round(rect.center().y())))
    assert not chart.zoomed


def test_a_click_on_a_bar_selects_its_node_and_a_drag_does_not(timeline, ui):
    chosen = []
    ui.signals.select_node.connect(chosen.append)
    chart = timeline.chart
    middle = chart.rect_of(bar(timeline, "paint")).center().toPoint()
    QTest.mouseClick(chart, Left, Plain, middle)
    assert chosen == ["paint"]
    close_up(timeline)
    drag(chart, middle, middle + QPoint(60, 0))
    assert chosen == ["paint"]


def test_dragging_the_ground_moves_what_is_seen(timeline):
    chart = timeline.chart
    close_up(timeline)
    start = place(chart, 6.0, chart.height() - 5)
    drag(chart, start, start - QPoint(40, 0), start - QPoint(80, 0))
    assert chart.span.seconds == pytest.approx(4.0)
    assert chart.span.start == pytest.approx(4.0 + 80 / chart.plot.width() * 4.0, abs=0.02)


def test_ctrl_and_the_wheel_zoom_at_the_cursor(timeline):
    chart = timeline.chart
    at = place(chart, 9.0, 40)
    assert wheel(chart, at, 2, Ctrl)
    assert chart.zoomed and chart.x_of(9.0) == pytest.approx(at.x(), abs=1)
    assert chart.span.seconds == pytest.approx(chart.whole.seconds / 1.25**2)
    wheel(chart, at, -9, Ctrl)
    assert not chart.zoomed and timeline.fit.isHidden()


@pytest.mark.parametrize("mods", [Plain, Shift])
def test_the_wheel_alone_moves_what_is_seen(timeline, mods):
    chart = timeline.chart
    close_up(timeline)
    assert wheel(chart, place(chart, 6.0, 40), -1, mods)
    assert chart.span == Span(4.4, 8.4)
    wheel(chart, place(chart, 6.0, 40), 99, mods)
    assert chart.span == Span(0.0, 4.0)


def test_while_all_is_seen_the_wheel_is_left_to_the_lanes(timeline):
    assert not wheel(timeline.chart, QPoint(300, 40), -1)


@pytest.mark.parametrize("how", ["double click", "button", "key", "menu"])
def test_the_whole_run_comes_back(timeline, how):
    chart = timeline.chart
    close_up(timeline)
    if how == "double click":
        QTest.mouseDClick(chart, Left, Plain, place(chart, 6.0))
    elif how == "button":
        QTest.mouseClick(timeline.fit, Left)
    elif how == "key":
        QTest.keyClick(chart, Key.Key_0)
    else:
        chart.hands.menu(QPoint(300, 60)).actions()[-1].trigger()
    assert not chart.zoomed and timeline.fit.isHidden()
    assert "is shown" not in timeline._words.accessibleName()


def test_keys_zoom_and_move(timeline):
    chart = timeline.chart
    chart.setFocus()
    QTest.keyClick(chart, Key.Key_Plus)
    assert chart.span.seconds == pytest.approx(chart.whole.seconds / 1.5)
    before = chart.span
    QTest.keyClick(chart, Key.Key_Right)
    assert chart.span.start == pytest.approx(before.start + 0.1 * before.seconds)
    QTest.keyClick(chart, Key.Key_Left)
    assert chart.span.start == pytest.approx(before.start)
    QTest.keyClick(chart, Key.Key_End)
    assert chart.span.end == pytest.approx(chart.whole.end)
    QTest.keyClick(chart, Key.Key_Home)
    assert chart.span.start == 0.0
    QTest.keyClick(chart, Key.Key_Minus)
    assert not chart.zoomed


def test_the_menu_looks_closer_at_the_bar_below_it(timeline):
    chart = timeline.chart
    rem = bar(timeline, "rem")
    menu = chart.hands.menu(chart.rect_of(rem).center().toPoint())
    assert menu.actions()[0].text() == "Zoom to Remove object"
    menu.actions()[0].trigger()
    assert chart.span.start == pytest.approx(1.2 - 0.07) and chart.span.end == pytest.approx(2.6 + 0.07)


def test_a_reader_hears_what_part_is_seen(timeline):
    assert "is shown" not in timeline.chart.accessibleDescription()
    close_up(timeline)
    assert timeline.chart.accessibleDescription().startswith("4.0 s to 8.0 s is shown")


def test_bars_outside_of_what_is_seen_are_not_clicked(timeline, ui):
    chosen = []
    ui.signals.select_node.connect(chosen.append)
    chart = timeline.chart
    chart.look(Span(4.0, 8.0))
    y = round(chart.rect_of(bar(timeline, "rem")).center().y())
    QTest.mouseClick(chart, Left, Plain, QPoint(round(chart.plot.left()) - 20, y))
    assert chosen == []


# While a run goes on


@pytest.fixture
def going(qtbot, ui, session, monkeypatch):
    """A run whose clock is moved by hand."""
    states.running(session)
    clock = [session.run.time + 5.0]
    monkeypatch.setattr("desktop_app.ui.timeline.timeline_panel.time.time", lambda: clock[0])
    made = Timeline(ui)
    qtbot.addWidget(made)
    made.resize(830, 156)
    made.show()
    return made, clock


def test_the_whole_run_is_followed(going):
    timeline, clock = going
    clock[0] += 20
    timeline.refresh()
    assert timeline.chart.span.end > 25


def test_a_closer_look_stays_while_the_run_goes_on(going):
    timeline, clock = going
    timeline.chart.look(Span(1.0, 2.0))
    clock[0] += 20
    timeline.refresh()
    assert timeline.chart.span == Span(1.0, 2.0) and timeline.chart.whole.end > 25


def test_the_next_run_is_seen_as_a_whole(timeline, session):
    close_up(timeline)
    session.run = Run("run-4", time.time(), {"seg": NodeRun("running", "GPU 0", 0.1)})
    session.tell(Change.RUN)
    assert not timeline.chart.zoomed


def test_what_the_mouse_holds_when_another_run_begins_is_let_go(timeline, session):
    chart = timeline.chart
    QTest.mousePress(chart, Left, Plain, place(chart, 4.0))
    session.run = replace(session.run, id="run-9")
    session.tell(Change.RUN)
    QTest.mouseMove(chart, place(chart, 9.0))
    QTest.mouseRelease(chart, Left, Plain, place(chart, 9.0))
    assert not chart.zoomed


def test_nothing_to_see_is_not_zoomed(qtbot, ui):
    made = Timeline(ui)
    qtbot.addWidget(made)
    made.resize(830, 156)
    made.show()
    wheel(made.chart, QPoint(300, 40), 3, Ctrl)
    QTest.keyClick(made.chart, Key.Key_Plus)
    drag(made.chart, QPoint(200, 8), QPoint(400, 8))
    assert not made.chart.zoomed


# Its height


@pytest.fixture
def housed(qtbot, timeline):
    """In a window, which is what it measures itself by."""
    from PySide6.QtWidgets import QVBoxLayout, QWidget

    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addStretch(1)
    column.addWidget(timeline)
    window.resize(860, 900)
    with qtbot.waitExposed(window):
        window.show()
    return window


def test_the_button_makes_it_taller_and_back(timeline, housed):
    assert timeline.height() == 156 and timeline.enlarge.accessibleName() == "Enlarge the timeline"
    low = timeline.chart.row_height
    QTest.mouseClick(timeline.enlarge, Left)
    QApplication.processEvents()
    assert timeline.height() == 320 and timeline.chart.row_height > low
    assert timeline.enlarge.accessibleName() == "Make the timeline smaller" == timeline.enlarge.toolTip()
    QTest.mouseClick(timeline.enlarge, Left)
    assert timeline.height() == 156 and timeline.chart.row_height == low


def test_in_a_low_window_it_does_not_take_all(timeline, housed):
    QTest.mouseClick(timeline.enlarge, Left)
    housed.resize(860, 500)
    assert timeline.height() == 200
    housed.resize(860, 900)
    assert timeline.height() == 320


def test_folded_it_has_no_other_height_and_remembers_which(timeline, housed):
    QTest.mouseClick(timeline.enlarge, Left)
    QTest.mouseClick(timeline.fold, Left)
    assert timeline.height() == 36 and timeline.enlarge.isHidden()
    QTest.mouseClick(timeline.fold, Left)
    assert timeline.height() == 320 and timeline.enlarge.isVisible()


def test_the_fit_button_hands_the_keyboard_on(qtbot, timeline, housed):
    close_up(timeline)
    timeline.activateWindow()
    timeline.fit.setFocus()
    qtbot.waitUntil(timeline.fit.hasFocus)
    QTest.keyClick(timeline.fit, Key.Key_Space)
    assert timeline.chart.hasFocus() and timeline.chart.ringed


def test_what_was_stopped_keeps_its_bar():
    node = NodeRun("cancelled", "CPU 1", start=1.0)
    (bar,) = bars_of(Run("r", nodes={"paint": node}, outcome="cancelled", seconds=4.0), 0.0)
    assert (bar.start, bar.end) == (1.0, 4.0)


def test_a_node_that_is_gone_keeps_its_title(timeline):
    session = timeline._ui.session
    node = replace(session.run.nodes["paint"], workflow=session.workflow)
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": node})
    session.workflow = session.workflow.without("paint")
    session.tell(Change.WORKFLOW | Change.RUN)
    assert timeline.chart.title_of("paint") == "Watercolour"
