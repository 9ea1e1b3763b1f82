"""The search for everything: what it finds, how it is ranked, what Enter does; and the tool bar round its button."""

from __future__ import annotations

import tomllib
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from desktop_app.core.paths import RESOURCES
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.session.autosave import ConversationStore
from desktop_app.session.messages import Message
from desktop_app.session.snapshot_codec import Snapshot
from desktop_app.storage.database import History
from desktop_app.ui.application.application import Companions
from desktop_app.ui.command_palette.providers import commands
from desktop_app.ui.graph.actions.registry import graph_actions
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.entries import MOST, SearchEntry, SearchItem, excerpt, rank
from desktop_app.ui.support import translator
from desktop_app.ui.support.actions import key_words
from nodes import load_tools
from tests.ui import states
from tests.ui.conftest import served, use_theme
from tests.ui.fakes import finish

Left, Ctrl, Key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.Key


@pytest.fixture
def make(qtbot, qapp, session):
    made = []

    def build(**more) -> MainWindow:
        use_theme(qapp)
        window = MainWindow(session, spawn=finish, **more)
        window.companions = Companions(window)
        qtbot.addWidget(window)
        made.append(window)
        window.resize(1440, 900)
        with qtbot.waitSignal(window.prepared), qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield build
    for window in made:
        window.companions.palette.popup.close()
        window.close()


LOOKED_FOR = (
    ("export", "window:save"), ("export", "window:save_results"), ("save", "window:save_results"),
    ("print", "window:save_results"), ("download", "window:save_results"), ("share", "window:save"),
    ("upload", "window:attach"), ("import", "window:open"), ("help", "window:guide"),
    ("preferences", "window:settings"), ("cancel", "window:stop"), ("start", "window:run"),
    ("zoom in", "graph:closer"), ("remove", "graph:delete"),
    ("导出", "window:save"), ("打印", "window:save_results"), ("帮助", "window:guide"), ("上传", "window:attach"),
)  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_commands_are_found_by_the_words_that_people_use_for_them(window, qapp, language):
    try:
        translator.use(qapp, language)
        offered = list(commands(window))
        found = {said: {e.id for g in rank(offered, said) for e, _ in g.hits} for said, _ in LOOKED_FOR}
    finally:
        translator.use(qapp, "en")
    assert [(said, id) for said, id in LOOKED_FOR if id not in found[said]] == []


def test_every_entry_of_further_words_is_of_a_command_and_has_words_of_each_language(window):
    ids = {item.entry.id for item in commands(window)}
    data = tomllib.loads((RESOURCES / "commands.toml").read_text("utf-8"))
    assert data.keys() <= ids
    assert all(set(words) == {"en", "zh"} and all(words.values()) for words in data.values())


@pytest.fixture
def window(make, session):
    states.answered(session)
    return make()


def asked(window: MainWindow, text: str = ""):
    """The search after Ctrl+K and some letters."""
    QTest.keyClick(window, Key.Key_K, Ctrl)
    popup = window.companions.palette.popup
    assert popup.isVisible()
    QTest.keyClicks(popup.field, text)
    return popup


def chosen(window: MainWindow, text: str) -> None:
    """Types, and takes the first hit."""
    QTest.keyClick(asked(window, text).field, Key.Key_Return)


def headings(popup) -> list[str]:
    return [row.title for row in popup._list.rows if row.entry is None]


def entry(popup, id: str) -> SearchEntry:
    rows = popup._list.entries
    return next(found for found in rows if found is not None and found.id == id)


# Ranking


def things(*titles: str, group: str = "g", **more) -> list[SearchItem]:
    return [SearchItem(SearchEntry(title, title, group=group, **more), lambda: None) for title in titles]


def ids(groups) -> list[str]:
    return [entry.id for group in groups for entry, _ in group.hits]


def test_the_group_of_the_best_hit_comes_first():
    held = [*things("Make smaller", group="tools"), *things("Small card", group="cards")]
    assert [group.title for group in rank(held, "small")] == ["cards", "tools"]
    assert [group.title for group in rank(held, "make")] == ["tools"]


def test_a_typing_error_is_forgiven_but_not_every_likeness():
    held = things("Watercolour", "Save workflow", "Undo")
    assert ids(rank(held, "watrecolour")) == ["Watercolour"]
    assert ids(rank(held, "worflow")) == ["Save workflow"]
    assert ids(rank(held, "zebra")) == []


