"""Panels can be moved, floated, tabbed and closed; how they are is remembered, and can be had as at first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.widgets.basic import px
from tests.ui import states
from tests.ui.conftest import drag_edge, served
from tests.ui.fakes import finish

Left, Right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
Click = Qt.MouseButton.LeftButton


@pytest.fixture
def make(make_window, session, own_home):
    states.planned(session, asked=False)

    def build() -> MainWindow:
        window = make_window()
        served()
        return window

    return build


@pytest.fixture
def window(make):
    return make()


def places(window: MainWindow) -> dict[str, tuple[int, int, int, int]]:
    """Of each panel x, y, width and height in the window; nothing of those that are not seen."""
    found = {}
    for name, dock in window.workspace.docks.items():
        if dock.isVisible():
            at = dock.mapTo(window, QPoint()) if not dock.isFloating() else dock.pos()
            found[name] = (at.x(), at.y(), dock.width(), dock.height())
    return found


def test_at_first_the_panels_are_round_the_graph_and_have_no_title_bars(window):
    at = places(window)
    assert at["chat"][0] == 0 and at["chat"][2] == px(304)
    assert at["inspector"][0] == window.width() - px(300) and at["inspector"][1] == at["chat"][1]
    assert at["alternatives"][2] == at["timeline"][2] == window.width() - px(304) - px(300) - 2
    assert (at["alternatives"][3], at["timeline"][3]) == (px(138), px(156))
    assert not any(dock._bar.isVisible() for dock in window.workspace.docks.values())


def test_unlocked_each_panel_has_a_title_bar_that_says_what_it_is(window):
    window.commands.run("move_panels")
    served()
    said = {dock._bar.findChild(QLabel).text() for dock in window.workspace.docks.values() if dock._bar.isVisible()}
    assert said == {"Chat", "Inspector", "Alternatives", "Run timeline"}
    window.commands.run("move_panels")
    served()
    assert not any(dock._bar.isVisible() for dock in window.workspace.docks.values())


def test_a_panel_is_closed_by_its_title_bar_and_opened_by_its_action(window):
    window.commands.run("move_panels")
    dock = window.workspace.docks["inspector"]
    QTest.mouseClick(dock._bar.close_button, Click)
    assert not dock.isVisible() and not window.tool_bar.panels["inspector"].isChecked()
    window.commands.run("inspector")
    assert dock.isVisible() and window.tool_bar.panels["inspector"].isChecked()


def test_a_panel_that_floats_keeps_its_title_bar_and_is_put_back_by_it(window):
    window.commands.run("move_panels")
    dock = window.workspace.docks["chat"]
    QTest.mouseClick(dock._bar.float_button, Click)
    window.commands.run("move_panels")  # locks
    assert dock.isFloating() and dock._bar.isVisible()
    QTest.mouseClick(dock._bar.float_button, Click)
    assert not dock.isFloating() and not dock._bar.isVisible() and dock.at_home


def test_a_panel_that_floats_is_hidden_with_the_workspace_and_with_the_window(window, session):
    dock = window.workspace.docks["inspector"]
    dock.setFloating(True)
    assert dock.isVisible()
    session.new()
    session.tell(states.ALL)
    assert window.pages.currentWidget() is window.first and not dock.isVisible()
    states.planned(session, asked=False)
    session.tell(states.ALL)
    assert dock.isVisible()
    window.close()
    assert not dock.isVisible()


def test_moved_panels_are_there_again_in_the_next_window(make):
    window = make()
    space = window.workspace
    space.addDockWidget(Left, space.docks["timeline"])
    space.tabifyDockWidget(space.docks["chat"], space.docks["inspector"])
    served()
    window.close()
    again = make().workspace
    assert again.dockWidgetArea(again.docks["timeline"]) == Left
    assert again.tabifiedDockWidgets(again.docks["chat"]) == [again.docks["inspector"]]


def test_reset_puts_every_panel_back_and_shows_it(window):
    before, space = places(window), window.workspace
    space.addDockWidget(Right, space.docks["chat"])
    space.docks["alternatives"].setFloating(True)
    window.panels.show("timeline", False)
    window.commands.run("move_panels")
    served()
    assert places(window) != before
    window.commands.run("reset_panels")
    served()
    assert places(window) == before and window.panels.locked


def test_a_panel_at_another_edge_takes_the_room_there_is(window):
    space = window.workspace
    space.addDockWidget(Left, space.docks["timeline"])
    served()
    assert space.timeline.maximumHeight() > px(1000)
    space.reset()
    served()
    assert space.timeline.height() == px(156)


def test_pointing_takes_the_place_of_all_panels_but_the_chat_and_gives_it_back(window):
    before = places(window)
    window.show_stage(window.picker)
    served()
    assert places(window).keys() == {"chat"} and window.picker.isVisible()
    window.show_graph()
    served()
    assert places(window) == before


def test_a_settings_file_of_before_panels_could_be_moved_is_read(make, own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    old = QSettings(str(own_home / "window.ini"), QSettings.Format.IniFormat)
    for name, value in {
        "chat_width": 350, "inspector_width": 320, "chat": True, "timeline": False, "inspector": True, "folded": False,
    }.items():  # fmt: skip
        old.setValue(name, value)
    old.sync()
    at = places(make())
    assert at["chat"][2] == px(350) and at["inspector"][2] == px(320) and "timeline" not in at


def test_in_a_wide_window_the_chat_has_a_share_of_the_room_until_the_user_says_how_wide(make):
    window = make()
    window.resize(px(2560), px(1440))
    served()
    assert places(window)["chat"][2] > px(480)
    window.resize(px(1440), px(900))
    served()
    assert places(window)["chat"][2] == px(304)
    drag_edge(window.workspace, "chat", px(400))
    window.resize(px(2560), px(1440))
    served()
    assert abs(places(window)["chat"][2] - px(400)) < px(20)


def test_a_window_that_becomes_small_makes_no_width_the_users_own(make):
    """Where there is no room for what the panels had, Qt makes them narrower by itself."""
    window = make()
    for size in ((2560, 1440), (1000, 700), (1440, 900)):
        window.resize(*map(px, size))
        served()
        wide = px(528 if size[0] == 2560 else 304)
        assert abs(places(window)["chat"][2] - wide) < px(12)


@pytest.mark.parametrize("damaged", [b"", b"nonsense", bytes(200)])
def test_a_damaged_layout_is_as_none(make, own_home, damaged):
    from desktop_app.ui.support.window_state import WindowState

    own_home.mkdir(parents=True, exist_ok=True)
    from PySide6.QtCore import QByteArray

    WindowState().keep(layout=QByteArray(damaged))
    at = places(make())
    assert at.keys() == {"chat", "inspector", "timeline", "alternatives"} and at["chat"][2] == px(304)


def test_a_window_that_was_never_worked_in_keeps_the_layout_that_is_remembered(make, session, qtbot, qapp):
    window = make()
    window.workspace.addDockWidget(Left, window.workspace.docks["timeline"])
    window.close()
    session.new()
    begun = MainWindow(session, spawn=finish)
    qtbot.addWidget(begun)
    begun.show()
    _ = begun.workspace
    begun.close()
    states.planned(session, asked=False)
    space = make().workspace
    assert space.dockWidgetArea(space.docks["timeline"]) == Left
