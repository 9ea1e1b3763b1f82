"""A toy tool that reaches for everything that is closed to a tool, and says what came of it."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from nodes.api import Port, ResourceType, RunContext, Text, backend_of
from tests.run.declare import toy

_T = ResourceType


def _inputs(default: str = "") -> tuple[Port, ...]:
    return Port("how", _T.TEXT, "in which way"), Port("what", _T.TEXT, "with what", default=default)


@toy("reach", _inputs(), (Port("text", _T.TEXT, "what came of it"),), outside=True)
def reach(how: Text, context: RunContext, what: Text = "") -> Text:
    """Tries it; "refused" when the system said no."""
    context.progress(0.0, "about to")
    try:
        return str(_WAYS[how](what) or "done")
    except PermissionError:
        return "refused"


@backend_of(reach, id="afar", title="Far away", device="network")
def _afar(how: Text, context: RunContext, what: Text = "") -> Text:
    """The same in a lane for the network."""
    return reach(how, context, what)


def _connect(address: str) -> None:
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), 5):
        pass


def _send(address: str) -> None:
    """Without a connection, as names are looked up."""
    host, _, port = address.rpartition(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", (host, int(port)))


def _call_local(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(f"\0{path[1:]}" if path.startswith("@") else path)


def _signal(pid: str) -> None:
    os.kill(int(pid), signal.SIGTERM)


def _detach(note: str, loops: bool = False) -> None:
    """A program in a session of its own, with nothing of this one's environment and no parent."""
    code = f"import os, time; open({note!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    start = (
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {code!r}], start_new_session=True, env={{}})"
    )
    subprocess.run([sys.executable, "-c", start], check=True, start_new_session=True)
    while not Path(note).exists() or not Path(note).read_text():
        time.sleep(0.01)
    while loops:
        time.sleep(0.01)


def _detach_and_die(note: str) -> None:
    _detach(note)
    os._exit(5)


def _share_too_much(_: str) -> None:
    """Memory that is not this process's own, so that its limit does not count it."""
    taken = mmap.mmap(-1, 400 << 20)
    for place in range(0, len(taken), mmap.PAGESIZE):
        taken[place] = 1
    while True:
        time.sleep(0.01)


def _allocate(size: str) -> str:
    return f"{len(bytearray(int(size)))} bytes"


def _write_much(size: str) -> None:
    with open("large", "wb") as file:
        file.truncate(int(size))


def _file_of_store(path: str) -> Path:
    return Path(path)


def _link_over(path: str) -> None:
    Path("mine").write_text("mine")
    os.replace("mine", path)


_WAYS: dict[str, Callable[[str], object]] = {
    "read": lambda path: Path(path).read_bytes()[:20],
    "list": os.listdir,
    "write": lambda path: Path(path).write_text("was here"),
    "append": lambda path: open(path, "ab").close(),
    "remove": os.remove,
    "replace": _link_over,
    "connect": _connect,
    "send": _send,
    "call": _call_local,
    "signal": _signal,
    "environment": lambda _: " ".join(sorted(os.environ)),
    "variable": lambda name: os.environ.get(name, "nothing"),
    "another's environment": lambda pid: Path(f"/proc/{pid}/environ").read_bytes() and "read",
    "detach": _detach,
    "detach and loop": lambda note: _detach(note, True),
    "detach and die": _detach_and_die,
    "share too much": _share_too_much,
    "allocate": _allocate,
    "write much": _write_much,
    "speak": lambda _: subprocess.run(["espeak-ng", "--version"], check=True, capture_output=True).stdout[:9],
    "local pair": lambda _: socket.socketpair() and None,
    "trace": lambda pid: ctypes.CDLL(None).ptrace(16, int(pid), 0, 0),
}
