"""The graph on screen. Nodes added by search, by links, by drops."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link
from nodes import load_tools
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import LEFT, NONE, drag, empty_place, input_of, key, on_screen, output


def test_tab_opens_the_search_and_enter_adds(view, edits):
    key(view, Qt.Key.Key_Tab)
    search = view.controller.adding.search
    assert search.isVisible()
    QTest.keyClicks(search.field, "upsc")
    assert search.shown_ids == ["upscale"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert not search.isVisible()
    new = next(n for n in edits[0].nodes if n.tool == "upscale")
    assert view.selected() == (new.id,)


def test_a_file_is_added_by_the_search_too(view, edits, qtbot):
    key(view, Qt.Key.Key_Tab)
    search = view.controller.adding.search
    QTest.keyClicks(search.field, "add file")
    with qtbot.waitSignal(view.files_wanted):
        QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert not search.isVisible() and edits == []


def test_escape_adds_nothing(view, edits):
    key(view, Qt.Key.Key_Space)
    QTest.keyClick(view.controller.adding.search.field, Qt.Key.Key_Escape)
    assert not view.controller.adding.search.isVisible() and edits == []


def test_a_link_dropped_on_the_canvas_offers_what_fits_and_joins_it(view, edits):
    empty = empty_place(view)
    drag(view, output(view, "fmt").middle, empty)
    search = view.controller.adding.search
    assert search.isVisible()
    assert set(search.shown_ids) == {"format_text", "speak", "watercolour"}
    QTest.keyClicks(search.field, "speech")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "speak")
    assert Link("fmt", "text", new.id, "text") in edits[0].links


def test_of_what_fits_a_link_the_kind_with_the_most_tools_is_offered_first(view):
    """Of a picture, "Tag a sound file" came first: it takes a cover, and "Audio" stands before "Image"."""
    view.show_workflow(view.workflow, view.run, {**load_tools().tools, **view.tools})
    drag(view, output(view, "rem").middle, empty_place(view))
    first = view.controller.adding.search._list.current
    assert first.group == "Image", first


def test_a_link_dropped_from_an_input_offers_what_gives_it(view, edits):
    workflow = view.workflow.without_link(Link("seg", "mask", "rem", "mask"))
    view.show_workflow(workflow, view.run, view.tools)
    empty = empty_place(view)
    drag(view, input_of(view, "rem", "mask").middle, empty)
    search = view.controller.adding.search
    assert search.shown_ids == ["segment_points"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "segment_points" and n.id != "seg")
    assert Link(new.id, "mask", "rem", "mask") in edits[0].links


def test_what_does_not_fit_is_listed_with_the_reason_and_cannot_be_chosen(view, edits):
    view.controller.adding.offer_fitting(output(view, "fmt"), QPointF(0, 0))
    search = view.controller.adding.search
    fitting = len(search.shown_ids)
    search.why_button.click()
    assert len(search.shown_ids) == len(samples.TOOLS) > fitting
    QTest.keyClicks(search.field, "upscale")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert edits == []
    search.close()


def test_a_double_click_on_the_canvas_opens_the_search(view):
    place = empty_place(view)
    QTest.mouseDClick(view.canvas.viewport(), LEFT, NONE, on_screen(view, place))
    assert view.controller.adding.search.isVisible()
    view.controller.adding.search.close()


def test_a_double_click_on_a_card_opens_it(view, qtbot):
    with qtbot.waitSignal(view.node_activated) as told:
        QTest.mouseDClick(view.canvas.viewport(), LEFT, NONE, on_screen(view, view.card("rem").body.center()))
    assert told.args == ["rem"]


def test_space_held_while_the_mouse_drags_moves_the_view_and_opens_no_search(view):
    before = view.canvas.seen.topLeft()
    QTest.keyPress(view.canvas, Qt.Key.Key_Space)
    assert not view.controller.adding.search.isVisible()
    drag(view, view.bounds().center(), view.bounds().center() + QPointF(60, 40))
    QTest.keyRelease(view.canvas, Qt.Key.Key_Space)
    moved = view.canvas.seen.topLeft() - before
    assert moved.x() < -30 and moved.y() < -20
    assert not view.controller.adding.search.isVisible() and view.selected() == ()
    key(view, Qt.Key.Key_Space)
    assert view.controller.adding.search.isVisible()
