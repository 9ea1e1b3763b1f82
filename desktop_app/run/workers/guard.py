"""What a lane's process begins with: `python -m desktop_app.run.workers.guard STORE SCRATCH BOUNDS`.

On Linux it splits in two. The first half is the guard: it runs no tool, sees the worker's end, ends whatever that left
behind, even what left its session, and then ends in the same way as the worker did. The second half narrows what it
may do (`BOUNDS`, as `Confinement.to_json` writes it) and becomes the worker. Elsewhere there is only the worker.

Imports nothing of the program before the bounds are set, as a thread that runs by then would not be bound.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from typing import NoReturn

from nodes.confinement import Confinement, confine

_DEATH_SIGNAL, _COLLECT_ORPHANS = 1, 36
_ENDING_SECONDS = 2.0
_LOOK_SECONDS = 0.002


def main() -> None:
    bounds = Confinement.from_json(sys.argv[3])
    if sys.platform.startswith("linux"):
        _prctl(_COLLECT_ORPHANS, 1)
        scheduler = os.getppid()
        signal.signal(signal.SIGTERM, _wanted)
        guard = os.getpid()
        worker = os.fork()
        if worker:
            _guard(worker, scheduler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _tie_to(guard)
    troubles = confine(bounds)
    from desktop_app.run.workers.worker_main import main as work

    work(troubles)


def _tie_to(parent: int) -> None:
    """Ends this process with that one even while a tool holds the interpreter, and offers it to the kernel as the first
    to go when memory runs out."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")
    if os.getppid() != parent:
        os._exit(1)


# The guard

_ending = False


def _wanted(*_: object) -> None:
    """The scheduler wants the lane to end, or has ended itself."""
    global _ending
    _ending = True
    _end_children()


def _guard(worker: int, scheduler: int) -> NoReturn:
    """Does not return."""
    _prctl(_DEATH_SIGNAL, signal.SIGTERM)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # their ends are to be seen when the worker closes its own
        os.dup2(nothing, stream)
    if os.getppid() != scheduler:
        _wanted()
    status = _status_of(worker)
    until = time.monotonic() + _ENDING_SECONDS
    while _left() and time.monotonic() < until:
        _end_children()
        time.sleep(_LOOK_SECONDS)
    if os.WIFSIGNALED(status):
        _end_like(os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def _status_of(worker: int) -> int:
    """Waits for the worker, and meanwhile buries what else ends here."""
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return signal.SIGKILL
        if pid == worker:
            return status
        if _ending:
            _end_children()


def _left() -> bool:
    """True while there are children; buries those that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _end_children() -> None:
    """Kills the children. What these leave behind become children in turn, so that in the end nothing is left."""
    own = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit() and _parent(name) == own:
            with contextlib.suppress(OSError):
                os.kill(int(name), signal.SIGKILL)


def _parent(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return -1


def _end_like(number: int) -> NoReturn:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()
    os._exit(1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(ctypes.c_int(option), ctypes.c_ulong(value), *(ctypes.c_ulong(0) for _ in range(3)))


if __name__ == "__main__":
    main()
