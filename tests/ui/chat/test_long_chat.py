"""A conversation of 10,000 messages: few widgets, every message reachable, and what is seen stays where it is."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint

from desktop_app.session.session import Change, Message
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.chat.message_list import MOST
from tests.ui.conftest import served


def message(number: int) -> Message:
    words = f"Message {number}. " + "It says one thing and another. " * (number % 7)
    return Message(number, "user" if number % 2 else "assistant", words)


@pytest.fixture
def chat(qtbot, ui, session):
    session.messages = tuple(message(n) for n in range(1, 10_001))
    panel = ChatPanel(ui)
    qtbot.addWidget(panel)
    panel.resize(304, 700)
    panel.show()
    qtbot.waitExposed(panel)
    settle(qtbot, panel)
    return panel


def settle(qtbot, panel) -> None:
    qtbot.waitUntil(lambda: not panel._scroll._filling.isActive())
    served()


def numbers(panel) -> list[int]:
    return [view.message.id for view in panel.views]


def seen(panel) -> list[tuple[int, int]]:
    """(message, distance from the top of what is seen) for every message that is seen."""
    viewport = panel._scroll.viewport()
    places = [(view.message.id, view.mapTo(viewport, QPoint(0, 0)).y(), view.height()) for view in panel.views]
    return [(id, y) for id, y, height in places if y + height > 0 and y < viewport.height()]


def scroll_up(qtbot, panel, times: int, by: int = 600) -> None:
    bar = panel._scroll.verticalScrollBar()
    for _ in range(times):
        bar.setValue(bar.value() - by)
        settle(qtbot, panel)


def scroll_past_the_end(qtbot, panel) -> None:
    """So far up that the last message has no widget any more."""
    while numbers(panel)[-1] == 10_000:
        scroll_up(qtbot, panel, 1)


def test_it_opens_at_the_end_with_few_widgets(chat):
    assert numbers(chat)[-1] == 10_000 and len(chat.views) <= MOST
    assert seen(chat)[-1][0] == 10_000


def test_older_messages_come_as_one_scrolls_up(qtbot, chat):
    before = [seen(chat)[0][0]]
    for _ in range(60):
        scroll_up(qtbot, chat, 1)
        first = seen(chat)[0][0]
        assert first < before[-1], "each step goes back"
        before.append(first)
        assert numbers(chat) == list(range(numbers(chat)[0], numbers(chat)[0] + len(chat.views)))
        assert len(chat.views) <= MOST
    jumps = [one - other for one, other in itertools.pairwise(before)]
    assert max(jumps) <= 16, "and none goes further than what one scrolled"


def test_the_way_down_again_ends_at_the_last_message(qtbot, chat):
    scroll_past_the_end(qtbot, chat)
    bar = chat._scroll.verticalScrollBar()
    while numbers(chat)[-1] < 10_000 or bar.value() < bar.maximum():
        bar.setValue(bar.value() + 600)
        settle(qtbot, chat)
    assert seen(chat)[-1][0] == 10_000


def test_making_older_messages_moves_nothing_that_is_seen(qtbot, chat):
    chat._scroll.verticalScrollBar().setValue(950)
    settle(qtbot, chat)
    before = dict(seen(chat))
    chat._scroll._prepend(8)
    after = dict(seen(chat))
    shared = before.keys() & after.keys()
    assert shared and all(abs(before[id] - after[id]) <= 1 for id in shared)


def test_a_new_message_of_the_user_goes_back_to_the_end(qtbot, chat, session):
    scroll_past_the_end(qtbot, chat)
    session.messages = (*session.messages, Message(10_001, "user", "And now?"))
    session.tell(Change.MESSAGES)
    settle(qtbot, chat)
    assert seen(chat)[-1][0] == 10_001


def test_an_answer_that_arrives_leaves_one_where_one_reads(qtbot, chat, session):
    scroll_up(qtbot, chat, 10)
    before = seen(chat)[0]
    session.messages = (*session.messages, Message(10_001, "assistant", "An answer."))
    session.tell(Change.MESSAGES)
    settle(qtbot, chat)
    assert seen(chat)[0] == before


def test_messages_have_one_width_whether_they_fit_or_not(qtbot, ui, session):
    session.messages = (message(1),)
    panel = ChatPanel(ui)
    qtbot.addWidget(panel)
    panel.resize(304, 700)
    panel.show()
    qtbot.waitExposed(panel)
    settle(qtbot, panel)
    column, bar = panel._scroll, panel._scroll.verticalScrollBar()
    width = column.viewport().width()
    assert not bar.isEnabled(), "there is nothing to scroll, and no handle"
    column.show_messages(tuple(message(n) for n in range(1, 40)))
    settle(qtbot, panel)
    assert column.viewport().width() == width and bar.isEnabled()


def test_in_a_high_window_every_message_in_sight_stays(qtbot, chat):
    """Where more messages are in sight than are held elsewhere, those at one end went for those at the other, and came
    again, for ever.
    """
    chat.resize(304, 6000)
    settle(qtbot, chat)
    scroll_past_the_end(qtbot, chat)
    scroll_up(qtbot, chat, 3, by=100)
    made = [view.message.id for view in chat.views]
    for _ in range(5):
        chat._scroll._fill()
        settle(qtbot, chat)
    assert [view.message.id for view in chat.views] == made
    shown = seen(chat)
    assert len(shown) > MOST, "the window is high enough for the test"


def test_widgets_far_from_what_is_seen_go(qtbot, chat):
    chat.resize(304, 6000)
    settle(qtbot, chat)
    scroll_up(qtbot, chat, 8, by=2000)
    chat.resize(304, 700)
    settle(qtbot, chat)
    before = seen(chat)
    scroll_up(qtbot, chat, 1, by=1)
    assert len(chat.views) <= MOST
    assert [id for id, _ in seen(chat)] == [id for id, _ in before]
