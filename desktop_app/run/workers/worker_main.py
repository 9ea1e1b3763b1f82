"""The child process that runs nodes, which guard.py starts: STORE SCRATCH on its command line.

It speaks one JSON object per line on what were its stdin and stdout. In comes {"job": ...} as `jobs.Job.message`
makes it, {"cancel": id}, {"reply": id, "number", "answer" or "refused"} to what a job asked, {"free": model} or
{"idle": seconds}, after which unused models go. Out go {"ready": pid, "unbound": what of its bounds could not be set},
{"models": {id: bytes}} when others than before are in memory, {"progress": id, "fraction", "note", "preview"},
{"ask": id, "number", "service", "request"} to the program, and for each job one of {"done": id, "outputs", "seconds"},
{"cancelled": id, "seconds"} and {"failed": id, "message", "port", "fix", "cause", "seconds"}, the last with "memory":
true when there was too little, and "damaged" when that file of the store is so. The tool's own stdout leads to stderr;
what gets into that stream all the same is found out by the other side (wire.py).
"""

from __future__ import annotations

import errno
import faulthandler
import importlib
import importlib.util
import inspect
import json
import math
import os
import queue
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.core.errors import AppError, DamagedContent
from desktop_app.run.workers import marshalling, notices
from desktop_app.run.workers.fork_guard import Forks, Split
from desktop_app.run.workers.protocol import IDLE, PROMISE, encoded
from desktop_app.storage.resources import Store
from nodes import confinement, phrase
from nodes._support.web import mcp_call
from nodes.api import Backend, Cancelled, NodeError, ResourceType, RunContext, Tool
from nodes.declarations import from_plain
from nodes.phrase import Phrase

_TICK = 1 / 30
_CAUSE_KEPT = 8000
_PREVIEWS_KEPT = 3  # chosen: the latest are all that is shown
_MADE_KEPT = 64  # chosen: results that the next job may take from memory
_SAID_KEPT = 2000
_POOL = "nodes._support.models.model_pool"
_BOUNDS = Phrase(
    "Tools read what they are given, models and the system, and write only their own results. Report the tool."
)


class Channel:
    """The line to the scheduler. Safe to use from the threads of a tool; mute in processes that a tool forks."""

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - lives as long as the process
        self._lock = threading.Lock()
        self._process = os.getpid()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._close)

    def lines(self) -> Any:
        """What comes in, until the scheduler is gone."""
        with open(self._in, "rb", closefd=False) as stream:
            yield from stream

    def send(self, message: dict[str, Any]) -> None:
        """One line out. Without a scheduler to read it there is nothing left to live for."""
        if os.getpid() != self._process:
            return
        data = encoded(message)
        try:
            with self._lock:
                while data:
                    data = data[os.write(self._out, data) :]
        except OSError:
            os._exit(1)

    def _close(self) -> None:
        os.close(self._in)
        os.close(self._out)


