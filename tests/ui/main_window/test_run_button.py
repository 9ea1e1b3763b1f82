"""The run button: the main one, except while something is pointed at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.session import Change
from desktop_app.ui.chat.question_widget import QuestionView
from nodes.api import Point
from tests.ui import states

Left = Qt.MouseButton.LeftButton
Ctrl = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(make_window, session):
    states.planned(session)
    made = make_window()
    _ = made.workspace
    return made


def point(window, qtbot) -> None:
    window.ui.signals.pick_port.emit("seg", "points")
    qtbot.waitUntil(lambda: window.pointing_now)


def is_main(button) -> bool:
    return bool(button.property("primary"))


def test_while_something_is_asked_its_answer_is_the_default_and_run_says_how_far_it_goes(window, session):
    button, view = window.tool_bar.run_button, window.chat.findChild(QuestionView)
    assert not is_main(button) and button.isEnabled() and "as far as it can" in button.toolTip()
    assert is_main(view.answer)
    answer(session)
    assert is_main(button) and "as far as" not in button.toolTip()


def test_what_ran_as_far_as_it_could_is_not_called_finished(window, session):
    """While it was to be pointed at what was made so far it said "Finished in 1 ms"."""
    bar = window.tool_bar
    session.run = Run("r", nodes={"cap": NodeRun("done", seconds=1.0)}, outcome="ok", seconds=1.0)
    session.tell(Change.RUN)
    assert bar._words.text() == "Waits for your answer"
    answer(session)
    session.tell(Change.RUN)
    assert bar._words.text() == "Finished in 1.0 s"


def test_a_run_that_ends_at_a_question_says_so(window, session):
    """Where the picture did not tell what was meant nothing was said."""
    session.run = Run("r", nodes={"seg": NodeRun("waiting", port="points")}, outcome="cancelled")
    session.tell(Change.RUN)
    assert window.tool_bar._words.text() == "Waits for your answer" and window.tool_bar._glyph.isVisibleTo(window)


def answer(session) -> None:
    for message in session.messages:
        session.say(replace(message, open=False))


def test_while_pointing_it_waits_and_says_why(window, session, qtbot):
    answer(session)
    button = window.tool_bar.run_button
    assert is_main(button) and button.isEnabled() and button.accessibleDescription() == ""
    point(window, qtbot)
    assert not is_main(button) and not button.isEnabled()
    assert "point at" in button.toolTip() and button.accessibleDescription() == button.toolTip()
    QTest.mouseClick(button, Left)
    QTest.keyClick(window.picker.view, Qt.Key.Key_Return, Ctrl)
    assert session.called("start") == []


@pytest.mark.parametrize("leave", ["key", "used", "graph", "new"])
def test_however_pointing_ends_it_is_the_main_one_again(window, session, qtbot, leave):
    answer(session)
    point(window, qtbot)
    if leave == "key":
        QTest.keyClick(window.picker.view, Qt.Key.Key_Escape)
    elif leave == "used":
        window.picker.add(Point(5, 5))
        QTest.mouseClick(window.picker.use, Left)
    elif leave == "graph":
        window.ui.signals.select_node.emit("paint")
    else:
        session.empty()
        session.tell(states.ALL)
    button = window.tool_bar.run_button
    assert not window.pointing_now and is_main(button)
    assert button.isEnabled() == (leave != "new") and "Ctrl+Enter" in button.toolTip()


def test_a_run_that_goes_on_meanwhile_can_be_stopped(window, session, qtbot):
    point(window, qtbot)
    states.running(session)
    session.tell(Change.RUN | Change.BUSY)
    button = window.tool_bar.run_button
    assert button.isEnabled() and button.accessibleName() == "Stop"
    QTest.mouseClick(button, Left)
    assert session.called("stop") == [()]
