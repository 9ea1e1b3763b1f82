"""The search of the cards, and the word on a join that cannot be made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.graph import edit
from desktop_app.graph.workflow import Link
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import CTRL, LEFT, drag, input_of, key, output


@pytest.fixture
def search(view):
    """The pop-up, open, with the caret in it."""
    key(view, Qt.Key.Key_F, CTRL)
    assert view.controller.adding.search.isVisible()
    return view.controller.adding.search


def test_the_card_that_is_found_is_brought_into_the_middle(view, edits, search):
    QTest.keyClicks(search.field, "text")
    assert search.shown_ids == ["fmt"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert view.selected() == ("fmt",) and not search.isVisible() and edits == []
    assert (view.canvas.seen.center() - view.card("fmt").body.center()).manhattanLength() < 2


def test_all_cards_are_offered_in_reading_order_and_arrows_step(view, search):
    assert set(search.shown_ids) == set(view.sizes())
    left = [view.place_of(id)[0] for id in search.shown_ids]
    assert left == sorted(left)
    QTest.keyClick(search.field, Qt.Key.Key_Down)
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert view.selected() == (search.shown_ids[1],)


def test_nothing_found_is_said(search):
    QTest.keyClicks(search.field, "zzzzqq")
    assert search.shown_ids == []


def test_escape_chooses_nothing_and_goes_back_to_the_canvas(view, search):
    QTest.keyClicks(search.field, "text")
    QTest.keyClick(search.field, Qt.Key.Key_Escape)
    assert not search.isVisible() and view.selected() == () and view.canvas.hasFocus()


def test_after_finding_the_same_pop_up_adds_again(view, edits, search):
    QTest.keyClick(search.field, Qt.Key.Key_Escape)
    key(view, Qt.Key.Key_Tab)
    QTest.keyClicks(search.field, "upsc")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert [node.tool for node in edits[0].nodes if node.id in view.selected()] == ["upscale"]


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


def test_no_link_of_a_converter_runs_back(view, edits):
    """With less room than a card between both it stood left of the output that it takes from."""
    bare = view.workflow.without_link(Link("seg", "mask", "rem", "mask"))
    view.show_workflow(edit.placed(bare, {"coffee.jpg": (0.0, 0.0), "rem": (264.0, 0.0)}), view.run, view.tools)
    drag(view, output(view, "coffee.jpg").middle, input_of(view, "rem", "mask").middle)
    QTest.mouseClick(view.stage.refusal.add, LEFT)
    (new,) = set(edits[-1].ids()) - set(samples.workflow().ids())
    view.show_workflow(edits[-1], view.run, view.tools)
    source, made, target = (view.card(id).body for id in ("coffee.jpg", new, "rem"))
    assert source.right() < made.left() and made.right() < target.left()


def test_a_refusal_without_a_converter_offers_none(view):
    drag(view, output(view, "Points").middle, input_of(view, "cap", "image").middle)
    assert view.stage.refusal.isVisible() and not view.stage.refusal.add.isVisible()


def test_a_card_is_found_by_the_english_name_of_its_tool_too(view):
    renamed = {id: replace(tool, title="去掉") if id == "remove_object" else tool for id, tool in view.tools.items()}
    view.show_workflow(view.workflow, view.run, renamed)
    key(view, Qt.Key.Key_F, CTRL)
    QTest.keyClicks(view.controller.adding.search.field, "remove obj")
    assert "rem" in view.controller.adding.search.shown_ids
