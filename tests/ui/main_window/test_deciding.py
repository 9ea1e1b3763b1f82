"""A run or a download above what people set is decided in the chat, or on the card of its node."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu

from desktop_app.plan.types import Question
from desktop_app.session import fetching, limits
from desktop_app.session.messages import Change, Message
from desktop_app.ui.chat.question_widget import QuestionView
from tests.ui.main_window.test_main_window import window  # noqa: F401

LONG = Question("Run it?", limits.KIND, (limits.RUN, limits.LEAVE), resource="1500")
LARGE = Question("Get it?", fetching.KIND, (fetching.GET, fetching.LEAVE), resource="yolos-tiny")


def ask(session, question: Question) -> Question:
    asked = replace(question, step=session.workflow.nodes[-1].id)
    session.messages = (*session.messages, Message(99, "assistant", asked.text, questions=(asked,), open=True))
    session.tell(Change.MESSAGES)
    return asked


def test_a_long_run_is_said_on_its_card_until_it_is_decided(window, session):  # noqa: F811
    asked = ask(session, LONG)
    face = window.graph.card(asked.step).face
    assert (face.state, face.word, face.fetch) == ("input", "Takes long", True)
    assert face.text == "Run it?\nClick here to decide."
    session.messages = session.messages[:-1]
    session.tell(Change.MESSAGES)
    assert window.graph.card(asked.step).face.word != "Takes long"


def test_the_chat_has_both_answers_and_none_is_taken_by_a_careless_enter(window, session):  # noqa: F811
    asked = ask(session, LONG)
    view = window.chat.findChildren(QuestionView)[-1]
    assert [chip.property("value") for chip in view.choices] == [limits.RUN, limits.LEAVE]
    assert view.answer is view.choices[-1]
    view.choices[0].click()
    assert session.called("answer_time") == [(asked, limits.RUN)]


@pytest.mark.parametrize(
    ("question", "number", "verb"),
    [(LONG, 0, "answer_time"), (LONG, 1, "answer_time"), (LARGE, 0, "get_for"), (LARGE, 1, "answer_fetch")],
)
def test_a_click_on_the_card_opens_both_answers(window, session, monkeypatch, question, number, verb):  # noqa: F811
    asked = replace(question, step=session.workflow.nodes[-1].id)
    monkeypatch.setattr(session, "to_decide", lambda node: asked)
    window.graph.fetch_requested.emit(asked.step)
    (menu,) = [one for one in window.findChildren(QMenu) if one.isVisible()]
    assert [action.text() for action in menu.actions()] == list(asked.choices)
    assert not session.called(verb), "nothing is fetched or run before"
    menu.actions()[number].trigger()
    menu.close()
    assert session.called(verb) == [(asked.step,) if verb == "get_for" else (asked, asked.choices[number])]
