"""Replies to questions, with the real planner and its networks: a value goes in, a wish is planned, and no question
comes twice in the same words.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from desktop_app.app import new_session
from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.replying.reply_words import COMPLAINT, Reply
from desktop_app.plan.types import FromResource, Plan, Solution, Step
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.session.test_session import BLUR, MADE, TOOLS
from tests.session.test_session import photo as photo  # a fixture

CAPTION, REPLACE = "put a caption on it", "replace a word in it"


@pytest.fixture
def talk(monkeypatch):
    """Says things one after the other; what begins with ">" is typed into the field of the question, what
    begins with a file and a colon comes with that.
    """
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)

    def said(file: str, *texts: str) -> Session:
        session = new_session()

        async def go():
            for place, text in enumerate(texts):
                brought, _, words = text.rpartition(": ")
                names = (file if not place else brought,)
                if text.startswith(">"):
                    await session.respond(session.questions()[0], text.removeprefix(">"))
                else:
                    held = tuple(session.attach(RESOURCES / "examples" / name).name for name in names if name)
                    await session.ask(words if brought else text, held)
            await session.close()

        asyncio.run(go())
        return session

    return said


@pytest.fixture
def brought(monkeypatch):
    """A wish, and a second message with two pictures of its own."""
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)

    def said(wish: str, reply: str, first: str = "") -> Session:
        session, folder = new_session(), RESOURCES / "examples"

        async def go():
            await session.ask(wish, (session.attach(folder / first).name,) if first else ())
            await session.ask(reply, tuple(session.attach(folder / name).name for name in ("coffee.jpg", "cat.jpg")))
            await session.close()

        asyncio.run(go())
        return session

    return said


@pytest.fixture
def make(tmp_path):
    def session(planner):
        store = Store(tmp_path / "store")
        parts: Any = (TOOLS, planner, FakeEngine(store, TOOLS, MADE), store, FakeHistory())
        return Session(*parts)

    return session


def graph(session: Session) -> list[tuple]:
    return [(node.tool, dict(node.values)) for node in session.workflow.nodes]


def asked(session: Session) -> list[str]:
    return [catalogue.translated(question.text) for question in session.questions()]


@pytest.mark.parametrize("typed", ["Remove before flight", ">Remove before flight", ">Never mind the gap"])
def test_a_value_goes_in_though_it_has_a_verb(talk, typed):
    session = talk("cat.jpg", CAPTION, typed)
    assert graph(session) == [("add_text", {"text": typed.removeprefix(">")})]
    assert session.questions() == () and not session.messages[-1].open


@pytest.mark.parametrize("typed", ["no, I want to know how many words it has", ">how many words does it have?"])
def test_a_wish_is_planned_with_the_same_file_in_the_place_of_what_was_asked_about(talk, typed):
    session = talk("notes.txt", REPLACE, typed)
    assert [tool for tool, _ in graph(session)] == ["count_words"]
    assert [link.source for link in session.workflow.links] == ["notes.txt"] and session.questions() == ()
    before = session.messages[1]
    assert before.lapsed and not before.open and "Find and replace." in before.text


@pytest.mark.parametrize(
    ("typed", "values", "left"),
    [
        ("by people", {"column": "People"}, 0),
        (">people, descending", {"column": "People", "descending": True}, 0),
        ("descending", {"descending": True}, 1),
        ("absteigend bitte", {"descending": True}, 1),
    ],
)
def test_of_columns_one_is_named_or_the_question_stays(talk, typed, values, left):
    session = talk("cities.csv", "sort by price", typed)
    assert graph(session) == [("sort_table", values)]
    assert len(session.questions()) == left


def test_a_wish_that_goes_on_leaves_what_was_asked_about(talk):
    session = talk("cat.jpg", CAPTION, "and make it black and white")
    assert [tool for tool, _ in graph(session)] == ["add_text", "black_and_white"] and len(session.questions()) == 1


def test_after_a_complaint_the_first_wish_is_planned_without_that_tool(make, photo):
    class Complaining(FakePlanner):
        async def reply(self, text, asked):
            return Reply(COMPLAINT, "")

    steps = (Step("scale", "scale", {"image": FromResource("photo.png")}),)
    planner = Complaining(Plan((Solution("Scale", "", 0.9, steps, (("scale", "image"),)),)), Plan((BLUR,)))
    session = make(planner)
    asyncio.run(session.ask("make it soft", (session.attach(photo).name,)))
    assert [question.port for question in session.questions()] == ["amount"]
    asyncio.run(session.ask("that is not what I asked"))
    again = planner.requests[1]
    assert (again.text, again.avoided, [given.earlier for given in again.resources]) == (
        "make it soft",
        ("scale",),
        [False],
    )
    assert session.workflow.ids() == ("blur",) and session.messages[1].lapsed


def test_after_a_complaint_no_second_question_is_asked(talk):
    session = talk("notes.txt", REPLACE, "that's not what I asked")
    assert graph(session) == [] and session.questions() == () and session.messages[-1].offers


@pytest.mark.parametrize("typed", ["never mind", ">ach, vergiss es", ">something else"])
def test_where_nobody_answers_the_plan_is_withdrawn_and_something_is_offered(talk, typed):
    session = talk("notes.txt", REPLACE, typed)
    assert graph(session) == [] and session.questions() == ()
    assert "All right, I leave that." in session.messages[-1].text
    assert not any(message.open for message in session.messages)


def test_where_nobody_answers_about_a_further_step_the_graph_before_comes_back(talk):
    session = talk("cat.jpg", "make it black and white", "then put a caption on it", "forget it")
    assert graph(session) == [("black_and_white", {})]


def test_what_was_asked_about_a_graph_that_runs_without_stays_when_nobody_answers(talk):
    session = talk("notes.txt", "how many words does it have?", "never mind")
    assert [tool for tool, _ in graph(session)] == ["count_words"]


@pytest.mark.xfail(strict=True, reason="it is not asked a third time")
def test_a_question_that_comes_again_is_put_in_other_words_beside_the_other_ways(talk):
    session = talk("notes.txt", REPLACE, "replace something", "replace it")
    told = [
        catalogue.translated(q.text) for message in session.messages for q in (*message.questions, *message.answered)
    ]
    assert len(asked(session)) == 1 and asked(session) == told[-1:]
    second = talk("notes.txt", REPLACE, "replace something")
    assert asked(second)[0].startswith("I still need to know: Which word or phrase should be replaced?")
    assert "something else" in asked(second)[0]
    titles = {way.solution.title for way in second.alternatives[1:]}
    assert titles <= {offer.text for offer in second.messages[-1].offers}


def test_a_wish_in_the_place_of_a_column_is_planned(talk):
    session = talk("cities.csv", "sort it", "how many rows does it have?")
    assert "sort_table" not in {node.tool for node in session.workflow.nodes} and session.questions() == ()


def test_a_wish_said_anew_with_its_values_answers_for_all_of_them(talk):
    session = talk("notes.txt", REPLACE, "replace the word Monday with Tuesday")
    assert graph(session) == [("find_replace", {"find": "Monday", "replace": "Tuesday"})]


def test_a_number_that_does_not_fit_is_refused_where_it_was_typed(talk):
    with pytest.raises(BadRequest):
        talk("notes.txt", "translate it", ">Klingon")


@pytest.mark.parametrize("said", ["smaller still", "sehr klein", "un peu"])
def test_what_is_no_number_in_the_chat_is_said_and_asked_again(talk, said):
    session = talk("coffee.jpg", "make this picture smaller so that i can mail it", said)
    last = session.messages[-1]
    assert last.role == "assistant" and last.kind != "error" and said in last.text
    assert last.open and last.questions == session.questions() and last.questions[0].port == "width"
    assert [one.open for one in session.messages if one.questions] == [False, True]


@pytest.mark.xfail(strict=True, reason="there is one way only")
def test_that_is_not_what_i_asked_shows_another_way_of_a_plan_that_asks_nothing(talk):
    session = talk("cat.jpg", "make it look nice and old", "that's not what I asked")
    assert len(session.alternatives) > 1 and session.chosen == 1


@pytest.mark.parametrize(
    "said", ["here they are", "which one do you need?", "do you want these?", "hier sind zwei Bilder", "这两张"]
)
def test_files_that_come_for_the_one_that_was_asked_for_are_for_the_wish(brought, said):
    session = brought("blur the faces in it", said)
    assert {tool for tool, _ in graph(session)} == {"detect_faces", "mask_from_boxes", "blur"}
    assert [question.choices for question in session.questions()] == [("coffee.jpg", "cat.jpg")], "one of the two"


@pytest.mark.parametrize("said", ["oops forgot, this. about half is fine", "sorry, wrong window, this one"])
def test_a_file_that_comes_with_words_of_no_wish_is_what_was_asked_for(talk, said):
    session = talk("", "could u make it a bit shorter pls", f"notes.txt: {said}")
    assert [tool for tool, _ in graph(session)] == ["summarise"] and session.questions() == ()
    assert [link.source for link in session.workflow.links] == ["notes.txt"]


@pytest.mark.parametrize("said", ["the spoon i mean", "the spoon"])
def test_who_names_a_thing_need_not_click_on_it(talk, said):
    session = talk("coffee.jpg", "can you get rid of this, it spoils the shot for my menu", said)
    first, last = graph(session)
    assert (first[0], last[0]) == ("segment_described", "remove_object") and first[1]["what"].endswith("spoon")
    assert {question.kind for question in session.questions()} <= {"fetch"}


def test_a_change_while_something_waits_is_made_and_the_question_stands_once(talk):
    session = talk("coffee.jpg", "crop it and put Open House Saturday 2 pm at the bottom", "it's Sunday 3 pm")
    values = dict(graph(session))
    assert "Sunday" in values["add_text"]["text"] and "shape" not in values["crop"]
    assert [question.port for question in session.questions()] == ["shape"]
    assert [len(message.questions) for message in session.messages if message.open] == [1]


def test_who_says_by_a_click_what_shall_be_done_is_not_asked_for_the_question_again(talk):
    session = talk("cities.csv", "quick, the vote", "Ask about table")
    assert graph(session) == [("ask_table", {"question": "quick, the vote"})] and session.questions() == ()


def test_a_text_that_lacks_is_asked_for_in_words_that_say_how_to_give_it(talk):
    session = talk("", "could u make it a bit shorter pls")
    assert asked(session) == ["“Summarise text” needs a text: attach a file, or type it here."]


def test_a_question_with_files_of_its_own_leaves_what_was_asked_before(brought):
    session = brought("put a caption on it", "how large are these two pictures?", first="rocket.jpg")
    assert {tool for tool, _ in graph(session)} == {"picture_facts"} and session.questions() == ()
    assert {resource.name for resource in session.workflow.resources} == {"coffee.jpg", "cat.jpg"}


def test_a_wish_with_files_goes_on_from_what_was_asked_where_it_speaks_of_it(brought):
    session = brought("put a caption on it", "put it beside these two?", first="rocket.jpg")
    assert "add_text" in {tool for tool, _ in graph(session)}
