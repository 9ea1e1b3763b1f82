"""Stopping one item of a batch: it alone is missing afterwards, whatever it was doing."""

from __future__ import annotations

import pytest

from desktop_app.run import events
from tests.run.helpers import Heard, graph, states


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

    run = single.run(flow, then=stop, once=lambda heard: heard.reports("p"))
    assert len(mark.read_text().split()) == 1
    assert run.nodes["p"].state == "cancelled" and run.outcome == "cancelled"


def test_an_item_that_does_not_listen_is_killed_and_the_others_stay(world, monkeypatch):
    monkeypatch.setattr("desktop_app.run.lane.GRACE_SECONDS", 0.1)
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
