"""The window as a whole: pages, keys, panels, pointing, files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.plan.types import Plan
from desktop_app.session.session import Change, Message
from desktop_app.ui.chat.plan_message import PlanMessage
from desktop_app.ui.chat.question_widget import QuestionView
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.theme import theme
from nodes.api import Point, ResourceType
from tests.ui import states
from tests.ui.conftest import served, use_theme
from tests.ui.fakes import COFFEE, finish

Left = Qt.MouseButton.LeftButton
Ctrl, Alt = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(make_window, session):
    states.planned(session)
    return make_window()


def pixel(window: MainWindow, x: float, y: float):
    view = window.picker.view
    return view.viewportTransform().map(QPointF(x + 0.5, y + 0.5)).toPoint()


def test_the_first_screen_gives_way_to_the_first_message(make_window, session):
    window = make_window()
    assert window.pages.currentWidget() is window.first
    QTest.keyClicks(window.first.composer.field, "hello")
    QTest.keyClick(window.first.composer.field, Qt.Key.Key_Return)
    assert window.pages.currentWidget() is window.workspace
    QTest.keyClick(window, Qt.Key.Key_N, Ctrl)
    assert window.pages.currentWidget() is window.first


def test_ctrl_enter_runs_even_from_the_composer(window, session):
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return, Ctrl)
    assert session.called("start") == [(None,)]


def test_where_something_is_missing_run_shows_what_asks_for_it(window, session):
    session.messages = (*(Message(n, "user", "One more line. " * 40) for n in range(10, 20)), *session.messages)
    session.tell(states.ALL)
    window.show_panel("chat", False)
    QTest.mouseClick(window.tool_bar.run_button, Left)
    asking = window.chat.views[-1]
    assert asking.message.open and window.chat.isVisible()
    button = asking.findChildren(QuestionView)[0].point
    assert button.hasFocus() and not button.visibleRegion().isEmpty()


def test_the_run_of_a_card_leaves_the_keyboard_on_what_stops_it(window, session, qtbot):
    states.planned(session, asked=False)
    session.tell(states.ALL)
    window.activateWindow()
    card = next(view for view in reversed(window.chat.views) if isinstance(view, PlanMessage))
    card._card.run.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is card._card.run)
    QTest.keyClick(card._card.run, Qt.Key.Key_Return)
    assert session.called("start") == [(None,)] and window.tool_bar.run_button.hasFocus()


def test_the_run_button_turns_into_stop(window, session):
    QTest.mouseClick(window.tool_bar.run_button, Left)
    states.running(session)
    session.tell(states.ALL)
    assert window.tool_bar.run_button.accessibleName() == "Stop"
    QTest.mouseClick(window.tool_bar.run_button, Left)
    assert session.called("start") == [(None,)] and session.called("stop") == [()]


def test_escape_stops_a_run(window, session):
    states.running(session)
    session.tell(states.ALL)
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    assert session.called("stop") == [()]


def test_undo_and_redo_by_key(window, session):
    before = session.workflow
    session.edit(session.workflow.without("desc"))
    window.graph.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Z, Ctrl)
    assert session.workflow == before
    QTest.keyClick(window, Qt.Key.Key_Y, Ctrl)
    assert "desc" not in session.workflow.ids()


def test_alt_arrows_step_through_the_alternatives(window, session):
    QTest.keyClick(window, Qt.Key.Key_Right, Alt)
    QTest.keyClick(window, Qt.Key.Key_Left, Alt)
    assert session.called("choose") == [(1,), (0,)]


def test_pointing_from_the_question_to_the_session(window, session, qtbot):
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    view = window.picker.view
    QTest.mouseClick(view.viewport(), Left, Qt.KeyboardModifier.NoModifier, pixel(window, 300, 100))
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, pixel(window, 10, 390)
    )
    QTest.mouseClick(window.picker.use, Left)
    ((name, points),) = session.called("point")
    assert name == "coffee.jpg"
    assert [p.include for p in points] == [True, False]
    width, height = session.find("coffee.jpg").facets["width"], session.find("coffee.jpg").facets["height"]
    assert all(0 <= p.x < width and 0 <= p.y < height for p in points)
    assert not window.pointing_now


def test_undo_from_the_empty_composer_takes_the_plan_back_and_from_words_the_words(window, session, qtbot):
    field = window.chat.composer.field
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is field)
    before = session.workflow
    session.edit(session.workflow.without("rem"))
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Z, Ctrl)
    assert session.workflow == before
    session.edit(session.workflow.without("rem"))
    QTest.keyClicks(field, "abc")
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Z, Ctrl)
    assert field.toPlainText() == "" and "rem" not in session.workflow.ids()


def test_undo_while_pointing_takes_back_points_not_edits(window, session, qtbot):
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    window.picker.add(Point(5, 5))
    QTest.keyClick(window, Qt.Key.Key_Z, Ctrl)
    assert window.picker.points == () and session.called("undo") == []


def test_escape_leaves_pointing_without_changing_anything(window, session, qtbot):
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    window.picker.add(Point(5, 5))
    QTest.keyClick(window.picker.view, Qt.Key.Key_Escape)
    assert not window.pointing_now and session.called("point") == []


def test_another_conversation_is_not_hidden_behind_what_was_pointed_at(window, session, qtbot):
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    session.id = "another"
    session.say(Message(99, "user", "blur it"))
    assert not window.pointing_now and window.workspace.page is window.graph


@pytest.mark.parametrize("port", [None, ("seg", "points")])
def test_a_new_plan_is_not_hidden_behind_what_was_pointed_at_for_the_one_before(window, session, qtbot, port):
    window.ui.signals.pick_port.emit(*port) if port else window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    session.edit(session.workflow.with_node(Node("other", "upscale")))
    assert window.pointing_now  # what is pointed for is still there
    session.edit(session.workflow.without("seg"))
    assert not window.pointing_now and window.workspace.page is window.graph


def test_what_is_pointed_at_for_no_step_stays_when_a_plan_comes(window, session, qtbot):
    session.edit(session.workflow.without("seg"))
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    session.edit(session.workflow.with_node(Node("other", "upscale")))
    assert window.pointing_now


def test_files_left_in_the_composer_stay_with_their_conversation(window, session):
    composer = window.chat.composer
    composer.add(("coffee.jpg",))
    QTest.keyClicks(composer.field, "paint it")
    session.id = "another"
    QTest.keyClick(window, Qt.Key.Key_N, Ctrl)
    assert composer.names == () and window.first.composer.names == ()
    QTest.keyClick(window.first.composer.field, Qt.Key.Key_Return)
    QTest.keyClicks(window.first.composer.field, "hello")
    QTest.keyClick(window.first.composer.field, Qt.Key.Key_Return)
    assert session.called("ask")[-1][1] == ()


def test_a_port_is_pointed_at_in_the_picture_that_feeds_it(window, session, qtbot):
    window.graph.pick_requested.emit("seg", "points")
    qtbot.waitUntil(lambda: window.pointing_now)
    window.picker.add(Point(7, 9))
    window.picker.accept()
    assert session.workflow.node("seg").values["points"] == [[7.0, 9.0, True]]


def test_pointing_without_a_picture_says_what_to_do(window, session):
    session.workflow = session.workflow.without("coffee.jpg")
    window.ui.signals.pick_port.emit("seg", "points")
    assert "picture" in window.chat.composer._trouble.text()
    assert not window.pointing_now


def test_selecting_from_the_chat_shows_the_node_everywhere(window):
    window.tool_bar.panels["inspector"].click()
    assert not window.inspector.isVisibleTo(window)
    window.ui.signals.select_node.emit("rem")
    assert window.inspector.isVisibleTo(window) and window.inspector.item == "rem"
    assert window.graph.selected() == ("rem",)


def test_a_failed_run_shows_why_unless_something_is_selected(window, session):
    states.failed(session)
    session.tell(states.ALL)
    assert window.inspector.item == "paint"


def test_a_failed_run_does_not_take_the_selection_away(window, session):
    window.select("rem")
    states.failed(session)
    session.tell(states.ALL)
    assert window.inspector.item == "rem"


def test_panels_hide_and_are_remembered(make_window, session):
    states.planned(session)
    window = make_window()
    QTest.mouseClick(window.tool_bar.panels["chat"], Left)
    QTest.keyClick(window, Qt.Key.Key_2, Ctrl)
    window.timeline.set_folded(True)
    assert not window.chat.isVisibleTo(window) and not window.timeline.isVisibleTo(window)
    window.close()
    again = make_window()
    assert not again.chat.isVisibleTo(again) and not again.timeline.isVisibleTo(again)
    assert again.timeline.folded and again.inspector.isVisibleTo(again)


def test_a_narrow_window_hides_the_inspector_and_brings_it_back(window):
    window.resize(1100, 800)
    assert not window.inspector.isVisibleTo(window)
    window.resize(1440, 900)
    assert window.inspector.isVisibleTo(window)


def test_a_double_click_on_an_input_without_a_picture_asks_for_another_file(window, session):
    notes = session.put("notes.txt", "Bring bread.", ResourceType.TEXT)
    session.edit(session.workflow.with_resource(notes))
    window.activate("notes.txt")
    assert window.files.dialog is not None and not window.preview.isVisible()
    window.files.dialog.close()


def test_the_large_picture_of_an_input_can_be_replaced(window, session):
    window.activate("coffee.jpg")
    QTest.mouseClick(window.preview._swap, Qt.MouseButton.LeftButton)
    assert window.files.dialog is not None and not window.preview.isVisible()
    window.files.dialog.close()
    window.open_large(session.put("a.png", np.zeros((4, 4, 3), np.uint8), ResourceType.IMAGE, "rem"))
    assert not window.preview._swap.isVisible()


def test_a_new_plan_is_not_hidden_behind_a_large_picture(window, session):
    window.open_large(session.find("coffee.jpg"))
    session.tell(Change.PLAN)
    assert window.workspace.page is window.graph


def test_pictures_open_large_and_escape_goes_back(window, session, qtbot):
    window.ui.signals.open_large.emit(session.find("coffee.jpg"))
    assert window.workspace.page is window.preview
    qtbot.waitUntil(lambda: window.preview.view._item.pixmap().width() == session.find("coffee.jpg").facets["width"])
    QTest.keyClick(window.preview.view, Qt.Key.Key_Escape)
    assert window.workspace.page is window.graph


def test_the_theme_changes_and_is_remembered(window, own_home):
    QTest.mouseClick(window.tool_bar._theme, Left)
    assert theme.current().name == "light"
    assert json.loads((own_home / "settings.json").read_text())["theme"] == "light"


def drop(window: MainWindow, path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    keys = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(700, 400), Qt.DropAction.CopyAction, data, Left, keys))


def test_a_dropped_picture_is_attached_and_a_dropped_workflow_opened(window, session, tmp_path, qtbot):
    drop(window, COFFEE)
    assert window.chat.composer.names == ("coffee.jpg",)
    saved = tmp_path / "flow.json"
    saved.write_text(json.dumps(session.workflow.to_json()))
    drop(window, saved)
    qtbot.waitUntil(lambda: session.called("open") == [(saved,)])


def test_a_workflow_that_cannot_be_opened_is_explained(window, session, tmp_path, qtbot):
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": 1, "nodes": []}')
    drop(window, broken)
    qtbot.waitUntil(lambda: "broken" in window.chat.composer._trouble.text())


def test_dialogs_never_block(window, session):
    QTest.keyClick(window, Qt.Key.Key_O, Ctrl)
    dialog = window.files.dialog
    assert isinstance(dialog, QDialog) and dialog.isVisible()
    dialog.fileSelected.emit("/somewhere/flow.json")
    assert session.called("open")
    dialog.close()


def test_what_a_dialog_offers_while_one_writes_has_a_ground(window):
    """A list that pops up is a window of its own: without a ground it was black in both themes."""
    QTest.keyClick(window, Qt.Key.Key_O, Ctrl)
    dialog = window.files.dialog
    (field,) = (one for one in dialog.findChildren(QLineEdit) if one.completer() is not None)
    offered = field.completer().popup()
    offered.resize(200, 100)
    assert offered.grab().toImage().pixelColor(100, 50) == theme.current().color("background.overlay")
    dialog.close()


def test_saving_a_result_copies_its_file(window, session, tmp_path, qtbot):
    coffee = session.find("coffee.jpg")
    window.ui.signals.save_as.emit(coffee)
    target = tmp_path / "kept.jpg"
    window.files.dialog.fileSelected.emit(str(target))
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: "kept.jpg" in window.status._saved.text())
    assert target.read_bytes() == session.path_of(coffee).read_bytes()
    window.files.dialog.close()


def test_facts_arrive_after_the_first_paint(make_window, qtbot):
    from tests.ui.start.test_first_screen import Fact

    asked = []

    def examine():
        asked.append(True)
        return (Fact("Device", "2 CPU cores", True),)

    window = make_window(examine=examine)
    assert not asked
    qtbot.waitUntil(lambda: window.status._device._label.text() == "2 CPU cores")


def test_edits_of_the_graph_reach_the_session(window, session):
    smaller = session.workflow.without("desc")
    window.graph.edited.emit(smaller)
    window.graph.moved.emit({"rem": (10.0, 20.0)})
    assert session.workflow == smaller and session.called("move") == [({"rem": (10.0, 20.0)},)]


def test_every_button_of_the_window_has_a_name(window, session):
    states.answered(session)
    session.tell(states.ALL)
    window.select("paint")
    own = [b for b in window.findChildren(QAbstractButton) if not b.objectName().startswith("qt_")]
    nameless = [
        b for b in own if not (b.accessibleName() or b.text().strip()) and type(b).__module__ != "PySide6.QtWidgets"
    ]
    assert nameless == []


def test_a_change_of_the_run_touches_no_other_panel(window, session, monkeypatch):
    states.running(session)
    session.tell(states.ALL)
    rebuilt = []
    monkeypatch.setattr(window.alternatives, "_show_all", lambda: rebuilt.append("ways"))
    monkeypatch.setattr(window.graph, "show_workflow", lambda *_: rebuilt.append("graph"))
    session.tell(Change.RUN)
    assert rebuilt == []


def test_after_pointing_the_run_button_has_the_focus(window, session, qtbot):
    window.ui.signals.point_at.emit("coffee.jpg")
    qtbot.waitUntil(lambda: window.pointing_now)
    window.picker.add(Point(5, 5))
    QTest.mouseClick(window.picker.use, Left)
    assert window.tool_bar.run_button.hasFocus()
    QTest.keyClick(window.tool_bar.run_button, Qt.Key.Key_Space)
    assert session.called("start") == [(None,)]


def test_the_header_of_the_picker_names_the_tool_and_the_picture(window, qtbot):
    window.graph.pick_requested.emit("seg", "points")
    qtbot.waitUntil(lambda: window.pointing_now)
    assert window.picker._subject._whole == "for Segment by points on coffee.jpg"


def test_a_port_for_boxes_is_filled_by_dragging(window, session, qtbot):
    from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node
    from nodes.api import ResourceType
    from tests.ui.fakes import IMAGE_IN, Port, _tool

    boxes = Port("boxes", ResourceType.BOXES, "around what")
    session.tools = {**session.tools, "framed": _tool("framed", "Framed", "box", [IMAGE_IN, boxes], [IMAGE_IN])}
    workflow = session.workflow.with_node(Node("framed", "framed"))
    session.edit(workflow.with_link(Link("coffee.jpg", RESOURCE_OUTPUT, "framed", "image")))
    window.graph.pick_requested.emit("framed", "boxes")
    qtbot.waitUntil(lambda: window.pointing_now)
    view = window.picker.view
    QTest.mousePress(view.viewport(), Left, Qt.KeyboardModifier.NoModifier, pixel(window, 20, 30))
    QTest.mouseMove(view.viewport(), pixel(window, 100, 100))
    QTest.mouseRelease(view.viewport(), Left, Qt.KeyboardModifier.NoModifier, pixel(window, 99, 89))
    QTest.mouseClick(window.picker.use, Left)
    ((x0, y0, x1, y1),) = session.workflow.node("framed").values["boxes"]
    assert abs(x0 - 20) <= 1 and abs(y0 - 30) <= 1 and abs(x1 - 100) <= 1 and abs(y1 - 90) <= 1


def test_in_a_slim_window_chat_and_inspector_take_turns(window):
    window.resize(900, 800)
    assert window.chat.isVisibleTo(window) and not window.inspector.isVisibleTo(window)
    window.select("rem")
    assert window.inspector.isVisibleTo(window) and not window.chat.isVisibleTo(window)
    QTest.mouseClick(window.tool_bar.panels["chat"], Left)
    assert window.chat.isVisibleTo(window) and not window.inspector.isVisibleTo(window)
    window.resize(1440, 900)
    assert window.chat.isVisibleTo(window) and window.inspector.isVisibleTo(window)


def test_a_low_window_folds_the_timeline_and_the_alternatives_and_unfolds_them(window, session):
    window.resize(1440, 560)
    assert window.timeline.folded and not window.alternatives.cards[0].isVisibleTo(window)
    QTest.mouseClick(window.alternatives._steps[1], Left)
    assert session.called("choose") == [(1,)]
    window.resize(1440, 900)
    assert not window.timeline.folded and window.alternatives.cards[0].isVisibleTo(window)


def test_what_a_small_window_hides_is_not_remembered_as_hidden(make_window, session):
    states.planned(session)
    window = make_window()
    window.resize(900, 560)
    window.close()
    again = make_window()
    again.resize(1440, 900)
    assert again.inspector.isVisibleTo(again) and not again.timeline.folded


def test_the_window_never_asks_for_more_than_the_screen_has(window):
    assert window.minimumWidth() <= window.screen().availableSize().width()
    assert window.minimumHeight() <= window.screen().availableSize().height()


def test_tab_goes_from_the_field_to_its_buttons_and_then_to_the_examples(qtbot, make_window, session):
    from desktop_app.storage.examples import load_examples

    window = make_window(examples=load_examples()[:2])
    composer, order = window.first.composer, []
    composer.field.setFocus()
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    assert order == [composer.attach, composer.mode.widget, window.first.cards[0]]


def test_f6_goes_round_the_regions_and_out_of_the_graph(window):
    window.chat.composer.field.setFocus()
    seen = []
    for _ in range(6):
        QTest.keyClick(window, Qt.Key.Key_F6)
        seen.append(QApplication.focusWidget())
    assert window.alternatives.cards[0] in seen and window.graph.canvas in seen and window.inspector.tabs not in seen
    assert window.tool_bar.run_button in seen and window.chat.composer.field in seen
    window.graph.canvas.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is window.alternatives.cards[0]


def test_the_bar_tells_what_the_language_model_has_cost(make_window, session):
    window = make_window()
    item = window.status._planner
    assert "tokens" not in item._label.text()
    session.plan, session.language_model = Plan((), mode="llm"), "Qwen/Qwen2.5-7B-Instruct"
    session.spent = Spent(3000, 120)
    session.tell(Change.BUSY)
    assert item._label.text() == "Qwen2.5-7B-Instruct · 3,120 tokens"
    assert "3,000 tokens of prompts, 120 of replies" in item.toolTip() and "estimated" not in item.toolTip()
    session.spent = Spent(3000, 121, True, 0.0034)
    session.tell(Change.MESSAGES)
    assert "3,121 tokens · $0.0034" in item._label.text() and "estimated" in item.toolTip()
    session.spent = Spent(3000, 121, False, 0.0)
    session.tell(Change.MESSAGES)
    assert item._label.text().endswith("3,121 tokens · free")


def test_what_was_planned_offline_is_told_so_whatever_was_spent_before(make_window, session):
    session.plan, session.language_model = Plan((), mode="offline"), "qwen"
    session.spent = Spent(10, 2)
    item = make_window().status._planner
    assert item._label.text() == "Offline planner · 12 tokens"


def test_the_panel_beside_the_canvas_is_open_again_at_the_next_start(make_window, session):
    states.planned(session)
    window = make_window()
    assert window.graph.side.shown == ""
    window.graph.side.open("palette")
    window.close()
    again = make_window()
    assert again.graph.side.shown == "palette" and again.graph.buttons.sides["palette"].isChecked()
    assert not again.graph.side.isAncestorOf(QApplication.focusWidget() or again)
    again.graph.side.close_panel()
    again.close()
    assert make_window().graph.side.shown == ""


def test_what_failed_of_a_run_is_not_said_of_another_plan(window, session):
    states.failed(session)
    session.tell(states.ALL)
    assert "failed" in window.tool_bar._words.text()
    session.workflow = Workflow((), (Node("other", "caption"),))
    session.tell(states.ALL)
    assert "failed" not in window.tool_bar._words.text()


def test_nothing_moves_in_the_tool_bar_when_it_says_saved(window, qtbot):
    window.resize(1440, 900)
    served()
    undo = window.tool_bar._undo
    before = undo.x()
    window.saved("")
    served()
    assert window.tool_bar._saved.text() and undo.x() == before


def test_run_keeps_the_keyboard_while_it_is_busy(window, session, qtbot):
    button = window.tool_bar.run_button
    window.activateWindow()
    button.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is button)
    session.busy = "Planning"
    session.tell(Change.BUSY)
    session.busy = ""
    session.tell(Change.BUSY)
    assert QApplication.focusWidget() is button


def test_a_new_window_leaves_the_title_bar_its_room(qtbot, qapp, session):
    use_theme(qapp)
    window = MainWindow(session, spawn=finish)
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    assert window.height() <= room.height() - 30 and window.width() == min(room.width(), 1440)
    window.close()


def test_a_conversation_is_renamed_from_the_menu(window, session):
    session.title = "blur it"
    window.commands.run("rename")
    window.renaming.textValueSelected.emit("My coffee")
    window.renaming.close()
    assert session.called("rename") == [("My coffee",)] and "My coffee" in window.windowTitle()


def test_a_file_takes_the_place_of_another_where_it_stands(window, session, tmp_path, qtbot):
    place = window.graph.place_of("coffee.jpg")
    fed = {link.target for link in session.workflow.links if link.source == "coffee.jpg"}
    path = tmp_path / "other.jpg"
    path.write_bytes(COFFEE.read_bytes())
    window.graph.select(("coffee.jpg",))
    action = window.graph.controller.menu(QPointF(0, 0))
    next(a for a in action.actions() if a.text().startswith("Replace the file")).trigger()
    window.files.dialog.filesSelected.emit([str(path)])
    assert {link.target for link in session.workflow.links if link.source == "other.jpg"} == fed
    assert window.graph.place_of("other.jpg") == place and session.workflow.resource("coffee.jpg") is None
    window.files.dialog.close()


@pytest.mark.parametrize("place", ["first screen", "timeline"])
def test_a_picture_is_pasted_wherever_the_keyboard_is(make_window, session, qtbot, place):
    if place == "timeline":
        states.planned(session)
    window = make_window()
    target = window.timeline.fold if place == "timeline" else window.first.blank
    picture = QImage(20, 10, QImage.Format.Format_RGB32)
    picture.fill(0x336699)
    QApplication.clipboard().setImage(picture)
    target.setFocus()
    QTest.keyClick(target, Qt.Key.Key_V, Ctrl)
    qtbot.waitUntil(lambda: len(window.composer.names) == 1)
    assert window.composer.names[0].startswith("pasted")


def test_pasting_where_nothing_was_copied_attaches_nothing(make_window):
    window = make_window()
    QApplication.clipboard().clear()
    window.first.blank.setFocus()
    QTest.keyClick(window.first.blank, Qt.Key.Key_V, Ctrl)
    assert window.composer.names == ()


def test_a_blank_canvas_takes_what_is_dropped_where_it_is_dropped(make_window, session, tmp_path, qtbot):
    window = make_window()
    QTest.mouseClick(window.first.blank, Left)
    assert window.pages.currentWidget() is window.workspace and session.called("begin") == [()]
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / "in" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_bytes(COFFEE.read_bytes() + name.encode())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "in" / name)) for name in ("a.jpg", "b.jpg")])
    canvas = window.graph.canvas
    spot = QPointF(120, 90)
    keys = Qt.KeyboardModifier.NoModifier
    place = canvas.mapToScene(spot.toPoint())
    canvas.dropEvent(QDropEvent(spot, Qt.DropAction.CopyAction, data, Left, keys))
    qtbot.waitUntil(lambda: len(session.workflow.resources) == 2)
    first, second = (window.graph.boxes()[name] for name in ("a.jpg", "b.jpg"))
    assert (QPointF(*first[:2]) - place).manhattanLength() < 20
    assert second[1] >= first[1] + first[3] and second[0] == first[0]
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "in"))])
    canvas.dropEvent(QDropEvent(QPointF(400, 300), Qt.DropAction.CopyAction, data, Left, keys))
    qtbot.waitUntil(lambda: len(session.workflow.resources) == 3)
    assert [len(one.files) for one in session.workflow.resources] == [0, 0, 2]
