"""A lane or the whole program is killed at a random moment: afterwards every finished result is there, only what had
not finished is computed, and every value is right. A short form always, two hundred kills with --long.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from asyncio import TimerHandle
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from desktop_app.core.paths import PROJECT, home
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events import events
from desktop_app.run.events.recording import close_lost, read
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.storage.resources import Resource, digest_of
from tests.run.conftest import World
from tests.run.fault_victim import SIZE, flow
from tests.run.helpers import Heard, states
from tests.run.oracle import OUTPUT, expected, seen

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
_MORE_SECONDS = 0.03
_LANE_SECONDS = 0.12


def test_a_program_killed_at_a_random_moment_loses_nothing(world, tmp_path):
    for seed in range(4):
        _kill_the_program(world, tmp_path, seed)


def test_a_lane_killed_at_a_random_moment_costs_only_what_it_ran(world, tmp_path):
    for seed in range(1000, 1010):
        _kill_a_lane(world, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_programs_killed(world, tmp_path):
    for seed in range(100, 200):
        _kill_the_program(world, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_lanes_killed(world, tmp_path):
    for seed in range(2000, 2100):
        _kill_a_lane(world, tmp_path, seed)


def _kill_the_program(world: World, folder: Path, seed: int) -> None:
    mark = folder / f"calls{seed}"
    random = Random(f"moment {seed}")
    run, finished = _killed(world, seed, mark, random.randint(0, SIZE), random.random() * _MORE_SECONDS)
    before = _lines(mark)
    world.fresh(home())  # as when the program is opened again
    assert world.history.notice == ""
    lost = close_lost(home() / "runs")
    reopened = fold_all(Run(), read(home() / "runs" / f"{run}.jsonl")) if run else Run()
    assert {id for id, node in reopened.nodes.items() if node.state == "done"} >= finished.keys()
    assert (reopened.outcome == "lost") == (run in lost)
    assert all(digest_of(world.store.path_of(r)) == r.digest for r in _made(reopened))
    _check_second_run(world, flow(seed, str(mark)), {id for id, failed in finished.items() if not failed})
    after = _lines(mark)[len(before) :]
    told = {tag for id, failed in finished.items() if not failed for tag in _tags(flow(seed, str(mark)), id)}
    assert not [line for line in after if line.split()[0] in told]


def _killed(world: World, seed: int, mark: Path, after: int, delay: float) -> tuple[str, dict[str, int]]:
    """The id of the run, and by node how many items failed, of those told finished before the kill.

    It comes `delay` seconds after so many lines, or when the program ends.
    """
    command = [sys.executable, "-m", "tests.run.fault_victim", str(world.store.folder), str(seed), str(mark)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT) as process:
        assert process.stdout is not None
        first = b"".join(process.stdout.readline() for _ in range(after)).decode()
        time.sleep(delay if after else delay * 10)
        process.kill()
        rest = process.stdout.read().decode()
    lines = [line.split() for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]
    run = next((words[1] for words in lines if words[0] == "started"), "")
    return run, {words[1]: int(words[2]) for words in lines if words[0] == "finished"}


def _kill_a_lane(world: World, folder: Path, seed: int) -> None:
    random = Random(f"moment {seed}")
    mark = folder / f"calls{seed}"
    graph = flow(seed, str(mark))
    planned: list[TimerHandle] = []

    def plan() -> None:
        planned.append(world.runner.get_loop().call_later(random.random() * _LANE_SECONDS, kill))

    def kill() -> None:
        lanes = [lane for lane in world.engine._pool.lanes() if lane.node] or list(world.engine._pool.lanes())
        os.kill(random.choice(lanes).pid, signal.SIGKILL)

    run = world.run(graph, then=plan)
    planned[0].cancel()
    wanted = expected(graph)
    for id, node in run.nodes.items():
        others = all(_is_whole(run, source) for source in _upstream(graph, id) - {id})
        if node.state == "failed" and wanted[id].state == "done" and others:
            assert "signal 9" in f"{node.message} {node.failed}"
    whole = {id for id in run.nodes if all(_is_whole(run, source) for source in _upstream(graph, id))}
    _check_values(world, graph, whole, run)
    _check_second_run(world, graph, whole)


def _check_second_run(world: World, graph: Workflow, finished: set[str]) -> None:
    """Nothing of what had finished runs, the rest does, and every value is right."""
    heard = Heard()
    run = world.run(graph, heard)
    assert not finished & set(heard.nodes(events.NodeStarted))
    assert all(run.nodes[id].cached for id in finished)
    wanted = expected(graph)
    assert states(run) == {id: outcome.state for id, outcome in wanted.items()}
    _check_values(world, graph, {id for id, outcome in wanted.items() if outcome.state == "done"}, run)


def _check_values(world: World, graph: Workflow, nodes: set[str], run: Run) -> None:
    wanted = expected(graph)
    for id in nodes:
        assert world.value(run, id, OUTPUT[graph.node(id).tool]) == seen(wanted[id].value)


def _is_whole(run: Run, id: str) -> bool:
    """True when the node is done, for every item."""
    return run.nodes[id].state == "done" and not run.nodes[id].failed


def _upstream(graph: Workflow, id: str) -> set[str]:
    """The node and all that it rests on."""
    found, waiting = {id}, [id]
    for node in waiting:
        new = {link.source for link in graph.links_into(node)} - found
        found |= new
        waiting += new
    return found


def _made(run: Run) -> Iterator[Resource]:
    for node in run.nodes.values():
        for value in node.outputs.values():
            yield from value if isinstance(value, tuple) else (value,)


def _tags(graph: Workflow, id: str) -> list[str]:
    return [str(graph.node(id).values["tag"])] if graph.node(id).tool == "plus" else []


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []
