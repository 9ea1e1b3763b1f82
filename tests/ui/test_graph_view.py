"""The graph on screen: what is shown, repainted, dragged, joined, typed and dropped."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QPainter, QPixmap
from PySide6.QtTest import QTest

from desktop_app.paths import PROJECT
from desktop_app.run.record import NodeRun, Run
from desktop_app.ui import graph_edit, theme
from desktop_app.ui.graph_canvas import TOOL_MIME
from desktop_app.ui.graph_view import GraphView
from desktop_app.ui.link_item import LinkItem, crosses
from desktop_app.ui.node_item import CardItem, TypedPort
from desktop_app.workflow import Link, Node, Workflow
from tests.ui import graph_samples as samples

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot, qapp):
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the views of earlier tests go
    if not qapp.styleSheet():
        theme.apply(qapp, "dark")
    made = GraphView()
    made.animated = False
    made.set_thumbnail_source(samples.picture)
    made.set_text_source(samples.text)
    made.set_waveform_source(samples.peaks)
    made.resize(1400, 900)
    qtbot.addWidget(made)
    made.show()
    made.show_workflow(samples.workflow(), samples.run(), samples.TOOLS)
    qapp.processEvents()
    yield made
    made.results.wait()
    qapp.processEvents()


@pytest.fixture
def edits(view):
    """The workflows that the user's deeds would make; each is shown at once, as the owner does."""
    made = []
    view.edited.connect(made.append)
    view.edited.connect(lambda workflow: view.show_workflow(workflow, view.run, view.tools))
    return made


def on_screen(view, place):
    return view.canvas.mapFromScene(place)


def drag(view, start, end, modifiers=NONE, release=True):
    """Presses at one place of the scene, moves to another and lets go."""
    port = view.canvas.viewport()
    a, b = on_screen(view, start), on_screen(view, end)
    QTest.mousePress(port, LEFT, modifiers, a)
    QTest.mouseMove(port, (a + b) / 2)
    QTest.mouseMove(port, b)
    if release:
        QTest.mouseRelease(port, LEFT, modifiers, b)


def click(view, place, modifiers=NONE):
    QTest.mouseClick(view.canvas.viewport(), LEFT, modifiers, on_screen(view, place))


def key(view, name, modifiers=NONE):
    QTest.keyClick(view.canvas, name, modifiers)


def empty_place(view):
    """A place of the canvas without any card, on screen."""
    view.fit()
    return QPointF(view.bounds().center().x(), view.bounds().bottom() + 30)


def output(view, card, row=0):
    return view.card(card).outputs[row]


def input_of(view, card, name):
    return view.card(card).port(name, True)


def repaints(view, monkeypatch):
    """The ids of cards that ask to be painted from now on."""
    asked = []
    for id in view.sizes():
        card = view.card(id)
        monkeypatch.setattr(card, "update", lambda *a, id=id: asked.append(id), raising=False)
    return asked


# Showing


def test_every_card_and_link_is_shown(view):
    assert set(view.sizes()) == {"coffee.jpg", "Points", "seg", "rem", "paint", "cap", "fmt", "desc"}
    assert {item.link for item in view.link_items()} == set(view.workflow.links)


def test_an_equal_workflow_keeps_the_very_items(view):
    before = {id: view.card(id) for id in view.sizes()}
    view.show_workflow(replace(samples.workflow()), view.run, view.tools)
    assert {id: view.card(id) for id in view.sizes()} == before


def test_only_what_differs_is_added_and_removed(view):
    kept = view.card("rem")
    places = {id: view.card(id).pos() for id in view.sizes()}
    after = view.workflow.without("cap").with_node(Node("up", "upscale"))
    view.show_workflow(after, view.run, view.tools)
    assert view.card("cap") is None and view.card("up") is not None and view.card("rem") is kept
    assert all(view.card(id).pos() == place for id, place in places.items() if id != "cap")
    assert {item.link for item in view.link_items()} == set(after.links)


def test_nothing_is_left_behind_in_the_scene(view):
    view.show_workflow(Workflow(), Run(), view.tools)
    assert not [i for i in view.canvas.scene().items() if isinstance(i, CardItem | LinkItem | TypedPort)]


