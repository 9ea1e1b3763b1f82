"""A conversation that was kept with everything in it opens, and is kept again with all of it."""

from __future__ import annotations

import json

import pytest

from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.storage.resources import Store
from tests.fakes import FakeEngine, FakeHistory, FakePlanner, kept_conversation
from tests.session.test_session import MADE, TOOLS

WHOLE = kept_conversation("format_2_whole.json.xz")
"""Two requests, one with a click, alternatives, one of them run aside, an edit that was taken back, an answered run."""


@pytest.fixture
def session(tmp_path):
    store = Store(tmp_path / "store")
    return Session(TOOLS, FakePlanner(), FakeEngine(store, TOOLS, MADE), store, FakeHistory())  # type: ignore[arg-type]


def test_a_kept_conversation_is_kept_again_as_it_was(session):
    kept = from_text(WHOLE)
    session.restore(kept)
    again = from_text(to_text(session.snapshot()))
    assert json.loads(to_text(again)) == json.loads(to_text(kept)) and not again.lost
    assert again.messages == kept.messages and again.run.nodes == kept.run.nodes and again.past == kept.past


def test_what_it_shows_is_there_and_can_be_gone_on_with(session):
    session.restore(from_text(WHOLE))
    assert [message.kind for message in session.messages] == ["text", "plan", "run", "answer", "text", "text", "plan"]
    assert session.workflow.ids() == ("segment", "remove") and session.points.keys() == {"photo.png"}
    assert session.can_redo and session.title == "blur it" and session.questions() == ()
    before = session.workflow
    session.redo()
    assert session.workflow != before
    while session.can_undo:
        session.undo()
    assert session.workflow.ids() == ()
