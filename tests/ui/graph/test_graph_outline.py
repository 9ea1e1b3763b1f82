"""The outline beside the canvas: the same graph, states and choice in words, and every deed by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.graph.workflow import Link
from desktop_app.run.events.run_record import NodeRun
from desktop_app.ui.graph.outline.outline_panel import CARD, PORT
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import CTRL, LEFT, key


@pytest.fixture
def tree(view):
    """The tree, opened by its key."""
    key(view, Qt.Key.Key_O)
    assert view.side.shown == "outline"
    return view.side.outline.tree


def row(tree, card, port="", is_input=True):
    """The index of a card's row, or of a port's."""
    model = tree.model()
    for at in range(model.rowCount()):
        index = model.index(at, 0)
        if index.data(CARD) != card:
            continue
        for child in range(model.rowCount(index) if port else 0):
            found = model.index(child, 0, index)
            if (found.data(PORT).name, found.data(PORT).is_input) == (port, is_input):
                return found
        return index
    raise AssertionError(f"no row for {card}")


def press(tree, name, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(tree, name, modifiers)


def choose(tree, card, port="", is_input=True):
    tree.setCurrentIndex(row(tree, card, port, is_input))


def test_the_outline_is_closed_until_its_key_or_button(view):
    assert view.side.isHidden()
    QTest.mouseClick(view.buttons.sides["outline"], LEFT)
    assert view.side.shown == "outline" and view.buttons.sides["outline"].isChecked()
    press(view.side.outline.tree, Qt.Key.Key_Escape)
    assert view.side.isHidden() and view.canvas.hasFocus() and not view.buttons.sides["outline"].isChecked()


def test_every_card_is_there_with_its_links_in_words(view, tree):
    cards = [tree.model().index(at, 0).data(CARD) for at in range(tree.model().rowCount())]
    assert set(cards) == set(view.sizes())
    assert row(tree, "seg", "image").data() == "image from coffee.jpg"


def test_states_are_said_and_follow_the_run(view, tree):
    said = Qt.ItemDataRole.AccessibleTextRole
    assert row(tree, "paint").data(said) == "Watercolour, Running, 58%"
    assert row(tree, "seg", "image").data(said) == "input image from coffee.jpg"
    view.show_run(type(view.run)("r", 0.0, {**view.run.nodes, "paint": NodeRun("failed", message="No.")}))
    assert row(tree, "paint").data(said) == "Watercolour, Failed"


def test_choosing_goes_both_ways(view, tree):
    choose(tree, "rem")
    assert view.selected() == ("rem",)
    choose(tree, "cap", "image")
    assert view.selected() == ("cap",)
    view.select(["fmt", "desc"])
    assert set(tree.chosen()) == {"fmt", "desc"}
    view.select([])
    assert tree.chosen() == ()


def test_arrows_walk_the_rows(view, tree):
    choose(tree, "seg")
    press(tree, Qt.Key.Key_Down)
    assert tree.currentIndex().data(PORT).name == "image"
    press(tree, Qt.Key.Key_Left)
    assert tree.currentIndex().data(PORT) is None and tree.currentIndex().data(CARD) == "seg"
    assert view.place_of("seg") == view.card("seg").pos().toTuple()


def test_enter_asks_for_the_values_of_a_node(view, tree, qtbot):
    choose(tree, "paint")
    with qtbot.waitSignal(view.values_wanted) as told:
        press(tree, Qt.Key.Key_Return)
    assert told.args == ["paint"]


@pytest.mark.parametrize(("name", "mode"), [(Qt.Key.Key_B, "bypass"), (Qt.Key.Key_M, "mute")])
def test_nodes_are_switched_off_from_the_outline(tree, edits, name, mode):
    choose(tree, "rem")
    press(tree, name, CTRL)
    assert edits[0].node("rem").mode == mode
    assert tree.currentIndex().data(CARD) == "rem" and tree.hasFocus()


def test_run_to_here_from_the_outline(view, tree, qtbot):
    choose(tree, "rem")
    with qtbot.waitSignal(view.run_to):
        press(tree, Qt.Key.Key_R)


def test_delete_on_a_card_deletes_it_and_the_keyboard_stays(tree, edits):
    choose(tree, "cap")
    press(tree, Qt.Key.Key_Delete)
    assert "cap" not in edits[0].ids() and tree.hasFocus() and tree.currentIndex().isValid()


def test_delete_on_a_port_takes_its_link_off(tree, edits):
    choose(tree, "paint", "prompt")
    press(tree, Qt.Key.Key_Delete)
    assert edits[0] == samples.workflow().without_link(Link("fmt", "text", "paint", "prompt"))
    assert tree.currentIndex().data(PORT).name == "prompt" and "paint" in edits[0].ids()


def test_two_ports_are_joined_by_keyboard(view, tree, edits):
    choose(tree, "paint", "image", is_input=False)
    press(tree, Qt.Key.Key_C)
    search = view.controller.adding.search
    here = [id for id in search.shown_ids if "\n" in id]
    assert here == ["desc\nimage"]  # to Caption it would be a circle
    QTest.keyClicks(search.field, "image of")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert [k.source for k in edits[0].links if k.target == "desc"] == ["paint"] and len(edits) == 1
    assert tree.hasFocus()


def test_an_input_is_joined_by_keyboard_to_what_fits_it(view, tree, edits):
    view.show_workflow(view.workflow.without_link(Link("seg", "mask", "rem", "mask")), view.run, view.tools)
    choose(tree, "rem", "mask")
    press(tree, Qt.Key.Key_C)
    search = view.controller.adding.search
    assert [id for id in search.shown_ids if "\n" in id] == ["seg\nmask"]
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert Link("seg", "mask", "rem", "mask") in edits[0].links


def test_connecting_may_add_a_node(view, tree, edits):
    choose(tree, "fmt", "text", is_input=False)
    press(tree, Qt.Key.Key_C)
    search = view.controller.adding.search
    QTest.keyClicks(search.field, "speech")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    new = next(n for n in edits[0].nodes if n.tool == "speak")
    assert Link("fmt", "text", new.id, "text") in edits[0].links


def test_what_is_folded_stays_folded_when_the_graph_changes(view, tree):
    tree.setExpanded(row(tree, "seg"), False)
    view.show_workflow(view.workflow.without("cap"), view.run, view.tools)
    assert not tree.isExpanded(row(tree, "seg")) and tree.isExpanded(row(tree, "rem"))


def test_the_menu_of_a_port_speaks_of_the_port(tree):
    choose(tree, "paint", "prompt")
    menu = tree.menu()
    assert [a.text().split("\t")[0] for a in menu.actions()] == ["Connect to…", "Take the link off"]
    menu.close()
    choose(tree, "paint")
    menu = tree.menu()
    assert {"Bypass", "Run from here", "Connect to…"} <= {a.text().split("\t")[0] for a in menu.actions()}
    menu.close()


def test_every_row_is_painted_in_both_themes(view, tree, qapp):
    from desktop_app.ui.theme import theme

    seen = []
    for name in ("light", "dark"):
        theme.apply(qapp, name)
        seen.append(tree.grab().toImage())
    assert seen[0] != seen[1]


@pytest.fixture
def drawn(view, tree):
    view.show_workflow(samples.annotated(), samples.run(), samples.TOOLS)
    return tree


def test_notes_and_frames_are_listed_after_the_cards(view, drawn):
    titles = [drawn.model().index(at, 0).data() for at in range(drawn.model().rowCount())][-3:]
    assert titles[:2] == ["Frame: Take the cup out", "Frame: What it shows, in words"]
    assert titles[2].startswith("Note: Two points on the cup, one on the spoon. The mask")


def test_choosing_a_note_goes_both_ways(view, drawn):
    choose(drawn, "note")
    assert view.chosen() == ("note",) and view.selected() == ()
    view.select(["words"])
    assert drawn.chosen() == ("words",)
    view.select(["cap"])
    assert drawn.chosen() == ("cap",)


def test_a_note_is_written_and_deleted_from_the_outline(view, drawn, edits):
    choose(drawn, "note")
    press(drawn, Qt.Key.Key_Return)
    field = view.controller.writing.field
    assert field.isVisible()
    QTest.keyClicks(field, " Now.")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert row(drawn, "note").data().endswith("in. Now.")
    drawn.setFocus()
    assert drawn.chosen() == ("note",)
    press(drawn, Qt.Key.Key_Delete)
    assert view.workflow.decoration("note") is None and len(edits) == 2
