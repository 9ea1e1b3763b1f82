"""Follow-ups of a language model that change the graph that is shown: nodes keep what is theirs, in one undo step."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from desktop_app.plan.ranking.explanations import _DOUBTED, GUESS, cannot_do, guess
from desktop_app.plan.types import WRITTEN, FromNode, FromResource, Plan, Question, Solution, Step
from desktop_app.session.answering import answer_writer
from desktop_app.session.messages import ResultCheck
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from nodes.api import NodeError
from nodes.phrase import Phrase
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.llm.world import Told
from tests.session.test_session import BLUR, MADE, READ, TOOLS
from tests.session.test_session import photo as photo  # a fixture
from tests.waiting import PATIENCE


def scaled(amount: float, **more) -> Solution:
    steps = (
        Step("scale", "scale", {"image": FromResource("photo.png"), "amount": amount}),
        Step("blur", "blur", {"image": FromNode("scale", "image")}),
    )
    return Solution("Scale", "", 0.9, steps, (("blur", "image"),), **more)


@pytest.fixture
def make(tmp_path):
    def session(*plans):
        store = Store(tmp_path / "store")
        return Session(TOOLS, FakePlanner(*plans), FakeEngine(store, TOOLS, MADE), store, FakeHistory(), Told("Done."))

    return session


def asked(session, photo, *texts):
    name = session.attach(photo).name
    for number, text in enumerate(texts):
        asyncio.run(session.ask(text, (name,) if number == 0 else ()))
    return session


def test_planner_is_told_the_graph_with_states_and_results(make, photo):
    session = make(Plan((scaled(8), READ)))
    asked(session, photo, "scale and blur it")
    asyncio.run(session.start())
    asyncio.run(session.ask("half of that"))
    told = session.planning.planner.requests[1]
    assert [(one.step.id, one.state) for one in told.graph] == [("scale", "done"), ("blur", "done")]
    assert told.graph[0].step.arguments == {"image": FromResource("photo.png"), "amount": 8}
    assert told.graph[1].step.arguments == {"image": FromNode("scale", "image")}
    assert [len(names) for one in told.graph for names in one.results.values()] == [1, 1]
    assert told.ways == ("Scale", "Read")


def test_changed_value_keeps_the_node_its_place_and_its_mode_and_is_one_step_of_undo(make, photo):
    kept = frozenset({"scale", "blur"})
    session = make(Plan((scaled(8),)), Plan((scaled(4, kept=kept, origins={("scale", "amount"): WRITTEN}),)))
    asked(session, photo, "scale and blur it")
    session.move({"scale": (7.0, 9.0)})
    session.edit(session.workflow.with_node(replace(session.workflow.node("blur"), mode="mute")))
    asyncio.run(session.ask("half of that"))
    node = session.workflow.node("scale")
    assert session.workflow.ids() == ("scale", "blur") and node.values == {"amount": 4}
    assert node.position == (7.0, 9.0) and session.workflow.node("blur").mode == "mute"
    assert node.origins == {"amount": WRITTEN}
    assert session.workflow.with_value("scale", "amount", 5).node("scale").origins == {}  # the user's own now
    session.undo()
    assert session.workflow.node("scale").values == {"amount": 8}


def test_origin_is_kept_with_the_workflow(make, photo):
    session = asked(make(Plan((scaled(8, origins={("scale", "amount"): WRITTEN}),))), photo, "scale it")
    again = type(session.workflow).from_json(session.workflow.to_json())
    assert again.node("scale").origins == {"amount": WRITTEN}


def test_undo_and_the_second_way_are_done_and_not_planned(make, photo):
    session = make(Plan((BLUR, READ)), Plan((), command="way 2"), Plan((), command="undo"))
    asked(session, photo, "blur it", "use the second way")
    assert session.workflow.ids() == ("read",) and session.chosen == 1
    assert session.messages[-1].text == "This is “Read” now."
    asyncio.run(session.ask("undo that"))
    assert session.workflow.ids() == ("blur",) and session.messages[-1].kind == "text"


def test_what_no_tool_does_is_said_again_with_the_answer(make, photo):
    cannot = [Question(cannot_do(words), "confirm") for words in ("Please", "and", "mail it")]
    doubts = (*cannot, Question("Look at it first.", "confirm"))
    session = asked(make(Plan((BLUR,), doubts)), photo, "blur it and mail it")
    asyncio.run(session.start())
    said = session.messages[-1].text
    assert "No tool here can do “mail it”." in said and "Look at it first." not in said
    assert not [one for one in session.messages if "“Please”" in one.text or "“and”" in one.text]


@pytest.mark.parametrize(("doubt", "said"), [
    (GUESS, "I was not sure that this is what you want."),
    (guess((BLUR,), Phrase("“{words}” is not in the plan.", words="and warm it")), "“and warm it” is not in the plan."),
    (guess((BLUR,), Phrase(_DOUBTED, words="warm it", tool="Blur")), "I am not sure that “warm it” means “Blur”."),
    (guess((BLUR,), Phrase(_DOUBTED, words="Blur it and warm it", tool="Blur")), "I was not sure that this is what"),
])  # fmt: skip
def test_what_the_plan_was_not_sure_of_is_said_again_with_the_answer(make, photo, doubt, said):
    unsure = replace(BLUR, score=0.3)
    session = asked(make(Plan((unsure,), (doubt,))), photo, "blur it and warm it")
    asyncio.run(session.start())
    assert said in session.messages[-1].text and "before you run it" not in session.messages[-1].text
    sure = asked(make(Plan((BLUR,), (doubt,))), photo, "blur it and warm it")
    asyncio.run(sure.start())
    assert said not in sure.messages[-1].text


def test_of_a_run_that_failed_no_result_is_to_be_looked_at(make, photo, monkeypatch):
    monkeypatch.setitem(MADE, "blur", NodeError("The mask is empty.", "mask", "Select what is meant."))
    session = asked(make(Plan((replace(BLUR, score=0.3),), (GUESS,))), photo, "blur it")
    asyncio.run(session.start())
    assert session.messages[-1].run and "look at the result" not in session.messages[-1].text


@pytest.mark.parametrize(("score", "planned"), [(0.08, False), (0.3, True)])
def test_what_means_nothing_is_refused_and_asks_for_no_file(make, score, planned):
    """ "asdf qwer zxcv" asked for a table to lock in a PDF with the password "zxcv"."""
    way = replace(BLUR, score=score, questions=(Question("Please attach an image.", "file", (), "blur", "image"),))
    session = make(Plan((way,)))
    asyncio.run(session.ask("asdf qwer zxcv"))
    assert bool(session.workflow.nodes) is planned
    assert ("No tool here can do “asdf qwer zxcv”." in session.messages[-1].text) is not planned


def test_a_plan_that_is_hardly_meant_is_doubted_though_the_planner_does_not(make, photo):
    session = asked(make(Plan((replace(BLUR, score=0.18),))), photo, "blur it")
    assert "not sure" in session.messages[-1].text and "Ready to run" not in session.messages[-1].text


def test_an_answer_that_is_stopped_before_it_began_is_not_begun(make, photo):
    """The random user saw "coroutine was never awaited"."""
    session = asked(make(Plan((BLUR,))), photo, "blur it")

    async def stopped() -> None:
        task = asyncio.ensure_future(session.answers.write(session.workflow, session.run))
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(stopped())


@pytest.mark.parametrize(("best", "other", "ways"), [(0.9, 0.2, 1), (0.9, 0.5, 2), (0.5, 0.2, 2)])
def test_beside_a_plan_that_is_sure_no_way_is_shown_that_hardly_serves(make, photo, best, other, ways):
    session = asked(make(Plan((replace(BLUR, score=best), replace(READ, score=other)))), photo, "blur it")
    assert len(session.alternatives) == ways


@pytest.mark.parametrize("right", [True, False])
def test_a_doubt_is_not_told_of_what_is_seen_to_be_as_asked(make, photo, monkeypatch, right):
    async def checked(*_):
        return (ResultCheck("no face left to be seen", right, "1 face", "blur"),)

    monkeypatch.setattr(answer_writer.AnswerWriter, "_checked", checked)
    session = asked(make(Plan((replace(BLUR, score=0.3),), (GUESS,))), photo, "hide the face")
    asyncio.run(session.start())
    assert ("not sure" not in session.messages[-1].text) is right


def test_what_the_plan_was_not_sure_of_is_not_said_of_another_way_that_was_chosen(make, photo):
    """Of faces that were blurred it said that "hide" may not mean "Pixelate"."""
    session = asked(make(Plan((replace(BLUR, score=0.3), READ), (GUESS,))), photo, "blur it and warm it")
    session.choose(1)
    asyncio.run(session.start())
    assert "not sure" not in session.messages[-1].text
    session.choose(0)
    asyncio.run(session.start())
    assert "not sure" in session.messages[-1].text


def test_what_is_left_out_and_what_is_doubted_are_said_and_the_plan_is_not_called_ready(make, photo):
    doubt = Question("Look at it first.", "confirm")
    session = asked(make(Plan((BLUR,), (doubt,), left_out="Printing: no tool.")), photo, "blur and print it")
    said = session.messages[-1].text
    assert "Left out: Printing: no tool." in said and said.endswith("Look at it first.") and "Ready" not in said


def test_question_beside_a_plan_is_open(make, photo):
    session = asked(make(Plan((BLUR,), (Question("How much?"),))), photo, "blur it")
    last = session.messages[-1]
    assert last.open and [q.text for q in last.questions] == ["How much?"] and "One thing is missing" in last.text


def test_stop_ends_an_answer_after_a_run(make, photo, monkeypatch):
    session, waits = asked(make(Plan((BLUR,))), photo, "blur it"), asyncio.Event()

    async def worded(*_, **__):
        yield "Half an ans", ()
        waits.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(answer_writer.answer, "stream", worded)

    async def go():
        task = asyncio.ensure_future(session.start())
        await asyncio.wait_for(waits.wait(), PATIENCE)
        session.stop()
        await asyncio.wait_for(task, PATIENCE)

    asyncio.run(go())
    assert (session.messages[-1].text, session.messages[-1].streaming) == ("Half an ans", False)
    assert session.busy == ""
