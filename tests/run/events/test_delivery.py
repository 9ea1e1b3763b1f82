"""Events reach the listener in order, few times, and after they are safe."""

from __future__ import annotations

import asyncio
import itertools

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.run.events.batching import Delivery
from desktop_app.run.events.events import NodeFinished, NodeProgress, NodeStarted
from tests.waiting import FakeTimeLoop


def _deliver(*groups, pause: float = 0.0):
    """Adds each group in one turn of a loop, and returns the batches."""
    told, kept = [], []

    async def whole() -> None:
        delivery = Delivery(asyncio.get_running_loop(), kept.append, told.append)
        for group in groups:
            for event in group:
                delivery.add(event)
            await asyncio.sleep(pause)
        delivery.flush()

    with asyncio.Runner(loop_factory=FakeTimeLoop) as runner:
        runner.run(whole())
    assert kept == told
    return told


def test_the_first_event_of_a_quiet_time_goes_at_once():
    assert _deliver([NodeStarted("a", "CPU 1", 0.0)], [])[0] == (NodeStarted("a", "CPU 1", 0.0),)


def test_of_progress_only_the_newest_goes():
    progress = [NodeProgress("a", n / 10) for n in range(10)]
    assert _deliver([NodeStarted("a", "", 0), *progress]) == [(NodeStarted("a", "", 0), progress[-1])]


def test_what_comes_fast_comes_in_few_batches():
    """A tenth of a second at 30 batches a second: the first at once, three more, and what is left at the end."""
    batches = _deliver(*([NodeProgress("a", n / 100)] for n in range(100)), pause=0.001)
    assert 4 <= len(batches) <= 5
    assert batches[-1][-1].fraction == 0.99


_EVENTS = st.lists(
    st.one_of(
        st.builds(NodeProgress, st.sampled_from("ab"), st.floats(0, 1)),
        st.builds(NodeStarted, st.sampled_from("ab"), st.just(""), st.floats(0, 9)),
        st.builds(lambda n: NodeFinished(n, {}, 0.0, False, 0.0), st.sampled_from("ab")),
    )
)


@given(_EVENTS)
def test_nothing_but_outdated_progress_is_lost_and_order_is_kept(given_events):
    (told,) = _deliver(given_events) or [()]
    assert [e for e in told if not isinstance(e, NodeProgress)] == [
        e for e in given_events if not isinstance(e, NodeProgress)
    ]
    for node in "ab":
        mine, came = ([e for e in group if e.node == node] for group in (given_events, told))
        newest = [
            e for e, after in itertools.zip_longest(mine, mine[1:])
            if not (isinstance(e, NodeProgress) and isinstance(after, NodeProgress))
        ]  # fmt: skip
        assert came == newest
