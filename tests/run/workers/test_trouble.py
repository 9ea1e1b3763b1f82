"""Whatever a tool does, and whatever happens to its process, ends as the failure of that node alone."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
import threading
import time
from pathlib import Path

import pytest

from desktop_app.core.errors import StorageError
from desktop_app.run.events import events
from desktop_app.storage.database import History
from tests.run.conftest import World
from tests.run.helpers import Heard, chain, ends, graph, runs, states
from tests.waiting import until

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


def _beside(how: str, **more):
    """The misbehaving node, one that depends on it, and an independent pair that must not notice."""
    return graph(
        {"bad": ("misbehave", {"how": how, **more}), "after": ("split", {}), "free": ("nap", {"seconds": 0.1}),
         "last": ("split", {})},
        "bad.text>after.text", "free.text>last.text",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raise", "ZeroDivisionError"),
        ("exit", "SystemExit"),
        ("recurse", "RecursionError"),
        ("allocate", "not enough memory"),
        pytest.param("devour", "not enough memory", marks=linux),
        ("import", "no_such_package_here"),
        ("end", "code 7"),
        pytest.param("kill", "signal 9", marks=posix),
        pytest.param("segfault", "signal 11", marks=posix),
        pytest.param("abort", "signal 6", marks=posix),
        pytest.param("child", "code 3", marks=posix),
        ("close", "ended (code"),
    ],
)
def test_a_tool_that_dies_fails_alone(world, how, words):
    run = world.run(_beside(how))
    assert states(run) == {"bad": "failed", "after": "skipped", "free": "done", "last": "done"}
    assert words in run.nodes["bad"].message
    assert run.nodes["bad"].fix


def test_a_crash_leaves_a_trace(world):
    cause = world.run(_beside("segfault")).nodes["bad"].cause
    assert "string_at" in cause


def test_a_fault_keeps_its_traceback(world):
    cause = world.run(_beside("raise")).nodes["bad"].cause
    assert "toys.py" in cause and cause.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize("how", ["print", "read", "chdir"])
def test_what_does_no_harm_is_no_failure(world, how):
    run = world.run(_beside(how))
    assert set(states(run).values()) == {"done"}
    assert world.value(run, "bad", "text") == "fine"


def test_a_lane_that_died_is_replaced(single):
    assert single.run(_beside("end")).outcome == "failed"
    assert single.run(chain(3)).outcome == "ok"


@posix
def test_a_dead_tool_leaves_no_process_behind(single, tmp_path):
    note = tmp_path / "pid"
    single.run(_beside("child", text=str(note)))
    assert ends(int(note.read_text())), "the child of the tool still runs"


@posix
def test_death_of_a_lane_is_seen_while_others_work_on(world, tmp_path):
    """The event does not wait for anything else of the run; how soon it comes is in the benchmark."""
    door = tmp_path / "door"

    class Opening(Heard):
        def __call__(self, batch) -> None:
            super().__call__(batch)
            if "a" in self.nodes(events.NodeFailed):
                door.touch()

    def kill() -> None:
        lane = next(lane for lane in world.engine._pool.lanes() if lane.node == "a")
        os.kill(lane.pid, signal.SIGKILL)

    flow = graph({"a": ("nap", {"seconds": 300}), "b": ("gate", {"open": str(door)})})
    run = world.run(flow, Opening(), then=kill, once=lambda heard: heard.reports("a") and heard.reports("b"))
    assert "signal 9" in run.nodes["a"].message
    assert states(run) == {"a": "failed", "b": "done"}


@posix
def test_an_idle_lane_that_died_is_not_given_work(single):
    single.run(chain(1))
    for lane in single.engine._pool.lanes():
        os.kill(lane.pid, signal.SIGKILL)
        assert ends(lane.pid)
    assert single.run(chain(2, more=2)).outcome == "ok"


def _first_two_are_done(heard: Heard) -> bool:
    return {"a", "d"} <= set(heard.nodes(events.NodeFinished)) and heard.reports("b")


def test_a_cancelled_run_keeps_what_was_finished(world):
    flow = graph(
        {"a": ("add", {"more": 5}), "b": ("nap", {"seconds": 30}), "c": ("split", {}), "d": ("add", {})},
        "b.text>c.text", "a.number>d.number",
    )  # fmt: skip
    heard = Heard()
    run = world.run(flow, heard, then=world.engine.cancel, once=_first_two_are_done)
    assert states(run) == {"a": "done", "b": "cancelled", "c": "cancelled", "d": "done"}
    assert run.outcome == "cancelled"
    assert isinstance(heard.events[-1], events.RunFinished)


def test_a_cancelled_tool_that_listens_keeps_its_lane(world):
    world.run(graph({"a": ("nap", {"seconds": 0.001, "text": "start"})}))
    before = {lane.pid for lane in world.engine._pool.lanes()}
    world.run(graph({"a": ("nap", {"seconds": 30})}), then=world.engine.cancel, once=lambda h: h.reports("a"))
    assert {lane.pid for lane in world.engine._pool.lanes()} == before


def test_cancelling_a_node_skips_what_depends_on_it_and_nothing_else(world, tmp_path):
    door = tmp_path / "door"
    flow = graph({"a": ("nap", {"seconds": 300}), "b": ("split", {}), "c": ("gate", {"open": str(door)})},
                 "a.text>b.text")  # fmt: skip

    def cancel() -> None:
        world.engine.cancel("a")
        door.touch()

    run = world.run(flow, then=cancel, once=lambda h: h.reports("a"))
    assert states(run) == {"a": "cancelled", "b": "skipped", "c": "done"}
    assert run.nodes["b"].because == "a"


def test_cancelling_a_waiting_node_never_starts_it(world, tmp_path):
    door = tmp_path / "door"
    flow = graph({"a": ("gate", {"open": str(door)}), "b": ("split", {}), "c": ("split", {})},
                 "a.text>b.text", "a.text>c.text")  # fmt: skip
    heard = Heard()

    def cancel() -> None:
        world.engine.cancel("b")
        door.touch()

    run = world.run(flow, heard, then=cancel)
    assert states(run) == {"a": "done", "b": "cancelled", "c": "done"}
    assert "b" not in heard.nodes(events.NodeStarted)


@pytest.mark.parametrize("how", ["loop", pytest.param("hold", marks=posix)])
def test_a_tool_that_does_not_listen_is_killed_after_the_grace(world, how, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.2)
    run = world.run(_beside(how), then=lambda: world.engine.cancel("bad"), once=lambda h: h.reports("bad"))
    assert states(run) == {"bad": "cancelled", "after": "skipped", "free": "done", "last": "done"}
    assert world.run(chain(2)).outcome == "ok"


@pytest.mark.parametrize("turns", range(5))
def test_cancelling_at_once_starts_nothing_or_ends_it(world, turns):
    """Whichever step of the start the wish to stop falls into; one that comes before it has begun is of no effect."""

    class Again(Heard):
        def __call__(self, batch) -> None:
            super().__call__(batch)
            if turns == 0:
                world.engine.cancel()

    heard = Again()

    async def cancelled() -> None:
        task = asyncio.ensure_future(world.engine.run(graph({"a": ("nap", {"seconds": 30})}), heard))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel() if turns % 2 else world.engine.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    world.runner.run(cancelled())
    assert isinstance(heard.events[0], events.RunStarted)
    assert heard.nodes(events.NodeCancelled) == ["a"] and heard.last().outcome == "cancelled"


def test_cancelling_the_leader_of_equals_lets_the_next_compute(single, tmp_path):
    door = tmp_path / "door"
    flow = graph({"a": ("gate", {"open": str(door)}), "b": ("gate", {"open": str(door)})})

    def cancel() -> None:
        single.engine.cancel("a")
        door.touch()

    run = single.run(flow, then=cancel, once=lambda h: h.reports("a"))
    assert states(run) == {"a": "cancelled", "b": "done"}


def test_cancelling_the_task_ends_the_run(world):
    heard = Heard()

    async def cancelled() -> None:
        task = asyncio.ensure_future(world.engine.run(graph({"a": ("nap", {"seconds": 30})}), heard))
        await until(lambda: heard.reports("a"))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    world.runner.run(cancelled())
    assert heard.last().outcome == "cancelled"
    assert world.run(chain(2)).outcome == "ok"


def test_close_in_the_middle_of_a_run_leaves_no_process(own_home):
    world = World(own_home)
    pids = []

    async def closed() -> None:
        heard = Heard()
        task = asyncio.ensure_future(world.engine.run(graph({"a": ("nap", {"seconds": 30})}), heard))
        await until(lambda: heard.reports("a"))
        pids.extend(lane.pid for lane in world.engine._pool.lanes())
        await world.engine.close()
        assert (await task).outcome == "cancelled"

    world.runner.run(closed())
    assert pids and not any(runs(pid) for pid in pids)
    assert not list((own_home / "scratch").iterdir())
    world.close()
    world.runner.close()
    assert not [t for t in threading.enumerate() if t.name.startswith("CPU") and own_home.name in t.name]


def test_a_full_disk_fails_the_node_in_plain_words(world, monkeypatch):
    """The lane's processes have a limit on file size, as RLIMIT_FSIZE gives the same error path as a full disk."""
    resource = pytest.importorskip("resource")
    world.run(chain(2))
    old = {}
    for lane in world.engine._pool.lanes():
        old[lane.pid] = resource.prlimit(lane.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(lane.pid, resource.RLIMIT_FSIZE, (10_000, old[lane.pid][1]))
    try:
        flow = graph({"big": ("join", {"texts": ["x" * 20_000]}), "small": ("join", {"texts": ["x"]})})
        run = world.run(flow)
        assert states(run) == {"big": "failed", "small": "done"}
        assert "could not be written" in run.nodes["big"].message and "disk space" in run.nodes["big"].fix
    finally:
        for pid, limits in old.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
    assert world.run(flow).outcome == "ok"


def test_a_history_that_cannot_be_written_costs_only_the_memory(world, monkeypatch):
    def full(self, *_: object) -> None:
        raise StorageError("The history could not be written: disk full.", "Free some disk space.")

    monkeypatch.setattr(History, "save_results", full)
    heard = Heard()
    run = world.run(chain(3), heard)
    assert run.outcome == "ok"
    assert "disk full" in run.notice


def test_a_run_folder_that_cannot_be_written_does_not_stop_the_run(world, own_home):
    own_home.mkdir(exist_ok=True)
    (own_home / "runs").write_text("in the way")
    run = world.run(chain(3))
    assert run.outcome == "ok" and "could not be recorded" in run.notice


def test_a_damaged_history_is_set_aside_in_the_middle_of_the_work(world):
    world.run(chain(3))
    with sqlite3.connect(world.history.path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    path = world.history.path
    path.write_bytes(b"\0" * 100 + os.urandom(path.stat().st_size - 100))
    assert world.run(chain(3)).outcome == "ok"
    world.run(chain(3))
    assert list(path.parent.glob("*-damaged-*.sqlite"))
    heard = Heard()
    world.run(chain(3), heard)
    assert not heard.of(events.NodeStarted)


def _stands_still(pid: int) -> bool:
    """True when every thread of the process is stopped: until then one may still read."""
    stats = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at threads in /proc")
def test_a_job_that_a_dying_lane_never_read_is_given_to_another(single):
    single.run(chain(1))
    (lane,) = single.engine._pool.lanes()
    os.kill(lane.pid, signal.SIGSTOP)
    while not _stands_still(lane.pid):
        time.sleep(0.001)

    def end_it() -> None:
        while lane.node is None:
            time.sleep(0.001)
        os.kill(lane.pid, signal.SIGKILL)

    ending = threading.Thread(target=end_it)
    ending.start()
    assert single.run(chain(2, more=2)).outcome == "ok"
    ending.join()
