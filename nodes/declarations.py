"""What tool files declare, found out without importing one of them in this process.

A file of a tool is a program of anybody: importing it may end the process, loop or do harm. It is imported in a child
process that is confined and has a time limit, and what it declares is kept beside the compiled files, by the content of
all files of this package, so that a start reads it back sooner than the files could be imported.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from nodes import confinement
from nodes.api import Backend, Port, ResourceType, Tool

PACKAGE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 20.0
"""For how long a file may take to be imported."""
_MEMORY_BYTES = 4 << 30
_LINE_BYTES = 1 << 20
_WHY_CHARACTERS = 500
_LET_THROUGH = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE")


class Declared:
    """The function of a back end, which is imported when it is called, as a rule in a lane and never in the window."""

    def __init__(self, module: str, tool: str, backend: str, doc: str = "") -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = f"{tool}_{backend}"
        self.__doc__ = doc
        self._place = (module, tool, backend)

    def function(self) -> Callable[..., Any]:
        """The function itself. Imports its file."""
        module, tool, backend = self._place
        found = tool_in(module).backend(backend)
        if found is None:
            raise ImportError(f"{module} no longer declares '{backend}' of '{tool}'")
        return found.run

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        return self.function().__annotations__

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.function()(*values, **named)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.function())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Declared) and self._place == other._place

    def __hash__(self) -> int:
        return hash(self._place)


def tool_in(name: str) -> Tool:
    """The one tool that a module declares. Imports it, and raises whatever that raises."""
    module = importlib.import_module(name)
    declared = (getattr(value, "tool", None) for value in vars(module).values() if callable(value))
    found = [tool for tool in declared if isinstance(tool, Tool) and tool.backends[0].run.__module__ == name]
    if len(found) != 1:
        raise ImportError(f"{name} declares {len(found)} tools; a tool is one file")
    return found[0]


def declared(
    names: Sequence[str], folders: Sequence[Path] = (), keep: Path | None = None, patience: float = PATIENCE_SECONDS
) -> tuple[dict[str, Tool], dict[str, str]]:
    """By module the tool, and for modules that have none to give, what went wrong.

    `folders` are looked for modules besides the program's own; what was found is kept in the file `keep`, if every file
    was looked at to its end: a process may be lost or slow as well because the machine has too much to do.
    """
    key = _key(names) if keep is not None else ""
    known = _read(keep, key) if keep is not None else None
    if known is not None:
        return known
    found, failures, lost = _collected(names, folders, patience)
    if keep is not None and not lost:
        _write(keep, key, found, failures)
    return {name: from_plain(plain) for name, plain in found.items()}, failures


# Plain values


def to_plain(tool: Tool) -> dict[str, Any]:
    """The tool as JSON values; `from_plain` reverses it but for functions, which become Declared."""
    plain = {field.name: getattr(tool, field.name) for field in fields(Tool)}
    plain["inputs"] = [_plain_port(port) for port in tool.inputs]
    plain["outputs"] = [_plain_port(port) for port in tool.outputs]
    plain["backends"] = [_plain_backend(backend) for backend in tool.backends]
    return plain


def from_plain(plain: Mapping[str, Any]) -> Tool:
    """Raises KeyError, TypeError, ValueError or AttributeError for values of another form."""
    given = dict(plain)
    given["inputs"] = tuple(_port(port) for port in plain["inputs"])
    given["outputs"] = tuple(_port(port) for port in plain["outputs"])
    given["backends"] = tuple(_backend(backend, plain["id"]) for backend in plain["backends"])
    given |= {name: tuple(plain[name]) for name in ("examples", "words", "any_of")}
    given["result_signs"] = tuple(map(tuple, plain["result_signs"]))
    return Tool(**given)


def _plain_port(port: Port) -> dict[str, Any]:
    plain = {field.name: getattr(port, field.name) for field in fields(Port)}
    del plain["default"]
    return plain if port.required else {**plain, "default": _plain_value(port.default)}


def _plain_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    raise TypeError(f"the default {value!r} is neither text, number, yes or no, nor a tuple of these")


def _port(plain: Mapping[str, Any]) -> Port:
    lists = {name: tuple(plain[name]) for name in ("choices", "offered")}
    given = {**plain, "type": ResourceType(plain["type"]), **lists}
    if "default" in plain:
        given["default"] = _value(plain["default"])
    return Port(**given)


def _value(plain: Any) -> Any:
    return tuple(_value(item) for item in plain) if isinstance(plain, list) else plain


def _plain_backend(backend: Backend) -> dict[str, Any]:
    plain = {field.name: getattr(backend, field.name) for field in fields(Backend)}
    return {**plain, "run": [backend.run.__module__, inspect.getdoc(backend.run) or ""]}


def _backend(plain: Mapping[str, Any], tool: str) -> Backend:
    module, doc = plain["run"]
    run = Declared(str(module), tool, plain["way"] or plain["id"], str(doc))
    lists = {"requires": tuple(plain["requires"]), "needs": tuple(plain["needs"])}
    return Backend(**{**plain, "run": run, **lists})


# What is kept


def _key(names: Sequence[str]) -> str:
    """Another one when a file of this package changed, or what is installed, by which a failed import may succeed."""
    content = hashlib.sha256(repr((sys.version, sys.prefix, list(names))).encode())
    for folder in sys.path:
        if folder.endswith("-packages"):
            with contextlib.suppress(OSError):
                content.update(f"{folder} {os.stat(folder).st_mtime_ns}".encode())
    for path in sorted(_sources(str(PACKAGE))):
        with open(path, "rb") as file:
            content.update(path.encode() + hashlib.sha256(file.read()).digest())
    return content.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry.path)
        elif entry.name.endswith(".py"):
            yield entry.path


def _read(keep: Path, key: str) -> tuple[dict[str, Tool], dict[str, str]] | None:
    try:
        kept = json.loads(keep.read_bytes())
        if kept["key"] != key:
            return None
        return {name: from_plain(plain) for name, plain in kept["tools"].items()}, dict(kept["failures"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _write(keep: Path, key: str, tools: Mapping[str, Any], failures: Mapping[str, str]) -> None:
    """Whoever may write beside the program may change the program too. Where nobody may, each start asks anew."""
    with contextlib.suppress(OSError):
        keep.parent.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=keep.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"key": key, "tools": tools, "failures": failures}, file, separators=(",", ":"))
            os.chmod(temporary, 0o644)
            os.replace(temporary, keep)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


# Asking a child process


def _collected(
    names: Sequence[str], folders: Sequence[Path], patience: float
) -> tuple[dict[str, dict[str, Any]], dict[str, str], list[str]]:
    """As `declared`, plain. A child that ends or hangs costs the file it was at; another goes on with the rest. Last
    the files that were lost so."""
    found: dict[str, dict[str, Any]] = {}
    failures: dict[str, str] = {}
    lost: list[str] = []
    waiting = list(names)
    while waiting:
        before = len(waiting)
        why = _ask(waiting, folders, patience, found, failures)
        if waiting and (why or len(waiting) == before):
            lost.append(waiting.pop(0))
            failures[lost[-1]] = why or "its process told nothing"
    return found, failures, lost


def _ask(
    waiting: list[str], folders: Sequence[Path], patience: float, found: dict[str, Any], failures: dict[str, str]
) -> str:
    """Takes from `waiting` what a child answers for, in order; returns why it did not for the first of the rest."""
    path = [str(PACKAGE.parent), *map(str, folders), *(entry for entry in sys.path if entry)]
    environment = {name: os.environ[name] for name in _LET_THROUGH if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(path))
    command = [sys.executable, "-X", "utf8", "-m", "nodes.declarations", *map(str, folders)]
    try:
        child = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
    except OSError as error:
        waiting[1:] = []
        return f"no process could be started to look at it ({error.strerror or error})"
    assert child.stdin is not None and child.stdout is not None
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_lines, args=(child.stdout, lines), daemon=True).start()
    with contextlib.suppress(OSError):
        child.stdin.write(json.dumps(waiting).encode() + b"\n")
        child.stdin.close()
    try:
        while waiting:
            try:
                line = lines.get(timeout=patience)
            except queue.Empty:
                return f"importing it took longer than {patience:g} seconds"
            if not line:
                return f"importing it ended the process ({_end_of(child)})"
            if not _take(line, waiting, found, failures):
                return "it wrote into the answers of its process"
        return ""
    finally:
        _end(child)


def _take(line: bytes, waiting: list[str], found: dict[str, Any], failures: dict[str, str]) -> bool:
    """One answer; false when it is none."""
    try:
        answer = json.loads(line)
        if "failed" in answer:
            failures[waiting[0]] = str(answer["failed"])[:_WHY_CHARACTERS]
        else:
            from_plain(answer["tool"])
            found[waiting[0]] = answer["tool"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    del waiting[0]
    return True


def _read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    with stream:
        while line := stream.readline(_LINE_BYTES):
            lines.put(line)
    lines.put(b"")


def _end_of(child: subprocess.Popen[bytes]) -> str:
    try:
        code = child.wait(5)
    except subprocess.TimeoutExpired:
        return "it closed its answers"
    return f"code {code}" if code >= 0 else f"signal {-code}"


def _end(child: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()


# In the child


def main() -> None:
    """Reads the names of modules as a list from stdin, and answers for each with a line."""
    names = json.loads(sys.stdin.buffer.readline())
    with os.fdopen(os.dup(1), "wb") as out, open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
        confinement.confine(
            confinement.Confinement(
                read=(*confinement.of_the_system(), str(PACKAGE.parent), *sys.argv[1:]),
                devices=confinement.DEVICES, file_bytes=1, open_files=1024, processes=256,
            )
        )  # fmt: skip
        confinement.limit_memory(_MEMORY_BYTES)
        sys.dont_write_bytecode = True
        for name in names:
            try:
                answer: dict[str, Any] = {"tool": to_plain(tool_in(name))}
                line = json.dumps(answer)
            except BaseException as error:  # the edge: whatever the file does is its own failure
                line = json.dumps({"failed": f"{type(error).__name__}: {error}"})
            out.write(line.encode() + b"\n")
            out.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
