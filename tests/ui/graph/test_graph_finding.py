"""The bar that finds cards, and the word on a join that cannot be made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import CTRL, LEFT, SHIFT, drag, input_of, key, output


@pytest.fixture
def bar(view):
    """The bar, open, with the caret in it."""
    key(view, Qt.Key.Key_F, CTRL)
    assert view.stage.find_bar.isVisible()
    return view.stage.find_bar


def test_matches_are_lit_counted_and_the_first_is_in_the_middle(view, bar):
    QTest.keyClicks(bar.field, "text")
    assert bar.hits == ("fmt",) and bar.count.text() == "1 of 1"
    assert view.selected() == ("fmt",)
    assert (view.canvas.seen.center() - view.card("fmt").body.center()).manhattanLength() < 2
    assert view.card("fmt").opacity() == 1.0 and view.card("rem").opacity() < 0.5


def test_enter_steps_round_through_the_matches(view, bar):
    QTest.keyClicks(bar.field, "d")
    assert len(bar.hits) > 2
    seen = []
    for _ in range(len(bar.hits) + 1):
        seen += view.selected()
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert tuple(seen[:-1]) == bar.hits and seen[-1] == seen[0]
    QTest.keyClick(bar.field, Qt.Key.Key_Return, SHIFT)
    assert view.selected() == (bar.hits[0],)


def test_nothing_found_is_said(bar):
    QTest.keyClicks(bar.field, "zzzzqq")
    assert bar.hits == () and bar.count.text() == "none"


def test_escape_lights_everything_and_goes_back_to_the_canvas(view, bar):
    QTest.keyClicks(bar.field, "text")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible() and {view.card(id).opacity() for id in view.sizes()} == {1.0}
    assert view.canvas.hasFocus()


def test_a_change_of_the_graph_is_looked_through_anew(view, bar):
    QTest.keyClicks(bar.field, "caption")
    assert bar.hits == ("cap",)
    view.show_workflow(view.workflow.without("cap"), view.run, view.tools)
    assert bar.hits == () and bar.count.text() == "none"


def refuse(view):
    """Tries to join a picture to the input for a mask."""
    bare = view.workflow.without_link(Link("seg", "mask", "rem", "mask"))
    view.show_workflow(bare, view.run, view.tools)
    drag(view, output(view, "coffee.jpg").middle, input_of(view, "rem", "mask").middle)


def test_an_impossible_join_says_why_where_it_was_tried(view, edits):
    refuse(view)
    bubble = view.stage.refusal
    assert bubble.isVisible() and bubble.words == "Needs a mask; this is a picture."
    assert bubble.add.text().strip() == "Add Segment by points" and edits == []


def test_the_converter_is_added_between_by_its_button(view, edits):
    refuse(view)
    QTest.mouseClick(view.stage.refusal.add, LEFT)
    (new,) = set(edits[0].ids()) - set(samples.workflow().ids())
    assert {Link("coffee.jpg", "value", new, "image"), Link(new, "mask", "rem", "mask")} <= set(edits[0].links)
    assert len(edits) == 1 and not view.stage.refusal.isVisible()


def test_a_refusal_without_a_converter_offers_none(view):
    drag(view, output(view, "Points").middle, input_of(view, "cap", "image").middle)
    assert view.stage.refusal.isVisible() and not view.stage.refusal.add.isVisible()


def test_a_card_is_found_by_the_english_name_of_its_tool_too(view):
    renamed = {id: replace(tool, title="去掉") if id == "remove_object" else tool for id, tool in view.tools.items()}
    view.show_workflow(view.workflow, view.run, renamed)
    key(view, Qt.Key.Key_F, CTRL)
    QTest.keyClicks(view.stage.find_bar.field, "remove obj")
    assert "rem" in view.stage.find_bar.hits
