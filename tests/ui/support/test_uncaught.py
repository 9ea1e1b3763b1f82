"""What nothing caught is logged, told once in a quiet line, and stops nothing."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from desktop_app.core.paths import home
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.main_window.status_bar import TroubleBar
from desktop_app.ui.support.tasks import TaskRunner
from desktop_app.ui.support.uncaught import MOST_TOLD, PROGRAM_LOG, Uncaught, summary
from tests.ui.conftest import until, use_theme
from tests.ui.fakes import finish


@pytest.fixture
def uncaught(qapp, loop, monkeypatch, capsys):
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    made = Uncaught(home() / "logs" / PROGRAM_LOG)
    made.install(loop)
    made.said = []
    made.told.connect(made.said.append)
    made.threads = []
    made.told.connect(lambda _: made.threads.append(threading.current_thread()))
    yield made
    made.remove()
    loop.set_exception_handler(None)
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == hooks
    capsys.readouterr()  # what it wrote for a terminal


def fail(words: str = "boo") -> None:
    raise ZeroDivisionError(words)


async def later(words: str) -> None:
    fail(words)


def in_a_slot() -> None:
    QTimer.singleShot(0, lambda: fail("slot"))


def in_a_thread() -> None:
    threading.Thread(target=fail, args=("thread",)).start()


def in_a_destructor() -> None:
    class Odd:
        def __del__(self) -> None:
            fail("destructor")

    Odd()
    gc.collect(0)


def in_a_task_of_the_window() -> None:
    in_a_task_of_the_window.calls = TaskRunner()  # which lives as long as the window
    in_a_task_of_the_window.calls.later(later("window"))


def in_a_callback_of_the_loop() -> None:
    asyncio.get_running_loop().call_soon(fail, "callback")


@pytest.mark.parametrize(
    ("way", "words"),
    [(in_a_slot, "slot"), (in_a_thread, "thread"), (in_a_destructor, "destructor"),
     (in_a_task_of_the_window, "window"), (in_a_callback_of_the_loop, "callback")],
)  # fmt: skip
async def test_an_error_that_nothing_caught_is_told_and_logged(uncaught, loop, way, words):
    way()
    await until(lambda: uncaught.said)
    assert uncaught.said == [f"ZeroDivisionError: {words}"]
    assert uncaught.threads == [threading.main_thread()]
    log = uncaught.log.read_text("utf-8")
    assert "Traceback" in log and f"ZeroDivisionError: {words}" in log and "in fail" in log


def test_the_same_error_again_and_again_is_told_once_and_fills_no_disk(uncaught):
    for number in range(1000):
        try:
            fail(str(number))
        except ZeroDivisionError as error:
            uncaught.hear(error)
    assert uncaught.said == ["ZeroDivisionError: 0"]
    log = uncaught.log.read_text("utf-8")
    assert log.count("Traceback") == 10 and "(512 times so far)" in log


def test_a_program_that_fails_everywhere_does_not_talk_without_end(uncaught):
    for number in range(100):
        uncaught.hear(ValueError(str(number)))  # without a place: each is another kind
    assert len(uncaught.said) == MOST_TOLD


def test_a_log_that_cannot_be_written_is_no_further_error(uncaught):
    uncaught.log.parent.mkdir(parents=True, exist_ok=True)
    uncaught.log.mkdir()
    uncaught.hear(ValueError("boo"))
    assert uncaught.said == ["ValueError: boo"]


def test_an_error_whose_words_fail_is_logged_too(uncaught):
    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    uncaught.hear(Odd())
    assert "Odd" in uncaught.log.read_text("utf-8")


def test_ctrl_c_still_ends_the_program(uncaught):
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert uncaught.said == [] and not uncaught.log.exists()


def test_it_is_said_in_one_short_line():
    assert summary(ValueError("a\nb  c" + "x" * 500)).startswith("ValueError: a b cxx")
    assert len(summary(ValueError("x" * 500))) == 200 and summary(ValueError()) == "ValueError"


def test_the_bar_waits_until_it_is_closed_and_takes_no_focus(qtbot, qapp, session):
    use_theme(qapp)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    window.show()
    _ = window.workspace
    bar: TroubleBar = window.trouble
    focus = window.focusWidget()
    assert bar.said == ""
    bar.tell("ValueError: boo")
    assert "ValueError: boo" in bar.said and bar.isVisible() and window.focusWidget() is focus
    log = home() / "logs" / PROGRAM_LOG
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("Traceback: boo\n", "utf-8")
    bar.show_log.click()
    panel = window.overlays.log
    assert panel.isVisible() and panel.source.currentData() == log
    qtbot.waitUntil(lambda: any("boo" in line.text for line in panel.table.lines))
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert bar.said == "" and not bar.isVisible()
    window.close()
