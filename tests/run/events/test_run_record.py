"""What a run that is being told counts as behind it."""

from __future__ import annotations

import pytest

from desktop_app.run.events.run_record import NodeRun, Run

DONE, STOPPED = NodeRun(state="done"), NodeRun(state="cancelled", fraction=0.5)


def test_what_was_stopped_and_what_waited_for_it_does_not_count_as_ended():
    nodes = {"a": DONE, "b": STOPPED, "c": NodeRun(state="skipped", because="b")}
    for outcome in ("", "cancelled"):
        run = Run("r", outcome=outcome, nodes=nodes)
        assert run.ended == 1
        assert run.fraction == pytest.approx(1 / 3)


def test_what_failed_and_what_waited_for_it_ended():
    run = Run("r", outcome="failed", nodes={"a": NodeRun(state="failed"), "b": NodeRun(state="skipped", because="a")})
    assert run.ended == 2 and run.fraction == 1.0


def test_a_running_node_counts_as_far_as_it_is():
    assert Run("r", nodes={"a": DONE, "b": NodeRun(state="running", fraction=0.5)}).fraction == pytest.approx(0.75)
