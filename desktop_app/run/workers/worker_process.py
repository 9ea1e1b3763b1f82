"""A lane: one child process that runs nodes, and the threads that listen to it.

Its verbs are called on the loop's thread, and its callbacks come there, whatever kind of loop it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from array import array
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import IO, Any

from desktop_app.core.paths import PROJECT, home, make_private
from desktop_app.models import runtime
from desktop_app.run.workers import bounds, child_processes
from desktop_app.run.workers.protocol import IDLE, Message, MessageDecoder, encoded
from nodes.phrase import Phrase

GRACE_SECONDS = 2.0  # chosen: from the wish to stop until the process is killed
_LOG_BYTES = 1 << 20
_TAIL_BYTES = 4000
_LAST_WORDS_SECONDS = 0.05  # chosen: what a dead process still said comes within that
_UNHEARD = 32  # blocks of messages that may wait for the loop: one who floods it has to wait instead
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
"""Weights come through our own store of models, where their origin is checked, and never because a library asks."""


class Lane:
    """A running worker. It lives as long as its process: a lane that ended is thrown away, its name used again.

    `node` is what it runs now, or None; `ahead` what it was given to run after that. `ended` is true once it is dead or
    being killed. `garbled` is "", or the beginning of what a tool wrote into the pipe that is for messages.
    `pid` is the worker's number, once that has told it; `guard` that of the process that was started, which on Linux
    watches over the worker (guard.py). `unbound` says what of its bounds could not be set, as a rule "".
    `memory_bytes` is how much what it runs may take, 0 for as much as there is or when it runs nothing;
    `exceeded_bytes` is that when it was ended for taking more. `unread` is
    true when it had been ready, and died before it read of the job that it was given last.
    `models` are those that its process has loaded, as far as one knows; `loaded` those it told of, with their bytes.
    `libraries` is the folder of the model runtime that it knows, None where there was none when it was started.
    `on_messages(lane, messages)` and `on_end(lane, exit code)` are set by whoever uses it.
    """

    def __init__(
        self,
        name: str,
        kind: str,
        device: str,
        store: Path,
        threads: int,
        loop: asyncio.AbstractEventLoop,
        idle_seconds: float,
    ) -> None:
        """Starts the process. Raises OSError when it cannot be started."""
        self.name = name
        self.kind = kind
        self.device = device
        self.loop = loop
        self.node: str | None = None
        self.ahead: deque[str] = deque()
        self.models: set[str] = set()
        self.loaded: dict[str, int] = {}
        self.worked = False
        self.ended = False
        self.garbled = ""
        self.unbound = ""
        self.memory_bytes = self.exceeded_bytes = 0
        self.stopping = False
        self.on_messages: Callable[[Lane, list[Message]], None] | None = None
        self.on_end: Callable[[Lane, int], None] | None = None
        self.unread = False
        self._written, self._job_at = 0, -1
        self._ready = False
        self._unheard = threading.Semaphore(_UNHEARD)
        self._tail = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self.libraries = runtime.path()
        self.scratch = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=_made(home() / "scratch"))).resolve()
        store = store.resolve()
        allowed = bounds.of(kind, store, self.scratch).to_json()
        self._process = subprocess.Popen(
            [sys.executable, "-X", "utf8", "-m", "desktop_app.run.workers.guard",
             str(store), str(self.scratch), allowed],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, cwd=self.scratch,
            env=_environment(threads, idle_seconds, self.scratch, self.libraries), start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        self.guard = self.pid = self._process.pid
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in = self._process.stdin
        self._reader = self._thread(self._read, self._process.stdout)
        self._logger = self._thread(self._log, self._process.stderr)
        self._waiter = self._thread(self._wait)

    def send(self, message: Message) -> bool:
        """Gives it a job; false when the process turns out to be dead, and the job is still to be done."""
        self._tail.clear()
        self._job_at = self._written if self._ready else -1  # one that dies as it starts is told, not tried for ever
        if not self._write(message):
            self.ended = True
            return False
        self.node = message["job"]
        self.memory_bytes = message["memory"]
        self.worked = True
        return True

    def send_ahead(self, messages: Sequence[Message]) -> None:
        """Gives it jobs to run after what it has. Should it die meanwhile, they are as if never sent."""
        self.ahead.extend(message["job"] for message in messages)
        self.memory_bytes = max(self.memory_bytes, *(message["memory"] for message in messages))
        self._write(*messages)

    def reply(self, job: str, number: int, answer: Message) -> None:
        """Answers what a job asked: {"answer": ...} or {"refused": [message, fix]}."""
        self._write({"reply": job, "number": number, **answer})

    def cancel(self) -> None:
        """Asks it to stop what it runs and to leave out the rest, and kills it when it has not within the grace."""
        if self.node is None or self.stopping:
            return
        self.stopping = True
        self._write(*({"cancel": id} for id in (self.node, *self.ahead)))
        self._timer = self.loop.call_later(GRACE_SECONDS, self.kill)

    def free(self) -> None:
        """What it ran has ended; it goes on with what it has, or can take the next."""
        self.node = self.ahead.popleft() if self.ahead else None
        self._job_at = -1
        if self.node is not None:
            return  # if it was asked to stop, that holds for this too
        self.memory_bytes = 0
        self.stopping = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def drop(self, model: str) -> None:
        """Gives the memory of a model back: at once, or when its present use ends."""
        if model in self.loaded:
            self._write({"free": model})
        elif model in self.models and self.node is None:
            self.kill()
        self.models.discard(model)

    def set_idle(self, seconds: float) -> None:
        """From now on models go when nobody used them for so long; 0 for never."""
        self._write({"idle": seconds})

    def kill(self) -> None:
        """Ends the process with all that it started."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.ended = True
        if self._process.poll() is not None:
            return
        if sys.platform.startswith("linux"):
            self._kill_by_guard()
            return
        started = child_processes.started_by([self.pid])
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        child_processes.end(started[self.pid])

    def _kill_by_guard(self) -> None:
        """The guard ends all that is below it, and itself last. Until it watches, there is no worker."""
        with contextlib.suppress(ProcessLookupError):
            if self.pid != self.guard:
                os.kill(self.pid, signal.SIGKILL)
        self._process.terminate()

    def spoil(self, found: str) -> None:
        """Ends it, as what came from it is not what a worker says: only a tool can have written that."""
        self.garbled = self.garbled or found
        self.on_messages = None
        self.kill()

    def end_for_memory(self, node: str, limit_bytes: int) -> None:
        """Ends it, as that node took more memory than it may, if it still runs it. May be called on any thread."""
        self._call(self._end_for_memory, (node, limit_bytes))

    def _end_for_memory(self, which: tuple[str, int]) -> None:
        if self.node == which[0] and not self.ended:
            self.exceeded_bytes = which[1]
            self.kill()

    def tidy(self, left: Collection[int]) -> None:
        """After a run: ends it when something that a tool started in it still runs, by the numbers of all it `left`."""
        if self.worked and not self.ended and self.node is None and child_processes.still_runs(set(left) - {self.pid}):
            self.kill()
        self.worked = False

    async def gone(self) -> None:
        """Waits until a killed lane's process has ended and its scratch folder is removed."""
        while self._waiter.is_alive():
            await asyncio.sleep(0.002)

    @property
    def last_words(self) -> str:
        """What the process printed since its current job began, at most the last few thousand characters."""
        return self._tail.decode("utf-8", "replace").strip()

    def _write(self, *messages: Message) -> bool:
        data = b"".join(map(encoded, messages))
        self._written += len(data)
        if len(data) <= 32768:
            return self._put(data)
        # Larger than what a pipe holds: writing would wait for the worker, and the loop must not.
        threading.Thread(target=self._put, args=(data,), daemon=True).start()
        return True

    def _put(self, data: bytes) -> bool:
        try:
            while data:
                data = data[self._in.write(data) or 0 :]
        except (OSError, ValueError):
            return False
        return True

    def _read(self, stream: IO[bytes]) -> None:
        lines = MessageDecoder()
        while not lines.garbled and (block := _read_some(stream)):
            messages = lines.feed(block)
            if messages:
                self._begun(messages)
                self._unheard.acquire()
                self._call(self._heard, messages)
        if lines.garbled:
            self.garbled = lines.garbled  # here, as the end of the process may be told before the loop comes to `spoil`
            self._call(self.spoil, lines.garbled)
        stream.close()

    def _begun(self, messages: list[Message]) -> None:
        """Takes the number of the worker from its first message; a tool that says so later is not believed."""
        if not self._ready:
            self._ready = True
            self.pid = messages[0].get("ready", self.pid)
            self.unbound = messages[0].get("unbound", "")

    def _log(self, stream: IO[bytes]) -> None:
        """Keeps what is printed: the end of it for messages, and up to a megabyte in a file."""
        path = home() / "logs" / f"{self.name.lower().replace(' ', '-')}.log"
        with contextlib.suppress(OSError):  # a full disk must not stop the listening: the tool would block on print
            _made(path.parent)
            if path.exists() and path.stat().st_size > _LOG_BYTES // 2:
                os.replace(path, path.with_suffix(".old.log"))
        written = 0
        while block := _read_some(stream):
            self._tail += block
            del self._tail[:-_TAIL_BYTES]
            if written < _LOG_BYTES:
                written += len(block)
                with contextlib.suppress(OSError), open(path, "ab") as file:
                    file.write(block)
        stream.close()

    def _wait(self) -> None:
        self._end_what_it_left()
        code = self._process.wait()
        # What it said before it died counts; but a process that it left behind may keep the pipes open for ever.
        self._reader.join(_LAST_WORDS_SECONDS)
        self._logger.join(_LAST_WORDS_SECONDS)
        self.ended = True
        self.unread = self._job_at >= 0 and self._written - self._left_in_the_pipe() <= self._job_at
        self._in.close()
        self._call(self._told_end, code)
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _end_what_it_left(self) -> None:
        """Waits for the process, and kills what it started before its number is free to be given to another."""
        if hasattr(os, "waitid"):
            with contextlib.suppress(OSError):
                os.waitid(os.P_PID, self.guard, os.WEXITED | os.WNOWAIT)
                child_processes.end(child_processes.of_session(self.guard))

    def _left_in_the_pipe(self) -> int:
        """How many bytes of what was written the dead process has not read; 0 where the system does not tell."""
        if sys.platform == "win32":
            return 0
        import fcntl
        import termios

        count = array("i", [0])
        with contextlib.suppress(OSError, ValueError):
            fcntl.ioctl(self._in.fileno(), termios.FIONREAD, count)
        return count[0]

    def _heard(self, messages: list[Message]) -> None:
        self._unheard.release()
        for message in messages:
            if "models" in message:
                self.models -= self.loaded.keys() - message["models"].keys()
                self.loaded = message["models"]
            elif message.get("preview") and not self._is_preview(message["preview"]):
                message["preview"] = ""
        if self.on_messages is not None:
            self.on_messages(self, messages)

    def _is_preview(self, path: str) -> bool:
        """True for a plain file of the lane's own folder: the window opens it."""
        try:
            return os.path.dirname(path) == str(self.scratch) and stat.S_ISREG(os.lstat(path).st_mode)
        except (OSError, ValueError):
            return False

    def _told_end(self, code: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.on_end is not None:
            self.on_end(self, code)

    def _call(self, function: Callable[..., None], argument: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody is left to tell
            self.loop.call_soon_threadsafe(function, argument)

    def _thread(self, target: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, name=f"{self.name} {target.__name__}", daemon=True)
        thread.start()
        return thread


def words_of_end(code: int) -> str:
    """How a process ended, for people: "signal 9: it was killed, most often because the memory ran out"."""
    if code >= 0xC0000000:  # how Windows says so
        return Phrase("code {code}: a library in it crashed", code=f"{code:#x}")
    if code >= 0:
        return Phrase("code {code}: the tool ended the process", code=code)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = ""
    meaning = {
        "SIGKILL": Phrase("it was killed, most often because the memory ran out"),
        "SIGSEGV": Phrase("a library in it crashed"),
        "SIGABRT": Phrase("a library in it gave up"),
        "SIGBUS": Phrase("a library in it crashed, or the disk is full"),
        "SIGFPE": Phrase("a library in it crashed"),
        "SIGILL": Phrase("a library in it was built for another processor"),
        "SIGTERM": Phrase("it was told to end"),
    }.get(name, name)
    return Phrase("signal {n}: {meaning}", n=-code, meaning=meaning) if meaning else Phrase("signal {n}", n=-code)


def _read_some(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), 65536)
    except OSError:
        return b""


def _made(folder: Path) -> Path:
    make_private(folder)
    return folder


def _environment(threads: int, idle_seconds: float, scratch: Path, libraries: Path | None) -> dict[str, str]:
    path = [str(PROJECT), *(entry for entry in sys.path if entry), *([str(libraries)] if libraries else [])]
    count = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    more = {IDLE: f"{idle_seconds:g}", "PYTHONPATH": os.pathsep.join(dict.fromkeys(path))}
    return {**bounds.environment(os.environ, scratch), **count, **OFFLINE, **more}