def test_a_progress_tick_repaints_its_card_only(view, monkeypatch):
    asked = repaints(view, monkeypatch)
    record = replace(view.run.nodes["paint"], fraction=0.7)
    view.show_run(replace(view.run, nodes={**view.run.nodes, "paint": record}))
    assert asked == ["paint"]
    assert view.card("paint").face.fraction == 0.7


def test_the_same_run_repaints_nothing(view, monkeypatch):
    asked = repaints(view, monkeypatch)
    view.show_run(view.run)
    assert asked == []


def test_what_waits_says_so_anew_when_its_source_has_ended(view):
    run = Run("r", 0.0, {**view.run.nodes, "rem": NodeRun("running"), "desc": NodeRun("waiting")})
    view.show_run(run)
    assert view.card("desc").face.text == "Waits for Remove object."
    view.show_run(replace(run, nodes={**run.nodes, "rem": NodeRun("done")}))
    assert "Remove object" not in view.card("desc").face.text


@pytest.mark.parametrize(
    ("source", "target", "state"),
    [("coffee.jpg", "seg", "carried"), ("rem", "paint", "running"), ("rem", "desc", "waiting")],
)
def test_links_show_what_they_carry(view, source, target, state):
    link = next(item for item in view.link_items() if (item.link.source, item.link.target) == (source, target))
    assert link.state == state


def test_links_after_a_failure_are_dotted(view):
    view.show_run(Run("r", 0.0, {"rem": NodeRun("failed"), "desc": NodeRun("skipped", because="rem")}))
    link = next(item for item in view.link_items() if item.link.target == "desc")
    assert link.state == "skipped"


def test_a_missing_tool_is_shown_with_its_links(view):
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    assert view.card("missing").face.state == "missing"
    assert any(item.link.target == "missing" for item in view.link_items())


def test_long_links_pass_behind_no_card(view):
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    QGuiApplication.processEvents()
    for item in view.link_items():
        ends = (item.link.source, item.link.target)
        others = [view.card(id) for id in view.sizes() if id not in ends]
        assert not any(crosses(item.path(), card.body.adjusted(2, 2, -2, -2)) for card in others), item.link


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("zoom", [0.2, 0.44, 1.0, 2.0])
def test_every_state_is_painted_at_every_zoom(view, qapp, name, zoom):
    theme.apply(qapp, name)
    workflow, run = samples.every_state()
    view.show_workflow(workflow, run, view.tools)
    view.outline_changed(["done"])
    view.zoom = zoom
    image = view.grab().toImage()
    ground = theme.current().color("background.canvas").rgb()
    seen = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
    assert ground in seen and len(seen) > 20
    theme.apply(qapp, "dark")


@pytest.mark.parametrize("density", [1, 2])
def test_titles_are_painted_on_dense_screens_too(view, density):
    view.zoom = 0.7
    view.canvas.centre_on(view.card("rem").body.center())
    pixmap = QPixmap(view.canvas.size() * density)
    pixmap.setDevicePixelRatio(density)
    painter = QPainter(pixmap)
    view.canvas.render(painter)
    painter.end()
    image, ink = pixmap.toImage(), theme.current().color("text.primary").rgb()
    title = view.canvas.mapFromScene(view.card("rem").body.topLeft() + QPointF(36, 8))
    area = [(x, y) for x in range(title.x(), title.x() + 90) for y in range(title.y(), title.y() + 14)]
    assert any(image.pixel(x * density + i, y * density) == ink for x, y in area for i in range(density))


def test_a_picture_comes_from_a_thread_and_is_painted(view, qtbot):
    threads = []

    def source(resource):
        from PySide6.QtCore import QThread

        threads.append(QThread.currentThread())
        return samples.picture(resource)

    view.set_thumbnail_source(source)
    with qtbot.waitSignal(view.results.ready):
        view.grab()
    assert threads and all(thread is not view.thread() for thread in threads)


def test_a_source_that_fails_leaves_the_card_standing(view, qapp):
    view.set_thumbnail_source(lambda resource: 1 / 0)
    view.grab()
    view.results.wait()
    qapp.processEvents()
    assert not view.grab().isNull()


