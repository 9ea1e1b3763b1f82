"""Bypass, mute, runs from and to a node, aligning: by keys and menus, one edit or wish each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt

from desktop_app.ui.graph.actions import registry
from tests.ui import graph_samples as samples
from tests.ui.graph_kit import CTRL, SHIFT, key


@pytest.mark.parametrize(("name", "mode"), [(Qt.Key.Key_B, "bypass"), (Qt.Key.Key_M, "mute")])
def test_a_key_switches_the_chosen_nodes_off_and_on(view, edits, name, mode):
    view.select(["rem", "cap", "coffee.jpg"])
    key(view, name, CTRL)
    assert {n.id for n in edits[0].nodes if n.mode == mode} == {"rem", "cap"}
    assert view.selected() == ("coffee.jpg", "rem", "cap")
    key(view, name, CTRL)
    assert edits[1] == samples.workflow() and len(edits) == 2


def test_switching_off_nothing_says_so(view, edits, qtbot):
    with qtbot.waitSignal(view.hint):
        key(view, Qt.Key.Key_B, CTRL)
    assert edits == []


def test_a_muted_node_is_shown_as_such_with_its_links(view):
    view.show_workflow(samples.annotated(), samples.run(), samples.TOOLS)
    assert view.card("desc").face.state == "muted"
    assert {item.state for item in view.link_items() if item.link.target == "desc"} == {"skipped"}


@pytest.mark.parametrize(
    ("signal", "name", "modifiers"),
    [
        ("run_to", Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier), ("run_from", Qt.Key.Key_R, SHIFT),
        ("run_again", Qt.Key.Key_R, CTRL),
    ],
)  # fmt: skip
def test_keys_ask_for_runs(view, qtbot, signal, name, modifiers):
    view.select(["rem"])
    with qtbot.waitSignal(getattr(view, signal)) as told:
        key(view, name, modifiers)
    assert told.args == ["rem"]


def test_a_run_of_several_chosen_nodes_is_refused_in_words(view, qtbot):
    asked = []
    view.run_to.connect(asked.append)
    view.select(["rem", "cap"])
    with qtbot.waitSignal(view.hint):
        key(view, Qt.Key.Key_R)
    assert asked == []


def test_the_menu_ticks_what_is_switched_off(view):
    view.show_workflow(samples.annotated(), samples.run(), samples.TOOLS)
    view.select(["paint"])
    menu = view.controller.menu(QPointF())
    ticked = {a.text().split("\t")[0]: a.isChecked() for a in menu.actions() if a.isCheckable()}
    assert ticked == {"Bypass": True, "Mute": False}
    menu.close()


@pytest.mark.parametrize(
    ("name", "modifiers", "axis", "far"),
    [
        (Qt.Key.Key_Left, CTRL, 0, False), (Qt.Key.Key_Right, CTRL, 0, True), (Qt.Key.Key_Up, CTRL, 1, False),
        (Qt.Key.Key_Down, CTRL, 1, True),
    ],
)  # fmt: skip
def test_keys_line_the_chosen_cards_up(view, name, modifiers, axis, far):
    told = []
    view.moved.connect(told.append)
    view.select(["seg", "fmt", "paint"])
    key(view, name, modifiers)
    size = view.sizes()
    edges = {view.place_of(id)[axis] + (size[id][axis] if far else 0) for id in view.selected()}
    assert len(edges) == 1 and len(told) == 1


def test_cards_are_spread_evenly(view):
    told = []
    view.moved.connect(told.append)
    view.move_cards({"cap": (300.0, 0.0)}, {})
    view.places.now["cap"] = (300.0, 0.0)
    view.select(["seg", "cap", "paint"])
    key(view, Qt.Key.Key_Right, CTRL | SHIFT)
    x = sorted((view.place_of(id)[0], view.sizes()[id][0]) for id in ("seg", "cap", "paint"))
    assert x[1][0] - (x[0][0] + x[0][1]) == pytest.approx(x[2][0] - (x[1][0] + x[1][1]))
    assert len(told) == 1


def test_no_two_commands_share_a_key_and_every_one_has_an_icon_that_exists():
    from desktop_app.ui.theme import icons

    commands = registry.graph_actions().values()
    keys = [key for command in commands for key in command.keys]
    assert len(keys) == len(set(keys))
    assert all(icons.exists(command.icon) for command in commands if command.icon)
