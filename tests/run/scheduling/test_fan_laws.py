"""Laws of fan-out, on graphs that nobody thought of: states, values, and what is computed a second time."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.run.events import events
from tests.run.helpers import Heard, states
from tests.run.oracle import OUTPUT, expected, random_flow, seen

_FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@_FEW
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_every_value_and_state_is_what_it_must_be_and_nothing_runs_twice(world, tmp_path, seed, size):
    mark = tmp_path / "calls"
    mark.write_text("")
    flow = random_flow(Random(seed), size, mark=str(mark))
    wanted = expected(flow)
    heard = Heard()
    run = world.run(flow, heard)
    assert states(run) == {id: outcome.state for id, outcome in wanted.items()}
    for id, outcome in wanted.items():
        if outcome.state == "done":
            assert world.value(run, id, OUTPUT[flow.node(id).tool]) == seen(outcome.value)
            assert len(run.nodes[id].failed) == outcome.failed
    calls = mark.read_text().splitlines()
    assert len(calls) == len(set(calls))
    finished = heard.nodes(events.NodeFinished)
    for link in flow.links:
        if link.target in finished:
            assert finished.index(link.source) < finished.index(link.target)


@_FEW
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_a_second_run_computes_only_what_failed(world, seed, size):
    flow = random_flow(Random(seed), size)
    first = world.run(flow)
    heard = Heard()
    again = world.run(flow, heard)
    failed = {id for id, node in first.nodes.items() if node.failed or "refused" in node.message}
    assert set(heard.nodes(events.NodeStarted)) == failed
    assert {id: node.outputs for id, node in again.nodes.items()} == {id: n.outputs for id, n in first.nodes.items()}


@_FEW
@given(st.integers(0, 2**32), st.integers(2, 8), st.integers(0, 12), st.booleans())
def test_stopping_a_graph_of_batches_settles_every_node_once(world, seed, size, moment, everything):
    random = Random(seed)
    flow = random_flow(random, size, refuse=False, seconds=0.001)
    whom = None if everything else random.choice(flow.ids())
    heard = Heard()
    run = world.run(flow, heard, then=lambda: world.engine.cancel(whom), once=lambda h: _passed(h, moment))
    ended = (events.NodeFinished, events.NodeCancelled, events.NodeSkipped, events.NodeFailed)
    assert sorted(e.node for e in heard.events if isinstance(e, ended)) == sorted(flow.ids())
    wanted = expected(flow)
    for id, node in run.nodes.items():
        if node.state == "done":
            assert world.value(run, id, OUTPUT[flow.node(id).tool]) == seen(wanted[id].value)


def _passed(heard: Heard, moment: int) -> bool:
    """So many events have passed, or all have."""
    return len(heard.events) > moment or isinstance(heard.events[-1], events.RunFinished)