def test_the_last_preview_stays_until_the_next_is_read(view, tmp_path, qtbot):
    for name in ("a.png", "b.png"):
        samples.picture(samples.COFFEE).save(str(tmp_path / name))
    seen = []
    for name in ("a.png", "b.png"):
        record = replace(view.run.nodes["paint"], preview=str(tmp_path / name))
        view.show_run(replace(view.run, nodes={**view.run.nodes, "paint": record}))
        view.grab()
        seen.append(view.card("paint")._look.picture is not None)
        if name == "a.png":
            with qtbot.waitSignal(view.results.ready, check_params_cb=lambda key: key.endswith("a.png")):
                view.grab()
            view.grab()
    assert seen == [False, True]


# Choosing and looking


def test_a_click_chooses_a_card(view, qtbot):
    with qtbot.waitSignal(view.selection_changed) as told:
        click(view, view.card("rem").body.center())
    assert told.args == [("rem",)] and view.selected() == ("rem",)


def test_shift_adds_to_the_choice_and_takes_away(view):
    click(view, view.card("rem").body.center())
    click(view, view.card("cap").body.center(), Qt.KeyboardModifier.ShiftModifier)
    assert set(view.selected()) == {"rem", "cap"}
    click(view, view.card("rem").body.center(), Qt.KeyboardModifier.ShiftModifier)
    assert view.selected() == ("cap",)


def test_a_frame_drawn_on_the_canvas_chooses_what_it_touches(view):
    cards = view.card("cap").body.united(view.card("fmt").body)
    drag(view, cards.topLeft() - QPointF(16, 16), cards.center() + QPointF(40, 0))
    assert set(view.selected()) == {"cap", "fmt"}


def test_choosing_from_outside_is_told_once(view):
    told = []
    view.selection_changed.connect(told.append)
    view.select(["cap", "rem"])
    view.select(["cap", "rem"])
    assert len(told) == 1 and set(told[0]) == {"cap", "rem"}


def test_the_choice_is_said_to_screen_readers(view):
    view.select(["paint"])
    assert view.canvas.accessibleName() == "Graph"
    assert view.canvas.accessibleDescription() == "Watercolour, Running, 58%"


def test_what_is_deleted_is_no_longer_chosen(view):
    view.select(["cap"])
    view.show_workflow(view.workflow.without("cap"), view.run, view.tools)
    assert view.selected() == ()


def test_fit_shows_everything(view):
    view.zoom = 2.5
    view.fit()
    assert view.canvas.seen.contains(view.bounds())


def test_zoom_is_exact_and_limited(view):
    view.zoom = 1.0
    assert view.canvas.transform().m11() == 1.0
    view.zoom = 100
    assert view.zoom == 3.0


def test_zooming_keeps_the_place_under_the_cursor(view):
    place = QPoint(300, 200)
    before = view.canvas.mapToScene(place)
    view.canvas.zoom_by(1.3, place)
    after = view.canvas.mapToScene(place)
    assert (after - before).manhattanLength() < 2


def test_the_map_looks_elsewhere(view, qtbot):
    view.zoom = 2.0
    QTest.mouseClick(view.minimap, LEFT, NONE, QPoint(20, 20))
    one = view.canvas.seen.center()
    QTest.mouseClick(view.minimap, LEFT, NONE, QPoint(90, 50))
    assert view.canvas.seen.center().x() > one.x()


# Moving


def test_a_drag_is_told_once_with_snapped_places(view):
    told = []
    view.moved.connect(told.append)
    start = view.card("desc").body.center()
    before = view.card("desc").pos()
    drag(view, start, start + QPointF(61, 37))
    assert len(told) == 1
    x, y = told[0]["desc"]
    assert x % 8 == y % 8 == 0 and (x, y) != (before.x(), before.y())


def test_a_click_moves_nothing(view):
    told = []
    view.moved.connect(told.append)
    click(view, view.card("desc").body.center())
    assert told == []


def test_the_first_drag_saves_where_all_cards_stand(view):
    told = []
    view.moved.connect(told.append)
    start = view.card("desc").body.center()
    drag(view, start, start + QPointF(64, 40))
    assert set(told[0]) == set(view.sizes())


