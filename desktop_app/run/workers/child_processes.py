"""Processes that lanes started and left running. Knows process numbers only.

On Linux the guard of a lane (guard.py) collects the orphans below it, so that whatever was started in the lane is found
below the guard, whichever session or group it went to.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

import psutil

_ENDING_ALONE = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""What Python starts to help the lane, and what ends with it by itself."""


def started_by(leaders: Sequence[int]) -> Mapping[int, Collection[int]]:
    """By leader the numbers of all processes that it started, directly or not, and that may still run."""
    if not leaders:
        return {}
    children = _children()
    return {leader: {*_below(leader, children), *of_session(leader)} - {leader} for leader in leaders}


def of_session(leader: int) -> list[int]:
    """The processes of the session that it began, but for itself; none on Windows."""
    if sys.platform == "win32":
        return []
    return [pid for pid in psutil.pids() if pid != leader and _session(pid) == leader]


def still_runs(started: Iterable[int]) -> bool:
    """True when one of them still runs and does not end with its lane by itself."""
    return any(_counts(pid) for pid in started)


def end(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _children() -> Mapping[int, list[int]]:
    """By process the numbers of its children, of all processes of this user."""
    found: dict[int, list[int]] = {}
    if not sys.platform.startswith("linux"):
        for process in psutil.process_iter(["ppid"]):
            found.setdefault(process.info["ppid"], []).append(process.pid)
        return found
    user = os.getuid()
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                with open(f"/proc/{name}/stat", "rb") as file:
                    found.setdefault(int(file.read().rpartition(b")")[2].split()[1]), []).append(int(name))
    return found


def _below(leader: int, children: Mapping[int, list[int]]) -> list[int]:
    found = list(children.get(leader, ()))
    for pid in found:
        found += children.get(pid, ())
    return found


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
