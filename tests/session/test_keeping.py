"""Conversations survive: round trip, autosave, deletion and its undo, the death of the program."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from desktop_app.core.errors import BadRequest, BadWorkflow
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.plan.types import Plan, Solution, Step
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.autosave import Autosave, ConversationStore, open_kept, open_last
from desktop_app.session.snapshot_codec import Snapshot, from_text, to_text
from desktop_app.storage.database import History
from nodes.api import Point
from tests.session.test_session import BLUR, COUNT, PHOTO, READ, REMOVE, ask, make, photo
from tests.waiting import until

__all__ = ["make", "photo"]


@pytest.fixture
def history(tmp_path):
    made = History(tmp_path / "history.sqlite")
    yield made
    made.close()


@pytest.fixture
def conversations(history):
    return ConversationStore(history)


def again(session) -> Snapshot:
    return from_text(to_text(session.snapshot()))


@pytest.mark.parametrize("begun", [False, True])
def test_the_last_conversation_comes_only_where_nothing_was_begun(make, photo, conversations, begun):
    before = ask(make(Plan((BLUR,))), photo)
    conversations.save(before.snapshot())
    session = make(Plan((BLUR,)))
    if begun:
        session.begin()
    asyncio.run(open_last(session, conversations))
    assert (session.id == before.id) is not begun


def test_files_on_a_canvas_are_kept_before_any_word_is_said(make, conversations, photo):
    async def act(session):
        autosave = Autosave(session, conversations)
        resource = session.attach(photo)
        session.edit(session.workflow.with_resource(resource))
        await autosave.finish()

    session = make(Plan(()))
    asyncio.run(act(session))
    assert [one.name for one in conversations.read(session.id).state.workflow.resources] == ["photo.png"]


def test_a_file_that_is_on_its_way_is_not_lost_to_the_last_conversation(make, photo, conversations, tmp_path):
    conversations.save(ask(make(Plan((BLUR,))), photo).snapshot())
    session = make(Plan((BLUR,)))
    (tmp_path / "note.txt").write_text("abc")

    async def both() -> None:
        await asyncio.gather(session.bring(tmp_path / "note.txt"), open_last(session, conversations))

    asyncio.run(both())
    assert list(session.resources) == ["note.txt"]


def test_everything_that_is_shown_comes_back(make, photo):
    session = ask(make(Plan((COUNT, READ))), photo)
    session.move({"faces": (12.0, 34.0), "photo.png": (1.0, 2.0)})
    asyncio.run(session.start())
    other = make(Plan((BLUR,)))
    other.restore(again(session))
    for name in ("id", "title", "messages", "resources", "workflow", "chosen", "points"):
        assert getattr(other, name) == getattr(session, name), name
    assert [(a.solution.title, a.workflow, a.seconds) for a in other.alternatives] == [
        (a.solution.title, a.workflow, a.seconds) for a in session.alternatives
    ]
    assert other.run.nodes["count"].outputs == session.run.nodes["count"].outputs
    assert other.value_of(other.run.nodes["count"].outputs["number"]) == 2


def test_what_it_cost_and_why_each_back_end_was_chosen_come_back(make, photo):
    session = ask(make(Plan((replace(COUNT, reasons={"count": "It is the fastest here."}),))), photo)
    session.state.tally.add(Spent(3000, 120, True, 0.5))
    message = session.state.log.say("assistant", "Done.", spent=Spent(10, 2, False, 0.25))
    other = make(Plan((BLUR,)))
    other.restore(again(session))
    assert other.spent == Spent(3000, 120, True, 0.5) and other.messages[-1] == message
    assert other.alternatives[0].solution.reasons == {"count": "It is the fastest here."}
    other.state.tally.add(Spent(1, 1))
    assert other.spent == Spent(3001, 121, True), "its price is not known any more"


def test_a_conversation_of_before_tokens_were_counted_opens(make, photo):
    data = json.loads(to_text(ask(make(Plan((COUNT,))), photo).snapshot()))
    del data["spent"]
    assert from_text(json.dumps(data)).spent == Spent()


def test_undo_and_the_other_ways_go_on_after_coming_back(make, photo):
    session = ask(make(Plan((BLUR, READ))), photo)
    session.choose(1)
    session.edit(session.workflow.without("read"))
    other = make(Plan((BLUR,)))
    other.restore(again(session))
    other.undo()
    assert other.workflow.ids() == ("read",)
    other.undo()
    assert (other.workflow.ids(), other.chosen) == (("blur",), 0)
    other.redo()
    other.choose(0)
    assert other.workflow.ids() == ("blur",)


def test_an_open_question_can_still_be_answered(make, photo):
    session = ask(make(Plan((REMOVE,))), photo)
    other = make(Plan((BLUR,)))
    other.restore(again(session))
    assert [q.kind for q in other.questions()] == ["point"] and other.messages[-1].open
    other.point("photo.png", (Point(3, 4), Point(5, 6, False)))
    assert other.questions() == () and not other.messages[-1].open
    third = make(Plan((BLUR,)))
    third.restore(again(other))
    assert third.points == {"photo.png": (Point(3, 4), Point(5, 6, False))}


def test_a_follow_up_grows_from_results_of_before(make, photo):
    session = ask(make(Plan((BLUR,))), photo)
    asyncio.run(session.start())
    more = Solution("More", "", 0.9, (Step("blur", "blur", {"image": PHOTO["image"].__class__("blur_image.png")}),))
    other = make(Plan((more,)))
    other.restore(again(session))
    asyncio.run(other.ask("blur it more"))
    assert other.workflow.ids() == ("blur", "blur_2")
    assert len({m.id for m in other.messages}) == len(other.messages)


def test_a_run_in_progress_comes_back_as_lost(make, photo):
    session = ask(make(Plan((COUNT,))), photo)
    nodes = {"faces": NodeRun("running", fraction=0.4), "count": NodeRun("waiting")}
    snapshot = replace(session.snapshot(), run=Run("r1", 1.0, nodes))
    run = from_text(to_text(snapshot)).run
    assert run.outcome == "lost" and not run.running
    assert {node.state for node in run.nodes.values()} == {"cancelled"}


def test_a_workflow_is_written_once_however_many_steps_share_it(make, photo):
    session = ask(make(Plan((BLUR, READ))), photo)
    for _ in range(40):
        session.choose(1)
        session.choose(0)
    data = json.loads(to_text(session.snapshot()))
    assert len(data["workflows"]) == 2
    assert len(data["undo"]) == 50


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 99}', '{"format": "x"}'])
def test_what_is_no_conversation_is_refused_in_words(text):
    with pytest.raises(BadWorkflow):
        from_text(text)


def test_a_damaged_conversation_is_listed_and_changes_nothing_when_opened(make, photo, history, conversations):
    session = ask(make(Plan((BLUR,))), photo)
    before = session.workflow
    history.save_conversation("x", "Broken", '{"format": 1, "id": ')
    assert [kept.title for kept in conversations.list()] == ["Broken"]
    with pytest.raises(BadWorkflow, match="damaged"):
        asyncio.run(open_kept(session, conversations, "x"))
    assert session.workflow == before
    with pytest.raises(BadRequest):
        asyncio.run(open_kept(session, conversations, "gone"))


def test_the_list_tells_what_was_said_and_shows_a_picture(make, photo, conversations):
    session = ask(make(Plan((COUNT,))), photo, "count the faces")
    conversations.save(session.snapshot())
    (kept,) = conversations.list()
    assert (kept.id, kept.title, kept.nodes) == (session.id, "count the faces", 2)
    assert kept.picture == session.resources["photo.png"] and "count the faces" in kept.text


def test_what_was_taken_off_again_is_not_the_picture_of_a_conversation(make, photo, conversations, tmp_path):
    session = make(Plan((COUNT,)))
    session.attach(shutil.copy(photo, tmp_path / "first.png"))
    conversations.save(ask(session, photo, "count the faces").snapshot())
    assert conversations.list()[0].picture == session.resources["photo.png"]


def test_only_what_was_saved_since_is_read_again_for_the_list(history, conversations, monkeypatch):
    read: list[str] = []
    data = history.conversation
    monkeypatch.setattr(history, "conversation", lambda id: (read.append(id), data(id))[1])
    for id in ("1", "2"):
        history.save_conversation(id, f"Conversation {id}", "{}")
    assert [kept.id for kept in conversations.list()] == ["2", "1"] and read == ["2", "1"]
    assert [kept.id for kept in conversations.list(1)] == ["2"] and len(read) == 2
    history.save_conversation("1", "Renamed", "{}")
    assert [kept.title for kept in conversations.list()] == ["Renamed", "Conversation 2"] and read == ["2", "1", "1"]
    conversations.delete("2")
    assert [kept.id for kept in conversations.list()] == ["1"]


def test_deleting_can_be_taken_back(make, photo, conversations):
    session = ask(make(Plan((COUNT,))), photo)
    conversations.save(session.snapshot())
    restore = conversations.delete(session.id)
    assert conversations.list() == ()
    restore()
    assert conversations.read(session.id).state.workflow == session.workflow


class Counting(ConversationStore):
    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.saved: list[Snapshot] = []

    def save(self, snapshot: Snapshot) -> None:
        self.saved.append(snapshot)
        super().save(snapshot)


async def test_many_changes_are_saved_at_once_and_the_last_state_counts(make, photo, history):
    conversations = Counting(history)
    session = make(Plan((BLUR,)))
    told = []
    saving = Autosave(session, conversations, told.append, seconds=30)
    name = session.attach(photo).name
    await session.ask("do it", (name,))
    await session.start()
    await saving.finish()
    assert len(conversations.saved) == 1 and told == [""]
    assert conversations.read(session.id).messages == session.messages


async def test_it_is_saved_without_being_asked(make, photo, history):
    conversations = Counting(history)
    session = make(Plan((BLUR,)))
    Autosave(session, conversations, seconds=0.01)
    await session.ask("do it", (session.attach(photo).name,))
    await until(lambda: conversations.saved and conversations.saved[-1].messages == session.messages)


async def test_the_conversation_that_is_left_is_saved_as_it_was(make, photo, history):
    conversations = Counting(history)
    session = make(Plan((BLUR,)))
    saving = Autosave(session, conversations, seconds=30)
    await session.ask("do it", (session.attach(photo).name,))
    first = session.id
    session.new()
    await saving.finish()
    assert [s.id for s in conversations.saved] == [first]
    assert len(conversations.saved[0].messages) == 2


async def test_an_empty_conversation_is_not_kept(make, history):
    conversations = Counting(history)
    session = make(Plan((BLUR,)))
    saving = Autosave(session, conversations, seconds=30)
    session.edit(Workflow())
    session.new()
    await saving.finish()
    assert conversations.saved == []


async def test_a_full_disk_is_told_and_the_next_time_it_works(make, photo, history, monkeypatch):
    from desktop_app.core.errors import StorageError

    conversations = ConversationStore(history)
    session, told = make(Plan((BLUR,))), []
    real = history.save_conversation

    def full(*_):
        raise StorageError("The disk is full.", "Free some space.")

    saving = Autosave(session, conversations, told.append, seconds=30)
    monkeypatch.setattr(history, "save_conversation", full)
    await session.ask("do it", (session.attach(photo).name,))
    await saving.finish()
    monkeypatch.setattr(history, "save_conversation", real)
    session.edit(session.workflow.without("blur"))
    await saving.finish()
    assert told == ["The disk is full. Free some space.", ""]
    assert conversations.read(session.id).state.workflow == session.workflow


def test_what_a_left_conversation_still_does_is_not_put_into_the_new_one(make, photo):
    session = ask(make(Plan((COUNT,))), photo)

    async def act():
        run = asyncio.ensure_future(session.start())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        session.new()
        await run

    asyncio.run(act())
    assert session.messages == () and session.resources == {} and not session.run.nodes and session.busy == ""


KILLED = """
import asyncio, sys
from pathlib import Path
from desktop_app import app
from desktop_app.session.autosave import Autosave, ConversationStore
from desktop_app.core.paths import RESOURCES
from desktop_app.core.settings import Settings

