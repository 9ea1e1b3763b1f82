"""The window at 200 %: what is meant in pixels of the 100 % design is twice as large, and nothing goes missing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from desktop_app.ui.compare.compare_view import CompareView
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.main_window.status_bar import Status, StatusBar
from desktop_app.ui.theme import theme
from tests.ui import graph_samples as samples


@pytest.fixture
def double(qapp: QApplication):
    """The dark theme at 200 %; afterwards at 100 % again."""
    theme.apply(qapp, "dark", 2.0)
    yield
    theme.apply(qapp, "dark")


@pytest.fixture
def graph(double, qtbot):
    made = GraphView()
    qtbot.addWidget(made)
    made.animated = False
    made.resize(1900, 1000)
    made.show()
    qtbot.waitExposed(made)
    made.show_workflow(samples.workflow(), samples.run(), samples.TOOLS)
    return made


def test_everything_is_fitted_above_the_tools_and_the_map(graph):
    graph.fit()
    tools = QRect(graph.canvas.viewport().mapFrom(graph, graph.stage.buttons.pos()), graph.stage.buttons.size())
    lowest = graph.canvas.mapFromScene(graph.bounds().bottomLeft()).y()
    assert lowest <= tools.top()


def test_a_zoom_of_200_percent_can_be_had(graph):
    graph.set_zoom(2.0)
    assert graph.zoom == pytest.approx(2.0)
    graph.canvas.zoom_by(10)
    assert graph.zoom == pytest.approx(3.0)


def test_arranging_fits_as_fitting_does(graph):
    graph.resize(3800, 2400)
    graph.controller.edits.lay_out()
    arranged = graph.zoom
    graph.fit()
    assert arranged == pytest.approx(graph.zoom) and arranged > 0.5


def test_what_differs_is_as_high_as_designed_once_there_is_room(ui, double, qtbot):
    stage = CompareView(ui)
    qtbot.addWidget(stage)
    stage.resize(640, 480)
    stage.show()
    assert stage.folded
    stage.resize(2200, 1600)
    assert not stage.folded and abs(stage.split.sizes()[1] - 2 * 290) <= 2


def test_a_status_bar_without_room_leaves_items_out_and_cuts_none(ui, double, qtbot, qapp):
    bar = StatusBar(ui, Status("2 CPU cores, no GPU found", True, "Offline planner"))
    qtbot.addWidget(bar)
    bar.setMinimumWidth(1)  # as in the window, which has a least size of its own
    bar.show()
    shown = []
    for wide in (2400, 620, 440):
        bar.resize(wide, bar.height())
        qapp.processEvents()
        items = [item for item in bar._items if item.isVisible()]
        assert all(item.width() >= item.sizeHint().width() for item in items), wide
        shown.append(len(items))
    assert shown[0] > shown[1] >= shown[2] >= 1 and bar._device.isVisible()
