"""Stopping one item of a batch: it alone is missing afterwards, whatever it was doing."""

from __future__ import annotations

from typing import cast

import pytest

from desktop_app.plan.planner import Planner
from desktop_app.run.events import events, recording
from desktop_app.session.session import Change, Session
from tests.fakes import FakePlanner
from tests.run.helpers import Heard, graph, states
from tests.run.toys import TOOLS


def _slow(text: str, *more: str, **nodes):
    """`w` splits the text into words, which feed `p`; a word with "slow" takes half a minute."""
    return graph({"w": ("words", {"text": text}), "p": ("picky", {}), **nodes}, "w.words>p.text", *more)


def _runs(node: str, count: int):
    """True once the node has told that so many items have ended."""
    return lambda heard: any(e.node == node and e.note.startswith(f"{count} of") for e in heard.of(events.NodeProgress))


def _is_slow(heard: Heard) -> bool:
    """True once the item that takes long has reported."""
    return any(e.note.endswith("slow") for e in heard.of(events.NodeProgress))


def test_an_item_that_runs_is_stopped_alone(world):
    flow = _slow("one slow two", "p.text>j.texts", j=("join", {"by": "+"}))
    run = world.run(flow, then=lambda: world.engine.cancel("p", 1), once=_runs("p", 2))
    assert states(run) == {"w": "done", "p": "done", "j": "done"}
    assert world.value(run, "j", "text") == "ONE+TWO"
    (failed,) = run.nodes["p"].failed
    assert failed[1] == "It was stopped."


def test_an_item_that_waits_never_starts(single, tmp_path):
    mark = tmp_path / "calls"
    flow = _slow("slow1 slow2 two", p=("picky", {"mark": str(mark)}))

    def stop() -> None:
        single.engine.cancel("p", 2)
        single.engine.cancel("p", 1)
        single.engine.cancel("p", 0)

    def works(heard: Heard) -> bool:
        return any("slow" in event.note for event in heard.of(events.NodeProgress))

    run = single.run(flow, then=stop, once=works)
    assert len(mark.read_text().split()) == 1
    assert run.nodes["p"].state == "cancelled" and run.outcome == "cancelled"


def test_an_item_that_does_not_listen_is_killed_and_the_others_stay(world, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.1)
    flow = graph(
        {"w": ("words", {"text": "loop well"}), "p": ("misbehave", {}), "j": ("join", {})},
        "w.words>p.how", "p.text>j.texts",
    )  # fmt: skip
    run = world.run(flow, then=lambda: world.engine.cancel("p", 0), once=_runs("p", 1))
    assert states(run) == {"w": "done", "p": "done", "j": "done"}
    assert world.value(run, "j", "text") == "fine"


def test_a_stopped_item_is_computed_the_next_time(world, tmp_path):
    mark = tmp_path / "calls"
    flow = _slow("one slow", p=("picky", {"mark": str(mark)}))
    for _ in range(2):
        world.run(flow, then=lambda: world.engine.cancel("p", 1), once=_is_slow)
    assert sorted(mark.read_text().split()) == ["one", "slow", "slow"]


@pytest.mark.parametrize(("node", "item"), [("p", 7), ("p", -1), ("w", 0), ("gone", 0)])
def test_stopping_what_is_not_there_does_nothing(world, node, item):
    heard = Heard()
    run = world.run(_slow("one two"), heard, then=lambda: world.engine.cancel(node, item))
    assert set(states(run).values()) == {"done"} and not run.nodes["p"].failed


def test_what_is_at_work_is_told_by_index_and_name(single):
    heard = Heard()
    run = single.run(_slow("one slow two"), heard, then=lambda: single.engine.cancel("p", 1), once=_is_slow)
    told = [event.going for event in heard.of(events.NodeProgress) if event.node == "p" and event.going]
    assert {index for going in told for index, _ in going} >= {1}
    assert all(len(going) == 1 for going in told)  # there is one lane
    names = {name for going in told for index, name in going if index == 1}
    assert len(names) == 1 and names.pop() == run.nodes["p"].failed[0][0]
    assert run.nodes["p"].going == ()


def test_the_recording_keeps_what_was_at_work(single, own_home):
    run = single.run(_slow("one slow"), then=lambda: single.engine.cancel("p", 1), once=_is_slow)
    told = [e for e in recording.read(own_home / "runs" / f"{run.id}.jsonl") if isinstance(e, events.NodeProgress)]
    assert any(index == 1 for event in told for index, _ in event.going)


def _session(world) -> Session:
    return Session(TOOLS, cast(Planner, FakePlanner()), world.engine, world.store, world.history)


def test_the_session_stops_one_item_by_what_the_record_tells(world):
    session = _session(world)
    session.edit(_slow("one slow two", "p.text>j.texts", j=("join", {"by": "+"})))

    def stop(change: Change) -> None:
        for index, _ in session.run.nodes["p"].going if "p" in session.run.nodes else ():
            if index == 1:
                session.stop_item("p", index)

    session.listen(stop)
    world.runner.run(session.start())
    assert session.run.outcome == "ok" and len(session.run.nodes["p"].failed) == 1
    assert session.value_of(session.run.nodes["j"].outputs["text"]) == "ONE+TWO"


def test_what_failed_is_tried_again_and_what_follows_but_nothing_else(world, tmp_path):
    mark = tmp_path / "calls"
    session = _session(world)
    other = {"o": ("picky", {"text": "other", "mark": str(mark)})}
    session.edit(_slow("one bad two", "p.text>j.texts", p=("picky", {"mark": str(mark)}), j=("join", {}), **other))
    world.runner.run(session.start(("p", "j")))
    assert sorted(mark.read_text().split()) == ["bad", "one", "two"]
    world.runner.run(session.try_again("p"))
    assert sorted(mark.read_text().split()) == ["bad", "bad", "one", "two"]
    assert set(session.run.nodes) == {"w", "p", "j"} and session.run.nodes["j"].state == "done"
