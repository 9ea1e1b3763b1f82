"""In the worker: copies of its process that a tool makes by forking, and what becomes of them.

A copy may work and end, as those of multiprocessing do, or become another program. It must not come back from the tool:
then it is ended at once, and the original hears of it.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable

WAIT_SECONDS = 2.0
"""For how long a tool that has ended is held up by copies of which nothing is known yet."""
_LOOK_MILLISECONDS = 20
_FRAMES = 8


class Split(Exception):
    """A copy of the process came back from the tool as well: a fault of the tool."""


class Forks:
    """Watches the forks of this process. A pipe each tells when a copy ended; one for all tells which came back."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._local = threading.local()
        self._living: list[int] = []
        self._told, self._tell = os.pipe()
        if hasattr(os, "register_at_fork"):
            os.set_blocking(self._told, False)
            os.register_at_fork(before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child)

    @property
    def in_copy(self) -> bool:
        """True in a process that is a copy of the one that made this."""
        return os.getpid() != self._process

    def end_copy(self, job: str, error: BaseException | None = None) -> None:
        """Does not return in a copy. To be called when the tool that runs `job` has returned, or raised `error`."""
        if not self.in_copy:
            return
        if isinstance(error, SystemExit):  # a copy that ended itself in so many words
            os._exit(error.code if isinstance(error.code, int) else 1 if error.code else 0)
        with contextlib.suppress(OSError):
            os.write(self._tell, f"{job}\0".encode())
        os._exit(0)

    def check(self, job: str, cancelled: Callable[[], bool]) -> None:
        """Raises Split when a copy came back from the tool that ran `job`. Waits a little for copies that still run."""
        if not hasattr(os, "fork"):
            return
        until = time.monotonic() + WAIT_SECONDS
        try:
            while self._living:
                self._wait()
                if self._came_back(job):
                    raise Split
                if time.monotonic() > until or cancelled():
                    break
            if self._came_back(job):
                raise Split
        finally:
            self._forget()

    def _wait(self) -> None:
        """Until a copy ends or comes back, or a moment has passed."""
        poll = select.poll()
        for end in (*self._living, self._told):
            poll.register(end, select.POLLIN)
        for end, _ in poll.poll(_LOOK_MILLISECONDS):
            if end in self._living:
                self._living.remove(end)
                os.close(end)

    def _came_back(self, job: str) -> bool:
        try:
            return job.encode() in os.read(self._told, 65536).split(b"\0")
        except OSError:  # nothing to read
            return False

    def _forget(self) -> None:
        while self._living:
            os.close(self._living.pop())

    # Around a fork, in the thread that forks

    def _before(self) -> None:
        self._local.pipe = None
        if not self.in_copy and not _by_multiprocessing():
            with contextlib.suppress(OSError):
                self._local.pipe = os.pipe()

    def _in_parent(self) -> None:
        if self._local.pipe is not None:
            end, given = self._local.pipe
            os.close(given)
            self._living.append(end)

    def _in_child(self) -> None:
        """Keeps its end of the pipe, which closes when it ends or becomes another program."""
        self._forget()
        if self._local.pipe is not None:
            os.close(self._local.pipe[0])


def _by_multiprocessing() -> bool:
    """True when multiprocessing forks: its copies never come back, and may live on to be used again."""
    frame = sys._getframe(2)
    for _ in range(_FRAMES):
        if frame is None:
            return False
        if frame.f_globals.get("__name__", "").startswith("multiprocessing."):
            return True
        frame = frame.f_back
    return False
