"""Another window in place of the present one when the scale changes, with a real session and history."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.plan import planner
from desktop_app.plan.language import sentence_encoder, tagger
from desktop_app.plan.types import Plan
from desktop_app.session.messages import Change
from desktop_app.ui.application import application
from desktop_app.ui.support.window_state import WindowState
from desktop_app.ui.theme import theme
from tests.fakes import FakePlanner
from tests.ui.conftest import drag_edge, until, use_theme
from tests.ui.fakes import COFFEE
from tests.waiting import turns

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def windows(qtbot, qapp, loop, own_home, monkeypatch):
    own_home.mkdir(parents=True, exist_ok=True)
    use_theme(qapp)
    quits = qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)
    made = app.new_windows(settings_file.load())
    session = made.session
    session.planning.planner = FakePlanner(Plan((), causes=("No.",)))
    monkeypatch.setattr(application, "_CALM_MILLISECONDS", 0)
    monkeypatch.setattr(application.gc, "freeze", lambda: None)
    made.cleanings = []
    monkeypatch.setattr(session.upkeep, "make_room", lambda: made.cleanings.append(made.window.isVisible()))
    made.open()
    yield made
    loop.run_until_complete(made.autosave.finish())
    loop.run_until_complete(session.close())
    made.window.close()
    made.window.deleteLater()
    made._conversations._history.close()
    qapp.setQuitOnLastWindowClosed(quits)
    theme.apply(qapp, "dark")


def test_the_networks_are_read_once_the_window_has_its_parts(qtbot, qapp, loop, own_home, monkeypatch):
    own_home.mkdir(parents=True, exist_ok=True)
    use_theme(qapp)
    read: list[tuple[str, bool]] = []
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)
    monkeypatch.setattr(tagger, "start", lambda: read.append(("tagger", window.is_prepared)))
    monkeypatch.setattr(
        sentence_encoder.SentenceEncoder, "start", lambda self: read.append(("encoder", window.is_prepared))
    )
    monkeypatch.setattr(planner.Planner, "_rehearse", lambda self: None)
    made = app.new_windows(settings_file.load())
    window = made.open()
    assert read == []
    qtbot.waitUntil(lambda: len(read) == 2)
    assert read == [("tagger", True), ("encoder", True)]
    loop.run_until_complete(made.autosave.finish())
    loop.run_until_complete(made.session.close())
    window.close()
    window.deleteLater()
    made._conversations._history.close()


def test_a_thread_that_computes_leaves_the_window_its_turns(qapp, own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    before = sys.getswitchinterval()
    _, loop = application.begin(settings_file.load())
    mine = sys.getswitchinterval()
    sys.setswitchinterval(before)
    loop.close()
    assert mine < 0.001


async def test_another_size_makes_another_window_that_goes_on_where_the_first_was(windows, loop, qapp):
    first, gone = windows.window, []
    first.destroyed.connect(lambda: gone.append(True))
    await windows.session.ask("count the coins")
    QTest.keyClicks(first.chat.composer.field, "half a thought")
    QTest.mouseClick(first.tool_bar.settings, Left)
    QTest.mouseClick(first.overlays.settings.scales.buttons[2], Left)
    await until(lambda: windows.window is not first and gone)
    windows.session.new()
    await windows.session.ask("again")
    second = windows.window
    assert theme.current().scale == 1.5 and second.isVisible()
    assert second.chat.composer.field.toPlainText() == "half a thought"
    assert second.overlays.settings.isVisible()
    assert len(second.chat.views) == 2


@pytest.mark.parametrize("dropped", [False, True])
async def test_another_size_leaves_a_blank_canvas_where_it_is(windows, loop, qapp, dropped):
    first, session = windows.window, windows.session
    if dropped:
        session.edit(session.workflow.with_resource(session.attach(COFFEE)))
    else:
        first.show_blank()
    assert first.pages.currentWidget() is first.workspace
    windows.open()
    await until(lambda: windows.window is not first)
    assert windows.window.pages.currentWidget() is windows.window.workspace


def test_another_size_remembers_the_panels_as_wide_as_they_were_at_the_size_before(windows, loop):
    first = windows.window
    first.resize(1600, 900)  # in which every panel has room

    async def planned():
        await windows.session.ask("count the coins")
        await until(lambda: len(first.workspace.widths()) == 2)
        await turns()

    async def larger():
        QTest.mouseClick(first.tool_bar.settings, Left)
        QTest.mouseClick(first.overlays.settings.scales.buttons[-1], Left)
        await until(lambda: windows.window is not first)

    loop.run_until_complete(planned())
    drag_edge(first.workspace, "chat", 410)
    drag_edge(first.workspace, "inspector", 360)
    wide = first.workspace.widths()
    loop.run_until_complete(larger())
    assert {name: WindowState().number(f"{name}_width", 0) for name in wide} == wide


async def test_old_results_are_looked_at_once_when_the_window_is_there(windows, loop):
    assert windows.cleanings == []
    await until(lambda: windows.cleanings)
    second = windows.open()
    await until(lambda: windows.window is second)
    await turns()
    assert windows.cleanings == [True]


def test_a_language_model_counts_from_the_next_request_on(windows, loop):
    session = windows.session
    panel = windows.window.overlays.settings
    assert session.planning.chat is None
    QTest.mouseClick(windows.window.tool_bar.settings, Left)
    panel.preset.setCurrentIndex(2)
    panel.preset.activated.emit(2)
    panel.model.setEditText("llama")
    panel._take_model()
    assert session.planning.chat.name == "llama" and session.planning.planner._chat is session.planning.chat
    panel.preset.setCurrentIndex(0)
    panel.preset.activated.emit(0)
    assert session.planning.chat is None


async def test_what_was_said_is_kept_by_itself_and_the_bar_says_so(windows, loop):
    await windows.session.ask("count the coins")
    await until(lambda: "Autosaved" in windows.window.status._saved.text())
    (kept,) = windows._conversations.list()
    assert kept.title == "count the coins"


async def test_the_bar_and_the_first_screen_say_who_plans(windows, loop):
    from desktop_app.ui.start.start_page import FactRow

    window, panel = windows.window, windows.window.overlays.settings

    def rows() -> str:
        return " ".join(row.accessibleName() for row in window.first.findChildren(FactRow))

    await until(lambda: "no language model is set up" in rows())
    QTest.mouseClick(window.tool_bar.settings, Left)
    place = panel.preset.findText("LM Studio", Qt.MatchFlag.MatchContains)
    panel.preset.setCurrentIndex(place)
    panel.preset.activated.emit(place)
    panel.model.setEditText("llama")
    panel._take_model()
    await until(lambda: "llama" in window.status._planner._label.text())
    await until(lambda: "llama at http://localhost:1234/v1" in rows())


async def test_windows_that_are_overtaken_leave_nothing_behind(windows, loop, qapp):
    """The settings change again and again before the window of the change before is there."""
    first, gone = windows.window, []
    for _ in range(3):
        overtaken = windows.open()
        overtaken.destroyed.connect(lambda: gone.append(True))
        await turns()
    await until(lambda: windows.window is not first and len(gone) == 2)
    await windows.session.ask("count the coins")  # tells whoever listens
    assert windows.window.isVisible() and len(windows.window.chat.views) == 2


async def test_a_window_that_goes_before_its_workspace_came_hears_nothing_more(windows, loop):
    first, gone = windows.window, []
    first.destroyed.connect(lambda: gone.append(True))
    assert not first.is_prepared
    windows.open()
    await until(lambda: gone)
    await windows.session.ask("count the coins")
    assert len(windows.window.chat.views) == 2


def test_what_goes_on_after_the_end_is_told_to_no_window(windows, loop):
    heard = []
    windows.session.listen(heard.append)
    loop.run_until_complete(windows.finish())
    windows.session.state.emit(Change.BUSY)
    assert heard == []


async def test_a_window_that_came_too_late_hears_nothing(windows, loop):
    first = windows.window
    late = windows.open()
    first.close()
    await until(lambda: not isValid(late))
    windows.session.state.emit(Change.BUSY | Change.MESSAGES | Change.WORKFLOW | Change.PLAN)
