"""Notes, frames and dots on screen: made, written, dragged, resized, deleted. One edit each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from desktop_app.graph.decorations import Frame, Note
from desktop_app.graph.workflow import Link
from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.items.note_item import DecorationItem, DotItem
from nodes.api import ResourceType
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import CTRL, LEFT, NONE, click, drag, key, on_screen
from tests.ui.painted_text import texts_of

LINK = Link("rem", "image", "paint", "image")
DOTTED = Link("rem", "image", "desc", "image")


@pytest.fixture
def drawn(view):
    """The view on the graph with notes, frames and dots."""
    view.show_workflow(samples.annotated(), samples.run(), samples.TOOLS)
    view.fit()
    view.zoom = 1.0
    return view


def double_click(view, place):
    QTest.mouseDClick(view.canvas.viewport(), LEFT, NONE, on_screen(view, place))


def link_item(view, link):
    return next(item for item in view.link_items() if item.link == link)


def title_bar(view, id):
    return view.items.decor[id].body.topLeft() + QPointF(120, 12)


def test_everything_drawn_is_shown_and_goes_again(drawn):
    kinds = [type(item) for item in drawn.canvas.things()]
    assert kinds.count(DecorationItem) == 3 and kinds.count(DotItem) == 2
    drawn.show_workflow(samples.workflow(), samples.run(), samples.TOOLS)
    assert not any(isinstance(item, DecorationItem | DotItem) for item in drawn.canvas.things())


def test_a_link_passes_through_its_dots(drawn):
    path = link_item(drawn, DOTTED).path()
    for x, y in drawn.workflow.waypoints[DOTTED]:
        nearest = min((path.pointAtPercent(i / 400) - QPointF(x, y)).manhattanLength() for i in range(401))
        assert nearest < 4


@pytest.mark.parametrize("zoom", [1.0, 0.56, 0.4])
def test_a_note_can_be_read_at_every_zoom_that_shows_cards(qapp, zoom):
    item = DecorationItem(Note("n", "Try a stronger blur when names can still be read.", (0.0, 0.0)))

    def paint(painter: QPainter) -> None:
        painter.scale(zoom, zoom)
        item.paint(painter, QStyleOptionGraphicsItem())

    texts = texts_of(paint, QSize(200, 100))
    assert texts[0].words.startswith("Try a") and texts[0].area.height() >= 7


def test_ctrl_g_frames_what_is_chosen(view, edits):
    view.select(["cap", "fmt"])
    key(view, Qt.Key.Key_G, CTRL)
    (frame,) = edits[-1].decorations
    assert isinstance(frame, Frame) and len(edits) == 1
    assert all(frame.holds((card.body.center().x(), card.body.center().y())) for card in map(view.card, ("cap", "fmt")))
    assert view.chosen() == (frame.id,)


def test_the_title_of_a_new_frame_is_written_at_once(view, edits):
    view.select(["cap"])
    key(view, Qt.Key.Key_G, CTRL)
    field = view.controller.writing.field
    assert field.isVisible()
    QTest.keyClicks(field, "Words")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert edits[-1].decorations[0].text == "Words" and not field.isVisible()


@pytest.mark.parametrize("by_key", [False, True])
def test_the_title_of_a_node_is_written_over_it(drawn, edits, by_key):
    if by_key:
        drawn.select(["cap"])
        key(drawn, Qt.Key.Key_F2)
    else:
        double_click(drawn, drawn.card("cap").title_area.center())
    field = drawn.controller.writing.field
    assert field.isVisible() and field.toPlainText() == drawn.workflow.title_of("cap", samples.TOOLS)
    QTest.keyClicks(field, "Words of it")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert [one.node("cap").title for one in edits] == ["Words of it"]
    drawn.show_workflow(edits[-1], samples.run(), samples.TOOLS)
    assert drawn.card("cap").face.title == "Words of it"


def test_a_double_click_below_the_title_still_opens_the_card(drawn, qtbot):
    with qtbot.waitSignal(drawn.node_activated) as opened:
        double_click(drawn, drawn.card("cap").body.center())
    assert opened.args == ["cap"] and not drawn.controller.writing.field.isVisible()


def test_a_frame_round_nothing_is_refused_in_words(view, edits, qtbot):
    with qtbot.waitSignal(view.hint):
        key(view, Qt.Key.Key_G, CTRL)
    assert edits == []


def test_n_puts_a_note_on_the_canvas_to_be_written(view, edits):
    key(view, Qt.Key.Key_N)
    field = view.controller.writing.field
    QTest.keyClicks(field, "look here")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    (note,) = edits[-1].decorations
    assert isinstance(note, Note) and note.text == "look here"


def test_escape_ends_the_writing_and_keeps_the_text(drawn, edits):
    double_click(drawn, drawn.items.decor["note"].body.center())
    field = drawn.controller.writing.field
    QTest.keyClicks(field, "something else")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible() and len(edits) == 1
    assert "something else" in drawn.workflow.decoration("note").text


def test_going_elsewhere_keeps_what_was_written(drawn, edits):
    double_click(drawn, title_bar(drawn, "words"))
    QTest.keyClicks(drawn.controller.writing.field, "Text")
    drawn.canvas.setFocus()
    click(drawn, drawn.card("rem").body.center())
    assert drawn.workflow.decoration("words").text == "Text" and len(edits) == 1


def test_a_frame_dragged_by_its_title_takes_its_cards_and_dots_along(drawn, edits):
    cards = {id: drawn.place_of(id) for id in drawn.sizes()}
    start = title_bar(drawn, "cutting")
    drag(drawn, start, start + QPointF(0, -96))
    assert len(edits) == 1
    after = {id: drawn.place_of(id) for id in drawn.sizes()}
    moved = {id for id in cards if after[id] != cards[id]}
    assert moved == {"seg", "rem"}
    assert all(after[id] == (cards[id][0], cards[id][1] - 96) for id in moved)
    assert edits[0].decoration("cutting").place == (208.0, -152.0)
    assert edits[0].node("seg").position == after["seg"]


def test_the_inside_of_a_frame_belongs_to_the_canvas(drawn, edits):
    inside = QPointF(452, -12)  # between two cards, below the title
    drag(drawn, inside, inside + QPointF(-150, 60))
    assert edits == [] and "seg" in drawn.selected() and "cutting" not in drawn.chosen()


def test_a_note_is_resized_by_its_corner(drawn, edits):
    item = drawn.items.decor["note"]
    corner = item.body.bottomRight() - QPointF(6, 6)
    before = item.body.size()
    drag(drawn, corner, corner + QPointF(80, 40))
    assert edits[0].decoration("note").size == (before.width() + 80, before.height() + 40)


def test_colours_and_deleting_are_one_edit_each(drawn, edits):
    drawn.select(["note", "words"])
    drawn.controller.writing.colour("rose")
    assert {d.id: d.color for d in edits[0].decorations} == {"note": "rose", "words": "rose", "cutting": "violet"}
    key(drawn, Qt.Key.Key_Delete)
    assert [d.id for d in edits[1].decorations] == ["cutting"] and len(edits) == 2


def test_arrow_keys_move_notes_too(drawn, edits):
    drawn.select(["note"])
    key(drawn, Qt.Key.Key_Down)
    assert edits[0].decoration("note").place == (-224.0, 240.0)


def test_a_double_click_on_a_link_adds_a_dot_there(view, edits):
    place = link_item(view, LINK).path().pointAtPercent(0.5)
    double_click(view, place)
    (dot,) = edits[0].waypoints[LINK]
    assert abs(dot[0] - place.x()) <= 8 and abs(dot[1] - place.y()) <= 8
    assert edits[0].links == samples.workflow().links


def test_a_dot_is_dragged_and_leads_its_link(drawn, edits):
    dot = QPointF(*drawn.workflow.waypoints[DOTTED][0])
    drag(drawn, dot, dot + QPointF(40, -80))
    assert edits[0].waypoints[DOTTED][0] == (768.0, 184.0) and len(edits) == 1


def test_a_dot_goes_with_a_double_click_or_delete(drawn, edits):
    places = drawn.workflow.waypoints[DOTTED]
    double_click(drawn, QPointF(*places[0]))
    assert edits[0].waypoints[DOTTED] == places[1:]
    click(drawn, QPointF(*places[1]))
    key(drawn, Qt.Key.Key_Delete)
    assert edits[1].waypoints == {} and DOTTED in edits[1].links


def test_d_puts_a_dot_into_a_chosen_link_without_a_mouse(view, edits):
    link_item(view, LINK).setSelected(True)
    key(view, Qt.Key.Key_D)
    assert len(edits[0].waypoints[LINK]) == 1


def test_laying_out_keeps_frames_round_their_cards_and_drops_dots(drawn, edits):
    key(drawn, Qt.Key.Key_L)
    assert len(edits) == 1 and edits[0].waypoints == {}
    for frame, ids in (("cutting", ("seg", "rem")), ("words", ("cap", "fmt"))):
        assert all(drawn.items.decor[frame].body.contains(drawn.card(id).body) for id in ids)


def test_escape_takes_a_drag_back(drawn, edits):
    place = drawn.card("rem").pos()
    start = drawn.card("rem").body.center()
    drag(drawn, start, start + QPointF(100, 50), release=False)
    key(drawn, Qt.Key.Key_Escape)
    assert drawn.card("rem").pos() == place
    QTest.mouseRelease(drawn.canvas.viewport(), LEFT, NONE, on_screen(drawn, start))
    assert edits == []


def test_the_menu_of_a_note_offers_colours(drawn):
    drawn.select(["note"])
    menu = drawn.controller.menu(QPointF())
    colours = next(a.menu() for a in menu.actions() if a.text() == "Colour")
    assert len(colours.actions()) == 6
    menu.close()


def test_adding_a_note_and_writing_it_is_one_deed(view, edits):
    key(view, Qt.Key.Key_N)
    field = view.controller.writing.field
    QTest.keyClicks(field, "The spoon stays")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert len(edits) == 1 and edits[0].decorations[0].text == "The spoon stays"
    view.controller.writing.write(edits[0].decorations[0].id)
    QTest.keyClicks(field, "!")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert len(edits) == 2 and edits[1].decorations[0].text == "The spoon stays!"


def test_adding_a_frame_and_naming_it_is_one_deed(view, edits):
    view.select(["cap"])
    key(view, Qt.Key.Key_G, CTRL)
    QTest.keyClicks(view.controller.writing.field, "Words")
    QTest.keyClick(view.controller.writing.field, Qt.Key.Key_Return)
    assert len(edits) == 1 and edits[0].decorations[0].text == "Words"


def test_what_happens_while_one_writes_has_a_step_of_its_own(view, edits):
    key(view, Qt.Key.Key_N)
    field = view.controller.writing.field
    QTest.keyClicks(field, "Late")
    view.edited.emit(view.workflow.without("cap"))  # the planner, say
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert len(edits) == 3 and edits[2].decorations[0].text == "Late" and "cap" not in edits[2].ids()


def test_brackets_step_over_notes_and_frames_too(drawn):
    seen = []
    for _ in range(len(drawn.sizes()) + 3):
        key(drawn, Qt.Key.Key_BracketRight)
        seen += drawn.chosen()
    assert set(seen) == {*drawn.sizes(), "words", "cutting", "note"} and len(seen) == len(set(seen))
    key(drawn, Qt.Key.Key_BracketLeft)
    assert drawn.chosen() == (seen[-2],)


def test_a_chosen_note_is_said(drawn):
    drawn.select(["note"])
    assert drawn.canvas.accessibleDescription().startswith("Note: Two points on the cup")
    drawn.select([])
    assert drawn.canvas.accessibleDescription() == "nothing chosen"


def test_a_new_file_covers_no_note(drawn, edits):
    note = next(one for one in drawn.workflow.decorations if isinstance(one, Note))
    file = Resource("new.png", ResourceType.IMAGE, "0" * 64, ".png")
    drawn.controller.adding.add_files(QPointF(*note.place), [file])
    x, y = edits[-1].positions["new.png"]
    (left, top), (wide, high) = note.place, note.size
    assert x >= left + wide or y >= top + high
