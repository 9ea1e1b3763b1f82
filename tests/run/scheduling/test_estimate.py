"""How long it will take, from what is known and from how far it got."""

from __future__ import annotations

import pytest

from desktop_app.core.paths import home
from desktop_app.run.backends.selection import Backends
from desktop_app.run.events import events, recording
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.run.scheduling import durations
from desktop_app.run.scheduling.durations import seconds_left
from desktop_app.storage.database import SAMPLES
from desktop_app.storage.resources import Resource
from desktop_app.storage.timings import Timing
from nodes.api import Backend, Port, ResourceType, Tool
from tests.run.helpers import Heard, graph
from tests.run.toys import TOOLS


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
    world.history.save_results([], [("nap", "built-in", Timing(7.0))] * SAMPLES)
    heard = Heard()
    run = world.run(graph({"a": ("nap", {"seconds": 0.1})}), heard)
    assert [e.seconds_left for e in heard.of(events.NodeStarted)] == [7.0]
    told = [e.seconds_left for e in heard.of(events.NodeProgress)]
    assert told == sorted(told, reverse=True) and all(0 <= left < 7 for left in told)
    assert run.nodes["a"].seconds_left is None
    assert fold_all(Run(), recording.read(home() / "runs" / f"{run.id}.jsonl")) == run


def test_a_batch_is_estimated_as_a_whole(world):
    world.history.save_results([], [("picky", "built-in", Timing(2.0))] * SAMPLES)
    heard = Heard()
    world.run(graph({"w": ("words", {"text": "a b c"}), "p": ("picky", {})}, "w.words>p.text"), heard)
    assert [e.seconds_left for e in heard.of(events.NodeStarted) if e.node == "p"] == [6.0]


def _picture(name: str, pixels: int) -> Resource:
    return Resource(name, ResourceType.IMAGE, name, ".png", {"width": pixels, "height": 1})


def _tools() -> dict[str, Tool]:
    def of(id: str, gives: ResourceType, many: bool = False) -> Tool:
        ports = (Port("image", ResourceType.IMAGE, "", many=many), Port("by", ResourceType.NUMBER, "", default=0.0))
        backend = Backend("built-in", "Built-in", print)
        return Tool(id, id, "image", "", ports, (Port("made", gives, ""),), backends=(backend,))

    kinds = {"grow": ResourceType.IMAGE, "count": ResourceType.NUMBER, "read": ResourceType.TEXT}
    return {id: of(id, kind) for id, kind in kinds.items()} | {"join": of("join", ResourceType.IMAGE, many=True)}


def test_what_a_step_works_on_is_counted_through_the_graph():
    flow = graph(
        {"a": ("grow", {}), "b": ("grow", {}), "n": ("count", {}), "m": ("join", {}), "r": ("read", {}),
         "x": ("grow", {})},
        "p.value>a.image", "a.made>b.image", "a.made>n.image", "n.made>b.by", "p.value>m.image", "a.made>m.image",
        "p.value>r.image", "r.made>x.image",
        resources=(_picture("p", 1000),),
    )  # fmt: skip
    found = durations.sizes_in(flow, _tools(), lambda node: 4.0 if node.tool == "grow" else 0.0)
    assert found == {"a": 1000, "b": 4000, "n": 4000, "m": 5000, "r": 1000, "x": 0}


def test_several_pictures_for_a_step_that_takes_one_count_as_one_of_usual_size():
    flow = graph({"a": ("grow", {})}, "p.value>a.image", "q.value>a.image",
                 resources=(_picture("p", 1000), _picture("q", 3000)))  # fmt: skip
    assert durations.sizes_in(flow, _tools(), lambda node: 0.0) == {"a": 2000}


def test_the_estimate_of_a_run_grows_with_its_input(world):
    world.history.save_results([], [("nap", "built-in", Timing(float(n), 1000.0 * n)) for n in (1, 2)])
    flow = graph({"a": ("nap", {"seconds": 0.0, "text": "z" * 8000})})
    known = durations.Estimates(TOOLS, Backends(), world.history).known(flow)
    assert known == {"a": 8.0}
