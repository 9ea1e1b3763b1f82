"""What the engine costs: `python -m tests.benchmarks.engine [--long]` prints one JSON object a line, medians.

Beside each figure stands what a fixed piece of plain Python took meanwhile (figures.py), to see a busy machine by.

At the end the frames of the window while 500 nodes run, which window.py measures.

Trivial nodes, so that what is measured is the engine. The marks of ComfyUI's executor (v0.3.64) were measured on a
machine with two cores too.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from desktop_app.core.paths import PROJECT, home
from desktop_app.graph.workflow import Workflow
from desktop_app.run.engine import Engine
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from tests.benchmarks.figures import figure
from tests.run.helpers import Heard, chain, graph
from tests.run.toys import TOOLS

COMFY = "ComfyUI 0.3.64"
_VICTIM_LENGTH = 150
TURN_SECONDS = 0.0001


def report(
    name: str, value: float, unit: str, target: float | None = None, rival: float | None = None, **more: Any
) -> None:
    """Prints a measurement; it is met when the value is not above the target."""
    if hasattr(os, "getloadavg"):
        more["load"] = round(os.getloadavg()[0], 1)
    figure(name, value, unit, target, None if rival is None else (COMFY, rival), **more)


class Bench:
    """An engine with warm lanes, and numbers that no run has used before."""

    def __init__(self, repeats: int) -> None:
        self.repeats = repeats
        self.engine = Engine(Store(home() / "store"), History(home() / "history.sqlite"), TOOLS)
        self._fresh = 0

    def fresh(self) -> float:
        """Less than 100, and another one each time."""
        self._fresh += 1
        return self._fresh / 1000

    async def seconds(self, workflow: Workflow, listener: Callable[[Sequence[Event]], None] | None = None) -> float:
        """How long a run takes."""
        start = time.perf_counter()
        run = await self.engine.run(workflow, listener or (lambda batch: None))
        assert run.outcome == "ok", run.failures()
        return time.perf_counter() - start

    async def median(self, once: Callable[[], Awaitable[float]]) -> float:
        """The median of several measurements; garbage is looked for between them, as the program does."""
        found = []
        for _ in range(self.repeats):
            gc.collect()
            found.append(await once())
        return statistics.median(found)


async def measure_chains(bench: Bench) -> None:
    """Cold and unchanged chains; the cost of each node at three lengths."""
    per_node = {}
    for length in (100, 500, 2000):
        cold = await bench.median(lambda length=length: bench.seconds(chain(length, more=bench.fresh())))
        per_node[length] = 1000 * cold / length
        if length == 500:
            report("chain of 500, cold", cold, "s", 0.5, 11.0)
            same = chain(500, more=bench.fresh())
            await bench.seconds(same)
            report("chain of 500, unchanged", await bench.median(partial(bench.seconds, same)), "s", 0.05, 9.4)
    report("overhead of a node in a chain of 100", per_node[100], "ms", 1.0, 2.0)
    report("overhead of a node in a chain of 500", per_node[500], "ms", 1.0, 22.0)
    report("overhead of a node in a chain of 2000", per_node[2000], "ms", 1.0)
    report("overhead at 2000 against at 100", per_node[2000] / per_node[100], "times", 1.5)
    flow = chain(5000, more=bench.fresh())
    await bench.seconds(flow)
    report("chain of 5000, unchanged", await bench.median(lambda: bench.seconds(flow)), "s", 0.5)
    report("longest wait of the loop meanwhile", await bench.median(lambda: _lag(bench.seconds(flow))), "s", 0.05)


async def measure_branches(bench: Bench) -> None:
    """Four branches of half a second; forty nodes side by side."""

    def branches() -> Workflow:
        return graph({f"b{i}": ("nap", {"seconds": 0.5, "text": f"{i} {bench.fresh()}"}) for i in range(4)})

    report("four branches of 0.5 s", await bench.median(lambda: bench.seconds(branches())), "s", 0.7, 2.0)


async def measure_batches(bench: Bench) -> None:
    """A thousand values through a tool that takes one; five thousand that are known."""

    def flow(count: int) -> Workflow:
        words = " ".join(f"w{i}-{bench.fresh()}" for i in range(count))
        return graph({"w": ("words", {"text": words}), "s": ("split", {})}, "w.words>s.text")

    cold = await bench.median(lambda: bench.seconds(flow(1000)))
    report("an item of a batch of 1000, cold", 1000 * cold / 1000, "ms", 1.0)
    same = flow(5000)
    await bench.seconds(same)
    report("batch of 5000, unchanged", await bench.median(partial(bench.seconds, same)), "s", 0.5)
    report("longest wait of the loop meanwhile", await bench.median(lambda: _lag(bench.seconds(same))), "s", 0.05)


async def measure_pictures(bench: Bench) -> None:
    """A picture of 640 x 640 handed from node to node in one lane."""

    def flow() -> Workflow:
        nodes = {"s": ("square", {"size": 640})} | {f"n{i}": ("spoil_by", {"by": bench.fresh()}) for i in range(20)}
        names = list(nodes)
        return graph(nodes, *(f"{a}.image>{b}.image" for a, b in itertools.pairwise(names)))

    seconds = await bench.median(lambda: bench.seconds(flow()))
    report("a picture of 640 x 640 through a node", 1000 * seconds / 21, "ms")


async def measure_trouble(bench: Bench) -> None:
    """A lane that is killed; a node that never ends."""
    report("death of a lane is seen", 1000 * await bench.median(lambda: _death(bench)), "ms", 100)
    stuck = [await _stuck(bench) for _ in range(max(2, bench.repeats // 2))]
    report("a node in an endless loop is stopped", statistics.median(s for s, _ in stuck), "s", 3)
    report("longest wait of the loop meanwhile", max(lag for _, lag in stuck), "s", 0.05)


async def measure_progress(bench: Bench) -> None:
    """Lanes that report at every chance: how often the window hears of it."""
    heard = Heard()
    flow = graph({f"b{i}": ("nap", {"seconds": 1.0, "text": str(bench.fresh())}) for i in range(4)})
    seconds = await bench.seconds(flow, heard)
    report("batches of events a second", len(heard.batches) / seconds, "1/s", 33)


async def _lag(work: Awaitable[object]) -> float:
    """The longest that the loop did not get round to a task that wants to run every 2 ms."""
    longest, task = 0.0, asyncio.ensure_future(work)
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(0.002)
        longest = max(longest, time.perf_counter() - before - 0.002)
    await task
    return longest


async def _death(bench: Bench) -> float:
    flow = graph({"a": ("nap", {"seconds": 20, "text": str(bench.fresh())})})
    seen: list[float] = []

    def listen(batch: Sequence[Event]) -> None:
        if any(isinstance(event, events.NodeFailed) for event in batch):
            seen.append(time.perf_counter())

    task = asyncio.ensure_future(bench.engine.run(flow, listen))
    await asyncio.sleep(0.6)
    lane = next(lane for lane in bench.engine._pool.lanes() if lane.node == "a")
    killed = time.perf_counter()
    os.kill(lane.pid, signal.SIGKILL)
    await task
    bench.engine.warm()
    return seen[0] - killed


async def _stuck(bench: Bench) -> tuple[float, float]:
    flow = graph({"a": ("misbehave", {"how": "loop", "text": str(bench.fresh())})})
    task = asyncio.ensure_future(bench.engine.run(flow, lambda batch: None))
    await asyncio.sleep(0.6)
    start = time.perf_counter()
    bench.engine.cancel()
    lag = await _lag(task)
    bench.engine.warm()
    return time.perf_counter() - start, lag


async def measure_lane_kills(bench: Bench) -> None:
    """kill -9 of a lane at any moment: finished results that are not there afterwards."""
    chance, lost, told = random.Random(2), 0, 0
    for _ in range(2 * bench.repeats):
        flow = _many_chains(bench)
        first = Heard()
        task = asyncio.ensure_future(bench.engine.run(flow, first))
        await asyncio.sleep(chance.random() * 0.3)
        lanes = [lane for lane in bench.engine._pool.lanes() if lane.node] or list(bench.engine._pool.lanes())
        os.kill(chance.choice(lanes).pid, signal.SIGKILL)
        await task
        finished = set(first.nodes(events.NodeFinished))
        again = await bench.engine.run(flow, lambda batch: None)
        told += len(finished)
        lost += sum(not again.nodes[id].cached for id in finished)
        bench.engine.warm()
    report("finished results lost by kill -9 of a lane", lost, "results", 0, kills=2 * bench.repeats, finished=told)


def _many_chains(bench: Bench) -> Workflow:
    """Four chains of fifteen nodes that each take 10 ms."""
    values = {"seconds": 0.01, "tag": str(bench.fresh())}
    nodes = {f"c{i}n{j}": ("plus", values | {"other": i + 4 * bench.fresh()}) for i in range(4) for j in range(15)}
    return graph(nodes, *(f"c{i}n{j}.number>c{i}n{j + 1}.number" for i in range(4) for j in range(14)))


def measure_kills(repeats: int) -> None:
    """kill -9 of the whole program while it runs a chain: finished results that are not there afterwards."""
    lost = told = 0
    chance = random.Random(1)
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            env = os.environ | {"GRAPHWRIGHT_HOME": folder}
            finished = _killed(chance.randint(1, _VICTIM_LENGTH), env)
            output = subprocess.run(_victim(), env=env, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
            kept = {line.split()[1] for line in output.splitlines() if line.startswith("finished") and line[-1] == "1"}
            told += len(finished)
            lost += len(finished - kept)
    report("finished results lost by kill -9 of the application", lost, "results", 0, kills=repeats, finished=told)


def _killed(after: int, env: dict[str, str]) -> set[str]:
    with subprocess.Popen(_victim(), env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if len(lines) == after:
                process.kill()
    return {line.split()[1] for line in lines if line.startswith("finished") and line.endswith("\n")}


def _victim() -> list[str]:
    return [sys.executable, "-m", "tests.run.crash_victim", str(_VICTIM_LENGTH)]


async def measure_start() -> None:
    """From nothing to the first result, and again from nothing with the result known."""
    for name in ("first result, starting a lane", "first result, known from before"):
        engine = Engine(Store(home() / "other"), History(home() / "other.sqlite"), TOOLS)
        start = time.perf_counter()
        await engine.run(chain(1), lambda batch: None)
        report(name, time.perf_counter() - start, "s")
        await engine.close()


async def measure(repeats: int) -> None:
    """Everything that needs a loop."""
    await measure_start()
    bench = Bench(repeats)
    bench.engine.warm()
    gc.freeze()  # as the program does once its window is there, and then looks for garbage in calm moments only
    gc.disable()
    sys.setswitchinterval(TURN_SECONDS)  # as the program does, for threads that read results beside the loop
    await bench.seconds(graph({f"w{i}": ("nap", {"seconds": 0.5, "text": str(i)}) for i in range(4)}))
    await measure_chains(bench)
    await measure_branches(bench)
    await measure_batches(bench)
    await measure_pictures(bench)
    await measure_progress(bench)
    if os.name != "nt":
        await measure_trouble(bench)
        await measure_lane_kills(bench)
    await bench.engine.close()


def measure_window(seconds: float) -> None:
    """The frames of the graph while 500 nodes run that report 1,000 times a second in all."""
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.theme import theme
    from tests.benchmarks import window

    application = QApplication([])
    theme.apply(application, "dark", 1.0)
    window.ticking(application, seconds)


def main() -> None:
    """Measures in a home of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="more repetitions")
    repeats = 15 if parser.parse_args().long else 5
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["GRAPHWRIGHT_HOME"] = str(Path(folder) / "home")
        asyncio.run(measure(repeats))
    if os.name != "nt":
        measure_kills(2 * repeats)
    measure_window(10.0 if repeats > 5 else 3.0)


if __name__ == "__main__":
    main()