class Context(RunContext):
    """The context of one job. Its folder is made when it is asked for, and removed after the node."""

    def __init__(self, job: str, device: str, model: str, scratch: Path, channel: Channel) -> None:
        self.device = device
        self.model = Path(model) if model else None
        self.cancelled = False
        self._job, self._scratch, self._channel = job, scratch, channel
        self._folder: Path | None = None
        self._files = 0
        self._previews: list[Path] = []
        self._last = 0.0
        self._asked = 0
        self.told: list[str] = []
        self.linked: dict[str, Any] = {}
        self.files: Callable[[str], Path | None] = lambda port: None
        self.replies: queue.Queue[dict[str, Any]] = queue.Queue()

    @property
    def folder(self) -> Path:  # type: ignore[override]
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(dir=self._scratch))
        return self._folder

    def check(self) -> None:
        """Raises Cancelled when the user stopped the node."""
        if self.cancelled:
            raise Cancelled

    def names(self, port: str) -> tuple[str, ...]:
        """As in RunContext."""
        return marshalling.names(self.linked.get(port, []))

    def file_of(self, port: str) -> Path | None:
        """As in RunContext."""
        return self.files(port)

    def kinds(self, port: str) -> tuple[ResourceType | None, ...]:
        """As in RunContext."""
        return marshalling.kinds(self.linked.get(port, []))

    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        """Reports, at most 30 times a second: what comes sooner is dropped, being out of date."""
        self.check()
        now = time.monotonic()
        if now - self._last < _TICK:
            return
        self._last = now
        shown = self._show(preview) if preview is not None else ""
        self._channel.send(
            {"progress": self._job, "fraction": _within(fraction), "note": _short(note), "preview": shown}
        )

    def tell(self, note: str) -> None:
        """As in RunContext; put beside the first output when the tool is done."""
        super().tell(_short(note))

    def ask(self, service: str, request: dict[str, Any]) -> dict[str, Any]:
        """As in RunContext; waits until the program answers, or the user stops the node."""
        self._asked += 1
        self._channel.send({"ask": self._job, "number": self._asked, "service": service, "request": request})
        while True:
            self.check()
            try:
                reply = self.replies.get(timeout=_TICK)
            except queue.Empty:
                continue
            if reply.get("number") != self._asked:
                continue
            if "refused" in reply:
                message, fix = reply["refused"]
                raise NodeError(phrase.from_json(message), "", phrase.from_json(fix))
            return reply["answer"]

    def clean(self) -> None:
        """Removes the folder; previews stay a little, as the window may be reading them."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _show(self, preview: np.ndarray) -> str:
        from PIL import Image

        handle, name = tempfile.mkstemp(".png", "preview-", self._scratch)
        with os.fdopen(handle, "wb") as file:
            Image.fromarray(preview).save(file, "PNG", compress_level=1)
        self._previews.append(Path(name))
        if len(self._previews) > _PREVIEWS_KEPT:
            self._previews.pop(0).unlink(missing_ok=True)
        return name


class Models:
    """The models that tools hold in this process: tells which these are, and passes on what is wanted of them."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._watched = False

    def watch(self) -> None:
        """Listens to the pool of models, once a tool has brought it here: what none needs is not loaded."""
        module = sys.modules.get(_POOL)
        if module is not None and not self._watched:
            self._watched = True
            pool = module.pool()
            pool.on_change = lambda: self._channel.send({"models": pool.sizes()})
            if pool.held():
                pool.on_change()

    def obey(self, message: dict[str, Any]) -> None:
        if "idle" in message:
            os.environ[IDLE] = str(message["idle"])  # for a pool that is still to come
        module = sys.modules.get(_POOL)
        if module is None:
            return
        if "idle" in message:
            module.pool().set_idle(message["idle"])
        else:
            module.pool().free(message["free"])


