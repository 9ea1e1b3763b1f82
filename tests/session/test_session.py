"""The session with a planner and an engine that do as they are told."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.export import files
from desktop_app.graph import edit
from desktop_app.graph.decorations import Note
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.models import store
from desktop_app.plan import planner
from desktop_app.plan.modes.conversation import Talk
from desktop_app.plan.types import FromNode, FromResource, Plan, Question, Solution, Step
from desktop_app.session import planning
from desktop_app.session.messages import looked_at_again, priced, reason_for
from desktop_app.session.session import Change, Session
from desktop_app.session.state import StepSettings
from desktop_app.storage.resources import Store
from nodes import load_tools
from nodes.api import Backend, Box, NodeError, Point, Port, ResourceType, Tool
from tests.fakes import FakeEngine, FakeHistory, FakePlanner, picture
from tests.waiting import PATIENCE

T = ResourceType
IMAGE, MASK, POINTS = (Port(t.value, t, "the thing") for t in (T.IMAGE, T.MASK, T.POINTS))
CLICKS = Port("points", T.POINTS, "clicks", picked_on="image")
AMOUNT = Port("amount", T.NUMBER, "how much", minimum=0, maximum=10)


def tool(id, inputs, outputs):
    return Tool(id, id.capitalize(), "image", "Does.", inputs, outputs, (Backend("b", "B", lambda: None),))


TOOLS = {
    t.id: t
    for t in (
        tool("blur", (IMAGE,), (IMAGE,)),
        tool("segment", (IMAGE, CLICKS), (MASK,)),
        tool("remove", (IMAGE, MASK), (IMAGE,)),
        tool("faces", (IMAGE,), (Port("boxes", T.BOXES, "faces"),)),
        tool("count", (Port("boxes", T.BOXES, "boxes"),), (Port("number", T.NUMBER, "count"),)),
        tool("read", (IMAGE,), (Port("text", T.TEXT, "words"),)),
        tool("scale", (IMAGE, AMOUNT), (IMAGE,)),
        tool("shift", (IMAGE, replace(AMOUNT, default=1)), (IMAGE,)),
    )
}
MADE = {
    "blur": picture(),
    "segment": np.zeros((48, 64), np.uint8),
    "remove": picture(),
    "faces": (Box(0, 0, 5, 5, "face", 0.9), Box(9, 9, 15, 15, "face", 0.8)),
    "count": 2,
    "read": "total 12.50",
    "scale": picture(),
}
PHOTO = {"image": FromResource("photo.png")}
BLUR = Solution("Blur", "It blurs.", 0.9, (Step("blur", "blur", PHOTO),), (("blur", "image"),))
READ = Solution("Read", "It reads.", 0.7, (Step("read", "read", PHOTO),), (("read", "text"),))
COUNT = Solution(
    "Count",
    "",
    0.9,
    (Step("faces", "faces", PHOTO), Step("count", "count", {"boxes": FromNode("faces", "boxes")})),
    (("count", "number"),),
)
REMOVE = Solution(
    "Remove",
    "",
    0.9,
    (
        Step("segment", "segment", PHOTO),
        Step("remove", "remove", {**PHOTO, "mask": FromNode("segment", "mask")}),
    ),
    (("remove", "image"),),
)


@pytest.fixture
def photo(tmp_path):
    path = tmp_path / "photo.png"
    Image.fromarray(picture()).save(path)
    return path


@pytest.fixture
def make(tmp_path):
    def session(*plans, made=MADE):
        store = Store(tmp_path / "store")
        planned = FakePlanner(*plans)
        return Session(TOOLS, planned, FakeEngine(store, TOOLS, made), store, FakeHistory(blur=1.5))

    return session


@pytest.mark.parametrize("in_steps", [False, True])
def test_the_words_of_a_message_are_read_on_another_thread(make, monkeypatch, in_steps):
    """The first message has the tables of words and of languages read, which takes a second and more."""
    here, reading = threading.get_ident(), dict[str, int]()

    def reads(name, value):
        return lambda *_: (reading.update({name: threading.get_ident()}), value)[1]

    monkeypatch.setattr(planner, "talk_in", reads("what it means", Talk("greeting")))
    monkeypatch.setattr(planning, "reply_language", reads("its language", "de"))
    session = make()
    session.planning.planner = planner.Planner(lambda: TOOLS, "adaptive")
    if in_steps:
        session.use_steps(StepSettings(on=True))
        monkeypatch.setattr(session.planning, "_ask_in_steps", lambda *_: asyncio.sleep(0))
    asyncio.run(session.ask("Hallo"))
    assert set(reading) == ({"its language"} if in_steps else {"what it means", "its language"})
    assert here not in reading.values() and session.state.log.language == "de"


def ask(session, photo, text="do it"):
    name = session.attach(photo).name
    asyncio.run(session.ask(text, (name,)))
    return session


@pytest.mark.parametrize(("text", "told"), [("make these soft", True), ("make photo.png soft", False)])
def test_a_file_that_no_step_takes_is_told_before_and_after_the_run(make, photo, text, told):
    session, other = make(Plan((BLUR,))), photo.with_name("other.png")
    Image.fromarray(picture()[::-1]).save(other)
    asyncio.run(session.ask(text, (session.attach(photo).name, session.attach(other).name)))
    said = "The plan does not use other.png."
    assert (said in session.messages[-1].text, "Ready" in session.messages[-1].text) == (told, not told)
    asyncio.run(session.start())
    assert (said in session.messages[-1].text) == told


def test_a_request_becomes_a_workflow_and_runs_nothing(make, photo):
    session = ask(make(Plan((BLUR, READ))), photo)
    assert session.workflow.ids() == ("blur",)
    assert [a.solution.title for a in session.alternatives] == ["Blur", "Read"]
    assert session.alternatives[0].seconds == 1.5
    assert not session.run.nodes
    assert [m.kind for m in session.messages] == ["text", "plan"]


def test_a_run_ends_in_an_answer_that_names_its_node(make, photo):
    session = ask(make(Plan((COUNT,))), photo)
    asyncio.run(session.start())
    answer = session.messages[-1]
    assert answer.text == "There are 2 faces in photo.png."
    assert not answer.streaming
    assert [answer.text[r.start : r.end] for r in answer.references if r.node == "count"] == [
        "There are 2 faces in photo.png."
    ]
    assert answer.resources == ()


def test_a_run_from_a_node_makes_it_and_what_comes_after_afresh(make, photo):
    session = ask(make(Plan((COUNT,))), photo)
    asyncio.run(session.start_from("faces"))
    engine = session.tracker.engine
    assert set(engine.again) == {"faces", "count"} and set(engine.runs[-1][1]) == {"faces", "count"}


def test_a_run_from_a_node_leaves_out_what_is_switched_off(make, photo):
    session = ask(make(Plan((COUNT,))), photo)
    session.edit(session.workflow.with_node(replace(session.workflow.node("count"), mode="mute")))
    asyncio.run(session.start_from("faces"))
    assert session.tracker.engine.runs[-1][1] == ("faces",)


def test_a_run_makes_the_picture_that_is_to_be_pointed_at_and_then_asks_in_it(make, photo):
    steps = (
        Step("blur", "blur", PHOTO),
        Step("segment", "segment", {"image": FromNode("blur", "image")}),
        Step("remove", "remove", {"image": FromNode("blur", "image"), "mask": FromNode("segment", "mask")}),
    )
    asked = Question("Click on what you mean.", "point", (), "segment", "points")
    session = ask(make(Plan((Solution("Remove", "", 0.9, steps, (("remove", "image"),), questions=(asked,)),))), photo)
    asyncio.run(session.start())
    engine = session.tracker.engine
    assert [upto for _, upto in engine.runs] == [("blur",)]
    (message,) = (m for m in session.messages if m.open)
    assert message.questions[0].resource == session.run.nodes["blur"].outputs["image"].name
    assert "answer" not in [m.kind for m in session.messages]
    session.edit(session.workflow.with_value("segment", "points", [[3, 4, True]]))
    asyncio.run(session.start())
    assert engine.runs[-1][1] is None and session.messages[-1].kind == "answer"


def test_a_question_follows_the_picture_that_is_linked_by_hand(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    graph = session.workflow.with_node(Node("blur", "blur")).with_link(Link("photo.png", "value", "blur", "image"))
    graph = graph.without_link(next(iter(graph.links_into("segment"))))
    session.edit(graph.with_link(Link("blur", "image", "segment", "image")))
    (question,) = session.questions()
    assert question.resource == "" and "photo.png" not in question.text
    asyncio.run(session.start())
    assert [upto for _, upto in session.tracker.engine.runs] == [("blur",)]


def test_a_picture_is_shown_with_the_answer(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    asyncio.run(session.start())
    assert session.messages[-1].resources == ("blur_image.png",)


def test_a_failure_is_told_with_its_cause_and_what_it_stopped(make, photo):
    failing = {**MADE, "faces": NodeError("It is too small.", "image", "Take a larger one.")}
    session = ask(make(Plan((COUNT,)), made=failing), photo)
    asyncio.run(session.start())
    assert "Faces failed: It is too small. Take a larger one." in session.messages[-1].text
    assert "Count was skipped because Faces did not finish." in session.messages[-1].text


def test_after_a_failure_the_next_alternative_is_offered(make, photo):
    failing = {**MADE, "blur": NodeError("It is too small.")}
    session = ask(make(Plan((BLUR, READ)), made=failing), photo)
    asyncio.run(session.start())
    assert session.messages[-1].text.endswith("Another way is alternative 2, “Read”: It reads.")
    session.choose(1)
    asyncio.run(session.start())
    assert "Another way" not in session.messages[-1].text


def test_a_way_that_failed_is_not_offered_again(make, photo):
    failing = {**MADE, "blur": NodeError("It is too small."), "read": NodeError("It is blank.")}
    session = ask(make(Plan((BLUR, READ)), made=failing), photo)
    assert session.next_way is None
    asyncio.run(session.start())
    assert session.next_way == 1
    session.choose(1)
    asyncio.run(session.start())
    assert session.next_way is None and "Another way" not in session.messages[-1].text


def test_missing_points_are_asked_for_once_and_nothing_runs(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    (question,) = session.questions()
    assert (question.kind, question.resource, question.step) == ("point", "photo.png", "segment")
    assert session.messages[-1].open
    asyncio.run(session.start())
    assert not session.run.nodes


def test_running_without_the_input_asks_once_however_often_it_is_tried(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    before = session.messages
    for _ in range(3):
        asyncio.run(session.start())
    assert session.messages == before and before[-1].open


def test_of_what_was_asked_before_only_the_words_stay(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    session.state.log.say("user", "Hm.")
    asyncio.run(session.start())
    first = session.messages[-1]
    session.state.log.say("user", "Hm?")
    asyncio.run(session.start())
    asyncio.run(session.start())
    *_, earlier, _, last = session.messages
    assert last.open and last.questions == first.questions == session.questions()
    assert (earlier.id, earlier.text, earlier.questions, earlier.open) == (first.id, first.text, (), False)
    assert sum(message.open for message in session.messages) == 2, "the plan and the last"
    session.point("photo.png", (Point(3, 4),))
    assert not any(message.open for message in session.messages)


def test_a_question_of_the_planner_stays_open_when_what_is_there_cannot_run(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    session.state.log.say("assistant", "Which one?", questions=(Question("Which one?", "text"),), open=True)
    asyncio.run(session.start())
    assert [message.open for message in session.messages[-2:]] == [True, True]


def test_points_fill_the_port_and_close_the_question(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    session.point("photo.png", (Point(3, 4), Point(5, 6, False)))
    assert session.workflow.node("segment").values["points"] == [[3, 4, True], [5, 6, False]]
    assert session.questions() == ()
    assert not session.messages[-1].open
    assert session.messages[-1].text == "Segment → Remove. Ready to run."
    session.undo()
    assert "points" not in session.workflow.node("segment").values


def test_points_given_before_the_request_are_used(make, photo):
    session = make(Plan((REMOVE,)))
    session.attach(photo)
    session.point("photo.png", (Point(3, 4),))
    asyncio.run(session.ask("remove it", ("photo.png",)))
    assert session.questions() == ()


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (64, 0), (0, 48), (1e9, 1)])
def test_points_outside_the_picture_are_refused(make, photo, x, y):
    session = ask(make(Plan((REMOVE,))), photo)
    with pytest.raises(BadRequest, match="lies outside"):
        session.point("photo.png", (Point(x, y),))


def test_an_open_port_is_asked_for_and_the_reply_checked(make, photo):
    scale = Solution("Scale", "", 0.9, (Step("scale", "scale", PHOTO),))
    session = ask(make(Plan((scale,))), photo)
    (question,) = session.questions()
    for wrong in ("many", "11", "-1"):
        with pytest.raises(BadRequest):
            session.reply(question, wrong)
    session.reply(question, "2.5")
    assert session.workflow.node("scale").values["amount"] == 2.5
    assert session.questions() == ()


def test_what_cannot_run_without_one_of_its_settings_is_asked_for_it_in_plain_words(tmp_path, photo):
    tools = load_tools().tools
    crop = Solution("Crop", "", 0.9, (Step("crop", "crop", PHOTO),))
    store = Store(tmp_path / "store")
    session = Session(tools, FakePlanner(Plan((crop,))), FakeEngine(store, tools, {}), store, FakeHistory())
    ask(session, photo)
    (question,) = session.questions()
    assert (question.text, question.port) == ("Which shape should the picture get?", "shape")
    assert "square" in question.choices and "free" not in question.choices
    session.reply(question, "square")
    assert session.questions() == ()


def test_a_question_of_the_planner_about_a_setting_is_asked_in_the_plain_words_of_that(make, photo, monkeypatch):
    monkeypatch.setitem(TOOLS, "scale", tool("scale", (IMAGE, replace(AMOUNT, question="How large?")), (IMAGE,)))
    asked = Question("Scale: how much?", "text", (), "scale", "amount")
    steps = (Step("scale", "scale", PHOTO),)
    session = ask(make(Plan((Solution("Scale", "", 0.9, steps, questions=(asked,)),))), photo)
    assert [question.text for question in session.questions()] == ["How large?"]


def test_what_is_not_as_asked_is_not_tried_by_what_makes_another_kind_of_thing(make, photo):
    """For speech that was too long it offered subtitles."""
    session = ask(make(Plan((BLUR, READ)), made={**MADE, "blur": picture()}), photo, "crop it to a square")
    asyncio.run(session.start())
    answer = session.messages[-1]
    assert "Not as asked" in answer.text and not answer.offers


@pytest.mark.parametrize("allowed", [False, True])
def test_what_is_not_as_asked_offers_the_next_way_or_runs_it_once_by_itself(make, photo, allowed):
    settings.change(try_next_way=allowed)
    ways = (Solution(id, "", 0.9, (Step(id, id, PHOTO),), ((id, "image"),)) for id in ("blur", "shift"))
    session = ask(make(Plan(tuple(ways)), made={"blur": picture(), "shift": picture()}), photo, "crop it to a square")
    asyncio.run(session.start())
    answers = [m for m in session.messages if m.kind == "answer"]
    assert [[offer.value for offer in m.offers] for m in answers] == [["1"], []][: 1 + allowed]
    assert session.chosen == int(allowed) and all("Not as asked" in m.text for m in answers)


def test_what_is_answered_for_one_of_several_like_steps_counts_for_all(make, photo):
    steps = tuple(Step(id, "shift", PHOTO) for id in ("a", "b"))
    asked = Question("Shift: amount?", "text", (), "a", "amount")
    session = ask(make(Plan((Solution("Shift", "", 0.9, steps, questions=(asked,)),))), photo)
    before, node = edit.added(session.workflow, TOOLS["shift"], (0, 0))
    session.edit(before)
    session.reply(next(q for q in session.questions() if q.step == "a"), "3")
    own = session.workflow.node(node).values
    assert [session.workflow.node(id).values.get("amount") for id in "ab"] == [3, 3] and "amount" not in own


def test_what_was_answered_stays_in_its_message_while_the_rest_is_asked(make, photo):
    steps = tuple(Step(id, "shift", PHOTO) for id in ("a", "b"))
    asked = tuple(Question(f"How far is {id}?", "text", (), id, "amount") for id in ("a", "b"))
    session = ask(make(Plan((Solution("Shift", "", 0.9, steps, questions=asked),))), photo)
    first, second = session.messages[-1].questions
    session.reply(first, "3")
    told = session.messages[-1]
    assert (told.answered, told.questions, told.open) == ((first,), (second,), True)
    session.reply(second, "4")
    told = session.messages[-1]
    assert (told.answered, told.questions, told.open) == ((), (first, second), False)
    session.undo()
    told = session.messages[-1]
    assert (told.answered, told.questions, told.open) == ((first,), (second,), True)


def test_the_files_that_are_there_can_be_chosen_for_an_input(make, photo, tmp_path):
    session = make(Plan((Solution("Remove", "", 0.9, (Step("remove", "remove", PHOTO),)),)))
    Image.fromarray(picture()).save(tmp_path / "form.png")
    session.attach(tmp_path / "form.png")
    (question,) = ask(session, photo).questions()
    assert (question.kind, question.choices) == ("file", ("form.png",))
    session.reply(question, "form.png")
    assert session.questions() == () and session.workflow.missing(TOOLS) == ()


def test_choosing_and_editing_are_one_undo_step_each(make, photo):
    session = ask(make(Plan((BLUR, READ))), photo)
    session.choose(1)
    session.edit(session.workflow.without("read"))
    session.undo()
    assert session.workflow.ids() == ("read",)
    session.undo()
    assert (session.workflow.ids(), session.chosen) == (("blur",), 0)
    session.redo()
    assert (session.workflow.ids(), session.chosen) == (("read",), 1)


def test_an_alternative_that_is_not_there_is_refused(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    with pytest.raises(BadRequest, match="no alternative 3"):
        session.choose(2)


def test_a_follow_up_grows_the_graph_from_what_was_made(make, photo):
    more = Solution("More", "", 0.9, (Step("blur", "blur", {"image": FromResource("blur_image.png")}),))
    session = ask(make(Plan((BLUR,)), Plan((more,))), photo)
    asyncio.run(session.start())
    asyncio.run(session.ask("blur it more"))
    assert session.workflow.ids() == ("blur", "blur_2")


def test_the_planner_sees_what_was_made_and_said_before(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    asyncio.run(session.start())
    asyncio.run(session.ask("and now?"))
    request = session.planning.planner.requests[-1]
    assert [(g.name, g.earlier) for g in request.resources] == [("photo.png", True), ("blur_image.png", True)]
    assert request.history[0].text == "do it"


def test_no_plan_is_said_in_words_and_the_graph_stays(make, photo):
    session = ask(make(Plan((BLUR,)), Plan((), causes=("No tool makes audio from a table.",))), photo)
    before = session.workflow
    asyncio.run(session.ask("sing this table"))
    assert session.messages[-1].text == "No tool makes audio from a table."
    assert session.workflow == before


def test_a_planner_question_without_a_plan_stays_open(make):
    session = make(Plan((), (Question("Which picture?", "file"),)))
    asyncio.run(session.ask("blur the picture"))
    assert session.messages[-1].open
    assert session.messages[-1].text == "Which picture?"


def test_listeners_hear_what_changed(make, photo):
    session = make(Plan((BLUR,)))
    heard = []
    session.listen(heard.append)
    ask(session, photo)
    seen = Change(0)
    for change in heard:
        seen |= change
    assert Change.RESOURCES | Change.MESSAGES | Change.PLAN | Change.WORKFLOW | Change.BUSY in seen
    assert session.busy == ""


def test_a_saved_workflow_opens_again(make, photo, tmp_path):
    session = ask(make(Plan((BLUR,))), photo)
    session.save(tmp_path / "w.json")
    other = make(Plan((BLUR,)))
    other.open(tmp_path / "w.json")
    assert other.workflow == session.workflow


def test_a_further_part_of_an_edit_is_the_same_undo_step(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    before, note = session.workflow, Note("n")
    session.edit(before.with_decoration(note))
    session.amend(session.workflow.with_decoration(replace(note, text="Mind the cup")))
    assert session.workflow.decorations[0].text == "Mind the cup"
    session.undo()
    assert session.workflow == before
    session.redo()
    assert session.workflow.decorations[0].text == "Mind the cup"


def test_a_new_conversation_is_empty(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    session.new()
    assert (session.messages, session.resources, session.workflow.nodes) == ((), {}, ())
    assert not session.can_undo


def test_an_answer_stays_with_the_conversation_that_it_is_for(make, photo):
    """One that was about to be written when a new conversation began was written there."""
    session = ask(make(Plan((BLUR,))), photo)
    asyncio.run(session.start())
    workflow, run = session.workflow, session.run

    async def go() -> None:
        writing = asyncio.ensure_future(session.answers.write(workflow, run))
        session.new()
        await asyncio.wait_for(writing, PATIENCE)

    asyncio.run(go())
    assert session.messages == ()


def test_an_alternative_tells_what_it_would_download():
    solution = Solution("Any", "", 0.9, ())
    tools = load_tools().tools

    def cost(tool):
        return priced(solution, Workflow(nodes=(Node("a", tool),)), tools, FakeHistory())

    assert cost("text_to_image").download_bytes > 1_000_000_000
    assert cost("segment_points").download_bytes == 0
    assert cost("segment_points").memory_bytes < cost("text_to_image").memory_bytes


def test_undo_brings_back_the_alternatives_and_the_points_of_before(make, photo):
    session = ask(make(Plan((BLUR, READ)), Plan((REMOVE,))), photo)
    asyncio.run(session.ask("remove it", ("photo.png",)))
    session.point("photo.png", (Point(3, 4),))
    session.undo()
    assert session.points == {} and [q.kind for q in session.questions()] == ["point"]
    session.undo()
    assert [a.solution.title for a in session.alternatives] == ["Blur", "Read"]
    session.undo()
    assert session.alternatives == () and not session.can_undo
    for _ in range(3):
        session.redo()
    assert session.points == {"photo.png": (Point(3, 4),)} and session.questions() == ()


def test_a_result_carries_the_part_of_the_workflow_that_made_it(make, photo, tmp_path):
    session = ask(make(Plan((COUNT,))), photo)
    asyncio.run(session.start())
    (name,) = (n for n, place in session.tracker.made.items() if place == ("faces", "boxes"))
    origin = session.origin(session.resources[name])
    assert origin.ids() == ("faces",) and origin.wanted == (("faces", "boxes"),)
    assert [r.name for r in origin.resources] == ["photo.png"]
    assert session.origin(session.resources["photo.png"]) is None


def test_a_result_opens_as_the_workflow_in_it(make, photo, tmp_path):
    session = ask(make(Plan((BLUR,))), photo)
    asyncio.run(session.start())
    (result,) = (r for r in session.resources.values() if r.name != "photo.png")
    target = tmp_path / "result.png"
    files.write(result, session.path_of(result), target, session.origin(result))
    other = make(Plan((READ,)))
    other.open(target)
    assert (
        other.workflow.ids() == ("blur",)
        and other.resources["photo.png"].digest == session.resources["photo.png"].digest
    )
    other.undo()
    assert other.workflow.nodes == ()


def test_after_a_follow_up_the_reasons_belong_to_the_new_nodes(make, photo):
    """Both requests have a step "blur": the reason of the second is not that of the first."""
    first = replace(BLUR, reasons={"blur": "The first reason."})
    session = ask(make(Plan((first,))), photo)
    asyncio.run(session.start())
    made = next(name for name, place in session.tracker.made.items() if place[0] == "blur")
    more = replace(
        BLUR, reasons={"blur": "The second reason."},
        steps=tuple(replace(s, arguments={**s.arguments, "image": FromResource(made)}) for s in BLUR.steps),
    )  # fmt: skip
    session.planning.planner = FakePlanner(Plan((more,)))
    asyncio.run(session.ask("once more", (made,)))
    way = session.alternatives[0]
    assert session.workflow.ids() == ("blur", "blur_2")
    assert dict(way.solution.reasons) == {"blur_2": "The second reason."}
    assert reason_for(way, session.workflow, "blur_2") == "The second reason."
    assert reason_for(way, session.workflow, "blur") == reason_for(way, session.workflow, "gone") == ""
    other = session.workflow.with_node(replace(session.workflow.node("blur_2"), backend="other"))
    assert reason_for(way, other, "blur_2") == ""


def test_what_has_to_be_downloaded_is_looked_at_again_after_coming_back(make, photo, monkeypatch):
    tools = load_tools().tools
    solution = Solution("Any", "", 0.9, ())
    flow = Workflow(nodes=(Node("a", "text_to_image"),))
    way = priced(solution, flow, tools, FakeHistory())
    assert way.download_bytes and looked_at_again((way,), tools)[0] is way
    monkeypatch.setattr(store, "_complete", lambda model: True)
    assert looked_at_again((way,), tools)[0].download_bytes == 0
    session = ask(make(Plan((BLUR, READ))), photo)
    state = replace(session.state.graph, alternatives=(way,))
    session.tools = tools
    session.restore(replace(session.snapshot(), state=state))
    assert session.alternatives[0].download_bytes == 0


def test_an_earlier_plan_is_shown_again_as_one_undo_step(make, photo):
    session = ask(make(Plan((BLUR,)), Plan((READ,))), photo)
    first = session.workflow
    plan = next(m for m in session.messages if m.kind == "plan")
    assert not session.knows_plan(plan.id)
    asyncio.run(session.ask("read it", ("photo.png",)))
    second = session.workflow
    assert session.knows_plan(plan.id) and second != first
    session.come_back(plan.id)
    assert session.workflow == first
    session.undo()
    assert session.workflow == second


def test_a_plan_that_was_pointed_at_or_costs_less_by_now_is_still_the_one_shown(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    plan = next(m for m in session.messages if m.kind == "plan")
    session.point("photo.png", (Point(3, 4),))
    assert not session.knows_plan(plan.id)
    session.state.revalue(tuple(replace(way, download_bytes=7) for way in session.alternatives))
    assert not session.knows_plan(plan.id)
    session.undo()
    assert not session.knows_plan(plan.id)
