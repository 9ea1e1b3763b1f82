"""How the window begins: little before the first paint, the workspace after it, other pages when they are wanted."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop_app.ui.application.application import Companions
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.theme import theme
from tests.ui import states
from tests.ui.conftest import drag_edge, served, use_theme
from tests.ui.fakes import finish


class Shown(QObject):
    """Remembers the widgets that are shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QWidget] = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(watched)
        return False


@pytest.fixture
def begun(qtbot, qapp, session):
    """A window that was made, and not shown yet."""
    use_theme(qapp)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    yield window
    window.close()


def test_before_the_first_paint_only_what_is_seen_is_made(begun):
    assert begun._workspace is None
    assert begun.first.isVisibleTo(begun) and begun.tool_bar.isVisibleTo(begun) and begun.status.isVisibleTo(begun)


def test_the_workspace_comes_by_itself_in_turns_with_events(begun, qtbot):
    turns = []
    beat = QTimer(begun, interval=0)
    beat.timeout.connect(lambda: turns.append(begun._workspace is None))
    beat.start()
    with qtbot.waitSignal(begun.prepared):
        begun.show()
    assert begun._workspace is not None and begun.pages.currentWidget() is begun.first
    assert sum(turns) > 4, "events were seen to only between few steps"


def test_a_graph_that_is_there_already_is_shown_a_turn_after_the_workspace_was_made(begun, session, qtbot):
    """In one turn with it the window that takes another's place at a new size stood still for twice as long."""
    states.planned(session)
    cards = []
    beat = QTimer(begun, interval=0)
    beat.timeout.connect(lambda: cards.append(begun._workspace and len(begun._workspace.graph.items.cards)))
    beat.start()
    with qtbot.waitSignal(begun.prepared):
        begun.prepare()
    assert None in cards and 0 in cards and begun.graph.items.cards.keys() >= set(session.workflow.ids())


def test_pages_that_are_seldom_needed_are_made_when_they_are_first_shown(begun, qtbot):
    with qtbot.waitSignal(begun.prepared):
        begun.show()
    seldom = {"picker", "pointing", "compare", "comparing", "files"}
    assert not seldom & vars(begun).keys()
    assert not {"settings", "log", "guide", "list"} & vars(begun.overlays).keys()
    begun.commands.run("settings")
    assert begun.overlays.settings.isVisible() and "log" not in vars(begun.overlays)


def test_asking_for_the_workspace_makes_it_at_once(begun):
    assert begun.chat.composer is not begun.first.composer and begun._workspace is not None


def test_who_presses_a_key_early_has_it_done(begun, qtbot):
    with qtbot.waitActive(begun):
        begun.show()
        begun.activateWindow()
    QTest.keyClick(begun.first.composer.field, Qt.Key.Key_F1)
    assert begun.overlays.guide.isVisible()


def test_who_asks_for_the_search_early_has_it_as_soon_as_there_is_what_it_looks_through(begun, qtbot):
    beside = Companions(begun)
    begun.show()
    begun.commands.run("search")
    assert "palette" not in vars(beside) and begun._workspace is None
    qtbot.waitUntil(lambda: begun.is_prepared)
    assert beside.palette.popup.isVisible()
    beside.palette.popup.close()


def test_a_conversation_that_is_there_already_is_shown_from_the_first(qtbot, qapp, session):
    use_theme(qapp)
    states.planned(session)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    window.show()
    assert window.pages.currentWidget() is window.workspace
    assert len(window.chat.views) == len(session.messages)
    window.close()


def test_no_part_flashes_up_as_a_window_of_its_own(begun, qapp):
    shown = Shown()
    qapp.installEventFilter(shown)
    _ = begun.workspace, begun.picker, begun.compare, begun.overlays.settings
    qapp.removeEventFilter(shown)
    assert shown.seen == []


def test_the_first_paint_needs_neither_numpy_nor_the_graph_nor_media_nor_models(qapp):
    code = (
        "import sys, desktop_app.app, desktop_app.ui.main_window.main_window;"
        "heavy = ('PySide6.QtMultimedia', 'torch', 'av', 'cv2', 'scipy', 'openai', 'soundfile', 'numpy', 'PIL',"
        "'NodeGraphQt', 'rapidfuzz', 'snowballstemmer', 'desktop_app.plan.modes.offline', 'importlib.metadata',"
        "'nodes.text._converse', 'urllib.request', 'difflib', 'desktop_app.plan.language.tagger');"
        "sys.exit(', '.join(m for m in heavy if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class _FromTheTaskBar(QShowEvent):
    def spontaneous(self) -> bool:
        return True


def test_a_window_that_comes_back_from_the_task_bar_shows_the_graph_as_it_was(begun, session, qtbot, qapp):
    states.planned(session)
    begun.show()
    served()  # the graph is fitted when it is first shown
    begun.graph.set_zoom(1.7)
    begun.showEvent(_FromTheTaskBar())
    served()
    assert begun.graph.zoom == pytest.approx(1.7)


def test_a_window_that_is_closed_early_makes_nothing_more(begun, qtbot):
    begun.show()
    begun.prepare()
    begun.close()
    served()
    assert begun._workspace is None


def test_the_widths_of_the_panels_are_the_same_at_another_scale(qtbot, qapp, session):
    states.planned(session)

    def shown(scale: float) -> MainWindow:
        theme.apply(qapp, "dark", scale)
        window = MainWindow(session, spawn=finish)
        qtbot.addWidget(window)
        window.resize(round(1440 * scale), round(900 * scale))
        window.show()
        qapp.processEvents()
        return window

    try:
        large = shown(1.5)
        drag_edge(large.workspace, "chat", round(360 * 1.5))
        drag_edge(large.workspace, "inspector", round(340 * 1.5))
        wide = large.chat.width(), large.inspector.width()
        large.close()
        plain = shown(1.0)
        assert (plain.chat.width(), plain.inspector.width()) == pytest.approx([round(w / 1.5) for w in wide], abs=2)
        assert plain.chat.width() == pytest.approx(360, abs=3)
        plain.close()
    finally:
        theme.apply(qapp, "dark", 1.0)