def test_arrow_keys_move_what_is_chosen(view):
    told = []
    view.moved.connect(told.append)
    view.select(["desc"])
    x, y = view.place_of("desc")
    key(view, Qt.Key.Key_Right)
    assert told[0]["desc"] == (x + 8, y)


def test_laying_out_puts_cards_back(view):
    told = []
    place = view.place_of("desc")
    start = view.card("desc").body.center()
    drag(view, start, start + QPointF(160, 80))
    view.moved.connect(told.append)
    key(view, Qt.Key.Key_L)
    assert told[0]["desc"] == place


def test_taking_back_the_first_drag_brings_the_card_home(view):
    place = view.place_of("desc")
    before = view.workflow
    view.moved.connect(lambda places: view.show_workflow(graph_edit.placed(before, places), view.run, view.tools))
    start = view.card("desc").body.center()
    drag(view, start, start + QPointF(160, 80))
    assert view.place_of("desc") != place
    view.show_workflow(before, view.run, view.tools)
    assert view.place_of("desc") == place
    assert (view.card("desc").pos().x(), view.card("desc").pos().y()) == place


def test_cards_line_up(view):
    view.select(["seg", "desc"])
    view.hands.line_up(1)
    assert view.place_of("seg")[1] == view.place_of("desc")[1]
    view.hands.line_up(0)
    assert view.place_of("seg")[0] == view.place_of("desc")[0]


# Joining


def test_two_chosen_cards_are_joined_without_a_mouse(view, edits):
    workflow = view.workflow.without_link(Link("rem", "image", "desc", "image"))
    view.show_workflow(workflow, view.run, view.tools)
    view.select(["rem", "desc"])
    key(view, Qt.Key.Key_J)
    assert Link("rem", "image", "desc", "image") in edits[0].links


def test_cards_that_cannot_be_joined_say_so(view, edits, qtbot):
    view.select(["Points", "fmt"])
    with qtbot.waitSignal(view.hint):
        key(view, Qt.Key.Key_J)
    assert edits == []


def test_a_node_is_put_into_a_chosen_link_without_a_mouse(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("rem", "image", "paint", "image"))
    item.setSelected(True)
    key(view, Qt.Key.Key_Tab)
    assert set(view.hands.search.shown_ids) == {"collage", "remove_object", "upscale", "watercolour", "segment_points"}
    QTest.keyClicks(view.hands.search.field, "upscale")
    QTest.keyClick(view.hands.search.field, Qt.Key.Key_Return)
    new = next(n.id for n in edits[0].nodes if n.tool == "upscale")
    links = {(k.source, k.target) for k in edits[0].links}
    assert {("rem", new), (new, "paint")} <= links and ("rem", "paint") not in links


def test_an_edit_from_elsewhere_while_the_search_is_open_is_kept(view, edits):
    view.hands.offer_fitting(output(view, "fmt"), QPointF(0, 900))
    view.show_workflow(view.workflow.without("desc"), view.run, view.tools)
    QTest.keyClicks(view.hands.search.field, "speech")
    QTest.keyClick(view.hands.search.field, Qt.Key.Key_Return)
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
    assert told.args[0].startswith("needs a picture; this is text")


def test_while_a_link_is_drawn_the_ports_show_what_fits(view):
    drag(view, output(view, "seg").middle, QPointF(0, -200), release=False)
    assert input_of(view, "rem", "mask").fit is True
    assert input_of(view, "fmt", "caption").fit is False
    key(view, Qt.Key.Key_Escape)
    assert input_of(view, "rem", "mask").fit is None and not view.canvas.drawing_link


def test_a_circle_cannot_be_drawn(view, edits):
    drag(view, output(view, "paint").middle, input_of(view, "rem", "image").middle)
    assert edits == []


def test_nodegraphqt_is_guarded_as_well(view):
    canvas = view.canvas
    assert canvas._validate_accept_connection(output(view, "seg"), input_of(view, "cap", "image"))
    assert not canvas._validate_accept_connection(output(view, "fmt"), input_of(view, "cap", "image"))
    assert canvas._validate_reject_connection(input_of(view, "cap", "image"), output(view, "fmt"))


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