def test_what_cannot_be_done_now_comes_last():
    held = [*things("Save", refused="There is no graph yet."), *things("Save as")]
    assert ids(rank(held, "save")) == ["Save as", "Save"]


def test_a_long_group_is_cut_and_says_how_many_there_are():
    (group,) = rank(things(*(f"card {n}" for n in range(20))), "card")
    assert len(group.hits) == MOST and group.total == 20


def test_what_was_said_is_found_with_the_words_round_it():
    text = "a long beginning about nothing in particular and then how many coins lie in the tray"
    thing = SearchItem(SearchEntry("kept:1", "Inventory", "Yesterday", group="g"), lambda: None, text=text)
    ((hit, _),) = rank([thing], "coins tray")[0].hits
    assert "coins lie in the tray" in hit.detail and hit.detail.startswith("…")
    assert excerpt("how many coins", ["how"]) == "how many coins"


def test_keys_are_drawn_as_signs():
    assert key_words("Ctrl+Return") == "Ctrl ↵" and key_words("Alt+Left") == "Alt ←"
    assert key_words("Ctrl++") == "Ctrl +" and key_words("+") == "+"


# Commands


def test_every_command_of_the_window_and_of_the_graph_is_there_with_its_key(window):
    found = {thing.entry.id: thing.entry for thing in commands(window)}
    offered = {f"window:{action.id}" for action in window.commands.table.values() if action.icon}
    offered |= {f"graph:{action.id}" for action in graph_actions().values() if action.icon}
    assert offered - found.keys() == {"graph:between", "graph:point", "window:search"}
    assert found["window:save"].keys == "Ctrl S" and found["graph:lay_out"].keys == "L"


def test_a_command_that_cannot_be_done_says_why_and_cannot_be_chosen(window):
    popup = asked(window, "bypass")
    assert entry(popup, "graph:bypass").refused == "First choose nodes."
    QTest.keyClick(popup.field, Key.Key_Return)
    assert popup.isVisible()
    QTest.keyClick(popup.field, Key.Key_Escape)
    window.graph.select(("rem",))
    assert not entry(asked(window, "bypass"), "graph:bypass").refused


def test_refusals_follow_what_is_chosen(window):
    graph = window.graph

    def refusal(id: str) -> str:
        return graph_actions()[id].refusal(graph.controller)

    assert refusal("compare") and refusal("run_to") and refusal("copy") and refusal("across")
    graph.select(("rem",))
    assert not refusal("run_to") and not refusal("copy") and refusal("compare")
    graph.select(("rem", "cap"))
    assert not refusal("compare") and refusal("run_to") and not refusal("left")
    graph.select(("coffee.jpg",))
    assert refusal("run_to") and refusal("mute")


def test_enter_runs_a_command_of_the_graph_on_what_is_chosen(window, session):
    window.graph.select(("rem",))
    chosen(window, "run to here")
    assert session.called("start") == [("rem",)]


def test_enter_runs_a_command_of_the_window(window, session):
    chosen(window, "new conversation")
    assert session.called("new") == [()] and not window.companions.palette.popup.isVisible()


def test_without_a_graph_its_commands_say_so(make):
    popup = asked(make(), "lay out")
    assert entry(popup, "graph:lay_out").refused == "There is no graph yet."


# The graph, results, tools


def test_a_card_is_chosen_and_brought_into_the_middle(window):
    chosen(window, "remove ob")
    graph = window.graph
    assert graph.selected() == ("rem",) and window.inspector.item == "rem"
    assert (graph.canvas.seen.center() - graph.card("rem").body.center()).manhattanLength() < 3


def test_a_result_is_shown_large_and_what_has_no_picture_at_its_node(window):
    chosen(window, "coffee_watercolour")
    assert window.workspace.page is window.preview
    chosen(window, "caption.txt")
    assert window.workspace.page is window.graph and window.graph.selected() == ("cap",)


def test_a_tool_is_added_to_the_graph(window, session):
    before = len(session.workflow.nodes)
    chosen(window, "text to speech")
    assert [node.tool for node in session.workflow.nodes[before:]] == ["speak"]


def test_a_tool_is_added_where_there_is_no_graph_yet(make, session):
    window = make()
    chosen(window, "text to speech")
    assert [node.tool for node in session.workflow.nodes] == ["speak"]
    assert window.pages.currentWidget() is window.workspace and window.graph.selected() != ()


