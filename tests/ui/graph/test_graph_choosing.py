"""The graph on screen. Choosing cards, looking around, moving them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from desktop_app.graph import edit
from tests.ui.graph_kit import LEFT, NONE, click, drag, key


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
    view.moved.connect(lambda places: view.show_workflow(edit.placed(before, places), view.run, view.tools))
    start = view.card("desc").body.center()
    drag(view, start, start + QPointF(160, 80))
    assert view.place_of("desc") != place
    view.show_workflow(before, view.run, view.tools)
    assert view.place_of("desc") == place
    assert (view.card("desc").pos().x(), view.card("desc").pos().y()) == place


def test_cards_line_up(view):
    view.select(["seg", "desc"])
    view.controller.edits.align("top")
    assert view.place_of("seg")[1] == view.place_of("desc")[1]
    view.controller.edits.align("left")
    assert view.place_of("seg")[0] == view.place_of("desc")[0]


def test_a_click_leaves_the_links_led_round_the_cards(view):
    def paths():
        return {str(item.link): item.path() for item in view.link_items()}

    before = paths()
    click(view, view.card("rem").body.center())
    assert paths() == before
    drag(view, view.card("rem").body.center(), view.card("rem").body.center() + QPointF(3, 0))
    assert paths() == before