def test_alt_shift_cuts_links(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("fmt", "text", "paint", "prompt"))
    middle = item.path().pointAtPercent(0.5)
    both = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
    drag(view, middle - QPointF(14, 14), middle + QPointF(14, 14), both)
    assert Link("fmt", "text", "paint", "prompt") not in edits[0].links


# Adding


def test_tab_opens_the_search_and_enter_adds(view, edits):
    key(view, Qt.Key.Key_Tab)
    search = view.hands.search
    assert search.isVisible()
    QTest.keyClicks(search.field, "upsc")
    assert search.shown_ids == ["upscale"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert not search.isVisible()
    new = next(n for n in edits[0].nodes if n.tool == "upscale")
    assert view.selected() == (new.id,)


def test_escape_adds_nothing(view, edits):
    key(view, Qt.Key.Key_Space)
    QTest.keyClick(view.hands.search.field, Qt.Key.Key_Escape)
    assert not view.hands.search.isVisible() and edits == []


def test_a_link_dropped_on_the_canvas_offers_what_fits_and_joins_it(view, edits):
    empty = empty_place(view)
    drag(view, output(view, "fmt").middle, empty)
    search = view.hands.search
    assert search.isVisible()
    assert set(search.shown_ids) == {"format_text", "speak", "watercolour"}
    QTest.keyClicks(search.field, "speech")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "speak")
    assert Link("fmt", "text", new.id, "text") in edits[0].links


def test_a_link_dropped_from_an_input_offers_what_gives_it(view, edits):
    workflow = view.workflow.without_link(Link("seg", "mask", "rem", "mask"))
    view.show_workflow(workflow, view.run, view.tools)
    empty = empty_place(view)
    drag(view, input_of(view, "rem", "mask").middle, empty)
    search = view.hands.search
    assert search.shown_ids == ["segment_points"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "segment_points" and n.id != "seg")
    assert Link(new.id, "mask", "rem", "mask") in edits[0].links


def test_what_does_not_fit_is_listed_with_the_reason_and_cannot_be_chosen(view, edits):
    view.hands.offer_fitting(output(view, "fmt"), QPointF(0, 0))
    search = view.hands.search
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
    assert view.hands.search.isVisible()
    view.hands.search.close()


def test_a_double_click_on_a_card_opens_it(view, qtbot):
    with qtbot.waitSignal(view.node_activated) as told:
        QTest.mouseDClick(view.canvas.viewport(), LEFT, NONE, on_screen(view, view.card("rem").body.center()))
    assert told.args == ["rem"]


