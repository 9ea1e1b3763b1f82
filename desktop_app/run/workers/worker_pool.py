"""The lanes of an engine: how many of which kind, started when first needed, replaced when they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import psutil

from desktop_app.core.paths import home
from desktop_app.models import runtime
from desktop_app.run.backends.gpus import gpus
from desktop_app.run.workers import child_processes
from desktop_app.run.workers.worker_process import Lane
from nodes.api import Backend
from nodes.phrase import Phrase, listed

_NETWORK_LANES = 4  # chosen: they wait more than they compute
_LEAST_CPU_LANES = 4  # chosen: so many also with fewer cores
_MOST_CPU_LANES = 8  # chosen: each takes memory, and tools have threads of their own
_LOOK_SECONDS = 1.0  # chosen: a look at all processes takes milliseconds
_SLACK = 1.1  # chosen: a little above the limit no lane is ended


class Services(Protocol):
    """What back ends of kind "endpoint" may ask the program for."""

    async def serve(self, tool: str, service: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request of that tool, as JSON values. Raises AppError or NodeError in words."""
        ...

    def close(self) -> None:
        """Ends what runs beside the program for it."""
        ...


class WorkerPool:
    """Slots by kind ("cpu", "gpu", "network"), each empty or with a living lane in it. `services` answer endpoints."""

    def __init__(self, store: Path, cpu_lanes: int | None = None) -> None:
        cores = os.cpu_count() or 2
        # More lanes than two cores have, as many nodes wait for disks or other programs.
        cpus = cpu_lanes or min(_MOST_CPU_LANES, max(_LEAST_CPU_LANES, cores))
        self.idle_seconds = 600.0
        self.services: Services | None = None
        self._store = store
        self.memory_watch = MemoryWatch(lambda: list(self.lanes()))
        self._threads = 2 if cores >= 2 * cpus else 1
        self._gpus = gpus()
        counts = {"cpu": cpus, "network": _NETWORK_LANES, "gpu": len(self._gpus)}
        self._slots: dict[str, list[Lane | None]] = {kind: [None] * count for kind, count in counts.items()}

    def kind(self, backend: Backend) -> str:
        """The kind of lane for a back end. Without a GPU, what wants one runs on the CPU. What asks a service of the
        program needs no network of its own."""
        if backend.device == "gpu" and self._gpus:
            return "gpu"
        asks = any(name.startswith("service:") for name in backend.requires)
        return "network" if backend.device == "network" and not asks else "cpu"

    def lanes(self) -> Iterator[Lane]:
        for slots in self._slots.values():
            yield from (lane for lane in slots if lane is not None and not lane.ended)

    def idle(self, kind: str) -> list[Lane]:
        return [lane for lane in self._slots[kind] if lane is not None and lane.node is None and not lane.ended]

    def start(self, kind: str, loop: asyncio.AbstractEventLoop) -> Lane | None:
        """A new lane in an empty slot, or None when there is no such. Raises OSError."""
        for index, lane in enumerate(self._slots[kind]):
            if lane is None or lane.ended:
                started = self._new(kind, index, loop)
                self._slots[kind][index] = started
                return started
        return None

    def living(self, kind: str) -> bool:
        return any(lane is not None and not lane.ended for lane in self._slots[kind])

    def full(self, kind: str) -> bool:
        """True when every slot of that kind has a living lane."""
        return all(lane is not None and not lane.ended for lane in self._slots[kind])

    def unbound(self) -> str:
        """A sentence when lanes could not be held within their bounds, although this system can; as a rule ""."""
        said = sorted({lane.unbound for lane in self.lanes() if lane.unbound})
        return Phrase("Tools ran without all of their bounds: {names}.", names=listed(said, "; ")) if said else ""

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Makes all lanes call back on that loop from now on."""
        for lane in self.lanes():
            lane.loop = loop

    def kinds(self) -> Collection[str]:
        return self._slots.keys()

    def release(self) -> int:
        """Ends idle lanes that have models in memory, and returns how many these were."""
        loaded = [lane for lane in self.lanes() if lane.node is None and lane.models]
        for lane in loaded:
            lane.kill()
        return len(loaded)

    def renew(self) -> None:
        """Ends idle lanes that were started before the model runtime came, or went."""
        libraries = runtime.path()
        for lane in [lane for lane in self.lanes() if lane.node is None and lane.libraries != libraries]:
            lane.kill()

    def set_idle(self, seconds: float) -> None:
        """For how long models that nobody uses stay in memory, in lanes that run and in those to come."""
        self.idle_seconds = seconds
        for lane in self.lanes():
            lane.set_idle(seconds)

    def tidy(self) -> None:
        """After a run: ends lanes in which a tool left something running."""
        worked = [lane for lane in self.lanes() if lane.worked]
        left = child_processes.started_by([lane.guard for lane in worked])
        for lane in worked:
            lane.tidy(left[lane.guard])

    def close(self) -> list[Lane]:
        """Kills every lane and returns those."""
        killed = [lane for slots in self._slots.values() for lane in slots if lane is not None]
        for lane in killed:
            lane.kill()
        self._slots = {kind: [None] * len(slots) for kind, slots in self._slots.items()}
        return killed

    def _new(self, kind: str, index: int, loop: asyncio.AbstractEventLoop) -> Lane:
        label = {"cpu": "CPU", "gpu": "GPU", "network": "Network"}[kind]
        number = index if kind == "gpu" else index + 1
        device = self._gpus[index] if kind == "gpu" else "cpu"
        return Lane(f"{label} {number}", kind, device, self._store, self._threads, loop, self.idle_seconds)


def clear_scratch() -> None:
    """Removes the scratch folders of programs that no longer run."""
    folder = home() / "scratch"
    for path in folder.iterdir() if folder.is_dir() else ():
        owner = path.name.partition("-")[0]
        if not owner.isdigit() or not psutil.pid_exists(int(owner)):
            with contextlib.suppress(OSError):
                shutil.rmtree(path)


class MemoryWatch:
    """A thread that looks at the `lanes` as long as one of them works; `wake` when one begins to."""

    def __init__(self, lanes: Callable[[], Collection[Lane]]) -> None:
        self._lanes = lanes
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Looks from now on, until nothing works any more. On the loop's thread."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look, name="memory", daemon=True)
            self._thread.start()

    def _look(self) -> None:
        wait = threading.Event()
        while not wait.wait(_LOOK_SECONDS):
            # Each is asked once: the loop's thread gives it other jobs, with other limits, at any time.
            working = [(lane, lane.node, lane.memory_bytes) for lane in self._lanes() if not lane.ended]
            working = [(lane, node, limit) for lane, node, limit in working if node is not None and limit]
            if not working:
                return
            started = child_processes.started_by([lane.guard for lane, _, _ in working])
            for lane, node, limit in working:
                if taken({lane.pid, *started[lane.guard]}) > limit * _SLACK:
                    lane.end_for_memory(node, limit)


def taken(pids: Collection[int]) -> int:
    """Bytes of memory that these processes have of their own or share without a file."""
    return sum(map(_taken_by, pids))


def _taken_by(pid: int) -> int:
    if not sys.platform.startswith("linux"):
        with contextlib.suppress(psutil.Error):
            return psutil.Process(pid).memory_info().rss
        return 0
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/status") as file:
        lines = [line for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
        return sum(int(line.split()[1]) for line in lines) * 1024
    return 0
