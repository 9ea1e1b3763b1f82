"""One table says what can be done: keys, menus, buttons, the search and the guide are made of it."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from desktop_app.ui.command_palette.providers import commands
from desktop_app.ui.main_window.action_registry import last_actions, places, window_actions
from desktop_app.ui.main_window.tool_bar import MENU, PANELS
from desktop_app.ui.support.actions import Action, by_id
from desktop_app.ui.theme import icons
from tests.ui import guide_keys, states

PLACES = tuple(places())
_ROW = re.compile(r"^\|(`.+`)\|", re.MULTILINE)
_TIP = re.compile(r"\(((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9,\[\]]|F\d+|Esc|Enter|Return))\)$")


@pytest.fixture
def window(make_window, session):
    states.answered(session)
    return make_window()


def plain(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


@pytest.mark.parametrize("place", PLACES)
def test_no_key_has_two_actions_in_one_place_and_each_is_one_that_qt_knows(place, qapp):
    keys = [plain(keys) for action in places()[place] for keys in action.keys]
    assert keys and all(keys) and len(set(keys)) == len(keys)


@pytest.mark.parametrize("place", PLACES)
def test_every_action_has_a_text_an_id_of_its_own_and_an_icon_that_exists(place, qapp):
    table = by_id(places()[place])
    assert all(action.text for action in table.values())
    assert all(icons.exists(action.icon) for action in table.values() if action.icon)
    assert all(action.keys for action in table.values() if not action.icon), "without both nobody could ask for it"


def test_two_actions_of_one_id_are_refused(qapp):
    one = Action("a", "A", "", print, ("A",))
    with pytest.raises(ValueError, match="'a'"):
        by_id((one, one))


def test_the_guide_has_every_key_of_the_registry_and_no_other(qapp):
    rows = _ROW.findall(guide_keys.PAGE.read_text("utf-8"))
    told = {plain(keys) for row in rows for keys in re.findall(r"`(.+?)`", row)}
    assert told == guide_keys.known()


def test_the_keys_of_the_window_are_those_of_the_registry(window):
    portable = QKeySequence.SequenceFormat.PortableText
    of_window = {keys.toString(portable) for action in window.actions() for keys in action.shortcuts()}
    assert of_window == {plain(keys) for action in window_actions().values() for keys in action.keys}


def test_the_menu_of_the_tool_bar_is_made_of_the_registry(window):
    window.tool_bar.menu_button.click()
    menu = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible())
    table = window_actions()
    *entries, panels = menu.actions()
    for shown, ids in ((entries, MENU), (panels.menu().actions(), PANELS)):
        assert [action.text().split("\t")[0] for action in shown] == [table[id].text for id in ids]
    menu.close()


def test_the_search_offers_what_has_an_icon_and_nothing_that_is_not_in_the_registry(window):
    found = {thing.entry.id for thing in commands(window)}
    known = {"Anywhere": "window", "In the graph": "graph"}
    offered = {f"{known[place]}:{a.id}" for place in known for a in places()[place] if a.icon}
    assert found <= offered and len(found) > 60


def test_a_key_that_a_button_tells_is_one_of_the_registry(window):
    _ = window.picker, window.compare, window.overlays.settings
    tips = [button.toolTip() for button in window.findChildren(QAbstractButton)]
    told = {found[1].replace("Enter", "Return") for tip in tips if (found := _TIP.search(tip))}
    assert len(told) > 15 and {keys for keys in told if plain(keys) not in guide_keys.known()} == set()


def test_what_cannot_be_done_now_does_nothing_and_says_why(window, session, qtbot):
    with qtbot.waitSignal(window.commands.refused) as told:
        window.commands.run("stop")
    assert told.args == ["Nothing runs."] and session.called("stop") == []


def test_escape_and_paste_go_to_the_window_last(qapp):
    last = {keys for action in last_actions() for keys in action.keys}
    assert last == {"Esc", "Ctrl+V"}
    assert not any(last & {*action.keys} for action in window_actions().values())
