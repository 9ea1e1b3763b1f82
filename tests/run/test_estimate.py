"""How long it will take, from what is known and from how far it got."""

from __future__ import annotations

import pytest

from desktop_app.core.paths import home
from desktop_app.run.events import events, recording
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.run.scheduling import durations
from desktop_app.run.scheduling.durations import seconds_left
from desktop_app.storage.database import SAMPLES
from tests.run.helpers import Heard, graph


@pytest.mark.parametrize(
    ("elapsed", "fraction", "usual", "left"),
    [
        (0.0, 0.0, None, None),
        (0.0, 0.0, 8.0, 8.0),
        (3.0, 0.0, 8.0, 5.0),
        (9.0, 0.0, 8.0, 0.0),
        (2.0, 0.5, 8.0, 2.0),
        (2.0, 0.25, None, 6.0),
        (0.1, 0.5, 8.0, 7.9),
        (10.0, 0.01, None, None),
        (4.0, 1.0, 8.0, 0.0),
    ],
)
def test_what_is_left_follows_from_the_fraction_else_from_experience(elapsed, fraction, usual, left):
    assert seconds_left(elapsed, fraction, usual) == pytest.approx(left)


@pytest.fixture
def by_experience(monkeypatch):
    """However long a node takes on a busy machine, its fraction tells nothing."""
    monkeypatch.setattr(durations, "TELLING_SECONDS", 1e9)


@pytest.mark.usefixtures("by_experience")
def test_what_never_ran_is_not_estimated(world):
    heard = Heard()
    world.run(graph({"a": ("nap", {"seconds": 0.1})}), heard)
    assert [e.seconds_left for e in heard.of(events.NodeStarted)] == [None]
    assert {e.seconds_left for e in heard.of(events.NodeProgress)} == {None}


@pytest.mark.usefixtures("by_experience")
def test_what_ran_before_is_estimated_from_its_start_on(world):
    world.history.save_results([], [("nap", "built-in", 7.0)] * SAMPLES)
    heard = Heard()
    run = world.run(graph({"a": ("nap", {"seconds": 0.1})}), heard)
    assert [e.seconds_left for e in heard.of(events.NodeStarted)] == [7.0]
    told = [e.seconds_left for e in heard.of(events.NodeProgress)]
    assert told == sorted(told, reverse=True) and all(0 <= left < 7 for left in told)
    assert run.nodes["a"].seconds_left is None
    assert fold_all(Run(), recording.read(home() / "runs" / f"{run.id}.jsonl")) == run


def test_a_batch_is_estimated_as_a_whole(world):
    world.history.save_results([], [("picky", "built-in", 2.0)] * SAMPLES)
    heard = Heard()
    world.run(graph({"w": ("words", {"text": "a b c"}), "p": ("picky", {})}, "w.words>p.text"), heard)
    assert [e.seconds_left for e in heard.of(events.NodeStarted) if e.node == "p"] == [6.0]
