"""Runs as event lines: events to and from JSON, the file of a run, and what a dead program left behind.

`home()/runs/ID.jsonl` is log, bug report and test fixture in one. Besides the events it says whose it is, and what ran.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import psutil

from desktop_app.core import checked_json as checked
from desktop_app.core.paths import keep_private, make_private
from desktop_app.core.plain import from_plain, to_plain
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.resources import Resource
from nodes.phrase import Phrase

KEPT = 200  # chosen: so many of the latest runs
_TAIL = 4096
_YOUNG_SECONDS = 5.0  # chosen: a file without its first line may still be written
_WORKFLOW = "Workflow"
_DIGEST = re.compile(rb"\b[0-9a-f]{64}\b")
_RUN = re.compile(r"[\w-]{0,100}", re.ASCII)
OUTCOMES = ("", "ok", "failed", "cancelled", "lost")
_text = json.JSONEncoder(separators=(",", ":"), default=str).encode
_KINDS = {
    kind.__name__: kind
    for kind in (
        events.RunStarted, events.NodeQueued, events.NodeStarted, events.NodeProgress, events.NodeFinished,
        events.NodeFailed, events.NodeSkipped, events.NodeCancelled, events.RunFinished,
    )
}  # fmt: skip


def to_json(event: Event) -> dict[str, Any]:
    data = _bare(event)
    if isinstance(event, events.NodeFinished):
        data["outputs"] = to_plain(event.outputs, {Resource: Resource.to_json})
    return data


def _bare(event: Event) -> dict[str, Any]:
    """Without what was made."""
    said = {name: value for name, value in vars(event).items() if name != "outputs"}
    return {"event": type(event).__name__, **to_plain(said)}


def from_json(data: Any) -> Event | None:
    """The event, or None for a kind that this version does not know. Raises ValueError for data of another form."""
    data = checked.mapping(data, "an event")
    kind = _KINDS.get(checked.text(data, "event"))
    if kind is None:
        return None
    try:
        event = from_plain(kind, data, {Resource: Resource.from_json})
    except TypeError as error:
        raise ValueError(f"a field is missing or of another kind ({error})") from None
    if isinstance(event, events.RunStarted | events.RunFinished) and not _RUN.fullmatch(event.run):
        raise ValueError(f"{event.run[:40]!r} is no name of a run")  # it names the recording's file
    if isinstance(event, events.RunFinished) and event.outcome not in OUTCOMES:
        raise ValueError(f"{event.outcome[:40]!r} is no outcome")
    for port in event.outputs if isinstance(event, events.NodeFinished) else ():
        checked.port(port)
    return event


def read(path: Path) -> Iterator[Event]:
    """The events of a recorded run. A last line that was cut off by a crash is left out. Raises OSError."""
    return (event for _, event in _timed(path))


def _timed(path: Path) -> Iterator[tuple[float, Event]]:
    """The events with the seconds since the recording began at which they were told."""
    with open(path, "rb") as file:
        yield from _told(file)


def _told(lines: Iterable[bytes]) -> Iterator[tuple[float, Event]]:
    at = 0.0
    for line in lines:
        try:
            data = checked.parsed(line)
            event = from_json(data)
            at = max(at, checked.number(data.get("at", at), "'at'", 0))
        except ValueError:
            continue
        if event is not None:
            yield at, event


def news(path: Path, offset: int = 0) -> tuple[list[tuple[float, Event]], int]:
    """What was told after the first `offset` bytes, each with its seconds since the recording began; and where it ends.

    A line that is not whole yet is left for the next time. Raises OSError.
    """
    with open(path, "rb") as file:
        file.seek(offset)
        data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    return list(_told(io.BytesIO(whole))), offset + len(whole)


class Recording:
    """The file of a run in progress. Lines are whole and in the system's hands when `write` returns.

    A disk that is full ends the recording, never the run: `failure` then says why.
    """

    def __init__(self, folder: Path, run: str, workflow: str = "") -> None:
        """`workflow` is JSON text of one line."""
        self.path = folder / f"{run}.jsonl"
        self.failure = ""
        self._file: BinaryIO | None = None
        self._start = time.monotonic()
        try:
            make_private(folder)
            self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - closed in `close`
            keep_private(self.path)
            self._write(_text({"event": "Owner", **_owner()}) + "\n")
            if workflow:
                self._write(f'{{"event":"{_WORKFLOW}","workflow":{workflow}}}\n')
        except OSError as error:
            self._fail(error)

    def write(self, batch: Iterable[Event]) -> None:
        if self._file is not None:
            try:
                at = round(time.monotonic() - self._start, 4)
                self._write("".join(_line(event, at) for event in batch))
            except OSError as error:
                self._fail(error)

    def close(self) -> None:
        """Ends the recording. May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, text: str) -> None:
        assert self._file is not None
        data = text.encode("utf-8", "replace")
        while data:
            data = data[self._file.write(data) :]

    def _fail(self, error: OSError) -> None:
        self.failure = Phrase("The run could not be recorded ({why}).", why=error.strerror or error)
        self.close()


