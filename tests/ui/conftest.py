"""For tests of the window: no screen is needed, the theme is set, and a warning of Qt fails the test."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
import qasync
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.main_window.workspace import Workspace
from desktop_app.ui.support import qt_types
from desktop_app.ui.support.context import UiContext, make_context
from desktop_app.ui.theme import theme
from tests.ui.fakes import FakeSession, finish
from tests.ui.graph_kit import edits, view  # noqa: F401 - fixtures of the graph
from tests.waiting import PATIENCE, until  # noqa: F401 - tests of the window have it from here

_PATIENCE_MS = round(1000 * PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/ui/" in item.nodeid:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", "pipewire", extend=True))


@pytest.fixture(autouse=True, scope="session")
def types_made(qapp: QApplication) -> None:
    """The loader waits for nothing, whichever test is the first of its process (what it waits for: test_threads.py)."""
    qt_types.make_all()


@pytest.fixture(autouse=True)
def no_leftovers(qapp: QApplication) -> Iterator[None]:
    """Widgets of earlier tests are really deleted: they make every change of style slower.

    Python's collector runs between the tests only, as in the window (gc_timer.py) on this thread: on another one it
    would delete timers and widgets there.
    """
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.disable()
    yield
    gc.enable()
    gc.collect(1)


@pytest.fixture(autouse=True)
def no_button_held(no_leftovers) -> Iterator[None]:
    """QTest keeps what was pressed and not released, as after each of its double clicks, for the tests that follow.

    A slider, for one, does not let itself be dragged while another button is held.
    """
    yield
    hand = QWidget()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
        QTest.mouseRelease(hand, button)


@pytest.fixture(autouse=True, scope="package")
def nothing_left_behind() -> Iterator[None]:
    """After the last of these tests nothing of Qt is left for the collector to find on a thread of another test."""
    yield
    application = QApplication.instance()
    if application is not None:
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.freeze()


def use_theme(application: QApplication) -> None:
    """The dark theme at 100 %; applied only when it is not in use, because styling everything anew takes long."""
    now = theme.current()
    if (now.name, now.scale) != ("dark", 1.0) or not application.styleSheet():
        theme.apply(application, "dark")


@pytest.fixture
def session(tmp_path) -> FakeSession:
    """An empty fake session with a real store."""
    return FakeSession(tmp_path / "store")


@pytest.fixture
def make_window(qtbot: QtBot, qapp: QApplication, session: FakeSession) -> Iterator[Callable[..., MainWindow]]:
    """Makes a window of the session as it is then, and gives it the keyboard; in the end all of them are closed."""
    made: list[MainWindow] = []

    def build(size: tuple[int, int] = (1440, 900), **more: Any) -> MainWindow:
        use_theme(qapp)
        window = MainWindow(session, spawn=finish, **more)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        made.append(window)
        window.resize(*size)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield build
    for window in made:
        window.close()


@pytest.fixture
def ui(qapp: QApplication, session: FakeSession) -> UiContext:
    """A context on the fake session, for panels without a window."""
    use_theme(qapp)
    owner = QObject()
    made = make_context(session, owner, finish)  # type: ignore[arg-type]
    made.signals.setProperty("owner", owner)
    yield made
    made.loader.wait()
    shiboken6.delete(owner)  # here: a thread of the next test must not delete its timers


class _Loop(qasync.QEventLoop):
    """In the program the loop always runs; here Qt's events are also served between two turns of it, and what it has to
    do then is done as if it ran.
    """

    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        wanted = handle._callback

        def within(*arguments: object) -> None:
            runs = asyncio._get_running_loop()
            asyncio._set_running_loop(self)
            try:
                wanted(*arguments)
            finally:
                asyncio._set_running_loop(runs)

        handle._callback = within
        return super()._add_callback(handle, delay)


@pytest.fixture
def loop(qapp: QApplication):
    """An asyncio loop on Qt's, for what the window does in coroutines."""
    made = _Loop(qapp)
    asyncio.set_event_loop(made)
    yield made
    left = asyncio.all_tasks(made)
    for task in left:
        task.cancel()
    if left:
        quits = qapp.quitOnLastWindowClosed()
        qapp.setQuitOnLastWindowClosed(False)  # a window that is deleted meanwhile must not end the loop
        made.run_until_complete(asyncio.wait(left))
        qapp.setQuitOnLastWindowClosed(quits)
    made.close()
    asyncio.set_event_loop(None)
    del made
    gc.collect()  # its timers may not be deleted by a thread of the next test


def drag_edge(space: Workspace, name: str, wide: int) -> None:
    """Makes a panel at a side that many pixels wide by dragging its inner edge with the mouse."""
    dock = space.docks[name]
    sign = 1 if dock.x() == 0 else -1
    edge = dock.x() + dock.width() if sign > 0 else dock.x() - 1
    start, by = QPoint(edge, dock.y() + dock.height() // 2), QPoint(sign * (wide - dock.width()), 0)
    QTest.mousePress(space, Qt.MouseButton.LeftButton, pos=start)
    for place in (start + by / 2, start + by):
        QTest.mouseMove(space, place)
        served()  # Qt moves the edge when it is idle
    QTest.mouseRelease(space, Qt.MouseButton.LeftButton, pos=start + by)
    served()


def served() -> None:
    """Serves all that waits, and what is posted because of it: layouts, timers of no time, what other threads told."""
    for _ in range(20):
        QApplication.processEvents()
        QApplication.sendPostedEvents()


class _PatientBot(QtBot):
    """Its limits are there for what never comes, and not for a busy machine."""

    def waitUntil(self, callback, *, timeout: int = _PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout: int = _PATIENCE_MS, **more):
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals, *, timeout: int = _PATIENCE_MS, **more):
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget, *, timeout: int = _PATIENCE_MS):
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget, *, timeout: int = _PATIENCE_MS):
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The one of pytest-qt with more patience."""
    return _PatientBot(request)
