"""Laws of the schedule and of whole runs, on graphs that nobody thought of."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events import events
from desktop_app.run.scheduling.dependency_graph import Schedule
from tests.run.helpers import Heard, states


@st.composite
def graphs(draw: st.DrawFn, most: int = 12) -> tuple[list[str], list[tuple[str, str]]]:
    """Node names in an order that respects the links, and the links."""
    size = draw(st.integers(1, most))
    names = [f"n{i}" for i in range(size)]
    pairs = [(a, b) for i, b in enumerate(names) for a in names[:i]]
    return names, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * size)) if pairs else []


def _downstream(links: list[tuple[str, str]], of: set[str]) -> set[str]:
    reached: set[str] = set()
    while more := {b for a, b in links if a in reached | of} - reached:
        reached |= more
    return reached


@given(graphs(), st.randoms(use_true_random=False))
def test_a_node_becomes_ready_once_and_after_what_it_needs(drawn, random):
    names, links = drawn
    schedule = Schedule(names, links)
    ready, done = schedule.first(), []
    while ready:
        node = ready.pop(random.randrange(len(ready)))
        assert all(source in done for source, target in links if target == node)
        assert node not in done
        done.append(node)
        ready += schedule.done(node)
    assert sorted(done) == sorted(names) and schedule.settled


@given(graphs(), st.data())
def test_dropping_takes_exactly_what_is_downstream(drawn, data):
    names, links = drawn
    node = data.draw(st.sampled_from(names))
    schedule = Schedule(names, links)
    dropped = schedule.drop(node)
    assert set(dropped) == _downstream(links, {node})
    assert len(dropped) == len(set(dropped))
    assert set(schedule.unsettled) == set(names) - set(dropped) - {node}


@given(graphs())
def test_rank_is_the_longest_way_to_an_end(drawn):
    names, links = drawn
    ranks = Schedule(names, links).ranks(dict.fromkeys(names, 1.0))
    for source, target in links:
        assert ranks[source] >= ranks[target] + 1
    assert max(ranks.values()) <= len(names)


def _workflow(names: list[str], links: list[tuple[str, str]], bad: set[str], values: dict[str, int]) -> Workflow:
    """Sums: each node adds up what its links bring and a number of its own, except the bad ones, which refuse."""

    def node(name: str) -> Node:
        own: dict[str, Any] = {"extra": values[name], "refuse": name in bad}
        return Node(name, "sum_up", own)

    return Workflow(
        nodes=tuple(node(n) for n in reversed(names)), links=tuple(Link(a, "number", b, "numbers") for a, b in links)
    )


_NEVER_USED = itertools.count(1, 3**20)  # growing, so that a changed node changes every sum after it
_FEW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@_FEW
@given(graphs(8), st.data())
def test_runs_respect_links_and_skip_exactly_what_is_downstream(world, drawn, data):
    names, links = drawn
    bad = data.draw(st.sets(st.sampled_from(names), max_size=2))
    values = {name: data.draw(st.integers(0, 10**6)) for name in names}
    heard = Heard()
    run = world.run(_workflow(names, links, bad, values), heard)
    skipped = _downstream(links, bad)
    failed = bad - skipped
    got = states(run)
    assert {n for n, state in got.items() if state == "failed"} == failed
    assert {n for n, state in got.items() if state == "skipped"} == skipped
    finished = heard.nodes(events.NodeFinished)
    assert sorted(finished) == sorted(set(names) - failed - skipped)
    for source, target in links:
        if target in finished:
            assert finished.index(source) < finished.index(target)
    for event in heard.of(events.NodeSkipped):
        assert event.node in _downstream(links, {event.because})
    sums: dict[str, int] = {}
    for name in names:
        sums[name] = values[name] + sum(sums[a] for a, b in links if b == name)
        if name in finished:
            assert world.value(run, name, "number") == sums[name]


@_FEW
@given(graphs(8), st.data())
def test_a_second_run_takes_exactly_what_is_known_from_the_cache(world, drawn, data):
    names, links = drawn
    values = dict(zip(names, _NEVER_USED, strict=False))
    world.run(_workflow(names, links, set(), values))
    changed = data.draw(st.sets(st.sampled_from(names), max_size=2))
    later = {name: next(_NEVER_USED) if name in changed else value for name, value in values.items()}
    heard = Heard()
    run = world.run(_workflow(names, links, set(), later), heard)
    touched = changed | _downstream(links, changed)
    assert {id for id, node in run.nodes.items() if not node.cached} == touched
    assert set(heard.nodes(events.NodeStarted)) == touched


def test_a_change_of_any_one_of_many_inputs_is_seen(world):
    names, links = ["a", "b", "c", "sum"], [("a", "sum"), ("b", "sum"), ("c", "sum")]
    values = dict(zip(names, _NEVER_USED, strict=False))
    world.run(_workflow(names, links, set(), values))
    for name in "abc":
        run = world.run(_workflow(names, links, set(), values | {name: next(_NEVER_USED)}))
        assert {id for id, node in run.nodes.items() if not node.cached} == {name, "sum"}


@_FEW
@given(graphs(6), st.data())
def test_a_run_that_is_cancelled_anywhere_settles_every_node_once(world, drawn, data):
    names, links = drawn
    moment = data.draw(st.integers(0, 6))
    whom = data.draw(st.none() | st.sampled_from(names))
    values = dict(zip(names, _NEVER_USED, strict=False))
    heard = Heard()

    async def whole() -> None:
        task = asyncio.ensure_future(world.engine.run(_workflow(names, links, set(), values), heard))
        for _ in range(moment):
            await asyncio.sleep(0.0005)
        world.engine.cancel(whom)
        await task

    world.runner.run(whole())
    ends = [e for e in heard.events if isinstance(e, events.NodeFinished | events.NodeCancelled | events.NodeSkipped)]
    assert sorted(e.node for e in ends) == sorted(names)
    cancelled = {e.node for e in ends if isinstance(e, events.NodeCancelled)}
    if whom is not None:
        assert cancelled <= {whom}
        skipped = {e.node for e in ends if isinstance(e, events.NodeSkipped)}
        assert skipped == (_downstream(links, {whom}) if cancelled else set())
    assert heard.last().outcome == ("cancelled" if cancelled else "ok")
    assert heard.last().counts.get("cancelled", 0) == len(cancelled)
