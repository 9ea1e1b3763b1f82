"""The graph on screen. Links drawn, moved, cut; what cannot be joined says so."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link, Node
from tests.ui.graph_kit import drag, empty_place, input_of, key, output


def test_a_node_is_put_into_a_chosen_link_without_a_mouse(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("rem", "image", "paint", "image"))
    item.setSelected(True)
    key(view, Qt.Key.Key_Tab)
    assert set(view.controller.adding.search.shown_ids) == {
        "collage",
        "remove_object",
        "upscale",
        "watercolour",
        "segment_points",
    }
    QTest.keyClicks(view.controller.adding.search.field, "upscale")
    QTest.keyClick(view.controller.adding.search.field, Qt.Key.Key_Return)
    new = next(n.id for n in edits[0].nodes if n.tool == "upscale")
    links = {(k.source, k.target) for k in edits[0].links}
    assert {("rem", new), (new, "paint")} <= links and ("rem", "paint") not in links


def test_an_edit_from_elsewhere_while_the_search_is_open_is_kept(view, edits):
    view.controller.adding.offer_fitting(output(view, "fmt"), QPointF(0, 900))
    view.show_workflow(view.workflow.without("desc"), view.run, view.tools)
    QTest.keyClicks(view.controller.adding.search.field, "speech")
    QTest.keyClick(view.controller.adding.search.field, Qt.Key.Key_Return)
    assert "desc" not in edits[0].ids()


def test_a_link_is_drawn_from_output_to_input(view, edits):
    drag(view, output(view, "paint").middle, input_of(view, "desc", "image").middle)
    assert [k.source for k in edits[0].links if k.target == "desc"] == ["paint"]


def test_a_link_may_be_drawn_from_an_input_as_well(view, edits):
    workflow = view.workflow.without_link(Link("rem", "image", "desc", "image"))
    view.show_workflow(workflow, view.run, view.tools)
    drag(view, input_of(view, "desc", "image").middle, output(view, "paint").middle)
    assert Link("paint", "image", "desc", "image") in edits[0].links


def test_an_impossible_link_is_not_made_and_the_reason_is_said(view, edits, qtbot):
    with qtbot.waitSignal(view.hint) as told:
        drag(view, output(view, "fmt").middle, input_of(view, "desc", "image").middle)
    assert edits == []
    assert told.args[0].startswith("Needs a picture; this is text")


def test_while_a_link_is_drawn_the_ports_show_what_fits(view):
    drag(view, output(view, "seg").middle, QPointF(0, -200), release=False)
    assert input_of(view, "rem", "mask").fit is True
    assert input_of(view, "fmt", "caption").fit is False
    key(view, Qt.Key.Key_Escape)
    assert input_of(view, "rem", "mask").fit is None and not view.canvas.linking.active


def test_a_circle_cannot_be_drawn(view, edits):
    drag(view, output(view, "paint").middle, input_of(view, "rem", "image").middle)
    assert edits == []


def test_a_link_dropped_on_a_card_finds_its_port(view, edits):
    drag(view, output(view, "paint").middle, view.card("desc").body.center())
    assert Link("paint", "image", "desc", "image") in edits[0].links


def test_a_link_pulled_off_its_port_is_removed(view, edits):
    empty = empty_place(view)
    drag(view, input_of(view, "desc", "image").middle, empty)
    assert not any(k.target == "desc" for k in edits[0].links)


def test_a_link_let_go_where_it_was_stays(view, edits):
    port = input_of(view, "desc", "image").middle
    drag(view, port, port + QPointF(1, 1))
    assert edits == []
    assert all(item.isVisible() for item in view.link_items())


def test_a_link_can_be_pulled_to_another_port(view, edits):
    drag(view, input_of(view, "desc", "image").middle, input_of(view, "cap", "image").middle)
    links = {(k.source, k.target) for k in edits[0].links}
    assert ("rem", "cap") in links and ("rem", "desc") not in links and ("coffee.jpg", "cap") not in links


def test_a_loose_card_dropped_on_a_link_goes_into_it(view, edits):
    workflow = view.workflow.with_node(Node("up", "upscale", position=(800.0, 900.0)))
    view.show_workflow(workflow, view.run, view.tools)
    view.fit()
    item = next(i for i in view.link_items() if (i.link.source, i.link.target) == ("coffee.jpg", "rem"))
    drag(view, view.card("up").body.center(), item.path().pointAtPercent(0.5))
    assert edits
    links = {(k.source, k.target) for k in edits[0].links}
    assert ("coffee.jpg", "up") in links
