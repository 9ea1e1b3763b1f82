"""The engine obeys modes: bypassed nodes are not there, muted ones are skipped; and what is known may be made again."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.run.events import events, recording
from tests.run.helpers import Heard, chain, graph


def switched(workflow, id, mode):
    return workflow.with_node(replace(workflow.node(id), mode=mode))


LINE = graph(
    {"a": ("add", {"more": 1}), "b": ("add", {"more": 10}), "c": ("add", {"more": 100})},
    "a.number>b.number", "b.number>c.number",
)  # fmt: skip


def test_a_bypassed_node_passes_its_input(world):
    run = world.run(switched(LINE, "b", "bypass"))
    assert run.outcome == "ok" and set(run.nodes) == {"a", "c"}
    assert world.value(run, "c", "number") == 101


def test_a_muted_node_and_what_depends_on_it_are_skipped(world):
    heard = Heard()
    run = world.run(switched(LINE, "b", "mute"), heard)
    assert {id: node.state for id, node in run.nodes.items()} == {"a": "done", "b": "skipped", "c": "skipped"}
    assert (run.nodes["c"].because, run.nodes["c"].cause) == ("b", "muted")
    assert run.outcome == "ok" and heard.last().counts == {"done": 1, "cached": 0, "skipped": 2}


def test_a_run_of_muted_nodes_only_ends(world):
    run = world.run(switched(LINE, "a", "mute"))
    assert run.outcome == "ok" and {node.state for node in run.nodes.values()} == {"skipped"}


def test_the_cause_survives_the_recording():
    event = events.NodeSkipped("c", "b", "muted")
    assert recording.from_json(recording.to_json(event)) == event
    assert recording.from_json({"event": "NodeSkipped", "node": "c", "because": "b"}) == events.NodeSkipped("c", "b")


def test_what_is_asked_for_again_is_computed_though_it_is_known(world):
    world.run(LINE)
    heard = Heard()
    world.runner.run(world.engine.run(LINE, heard, None, {"b"}))
    assert heard.nodes(events.NodeStarted) == ["b"]
    assert heard.last().counts["cached"] == 2


def test_a_run_to_several_nodes_runs_what_they_need(world):
    both = graph(
        {"a": ("add", {}), "b": ("add", {"more": 2}), "c": ("add", {"more": 3}), "d": ("add", {"more": 4})},
        "a.number>b.number", "a.number>c.number",
    )  # fmt: skip
    run = world.runner.run(world.engine.run(both, Heard(), ("b", "c")))
    assert set(run.nodes) == {"a", "b", "c"}


def test_a_run_to_a_bypassed_node_runs_what_it_passes(world):
    run = world.run(switched(LINE, "b", "bypass"), upto="b")
    assert set(run.nodes) == {"a"} and run.outcome == "ok"


def test_a_chain_with_modes_is_remembered_with_them(world):
    workflow = switched(chain(2), chain(2).ids()[0], "mute")
    world.run(workflow)
    assert world.engine._written[0] is workflow