def test_hits_of_several_kinds_stand_below_headings(window):
    popup = asked(window, "caption")
    assert {"In the graph", "Tools", "Results"} <= set(headings(popup))
    assert popup.shown_ids[0] == "card:cap"


@pytest.fixture
def chinese(qapp):
    use_theme(qapp)
    translator.use(qapp, "zh")
    yield
    translator.use(qapp, "en")


@pytest.mark.parametrize(
    ("words", "id"),
    [("放大", "tool:upscale"), ("upscale", "tool:upscale"), ("撤销", "window:undo")],
)
def test_in_chinese_it_is_found_by_chinese_words_and_tools_by_english_ones_too(chinese, make, session, words, id):
    session.tools = LocalizedTools(load_tools().tools)
    popup = asked(make())
    popup.field.setText(words)
    assert id in popup.shown_ids


# Earlier conversations


@pytest.fixture
def kept(tmp_path):
    history = History(tmp_path / "history.sqlite")
    conversations = ConversationStore(history)
    for id, title, said in (
        ("1", "Coin tray", "How many thalers are there?"),
        ("2", "Launch card", "把火箭变成水彩画"),
    ):
        conversations.save(Snapshot(id, title, (Message(1, "user", said),)))
    yield conversations
    history.close()


@pytest.mark.parametrize(("words", "id"), [("launch", "2"), ("thalers", "1"), ("水彩画", "2")])
def test_an_earlier_conversation_is_found_by_title_and_by_what_was_said(make, session, kept, qtbot, words, id):
    session.id = "now"
    window = make(conversations=kept)
    opened = []
    window.overlays.open = opened.append
    popup = asked(window)
    popup.field.setText(words)
    qtbot.waitUntil(lambda: f"kept:{id}" in popup.shown_ids)
    QTest.keyClick(popup.field, Key.Key_Return)
    assert opened == [id]


def test_conversations_that_come_later_leave_the_choice_where_it_was(make, session, kept, qtbot):
    session.id = "now"
    window = make(conversations=kept)
    popup = asked(window)
    QTest.keyClick(popup.field, Key.Key_Down)
    held = popup._list.current.id
    qtbot.waitUntil(lambda: "kept:2" in popup.shown_ids)
    assert popup._list.current.id == held


# Before anything is typed


def test_what_is_useful_now_comes_first(window):
    popup = asked(window)
    assert headings(popup) == ["Useful now"] and "window:run" in popup.shown_ids


def test_while_a_run_goes_on_stopping_it_is_offered_first(make, session):
    states.running(session)
    window = make()
    assert asked(window).shown_ids[0] == "window:stop"
    QTest.keyClick(window.companions.palette.popup.field, Key.Key_Return)
    assert session.called("stop") == [()]


# Keys, and the button


def test_ctrl_k_opens_and_closes_and_escape_gives_the_keyboard_back(window):
    window.chat.composer.field.setFocus()
    popup = asked(window)
    assert popup.field.hasFocus()
    QTest.keyClick(popup.field, Key.Key_K, Ctrl)
    assert not popup.isVisible()
    asked(window)
    QTest.keyClick(popup.field, Key.Key_Escape)
    assert not popup.isVisible() and window.chat.composer.field.hasFocus()


@pytest.mark.parametrize("place", ["composer", "canvas", "inspector"])
def test_the_key_works_wherever_the_keyboard_is(window, place):
    window.select("paint")
    held = {
        "composer": window.chat.composer.field, "canvas": window.graph.canvas, "inspector": window.inspector.tabs,
    }[place]  # fmt: skip
    held.setFocus()
    QTest.keyClicks(window.chat.composer.field, "words that stay")
    held.setFocus()
    QTest.keyClick(held, Key.Key_K, Ctrl)
    assert window.companions.palette.popup.isVisible()
    assert window.chat.composer.field.toPlainText() == "words that stay"


def test_arrows_go_over_headings_and_round_and_say_what_is_chosen(window):
    popup = asked(window, "caption")
    first = popup._list.current
    seen = [first.id]
    for _ in range(len(popup.shown_ids)):
        QTest.keyClick(popup.field, Key.Key_Down)
        seen.append(popup._list.current.id)
        assert popup._list.current.title in popup.field.accessibleDescription()
    assert seen[-1] == first.id and len(set(seen)) == len(popup.shown_ids) > 2


