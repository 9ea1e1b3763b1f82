"""A toy tool that misbehaves in every way a tool can."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from nodes.api import Port, ResourceType, RunContext, Text, backend_of
from tests.run.declare import toy

_T = ResourceType
_TEXT = (Port("text", _T.TEXT, "a text"),)


@toy(
    "misbehave",
    (Port("how", _T.TEXT, "in which way"), Port("text", _T.TEXT, "given back", default="fine")),
    _TEXT,
)
def misbehave(how: Text, context: RunContext, text: Text = "fine") -> Text:
    """Does what no tool should."""
    context.progress(0.0, "about to")
    if how == "child":
        _leave_a_child(text)
    _WAYS[how]()
    return text


@backend_of(misbehave, id="other", title="Another way", requires=())
def _behave(how: Text, text: Text = "fine") -> Text:
    """Behaves."""
    return text


def _fork() -> None:
    """Leaves a child behind that comes back from the tool as well."""
    os.fork()


def _leave_a_child(note: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    if note != "fine":
        Path(note).write_text(str(child.pid))
    os._exit(3)


def _print() -> None:
    print('{"done": "a", "outputs": {}}')
    print("x" * 100_000, flush=True)
    sys.stderr.write('{"failed": "a"}\n')
    os.write(1, b'\n{"done": "a"}\n\xff\xfe')
    subprocess.run(["echo", '{"cancelled": "a"}'], check=True)


def _devour() -> None:
    """Takes memory until there is none, in a process that may have little."""
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))
    taken = []
    while True:
        taken.append(bytearray(1 << 20))


def _ignore_the_wish_to_stop() -> None:
    while True:
        pass


def _hold_the_interpreter() -> None:
    ctypes.PyDLL(None).sleep(60)


def _close_everything() -> None:
    os.closerange(0, 100)


_WAYS: dict[str, Callable[[], object]] = {
    "well": lambda: None,
    "raise": lambda: 1 / 0,
    "exit": lambda: sys.exit("bye"),
    "end": lambda: os._exit(7),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "loop": _ignore_the_wish_to_stop,
    "hold": _hold_the_interpreter,
    "recurse": lambda: _WAYS["recurse"](),
    "allocate": lambda: bytearray(1 << 62),
    "devour": _devour,
    "print": _print,
    "fork": _fork,
    "close": _close_everything,
    "read": lambda: sys.stdin.read(),
    "import": lambda: __import__("no_such_package_here"),
    "chdir": lambda: os.chdir("/"),
}
