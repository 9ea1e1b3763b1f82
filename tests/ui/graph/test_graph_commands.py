"""The graph on screen. Keys, menus and signals."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication

from desktop_app.graph.workflow import Link
from desktop_app.run.events.run_record import Run
from desktop_app.ui.graph.canvas import TOOL_MIME
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import click, drop, key


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


def test_what_is_pasted_lies_at_the_pointer_and_again_beside_it(view, edits, monkeypatch):
    view.select(["cap", "fmt"])
    key(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    pointer = view.bounds().bottomLeft() + QPointF(40, 80)
    monkeypatch.setattr(view.canvas, "cursor_place", lambda: pointer)
    for _ in range(2):
        key(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    old = set(samples.workflow().ids())
    first = {n.id: n.position for n in edits[0].nodes if n.id not in old}
    second = {n.position for n in edits[1].nodes if n.id not in {*old, *first}}
    corner = QPointF(min(x for x, _ in first.values()), min(y for _, y in first.values()))
    assert (corner - pointer).manhattanLength() < 16
    assert len(first) == len(second) == 2 and not set(first.values()) & second


@pytest.mark.parametrize("copied", ["hello", None])
def test_pasting_something_else_says_so(view, edits, qtbot, copied):
    QGuiApplication.clipboard().clear()
    if copied:
        QGuiApplication.clipboard().setText(copied)
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


def test_a_click_on_a_card_that_needs_points_asks_for_them(view, qtbot):
    workflow = view.workflow.without_link(Link("Points", "value", "seg", "points"))
    view.show_workflow(workflow, Run(), view.tools)
    with qtbot.waitSignal(view.pick_requested) as told:
        click(view, view.card("seg").body.topLeft() + QPointF(90, 80))
    assert told.args == ["seg", "points"]


def test_the_menu_of_a_node_runs_to_it(view, qtbot):
    view.select(["rem"])
    menu = view.controller.menu(QPointF(0, 0))
    action = next(a for a in menu.actions() if a.text().startswith("Run to here"))
    with qtbot.waitSignal(view.run_to) as told:
        action.trigger()
    assert told.args == ["rem"]
    menu.close()


def test_the_menu_of_the_canvas_adds_and_lays_out(view):
    view.select([])
    menu = view.controller.menu(QPointF(0, 0))
    words = {a.text().split("\t")[0] for a in menu.actions()}
    assert {"Add a node", "Paste", "Lay out", "Show everything"} <= words
    menu.close()


def test_dropped_files_are_told(view, qtbot, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.png")), QUrl("https://example.org/b.png")])
    with qtbot.waitSignal(view.files_dropped) as told:
        event = drop(view, data, QPointF(0, 0))
    assert told.args[0] == [tmp_path / "a.png"] and event.isAccepted()
    assert (told.args[1] - QPointF(0, 0)).manhattanLength() < 2


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
