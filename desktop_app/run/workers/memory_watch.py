"""Looks from outside at how much memory lanes take with all that was started in them; ends those that take too much.

Within its process a lane is held by the system where that can (Linux: RLIMIT_DATA); what several processes take
together, what they share, and all of it on other systems is seen only here.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Collection

import psutil

from desktop_app.run.workers import child_processes
from desktop_app.run.workers.worker_process import Lane

_LOOK_SECONDS = 1.0  # chosen: a look at all processes takes milliseconds
_SLACK = 1.1  # chosen: a little above the limit no lane is ended


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
