"""How the window begins: little before the first paint, the rest in small steps, or at once when it is wanted."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from shiboken6 import isValid

from desktop_app.ui.main_window.construction import PARTS
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.theme import theme
from tests.ui import states
from tests.ui.conftest import served, use_theme
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


def made(window: MainWindow) -> frozenset[str]:
    return PARTS & vars(window).keys()


def test_before_the_first_paint_only_what_is_seen_is_made(begun):
    assert made(begun) == set()
    assert begun.first.isVisibleTo(begun) and begun.tool_bar.isVisibleTo(begun) and begun.status.isVisibleTo(begun)


def test_the_rest_comes_by_itself_in_steps(begun, qtbot, qapp):
    counts = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            counts.append(len(made(begun)))
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    begun.show()
    qtbot.waitUntil(lambda: made(begun) == PARTS)
    qapp.removeEventFilter(watch)
    assert len(set(counts)) > 4, "events were seen to only between few steps"
    assert begun.pages.currentWidget() is begun.first


def test_asking_for_a_part_makes_all_at_once(begun):
    assert begun.chat.composer is not begun.first.composer
    assert made(begun) == PARTS


def test_what_the_window_has_not_is_said_to_be_missing(begun):
    with pytest.raises(AttributeError, match="no_such_part"):
        _ = begun.no_such_part


def test_who_presses_a_button_meanwhile_finds_the_window_whole(begun):
    begun.show()
    begun.make_soon(bool)
    assert made(begun) != PARTS
    QTest.mouseClick(begun.tool_bar.search, Qt.MouseButton.LeftButton)
    assert begun.everything.popup.isVisible()
    begun.everything.popup.close()


def test_events_are_seen_to_while_the_parts_are_made_for_who_presses(begun):
    begun.show()
    begun.make_soon(bool)
    counts = []
    beat = QTimer(begun, interval=0)
    beat.timeout.connect(lambda: counts.append(len(made(begun))))
    beat.start()
    QTest.mouseClick(begun.tool_bar.search, Qt.MouseButton.LeftButton)
    assert made(begun) == PARTS and len(set(counts)) > 4
    begun.everything.popup.close()


def test_what_is_pressed_and_gone_when_the_parts_are_there_does_no_harm(begun):
    begun.show()
    begun.make_soon(bool)
    button = QPushButton("Try", begun.first)
    button.show()
    button.installEventFilter(begun)
    pressed = []
    button.pressed.connect(lambda: pressed.append(True))
    QTimer.singleShot(0, button.deleteLater)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    assert not isValid(button) and not pressed and made(begun) == PARTS


def test_who_presses_a_key_meanwhile_finds_the_window_whole(begun):
    begun.show()
    begun.make_soon(bool)
    assert made(begun) != PARTS
    QTest.keyClick(begun.first.composer.field, Qt.Key.Key_F6)
    assert made(begun) == PARTS


def test_letters_are_typed_while_the_parts_are_made(begun):
    begun.show()
    begun.make_soon(bool)
    QTest.keyClicks(begun.first.composer.field, "a cup")
    assert made(begun) != PARTS and begun.first.composer.field.toPlainText() == "a cup"


def test_a_conversation_that_is_there_already_is_shown_from_the_first(qtbot, qapp, session):
    use_theme(qapp)
    states.planned(session)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    window.show()
    assert made(window) == PARTS and window.pages.currentWidget() is window.body
    assert len(window.chat.views) == len(session.messages)
    window.close()


def test_no_part_flashes_up_as_a_window_of_its_own(begun, qapp):
    shown = Shown()
    qapp.installEventFilter(shown)
    begun.complete()
    qapp.removeEventFilter(shown)
    assert shown.seen == []


def test_the_first_paint_needs_neither_numpy_nor_the_graph_nor_media_nor_models(qapp):
    code = (
        "import sys, desktop_app.app, desktop_app.ui.main_window.main_window;"
        "heavy = ('PySide6.QtMultimedia', 'torch', 'av', 'cv2', 'scipy', 'openai', 'soundfile', 'numpy', 'PIL',"
        "'NodeGraphQt', 'rapidfuzz', 'snowballstemmer', 'desktop_app.plan.modes.offline');"
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


def test_a_window_that_is_closed_early_makes_no_more_parts(begun, qtbot):
    begun.show()
    begun.make_soon(bool)
    begun.close()
    there = made(begun)
    served()
    assert made(begun) == there != PARTS


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
        large.body.setSizes([540, 1620])
        large.work.setSizes([1000, 420])
        qapp.processEvents()
        wide = large.chat.width(), large.inspector.width()
        large.close()
        plain = shown(1.0)
        assert (plain.chat.width(), plain.inspector.width()) == pytest.approx([round(w / 1.5) for w in wide], abs=2)
        assert plain.chat.width() == pytest.approx(360, abs=3)
        plain.close()
    finally:
        theme.apply(qapp, "dark", 1.0)
