"""A file that comes with a message is what the message is about; a typed name or place answers which of several is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from desktop_app.plan.planner import Planner
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from tests.fakes import FakeHistory, TracingEngine, brought
from tests.session.test_going_on import TOOLS, planner  # noqa: F401

Talk = Callable[..., Session]


@pytest.fixture
def talk(tmp_path: Path, planner: Planner) -> Talk:  # noqa: F811
    """A conversation of messages, each with its files; each plan but the last is run, with made-up results."""

    def conversation(*said: tuple[str, str]) -> Session:
        store = Store(tmp_path / "store")
        session = Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())  # type: ignore[arg-type]
        asyncio.run(_say(session, said))
        return session

    return conversation


async def _say(session: Session, said: Sequence[tuple[str, str]]) -> None:
    for number, (text, files) in enumerate(said):
        if number and not session.questions():
            await session.start()
        await session.ask(text, tuple(brought(session, name) for name in files.split()))


def taken(session: Session) -> set[str]:
    """The files that the graph takes."""
    names = {resource.name for resource in session.workflow.resources}
    return names & {link.source for link in session.workflow.links}


@pytest.mark.parametrize(("before", "first", "text", "file"), [
    ("make it gray", "rocket.jpg", "crop to a square 200 px wide and add a 20px white border", "cat.jpg"),
    ("make it gray", "cat.jpg", "what is the rent?", "contract.pdf"),
    ("make these gray", "cat.jpg coffee.jpg", "blur the faces", "group.jpg"),
    ("make it louder", "talk.wav", "only page 2", "contract.pdf"),
    ("make it gray", "cat.jpg", "who has not paid yet?", "members.xlsx"),
    ("make it brighter", "cat.jpg", "also make rocket.jpg brighter", "rocket.jpg"),
])  # fmt: skip
def test_a_file_that_comes_with_a_message_is_worked_on(talk, before, first, text, file):
    session = talk((before, first), (text, file))
    assert file in taken(session)
    steps = [link.target for link in session.workflow.links if link.source == file]
    assert not {link.target for link in session.workflow.links if link.source in first.split()} & {*steps}


def test_a_file_that_is_put_on_what_was_made_leaves_that(talk):
    session = talk(("make it gray", "cat.jpg"), ("put this logo in its bottom right corner", "logo.png"))
    assert {"cat.jpg", "logo.png"} <= taken(session)


@pytest.mark.parametrize(("reply", "file"), [
    ("coffee.jpg", "coffee.jpg"), ("the first one", "cat.jpg"), ("das zweite", "coffee.jpg"), ("the cat", "cat.jpg"),
])  # fmt: skip
def test_which_file_is_meant_may_be_typed(talk, reply, file):
    session = talk(("make it brighter", "cat.jpg coffee.jpg"), (reply, ""))
    assert file in taken(session) and not session.questions()


def test_one_answer_serves_all_steps_that_want_the_same_file(talk):
    session = talk(("blur the faces in it", "group.jpg team.jpg"))
    assert [question.kind for question in session.questions()] == ["file"]
    asyncio.run(_say(session, [("team.jpg", "")]))
    assert not session.workflow.missing(session.tools)
