"""A step that finds it has to be told what is meant in its picture: the run waits for that, and nothing failed."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from desktop_app.cli import exit_codes
from desktop_app.cli.main import main
from desktop_app.core.paths import RESOURCES
from desktop_app.plan.types import FromResource, Plan, Solution, Step
from desktop_app.run.engine import Engine
from desktop_app.services.mask_preview import MaskFinder
from desktop_app.session.drawn_masks import HandDrawnMask
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import load_tools
from nodes.api import Point
from tests.fakes import FakePlanner

ALL = load_tools().tools
TOOLS = {id: ALL[id] for id in ("cut_out", "black_and_white")}
CAT = RESOURCES / "examples" / "cat.jpg"  # of its head alone: no tool here can tell it from its background
_CUT = Step("cut", "cut_out", {"image": FromResource("cat.jpg")})
SEVERAL = Solution("Both", "", 0.9, (_CUT, Step("grey", "black_and_white", {"image": FromResource("cat.jpg")})))


@pytest.fixture
def session(own_home):
    store, history = Store(own_home / "store"), History(own_home / "history.sqlite")
    engines = [Engine(store, history, TOOLS, 1) for _ in range(2)]
    made = Session(
        TOOLS, FakePlanner(Plan((SEVERAL,))), engines[0], store, history, None, MaskFinder(engines[1], store)
    )
    made.attach(CAT)
    with asyncio.Runner() as runner:
        made.do = runner.run  # type: ignore[attr-defined]
        runner.run(made.ask("Cut out the cat, and make it grey", ("cat.jpg",)))
        yield made
        runner.run(made.close())
    history.close()


def left_half() -> HandDrawnMask:
    height, width = 300, 451
    mask = np.zeros((height, width), np.uint8)
    mask[:, : width // 2] = 255
    return HandDrawnMask((Point(100.0, 150.0, True),), "", mask)


def test_what_is_meant_is_asked_for_and_nothing_failed(session):
    session.do(session.start())
    assert not session.run.failures()
    assert session.run.nodes["grey"].state == "done"
    (question,) = session.questions()
    assert (question.kind, question.step, question.port, question.resource) == ("point", "cut", "mask", "cat.jpg")
    last = session.messages[-1]
    assert last.open and last.questions == (question,)
    assert "failed" not in " ".join(str(message.text) for message in session.messages)


def test_once_it_is_told_the_question_is_settled_and_the_run_comes_to_its_end(session):
    session.do(session.start())
    session.do(session.use_drawn("cat.jpg", left_half(), "cut", "mask"))
    assert session.questions() == ()
    assert not any(message.open for message in session.messages)
    session.do(session.start())
    assert session.run.outcome == "ok"
    assert session.messages[-1].kind == "answer"
    assert "cat.jpg, without its background" in session.messages[-1].text
    assert session.messages[-1].text.count("cat_mask") == 0, "what was drawn is no file of the user's"


def test_taken_back_it_is_asked_again(session):
    session.do(session.start())
    session.do(session.use_drawn("cat.jpg", left_half(), "cut", "mask"))
    session.undo()
    assert [question.step for question in session.questions()] == ["cut"]


def test_the_command_line_prints_the_question_and_says_that_input_is_missing(capsys):
    code = main(["ask", "Remove the background", "--attach", str(CAT)])
    assert code == exit_codes.MISSING
    assert "--point cat.jpg=X,Y" in capsys.readouterr().out
