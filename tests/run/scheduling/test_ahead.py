"""Quick chains are given to a lane ahead; nobody can tell, but by the time it takes."""

from __future__ import annotations

import pytest

from desktop_app.run.events import events
from desktop_app.run.workers.worker_process import Lane
from desktop_app.storage.database import SAMPLES
from desktop_app.storage.timings import Timing
from tests.run.helpers import Heard, chain, graph, states


@pytest.fixture
def quick(single, monkeypatch):
    """A world that knows its tools to be quick, and notes what was sent ahead."""
    single.history.save_results(
        [], [(tool, "built-in", Timing(0.001)) for tool in ("add", "misbehave", "split")] * SAMPLES
    )
    single.sent = []
    send = Lane.send_ahead

    def note(lane, messages):
        single.sent += [message["job"] for message in messages]
        send(lane, messages)

    monkeypatch.setattr(Lane, "send_ahead", note)
    return single


def test_a_chain_gives_the_same_as_without(quick):
    heard = Heard()
    run = quick.run(chain(60, more=2), heard)
    assert len(quick.sent) > 40
    assert [quick.value(run, f"n{i}", "number") for i in range(60)] == [2.0 * (i + 1) for i in range(60)]
    for kind in (events.NodeQueued, events.NodeStarted, events.NodeFinished):
        assert heard.nodes(kind) == [f"n{i}" for i in range(60)]
    again = Heard()
    quick.run(chain(60, more=2), again)
    assert not again.of(events.NodeStarted)


def test_a_known_result_in_the_middle_is_taken(quick):
    flow = chain(8, more=3)
    quick.run(flow)
    heard = Heard()
    quick.run(flow.with_value("n0", "more", 1).with_value("n0", "number", 2), heard)
    assert quick.sent and heard.nodes(events.NodeStarted) == ["n0"]
    assert {e.cached for e in heard.of(events.NodeFinished) if e.node != "n0"} == {True}
    assert quick.run(chain(5, more=4)).outcome == "ok"


def _line(how: str):
    return graph(
        {"a": ("split", {"text": f"{how} x"}), "b": ("misbehave", {}), "c": ("split", {}), "d": ("split", {})},
        "a.first>b.how", "b.text>c.text", "c.rest>d.text",
    )  # fmt: skip


@pytest.mark.parametrize(("how", "words"), [("raise", "ZeroDivisionError"), ("end", "code 7")])
def test_a_failure_in_the_middle_skips_what_comes_after(quick, how, words):
    run = quick.run(_line(how))
    assert "b" in quick.sent
    assert states(run) == {"a": "done", "b": "failed", "c": "skipped", "d": "skipped"}
    assert words in run.nodes["b"].message
    assert quick.run(chain(5, more=4)).outcome == "ok"


def test_one_that_hangs_is_killed_as_any_other(quick, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.2)
    run = quick.run(_line("loop"), then=quick.engine.cancel, once=lambda h: h.reports("b"))
    assert states(run) == {"a": "done", "b": "cancelled", "c": "cancelled", "d": "cancelled"}
    assert quick.run(chain(5, more=4)).outcome == "ok"


def test_cancelling_the_first_of_a_chain_leaves_the_lane_free(quick):
    for turn in range(5):
        quick.run(chain(40, more=10 + turn), then=quick.engine.cancel)
        run = quick.run(chain(40, more=20 + turn))
        assert quick.value(run, "n39", "number") == 40 * (20 + turn)


def test_what_forks_is_not_sent_ahead(quick):
    flow = graph({id: ("add", {"more": 7}) for id in "abc"}, "a.number>b.number", "a.number>c.number")
    quick.run(flow)
    assert not quick.sent
