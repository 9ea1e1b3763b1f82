"""The kept conversations in the window: recent ones on the first screen, the list with search, deletion, opening."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_app.plan.types import Plan
from desktop_app.session.autosave import ConversationStore
from desktop_app.session.messages import Message
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import Snapshot
from desktop_app.session.state import GraphState
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource, Store, attach
from desktop_app.ui.history.conversation_list import ConversationRow, when
from desktop_app.ui.main_window.main_window import MainWindow
from nodes.api import ResourceType
from tests.fakes import FakeEngine, FakePlanner
from tests.ui.conftest import until, use_theme
from tests.ui.fakes import COFFEE, TOOLS, coffee_workflow
from tests.waiting import turns

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def history(tmp_path):
    made = History(tmp_path / "history.sqlite")
    yield made
    made.close()


@pytest.fixture
def window(qtbot, qapp, loop, tmp_path, history):
    use_theme(qapp)
    store = Store(tmp_path / "store")
    coffee = attach(COFFEE, store)
    kept = ConversationStore(history)
    for id, title, said in (
        ("1", "Coin tray inventory", "How many coins are there?"),
        ("2", "Launch card", "把火箭变成水彩画"),
        ("3", "Coffee without the cup", "Remove the cup"),
    ):
        messages = (Message(1, "user", said, resources=(coffee.name,)), Message(2, "assistant", "Ready.", "plan"))
        kept.save(Snapshot(id, title, messages, (coffee,), state=GraphState(coffee_workflow(coffee))))
    session = Session(TOOLS, FakePlanner(Plan(())), FakeEngine(store, TOOLS, {}), store, history)
    made = MainWindow(session, conversations=kept)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.close()


def opened_list(window: MainWindow):
    window.overlays.show_list()
    found = window.overlays.list
    assert found is not None
    return found


def recent(window: MainWindow) -> list[ConversationRow]:
    return [w for w in window.first.findChildren(ConversationRow) if not w.isHidden()]


def titles(found) -> list[str]:
    return [shown.kept.title for shown in found.rows]


async def test_the_first_screen_offers_the_latest_and_a_click_opens_it(window, loop):
    await until(lambda: len(recent(window)) == 3)
    assert recent(window)[0].kept.title == "Coffee without the cup"
    QTest.mouseClick(recent(window)[0], Left)
    await until(lambda: window.session.id == "3")
    assert window.pages.currentWidget() is window.workspace
    assert window.session.title == "Coffee without the cup"
    assert len(window.chat.views) == 2 and window.graph.card("seg") is not None


async def test_the_list_is_searched_by_title_and_by_what_was_said_in_any_language(window, loop):
    found = opened_list(window)
    await until(lambda: len(found.rows) == 3)
    QTest.keyClicks(found.search, "COINS")
    assert titles(found) == ["Coin tray inventory"]
    found.search.setText("水彩")
    assert titles(found) == ["Launch card"]
    found.search.setText("nowhere")
    assert titles(found) == []
    found.search.clear()
    assert found.height() > 3 * found.rows[0].sizeHint().height()


def test_keys_go_through_the_list_and_enter_opens(window, loop):
    async def act():
        found = opened_list(window)
        await until(lambda: len(found.rows) == 3)
        assert found.search.hasFocus()
        QTest.keyClick(found.search, Qt.Key.Key_Down)
        QTest.keyClick(found.rows[0], Qt.Key.Key_Down)
        assert found.rows[1].hasFocus()
        QTest.keyClick(found.rows[1], Qt.Key.Key_Return)
        await until(lambda: window.session.id == "2")
        return found

    assert not loop.run_until_complete(act()).isVisible()


async def test_a_press_beside_the_list_closes_it_and_one_inside_does_not(window, loop):
    for beside in (window, window.first, window.tool_bar.settings, window.status):
        found = opened_list(window)
        await until(lambda found=found: len(found.rows) == 3)
        QTest.mousePress(found.search, Left)
        QTest.mousePress(found, Left, pos=QPoint(5, 5))
        assert found.isVisible()
        QTest.mousePress(beside, Left, pos=QPoint(2, 2))
        QTest.mouseRelease(beside, Left, pos=QPoint(-9, -9))
        assert not found.isVisible(), beside


async def test_of_many_conversations_the_first_are_there_at_once_and_the_others_come(
    window, loop, history, monkeypatch
):
    monkeypatch.setattr("desktop_app.ui.widgets.incremental_list._SLICE", 0)
    for number in range(40):
        history.save_conversation(f"more {number}", f"Conversation {number}", "{}")
    found = opened_list(window)
    await until(lambda: found.rows)
    first, high = list(found.rows), found.height()
    assert 3 < len(first) < 43
    await until(lambda: len(found.rows) == 43)
    assert found.rows[: len(first)] == first and titles(found)[0] == "Conversation 39"
    await until(lambda: found.height() > high)
    QTest.mouseClick(found.rows[20].drop, Left)
    gone = found.rows[20].kept.title
    await until(lambda: gone not in titles(found))
    assert found.rows[:20] == [*first, *found.rows[len(first) : 20]] and len(found.rows) == 42
    found.search.setText("Conversation 39")
    assert titles(found) == ["Conversation 39"]
    await turns()
    assert titles(found) == ["Conversation 39"]
    found.search.clear()
    await until(lambda: len(found.rows) == 42)
    found.dismiss()
    assert 3 < len(found.rows) <= len(first), "those that may be shown at once when it opens again"
    window.overlays.show_list()
    await until(lambda: len(found.rows) == 42)
    assert titles(found)[0] == "Conversation 39"


async def test_a_deleted_conversation_is_gone_and_can_be_taken_back(window, loop, history):
    found = opened_list(window)
    await until(lambda: len(found.rows) == 3)
    QTest.mouseClick(found.rows[0].drop, Left)
    await until(lambda: len(found.rows) == 2)
    assert len(history.conversations()) == 2 and "Coffee" in found.said.text()
    QTest.mouseClick(found.undo, Left)
    await until(lambda: len(found.rows) == 3)
    assert window.session.id not in ("1", "2", "3")


async def test_deleting_the_open_conversation_shows_an_empty_one(window, loop):
    window.overlays.open("1")
    await until(lambda: window.session.id == "1")
    found = opened_list(window)
    await until(lambda: len(found.rows) == 3)
    QTest.mouseClick(next(r for r in found.rows if r.kept.id == "1").drop, Left)
    await until(lambda: window.session.id != "1")
    assert window.session.messages == () and window.pages.currentWidget() is window.first


async def test_a_damaged_conversation_is_explained(window, loop, history):
    history.save_conversation("bad", "Bad", "{")
    window.overlays.open("bad")
    await until(lambda: window.first.composer.troubled)
    assert "damaged" in window.first.composer._trouble.text()


def test_times_are_said_as_people_say_them():
    now = time.mktime((2026, 11, 20, 15, 0, 0, 0, 0, -1))
    assert when(now - 20, now) == "Just now"
    assert when(now - 600, now) == "10 min ago"
    assert when(now - 3 * 3600, now) == "Today 12:00"
    assert when(now - 20 * 3600, now) == "Yesterday"
    assert when(now - 4 * 86400, now) == "Monday"
    assert when(now - 20 * 86400, now) == "31 October 2026"


async def test_rows_that_come_later_do_not_squeeze_those_before(window, history):
    kept = ConversationStore(history)
    for n in range(9):
        kept.save(
            Snapshot(f"more {n}", f"Page {n} of coffee.jpg", (Message(1, "user", "x"), Message(2, "assistant", "y")))
        )
    window.resize(1000, 700)
    found = opened_list(window)
    await until(lambda: len(found.rows) > 10)
    assert all(made.height() >= made.minimumSizeHint().height() for made in found.rows)


def test_the_picture_of_a_conversation_is_one_that_was_told_of(history):
    def pictures(name: str, digest: str) -> Resource:
        return Resource(name, ResourceType.IMAGE, digest, ".jpg")

    kept, away, meant = ConversationStore(history), pictures("away.jpg", "1" * 64), pictures("meant.jpg", "2" * 64)
    kept.save(Snapshot("p", "Meant", (Message(1, "user", "Blur it", resources=("meant.jpg",)),), (away, meant)))
    (one,) = kept.list()
    assert one.picture is not None and one.picture.name == "meant.jpg"