class Worker:
    """Takes jobs one after the other on the main thread; a second thread listens, so that a cancel gets through."""

    def __init__(self, store: Store, scratch: Path, channel: Channel, unbound: str = "") -> None:
        self._store, self._scratch, self._channel, self._unbound = store, scratch, channel, unbound
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._context: Context | None = None
        self._cancelled: set[str] = set()
        self._memory = marshalling.Memory()
        self._found: dict[tuple[str, str, str], tuple[Tool, Backend, bool]] = {}
        self._made: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._forks = Forks()
        self._models = Models(channel)
        self._process = os.getpid()

    def run(self) -> None:
        threading.Thread(target=self._listen, name="scheduler", daemon=True).start()
        self._channel.send({"ready": self._process, "unbound": self._unbound})
        while True:
            job = self._jobs.get()
            self._channel.send(self._answer(job))

    def _listen(self) -> None:
        for line in self._channel.lines():
            message = json.loads(line)
            if "job" in message:
                self._cancelled.discard(message["job"])  # what was said of an earlier job of that name is over
                self._jobs.put(message)
                continue
            if "cancel" in message:
                self._cancel(message["cancel"])
            elif "reply" in message:
                context = self._context
                if context is not None and context._job == message["reply"]:
                    context.replies.put(message)
            else:
                self._models.obey(message)
        os._exit(0)  # the scheduler is gone; nobody wants the result

    def _cancel(self, id: str) -> None:
        self._cancelled.add(id)
        context = self._context
        if context is not None and context._job == id:
            context.cancelled = True

    def _answer(self, job: dict[str, Any]) -> dict[str, Any]:
        id, start = job["job"], time.perf_counter()
        self._made.pop(id, None)
        context = Context(id, job["device"], job.get("model", ""), self._scratch, self._channel)
        context.linked = job["linked"]
        self._context = context
        if id in self._cancelled:
            context.cancelled = True
        confinement.limit_memory(job.get("memory", 0))
        try:
            answer: dict[str, Any] = {"done": id, "outputs": self._run(job, context)}
        except Cancelled:
            answer = {"cancelled": id}
        except BaseException as error:  # the edge: whatever a tool does ends as the failure of its node
            answer = {"failed": id, **_failure(error)}
            if _out_of_memory(error):
                answer["memory"] = True
                self._memory.clear()
        finally:
            self._context = None
            context.clean()
            self._models.watch()
        return answer | {"seconds": time.perf_counter() - start}

    def _run(self, job: dict[str, Any], context: Context) -> dict[str, Any]:
        tool, backend, with_context = self._tool(job)
        linked = {port: self._kept_promises(given) for port, given in job["linked"].items()}
        context.files = lambda port: marshalling.file_of(linked.get(port, []), self._store)
        arguments = marshalling.inputs(tool, job | {"linked": linked}, self._store, self._memory)
        if with_context:
            arguments["context"] = context
        context.check()
        given = self._called(job["job"], backend, arguments)
        self._forks.check(job["job"], lambda: context.cancelled)
        outputs = marshalling.outputs(tool, given, self._store, self._memory, context._folder)
        notices.put(outputs, phrase.joined(*dict.fromkeys(context.told)))
        self._made[job["job"]] = outputs
        if len(self._made) > _MADE_KEPT:
            self._made.popitem(last=False)
        return outputs

    def _called(self, job: str, backend: Backend, arguments: dict[str, Any]) -> Any:
        """What the tool gives. Only this process comes back from here, not what the tool forked off it."""
        try:
            given = backend.run(**arguments)
        except BaseException as error:
            self._forks.end_copy(job, error)
            raise
        self._forks.end_copy(job)
        return given

    def _kept_promises(self, given: list[Any]) -> list[Any]:
        """What links bring, with what earlier jobs made here in place of the promise of it."""
        if given and isinstance(given[0], list):
            return [self._kept_promises(item) for item in given]
        if not given or not given[0].startswith(PROMISE):
            return given
        made = self._made.get(given[0].removeprefix(PROMISE))
        if made is None:
            raise Cancelled  # the earlier job failed, and nobody waits for this one
        return [*made[given[1]][:3], ""]

    def _tool(self, job: dict[str, Any]) -> tuple[Tool, Backend, bool]:
        wanted = (job["module"], job["tool"], job["backend"])
        if wanted not in self._found:
            tool = _declared(job["declared"]) if "declared" in job else _find(job["module"], job["file"], job["tool"])
            backend = tool.backend(job["backend"])
            if backend is None:
                raise NodeError(
                    Phrase("{tool} has no back end '{id}'.", tool=Phrase(tool.title, "tools"), id=job["backend"]),
                    "",
                    "Choose another.",
                )
            self._found[wanted] = (tool, backend, "context" in inspect.signature(backend.run).parameters)
            self._models.watch()
        return self._found[wanted]


def _declared(plain: dict[str, Any]) -> Tool:
    """A tool of an MCP server, which no file declares."""
    tool = from_plain(plain)
    return replace(tool, backends=tuple(replace(backend, run=mcp_call.call) for backend in tool.backends))