def close_lost(folder: Path) -> tuple[str, ...]:
    """Ends the recordings that a dead program left without an end, as "lost", and returns their run ids.

    Also drops the oldest recordings beyond KEPT. Runs of other programs that are alive are left alone.
    """
    files = sorted(folder.glob("*.jsonl"), key=lambda path: path.name) if folder.is_dir() else []
    lost = []
    for path in files[-KEPT:]:
        try:
            if not _ended(path) and not _alive(path):
                _end(path)
                lost.append(path.stem)
        except Exception:  # an edge: what a dead program or a full disk left may be of any form, and the program starts
            continue
    for path in files[:-KEPT]:
        with contextlib.suppress(OSError):  # another program removes it too, or has it open
            path.unlink(missing_ok=True)
    return tuple(lost)


def shown_elsewhere(folder: Path) -> set[str]:
    """The digests of all files that runs of other programs speak of which are alive."""
    found: set[str] = set()
    for path in folder.glob("*.jsonl") if folder.is_dir() else ():
        with contextlib.suppress(Exception):  # as in close_lost
            if _alive(path) and not _mine(path):
                found.update(digest.decode() for digest in _DIGEST.findall(path.read_bytes()))
    return found


def _ended(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        lines = file.read().splitlines()
    return bool(lines) and lines[-1].startswith(b'{"event":"RunFinished"')


def _end(path: Path) -> None:
    data = path.read_bytes()
    finish = events.RunFinished(path.stem, "lost", max(0.0, path.stat().st_mtime - _started(path)))
    line = _text(to_json(finish)) + "\n"
    with open(path, "ab") as file:
        file.write((b"" if data.endswith(b"\n") or not data else b"\n") + line.encode())


def _started(path: Path) -> float:
    return next((event.time for event in read(path) if isinstance(event, events.RunStarted)), path.stat().st_mtime)


def _owner() -> dict[str, Any]:
    return {"pid": os.getpid(), "born": psutil.Process().create_time(), "time": time.time()}


def _alive(path: Path) -> bool:
    """True when the process that writes the file still runs: the number alone may have been given to another."""
    with open(path, "rb") as file:
        line = file.readline()
    if not line.endswith(b"\n"):  # just made by another program, or by one that died at once
        return time.time() - path.stat().st_mtime < _YOUNG_SECONDS
    owner = checked.mapping(checked.parsed(line), "a line")
    try:
        return abs(psutil.Process(owner["pid"]).create_time() - owner["born"]) < 1
    except (psutil.Error, KeyError, TypeError):
        return False


def _mine(path: Path) -> bool:
    """True for a recording that this process writes, or has written."""
    with open(path, "rb") as file:
        return json.loads(file.readline()).get("pid") == os.getpid()


def _line(event: Event, at: float) -> str:
    """The event as a line of the file. Results of a batch are written from their own text, which it has made by then:
    ten thousand in one go would hold the loop for 30 ms."""
    if not (isinstance(event, events.NodeFinished) and any(isinstance(v, tuple) for v in event.outputs.values())):
        return _text({**to_json(event), "at": at}) + "\n"
    head = _text({**_bare(event), "at": at})
    outputs = ",".join(f"{_text(name)}:{_output_text(value)}" for name, value in event.outputs.items())
    return f'{head[:-1]},"outputs":{{{outputs}}}}}\n'


def _output_text(value: Resource | tuple[Resource, ...]) -> str:
    if not isinstance(value, tuple):
        return _text(value.to_json())
    if all("text" in vars(item) for item in value):
        return f"[{','.join([item.text for item in value])}]"
    return _text([item.to_json() for item in value])
