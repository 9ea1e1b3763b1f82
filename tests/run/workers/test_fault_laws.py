"""A tool that writes where only messages belong, one that splits its process, one that leaves something running: each
ends as a clear failure of that node alone, or does no harm.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_app.core.paths import home
from desktop_app.run.events import events
from desktop_app.run.workers import fork_guard, protocol
from tests.run.helpers import Heard, chain, ends, graph, states

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks and pipes of POSIX")
FAILS_ALONE = {"bad": "failed", "after": "skipped", "free": "done", "last": "done"}


def _beside(how: str, **more):
    """The misbehaving node, one that depends on it, and an independent pair that must not notice."""
    return graph(
        {"bad": ("misbehave", {"how": how, **more}), "after": ("split", {}), "free": ("nap", {"seconds": 0.05}),
         "last": ("split", {})},
        "bad.text>after.text", "free.text>last.text",
    )  # fmt: skip


# Garbage in the pipe


@pytest.mark.parametrize(
    "how",
    [
        "random bytes",
        "a line of text",
        "half a line",
        "an empty line",
        "a deep line",
        "another shape",
        "a list",
        "no number",
        "a node that is not there",
        "other outputs",
        "many for one",
    ],
)
def test_garbage_in_the_pipe_fails_the_node_alone(world, how):
    run = world.run(_beside(how))
    assert states(run) == FAILS_ALONE
    bad = run.nodes["bad"]
    assert "wrote into the pipe" in bad.message and bad.fix and bad.cause
    assert world.run(_beside("well")).outcome == "ok"


def test_a_line_without_end_fails_the_node_alone(world, monkeypatch):
    monkeypatch.setattr(protocol, "LINE_BYTES", 1 << 20)
    run = world.run(_beside("a line without end"))
    assert states(run) == FAILS_ALONE
    assert "wrote into the pipe" in run.nodes["bad"].message


def test_garbage_from_one_of_several_given_ahead_costs_none_of_the_others(single):
    """The lane has the whole chain when its middle spoils the pipe."""
    nodes = {f"n{i}": ("misbehave", {"how": "well", "text": f"first {i}"}) for i in range(3)}
    single.run(graph(nodes))  # now they are known to be quick
    flow = graph(
        {"a": ("misbehave", {"how": "well", "text": "a"}), "b": ("misbehave", {"how": "a list"}),
         "c": ("misbehave", {"how": "well"}), "free": ("misbehave", {"how": "well", "text": "z"})},
        "a.text>b.text", "b.text>c.text",
    )  # fmt: skip
    run = single.run(flow)
    assert states(run) == {"a": "done", "b": "failed", "c": "skipped", "free": "done"}


def test_what_is_printed_without_end_is_cut_off_and_can_be_stopped(world, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.2)
    world.engine.release()
    flow = _beside("print for ever")
    run = world.run(flow, then=lambda: world.engine.cancel("bad"), once=lambda h: h.reports("bad"))
    assert states(run) == {"bad": "cancelled", "after": "skipped", "free": "done", "last": "done"}
    logs = list((home() / "logs").glob("*.log"))
    assert all(log.stat().st_size < 3 << 20 for log in logs)


def test_what_is_printed_is_kept_in_the_log_of_its_lane(single):
    single.run(_beside("print"))
    assert '{"done": "a", "outputs": {}}' in (home() / "logs" / "cpu-1.log").read_text("utf-8", "replace")


# Lines


def test_messages_come_out_however_they_are_cut():
    said = [{"ready": 1}, {"cancelled": "a", "seconds": 0.5}, {"models": {"m": 3}}]
    data = b"".join(map(protocol.encoded, said))
    for size in (1, 7, 1000):
        lines = protocol.MessageDecoder()
        heard = [m for i in range(0, len(data), size) for m in lines.feed(data[i : i + size])]
        assert heard == said and not lines.garbled


def test_what_came_before_the_garbage_counts():
    lines = protocol.MessageDecoder()
    assert lines.feed(protocol.encoded({"ready": 1}) + b"garbage\n" + protocol.encoded({"ready": 2})) == [{"ready": 1}]
    assert "garbage" in lines.garbled


def test_a_long_line_in_small_pieces_is_garbage_once_it_is_too_long(monkeypatch):
    monkeypatch.setattr(protocol, "LINE_BYTES", 1000)
    lines = protocol.MessageDecoder()
    for _ in range(10):
        lines.feed(b"x" * 100)
    assert not lines.garbled
    lines.feed(b"x")
    assert lines.garbled


# Forks


@pytest.mark.parametrize("how", ["split", "split slowly", "split and fail", "split below Python"])
def test_a_tool_that_splits_its_process_fails_alone(world, how):
    heard = Heard()
    run = world.run(_beside(how), heard)
    assert states(run) == FAILS_ALONE
    assert "split its process" in run.nodes["bad"].message and run.nodes["bad"].fix
    assert len([e for e in heard.of(events.NodeFailed) if e.node == "bad"]) == 1
    assert world.run(chain(3)).outcome == "ok"


@pytest.mark.parametrize("how", ["fork and end", "fork and exit", "fork and become another"])
def test_a_copy_that_ends_or_becomes_another_program_does_no_harm(world, how):
    run = world.run(_beside(how))
    assert set(states(run).values()) == {"done"}


def test_a_copy_that_reports_is_not_heard_and_can_go_on(world, tmp_path):
    heard = Heard()
    run = world.run(_beside("fork and talk", text=str(tmp_path / "note")), heard)
    assert set(states(run).values()) == {"done"}
    assert not [e for e in heard.of(events.NodeProgress) if e.note == "from the copy"]
    assert (tmp_path / "note").read_text() == "worked"


def test_processes_that_python_starts_for_a_tool_work(world):
    run = world.run(_beside("share the work"))
    assert set(states(run).values()) == {"done"}, run.nodes["bad"].message


def test_a_pool_that_a_tool_keeps_does_not_hold_it_up(single):
    """Its processes are not waited for; the bound is a hundred times what it takes."""
    run = single.run(graph({"bad": ("misbehave", {"how": "keep a pool"})}))
    assert states(run) == {"bad": "done"}
    assert run.nodes["bad"].seconds < fork_guard.WAIT_SECONDS


# What is left running


@pytest.mark.parametrize("how", ["leave a program", "leave a copy"])
def test_what_a_tool_leaves_running_ends_with_the_run(single, tmp_path, how):
    note = tmp_path / "pid"
    flow = graph({"bad": ("misbehave", {"how": how, "text": str(note)}), "free": ("nap", {"seconds": 0.05})})
    assert single.run(flow).outcome == "ok"
    assert ends(int(note.read_text()))
    assert single.run(chain(2)).outcome == "ok"


def test_what_a_cancelled_tool_started_ends_with_it(single, tmp_path, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.2)
    note = tmp_path / "pid"
    flow = graph({"bad": ("misbehave", {"how": "leave a program and loop", "text": str(note)})})
    single.run(flow, then=single.engine.cancel, once=lambda h: h.reports("bad"))
    assert not note.exists() or ends(int(note.read_text()))  # on a busy machine it is stopped before it starts one


def test_a_lane_without_leftovers_is_kept(single):
    single.run(graph({"a": ("misbehave", {"how": "fork and end"}), "b": ("nap", {"seconds": 0.01})}))
    before = {lane.pid for lane in single.engine._pool.lanes()}
    single.run(chain(2))
    assert before and {lane.pid for lane in single.engine._pool.lanes()} == before


# The environment of lanes


def test_libraries_in_lanes_fetch_no_weights_by_themselves(single):
    single.run(graph({"a": ("nap", {"seconds": 0.01})}))
    lane = next(single.engine._pool.lanes())
    given = Path(f"/proc/{lane.pid}/environ")
    if not given.exists():
        pytest.skip("only Linux shows it")
    assert {b"HF_HUB_OFFLINE=1", b"TRANSFORMERS_OFFLINE=1"} <= set(given.read_bytes().split(b"\0"))