async def main():
    parts = app._with_history(Settings())
    session, history = parts.session, parts.history
    Autosave(session, ConversationStore(history), lambda problem: print("saved", problem, flush=True), seconds=0.05)
    name = (await session.bring(RESOURCES / "examples" / "coffee.jpg")).name
    await session.ask("Remove the object I point at", (name,))
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_a_conversation_survives_the_death_of_the_program(own_home):
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    history = None
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and process.stdout.readline():
            history = history or History(own_home / "history.sqlite")
            found = ConversationStore(history).list()
            if found and found[0].nodes:
                break
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        if history is not None:
            history.close()
    after = History(own_home / "history.sqlite")
    (kept,) = ConversationStore(after).list()
    snapshot = ConversationStore(after).read(kept.id)
    after.close()
    assert kept.title == "Remove the object I point at"
    assert snapshot.state.workflow.nodes and snapshot.messages[0].resources == ("coffee.jpg",)


def test_of_large_graphs_fewer_steps_are_kept(make):
    from desktop_app.graph.workflow import Node

    session = make(Plan((BLUR,)))
    for count in range(8):
        session.edit(Workflow(nodes=tuple(Node(f"n{i}", "blur", {"n": count}) for i in range(600))))
    data = json.loads(to_text(session.snapshot()))
    assert len(data["undo"]) == 3


def test_a_conversation_of_format_1_opens_with_its_undo(make, photo):
    session = ask(make(Plan((BLUR, READ))), photo)
    session.choose(1)
    data = json.loads(to_text(session.snapshot()))
    state = data.pop("state")
    old = {
        **data,
        "format": 1,
        "points": {},
        "workflow": state["workflow"],
        "chosen": 1,
        "alternatives": data["ways"][0],
    }
    old["undo"] = [[step["workflow"], step["chosen"]] for step in data["undo"]]
    other = make(Plan((BLUR,)))
    other.restore(from_text(json.dumps(old)))
    assert other.workflow == session.workflow and len(other.alternatives) == 2
    other.undo()
    assert other.workflow.ids() == ("blur",)
