"""The graph in the whole window: each deed is one undo step, runs are asked of the session, the outline leads on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.ui.graph.outline.outline_panel import CARD
from tests.ui import states
from tests.ui.graph_kit import CTRL, SHIFT

KEY = Qt.Key


@pytest.fixture
def window(make_window, session):
    states.planned(session)
    made = make_window()
    made.graph.animated = False
    return made


def press(window, name, modifiers=Qt.KeyboardModifier.NoModifier):
    window.graph.canvas.setFocus()
    QTest.keyClick(window.graph.canvas, name, modifiers)


@pytest.mark.parametrize(
    ("ids", "name", "modifiers"),
    [
        (("rem",), KEY.Key_B, CTRL), (("rem",), KEY.Key_M, CTRL), (("rem", "paint"), KEY.Key_G, CTRL),
        (("rem",), KEY.Key_D, CTRL), (("rem", "cap"), KEY.Key_Delete, Qt.KeyboardModifier.NoModifier),
        ((), KEY.Key_N, Qt.KeyboardModifier.NoModifier),
    ],
)  # fmt: skip
def test_a_deed_on_the_graph_is_one_undo_step(window, session, ids, name, modifiers):
    before, steps = session.workflow, len(session.past)
    window.graph.select(ids)
    press(window, name, modifiers)
    QTest.keyClick(window.graph.controller.writing.field, KEY.Key_Escape)
    assert len(session.past) == steps + 1 and session.workflow != before
    window.undo()
    assert session.workflow == before


def test_a_moved_frame_is_one_undo_step(window, session):
    window.graph.select(("rem", "paint"))
    press(window, KEY.Key_G, CTRL)
    QTest.keyClick(window.graph.controller.writing.field, KEY.Key_Escape)
    before, steps = session.workflow, len(session.past)
    press(window, KEY.Key_Right)
    assert len(session.past) == steps + 1 and session.workflow.decorations != before.decorations


def test_runs_are_asked_of_the_session(window, session):
    window.graph.select(("rem",))
    press(window, KEY.Key_R)
    press(window, KEY.Key_R, CTRL)
    press(window, KEY.Key_R, SHIFT)
    assert session.called("start") == [("rem",), ("rem", ("rem",))]
    assert session.called("start_from") == [("rem",)]


def test_enter_in_the_outline_goes_to_the_values(window):
    press(window, KEY.Key_O)
    tree = window.graph.side.outline.tree
    for at in range(tree.model().rowCount()):
        if tree.model().index(at, 0).data(CARD) == "paint":
            tree.setCurrentIndex(tree.model().index(at, 0))
    QTest.keyClick(tree, KEY.Key_Return)
    assert window.inspector.item == "paint"
    assert window.inspector.isAncestorOf(window.focusWidget())


def test_a_node_that_is_switched_off_is_switched_on_in_the_inspector(window, session):
    window.graph.select(("rem",))
    press(window, KEY.Key_B, CTRL)
    assert window.inspector.failure.isVisible()
    QTest.mouseClick(window.inspector.failure.main, Qt.MouseButton.LeftButton)
    assert session.workflow.node("rem").mode == "" and not window.inspector.failure.isVisible()
