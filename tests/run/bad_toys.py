"""A toy tool that misbehaves in every way a tool can."""

from __future__ import annotations

import concurrent.futures
import ctypes
import multiprocessing
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from nodes.api import NodeError, Port, ResourceType, RunContext, Text, backend_of
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
    if how == "fork and talk":
        _fork_and_talk(context, text)
        return text
    if how in _LEAVING:
        _LEAVING[how](text)
        return text
    _WAYS[how]()
    return text


@backend_of(misbehave, id="other", title="Another way", requires=())
def _behave(how: Text, text: Text = "fine") -> Text:
    """Behaves."""
    return text


def _split_slowly() -> None:
    if os.fork() == 0:
        time.sleep(0.3)


def _split_and_fail() -> None:
    if os.fork() == 0:
        raise NodeError("This comes from the copy.")


def _split_below_python() -> None:
    """The original goes on when its copy has come back, as nothing tells that there is one."""
    if ctypes.PyDLL(None).fork() != 0:
        time.sleep(0.3)


def _fork_and_end() -> None:
    if os.fork() == 0:
        os._exit(0)


def _fork_and_exit() -> None:
    if os.fork() == 0:
        sys.exit(0)


def _fork_and_become_another() -> None:
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "0.05"])


def _fork_and_talk(context: RunContext, note: str) -> None:
    """The copy reports, is not heard, and goes on with its work."""
    time.sleep(0.05)  # else it were too soon for another report
    child = os.fork()
    if child == 0:
        context.progress(0.9, "from the copy")
        Path(note).write_text("worked")
        os._exit(0)
    os.waitpid(child, 0)


def _share_the_work() -> None:
    """Processes in every way that Python has, all at an end before the tool is."""
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(abs, [-1, -2, -3]) == [1, 2, 3]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, -2])) == [1, 2]


_kept: list[object] = []


def _keep_a_pool() -> None:
    _kept.append(multiprocessing.get_context("fork").Pool(1))


def _leave_a_program(note: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    Path(note).write_text(str(child.pid))


def _leave_a_copy(note: str) -> None:
    """A copy that goes on for long, in a process group of its own, and whose parent is gone."""
    if os.fork() == 0:
        os.setpgid(0, 0)
        if os.fork() == 0:
            Path(note).write_text(str(os.getpid()))
            time.sleep(30)
        os._exit(0)


def _leave_a_program_and_loop(note: str) -> None:
    _leave_a_program(note)
    _ignore_the_wish_to_stop()


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


def _print_for_ever() -> None:
    while True:
        os.write(1, b"y\n" * 30_000)


def _pipe() -> int:
    """Finds the pipe through which this process speaks: the first that can be written and is no standard stream."""
    import fcntl

    for file in range(3, 64):
        try:
            writable = fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
        except OSError:
            continue
        if writable and stat.S_ISFIFO(os.fstat(file).st_mode):
            return file
    raise AssertionError("there is no pipe")


def _write_all(data: bytes) -> None:
    pipe = _pipe()
    while data:
        data = data[os.write(pipe, data) :]


def _preview_another() -> None:
    time.sleep(0.05)  # reports that come too soon after another are not told
    _write_all(b'{"progress": "bad", "fraction": 0.5, "note": "from outside", "preview": "/etc/hostname"}\n')
    time.sleep(0.1)


def _write_without_end() -> None:
    while True:
        _write_all(b"x" * 65536)


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
    "split": os.fork if hasattr(os, "fork") else lambda: None,
    "split slowly": _split_slowly,
    "split and fail": _split_and_fail,
    "split below Python": _split_below_python,
    "fork and end": _fork_and_end,
    "fork and exit": _fork_and_exit,
    "fork and become another": _fork_and_become_another,
    "share the work": _share_the_work,
    "keep a pool": _keep_a_pool,
    "random bytes": lambda: _write_all(random.Random(1).randbytes(5000)),
    "a line of text": lambda: _write_all(b"Loading weights: 100%\n"),
    "half a line": lambda: _write_all(b'{"progress": "ba'),
    "an empty line": lambda: _write_all(b"\n"),
    "a deep line": lambda: _write_all(b"[" * 100_000 + b"\n"),
    "a line without end": _write_without_end,
    "another shape": lambda: _write_all(b'{"done": "bad", "outputs": {"text": ["x"]}, "seconds": 0}\n'),
    "a list": lambda: _write_all(b"[1, 2]\n"),
    "no number": lambda: _write_all(b'{"progress": "bad", "fraction": NaN, "note": "", "preview": ""}\n'),
    "a huge number": lambda: _write_all(b'{"cancelled": "bad", "seconds": ' + b"9" * 400 + b"}\n"),
    "a huge count": lambda: _write_all(b'{"models": {"m": ' + b"9" * 400 + b"}}\n"),
    "a path for a digest": lambda: _write_all(
        b'{"done": "bad", "outputs": {"text": ["' + b"../" * 21 + b'x", ".txt", "text", {}, 1]}, "seconds": 0}\n'
    ),
    "a preview of another": _preview_another,
    "a node that is not there": lambda: _write_all(b'{"done": "free", "outputs": {}, "seconds": 0}\n'),
    "other outputs": lambda: _write_all(b'{"done": "bad", "outputs": {}, "seconds": 0}\n'),
    "many for one": lambda: _write_all(b'{"done": "bad", "outputs": {"text": []}, "seconds": 0}\n'),
    "print for ever": _print_for_ever,
    "close": _close_everything,
    "read": lambda: sys.stdin.read(),
    "import": lambda: __import__("no_such_package_here"),
    "chdir": lambda: os.chdir("/"),
}
_LEAVING: dict[str, Callable[[str], object]] = {
    "leave a program": _leave_a_program,
    "leave a copy": _leave_a_copy,
    "leave a program and loop": _leave_a_program_and_loop,
}
