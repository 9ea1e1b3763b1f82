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
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import psutil

from desktop_app.core import checked_json as checked
from desktop_app.core.paths import keep_private, make_private
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.resources import Resource
from nodes import phrase
from nodes.phrase import Phrase

KEPT = 200  # chosen: so many of the latest runs
_TAIL = 4096
_YOUNG_SECONDS = 5.0  # chosen: a file without its first line may still be written
_WORKFLOW = "Workflow"
_DIGEST = re.compile(rb"\b[0-9a-f]{64}\b")
_text = json.JSONEncoder(separators=(",", ":"), default=str).encode
_KINDS = {
    kind.__name__: kind
    for kind in (
        events.RunStarted, events.NodeQueued, events.NodeStarted, events.NodeProgress, events.NodeFinished,
        events.NodeFailed, events.NodeSkipped, events.NodeCancelled, events.RunFinished,
    )
}  # fmt: skip


def to_json(event: Event) -> dict[str, Any]:
    data = _plain(event)
    if isinstance(event, events.NodeFinished):
        data["outputs"] = {name: _output_to_json(value) for name, value in event.outputs.items()}
    return data


def _plain(event: Event) -> dict[str, Any]:
    data = {"event": type(event).__name__, **vars(event)}
    data.pop("outputs", None)
    for name in _SAID & data.keys():
        data[name] = said_to_json(data[name])
    return data


def from_json(data: Any) -> Event | None:
    """The event, or None for a kind that this version does not know. Raises ValueError for data of another form."""
    data = checked.mapping(data, "an event")
    kind = _KINDS.get(checked.text(data, "event"))
    if kind is None:
        return None
    fields = {name: field(name, data[name]) for name in kind.__dataclass_fields__ if name in data}
    try:
        return kind(**fields)
    except TypeError as error:
        raise ValueError(f"a field is missing ({error})") from None


def field(name: str, value: Any) -> Any:
    """The value of a field of an event as it was written down. Raises ValueError."""
    return _FIELDS[name](name, value)


def said_to_json(value: Any) -> Any:
    if isinstance(value, str):
        return phrase.to_json(value)
    return [[phrase.to_json(first), phrase.to_json(second)] for first, second in value]


def _said_field(name: str, value: Any) -> str:
    said = phrase.from_json(value)
    return said if isinstance(said, Phrase) else _text_field(name, said)


def _text_field(name: str, value: Any) -> str:
    return checked.text({name: value}, name, most=_MOST_TEXT)


def _run_field(name: str, value: Any) -> str:
    if not isinstance(value, str) or not _RUN.fullmatch(value):  # it names the recording's file
        raise ValueError(f"{str(value)[:40]!r} is no name of a run")
    return value


def _amount(name: str, value: Any) -> float:
    return checked.number(value, f"'{name}'", -_MOST, _MOST)


def _time(name: str, value: Any) -> float:
    """Of a run since the epoch, at the latest in the year 5138; of a node since the start of the run."""
    return checked.number(value, f"'{name}'", 0, 1e11)


def _maybe(name: str, value: Any) -> float | None:
    return None if value is None else _amount(name, value)


def _usual(name: str, value: Any) -> dict[str, float]:
    return {str(node): _amount(name, seconds) for node, seconds in checked.mapping(value, f"'{name}'").items()}


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise ValueError(f"'{name}' should be a whole number")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"'{name}' should be true or false")
    return value


def _one_of(*choices: str) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in choices:
            raise ValueError(f"'{name}' is {str(value)[:40]!r}, which is none that is known")
        return value

    return check


def _texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_text_field(name, one) for one in checked.items({name: value}, name))


def _pairs(
    first: Callable[[str, Any], Any], second: Callable[[str, Any], Any]
) -> Callable[[str, Any], tuple[Any, ...]]:
    def check(name: str, value: Any) -> tuple[Any, ...]:
        found = checked.items({name: value}, name)
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in found):
            raise ValueError(f"'{name}' should be pairs")
        return tuple((first(name, one), second(name, other)) for one, other in found)

    return check


def _counts(name: str, value: Any) -> dict[str, int]:
    return {str(key): _whole(name, one) for key, one in checked.mapping(value, f"'{name}'").items()}


def _outputs(name: str, value: Any) -> dict[str, Resource | tuple[Resource, ...]]:
    return {checked.port(port): _output_from_json(one) for port, one in checked.mapping(value, f"'{name}'").items()}


_SAID = frozenset(("note", "message", "fix", "notice", "going", "failed"))
_MOST = 1e12
_MOST_TEXT = 1_000_000
_RUN = re.compile(r"[\w-]{0,100}", re.ASCII)
_STATES = ("waiting", "queued", "running", "done", "failed", "skipped", "cancelled")
OUTCOMES = ("", "ok", "failed", "cancelled", "lost")
_FIELDS: Mapping[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(
        ("node", "lane", "preview", "port", "cause", "because", "other", "model", "backend"), _text_field
    ),
    **dict.fromkeys(("note", "message", "fix", "notice"), _said_field),
    "time": _time,
    **dict.fromkeys(("seconds", "fraction", "start"), _amount),
    "run": _run_field, "nodes": _texts, "outcome": _one_of(*OUTCOMES), "state": _one_of(*_STATES), "usual": _usual,
    "seconds_left": _maybe, "items": _whole, "cached": _flag, "counts": _counts, "outputs": _outputs,
    "going": _pairs(_whole, _said_field), "failed": _pairs(_said_field, _said_field),
}  # fmt: skip


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
            at = max(at, checked.number(data.get("at", at), "'at'", 0, _MOST))
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
    head = _text({**_plain(event), "at": at})
    outputs = ",".join(f"{_text(name)}:{_output_text(value)}" for name, value in event.outputs.items())
    return f'{head[:-1]},"outputs":{{{outputs}}}}}\n'


def _output_text(value: Resource | tuple[Resource, ...]) -> str:
    if not isinstance(value, tuple):
        return _text(value.to_json())
    if all("text" in vars(item) for item in value):
        return f"[{','.join([item.text for item in value])}]"
    return _text([item.to_json() for item in value])


def _output_to_json(value: Resource | tuple[Resource, ...]) -> Any:
    return [item.to_json() for item in value] if isinstance(value, tuple) else value.to_json()


def _output_from_json(data: Any) -> Resource | tuple[Resource, ...]:
    if isinstance(data, list):
        return tuple(Resource.from_json(item) for item in data)
    return Resource.from_json(data)
