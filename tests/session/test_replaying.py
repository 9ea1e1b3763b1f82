"""A recorded run as a session: at any moment what the run was then, and nothing in it can be changed."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.session import replay as replaying
from desktop_app.session.messages import Change
from desktop_app.session.replay import Replay
from desktop_app.session.view import read_only
from desktop_app.storage.resources import Store
from nodes.api import Point
from tests import tapes

WORKFLOW = Workflow((), tuple(Node(f"n{i}", "toy") for i in range(3)), ())


@pytest.fixture
def replay(tmp_path):
    path = tapes.tape(tmp_path / "r.jsonl", WORKFLOW, tapes.chain(WORKFLOW))
    return Replay(replaying.read(path), {}, Store(tmp_path / "store"))


def states(run: Run) -> list[str]:
    return [node.state for node in run.nodes.values()]


def test_each_moment_shows_what_the_run_was_then(replay):
    assert states(replay.run) == ["running", "waiting", "waiting"]
    replay.seek(5.0)
    assert states(replay.run) == ["done", "running", "waiting"] and replay.run.running
    replay.seek(99.0)
    assert states(replay.run) == ["done", "done", "failed"] and replay.run.outcome == "failed"
    replay.seek(1.0)
    assert states(replay.run) == ["running", "waiting", "waiting"] and replay.run.outcome == ""


def test_any_way_to_a_moment_ends_at_the_same_record(tmp_path, monkeypatch):
    monkeypatch.setattr(replaying, "_STRIDE", 4)
    told = tapes.chain(WORKFLOW)
    tape = replaying.read(tapes.tape(tmp_path / "r.jsonl", WORKFLOW, told))
    for first, second in itertools.product((0.0, 0.9, 4.0, 7.3, 12.0), repeat=2):
        replay = Replay(tape, {}, Store(tmp_path / "store"))
        replay.seek(first)
        replay.seek(second)
        plain = fold_all(Run(), (replaying._kept(event) for at, event in told if at <= second))
        assert replay.run.nodes == plain.nodes and replay.run.outcome == plain.outcome


def test_the_clock_of_the_run_is_that_of_the_replay(replay, monkeypatch):
    replay.seek(5.0)
    for now in (1000.0, 2000.0):
        monkeypatch.setattr(replaying.time, "time", lambda now=now: now)
        assert now - replay.run.time == 5.0


def test_playing_goes_at_its_speed_and_stops_at_the_end(replay):
    heard = []
    replay.listen(heard.append)
    replay.advance(1.0)
    assert replay.position == 0.0 and heard == []
    replay.speed = 4.0
    replay.play()
    replay.advance(1.0)
    assert replay.position == 4.0 and heard == [Change.RUN]
    replay.advance(100.0)
    assert replay.ended and not replay.playing
    replay.play()
    assert replay.position == 0.0 and replay.playing


def test_pictures_of_steps_are_left_out(replay):
    replay.seek(1.0)
    assert replay.run.nodes["n0"].note == "step 1 of 5" and replay.run.nodes["n0"].preview == ""


@pytest.mark.parametrize(
    "verb",
    [
        lambda r: r.edit(Workflow()), lambda r: r.point("x", [Point(1, 1)]), lambda r: asyncio.run(r.start()),
        lambda r: asyncio.run(r.ask("blur it")), lambda r: r.choose(0),
    ],
)  # fmt: skip
def test_nothing_in_it_can_be_changed(replay, verb):
    shown = read_only(replay)
    with pytest.raises(BadRequest, match="nothing can be changed"):
        verb(shown)
    shown.undo()
    shown.move({"n0": (5.0, 5.0)})
    assert replay.workflow == WORKFLOW and len(replay.messages) == 1


def test_a_file_that_is_no_recording_is_refused(tmp_path):
    (tmp_path / "notes.jsonl").write_text('{"event": "Owner"}\nhello\n')
    with pytest.raises(BadRequest, match=r"notes\.jsonl is no recording"):
        replaying.read(tmp_path / "notes.jsonl")
    with pytest.raises(BadRequest, match="cannot be read"):
        replaying.read(tmp_path / "nowhere.jsonl")


def test_a_recording_without_its_workflow_is_refused(tmp_path):
    path = tapes.tape(tmp_path / "old.jsonl", None, tapes.chain(WORKFLOW))
    with pytest.raises(BadRequest, match="does not say what ran"):
        replaying.read(path)