def _find(module: str, file: str, id: str) -> Tool:
    """The tool of that id in a module, which is found by its name, else by its file."""
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not file or error.name not in (module, module.partition(".")[0]):
            raise
        spec = importlib.util.spec_from_file_location(module, file)
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[module] = loaded
        spec.loader.exec_module(loaded)
    for thing in vars(loaded).values():
        tool = getattr(thing, "tool", None)
        if isinstance(tool, Tool) and tool.id == id:
            return tool
    raise NodeError(
        Phrase("{module} no longer declares the tool '{id}'.", module=module, id=id), "", "Restart the program."
    )


def _failure(error: BaseException) -> dict[str, Any]:
    """A failure as {"message", "port", "fix", "cause"}: what the user's input caused is told apart from bugs."""
    if isinstance(error, NodeError | AppError):
        port = str(error.port or "") if isinstance(error, NodeError) else ""
        said = {"message": _short(error.message), "port": port, "fix": _short(error.fix), "cause": ""}
        return said | {"damaged": error.file} if isinstance(error, DamagedContent) else said
    trace = "".join(traceback.format_exception(error))[-_CAUSE_KEPT:]
    message, fix = _words(error)
    return {"message": message, "port": "", "fix": fix, "cause": trace}


def _short(text: object) -> str:
    """What a tool said, cut where it is too much for a message; of a phrase only what it is as text."""
    return text if isinstance(text, Phrase) and len(text) <= _SAID_KEPT else str(text)[:_SAID_KEPT]


def _words(error: BaseException) -> tuple[str, str]:
    if _out_of_memory(error):
        limit = confinement.memory_limit()
        more = Phrase("There was not enough memory for it: it may take {limit} GB here.", limit=f"{limit / 1e9:.1f}")
        said = more if limit else Phrase("There was not enough memory for it.")
        return said, Phrase("Close other programs, or work on something smaller.")
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return Phrase("The disk is full."), "Free some disk space and run again; finished results are kept."
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        said = Phrase(
            "It wrote a file larger than the {file_limit} GB that a tool may write.",
            file_limit=f"{confinement.file_limit() / 1e9:.1f}",
        )
        return said, Phrase("Work on something smaller.")
    if isinstance(error, PermissionError):
        what = f"{error.strerror}: {error.filename}" if error.filename else str(error)
        return Phrase("The tool reached for something that is closed to it ({what}).", what=what[:_SAID_KEPT]), _BOUNDS
    if isinstance(error, ModuleNotFoundError):
        said = Phrase("It needs the Python package '{package}', which is not installed.", package=error.name)
        return said, Phrase("Install '{package}'.", package=error.name)
    if isinstance(error, Split):
        said = Phrase("The tool has a fault: it split its process in two, and both went on. The second was ended.")
        return said, Phrase("Try another back end, and report the fault.")
    if isinstance(error, marshalling.BadOutput):
        said = Phrase("The tool has a fault: {error}", error=error)
        return said, Phrase("Try another back end or other values, and report the fault.")
    name = type(error).__name__
    text = str(error).strip().splitlines()
    detail = f"{name}: {text[0][:_SAID_KEPT]}" if text else name
    said = Phrase("The tool has a fault ({detail}).", detail=detail)
    return said, Phrase("Try other values or another back end, and report the details below.")


def _within(fraction: float) -> float:
    """0..1, whatever the tool says; what is no number is no progress."""
    return min(1.0, max(0.0, float(fraction))) if math.isfinite(fraction) else 0.0


def _out_of_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"  # the latter is torch's


def main(troubles: list[str]) -> None:
    """Runs a worker on the store and the scratch folder of the command line. `troubles` as `confine` tells them."""
    channel = Channel()
    faulthandler.enable()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    scratch = Path(sys.argv[2])
    staging = scratch if confinement.Confinement.from_json(sys.argv[3]).add else None
    Worker(Store(Path(sys.argv[1]), staging), scratch, channel, "; ".join(troubles)).run()
