"""Processes that a lane's process started and left running. Knows process numbers only.

A lane begins a session of its own: whatever it starts belongs to that, unless it leaves it on purpose, as programs do
that are to stay when the one that called them ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

import psutil

_ENDING_ALONE = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""What Python starts to help the lane, and what ends with it by itself."""


def started_by(leader: int) -> list[int]:
    """The numbers of all processes that this one started, directly or not, and that may still run."""
    if sys.platform == "win32":
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(leader).children(recursive=True)]
        return []
    return [pid for pid in psutil.pids() if pid != leader and _session(pid) == leader]


def still_runs(leader: int) -> bool:
    """True when something that this process started still runs and does not end with it by itself."""
    return any(_counts(pid) for pid in started_by(leader))


def end(pids: list[int]) -> None:
    """Ends them at once."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _counts(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and not any(
            name in word for word in process.cmdline() for name in _ENDING_ALONE
        )
    except psutil.Error:
        return False


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1