def test_the_button_opens_it(window):
    button, popup = window.tool_bar.search, window.companions.palette.popup
    QTest.mouseClick(button, Left)
    assert popup.isVisible()
    below = button.mapToGlobal(QPoint(0, button.height())).y()
    assert popup.field.mapToGlobal(QPoint(0, 0)).y() > below
    assert window.companions.palette.popup.field.accessibleName() == "Search everything"


def test_its_parts_have_names_and_its_rows_are_large_enough(window):
    popup = asked(window, "c")
    assert popup.field.accessibleName() and popup._list.accessibleName()
    model = popup._list.model()
    rows = [model.index(i, 0) for i, found in enumerate(popup._list.entries) if found is not None]
    assert rows and all(popup._list.visualRect(row).height() >= 24 and row.data() for row in rows)


def test_what_the_chat_has_hidden_is_shown_when_files_are_to_be_attached(window):
    window.tool_bar.panels["chat"].click()
    picked = []
    window.ui.signals.pick_files.disconnect()
    window.ui.signals.pick_files.connect(picked.append)
    chosen(window, "attach files")
    assert picked == [window.chat.composer.add_files] and window.chat.isVisible()


def test_nothing_found_is_said(window):
    popup = asked(window, "qqqqzzz")
    assert popup.shown_ids == [] and headings(popup) == ["Nothing found. Try another word."]
    QTest.keyClick(popup.field, Key.Key_Return)
    assert popup.isVisible()


# The tool bar round it


def settled(window: MainWindow, width: int, qtbot):
    window.resize(width, 800)
    qtbot.waitUntil(lambda: window.tool_bar.width() == width)
    served()
    return window.tool_bar


def test_the_search_is_a_field_where_there_is_room_and_an_icon_where_not(window, qtbot):
    bar = settled(window, 1440, qtbot)
    assert bar.search.width() == 250 and bar.run_button.roomy
    bar = settled(window, 760, qtbot)
    assert bar.search.small and bar.search.width() >= 24 and bar.search.toolTip()
    bar = settled(window, 1440, qtbot)
    assert bar.search.width() == 250


@pytest.mark.parametrize("state", ["running", "answered", "failed"])
def test_the_parts_of_the_bar_lie_beside_one_another_at_every_width(make, session, qtbot, state):
    getattr(states, state)(session)
    session.title = "A long title of a conversation that is about many things"
    window = make()
    window.saved("")
    for width in (640, 760, 900, 1100, 1440):
        bar = settled(window, width, qtbot)
        parts = [button for button in bar.findChildren(QAbstractButton) if button.isVisible()]
        parts.sort(key=lambda part: part.x())
        for left, right in pairwise(parts):
            beside = left.geometry().right() < right.x()
            assert beside, (width, left.accessibleName(), right.accessibleName())
        assert parts[-1].geometry().right() < bar.width() and parts[-1] is bar.run_button, width


def test_saving_and_zoom_are_told(window, session):
    window.saved("")
    assert window.tool_bar._saved.text() == "Saved" and window.status._saved.text().startswith("Autosaved ")
    session.edit(session.workflow.without("cap"))
    assert window.tool_bar._saved.text() == ""
    window.saved("The disk is full.")
    assert window.tool_bar._saved.text() == "Not saved" and window.tool_bar._saved.toolTip() == "The disk is full."
    window.graph.set_zoom(0.5)
    assert window.status.zoom.text() == "Zoom 50 %" and window.status.zoom.isVisible()
    window.show_stage(window.picker)
    assert not window.status.zoom.isVisible(), "it is not that of the picture"


def test_the_zoom_is_not_told_where_there_is_no_graph(make):
    assert not make().status.zoom.isVisible()


def test_a_finished_run_says_how_long_it_took_to_the_tenth(window):
    bar = window.tool_bar
    assert bar._words.text() == "Finished in 17.6 s" and bar._glyph.isVisible()


def test_the_run_button_is_pressed_where_its_key_is_drawn(window, session):
    button = window.tool_bar.run_button
    assert button.roomy
    QTest.mouseClick(button, Left, pos=QPoint(button.width() - 12, button.height() // 2))
    assert session.called("start") == [(None,)]
