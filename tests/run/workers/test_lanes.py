"""Which lane a node gets, and what happens when memory runs out."""

from __future__ import annotations

import pytest

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.backends import availability
from desktop_app.run.events import events
from desktop_app.run.workers import worker_pool
from desktop_app.run.workers.worker_process import words_of_end
from nodes.api import Backend
from tests.run.conftest import World
from tests.run.helpers import Heard, graph
from tests.run.toys import TOOLS


@pytest.fixture
def with_gpu(own_home, monkeypatch):
    """One lane for the CPU and one for a GPU that is not there: nothing here touches it."""
    monkeypatch.setattr(worker_pool, "gpus", lambda: ["cuda:0"])
    made = World(own_home, cpu_lanes=1)
    yield made
    made.close()
    made.runner.close()


def test_a_node_for_the_gpu_gets_its_lane_and_device(with_gpu):
    heard = Heard()
    run = with_gpu.run(graph({"a": ("where", {})}), heard)
    assert heard.of(events.NodeStarted)[0].lane == "GPU 0"
    assert with_gpu.value(run, "a", "text").startswith("cuda:0 ")


def test_without_a_gpu_it_runs_on_the_cpu(own_home, monkeypatch):
    monkeypatch.setattr(worker_pool, "gpus", lambda: [])
    made = World(own_home, cpu_lanes=1)
    run = made.run(graph({"a": ("where", {})}))
    assert made.value(run, "a", "text").startswith("cpu ")
    made.close()
    made.runner.close()


def test_what_waits_for_the_network_does_not_hold_a_cpu_lane(single):
    flow = Workflow(nodes=(Node("far", "where", {}, "afar"), Node("near", "nap", {"seconds": 0.01})))
    heard = Heard()
    single.run(flow, heard)
    assert {e.node: e.lane for e in heard.of(events.NodeStarted)} == {"far": "Network 1", "near": "CPU 1"}


def test_the_lane_that_has_the_model_is_preferred(world):
    world.run(graph({"a": ("nap", {"seconds": 0.1}), "b": ("nap", {"seconds": 0.1, "text": "b"})}))
    assert len([lane for lane in world.engine._pool.lanes() if lane.kind == "cpu"]) == 2
    first = world.value(world.run(graph({"a": ("where", {"text": "1"})})), "a", "text")
    for text in "234":
        assert world.value(world.run(graph({"a": ("where", {"text": text})})), "a", "text") == first


def test_release_ends_the_lanes_with_models_only(single):
    single.run(graph({"a": ("nap", {"seconds": 0.01})}))
    assert single.engine.release() == 0
    first = single.value(single.run(graph({"a": ("where", {"text": "1"})})), "a", "text")
    assert single.engine.release() == 1
    second = single.value(single.run(graph({"a": ("where", {"text": "2"})})), "a", "text")
    assert first != second


def test_models_go_when_nothing_ran_for_a_while(single):
    single.engine.idle_seconds = 0.05
    single.run(graph({"a": ("where", {})}))
    lane = next(single.engine._pool.lanes())

    async def wait() -> None:
        await lane.gone()

    single.runner.run(wait())
    assert not list(single.engine._pool.lanes())


@pytest.mark.parametrize(
    ("meals", "devices", "state"),
    [
        (0, ["cuda:0"], "done"),
        (1, ["cuda:0", "cuda:0"], "done"),
        (2, ["cuda:0", "cuda:0", "cpu"], "done"),
        (9, ["cuda:0", "cuda:0", "cpu"], "failed"),
    ],
)
def test_too_little_memory_empties_the_lane_then_takes_the_cpu(with_gpu, tmp_path, meals, devices, state):
    heard = Heard()
    mark = tmp_path / "calls"
    run = with_gpu.run(graph({"a": ("hungry", {"meals": meals, "mark": str(mark)})}), heard)
    assert mark.read_text().split() == devices
    assert run.nodes["a"].state == state
    assert len([e for e in heard.of(events.NodeProgress) if "memory" in e.note]) == len(devices) - 1
    if state == "failed":
        assert "not enough memory" in run.nodes["a"].message


def test_a_text_larger_than_a_pipe_gets_through(world):
    text = "ü" * 300_000
    run = world.run(graph({"a": ("join", {"texts": [text]})}))
    assert world.value(run, "a", "text") == text


def test_a_process_that_cannot_be_started_fails_the_node(single, monkeypatch):
    def refuse(*_, **__):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("desktop_app.run.workers.worker_process.subprocess.Popen", refuse)
    run = single.run(graph({"a": ("add", {}), "b": ("add", {}), "c": ("split", {"text": "x"})}))
    assert {node.state for node in run.nodes.values()} == {"failed"}
    assert "Resource temporarily unavailable" in run.nodes["a"].message


def test_a_tool_in_a_file_outside_the_packages_is_found_by_its_file(single, tmp_path, monkeypatch):
    import importlib.util
    import sys

    file = tmp_path / "my_own_tool.py"
    file.write_text(
        "from nodes.api import *\n"
        "@tool(id='mine', title='Mine', domain='text', description='x', inputs=(),"
        " outputs=(Port('text', ResourceType.TEXT, 't'),))\n"
        "def mine() -> Text:\n    return 'mine'\n"
    )
    spec = importlib.util.spec_from_file_location("my_own_tool", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "my_own_tool", module)
    spec.loader.exec_module(module)
    single.engine._tools = TOOLS | {"mine": module.mine.tool}
    run = single.run(graph({"a": ("mine", {})}))
    assert single.value(run, "a", "text") == "mine"


def test_what_is_missing_is_named_with_its_fix():
    backend = Backend("b", "B", print, requires=("sh-that-is-not-there", "python:nowhere", "python:json"))
    assert availability.missing(backend) == ("sh-that-is-not-there", "python:nowhere")
    assert "'nowhere'" in availability.fix(backend) and "PATH" in availability.fix(backend)
    assert not availability.available(backend)
    assert availability.available(Backend("b", "B", print))


@pytest.mark.parametrize(("code", "words"), [(-9, "signal 9"), (3, "code 3"), (0xC0000005, "crashed"), (-64, "64")])
def test_ends_are_told_in_words(code, words):
    assert words in words_of_end(code)
