"""The timeline: all of the run, bars that choose their nodes, its height."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Change
from desktop_app.ui.theme import theme
from desktop_app.ui.timeline import chart
from desktop_app.ui.timeline.chart import Bar, bars_of, lanes_of
from desktop_app.ui.timeline.timeline_panel import Timeline
from tests.ui import states

Left = Qt.MouseButton.LeftButton
Plain = Qt.KeyboardModifier.NoModifier


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


def test_a_click_on_a_bar_selects_its_node_and_beside_it_nothing(timeline, ui):
    chosen = []
    ui.signals.select_node.connect(chosen.append)
    chart = timeline.chart
    rect = chart.rect_of(bar(timeline, "rem"))
    QTest.mouseClick(chart, Left, Plain, QPoint(round(chart.plot.left()) - 20, round(rect.center().y())))
    assert chosen == []
    QTest.mouseClick(chart, Left, Plain, rect.center().toPoint())
    assert chosen == ["rem"]


@pytest.mark.parametrize("seconds", [0.01, 20.0, 86400.0, 40 * 86400.0])
def test_however_long_a_run_takes_its_axis_has_few_figures(timeline, session, monkeypatch, seconds):
    session.run = Run("r", 0.0, {"seg": NodeRun("done", lane="CPU 1", seconds=seconds)}, outcome="done")
    session.tell(Change.RUN)
    figures = []
    monkeypatch.setattr(chart, "_tick", lambda at, *_: figures.append(at) or f"{at:g}")
    timeline.chart.grab()
    assert 2 <= len(figures) <= timeline.chart.plot.width() / 80 + 2


def test_the_bar_under_the_mouse_says_all_of_it(timeline):
    chart = timeline.chart
    QTest.mouseMove(chart, chart.rect_of(bar(timeline, "rem")).center().toPoint())
    assert chart.toolTip() == chart.words_of(bar(timeline, "rem"))
    QTest.mouseMove(chart, QPoint(3, 3))
    assert chart.toolTip() == ""


def test_steps_that_were_done_before_are_all_named(timeline, session, monkeypatch):
    nodes = {id: NodeRun("done", start=0.001, seconds=0.0, cached=True) for id in ("seg", "cap", "rem")}
    session.run = Run("r", 0.0, nodes, outcome="ok", seconds=0.01)
    session.tell(Change.RUN)
    said = []
    monkeypatch.setattr(chart._Painting, "_write", lambda self, title, box, token: said.append(title))
    timeline.chart.grab()
    assert said == [", ".join(timeline.chart.title_of(id) for id in nodes)]


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
    assert timeline.chart.seconds > 25


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


def test_folded_it_is_its_header(timeline, housed):
    assert timeline.height() == 156
    QTest.mouseClick(timeline.fold, Left)
    assert timeline.height() == 36
    QTest.mouseClick(timeline.fold, Left)
    assert timeline.height() == 156


def test_what_was_stopped_keeps_its_bar():
    node = NodeRun("cancelled", "CPU 1", start=1.0)
    (bar,) = bars_of(Run("r", nodes={"paint": node}, outcome="cancelled", seconds=4.0), 0.0)
    assert (bar.start, bar.end) == (1.0, 4.0)


@pytest.mark.parametrize("before", ["Before", "之前"])
def test_lanes_are_in_one_order_in_every_language(monkeypatch, before):
    monkeypatch.setattr(chart.formatting, "translate", lambda _: before)
    lanes = [before, "GPU 0", "CPU 2", "CPU 10"]
    assert lanes_of(Bar("", lane, 0.0, 0.0, 0.0) for lane in reversed(lanes)) == lanes


def test_a_node_that_is_gone_keeps_its_title(timeline):
    session = timeline._ui.session
    node = replace(session.run.nodes["paint"], workflow=session.workflow)
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": node})
    session.workflow = session.workflow.without("paint")
    session.tell(Change.WORKFLOW | Change.RUN)
    assert timeline.chart.title_of("paint") == "Watercolour"


@pytest.mark.parametrize("wide", [540, 830])
def test_the_last_title_is_seen_whole_beside_a_short_bar(timeline, session, wide):
    before, last = session.workflow.nodes[:2]
    nodes = {
        before.id: NodeRun("done", "CPU 1", 0.0, 17.9),
        last.id: NodeRun("done", "CPU 1", 17.9, 0.2),
    }
    timeline.resize(wide, 156)
    chart = timeline.chart
    chart.show_run(Run("r", 0.0, nodes), 0.0)
    title = QFontMetrics(theme.current().font("caption")).horizontalAdvance(chart.title_of(last.id))
    assert chart.rect_of(bar(timeline, last.id)).right() + title + 9 < chart.width()