def test_the_search_in_the_graph_chooses_a_card(view):
    key(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(view.hands.search.field, "remove")
    QTest.keyClick(view.hands.search.field, Qt.Key.Key_Return)
    assert view.selected() == ("rem",)


# Keys on what is chosen


def test_delete_is_one_edit(view, edits):
    view.select(["cap", "fmt"])
    key(view, Qt.Key.Key_Delete)
    assert len(edits) == 1 and not {"cap", "fmt"} & set(edits[0].ids())


def test_delete_removes_a_chosen_link(view, edits):
    item = next(i for i in view.link_items() if i.link == Link("fmt", "text", "paint", "prompt"))
    click(view, item.path().pointAtPercent(0.5))
    key(view, Qt.Key.Key_Delete)
    assert edits[0] == samples.workflow().without_link(item.link)


def test_duplicates_stand_beside_the_originals_and_are_chosen(view, edits):
    view.select(["paint"])
    key(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    (new,) = view.selected()
    assert new != "paint" and view.place_of(new) != view.place_of("paint")


def test_copy_and_paste_go_through_the_clipboard(view, edits):
    view.select(["cap", "fmt"])
    key(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    key(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(edits[0].nodes) == 8


def test_pasting_something_else_says_so(view, edits, qtbot):
    QGuiApplication.clipboard().setText("hello")
    with qtbot.waitSignal(view.hint):
        key(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert edits == []


def test_everything_can_be_chosen(view):
    key(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert set(view.selected()) == set(view.sizes())


def test_cards_can_be_stepped_through_without_a_mouse(view):
    seen = set()
    for _ in view.sizes():
        key(view, Qt.Key.Key_BracketRight)
        seen.update(view.selected())
    assert seen == set(view.sizes())


# Wishes


def test_a_click_on_a_card_that_needs_points_asks_for_them(view, qtbot):
    workflow = view.workflow.without_link(Link("Points", "value", "seg", "points"))
    view.show_workflow(workflow, Run(), view.tools)
    with qtbot.waitSignal(view.pick_requested) as told:
        click(view, view.card("seg").body.topLeft() + QPointF(90, 80))
    assert told.args == ["seg", "points"]


def test_the_menu_of_a_node_runs_to_it(view, qtbot):
    view.select(["rem"])
    menu = view.hands.menu(QPointF(0, 0))
    action = next(a for a in menu.actions() if a.text() == "Run to here")
    with qtbot.waitSignal(view.run_to) as told:
        action.trigger()
    assert told.args == ["rem"]
    menu.close()


def test_the_menu_of_the_canvas_adds_and_lays_out(view):
    view.select([])
    menu = view.hands.menu(QPointF(0, 0))
    words = {a.text().split("\t")[0] for a in menu.actions()}
    assert {"Add a node", "Paste", "Lay out", "Show everything"} <= words
    menu.close()


def drop(view, data, place):
    event = QDropEvent(
        QPointF(on_screen(view, place)), Qt.DropAction.CopyAction, data, LEFT, NONE, QDropEvent.Type.Drop
    )
    view.canvas.dropEvent(event)
    return event


def test_dropped_files_are_told(view, qtbot, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.png")), QUrl("https://example.org/b.png")])
    with qtbot.waitSignal(view.files_dropped) as told:
        event = drop(view, data, QPointF(0, 0))
    assert told.args == [[tmp_path / "a.png"]] and event.isAccepted()


def test_a_tool_dragged_from_a_palette_is_added_where_it_is_dropped(view, edits):
    data = QMimeData()
    data.setData(TOOL_MIME, b"upscale")
    place = view.bounds().center()
    drop(view, data, place)
    new = next(n for n in edits[0].nodes if n.tool == "upscale")
    assert (QPointF(*new.position) - place).manhattanLength() < 16


def test_plain_text_is_not_taken_for_a_file(view, edits):
    data = QMimeData()
    data.setText('{"nodes": []}')
    assert not drop(view, data, QPointF(0, 0)).isAccepted() or edits == []


# The whole


def test_hundreds_of_cards_come_and_go(view):
    ids = [f"n{i}" for i in range(300)]
    links = tuple(Link(a, "image", b, "image") for a, b in itertools.pairwise(ids))
    view.show_workflow(Workflow((), tuple(Node(id, "upscale") for id in ids), links), Run(), view.tools)
    assert len(view.sizes()) == 300 and len(view.link_items()) == 299
    view.show_workflow(samples.workflow(), Run(), view.tools)
    assert len(view.sizes()) == 8


def test_an_edit_is_not_kept_until_it_is_shown(view):
    made = []
    view.edited.connect(made.append)
    view.select(["cap"])
    key(view, Qt.Key.Key_Delete)
    assert made and view.card("cap") is not None
    assert made[0] == graph_edit.Workflow.without(view.workflow, "cap")


def test_the_view_loads_neither_torch_nor_all_of_qt():
    code = (
        "import sys, desktop_app.ui.graph_view;"
        "bad = [m for m in ('torch', 'cv2', 'distutils', 'setuptools', 'Qt', 'PySide6.QtMultimedia', 'PySide6.QtSql',"
        " 'av', 'scipy', 'PIL') if m in sys.modules];"
        "print(bad); sys.exit(bool(bad))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_was_shown_whole_stays_whole_when_the_window_changes(view, qapp):
    view.fit()
    for size in ((700, 500), (1400, 900)):
        view.resize(*size)
        qapp.processEvents()
        assert view.canvas.seen.contains(view.bounds())


def test_a_view_that_the_user_chose_stays_when_the_window_changes(view, qapp):
    view.fit()
    view.canvas.zoom_by(1.7)
    zoom, middle = view.canvas.zoom, view.canvas.seen.center()
    view.resize(900, 600)
    qapp.processEvents()
    assert view.canvas.zoom == pytest.approx(zoom)
    assert (view.canvas.seen.center() - middle).manhattanLength() < 2
